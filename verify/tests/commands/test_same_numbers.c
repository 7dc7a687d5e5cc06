/*
 * test_same_numbers.c - what a motion ends with, its costs and their derivatives are the
 * same numbers in `run`, `sweep`, `gradient` and the library, also where the ends of the
 * motion are formulas of parameters.
 */
#include <math.h>

#include "file/write.h"
#include "library/saltus.h"
#include "parsing.h"
#include "random/generate.h"

TestSuite(same_numbers, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* All numbers of a motion in the library, and how far others may be off. */
struct motion {
    struct saltus_model *model;
    struct saltus_solver *solver;
    struct saltus_result *result;
    double slack;               /* relative to the largest number of its kind */
    int compared;
};

static bool solve_in_library(struct motion *m, const char *path)
{
    struct saltus_error error;
    struct saltus_settings settings = {.samples = 1};
    m->model = saltus_open(path, &error);
    cr_assert_not_null(m->model, "%s: %s", path, error.message);
    m->solver = saltus_solver_new(m->model, &settings, &error);
    return m->solver &&
           saltus_solve(m->solver, NULL, &m->result, &error) == SALTUS_OK;
}

static void close_motion(struct motion *m)
{
    saltus_result_free(m->result);
    saltus_solver_free(m->solver);
    saltus_close(m->model);
}

/* The number of this name in the library's result; NAN: it has none. `size` is that of
   the largest number of its kind. */
static double library_number(const struct motion *m, const char *name, double *size)
{
    char own[200];
    int costs = saltus_count(m->model, SALTUS_COSTS);
    double found = NAN;
    *size = 0;
    for (int k = 0; k < costs; k++)
        for (int j = -1; j < saltus_parameters(m->result); j++) {
            const char *cost = saltus_name(m->model, SALTUS_COSTS, k);
            double value = saltus_cost(m->result, k);
            snprintf(own, sizeof own, "psi.%s", cost);
            if (j >= 0) {
                int parameter = saltus_parameter(m->result, j);
                value = saltus_cost_slope(m->result, k)[j];
                snprintf(own, sizeof own, "dpsi.%s/d%s", cost,
                         saltus_name(m->model, SALTUS_PARAMETERS, parameter));
            }
            if (strcmp(own, name) == 0)
                found = value;
            if (strncmp(name, "psi", 3) == 0 || strncmp(name, "dpsi", 4) == 0)
                *size = fmax(*size, fabs(value));
        }
    int column = saltus_column_index(m->result, name);
    if (column < 0)
        return found;
    const double *row = saltus_row(m->result, saltus_samples(m->result) - 1);
    for (int c = 0; c < saltus_columns(m->result); c++)
        *size = fmax(*size, isnan(row[c]) ? 0 : fabs(row[c]));
    return row[column];
}

static void expect_number(struct motion *m, const char *who, const char *name, double got)
{
    double size, want = library_number(m, name, &size);
    if (isnan(want) && isnan(got))
        return;
    cr_expect_leq(fabs(got - want), m->slack * size, "%s: %s is %.17g, %.17g in the "
                  "library", who, name, got, want);
    m->compared++;
}

/* A table of one or two lines: names, then numbers of the first row. */
static void expect_row(struct motion *m, const char *who, char *heading, char *row)
{
    char *at_name, *at_number, *name = strtok_r(heading, ",\n", &at_name);
    char *number = strtok_r(row, ",\n", &at_number);
    double size;
    for (; name && number; name = strtok_r(NULL, ",\n", &at_name)) {
        if (!isnan(library_number(m, name, &size)))
            expect_number(m, who, name, strtod(number, NULL));
        number = strtok_r(NULL, ",\n", &at_number);
    }
}

static void expect_run_of(struct motion *m, const char *path)
{
    double size;
    cr_assert_eq(shell("%s run '%s' --points 2 --brief -o x.csv && "
                       "tail -n 1 x.csv > last",
                       command_path(), path), HELD, "%s", path);
    char *costs = contents("out"), *table = contents("x.csv"), *last = contents("last");
    char *at, *line = strtok_r(costs, "\n", &at);
    for (; line; line = strtok_r(NULL, "\n", &at)) {
        char *comma = strchr(line, ',');
        cr_assert_not_null(comma, "%s", line);
        *comma = '\0';
        if (!isnan(library_number(m, line, &size)))
            expect_number(m, "run", line, strtod(comma + 1, NULL));
    }
    *strchr(table, '\n') = '\0';
    expect_row(m, "run", table, last);
    free(costs);
    free(table);
    free(last);
}

/* Names of all parameters of the motion; of all its columns, costs and gradients. */
static void list_names(const struct motion *m, char *parameters, char *columns)
{
    *parameters = *columns = '\0';
    for (int c = 0; c < saltus_columns(m->result); c++)
        sprintf(columns + strlen(columns), "%s%s", c > 0 ? "," : "",
                saltus_column_name(m->result, c));
    for (int j = 0; j < saltus_parameters(m->result); j++) {
        const char *by = saltus_name(m->model, SALTUS_PARAMETERS,
                                     saltus_parameter(m->result, j));
        sprintf(parameters + strlen(parameters), "%s%s", j > 0 ? "," : "", by);
        for (int k = 0; k < saltus_count(m->model, SALTUS_COSTS); k++) {
            const char *cost = saltus_name(m->model, SALTUS_COSTS, k);
            if (j == 0)
                sprintf(columns + strlen(columns), ",psi.%s", cost);
            sprintf(columns + strlen(columns), ",dpsi.%s/d%s", cost, by);
        }
    }
}

static void expect_sweep(struct motion *m, const char *path)
{
    char parameters[400], columns[2000];
    double *value = malloc(sizeof *value *
                           (size_t)saltus_count(m->model, SALTUS_PARAMETERS));
    struct saltus_error error;
    int axis = saltus_parameter(m->result, 0);
    const char *name = saltus_name(m->model, SALTUS_PARAMETERS, axis);
    list_names(m, parameters, columns);
    cr_assert_eq(saltus_nominal(m->model, value, &error), SALTUS_OK);
    cr_assert_eq(shell("'%s' sweep '%s' --grid '%s=%.17g:%.17g:2' --sens '%s' "
                       "--columns '%s' -j 1 | grep -v ^#",
                       command_path(), path, name, value[axis],
                       value[axis] + (fabs(value[axis]) + 1) * 1e-3,
                       parameters, columns), HELD, "%s", path);
    char *table = contents("out"), *row = strchr(table, '\n');
    cr_assert_not_null(row, "%s", table);
    *row = '\0';
    expect_row(m, "sweep", table, row + 1);
    free(table);
    free(value);
}

static void expect_gradients(struct motion *m, const char *path)
{
    for (int k = 0; k < saltus_count(m->model, SALTUS_COSTS); k++) {
        const char *cost = saltus_name(m->model, SALTUS_COSTS, k);
        cr_assert_eq(shell("'%s' gradient '%s' --cost '%s' --json", command_path(), path,
                           cost), HELD, "%s", path);
        cJSON *object = json_of("out");
        const cJSON *parameter;
        cJSON_ArrayForEach(parameter, cJSON_GetObjectItem(object, "parameters")) {
            char name[200];
            snprintf(name, sizeof name, "dpsi.%s/d%s", cost,
                     cJSON_GetObjectItem(parameter, "name")->valuestring);
            const cJSON *all = cJSON_GetObjectItem(parameter, "derivatives");
            expect_number(m, "gradient", name,
                          cJSON_GetObjectItem(all, "adjoint")->valuedouble);
        }
        cJSON_Delete(object);
    }
}

/* How many numbers were compared; 0: the motion is refused. */
static int expect_same_numbers(const char *path, double slack)
{
    struct motion m = {.slack = slack};
    if (solve_in_library(&m, path) && saltus_parameters(m.result) > 0) {
        expect_run_of(&m, path);
        expect_sweep(&m, path);
        expect_gradients(&m, path);
    }
    close_motion(&m);
    return m.compared;
}

/* --- models ------------------------------------------------------------------------- */

/* y = 1 - g t^2/2 and c the integral of y^2: dc/dT = y(T)^2. */
static const char moving_end[] =
    "coordinates: [y]\ncosts: [c]\n"
    "parameters: {T: {nominal: 2}, g: {nominal: 9.81}}\n"
    "modes:\n  one: {M: {y: {y: 1}}, F: {y: -g}, g: {c: y*y}}\n"
    "initial: {state: {y: 1, vy: 0}}\nend: T\n";

/* A start and a period that are formulas, and impacts between. */
static const char moving_ends[] =
    "coordinates: [y]\ncosts: [c]\ntime: t\n"
    "parameters: {w: {nominal: 4}, g: {nominal: 9.81}, e: {nominal: 0.7}}\n"
    "modes:\n  one: {M: {y: {y: 1}}, F: {y: -g + cos(w*t)}, g: {c: y*y + t}}\n"
    "events:\n  hit: {guard: y, direction: falling, reset: {vy_plus: -e*vy}}\n"
    "initial: {t: e/w, state: {y: 1, vy: 0}}\nend: 2*pi/w/sqrt(e)\n";

Test(same_numbers, an_end_that_is_a_formula_moves_in_every_command)
{
    write_file("end.yaml", moving_end);
    cr_assert_eq(run_command("run end.yaml --points 3 -o x.csv --brief"), HELD);
    char *costs = contents("out"), *at = strstr(costs, "dpsi.c/dT,");
    cr_assert_not_null(at, "%s", costs);
    double y = 1 - 9.81 * 2;
    cr_expect_float_eq(strtod(at + 10, NULL), y * y, 1e-9, "%s", costs);
    free(costs);
    /* an end that is asked for stays */
    cr_assert_eq(run_command("run end.yaml --points 3 --t-end 2 -o x.csv --brief"), HELD);
    costs = contents("out");
    cr_expect_not_null(strstr(costs, "dpsi.c/dT,0\n"), "%s", costs);
    free(costs);
}

Test(same_numbers, are_printed_by_run_sweep_gradient_and_the_library)
{
    static const char *const text[] = {moving_end, moving_ends};
    for (int k = 0; k < 2; k++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/model.yaml", folder);
        write_file("model.yaml", text[k]);
        cr_expect_gt(expect_same_numbers(path, 1e-10), 10);
    }
    static const char *const name[] = {"bouncing-ball", "hung-spring", "pwlin",
                                       "clocked-oscillator", "slack-rope"};
    for (int k = 0; k < 5; k++)
        cr_expect_gt(expect_same_numbers(name[k], 1e-8), 10, "%s", name[k]);
}

Test(same_numbers, of_mechanisms_that_nobody_thought_of)
{
    enum { SEEDS = 12, FIRST = 4100 };
    struct draw *draw = malloc(sizeof *draw);
    char path[PATH_MAX];
    int compared = 0;
    snprintf(path, sizeof path, "%s/random.yaml", folder);
    for (int seed = FIRST; seed < FIRST + SEEDS; seed++) {
        struct diagnosis diagnosis = {.t = NAN};
        unsigned kinds = 1u << KIND_COST | 1u << KIND_ENDS | 1u << KIND_FORCE |
                         1u << KIND_VELOCITY_JUMP | 1u << KIND_STATE;
        generate(draw, (uint64_t)seed, kinds);
        char *text = model_file_text(&draw->desc, &diagnosis);
        cr_assert_not_null(text, "seed %d: %s", seed, diagnosis.place);
        write_file("random.yaml", text);
        free(text);
        int own = expect_same_numbers(path, 1e-7);
        printf("seed %d: %d numbers\n", seed, own);
        compared += own;
    }
    free(draw);
    cr_expect_gt(compared, 200, "%d", compared);
}
