/*
 * test_foreign.c - answers of foreign solvers compared with the truth.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "foreign/foreign.h"
#include "mechanisms/catalogue.h"

TestSuite(foreign, .timeout = 300);

/* The certified motion of a case, written as a foreign solver would. */
struct answer {
    struct model *model;
    struct certificate *certificate;
    struct results *want;
    struct question question;
    int times;
    char *text;
};

static void print_point(FILE *stream, const struct mp_trajectory *trajectory,
                        const struct mp_point *point)
{
    for (int c = 0; c < trajectory->columns.count; c++)
        fprintf(stream, ",%.17g", mpfr_get_d(point->x[c], MPFR_RNDN));
    fputc('\n', stream);
}

static void print_header(FILE *stream, const struct columns *columns)
{
    char name[80];
    for (int c = 0; c < columns->count; c++) {
        column_name(columns, c, name, sizeof name);
        fprintf(stream, ",%s", name);
    }
    fputc('\n', stream);
}

static void print_answer(FILE *stream, const struct mp_trajectory *trajectory)
{
    fputs("t", stream);
    print_header(stream, &trajectory->columns);
    for (int k = 0; k < trajectory->samples; k++) {
        fprintf(stream, "%.17g", mpfr_get_d(trajectory->sample[k].t, MPFR_RNDN));
        print_point(stream, trajectory, &trajectory->sample[k]);
    }
    fputs("# events\nevent,name,t", stream);
    for (int j = 0; j < trajectory->columns.p; j++)
        fprintf(stream, ",dt/d%s",
                trajectory->columns.model->parameter[trajectory->parameter[j]].name);
    fputs(",side", stream);
    print_header(stream, &trajectory->columns);
    for (int k = 0; k < 2 * trajectory->events; k++) {
        const struct mp_event *event = &trajectory->event[k / 2];
        fprintf(stream, "%d,%s,%.17g", k / 2 + 1, event->event->name,
                mpfr_get_d(event->before.t, MPFR_RNDN));
        for (int j = 0; j < trajectory->columns.p; j++)
            fprintf(stream, ",%.17g", mpfr_get_d(event->tau[j], MPFR_RNDN));
        fprintf(stream, ",%s", k % 2 ? "after" : "before");
        print_point(stream, trajectory, k % 2 ? &event->after : &event->before);
    }
}

static struct answer answer_of(const char *name)
{
    struct answer answer = {.model = model_new(case_find(name), NULL)};
    const struct truth exact = {.variant = "exact"};
    char path[600];
    size_t length;
    cr_assert(certified_path(answer.model, &exact, path, sizeof path));
    cr_assert_eq(certificate_read(path, answer.model, &answer.certificate, NULL), OK);
    answer.want = results_of_reference(answer.certificate->trajectory);
    cr_assert_eq(question_open(&answer.question, case_find(name), RESET_IMPULSIVE, &exact,
                               0, ROWS_EXACT, NULL), OK);
    answer.times = answer.question.times;
    FILE *memory = open_memstream(&answer.text, &length);
    print_answer(memory, answer.certificate->trajectory);
    fclose(memory);
    return answer;
}

static void answer_free(struct answer *answer)
{
    free(answer->text);
    question_close(&answer->question);
    results_free(answer->want);
    certificate_free(answer->certificate);
    model_free(answer->model);
}

static struct row judge(const struct answer *answer, const char *text,
                        enum question_rows times, struct diagnosis *diagnosis)
{
    struct question question = answer->question;
    struct rows rows = {.digits = 6};
    struct foreign *foreign;
    const struct mp_trajectory *truth = answer->certificate->trajectory;
    struct row *row = rows_add(&rows, ROW_JUDGED, "x", "y", "certified"), copy;
    *diagnosis = (struct diagnosis){.status = OK};
    if (times == ROWS_AMONG)
        question.asked = NULL;
    if (foreign_read("y", text, strlen(text), &question, &foreign, diagnosis) == OK) {
        foreign_compare(&rows, row, foreign, answer->want, 40, truth);
        foreign_free(foreign);
    }
    copy = *row;
    rows_clear(&rows);
    return copy;
}

/* Field `column` (0..) of line `line` (0..) replaced. */
static char *with_field(const char *text, int line, int column, const char *field)
{
    const char *at = text;
    char *changed;
    size_t length;
    for (; line > 0; line--)
        at = strchr(at, '\n') + 1;
    for (; column > 0; column--)
        at = strchr(at, ',') + 1;
    FILE *memory = open_memstream(&changed, &length);
    fprintf(memory, "%.*s%s%s", (int)(at - text), text, field, at + strcspn(at, ",\n"));
    fclose(memory);
    return changed;
}

