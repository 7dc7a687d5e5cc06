/*
 * suggest.c - optimal string alignment distance, and names offered by it (suggest.h)
 */
#include "base/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 63, OFFERED = 3 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment; three rows of the table are enough. */
int edit_distance(const char *a, const char *b)
{
    int m = (int)strnlen(a, LONGEST), n = (int)strnlen(b, LONGEST);
    int row[3][LONGEST + 1];
    int *older = row[0], *above = row[1], *here = row[2];

    for (int j = 0; j <= n; j++)
        above[j] = j;
    for (int i = 1; i <= m; i++) {
        here[0] = i;
        for (int j = 1; j <= n; j++) {
            bool same = a[i - 1] == b[j - 1];
            here[j] = least(least(here[j - 1], above[j]) + 1, above[j - 1] + !same);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                here[j] = least(here[j], older[j - 2] + 1);
        }
        int *free_row = older;
        older = above;
        above = here;
        here = free_row;
    }
    return above[n];
}

static int count_names(const char *const *name, int count)
{
    if (count >= 0)
        return count;
    int k = 0;
    while (name[k])
        k++;
    return k;
}

static bool is_near(const char *wrong, const char *name, int distance)
{
    int length = (int)strlen(wrong);
    return distance <= least(3, (length + 2) / 3) ||
           (length >= 3 && (strstr(name, wrong) || strstr(wrong, name)));
}

/* Chooses the nearest names first, of equally near ones the first declared. Returns how
   many. */
static int choose(const char *wrong, const char *const *name, int count,
                  const char **chosen)
{
    int distance[OFFERED], found = 0;
    for (int k = 0; k < count; k++) {
        int d = edit_distance(wrong, name[k]);
        if (!is_near(wrong, name[k], d))
            continue;
        int at = found;
        while (at > 0 && distance[at - 1] > d)
            at--;
        if (at == OFFERED)
            continue;
        found += found < OFFERED;
        for (int i = found - 1; i > at; i--) {
            distance[i] = distance[i - 1];
            chosen[i] = chosen[i - 1];
        }
        distance[at] = d;
        chosen[at] = name[k];
    }
    return found;
}

void offer_names(const char *wrong, const char *const *name, int count, char *text,
                 int size)
{
    const char *chosen[OFFERED];
    count = count_names(name, count);
    int near = choose(wrong, name, count, chosen);
    if (near == 1)
        snprintf(text, (size_t)size, "did you mean %s?", chosen[0]);
    else if (near == 2)
        snprintf(text, (size_t)size, "did you mean %s or %s?", chosen[0], chosen[1]);
    else if (near == 3)
        snprintf(text, (size_t)size, "did you mean %s, %s or %s?", chosen[0], chosen[1],
                 chosen[2]);
    if (near > 0)
        return;

    int used = snprintf(text, (size_t)size, count ? "known: " : "there is none");
    for (int k = 0; k < count; k++) {
        const char *comma = k > 0 ? ", " : "";
        if (used + (int)strlen(name[k]) + 8 > size) {
            snprintf(text + used, (size_t)(size - used), ", ...");
            return;
        }
        used += snprintf(text + used, (size_t)(size - used), "%s%s", comma, name[k]);
    }
}
