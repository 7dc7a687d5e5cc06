/*
 * test_explicit_trust.c - formulations/explicit/explicit_rhs.c: where the order of its
 * pivots fails, the program is not used.
 */
#include "base/largest.h"
#include "base/memory.h"
#include "case.h"
#include "equations/trust.h"
#include "systems.h"

TestSuite(explicit_trust, .timeout = 120);

/* five-bar at its start, where the program is compared and trusted. */
static struct explicit_rhs *open_five_bar(struct opened *b, struct random *random)
{
    open_system(b, "five-bar", "index1", -1);
    state_at_start(b, random);
    cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK);
    cr_assert(b->system->now->explicit_rhs->trusted);
    return b->system->now->explicit_rhs;
}

/* With a bar of a third of its length its pivot is about a ninth; the program is as good
   there as anywhere. */
Test(explicit_trust, is_compared_again_where_a_pivot_has_become_small)
{
    struct random random = random_start();
    struct opened b;
    struct explicit_rhs *explicit_rhs = open_five_bar(&b, &random);
    cr_expect(!explicit_rhs_in_doubt(explicit_rhs));
    b.x[0] = -0.5 + (b.x[0] + 0.5) / 3;
    b.x[1] /= 3;
    cr_assert_eq(system_rhs(b.system, 0, b.x, b.dx), OK);
    cr_expect(explicit_rhs_in_doubt(explicit_rhs));
    system_review(b.system, 0, b.x);
    cr_expect(explicit_rhs->trusted);
    cr_expect(!explicit_rhs_in_doubt(explicit_rhs), "compared, and still in doubt");
    close_system(&b);
}

Test(explicit_trust, is_not_trusted_with_what_is_not_a_number)
{
    struct random random = random_start();
    for (int i = 0; i < 6; i++) {
        struct opened b;
        struct explicit_rhs *explicit_rhs = open_five_bar(&b, &random);
        b.x[i] = NAN;
        cr_assert_eq(system_rhs(b.system, 0, b.x, b.dx), OK);
        system_review(b.system, 0, b.x);
        cr_expect(!explicit_rhs->trusted, "q[%d] is not a number", i);
        cr_expect_eq(system_rhs(b.system, 0, b.x, b.dx), NOT_FINITE);
        close_system(&b);
    }
}

/* --- large systems ------------------------------------------------------------------ */

/* At its start, of which the first tenth of a second tells enough. */
static void open_large(struct opened *b, const char *name, struct random *random)
{
    open_system(b, name, "index1", 2);
    b->s.request.samples = 0;
    b->s.request.t_end = 0.1;
    state_at_start(b, random);
    cr_assert(b->system->now->linear->alloc_sparse);
    cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK);
}

/* Beside KLU, as small ones beside the dense solver; half of the columns of a chain at
   rest are zero but for rounding. */
Test(explicit_trust, large_systems_are_solved_beforehand_and_compared)
{
    struct random random = random_start();
    static const char *const name[] = {"pendulum-chain-60", "four-bar-60"};
    for (int k = 0; k < 2; k++) {
        struct opened b;
        open_large(&b, name[k], &random);
        cr_assert(b.system->now->explicit_rhs);
        cr_expect(b.system->now->explicit_rhs->trusted, "%s", name[k]);
        close_system(&b);
    }
}

/* Random signs stand for |R_u^-1|: enough for what rounding does, and for nothing
   else. */
Test(explicit_trust, of_large_systems_rounding_is_bounded_by_random_signs)
{
    struct random random = random_start();
    struct opened b;
    open_large(&b, "four-bar-60", &random);
    int n = b.s.model->n, state = b.system->state;
    b.system->now->explicit_rhs->trusted = false;
    cr_assert_eq(system_rhs(b.system, 0, b.x, b.other), OK);
    double *e = calloc((size_t)b.system->dim, sizeof *e);
    double *least = calloc((size_t)b.system->dim, sizeof *least);
    rounding_of_zeros(b.system, least);
    rounding_of_rates(b.system, b.x, e);
    for (int j = 0; j <= b.system->p; j++)
        for (int i = j * state + n; i < j * state + 2 * n; i++) {
            double size = largest(b.other + j * state + n, n);
            cr_expect_geq(e[i], least[i]);
            cr_expect_geq(e[i], fabs(b.dx[i] - b.other[i]), "column %d", j);
            cr_expect_lt(e[i], 1e-8 * (1 + size), "column %d", j);
        }
    free(e);
    free(least);
    close_system(&b);
}

