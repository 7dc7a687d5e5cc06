/*
 * test_tier_up.c - formulations/codegen/tier_up.c: the stages of a program as compiled
 * code give what the interpreter gives, to the bit; and guards have in their rates
 * (guard_rates.c) the coefficients of their series.
 */
#include "codegen/tier_up.h"
#include "events/hybrid.h"
#include "identical.h"
#include "monitors/guard_rates.h"
#include "running.h"
#include "sampling.h"
#include "systems.h"

TestSuite(compiled, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 1200);

/* --- stage by stage ----------------------------------------------------------------- */

/* Numbers, zeros of both signs, directions in which nothing moves, and now and then what
   is no number. */
static void any_inputs(const struct program *program, struct random *random, int k,
                       double *w)
{
    static const double special[] = {0, -0.0, 1, NAN, INFINITY};
    for (int i = 0; i < program->inputs; i++) {
        int pick = random_below(random, 8);
        double *x = &w[program->input[i].slot];
        *x = random_between(random, -1.5, 1.5);
        if (k % 2 == 1 && pick < 3)
            *x = special[pick];
        if (k % 4 == 2 && program->input[i].block >= BLOCKS)
            *x = 0;
        if (k % 8 == 7 && pick == 7)
            *x = special[3 + random_below(random, 2)];
    }
}

static bool same_outputs(const struct program *program, const double *w,
                         const double *other)
{
    for (int k = 0; k < program->outputs; k++) {
        double a = w[program->output[k]], b = other[program->output[k]];
        if (!(isnan(a) && isnan(b)) && !same_bits(&a, &b, 1))
            return false;
    }
    return true;
}

/* A point or a direction, of which parts may be missing, goes where it belongs. */
static void compare_points(const struct tiered_program *compiled, const char *name,
                           struct random *random, double *w, double *other)
{
    const struct program *program = compiled->program;
    int most = 1;
    for (int k = 0; k < program->inputs; k++)
        most = program->input[k].index >= most ? program->input[k].index + 1 : most;
    double *x = malloc(3 * (size_t)most * sizeof *x);
    for (int copy = 0; copy < 2; copy++) {
        const double *part[3];
        double t = random_between(random, -1, 1);
        for (int k = 0; k < 3; k++)
            part[k] = random_below(random, 3) == 0 ? NULL : x + k * most;
        for (int i = 0; i < 3 * most; i++)
            x[i] = random_between(random, -1, 1);
        program_load_point(program, copy, t, part[0], part[1], part[2], w);
        tiered_program_load_point(compiled, copy, t, part[0], part[1], part[2], other);
    }
    for (int k = 0; k < program->inputs; k++)
        cr_assert(same_bits(&w[program->input[k].slot], &other[program->input[k].slot],
                            1), "%s: input %d of seed %llu", name, k, random->seed);
    free(x);
}

/* One program with any inputs; returns its rows that were compiled. */
static int compare(const struct program *program, const char *what, const char *name,
                   struct random *random)
{
    enum { TRIALS = 24 };
    size_t size = (size_t)program->slots * sizeof(double);
    double *w = malloc(size), *other = malloc(size);
    struct tiered_program compiled;
    program_init(program, w);
    tiered_program_init(&compiled, program, w);
    tiered_program_use_code(&compiled, CODE_ALWAYS);
    cr_assert_not_null(compiled.emitted, "%s, %s: nothing was compiled", name, what);
    for (int k = 0; k < TRIALS; k++) {
        any_inputs(program, random, k, w);
        program_run(program, 1, w);
        memcpy(other, w, size);
        for (int stage = 2; stage < PROGRAM_STAGES; stage++) {
            program_run(program, stage, w);
            tiered_program_run(&compiled, stage, other);
        }
        cr_assert(same_outputs(program, w, other), "%s, %s: trial %d of seed %llu", name,
                  what, k, random->seed);
        compare_points(&compiled, name, random, w, other);
        program_init(program, w);
    }
    tiered_program_clear(&compiled);
    free(w);
    free(other);
    return program->stage_begin[PROGRAM_STAGES] - program->stage_begin[2];
}

static int compare_mode(struct mode_system *ms, const char *name, struct random *random)
{
    int rows = compare(ms->guard, "guards", name, random);
    if (!ms->guards_use_unknowns)
        rows += compare(ms->rates.program, "rates of guards", name, random);
    if (ms->explicit_rhs)
        rows += compare(ms->explicit_rhs->program, "motion", name, random);
    return rows + compare(ms->constraints.program, "constraints", name, random);
}

static int compare_resets(struct opened *b, const char *name, struct random *random)
{
    const struct model *model = b->branch;
    int rows = 0;
    for (int k = 0; k < model->events; k++) {
        const struct event *event = model->event[k];
        struct reset reset;
        struct arena arena = {0};
        reset_init(&reset, &arena, model, event,
                   &b->system->mode[event->to->index].constraints);
        rows += compare(reset.program, event->name, name, random);
        reset_clear(&reset);
        arena_free(&arena);
    }
    return rows;
}

static int compare_case(const char *name, const char *formulation, struct random *random)
{
    struct opened b;
    int rows = 0;
    if (!open_system(&b, name, formulation, -1))
        return 0;
    for (int k = 0; k < b.s.model->modes; k++)
        rows += compare_mode(&b.system->mode[k], name, random);
    rows += compare_resets(&b, name, random);
    close_system(&b);
    return rows;
}

