/*
 * test_guard_exclusion.c - a step that is taken to be clear of roots at a glance
 * (events/guard_exclusion.c) has none: with and without the glance a run has the same
 * events. One that is seen is located at little cost.
 */
#include "case.h"
#include "random_formulas.h"
#include "solving.h"

/* Two oscillators and a particle that nothing holds, which takes steps as long as it may.
   Guards that vary with them, slower and much faster, and with the time; some touch zero,
   or nearly. Their identity resets leave all of them to be crossed again. */
static void record(struct model *model)
{
    COORDINATES(x, y, p);
    PARAMETERS(w1, w2, k, f, c1, c2, c3, c4, c5, y0);
    TIME(t);
    NOMINAL(w1, 1, "1/s^2", "frequency squared");
    NOMINAL(w2, 2, "1/s^2", "frequency squared");
    NOMINAL(k, 0.3, "1/(m^2 s^2)", "of a force between the two");
    NOMINAL(f, 40, "1/m", "how fast a guard varies");
    NOMINAL(c1, 0, "1", "where a guard is zero");
    NOMINAL(c2, 0, "1", "where a guard is zero");
    NOMINAL(c3, 0, "1", "where a guard is zero");
    NOMINAL(c4, 0, "1", "where a guard is zero");
    NOMINAL(c5, 0, "1", "where a guard is zero");
    NOMINAL(y0, 0.6, "m", "start");
    struct mode *motion = model_mode(model, "motion");
    for (int i = 0; i < 3; i++)
        model->M[i][i] = EQ(1);
    model->F[0] = EQ(-w1*x - k*x*y*y);
    model->F[1] = EQ(-w2*y - k*x*x*y);
    model_event(model, "fast", motion, motion, EQ(sin(f*p) - c1), EITHER);
    model_event(model, "height", motion, motion, EQ(x - c2), EITHER);
    model_event(model, "product", motion, motion, EQ(x*y - c3), EITHER);
    model_event(model, "rate", motion, motion, EQ(vx + 0.5*sin(f*t/10) - c4), EITHER);
    model_event(model, "square", motion, motion, EQ(y*y + p*p/9 - 1.5 - c5), EITHER);
    model->q0[0] = EQ(1);
    model->q0[1] = EQ(y0);
    model->q0[2] = EQ(-1);
    model->v0[0] = EQ(0.1);
    model->v0[1] = EQ(y0/3);
    model->v0[2] = EQ(1);
    model->t_end = EQ(8);
}

static void choose(struct solving *s, struct random *random)
{
    const struct { const char *name; double least, most; } range[] = {
        {"w1", 0, 8}, {"w2", 0, 8}, {"k", -0.5, 3}, {"f", 0.5, 60}, {"c1", -1.1, 1.1},
        {"c2", -1.2, 1.2}, {"c3", -1, 1}, {"c4", -2, 2}, {"c5", -1, 1}, {"y0", -1, 1}};
    for (size_t k = 0; k < sizeof range / sizeof *range; k++)
        s->value[model_parameter_index(s->model, range[k].name)] =
            random_between(random, range[k].least, range[k].most);
    s->request.rtol = pow(10, random_between(random, -11, -3));
    s->request.atol = s->request.rtol / 1000;
}

/* What a run says of its events, and what it cost. */
struct told {
    enum status status;
    struct trajectory *trajectory;
    struct diagnosis diagnosis;
};

static struct told tell(const struct solving *s, const struct integrator *integrator)
{
    struct told told;
    struct run_request request = s->request;
    request.integrator = integrator;
    told.status = run_once(&request, &told.trajectory, &told.diagnosis);
    return told;
}

/* But for rounding, and what it does to the lengths of steps: each root is found from
   another first guess. */
static void same_events(const struct told *glancing, const struct told *looking,
                        int trial, unsigned long long seed, double rtol)
{
    const struct trajectory *a = glancing->trajectory, *b = looking->trajectory;
    cr_assert_eq(glancing->status, looking->status, "trial %d, seed %llu: %s, %s", trial,
                 seed, status_text(glancing->status), status_text(looking->status));
    cr_assert_eq(a->events, b->events, "trial %d, seed %llu: %d events, %d", trial, seed,
                 a->events, b->events);
    for (int k = 0; k < a->events; k++) {
        cr_assert_eq(a->event[k].event, b->event[k].event, "trial %d, seed %llu", trial,
                     seed);
        double unit = 1e-13 * fmax(1, b->event[k].condition) + 0.1 * rtol;
        cr_assert_float_eq(a->event[k].before.t, b->event[k].before.t, unit,
                           "trial %d, seed %llu: event %d", trial, seed, k);
    }
}