/* Its elimination would take n^3 operations, and as much text. */
Test(explicit_trust, large_systems_that_are_full_are_not_solved_beforehand)
{
    struct opened b;
    open_system(&b, "pendulum-chain-angles-165", "ode", 1);
    cr_expect_null(b.system->now->explicit_rhs);
    close_system(&b);
}

/* --- where it cannot be trusted ----------------------------------------------------- */

/* Redundant constraints have a pivot that is rounding. It is not taken for a number:
   there the program with the independent constraints is taken. */
Test(explicit_trust, is_not_trusted_where_constraints_are_redundant)
{
    struct random random = random_start();
    struct opened b;
    open_system(&b, "five-bar-redundant", "baumgarte", -1);
    state_at_start(&b, &random);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    const struct mode_system *now = b.system->now;
    cr_assert_not_null(now->explicit_rhs);
    cr_expect_eq(now->explicit_rhs, now->dependent);
    cr_expect(!now->independent || !now->independent->trusted);
    close_system(&b);
}

/* four-bar-2 with its cranks at th, turning with the rate 1; derivatives are zero. */
static void set_cranks(struct opened *b, double th)
{
    memset(b->x, 0, (size_t)b->system->dim * sizeof *b->x);
    for (int k = 0; k < 3; k++) {
        double *q = b->x + 2 * k, *v = q + 6;
        q[0] = k + cos(th);
        q[1] = v[0] = sin(th);
        v[0] = -v[0];
        v[1] = cos(th);
    }
}

/*
 * Down to horizontal cranks, where two constraints depend on the others, by steps of a
 * fifth: the pivots go to zero with th^2. Wherever the program is trusted it must be as
 * good as the pivoting solver, though nobody compares at each step; at the end it is not.
 * Both lose digits as 1/th^2.
 */
Test(explicit_trust, is_no_longer_trusted_on_the_way_to_a_singular_configuration)
{
    struct opened b;
    int trusted = 0, steps = 0;
    open_system(&b, "four-bar-2", "index1", -1);
    set_cranks(&b, 1.2);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    struct explicit_rhs *explicit_rhs = b.system->now->explicit_rhs;
    cr_assert(explicit_rhs && explicit_rhs->trusted);
    for (double th = 1.2; th > 1e-9; th *= 0.8, steps++) {
        set_cranks(&b, th);
        cr_assert_eq(system_rhs(b.system, 0, b.x, b.dx), OK);
        system_review(b.system, 0, b.x);
        if (!explicit_rhs->trusted)
            continue;
        trusted++;
        explicit_rhs->trusted = false;
        cr_assert_eq(system_rhs(b.system, 0, b.x, b.other), OK);
        explicit_rhs->trusted = true;
        double error = column_error(b.dx, b.other, b.system->state);
        cr_expect_leq(error, 1e-11, "%.1e at th = %g", error, th);
        }
        cr_expect(trusted > 0 && !explicit_rhs->trusted, "trusted at %d of %d", trusted,
                  steps);
        set_cranks(&b, 0);
        system_rhs_restart(b.system, 0, b.x, b.dx);
        cr_expect(!explicit_rhs->trusted);
        close_system(&b);
}

/* --- rounding is no reason ---------------------------------------------------------- */

/* At the start of a run, with its derivatives. */
static void put_start(struct opened *b)
{
    struct trajectory *trajectory = solve(&b->s);
    for (int j = -1; j < b->system->p; j++)
        put_column(b, trajectory, &trajectory->sample[0], j);
    trajectory_free(trajectory);
}

/* A derivative that is zero but for rounding (andrews by a bearing), a small one between
   large forces (slider-crank-spatial). */
