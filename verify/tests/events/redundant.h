/*
 * redundant.h - a pendulum whose constraint may stand there twice, for the tests of
 * redundant constraints.
 */
#ifndef SALTUS_REDUNDANT_H
#define SALTUS_REDUNDANT_H

#include "solving.h"

#include <string.h>

#include "case.h"
#include "events/jump.h"

static struct solving s;

/* --- the model ---------------------------------------------------------------------- */

/* Its second constraint, what the wall that it meets does, and what is left open at the
   start (y and vy always are). */
enum second { ABSENT, SAME, OWN_LENGTH, DRIVEN_APART, WEIGHTED };
enum wall { NO_WALL, REBOUND, IMPULSE, TWO_CONTACTS, TWO_RESTITUTIONS };
static struct {
    enum second second;
    enum wall wall;
    bool open_x, open_vx, driven_at_once;
} chosen;

static inline void record_pendulum(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(hit, since);
    PARAMETERS(l, l2, u, w, e, g);
    COSTS(c1, c2, c3, c4);
    IMPULSES(p1, p2, p3, p4);
    TIME(t);
    NOMINAL(l, 1, "m", "length");
    NOMINAL(l2, 1, "m", "length in the second constraint");
    NOMINAL(u, 0, "m^2/s", "rate at which the second leaves the first, once hit");
    NOMINAL(w, 1.7, "-", "weight of the second constraint");
    NOMINAL(e, 0.8, "-", "restitution");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    struct mode *swing = model_mode(model, "swing");
    model->M[0][0] = model->M[1][1] = EQ(1.7);
    model->F[1] = EQ(-1.7*g);
    formula first = EQ(x*x + y*y - l*l);
    formula second[] = {[SAME] = first, [OWN_LENGTH] = EQ(x*x + y*y - l2*l2),
                        [DRIVEN_APART] = EQ(x*x + y*y - l*l - hit*u*(t - since)),
                        [WEIGHTED] = EQ(w*(x*x + y*y - l*l))};
    model->Phi[0] = first;
    if (chosen.second != ABSENT)
        model->Phi[1] = second[chosen.second];
    model->q_guess[0] = EQ(0.5);
    model->q_guess[1] = EQ(-1);
    if (!chosen.open_x)
        model->q0[0] = EQ(0.6*l);
    if (!chosen.open_vx)
        model->v0[0] = EQ(0.3);
    if (chosen.driven_at_once)
        model->s0[0] = EQ(1);
    model->t_end = EQ(1);
    if (chosen.wall == NO_WALL)
        return;

    struct event *event = model_event(model, "wall", swing, swing, EQ(x - 0.1*l),
                                      FALLING);
    event->s_plus[0] = EQ(hit + 1);
    event->s_plus[1] = EQ(t);
    if (chosen.wall == REBOUND) {
        event->v_plus[0] = EQ(-e*vx);
        event_constrain_velocity(event);
        return;
    }
    event_impulse(event, EQ(x), EQ(e));
    if (chosen.wall != IMPULSE)
        event_impulse(event, EQ(2*x), chosen.wall == TWO_CONTACTS ? EQ(e) : EQ(0.9*e));
    event_impulse_joints(event);
    formula impulse[] = {EQ(p1), EQ(p2), EQ(p3), EQ(p4)};
    if (chosen.wall == TWO_CONTACTS)
        memcpy(event->cost, impulse, sizeof impulse);
    (void)hit, (void)since;
}

/* --- runs --------------------------------------------------------------------------- */