/* Counts of right-hand sides with and without. */
static void compare(const char *name, int trials, long cost[2], long *events)
{
    static const struct case_desc swarm = {.name = "swarm", .record = record};
    struct solving s;
    struct random random = random_start();
    struct integrator blind = *integrator_find(name);
    blind.inside = NULL;
    solving_of_desc(&s, &swarm, "ode");
    s.request.parameters = s.request.samples = 0;
    for (int k = 0; k < trials; k++) {
        choose(&s, &random);
        struct told glancing = tell(&s, integrator_find(name)),
                    looking = tell(&s, &blind);
        same_events(&glancing, &looking, k, random.seed, s.request.rtol);
        cost[0] += glancing.trajectory->evaluations;
        cost[1] += looking.trajectory->evaluations;
        *events += looking.trajectory->events;
        trajectory_free(glancing.trajectory);
        trajectory_free(looking.trajectory);
    }
    solving_end(&s);
}

Test(glance, overlooks_no_event_that_the_scan_finds)
{
    static const char *const own[] = {"dop853", "rk87", "verner98"};
    for (int i = 0; i < 3; i++) {
        long cost[2] = {0, 0}, events = 0;
        compare(own[i], 150, cost, &events);
        printf("%-8s %ld events, evaluations %ld, without a glance %ld\n", own[i], events,
               cost[0], cost[1]);
        cr_expect_gt(events, 1000);
        cr_expect_lt(cost[0], cost[1], "%s: no step is clear at a glance", own[i]);
    }
}

static void record_swing(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(c);
    NOMINAL(c, -0.3, "m", "where the motion ends");
    struct mode *motion = model_mode(model, "motion");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-x);
    struct event *end = model_event(model, "end", motion, motion, EQ(x - c), FALLING);
    end->terminal = true;
    model->q0[0] = EQ(1);
    model->v0[0] = EQ(0);
    model->t_end = EQ(8);
}

/* Evaluations beside those of steps that are accepted or refused; c: where it ends, if
   the motion comes there. */
static long others(struct solving *s, const struct integrator *integrator, double c)
{
    s->value[0] = c;
    struct told told = tell(s, integrator);
    const struct trajectory *t = told.trajectory;
    cr_assert_eq(told.status, OK, "%s", told.diagnosis.place);
    cr_assert_eq(t->events, c > -1);
    long count = t->evaluations - integrator->evaluations * (t->steps + t->rejections);
    trajectory_free(told.trajectory);
    return count;
}

/* What is known at no cost puts it where the rest of the way is a matter of one
   evaluation. */
Test(glance, an_event_that_is_seen_at_a_glance_takes_a_step_and_one_evaluation)
{
    static const char *const own[] = {"dop853", "rk87"};
    static const struct case_desc swing = {.name = "swing", .record = record_swing};
    struct solving s;
    solving_of_desc(&s, &swing, "ode");
    s.request.parameters = s.request.samples = 0;
    for (int i = 0; i < 2; i++) {
        const struct integrator *integrator = integrator_find(own[i]);
        for (double rtol = 1e-11; rtol < 5e-7; rtol *= 10) {
            s.request.rtol = rtol;
            s.request.atol = rtol / 1000;
            long more = others(&s, integrator, -0.3) - others(&s, integrator, -3);
            cr_expect_leq(more, integrator->evaluations + 1, "%s, %g: %ld", own[i], rtol,
                          more);
        }
    }
    solving_end(&s);
}

/* --- what is faster than the motion ------------------------------------------------- */

static double post_width;

/* A ball that is thrown over ground with a post on it: four metres high, some centimetres
   wide, in the way of the flight. */
static void record_post(struct model *model)
{
    COORDINATES(x, y);
    PARAMETERS(g, w);
    TIME(t);
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(w, 0.1, "m", "width of the post");
    struct mode *flight = model_mode(model, "flight");
    model->M[0][0] = EQ(1.0);
    model->M[1][1] = EQ(1.0);
    model->F[1] = EQ(-g);
    struct event *post = model_event(model, "post", flight, flight,
                                     EQ(y - 4.0*exp(-(x - 3.1)*(x - 3.1)/(2.0*w*w))),
                                     FALLING);
    post->v_plus[0] = EQ(-vx/2.0);
    model->q0[1] = EQ(1.0);
    model->v0[0] = EQ(6.0);
    model->v0[1] = EQ(5.0);
    model->t_end = EQ(1.0);
    (void)t;
}

static int hits_of_post(const char *integrator, int samples, bool beside)
{
    struct solving s;
    solving_of_record(&s, "post", record_post, "ode");
    s.request.integrator = integrator_find(integrator);
    s.request.samples = samples;
    s.request.beside = beside;
    s.value[1] = post_width;
    struct trajectory *trajectory = solve(&s);
    int hits = trajectory->events;
    trajectory_free(trajectory);
    solving_end(&s);
    return hits;
}

/* Free flight is a polynomial: its steps are as long as allowed, and at none of the
   points at which a guard is looked at is there anything of the post. */
Test(glance, a_post_between_all_points_is_seen)
{
    static const char *const name[] = {"dop853", "rk87", "verner98", "taylor"};
    for (int k = 0; k < 4; k++)
        for (post_width = 0.4; post_width > 0.02; post_width /= 1.7)
            for (int samples = 0; samples < 4; samples += 3)
                cr_expect_eq(hits_of_post(name[k], samples, false), 1,
                             "%s, width %g, %d samples", name[k], post_width, samples);
}
