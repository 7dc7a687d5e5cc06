/*
 * test_check_random.c - files for `saltus check`, changed at random: an error in one
 * line, or a verdict, and never a wrong one.
 */
#include <math.h>
#include <stdint.h>
#include <time.h>

#include "checking.h"
#include "foreign/foreign.h"
#include "mechanisms/catalogue.h"

TestSuite(check_random, .init = make_folder, .fini = remove_folder, .timeout = 600);

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t new_seed(void)
{
    uint64_t seed = (uint64_t)time(NULL) * 2654435761u | 1;
    cr_log_info("seed %llu", (unsigned long long)seed);
    return seed;
}

/* As `saltus check` judges, without a process for each. */
struct court {
    struct question question;
    char *text;             /* the good answer */
    struct verdict *verdict;  /* its numbers by the certified values */
    long numbers;
};

static const struct truth exact = {.variant = "exact"};

/* Exit status 0, 1 or 2; the numbers go to *court if it is not NULL. */
static int verdict_on(const struct question *question, const char *text, size_t length,
                      struct court *court)
{
    struct diagnosis diagnosis = {.place = ""};
    struct rows rows = {.digits = 6, .keep = true};
    struct foreign *foreign = NULL;
    int status = HELD;
    if (foreign_read("x", text, length, question, &foreign, &diagnosis) != OK) {
        cr_assert_eq(diagnosis.status, BAD_INPUT);
        cr_assert(strlen(diagnosis.place) > 3 && !strchr(diagnosis.place, '\n'), "%s",
                  diagnosis.place);
        return USAGE;
    }
    foreign_judge(&rows, question, foreign, "x", ORACLE_CERTIFIED);
    cr_assert_eq(rows.count, 1);
    if (row_fell_short(&rows.row[0]))
        status = SHORT;
    if (court) {
        court->verdict = rows.row[0].verdict;
        court->numbers = rows.row[0].numbers;
        rows.row[0].verdict = NULL;
    }
    foreign_free(foreign);
    rows_clear(&rows);
    return status;
}

static struct court open_court(const char *file)
{
    struct court court = {.text = contents(file)};
    size_t length = strlen(court.text);
    cr_assert_eq(question_open(&court.question, case_find("bouncing-ball"),
                               RESET_IMPULSIVE, &exact, 0, ROWS_AMONG, NULL), OK);
    cr_assert_eq(verdict_on(&court.question, court.text, length, &court), HELD);
    return court;
}

static void close_court(struct court *court)
{
    question_close(&court->question);
    free(court->text);
    free(court->verdict);
}

/* What may come of a file that is cut off: an error, or, where its events are gone or the
   last of them, a verdict on the rest. */
Test(check_random, a_file_cut_off_anywhere_is_an_error_or_judged_for_what_is_there)
{
    write_narrow_answer();
    struct court court = open_court("narrow");
    const char *heading = strstr(court.text, "# events");
    size_t length = strlen(court.text), held = 0, fell_short = 0;
    for (size_t cut = 0; cut < length; cut++) {
        char *text = malloc(cut + 1);           /* exact: for the sanitizer */
        memcpy(text, court.text, cut);
        text[cut] = '\0';
        int status = verdict_on(&court.question, text, cut, NULL);
        bool at_line = cut > 0 && text[cut - 1] == '\n';
        cr_assert(status == USAGE || at_line, "held or judged when cut at %zu", cut);
        if (status == HELD)
            cr_assert_eq(court.text + cut, heading, "held when cut at %zu", cut);
        held += status == HELD;
        fell_short += status == SHORT;
        free(text);
    }
    cr_assert_eq(held, 1, "only when all of the events are gone");
    cr_assert_eq(fell_short, 3, "0, 1 or 2 events of 3");
    close_court(&court);
}

/* Field `column` of line `line`, both from 0. */
static const char *field_at(const char *text, int line, int column)
{
    for (; line > 0; line--)
        text = strchr(text, '\n') + 1;
    for (; column > 0; column--)
        text = strchr(text, ',') + 1;
    return text;
}

/* Its name in the results (results.h): "q.y" of a sample, "after.2.q.y", "event.2.t"; ""
   of what is no number that is judged. */
