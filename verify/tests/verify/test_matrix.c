/*
 * test_matrix.c - formulations x cases in one table: every cell has a number or a reason,
 * errors and gaps are kept apart, and the table fits its page.
 */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanisms/catalogue.h"
#include "studies/matrix.h"
#include "tables/report.h"

/* The longest name of a case takes 28 columns. */
enum { PAGE = 109 };

static const struct judge_settings settings = {.rtol = NAN, .digits = NAN,
                                               .mp_digits = DEFAULT_MP_DIGITS,
                                               .timeout = 60};

static void plan(struct matrix *matrix, const struct judge_settings *asked,
                 const char *first, const char *second)
{
    struct diagnosis diagnosis;
    const struct case_desc *desc[2] = {case_find(first),
                                       second ? case_find(second) : NULL};
    enum status status = matrix_schedule(matrix, asked, desc, second ? 2 : 1, &diagnosis);
    cr_assert_eq(status, OK, "%s", diagnosis.place);
}

static const struct cell *cell_of(const struct matrix *matrix, const char *name,
                                  const char *formulation)
{
    for (int k = 0; k < matrix->cases * matrix->formulations; k++)
        if (strcmp(matrix->cell[k].desc->name, name) == 0 &&
            strcmp(matrix->cell[k].formulation->name, formulation) == 0)
            return &matrix->cell[k];
    cr_assert_fail("no cell for %s, %s", name, formulation);
    return NULL;
}

static char *printed(const struct matrix *matrix,
                     void (*print)(FILE *stream, const struct matrix *matrix))
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    print(stream, matrix);
    fclose(stream);
    return text;
}

/* --- cells -------------------------------------------------------------------------- */

Test(matrix, has_a_number_or_a_reason_in_every_cell)
{
    struct matrix matrix;
    plan(&matrix, &settings, "pendulum-wall", "bouncing-ball");
    matrix_run(&matrix, 2);
    for (int k = 0; k < matrix.cases * matrix.formulations; k++) {
        const struct cell *cell = &matrix.cell[k];
        cr_expect_eq(cell->error != NULL, cell->why_empty[0] == '\0', "%s, %s",
                     cell->desc->name, cell->formulation->name);
        if (cell->constrained)
            cr_expect_not_null(cell->error, "%s: %s", cell->formulation->name,
                               cell->why_empty);
        if (cell->error)
            cr_expect_geq(cell->error->least.digits, 5, "%s", cell->formulation->name);
    }
    cr_expect_str_eq(cell_of(&matrix, "bouncing-ball", "index1")->why_empty,
                     "no mode has constraints: the same as ode");
    cr_expect(matrix_held(&matrix));
    matrix_free(&matrix);
}

/* Error: digits against its own motion. Gap: how far that is from the exact one, of the
   order 1/alpha = 1e-5 for all the digits of the error. */
Test(matrix, keeps_numerical_error_and_modelling_gap_apart)
{
    struct matrix matrix;
    plan(&matrix, &settings, "pendulum-wall", NULL);
    matrix_run(&matrix, 2);
    for (int k = 0; k < matrix.formulations; k++) {
        const struct cell *cell = &matrix.cell[k];
        bool exact = cell->formulation->capabilities & KEEPS_CONSTRAINTS;
        cr_expect_eq(cell->gap == NULL, exact, "%s", cell->formulation->name);
        if (!cell->gap)
            continue;
        cr_expect(cell_gap(cell) > 1e-6 && cell_gap(cell) < 1e-4, "%s: gap %g",
                  cell->formulation->name, cell_gap(cell));
        cr_expect_geq(row_kind_digits(cell->error, "q"), 12);
    }
    matrix_free(&matrix);
}

Test(matrix, falls_short_where_a_bar_is_not_reached)
{
    struct judge_settings strict = settings;
    struct matrix matrix;
    strict.digits = 15.9;
    plan(&matrix, &strict, "bouncing-ball", NULL);
    matrix_run(&matrix, 1);
    cr_expect_not(matrix_held(&matrix));
    char *text = printed(&matrix, report_matrix);
    cr_expect_not_null(strchr(text + strcspn(text, "\n"), '!'));
    free(text);
    matrix_free(&matrix);
}

Test(matrix, without_certified_values_says_so_and_does_not_hold)
{
    setenv("SALTUS_VALUES", "/nonexistent", 1);
    struct matrix matrix;
    plan(&matrix, &settings, "bouncing-ball", NULL);
    matrix_run(&matrix, 1);
    const struct cell *cell = cell_of(&matrix, "bouncing-ball", "ode");
    cr_expect_null(cell->error);
    cr_expect_str_eq(cell->why_empty,
                     "no certified values: saltus certify bouncing-ball");
    cr_expect_not(matrix_held(&matrix));
    matrix_free(&matrix);
}

/* With v+ = v- there is no motion that keeps the constraints. */
Test(matrix, of_continuous_resets_is_of_penalty_motions_with_a_gap_that_is_seen)
{
    struct judge_settings continuous = settings;
    struct matrix matrix;
    continuous.reset = RESET_CONTINUOUS;
    plan(&matrix, &continuous, "rope-catch", NULL);
    matrix_run(&matrix, 2);
    for (int k = 0; k < matrix.formulations; k++) {
        const struct cell *cell = &matrix.cell[k];
        bool exact = cell->formulation->capabilities & KEEPS_CONSTRAINTS;
        cr_expect_eq(cell->error == NULL, exact, "%s: %s", cell->formulation->name,
                     cell->why_empty);
        if (cell->gap)
            cr_expect_gt(cell_gap(cell), 1e-2);
    }
    cr_expect(matrix_held(&matrix));
    matrix_free(&matrix);
}

