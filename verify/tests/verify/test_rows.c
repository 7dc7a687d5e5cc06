/*
 * test_rows.c - rows of verdicts: when they hold, fall short or are empty, and what is
 * told of them.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jobs/judge.h"
#include "tables/report.h"
#include "verdict/row_status.h"
#include "viewing.h"

/* A row of two numbers; the second has about `digits` digits. */
static struct row judge_two(struct rows *rows, double digits)
{
    struct results *got = results_new(53), *want = results_new(53);
    const double value[] = {1.0, 1.0 + pow(10.0, -digits)};
    for (int k = 0; k < 2; k++) {
        const char *name = k ? "after.1.dq.x/dm" : "q.x";
        mpfr_set_d(results_add(got, name, k ? "dq/dm" : "q", k, k)->value, value[k],
                   MPFR_RNDN);
        mpfr_set_d(results_add(want, name, k ? "dq/dm" : "q", k, k)->value, 1.0,
                   MPFR_RNDN);
    }
    struct row *row = rows_add(rows, ROW_JUDGED, "case", "ode", "complex-step");
    row->made.digits = 13;
    row_compare(rows, row, got, want, 15.95);
    results_free(got);
    results_free(want);
    return *row;
}

Test(rows, hold_when_every_number_reaches_its_bar)
{
    struct rows rows = {.digits = NAN};
    struct row row = judge_two(&rows, 11.75);
    cr_assert(row.held);
    cr_assert_eq(row.numbers, 2);
    cr_assert_str_eq(row.worst.name, "after.1.dq.x/dm");
    cr_assert_float_eq(row.worst.digits, 11.75, 1e-2);
    cr_assert_str_empty(row.first.name);
    rows_clear(&rows);
}

Test(rows, keep_the_least_digits_of_all_and_of_every_kind)
{
    struct rows rows = {.digits = NAN};
    struct row row = judge_two(&rows, 11.75);
    cr_assert_eq(row.kinds, 2);
    cr_assert_str_eq(row.least.name, "after.1.dq.x/dm");
    cr_assert_float_eq(row_kind_digits(&row, "q"), 15.95, 1e-12);
    cr_assert_float_eq(row_kind_digits(&row, "dq"), 11.75, 1e-2);
    cr_assert(isnan(row_kind_digits(&row, "lambda")));
    rows_clear(&rows);
}

Test(rows, that_are_rightly_empty_neither_hold_nor_fall_short)
{
    struct rows rows = {.digits = NAN};
    struct diagnosis diagnosis;
    diagnose(&diagnosis, NOT_APPLICABLE, NAN, "an explicit integrator");
    struct row *row = rows_add(&rows, ROW_REFUSED, "case", "index3", "-");
    row_refuse(row, &diagnosis);
    cr_assert(row_fell_short(row));
    row_empty(row, &diagnosis);
    cr_assert_not(row->held);
    cr_assert_not(row_fell_short(row));
    char text[600];
    refusal_text(&row->refusal, text, sizeof text);
    cr_assert_str_eq(text, "not-applicable: an explicit integrator");
    rows_clear(&rows);
}

Test(rows, of_a_refusal_hold_where_that_is_what_is_certified)
{
    struct rows rows = {.digits = NAN, .keep = true};
    struct diagnosis diagnosis;
    diagnose(&diagnosis, SIMULTANEOUS, 0.5, "events left and right");
    struct row *row = rows_add(&rows, ROW_REFUSED, "case", "ode", "certified");
    row_agree(row, &diagnosis);
    cr_assert(row->held);
    cr_assert_not(row_fell_short(row));
    char *text = json_text_of(row);
    cr_assert_not_null(strstr(text, "\"pass\":true"), "%s", text);
    cr_assert_not_null(strstr(text, "simultaneous"), "%s", text);
    free(text);
    rows_clear(&rows);
}

Test(rows, that_are_empty_say_why_in_words_where_there_is_no_refusal)
{
    struct rows rows = {.digits = NAN};
    struct row *row = rows_add(&rows, ROW_EMPTY, "case", "MPFR exact", "mpfr-difference");
    snprintf(row->note, sizeof row->note, "not recomputed: --thorough");
    const struct rows *const list[] = {&rows};
    const char *const settings[] = {NULL};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    report_table(stream, list, 1, false);
    report_json(stream, settings, list, 1);
    cr_assert(report_summary(stream, list, 1));
    fclose(stream);
    cr_assert_not_null(strstr(text, "SKIP         not recomputed: --thorough\n"), "%s",
                       text);
    cr_assert_not_null(strstr(text, "\"pass\":null"), "%s", text);
    cr_assert_not_null(strstr(text, "0 rows passed, 0 failed"), "%s", text);
    free(text);
    rows_clear(&rows);
}

Test(rows, fall_short_and_name_the_first_wrong_number)
{
    struct rows rows = {.digits = NAN};
    struct row row = judge_two(&rows, 4.0);
    char place[100];
    cr_assert_not(row.held);
    cr_assert_eq(row.short_of_bar, 1);
    verdict_place(&row.first, place, sizeof place);
    cr_assert_str_eq(place, "event 1: dq.x/dm after");
    cr_assert_str_eq(row.first.want, "1");
    cr_assert_float_eq(strtod(row.first.got, NULL), 1.0001, 1e-15);
    rows_clear(&rows);
}