static void name_of_field(const struct court *court, int line, int column, char *name,
                          int size)
{
    int samples = court->question.times, header = line > samples ? samples + 2 : 0;
    const char *title = field_at(court->text, header, column);
    int length = (int)strcspn(title, ",\n"), event = (line - header + 1) / 2;
    bool after = (line - header) % 2 == 0;
    bool tau = strncmp(title, "dt/d", 4) == 0 || *title == 't';
    if (header == 0)
        snprintf(name, (size_t)size, "%s%.*s", *title == 't' ? "!" : "", length, title);
    else
        snprintf(name, (size_t)size, "%s.%d.%.*s",
                 tau ? "event" : after ? "after" : "before", event, length, title);
}

/* The number judged under this name; of a sample also at this time. */
static const struct verdict *judged_of(const struct court *court, const char *name,
                                      int line)
{
    bool sample = line <= court->question.times;
    for (long k = 0; k < court->numbers; k++)
        if (strcmp(court->verdict[k].name, name) == 0 &&
            (!sample || court->verdict[k].t == court->question.t[line - 1]))
            return &court->verdict[k];
    return NULL;
}

/* A number changed by more than its bar falls short, one changed by less is held. The
   lines of an event share its time and dt/drho: changed in one of them is an error. */
Test(check_random, a_number_is_held_if_and_only_if_it_was_changed_by_less_than_its_bar)
{
    write_answer();
    struct court court = open_court("whole");
    uint64_t state = new_seed();
    int samples = court.question.times, seen[3] = {0};
    for (int k = 0; k < 800; k++) {
        int lines = samples + 6, line = 1 + (int)(next_random(&state) % (unsigned)lines);
        line += line > samples ? 2 : 0;
        int columns = line > samples ? 40 : 31;
        int column = (int)(next_random(&state) % (unsigned)columns);
        char name[100], *text;
        size_t length;
        name_of_field(&court, line, column, name, sizeof name);
        const struct verdict *verdict = judged_of(&court, name, line);
        if (!verdict)
            continue;
        const char *field = field_at(court.text, line, column);
        double got = strtod(field, NULL), want = strtod(verdict->want, NULL);
        double scale = fmax(fabs(want), verdict->scale) + (verdict->scale == 0);
        double share = pow(10, -9 + 6 * (double)(next_random(&state) % 1000) / 1000);
        double changed = got + (next_random(&state) % 2 ? share : -share) * scale;
        double error = fabs(changed - want) / scale;
        FILE *memory = open_memstream(&text, &length);
        fprintf(memory, "%.*s%.17g%s", (int)(field - court.text), court.text, changed,
                field + strcspn(field, ",\n"));
        fclose(memory);
        int status = verdict_on(&court.question, text, length, NULL);
        bool shared = strncmp(name, "event.", 6) == 0 && changed != got;
        int expected = shared ? USAGE : error > 1e-6 ? SHORT : HELD;
        if (fabs(error - 1e-6) > 1e-10)
            cr_assert_eq(status, expected, "line %d, %s: error %g: %d", line + 1, name,
                         error, status);
        seen[status]++;
        free(text);
    }
    cr_assert(seen[HELD] > 100 && seen[SHORT] > 100 && seen[USAGE] > 5, "%d %d %d",
              seen[HELD], seen[SHORT], seen[USAGE]);
    close_court(&court);
}

/* --- bytes, lines and fields -------------------------------------------------------- */

static char *with_byte(const char *text, size_t length, uint64_t *state)
{
    char *changed = memcpy(malloc(length + 1), text, length + 1);
    size_t at = next_random(state) % length;
    static const char likely[] = "0123456789.,-+eE\n\r \"#nat";
    changed[at] = next_random(state) % 3
                      ? likely[next_random(state) % (sizeof likely - 1)]
                      : (char)(next_random(state) % 256);
    return changed;
}

/* Two pieces that end with the same character exchanged, so that the length is kept. */
static char *with_swap(const char *text, size_t length, char end, uint64_t *state)
{
    size_t start[2], size[2];
    for (int k = 0; k < 2; k++) {
        size_t at = next_random(state) % length;
        while (at > 0 && text[at - 1] != end && text[at - 1] != '\n')
            at--;
        start[k] = at;
        size[k] = strcspn(text + at, end == ',' ? ",\n" : "\n");
    }
    int first = start[0] < start[1] ? 0 : 1, last = 1 - first;
    char *changed = malloc(length + 1), *at = changed;
    size_t end_of_first = start[first] + size[first];
    if (start[0] == start[1])
        return memcpy(changed, text, length + 1);
    at = (char *)memcpy(at, text, start[first]) + start[first];
    at = (char *)memcpy(at, text + start[last], size[last]) + size[last];
    size_t between = start[last] - end_of_first;
    at = (char *)memcpy(at, text + end_of_first, between) + between;
    at = (char *)memcpy(at, text + start[first], size[first]) + size[first];
    strcpy(at, text + start[last] + size[last]);
    return changed;
}