static int column_in(const char *text, int line, const char *name)
{
    char word[100], all[20000];
    for (; line > 0; line--)
        text = strchr(text, '\n') + 1;
    snprintf(word, sizeof word, ",%s,", name);
    snprintf(all, sizeof all, "%.*s,", (int)strcspn(text, "\n"), text);
    const char *at = strstr(all, word);
    cr_assert_not_null(at, "no %s", name);
    int column = 1;
    for (const char *c = all; c < at; c++)
        column += *c == ',';
    return column;
}

Test(foreign, the_certified_values_as_an_answer_have_all_digits_of_a_double)
{
    static const char *const cases[] = {"five-bar", "slack-rope", "rimless-wheel"};
    for (int k = 0; k < 3; k++) {
        struct answer answer = answer_of(cases[k]);
        struct diagnosis diagnosis;
        struct row row = judge(&answer, answer.text, ROWS_EXACT, &diagnosis);
        cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
        cr_assert(row.held, "%s: %s", row.worst.name, row.note);
        cr_assert_geq(row.worst.digits, 15, "%s", row.worst.name);
        int psi = answer.model->nz * (1 + answer.certificate->trajectory->columns.p);
        cr_assert_eq(row.numbers, answer.want->count - psi, "all but costs at the end");
        cr_assert_str_empty(row.note);
        answer_free(&answer);
    }
}

Test(foreign, one_wrong_sign_in_one_column_at_one_event_is_named)
{
    struct answer answer = answer_of("five-bar");
    struct diagnosis diagnosis;
    int header = 1 + answer.times + 1, line = header + 4;      /* event 2, after */
    int column = column_in(answer.text, header, "dv.y3/dL01");
    char *text = with_field(answer.text, line, column, "8.887507826792803");
    struct row row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
    cr_assert_not(row.held);
    cr_assert_eq(row.short_of_bar, 1);
    cr_assert_str_eq(row.first.name, "after.2.dv.y3/dL01");
    free(text);
    answer_free(&answer);
}

/* Columns order[0], order[1], ... of each of the first lines. */
static char *rearranged(const char *text, int lines, const int *order, int count)
{
    char *changed;
    size_t length;
    FILE *memory = open_memstream(&changed, &length);
    for (; lines > 0; lines--, text = strchr(text, '\n') + 1)
        for (int k = 0; k < count; k++) {
            const char *at = text;
            for (int i = 0; i < order[k]; i++)
                at += strcspn(at, ",\n") + 1;
            fprintf(memory, "%.*s%c", (int)strcspn(at, ",\n"), at,
                    k < count - 1 ? ',' : '\n');
        }
    fclose(memory);
    return changed;
}

Test(foreign, columns_may_be_in_any_order_missing_or_too_many)
{
    struct answer answer = answer_of("pendulum-wall");
    struct diagnosis diagnosis;
    enum { ALL = 64 };
    int order[ALL];
    for (int k = 0; k < ALL; k++)
        order[k] = ALL - 1 - k;
    char *text = rearranged(answer.text, 1 + answer.times, order, ALL);
    struct row row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
    cr_assert(row.held);
    cr_assert_eq(row.numbers, 9 * 63);
    cr_assert_str_eq(row.note, "no events");
    free(text);

    text = rearranged(answer.text, 1 + answer.times, order, ALL - 3);
    order[ALL - 4] = 0;         /* t, and not q.x, q.y, v.x */
    free(text);
    text = rearranged(answer.text, 1 + answer.times, order, ALL - 3);
    row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
    cr_assert(row.held);
    cr_assert_str_eq(row.note, "no events; 3 columns are not given: q.x, q.y, v.x");
    free(text);

    text = with_field(answer.text, 0, 5, "something");      /* a.x */
    row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert(row.held);
    cr_assert_str_eq(row.note, "1 column is not given: a.x; 1 column is ignored");
    free(text);
    answer_free(&answer);
}

Test(foreign, an_answer_without_one_column_that_was_asked_for_does_not_hold)
{
    struct answer answer = answer_of("pendulum-wall");
    struct diagnosis diagnosis;
    const int only_time[] = {0};
    char *text = rearranged(answer.text, 1 + answer.times, only_time, 1);
    struct row row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, OK);
    cr_assert_not(row.held);
    cr_assert_not_null(strstr(row.note, "no column that was asked for"));
    free(text);
    answer_free(&answer);
}

