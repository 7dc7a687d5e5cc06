/*
 * test_bench_orbits.c - periodic motions beside AUTO-07p: its files are read as they are
 * written, the text that it is given is the problem, and it disagrees with what is wrong.
 */
#include "running.h"

#include <dlfcn.h>
#include <math.h>

#include "base/memory.h"
#include "bvp/versus.h"
#include "codegen/compiler.h"
#include "orbits/orbiting.h"

/* --- files -------------------------------------------------------------------------- */

/* u' = T (u2, -u1), two solutions with the parameters 1, T and one that is in no
   equation. */
static const char sample[] =
"     1     1     9     1     2     1       5     3      13"
"    2    2    3    0    2    4    0\n"
"      0.0000000000E+000  0.0000000000E+000  1.0000000000E+000\n"
"      2.5000000000E-001  6.9971607535E-001  7.1442103406E-001\n"
"      5.0000000000E-001  9.9978376419E-001  2.0794827803E-002\n"
"      7.5000000000E-001  7.2881702594E-001 -6.8470850929E-001\n"
"      1.0000000000E+000  4.1580662433E-002 -9.9913515027E-001\n"
"    3    2\n"
"      1.0000000000E+000  0.0000000000E+000\n"
"     -0.0000000000E+000 -0.0000000000E+000\n"
"      0.0000000000E+000  0.0000000000E+000\n"
"      0.0000000000E+000  0.0000000000E+000\n"
"      0.0000000000E+000  0.0000000000E+000\n"
"     -0.0000000000E+000 -0.0000000000E+000\n"
"      1.0000000000E+000  3.1000000000E+000  0.0000000000E+000\n"
"     1     2     5     2     2     1       5     3      13"
"    2    2    3    0    2    4    0\n"
"      0.0000000000E+000  1.6542605328E-030  1.0000000000E+000\n"
"      2.5000000000E-001  6.9782196187E-001  6.9782196187E-001\n"
"      5.0000000000E-001  1.0000000000E+000 -8.1798608127E-017\n"
"      7.5000000000E-001  6.9782196187E-001 -6.9782196187E-001\n"
"      1.0000000000E+000  0.0000000000E+000 -1.0000000000E+000\n"
"    3    2\n"
"      1.0000000000E+000  0.0000000000E+000\n"
"     -0.0000000000E+000 -0.0000000000E+000\n"
"      0.0000000000E+000  0.0000000000E+000\n"
"      0.0000000000E+000  0.0000000000E+000\n"
"      0.0000000000E+000  0.0000000000E+000\n"
"     -0.0000000000E+000 -0.0000000000E+000\n"
"      1.0000000000E+000  3.1651513899E+000  1.0000001000E-001\n";

Test(bench_orbits, the_last_solution_of_a_file_is_read)
{
    struct auto_solution solution;
    char why[200];
    cr_assert(auto_solution_read(sample, &solution, why, sizeof why), "%s", why);
    cr_expect_eq(solution.label, 2);
    cr_expect_eq(solution.type, AUTO_FOLD);
    cr_assert_eq(solution.points, 5);
    cr_assert_eq(solution.unknowns, 2);
    cr_assert_eq(solution.parameters, 3);
    cr_expect_float_eq(auto_solution_at(&solution, false, 1), 1, 0);
    cr_expect_float_eq(auto_solution_at(&solution, true, 0), 0, 0);
    cr_expect_float_eq(auto_solution_at(&solution, true, 1), -1, 0);
    cr_expect_float_eq(solution.u[2*2 + 1], -8.1798608127e-17, 0);
    cr_expect_float_eq(solution.parameter[1], 3.1651513899, 0);
    cr_expect_float_eq(solution.parameter[2], 0.10000001, 0);
    auto_solution_clear(&solution);
}

static void refused(const char *text, const char *words)
{
    struct auto_solution solution;
    char why[200] = "";
    cr_expect_not(auto_solution_read(text, &solution, why, sizeof why), "read: %s", text);
    cr_expect_not_null(strstr(why, words), "no '%s' in: %s", words, why);
    auto_solution_clear(&solution);
}

/* A cut behind the first solution leaves a whole file. */
Test(bench_orbits, a_file_that_breaks_off_is_refused)
{
    const char *second = strstr(sample, "     1     2     5");
    char text[sizeof sample];
    for (size_t length = 0; length + 1 < sizeof sample; length++) {
        memcpy(text, sample, length);
        text[length] = '\0';
        if (length != (size_t)(second - sample))
            refused(text, "fort.8: ");
    }
}

Test(bench_orbits, what_is_no_number_is_refused)
{
    static const struct { const char *from, *to, *words; } wrong[] = {
        {"1.6542605328E-030", "1.65426053280-130", "no number"},
        {"6.9782196187E-001", "              NaN", "no number"},
        {"3.1651513899E+000", "*****************", "parameters"},
        {"    5     3      13", "   -5     3      13", "head"},
        {"    5     3      13", "  5.5     3      13", "head"},
    };
    for (size_t k = 0; k < sizeof wrong/sizeof *wrong; k++) {
        char text[sizeof sample];
        memcpy(text, sample, sizeof sample);
        char *at = strstr(text, wrong[k].from);
        cr_assert_not_null(at);
        memcpy(at, wrong[k].to, strlen(wrong[k].to));
        refused(text, wrong[k].words);
    }
}