/* Beside an oracle that passes the number, and one that does not. */
Test(rows, short_by_a_fraction_hold_where_another_oracle_passes_the_number)
{
    for (int other = 0; other < 2; other++) {
        struct rows rows = {.digits = NAN};
        judge_two(&rows, 10.5);
        judge_two(&rows, other ? 10.5 : 12);
        rows_weigh(&rows, 0);
        cr_expect_eq(rows.row[0].held, other == 0);
        cr_expect_eq(rows.row[0].slightly_short, other == 0);
        rows_clear(&rows);
    }
}

Test(rows, short_by_a_digit_are_wrong_whatever_another_oracle_says)
{
    struct rows rows = {.digits = NAN};
    judge_two(&rows, 9.9);
    judge_two(&rows, 12);
    rows_weigh(&rows, 0);
    cr_assert_not(rows.row[0].held);
    rows_clear(&rows);
}

/* Of a condition of 1e10 one digit would be asked: of -5 digits, say, it would hold. */
Test(rows, do_not_judge_what_no_digit_can_be_asked_of)
{
    struct rows rows = {.digits = NAN};
    struct results *got = results_new(53), *want = results_new(53);
    mpfr_set_d(results_add(got, "q.x", "q", 0, 0)->value, 1.0, MPFR_RNDN);
    mpfr_set_d(results_add(got, "q.y", "q", 0, 0)->value, 1.0, MPFR_RNDN);
    mpfr_set_d(results_add(want, "q.x", "q", 0, 0)->value, 1.0, MPFR_RNDN);
    struct entry *entry = results_add(want, "q.y", "q", 0, 0);
    mpfr_set_d(entry->value, -2.0, MPFR_RNDN);
    entry->spread = 2e10;
    struct row *row = rows_add(&rows, ROW_JUDGED, "case", "ode", "complex-step");
    row->made.digits = 13;
    row_compare(&rows, row, got, want, 15.95);
    cr_assert_eq(row->numbers, 1);
    cr_assert_eq(row->skipped, 1);
    cr_assert(row->held);
    results_free(got);
    results_free(want);
    rows_clear(&rows);
}

Test(rows, follow_a_bar_given_for_all)
{
    struct rows rows = {.digits = 3.0};
    cr_assert(judge_two(&rows, 4.0).held);
    rows.digits = 15.0;
    cr_assert_not(judge_two(&rows, 11.75).held);
    rows_clear(&rows);
}

Test(rows, with_a_missing_number_do_not_hold)
{
    struct rows rows = {.digits = NAN};
    struct results *got = results_new(53), *want = results_new(53);
    mpfr_set_d(results_add(want, "q.x", "q", 0, 0)->value, 1.0, MPFR_RNDN);
    mpfr_set_d(results_add(want, "event.1.t", "event.t", 1, 1)->value, 1.0, MPFR_RNDN);
    mpfr_set_d(results_add(got, "q.x", "q", 0, 0)->value, 1.0, MPFR_RNDN);
    struct row *row = rows_add(&rows, ROW_JUDGED, "case", "ode", "complex-step");
    row_compare(&rows, row, got, want, 15.95);
    cr_assert_not(row->held);
    cr_assert_eq(row->missing, 1);
    results_free(got);
    results_free(want);
    rows_clear(&rows);
}

Test(rows, without_any_number_do_not_hold)
{
    struct rows rows = {.digits = NAN};
    struct results *empty = results_new(53);
    struct row *row = rows_add(&rows, ROW_JUDGED, "case", "ode", "complex-step");
    row_compare(&rows, row, empty, empty, 15.95);
    cr_assert_not(row->held);
    results_free(empty);
    rows_clear(&rows);
}

Test(rows, as_json_say_every_number_in_decimal_text)
{
    struct rows rows = {.digits = NAN, .keep = true};
    judge_two(&rows, 4.0);
    struct diagnosis diagnosis;
    diagnose(&diagnosis, GRAZING, 1.5, "guard \"wall\"");
    row_refuse(rows_add(&rows, ROW_REFUSED, "case", "ode", "certified"),
               &diagnosis);
    const char *const settings[] = {"rtol", "1e-13", NULL};
    const struct rows *const list[] = {&rows};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    report_json(stream, settings, list, 1);
    fclose(stream);

    cJSON *object = cJSON_Parse(text);
    cr_assert_not_null(object, "not JSON: %s", text);
    const cJSON *verdicts = cJSON_GetObjectItem(object, "verdicts");
    cr_assert_eq(cJSON_GetArraySize(verdicts), 3);
    const cJSON *second = cJSON_GetArrayItem(verdicts, 1);
    cr_assert_str_eq(cJSON_GetObjectItem(second, "quantity")->valuestring,
                     "after.1.dq.x/dm");
    cr_assert(cJSON_IsString(cJSON_GetObjectItem(second, "got")));
    cr_assert(cJSON_IsFalse(cJSON_GetObjectItem(second, "pass")));
    const cJSON *refused = cJSON_GetObjectItem(cJSON_GetArrayItem(verdicts, 2),
                                               "diagnosis");
    cr_assert_str_eq(cJSON_GetObjectItem(refused, "status")->valuestring, "grazing");
    cJSON_Delete(object);
    free(text);
    rows_clear(&rows);
}

/* 5.9996 digits are not told as the 6 that were asked for. */
Test(rows, digits_are_rounded_down)
{
    cr_expect_float_eq(told_digits(5.9996), 5.99, 1e-9);
    cr_expect_float_eq(told_digits(told_digits(8.67)), 8.67, 1e-9);
    cr_expect_float_eq(digits_to(12.39, 1), 12.3, 1e-9);
}