Test(explicit_trust, is_trusted_where_only_rounding_differs)
{
    static const struct { const char *name, *formulation; } cases[] = {
        {"andrews", "baumgarte"}, {"andrews", "penalty"}, {"andrews", "index1"},
        {"slider-crank-spatial", "baumgarte"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct opened b;
        open_system(&b, cases[k].name, cases[k].formulation, -1);
        put_start(&b);
        cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
        cr_expect(b.system->now->explicit_rhs->trusted, "%s, %s", cases[k].name,
                  cases[k].formulation);
        close_system(&b);
    }
}

/* A rate that is the square of what is zero but for rounding is so, too. */
Test(explicit_trust, is_trusted_where_the_rate_of_a_cost_is_rounding)
{
    struct opened b;
    open_system(&b, "switching-oscillator", "ode", -1);
    struct trajectory *trajectory = solve(&b.s);
    cr_assert_geq(trajectory->events, 2);
    for (int k = 0; k < 2; k++) {
        const struct run_point *after = &trajectory->event[k].after;
        for (int j = -1; j < b.system->p; j++)
            put_column(&b, trajectory, after, j);
        system_enter(b.system, &b.system->mode[after->mode->index]);
        cr_assert_eq(system_rhs_restart(b.system, after->t, b.x, b.dx), OK);
        cr_expect(b.system->now->explicit_rhs->trusted, "event %d", k);
    }
    trajectory_free(trajectory);
    close_system(&b);
}

/* Nothing is left to move, and derivatives are zero for good: the pivoting solver finds
   them so, a program that subtracts what multipliers do from M^-1 F does not. */
Test(explicit_trust, is_not_trusted_with_rounding_for_a_zero_that_stays)
{
    struct opened b;
    open_system(&b, "two-link-driven", "baumgarte", -1);
    put_start(&b);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    cr_expect(!b.system->now->explicit_rhs->trusted);
    close_system(&b);
}

/* --- wrecked ------------------------------------------------------------------------ */

/* The largest difference of the program from the pivoting solver, a column at a time: of
   a, against a or what it is for a parameter that changes by its own size. */
static double disagreement(struct opened *b)
{
    struct system *system = b->system;
    int n = b->s.model->n, state = system->state;
    double worst = 0;
    explicit_rhs_evaluate(system->now->explicit_rhs, 0, b->x, b->other);
    system->now->explicit_rhs->trusted = false;
    cr_assert_eq(system_rhs(system, 0, b->x, b->dx), OK);
    for (int j = 0; j <= system->p; j++) {
        double rho = j > 0 ? fabs(system->rho[system->parameter[j - 1]]) : 0, size = 0;
        double error = 0;
        for (int i = n; i < 2 * n; i++) {
            const double *one = b->dx + j * state, *other = b->other + j * state;
            size = fmax(size, fmax(fabs(one[i]), rho > 0 ? fabs(b->dx[i]) / rho : 0));
            error = fmax(error, fabs(one[i] - other[i]));
        }
        worst = error == 0 ? worst : fmax(worst, error / size);
    }
    return worst;
}

/* Each reciprocal of the program (those of its pivots are among them) off by `wrong`, one
   after the other: it must not be trusted where that shows. Returns how often it does. */
static int wreck(struct opened *b, const char *what, double wrong)
{
    struct explicit_rhs *explicit_rhs = b->system->now->explicit_rhs;
    struct program *program = explicit_rhs->program;
    int last = program->slots, shown = 0;
    explicit_rhs_use_code(explicit_rhs, CODE_NEVER);
    double *longer = arena_new(&explicit_rhs->arena, last + 1, sizeof *longer);
    memory_copy(longer, explicit_rhs->w, last, sizeof *longer);
    longer[last] = 1 + wrong;
    explicit_rhs->w = longer;
    for (int i = program->stage_begin[1]; i < last; i++) {
        struct program_row *row = &program->row[i];
        int numerator = row->a;
        if (row->op != OP_DIV || explicit_rhs->w[numerator] != 1)
            continue;
        row->a = last;
        program_run(program, STAGE_RHO, explicit_rhs->w);
        explicit_rhs->trusted = false;
        cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK);
        bool trusted = explicit_rhs->trusted;
        double error = disagreement(b);
        shown += error > 1e-10;
        cr_expect(!trusted || error <= 2e-12, "%s, row %d, wrong by %g: %g", what, i,
                  wrong, error);
        row->a = numerator;
        program_run(program, STAGE_RHO, explicit_rhs->w);
    }
    explicit_rhs->trusted = false;
    cr_assert_eq(system_rhs_restart(b->system, 0, b->x, b->dx), OK);
    return shown;
}

