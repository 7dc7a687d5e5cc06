/*
 * test_explicit_rhs.c - formulations/explicit/explicit_rhs.c: equations solved
 * beforehand. Compiled, they give what they give interpreted, to the bit.
 */
#include "identical.h"
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(explicit_rhs, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 1200);

/* --- compiled and interpreted ------------------------------------------------------- */

/* What is not a number has a sign that nobody asks for. */
static bool same_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && !same_bits(&a[i], &b[i], 1))
            return false;
    return true;
}

/* Any state; now and then nothing but zeros, or one number that is none. */
static void any_state(struct opened *b, int k, struct random *random, double *t)
{
    *t = random_between(random, 0, 3);
    fill(random, b->x, b->system->dim);
    if (k % 8 == 3)
        memset(b->x, 0, (size_t)b->system->dim * sizeof *b->x);
    if (k % 8 == 7)
        b->x[random_below(random, b->system->dim)] = k % 16 == 7 ? NAN : INFINITY;
}

/* One program at many states: all are interpreted, then all compiled. Returns how many
   were finite. */
static int compare_code(struct opened *b, struct explicit_rhs *explicit_rhs,
                        struct random *random)
{
    enum { STATES = 25 };
    int dim = b->system->dim, each = dim + explicit_rhs->pivots, finite = 0;
    double *kept = calloc((size_t)(STATES * each), sizeof *kept);
    struct random again = *random;
    explicit_rhs_use_code(explicit_rhs, CODE_NEVER);
    for (int k = 0; k < STATES; k++) {
        double t;
        any_state(b, k, random, &t);
        explicit_rhs_evaluate(explicit_rhs, t, b->x, kept + k * each);
        memcpy(kept + k * each + dim, explicit_rhs->pivot,
               (size_t)explicit_rhs->pivots * sizeof *kept);
    }
    cr_assert_not(explicit_rhs_compiled(explicit_rhs));
    explicit_rhs_use_code(explicit_rhs, CODE_ALWAYS);
    cr_assert(explicit_rhs_compiled(explicit_rhs), "nothing was compiled");
    for (int k = 0; k < STATES; k++) {
        double t, total = 0;
        any_state(b, k, &again, &t);
        memset(b->dx, 0xff, (size_t)dim * sizeof *b->dx);
        memset(explicit_rhs->pivot, 0xff,
               (size_t)explicit_rhs->pivots * sizeof *explicit_rhs->pivot);
        explicit_rhs_evaluate(explicit_rhs, t, b->x, b->dx);
        bool same = same_numbers(kept + k * each, b->dx, dim) &&
                    same_numbers(kept + k * each + dim, explicit_rhs->pivot,
                                 explicit_rhs->pivots);
        cr_assert(same, "%s, %s, p = %d, state %d of seed %llu",
                  b->s.model->desc->name, b->s.request.formulation->name, b->system->p, k,
                  random->seed);
        for (int i = 0; i < dim; i++)
            total += b->dx[i];
        finite += isfinite(total) != 0;
    }
    free(kept);
    return finite;
}

/* All modes; returns how many programs there are. */
static int compare_modes(const char *name, const char *formulation, int p,
                         struct random *random)
{
    struct opened b;
    int programs = 0, finite = 0;
    if (!open_system(&b, name, formulation, p))
        return 0;
    for (int k = 0; k < b.s.model->modes; k++)
        if (b.system->mode[k].explicit_rhs) {
            finite += compare_code(&b, b.system->mode[k].explicit_rhs, random);
            programs++;
        }
    cr_expect(programs == 0 || finite >= 5, "%s, %s: %d finite states of seed %llu", name,
              formulation, finite, random->seed);
    close_system(&b);
    return programs;
}

/* In make test every other formulation, others for the next case: time is gcc's. */
static int compare_formulations(const char *name, int turn, struct random *random)
{
    int programs = 0;
    for (int i = 0; formulations[i]; i++)
        if (formulations[i]->kind == ALGEBRAIC && (in_test_all() || (i + turn) % 2 == 0))
            programs += compare_modes(name, formulations[i]->name, -1, random);
    return programs;
}

Test(explicit_rhs, compiled_is_interpreted_to_the_bit_in_every_formulation)
{
    static const struct {
        const char *name;
        int least;              /* programs: modes times formulations */
    } cases[] = {{"five-bar", 3},    {"compass-gait-absolute", 6}, {"pendulum-wall", 3},
                 {"event-bolus", 1}, {"clocked-oscillator", 2},    {"two-link", 1},
                 {"pendulum-friction", 3}};
    struct random random = random_start();
    int all = 0, least = 0;
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        int programs = compare_formulations(cases[k].name, k, &random);
        cr_expect(!in_test_all() || programs >= cases[k].least, "%s: %d",
                  cases[k].name, programs);
        all += programs;
        least += cases[k].least;
    }
    cr_expect_geq(2 * all, least, "%d programs", all);
}