Test(compiled, stages_are_interpreted_ones_to_the_bit)
{
    static const struct {
        const char *name, *formulation;
    } cases[] = {{"five-bar", "penalty"},           {"compass-gait-absolute", "index1"},
                 {"pendulum-wall", "penalty"},      {"event-algebra", "ode"},
                 {"clocked-oscillator", "ode"},     {"slack-rope", "index1"},
                 {"four-bar-events", "baumgarte"},  {"pendulum-chain-16", "index1"}};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cr_expect_gt(compare_case(cases[k].name, cases[k].formulation, &random), 0, "%s",
                     cases[k].name);
}

Test(compiled, stages_are_interpreted_ones_to_the_bit_in_the_whole_catalogue)
{
    struct random random = random_start();
    if (!in_test_all())
        return;
    for (int k = 0; catalogue[k]; k++)
        for (int i = 0; formulations[i]; i++)
            if (has_motion(catalogue[k]) && formulations[i]->kind == ALGEBRAIC)
                compare_case(catalogue[k]->name, formulations[i]->name, &random);
}

/* --- when --------------------------------------------------------------------------- */

Test(compiled, is_looked_for_and_made_when_as_much_has_been_spent_without)
{
    struct tier_up tier_up;
    tier_up_init(&tier_up, 1000, 1000);
    double look = tier_up.look, make = tier_up.make;
    cr_expect_lt(look, make);
    cr_expect_eq(tier_up_spend(&tier_up, look - 1), TIER_UP_NOTHING);
    cr_expect_eq(tier_up_spend(&tier_up, 1), TIER_UP_LOOK);
    cr_expect_eq(tier_up_spend(&tier_up, 1), TIER_UP_NOTHING, "it has been looked for");
    cr_expect_eq(tier_up_spend(&tier_up, make - look), TIER_UP_MAKE);
    cr_expect_eq(tier_up_spend(&tier_up, 2 * make), TIER_UP_NOTHING, "it has been made");
}

Test(compiled, is_never_made_or_at_once_on_request)
{
    struct tier_up tier_up;
    tier_up_init(&tier_up, 10, 10);
    cr_expect_not(tier_up_use(&tier_up, CODE_NEVER));
    cr_expect_eq(tier_up_spend(&tier_up, 1e30), TIER_UP_NOTHING);
    cr_expect(tier_up_use(&tier_up, CODE_ALWAYS));
    tier_up_init(&tier_up, 10, 10);
    cr_expect_not(tier_up_use(&tier_up, CODE_AUTO));
    cr_expect_eq(tier_up_spend(&tier_up, 1e30), TIER_UP_MAKE);
}

/* --- coefficients of guards --------------------------------------------------------- */

/* c_0, c_1, c_2 by formulas, and by the series of the motion, against the largest of
   each: an order beyond two is by series. */
static void same_coefficients(struct hybrid *core, const char *name)
{
    enum { ROOM = HYBRID_ORDER + 1 };
    int guards = core->system->now->guards;
    double *c = calloc((size_t)(2 * guards * ROOM + 1), sizeof *c);
    double *series = c + guards * ROOM;
    cr_assert_eq(hybrid_guard_series(core, core->x, 2, c), OK);
    cr_assert_eq(hybrid_guard_series(core, core->x, 3, series), OK);
    for (int k = 0; k < guards; k++) {
        double size = 0;
        for (int i = 0; i < 3; i++)
            size = fmax(size, fabs(series[k * ROOM + i]));
        for (int i = 0; i < 3; i++)
            cr_assert_float_eq(c[k * ROOM + i], series[k * ROOM + i], 1e-10 * size,
                               "%s at t = %g, guard %d, order %d: %.17g, %.17g", name,
                               core->t, k, i, c[k * ROOM + i], series[k * ROOM + i]);
    }
    free(c);
}

/* Along a run; returns at how many points guards were looked at. */
static int along(const char *name, const char *formulation)
{
    struct solving s;
    struct hybrid core;
    int points = 0;
    solving_of_case(&s, name, formulation);
    struct runner *runner = runner_new(&s.request, &s.diagnosis);
    cr_assert_not_null(runner, "%s", s.diagnosis.place);
    cr_assert_eq(runner_begin(runner, NULL, NULL, &core, &s.diagnosis), OK);
    while (hybrid_wants_step(&core)) {
        struct tried tried = hybrid_try(&core);
        hybrid_stepped(&core, &tried);
        if (core.system->now->guards_use_unknowns || core.system->now->guards == 0)
            continue;
        same_coefficients(&core, name);
        points++;
    }
    cr_expect_eq(hybrid_end(&core), OK, "%s: %s", name, s.diagnosis.place);
    trajectory_free(core.out);
    runner_end(&core);
    runner_free(runner);
    solving_end(&s);
    return points;
}

Test(compiled, rates_of_guards_are_coefficients_of_their_series)
{
    static const struct {
        const char *name, *formulation;
    } cases[] = {{"five-bar", "index1"},        {"compass-gait", "ode"},
                 {"event-bolus", "ode"},        {"clocked-oscillator", "ode"},
                 {"five-bar-events", "index1"}, {"pendulum-wall", "penalty"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cr_expect_gt(along(cases[k].name, cases[k].formulation), 20, "%s", cases[k].name);
}