static void wreck_by_all(struct opened *b, const char *what)
{
    static const double wrong[] = {1e-12, 1e-11, 1e-9, 1e-6, 1e-2, 1, -1, NAN};
    int shown = 0;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        shown += wreck(b, what, wrong[k]);
    cr_expect_geq(shown, 4, "%s: %d", what, shown);
}

Test(explicit_trust, is_not_trusted_with_a_wrecked_pivot)
{
    static const struct { const char *name, *formulation; } cases[] = {
        {"five-bar", "index1"}, {"five-bar", "penalty"}, {"andrews", "baumgarte"},
        {"two-link-absolute", "baumgarte"}, {"pendulum-chain-4", "modified-lagrange"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct opened b;
        open_system(&b, cases[k].name, cases[k].formulation, -1);
        put_start(&b);
        cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
        cr_expect(b.system->now->explicit_rhs->trusted, "%s as it is", cases[k].name);
        wreck_by_all(&b, cases[k].name);
        close_system(&b);
    }
}

/* Bounds are large there. */
Test(explicit_trust, is_not_trusted_with_a_wrecked_pivot_near_a_singular_configuration)
{
    for (double th = 1e-1; th > 1e-6; th *= 0.1) {
        struct opened b;
        open_system(&b, "four-bar-2", "index1", -1);
        set_cranks(&b, th);
        wreck_by_all(&b, "four-bar-2");
        close_system(&b);
    }
}

/* A double pendulum with one constraint in other units. */
static void record_scaled(struct model *model)
{
    COORDINATES(x1, y1, x2, y2);
    PARAMETERS(l, m, g);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(m, 1.7, "kg", "mass of the second");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(1);
    model->M[2][2] = model->M[3][3] = EQ(m);
    model->F[1] = EQ(-g);
    model->F[3] = EQ(-m*g);
    model->Phi[0] = EQ(1e8*(x1*x1 + y1*y1 - l*l));
    model->Phi[1] = EQ((x2 - x1)*(x2 - x1) + (y2 - y1)*(y2 - y1) - l*l);
    model->q_guess[1] = EQ(-1);
    model->q_guess[3] = EQ(-2);
    model->q0[0] = EQ(0.6*l);
    model->q0[2] = EQ(l);
    model->v0[0] = EQ(0.3);
    model->v0[2] = EQ(-0.7);
    model->t_end = EQ(1);
}

Test(explicit_trust, is_trusted_with_scaled_rows_unless_a_pivot_is_wrecked)
{
    static const struct case_desc desc = {.name = "scaled", .record = record_scaled};
    struct opened b;
    solving_of_desc(&b.s, &desc, "index1");
    cr_assert(open_solving(&b, -1));
    put_start(&b);
    cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
    cr_expect(b.system->now->explicit_rhs->trusted);
    wreck_by_all(&b, "scaled");
    close_system(&b);
}

/* --- multipliers -------------------------------------------------------------------- */

/* Redundant constraints made soft: accelerations have their digits, multipliers not. */
Test(explicit_trust, multipliers_that_lose_digits_are_solved_with_pivots)
{
    static const struct { const char *name, *formulation; bool solves; } cases[] = {
        {"latch-redundant", "penalty", false}, {"five-bar", "penalty", true},
        {"five-bar", "index1", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct opened b;
        open_system(&b, cases[k].name, cases[k].formulation, -1);
        put_start(&b);
        cr_assert_eq(system_rhs_restart(b.system, 0, b.x, b.dx), OK);
        const struct explicit_rhs *explicit_rhs = b.system->now->explicit_rhs;
        cr_expect(explicit_rhs->trusted, "%s", cases[k].name);
        cr_expect_eq(explicit_rhs->solves, cases[k].solves, "%s", cases[k].name);
        close_system(&b);
    }
}