Test(foreign, another_number_of_events_or_another_event_falls_short)
{
    struct answer answer = answer_of("pendulum-wall");
    struct diagnosis diagnosis;
    int first = 1 + answer.times + 2;
    char *text = strdup(answer.text), *at = text;
    for (int k = 0; k < first + 6; k++)
        at = strchr(at, '\n') + 1;
    *at = '\0';                                             /* three events of four */
    struct row row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
    cr_assert_not(row.held);
    cr_assert_eq(row.short_of_bar, 0);
    cr_assert_str_eq(row.note, "3 events; the certified motion has 4");
    free(text);

    char *half = with_field(answer.text, first, 1, "floor");
    text = with_field(half, first + 1, 1, "floor");
    free(half);
    row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_not(row.held);
    cr_assert_str_eq(row.note, "event 1 is floor; the certified motion has wall there");
    free(text);
    answer_free(&answer);
}

Test(foreign, answers_that_are_not_as_asked_are_refused_with_line_and_column)
{
    struct answer answer = answer_of("slack-rope");
    int header = 1 + answer.times + 1, x = column_in(answer.text, 0, "q.x");
    int lambda = column_in(answer.text, 0, "lambda.1");
    int side = column_in(answer.text, header, "side");
    const struct { int line, column; const char *field, *says; } changes[] = {
        {0, 0, "time", "line 1: there is no column t"},
        {0, x, "q.y", "line 1: column 'q.y' is there twice"},
        {2, 0, "0.3", "line 3, column t: 0.2999"},
        {3, x, "nan", "line 4, column q.x: 'nan' is not a finite number"},
        {answer.times, 0, "7", "column t: 7 is not the time that is asked for here, 2"},
        {header - 1, 0, "# Events", "'# Events' is no line of numbers, nor \"# events\""},
        {header, side, "where", "there is no column side among those of the events"},
        {header + 1, side, "after", "column side: 'after'; the next line is that of "
                                    "event 1, before"},
        {header + 1, 0, "2", "column event: 2; the next line is that of event 1, before"},
        {header + 2, 2, "0.5", "column t: 0.5 after event 1, but"},
        {header + 3, x + 2, "-", "'-' is not a number"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        struct diagnosis diagnosis;
        char *text = with_field(answer.text, changes[k].line, changes[k].column,
                                changes[k].field);
        judge(&answer, text, ROWS_EXACT, &diagnosis);
        cr_assert_eq(diagnosis.status, BAD_INPUT, "%zu", k);
        cr_assert_not_null(strstr(diagnosis.place, changes[k].says), "%zu: %s", k,
                           diagnosis.place);
        free(text);
    }
    /* a multiplier may be nan, where there is one that has no digits */
    struct diagnosis diagnosis;
    char *text = with_field(answer.text, 4, lambda, "nan");
    struct row row = judge(&answer, text, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
    bool taut = answer.certificate->trajectory->sample[3].mode->m > 0;
    cr_assert_eq(row.held, !taut);
    free(text);
    answer_free(&answer);
}

Test(foreign, rows_at_other_times_are_refused_or_passed_over)
{
    struct answer answer = answer_of("bouncing-ball");
    struct diagnosis diagnosis;
    char *changed;
    size_t length;
    const char *second = strchr(strchr(answer.text, '\n') + 1, '\n') + 1;
    FILE *memory = open_memstream(&changed, &length);
    fprintf(memory, "%.*s", (int)(second - answer.text), answer.text);
    fputs("0.01", memory);
    for (int k = 0; k < answer.certificate->trajectory->columns.count; k++)
        fputs(",7", memory);
    fprintf(memory, "\n%s", second);
    fclose(memory);
    judge(&answer, changed, ROWS_EXACT, &diagnosis);
    cr_assert_eq(diagnosis.status, BAD_INPUT);
    cr_assert_not_null(strstr(diagnosis.place, "line 3, column t: 0.01"), "%s",
                       diagnosis.place);
    struct row row = judge(&answer, changed, ROWS_AMONG, &diagnosis);
    cr_assert_eq(diagnosis.status, OK, "%s", diagnosis.place);
    cr_assert(row.held);
    free(changed);
    answer_free(&answer);
}