/* Mass matrices of all kinds are among them. */
Test(explicit_rhs, cases_have_masses_of_the_state_and_masses_of_parameters)
{
    static const struct { const char *name, *formulation; bool moves; } cases[] = {
        {"two-link", "ode", true}, {"compass-gait-absolute", "index1", false},
        {"five-bar", "index1", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct solving s;
        solving_of_case(&s, cases[k].name, cases[k].formulation);
        formula M = s.model->start->M[1][1];
        cr_expect_eq(!is_steady(M), cases[k].moves, "%s", cases[k].name);
        cr_expect_neq(tape_row(s.model->tape, M.row).op, OP_CONSTANT);
        solving_end(&s);
    }
}

/* Columns are evaluated four at a time, and the last group may overlap the one before.
   Of a long program a part needs what another has read. */
Test(explicit_rhs, compiled_is_interpreted_to_the_bit_for_any_number_of_columns)
{
    static const int columns[] = {0, 1, 2, 3, 4, 5, 7, 8};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        cr_expect_eq(compare_modes("pendulum-wall", "index1",
                                   columns[k] < 5 ? columns[k] : 4, &random), 1);
        cr_expect_gt(compare_modes("clocked-oscillator", "ode", columns[k], &random), 0);
    }
    cr_expect_eq(compare_modes("andrews", "penalty", 5, &random), 1);
}

/* Of a chain of bodies most of it is loops. */
Test(explicit_rhs, compiled_in_loops_is_interpreted_to_the_bit)
{
    struct random random = random_start();
    struct opened b;
    open_system(&b, "pendulum-chain-16", "index1", 2);
    char *text = explicit_rhs_text(b.system->now->explicit_rhs, 0);
    cr_expect_not_null(strstr(text, "for (long k"));
    free(text);
    close_system(&b);
    cr_expect_eq(compare_modes("pendulum-chain-16", "index1", 2, &random), 1);
    cr_expect_eq(compare_modes("four-bar-16", "index1", 3, &random), 1);
    if (in_test_all())
        cr_expect_eq(compare_modes("four-bar-60", "baumgarte", 2, &random), 1);
}

/* Without wide registers and without fused operations, which others then stand for. */
Test(explicit_rhs, compiled_is_interpreted_to_the_bit_on_the_least_of_processors)
{
    char path[PATH_MAX];
    struct random random = random_start();
    write_file("compiler", "#!/bin/sh\nfor word; do shift; case $word in\n"
               "-march=*|-mtune=*) ;; *) set -- \"$@\" \"$word\";; esac; done\n"
               "exec cc \"$@\"\n");
    cr_assert_eq(shell("chmod 700 compiler"), 0);
    snprintf(path, sizeof path, "%s/compiler", folder);
    setenv("SALTUS_CC", path, 1);
    for (int columns = 1; columns <= 4; columns++)
        cr_expect_eq(compare_modes("five-bar", "penalty", columns, &random), 1);
    unsetenv("SALTUS_CC");
}

Test(explicit_rhs, compiled_is_interpreted_to_the_bit_in_the_whole_catalogue)
{
    struct random random = random_start();
    if (!in_test_all())
        return;
    for (int k = 0; catalogue[k]; k++)
        if (has_motion(catalogue[k]))
            compare_formulations(catalogue[k]->name, -1, &random);
}

/* --- whole runs --------------------------------------------------------------------- */

static void compare_runs(const char *name, const char *formulation, bool events)
{
    struct solving s;
    solving_of_case(&s, name, formulation);
    if (!events) {                  /* a large one */
        s.request.rtol = 1e-9;
        s.request.samples = 1;
    }
    s.request.code = CODE_NEVER;
    struct trajectory *interpreted = solve(&s);
    s.request.code = CODE_ALWAYS;
    struct trajectory *compiled = solve(&s);
    const char *what = difference(interpreted, compiled);
    cr_expect_null(what, "%s, %s: %s", name, formulation, what);
    cr_expect_eq(compiled->events > 0, events, "%s: events", name);
    trajectory_free(interpreted);
    trajectory_free(compiled);
    solving_end(&s);
}

Test(explicit_rhs, runs_are_identical_with_code_and_without)
{
    compare_runs("five-bar", "index1", true);
    compare_runs("pendulum-wall", "penalty", true);
    compare_runs("clocked-oscillator", "ode", true);
    compare_runs("event-bolus", "ode", true);
    compare_runs("compass-gait-absolute", "baumgarte", true);
    compare_runs("pendulum-chain-60", "index1", false);
    compare_runs("slider-crank-friction", "index1", false);
}

/* The equations of other formulations are on the same tape by then. */
Test(explicit_rhs, runs_are_identical_whatever_was_compiled_before)
{
    static const char *const other[] = {"baumgarte", "penalty", "index1"};
    struct solving s;
    solving_of_case(&s, "five-bar", "index1");
    struct trajectory *first = solve(&s);
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        struct solving t;
        solving_of_model(&t, s.model, other[k]);
        trajectory_free(solve(&t));
        struct trajectory *again = solve(&s);
        const char *what = difference(first, again);
        cr_expect_null(what, "after %s: %s", other[k], what);
        trajectory_free(again);
    }
    trajectory_free(first);
    solving_end(&s);
}