/* --- the text ----------------------------------------------------------------------- */

typedef void func(const int *ndim, const double *u, const int *icp, const double *par,
                  const int *ijac, double *f, double *dfdu, double *dfdp);
typedef void bcnd(const int *ndim, const double *par, const int *icp, const int *nbc,
                  const double *u0, const double *u1, double *r, const int *ijac,
                  double *dbc);
typedef void stpnt(const int *ndim, double *u, double *par, const double *t);

/* A problem as its text, compiled and loaded into this process. */
struct loaded {
    struct orbiting o;
    struct bvp bvp;
    void *code;
    func *func;
    bcnd *bcnd;
    stpnt *stpnt;
    int n, conditions, parameters;
};

/* C knows no conversion of the one kind of pointer to the other. */
static void take_symbol(const struct loaded *loaded, const char *name, void *function)
{
    void *symbol = dlsym(loaded->code, name);
    cr_assert_not_null(symbol, "no %s", name);
    memcpy(function, &symbol, sizeof symbol);
}

static void load(struct loaded *loaded, const char *name, const char *parameter,
                 double t_end)
{
    struct diagnosis diagnosis;
    char command[400], path[100];
    orbiting_of_case(&loaded->o, name, "ode", t_end);
    loaded->bvp = (struct bvp){loaded->o.s.model, orbiting_find(&loaded->o),
                               loaded->o.s.value, parameter_of(&loaded->o, parameter)};
    cr_assert_eq(bvp_write(&loaded->bvp, folder, &diagnosis), OK, "%s", diagnosis.place);
    snprintf(path, sizeof path, "%s/bvp.so", folder);
    snprintf(command, sizeof command, "%s -O1 -w -fPIC -shared -o %s %s/bvp_*.c -lm",
             compiler_name(), path, folder);
    cr_assert_eq(system(command), 0, "%s", command);
    loaded->code = dlopen(path, RTLD_NOW);
    cr_assert_not_null(loaded->code, "%s", dlerror());
    take_symbol(loaded, "func_", &loaded->func);
    take_symbol(loaded, "bcnd_", &loaded->bcnd);
    take_symbol(loaded, "stpnt_", &loaded->stpnt);
    loaded->n = bvp_unknowns(&loaded->bvp, 0);
    loaded->conditions = bvp_conditions(&loaded->bvp, 0);
    loaded->parameters = bvp_parameters(&loaded->bvp);
}

static void unload(struct loaded *loaded)
{
    dlclose(loaded->code);
    orbiting_end(&loaded->o);
}

enum { MOST = 40 };
static const int values_only = 0, all_derivatives = 2;

/* Column j of a derivative of x, of which f is a function, against a central difference;
   errors of h^2 and of rounding. */
static void expect_column(const double *above, const double *below, const double *column,
                          int count, double h, const char *what)
{
    for (int i = 0; i < count; i++)
        cr_expect_float_eq(column[i], (above[i] - below[i])/(2*h), 1e-7,
                           "%s, row %d: %.10g and %.10g", what, i, column[i],
                           (above[i] - below[i])/(2*h));
}

static void expect_derivatives(const struct loaded *l)
{
    double u[2*MOST], par[MOST], f[MOST], side[2][MOST], h = 1e-5, t = 0.4;
    double *dfdu = memory_new(MOST*MOST, sizeof *dfdu);
    double *dfdp = memory_new(MOST*MOST, sizeof *dfdp);
    double *dbc = memory_new(MOST*3*MOST, sizeof *dbc);
    l->stpnt(&l->n, u, par, &t);
    l->stpnt(&l->n, u + l->n, par, &t);
    l->func(&l->n, u, NULL, par, &all_derivatives, f, dfdu, dfdp);
    l->bcnd(&l->n, par, NULL, &l->conditions, u, u + l->n, f, &all_derivatives, dbc);
    for (int j = 0; j < 2*l->n + 1 + l->bvp.orbit->events; j++) {
        double *x = j < 2*l->n ? &u[j] : &par[j - 2*l->n], before = *x;
        const double *column = j < l->n ? dfdu + j*l->n : dfdp + (j - 2*l->n)*l->n;
        for (int k = 0; k < 2; k++) {
            *x = before + (k ? -h : h);
            l->func(&l->n, u, NULL, par, &values_only, side[k], NULL, NULL);
        }
        if (j < l->n || j >= 2*l->n)
            expect_column(side[0], side[1], column, l->n, h, "rates");
        for (int k = 0; k < 2; k++) {
            *x = before + (k ? -h : h);
            l->bcnd(&l->n, par, NULL, &l->conditions, u, u + l->n, side[k], &values_only,
                    NULL);
        }
        expect_column(side[0], side[1], dbc + j*l->conditions, l->conditions, h,
                      "conditions");
        *x = before;
    }
    free(dfdu);
    free(dfdp);
    free(dbc);
}

