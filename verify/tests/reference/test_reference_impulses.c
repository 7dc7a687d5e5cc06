/*
 * test_reference_impulses.c - impulses through rows that depend on others.
 *
 * five-bar and five-bar-redundant strike the ground with an impulse that their joints
 * take part in. In the latter row 5 is row 2 once more and row 6 is L_A1 (row 4) + (row
 * 1). So the velocities after the impact are those of five-bar; impulses in the range of
 * Psi_q have y5 = y2, y6 = L_A1 y4 + y1; and they do what those of five-bar do when
 * these are y1 + y6, y2 + y5, y3, y4 + L_A1 y6. The costs are such sums, so gradients
 * are the derivatives of the impulses along the moving event.
 */
#include "case.h"

#include "referring.h"

enum { CONTACT, BAR_A1, BAR_12, BAR_23, BAR_3B, BAR_12_AGAIN, BAR_3B_A1 };
enum { COSTS_OF_CASE = 4 };

static struct {
    bool redundant, second_half;
    bool two_restitutions;
} chosen;

static formula impulse(const struct model *model, int row)
{
    return variable(model->tape, BLOCK_IMPULSE, row);
}

/* What both mechanisms agree on, as sums of impulses; in two parts, for want of costs. */
static void record_sums(struct model *model, formula *cost)
{
    formula L_A1 = variable(model->tape, BLOCK_RHO, 4), y[7];
    cr_assert_eq(model_parameter_index(model, "L_A1"), 4);
    for (int i = 0; i < (chosen.redundant ? 7 : 5); i++)
        y[i] = impulse(model, i);
    if (!chosen.redundant)
        y[BAR_12_AGAIN] = y[BAR_3B_A1] = (formula){NULL, 0};
    if (chosen.second_half) {
        cost[0] = add(y[BAR_12], y[BAR_12_AGAIN]);
        cost[1] = y[BAR_23];
        if (chosen.redundant)
            cost[2] = sub(y[BAR_12], y[BAR_12_AGAIN]);
        return;
    }
    cost[0] = y[CONTACT];
    cost[1] = add(y[BAR_A1], y[BAR_3B_A1]);
    cost[2] = add(y[BAR_3B], mul(L_A1, y[BAR_3B_A1]));
    if (chosen.redundant)
        cost[3] = sub(y[BAR_3B_A1], add(mul(L_A1, y[BAR_3B]), y[BAR_A1]));
}

static void record_struck(struct model *model)
{
    static const formula none = {NULL, 0};
    case_find(chosen.redundant ? "five-bar-redundant" : "five-bar")->record(model);
    struct event *impact = model->event[0];
    for (int k = 0; k < COSTS_OF_CASE; k++)
        model->g[k] = none;
    for (int i = 0; i < model->n; i++)
        impact->v_plus[i] = none;
    event_impulse(impact, impact->guard,
                  constant(model->tape, chosen.two_restitutions ? "0.7" : "0.6"));
    if (chosen.two_restitutions)
        event_impulse(impact, impact->guard, constant(model->tape, "0.6"));
    else
        record_sums(model, impact->cost);
    event_impulse_joints(impact);
}
CASE(test_struck, .name = "test-struck", .record = record_struck);

static void begin(struct referring *r, bool redundant, bool second_half, int digits)
{
    static const char *const end[] = {"1.5"};
    chosen.redundant = redundant;
    chosen.second_half = second_half;
    chosen.two_restitutions = false;
    referring_of_case(r, &case_test_struck, digits);
    r->request.t_end = end[0];
    r->request.samples = 1;
    r->request.sample = end;
}

/* Digits on which states, sensitivities and costs agree: all but the multipliers. */
static double digits_of_motion(const struct mp_trajectory *a,
                               const struct mp_trajectory *b)
{
    double least = INFINITY;
    mpfr_t scale;
    mpfr_init2(scale, 64);
    mpfr_set_d(scale, 0.01, MPFR_RNDN);
    cr_assert_eq(a->events, b->events);
    for (int j = -1; j < a->columns.p; j++) {
        for (int i = 0; i < 2 * a->columns.model->n; i++)
            for (int k = 0; k <= a->events; k++) {
                const struct mp_point *x = k > 0 ? &a->event[k - 1].after : a->sample;
                const struct mp_point *y = k > 0 ? &b->event[k - 1].after : b->sample;
                least = fmin(least, mp_digits(number_at(a, x, GROUP_Q, i, j),
                                              number_at(b, y, GROUP_Q, i, j), scale));
            }
        for (int k = 0; k < COSTS_OF_CASE; k++)
            least = fmin(least, mp_digits(a->psi[COSTS_OF_CASE * (j + 1) + k],
                                          b->psi[COSTS_OF_CASE * (j + 1) + k], scale));
    }
    mpfr_clear(scale);
    return least;
}

Test(reference_impulses, of_least_norm_do_what_those_of_independent_rows_do)
{
    for (int half = 0; half < 2; half++) {
        struct referring plain, redundant;
        begin(&plain, false, half == 1, 40);
        struct mp_trajectory *a = refer(&plain);
        begin(&redundant, true, half == 1, 40);
        struct mp_trajectory *b = refer(&redundant);
        cr_assert_gt(a->events, 0);
        cr_expect_gt(fabs(mpfr_get_d(a->psi[0], MPFR_RNDN)), 0.1);
        double digits = digits_of_motion(b, a);
        cr_expect_gt(digits, 33, "%.1f digits", digits);
        mp_trajectory_free(a);
        mp_trajectory_free(b);
        referring_end(&plain);
        referring_end(&redundant);
    }
}

/* Differences carry two thirds of the digits. */
Test(reference_impulses, and_their_derivatives_are_those_of_whole_runs)
{
    struct referring r;
    char where[200] = "";
    begin(&r, true, false, 45);
    double digits = variational_against_differences(&r, where, sizeof where);
    cr_expect_gt(digits, 24, "%.1f digits at %s", digits, where);
    referring_end(&r);
}

/* One contact, stated twice, cannot rebound with two restitutions. */
Test(reference_impulses, that_contradict_each_other_are_refused)
{
    struct referring r;
    begin(&r, true, false, 30);
    referring_end(&r);
    chosen.two_restitutions = true;
    referring_of_case(&r, &case_test_struck, 30);
    refer_refused(&r, INCONSISTENT, "impulses");
    referring_end(&r);
}