/* The numbers on a line below a header, told by strtod alone; 0 for those of columns that
   nobody judges. */
static int numbers_on(const char *line, const char *header, double *number, int room)
{
    int count = 0;
    const char *stop = line + strcspn(line, "\n");
    while (count < room && line <= stop) {
        bool verdict = strncmp(header, "condition,", 10) != 0 &&
                      strncmp(header, "growth,", 7) != 0;
        number[count++] = verdict ? strtod(line, NULL) : 0;
        line += strcspn(line, ",\n") + 1;
        header += strcspn(header, ",\n");
        header += *header == ',';
    }
    return count;
}

/* Is every number of `changed` near the one of `text`, line by line? By a reader that
   shares nothing with the one that is tested. The scale is that of all numbers: generous.
   Where a header has changed, columns are not known any more, and nothing is said. */
static bool is_near(const char *text, const char *changed)
{
    enum { ROOM = 64 };
    double a[ROOM], b[ROOM], largest = 0;
    const char *header = text;
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        for (int n = numbers_on(line, "", a, ROOM), k = 0; k < n; k++)
            largest = fmax(largest, fabs(a[k]));
    while (*text && *changed) {
        size_t length = strcspn(text, "\n");
        if ((*text == 't' || *text == 'e') && strncmp(text, changed, length) != 0)
            return true;
        if (*text == 't' || *text == 'e')
            header = text;
        int n = numbers_on(text, header, a, ROOM);
        int m = numbers_on(changed, header, b, ROOM);
        for (int k = 0; k < n; k++)
            if (m != n || !(fabs(a[k] - b[k]) <= 1e-5 * largest))
                return false;
        text += strcspn(text, "\n") + 1;
        changed += strcspn(changed, "\n");
        changed += strspn(changed, "\r\n");         /* empty lines are passed over */
    }
    return *text == *changed;
}

static char *changed_at_random(const struct court *court, uint64_t *state)
{
    size_t length = strlen(court->text);
    switch (next_random(state) % 4) {
    case 0:  return with_swap(court->text, length, '\n', state);
    case 1:  return with_swap(court->text, length, ',', state);
    default: return with_byte(court->text, length, state);
    }
}

Test(check_random, a_file_changed_at_random_is_an_error_or_judged_and_never_wrongly_held)
{
    static const char *const files[] = {"whole", "narrow"};
    uint64_t state = new_seed();
    int seen[3] = {0};
    write_narrow_answer();
    for (int f = 0; f < 2; f++) {
        struct court court = open_court(files[f]);
        for (int k = 0; k < 1200; k++) {
            char *text = changed_at_random(&court, &state);
            int status = verdict_on(&court.question, text, strlen(court.text), NULL);
            size_t same = 0;
            while (text[same] && text[same] == court.text[same])
                same++;
            if (status == HELD)
                cr_assert(is_near(court.text, text),
                          "%s is held, from byte %zu on: %.80s", files[f], same,
                          text + same);
            seen[status]++;
            free(text);
        }
        close_court(&court);
    }
    cr_log_info("%d held, %d fell short, %d errors", seen[HELD], seen[SHORT],
                seen[USAGE]);
    cr_assert(seen[HELD] > 50 && seen[SHORT] > 50 && seen[USAGE] > 50);
}

/* The same by the command itself: exit status 0, 1 or 2; 2 with one line, else none. */
Test(check_random, the_command_ends_with_a_verdict_or_one_line_whatever_it_reads)
{
    write_narrow_answer();
    struct court court = open_court("whole");
    uint64_t state = new_seed();
    for (int k = 0; k < 100; k++) {
        char *text = changed_at_random(&court, &state);
        size_t length = strlen(court.text);
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/mutant", folder);
        FILE *file = fopen(path, "w");
        fwrite(text, 1, length, file);
        fclose(file);
        int status = run_command("check bouncing-ball mutant");
        char *err = contents("err");
        cr_assert_eq(status, verdict_on(&court.question, text, length, NULL), "%s", err);
        if (status == USAGE)
            cr_assert(*err && strchr(err, '\n') == err + strlen(err) - 1, "%s", err);
        else
            cr_assert_str_empty(err);
        free(err);
        free(text);
    }
    close_court(&court);
}