Test(bench_orbits, derivatives_of_the_text_are_derivatives, .init = make_folder,
     .fini = remove_folder)
{
    static const struct { const char *name, *parameter; double t_end; } of[] = {
        {"impact-oscillator", "A", 200}, {"compass-gait", "slope", 12},
        {"pwlin", "x_s", 60}};
    for (size_t k = 0; k < sizeof of/sizeof *of; k++) {
        struct loaded loaded;
        load(&loaded, of[k].name, of[k].parameter, of[k].t_end);
        expect_derivatives(&loaded);
        unload(&loaded);
    }
}

/* Along the orbit the conditions between the end of an arc, which its own rates lead to,
   and the state after the event are met to the digits of the guess. */
Test(bench_orbits, the_first_guess_is_the_orbit_rounded, .init = make_folder,
     .fini = remove_folder)
{
    struct loaded l;
    double u0[MOST], u1[MOST], par[MOST], r[MOST], begin = 0, end = 1;
    load(&l, "compass-gait", "slope", 12);
    l.stpnt(&l.n, u0, par, &begin);
    l.stpnt(&l.n, u1, par, &end);
    l.bcnd(&l.n, par, NULL, &l.conditions, u0, u1, r, &values_only, NULL);
    double largest = 0;
    for (int i = 0; i < l.conditions; i++)
        largest = fmax(largest, fabs(r[i]));
    cr_expect_lt(largest, 0.05, "residual %.2e", largest);
    cr_expect_gt(largest, 1e-6, "the guess is the solution: residual %.2e", largest);
    unload(&l);
}

Test(bench_orbits, constraints_are_refused)
{
    struct orbiting o;
    struct diagnosis diagnosis = {.t = NAN};
    orbiting_of_case(&o, "five-bar", "index1", 0);
    const struct orbit none = {.events = 0};
    const struct bvp bvp = {o.s.model, &none, o.s.value, 0};
    cr_expect_eq(bvp_write(&bvp, "/nowhere", &diagnosis), NOT_APPLICABLE);
    cr_expect_not_null(strstr(diagnosis.place, "has constraints"), "%s", diagnosis.place);
    orbiting_end(&o);
}

/* --- AUTO --------------------------------------------------------------------------- */

static const struct versus_problem *problem_of(const char *name)
{
    const struct versus_problem *problem = versus_problems;
    while (problem->name && strcmp(problem->name, name) != 0)
        problem++;
    cr_assert_not_null(problem->name, "no problem of %s", name);
    return problem;
}

static const struct versus_request once = {1e-12, 60, 1};

static void skip_without_auto(void)
{
    if (!auto_place())
        cr_skip_test("without AUTO-07p");
}

/* The same numbers with one of ours moved by 1e-8 of its size. */
static void expect_disagreement(struct versus *versus, int quantity)
{
    struct versus_vector *vector = &versus->quantity[quantity];
    if (vector->count == 0)
        return;
    vector->ours[0] += 1e-8*vector->size[0];
    cr_expect_not(versus_holds(versus), "%s moved by 1e-8 agrees",
                  versus_quantity_text[quantity]);
    vector->ours[0] -= 1e-8*vector->size[0];
}

static void expect_agreement(const char *name, enum branch_kind kind)
{
    struct versus versus;
    double difference, allowed;
    versus_open(&versus, problem_of(name), &once);
    cr_assert_eq(versus.status, OK, "%s: %s", name, versus.diagnosis.place);
    const struct branch_point *place = versus_place(&versus);
    cr_expect_eq(place ? place->kind : BRANCH_REGULAR, kind);
    for (int k = 0; k < VERSUS_QUANTITIES; k++) {
        bool agrees = versus_agrees(&versus, k, VERSUS_MESHES - 1, &difference, &allowed);
        cr_expect(agrees, "%s, %s: %.1e, allowed %.1e", name, versus_quantity_text[k],
                  difference, allowed);
        expect_disagreement(&versus, k);
    }
    cr_expect(versus_holds(&versus));
    versus_close(&versus);
}

Test(bench_orbits, auto_has_the_orbits_of_shooting_and_not_others)
{
    skip_without_auto();
    expect_agreement("pwlin", BRANCH_REGULAR);
    expect_agreement("impact-oscillator", BRANCH_FOLD);
    expect_agreement("compass-gait", BRANCH_DOUBLING);
}

Test(bench_orbits, without_auto_the_reason_is_named)
{
    struct versus versus;
    setenv("AUTO_DIR", "/nowhere", 1);
    versus_open(&versus, problem_of("pwlin"), &once);
    cr_expect_eq(versus.status, NOT_APPLICABLE);
    cr_expect_not_null(strstr(versus.diagnosis.place, "AUTO=1 deps"), "%s",
                       versus.diagnosis.place);
    cr_expect_not(versus_holds(&versus));
    versus_close(&versus);
}
