/*
 * auto_solution.c - reading AUTO-07p's fort.8 (auto_solution.h)
 */
#include "bvp/auto_solution.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { HEAD = 12, MOST_SIZE = 1000000 };
/* Places in the head. */
enum { TYPE = 2, LABEL = 3, FREE = 4, POINTS = 6, NUMBERS = 7, MESH = 9,
       PARAMETERS = 11 };

/* The next number; false: there is none, or more stands beside it, like the exponent that
   Fortran writes without its letter. */
static bool take(const char **at, double *x)
{
    char *end;
    *x = strtod(*at, &end);
    if (end == *at || (*end && !isspace((unsigned char)*end)) || !isfinite(*x))
        return false;
    *at = end;
    return true;
}

static bool take_many(const char **at, int count, double *x)
{
    double unused;
    for (int i = 0; i < count; i++)
        if (!take(at, x ? x + i : &unused))
            return false;
    return true;
}

/* The first whole numbers of a line, which is left. */
static bool take_head(const char **at, int head[HEAD])
{
    double x;
    for (int i = 0; i < HEAD; i++) {
        if (!take(at, &x) || fabs(x) > MOST_SIZE || x != floor(x))
            return false;
        head[i] = (int)x;
    }
    while (**at && **at != '\n')
        ++*at;
    return head[POINTS] > 0 && head[NUMBERS] > 1 && head[FREE] >= 0 &&
           head[PARAMETERS] >= 0 && head[POINTS] < MOST_SIZE/head[NUMBERS];
}

static bool take_mesh(const char **at, struct auto_solution *out)
{
    double t;
    out->u = memory_new(out->points*out->unknowns, sizeof *out->u);
    for (int k = 0; k < out->points; k++)
        if (!take(at, &t) || !take_many(at, out->unknowns, out->u + k*out->unknowns))
            return false;
    return true;
}

/* One block; NULL, or what is wrong. */
static const char *take_block(const char **at, struct auto_solution *out)
{
    int head[HEAD];
    if (!take_head(at, head))
        return "a head has not the numbers of one";
    auto_solution_clear(out);
    *out = (struct auto_solution){
        .label = head[LABEL], .type = head[TYPE], .points = head[POINTS],
        .unknowns = head[NUMBERS] - 1, .parameters = head[PARAMETERS]};
    if (!take_mesh(at, out))
        return "a solution breaks off, or has what is no number";
    int direction = 2*head[FREE] + out->points*out->unknowns;
    out->parameter = memory_new(out->parameters, sizeof *out->parameter);
    if ((head[MESH] > 0 && !take_many(at, direction, NULL)) ||
        !take_many(at, out->parameters, out->parameter))
        return "a solution breaks off before its parameters";
    return NULL;
}

bool auto_solution_read(const char *text, struct auto_solution *out, char *why,
                        size_t size)
{
    const char *wrong = NULL;
    *out = (struct auto_solution){.label = 0};
    int blocks = 0;
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] != '\n')
        wrong = "its last line breaks off";
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (!*text || wrong)
            break;
        wrong = take_block(&text, out);
        blocks++;
    }
    if (!wrong && blocks == 0)
        wrong = "there is no solution in it";
    if (wrong)
        snprintf(why, size, "fort.8: %s (solution %d of the file)", wrong,
                 blocks > 0 ? blocks : 1);
    return !wrong;
}

void auto_solution_clear(struct auto_solution *solution)
{
    free(solution->u);
    free(solution->parameter);
    solution->u = solution->parameter = NULL;
}