Test(matrix, explains_a_dae_by_the_orders_of_its_method)
{
    static const struct {
        const char *formulation;
        struct orders orders;
    } expected[] = {{"implicit", {5, 5, 5}}, {"ggl", {5, 5, 3}}, {"index3", {5, 3, 2}}};
    struct matrix matrix;
    struct orders orders;
    plan(&matrix, &settings, "pendulum-wall", NULL);
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
        const struct cell *cell = cell_of(&matrix, "pendulum-wall",
                                          expected[k].formulation);
        cr_assert(cell_orders(cell, &orders));
        cr_expect_eq(orders.q, expected[k].orders.q);
        cr_expect_eq(orders.v, expected[k].orders.v);
        cr_expect_eq(orders.lambda, expected[k].orders.lambda);
    }
    cr_expect_not(cell_orders(cell_of(&matrix, "pendulum-wall", "index1"), &orders));
    matrix_free(&matrix);
}

/* --- the page ----------------------------------------------------------------------- */

/* All cases, without running them: every cell that has a piece gets the same row. */
static void pretend(struct matrix *matrix, struct row *error, struct row *gap)
{
    struct diagnosis diagnosis;
    int cases = 0;
    while (catalogue[cases])
        cases++;
    cr_assert_eq(matrix_schedule(matrix, &settings, catalogue, cases, &diagnosis), OK);
    for (int k = 0; k < cases * matrix->formulations; k++) {
        struct cell *cell = &matrix->cell[k];
        bool exact = cell->formulation->capabilities & KEEPS_CONSTRAINTS;
        if (!cell->job)
            continue;
        cell->error = error;
        cell->gap = cell->constrained && !exact ? gap : NULL;
    }
}

static const struct verdict some = {.name = "before.9.dlambda.4/dy_ground", .t = 4.375,
                                   .digits = 12.349, .bar = 11, .scale = 1,
                                   .condition = 1.2e4, .got = "1.0000123", .want = "1"};

Test(matrix, fits_its_page_whatever_the_cases_are)
{
    struct matrix matrix;
    struct row error = {.held = true, .rtol = 1e-13, .numbers = 1, .least = some};
    struct row gap = {.kind = ROW_GAP, .worst = some};
    pretend(&matrix, &error, &gap);
    char *text = printed(&matrix, report_matrix), *rest = text, *line;
    while ((line = strsep(&rest, "\n"))) {
        size_t length = strlen(line);
        cr_expect_leq(length, PAGE, "%zu columns: %s", length, line);
        cr_expect(length == 0 || line[length - 1] != ' ', "ends in blanks: '%s'", line);
    }
    free(text);
    matrix_free(&matrix);
}

Test(matrix, breaks_a_long_name_after_a_hyphen)
{
    struct matrix matrix;
    plan(&matrix, &settings, "bouncing-ball", "slider-crank-equal-arms-reduced");
    struct row error = {.held = true, .rtol = 1e-13, .numbers = 1, .least = some};
    for (int k = 0; k < matrix.cases * matrix.formulations; k++)
        if (matrix.cell[k].job)
            matrix.cell[k].error = &error;
    char *text = printed(&matrix, report_matrix);
    cr_expect_not_null(strstr(text, "\nbouncing-ball            12.3"), "%s", text);
    cr_expect_not_null(strstr(text, "\nslider-crank-equal-arms-\n  reduced "), "%s",
                       text);
    free(text);
    matrix_free(&matrix);
}

/* Digits are cut, not rounded: what is printed has been reached. */
Test(matrix, prints_digits_gap_and_the_reasons_of_empty_cells)
{
    struct matrix matrix;
    struct row error = {.held = true, .rtol = 1e-13, .numbers = 1, .least = some};
    struct row gap = {.kind = ROW_GAP, .worst = some};
    error.least.digits = 12.39;
    pretend(&matrix, &error, &gap);
    char *text = printed(&matrix, report_matrix);
    cr_expect_not_null(strstr(text, "12.3 1.2e-05"), "%s", text);
    cr_expect_null(strstr(text, "12.4"));
    cr_expect_not_null(strstr(text, "\n  a   no mode has constraints: the same as ode"));
    cr_expect_not_null(strstr(text, "condition 1e+04"));
    free(text);
    matrix_free(&matrix);
}

Test(matrix, as_json_has_an_object_for_every_cell)
{
    struct matrix matrix;
    plan(&matrix, &settings, "bouncing-ball", "slack-rope");
    matrix_run(&matrix, 2);
    char *text = printed(&matrix, report_matrix_json);
    cJSON *object = cJSON_Parse(text);
    cr_assert_not_null(object, "not JSON: %s", text);
    const cJSON *cells = cJSON_GetObjectItem(object, "matrix"), *item;
    cr_assert_eq(cJSON_GetArraySize(cells), matrix.cases * matrix.formulations);
    int k = 0;
    cJSON_ArrayForEach(item, cells) {
        const struct cell *cell = &matrix.cell[k++];
        const cJSON *digits = cJSON_GetObjectItem(item, "digits");
        cr_expect_str_eq(cJSON_GetObjectItem(item, "case")->valuestring,
                         cell->desc->name);
        cr_expect_eq(digits != NULL, cell->error != NULL);
        if (digits)
            cr_expect_float_eq(digits->valuedouble, cell->error->least.digits, 0.006);
        else
            cr_expect_str_eq(cJSON_GetObjectItem(item, "empty")->valuestring,
                             cell->why_empty);
    }
    cJSON_Delete(object);
    free(text);
    matrix_free(&matrix);
}