/* `option`: the first one of the formulation. */
static inline void begin(void (*record)(struct model *), const char *formulation,
                         const char *option)
{
    static struct case_desc desc = {.name = "made"};
    struct diagnosis diagnosis = {.status = OK};
    desc.record = record;
    struct model *model = model_new(&desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    solving_of_model(&s, model, formulation);
    s.option[0] = option;
}

static inline struct trajectory *run_of(void (*record)(struct model *),
                                        const char *formulation, const char *option)
{
    begin(record, formulation, option);
    return solve(&s);
}

static inline void by(const char *parameter)
{
    s.request.parameters = 1;
    s.parameter[0] = model_parameter_index(s.model, parameter);
    cr_assert_geq(s.parameter[0], 0);
}

static inline void expect_refusal(enum status status, const char *word, const char *more)
{
    refuse(&s, status);
    cr_expect(strstr(s.diagnosis.place, word) && strstr(s.diagnosis.place, more),
              "\"%s\" and \"%s\" are not in: %s", word, more, s.diagnosis.place);
}

/* --- comparing ---------------------------------------------------------------------- */

/* Largest difference of (q, v, s, a) and their derivatives, each against its size. */
static inline double difference_at(const struct run_point *one,
                                   const struct columns *columns,
                                   const struct run_point *other,
                                   const struct columns *others)
{
    static const enum column_group group[] = {GROUP_Q, GROUP_V, GROUP_S, GROUP_A};
    double worst = fabs(one->t - other->t);
    for (int j = -1; j < columns->p; j++)
        for (size_t k = 0; k < sizeof group / sizeof *group; k++) {
            int size = columns->begin[group[k] + 1] - columns->begin[group[k]];
            for (int i = 0; i < size; i++) {
                double a = one->x[column(columns, group[k], i, j)];
                double b = other->x[column(others, group[k], i, j)];
                worst = fmax(worst, fabs(a - b) / fmax(1, fabs(b)));
                cr_assert(isfinite(a) && isfinite(b));
            }
        }
    return worst;
}

static inline double difference(const struct trajectory *one,
                                const struct trajectory *other, bool start_only)
{
    double worst = 0;
    cr_assert_eq(one->samples, other->samples);
    cr_assert_eq(one->events, other->events);
    for (int k = 0; k < (start_only ? 1 : one->samples); k++)
        worst = fmax(worst, difference_at(&one->sample[k], &one->columns,
                                          &other->sample[k], &other->columns));
    for (int k = 0; !start_only && k < one->events; k++) {
        worst = fmax(worst, difference_at(&one->event[k].before, &one->columns,
                                          &other->event[k].before, &other->columns));
        worst = fmax(worst, difference_at(&one->event[k].after, &one->columns,
                                          &other->event[k].after, &other->columns));
    }
    return worst;
}

/* At the start nothing but rounding may differ; then also the errors of two runs at
   rtol = 1e-13. */
static const double same_start = 1e-13, same_run = 1e-11;

/* With the constraint once and twice. A penalty motion of two rows that are the same is
   that of one with their alphas added. Each has half of the multiplier. */
static const struct twin {
    const char *formulation, *one, *two;    /* options */
} twins[] = {{"penalty", "1e5", "5e4"}, {"index1", "refuse", "minimum-norm"}};
enum { TWINS = sizeof twins / sizeof *twins };

static inline struct trajectory *run_twin(const struct twin *twin, bool two,
                                          const char *rule)
{
    chosen.second = two ? SAME : ABSENT;
    begin(record_pendulum, twin->formulation, two ? twin->two : twin->one);
    s.request.rule = jump_rule_find(rule);
    return solve(&s);
}

static inline void expect_same(const struct twin *twin, const char *rule)
{
    struct trajectory *one = run_twin(twin, false, rule);
    struct solving single = s;
    struct trajectory *two = run_twin(twin, true, rule);
    double start = difference(two, one, true), all = difference(two, one, false);
    printf("%s, wall %d, %s: start %.2g, run %.2g\n", twin->formulation, chosen.wall,
           rule, start, all);
    cr_expect_lt(start, same_start);
    cr_expect_lt(all, same_run);
    cr_expect_eq(one->events, chosen.wall == NO_WALL ? 0 : 1);
    for (int k = 0; k < two->samples; k++) {
        const double *x = two->sample[k].x;
        double half = x[column(&two->columns, GROUP_LAMBDA, 0, -1)];
        cr_expect_float_eq(half, x[column(&two->columns, GROUP_LAMBDA, 1, -1)],
                           1e-9 * fmax(1, fabs(half)));
    }
    trajectory_free(one);
    trajectory_free(two);
    solving_end(&single);
    solving_end(&s);
}

static inline void expect_as_single(enum wall wall, const char *rule)
{
    chosen.wall = wall;
    for (int k = 0; k < TWINS; k++)
        expect_same(&twins[k], rule);
}

#endif
