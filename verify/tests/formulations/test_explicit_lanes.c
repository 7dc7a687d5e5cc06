/*
 * test_explicit_lanes.c - formulations/explicit/explicit_lanes.c: the program of the
 * right-hand side for eight trajectories at once gives each what it gets alone,
 * interpreted, to the bit.
 */
#include "explicit/explicit_lanes.h"
#include "identical.h"
#include "running.h"
#include "systems.h"

TestSuite(explicit_lanes, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 600);

/* Points of all lanes: t, x, x' and pivots of each by itself; then those beside each
   other. */
struct points {
    int dim, pivots;
    double t[LANES], *x, *dx, *pivot;           /* [LANES][..] */
    double *lane_x, *lane_dx;                   /* [dim][LANES] */
};

static double *numbers(int count)
{
    return calloc((size_t)count + 1, sizeof(double));
}

static void points_init(struct points *points, int dim, int pivots)
{
    *points = (struct points){.dim = dim, .pivots = pivots};
    points->x = numbers(dim * LANES);
    points->dx = numbers(dim * LANES);
    points->pivot = numbers(pivots * LANES);
    points->lane_x = numbers(dim * LANES);
    points->lane_dx = numbers(dim * LANES);
}

static void points_clear(struct points *points)
{
    free(points->x);
    free(points->dx);
    free(points->pivot);
    free(points->lane_x);
    free(points->lane_dx);
}

/* What is not a number has a sign that nobody asks for. */
static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || same_bits(&a, &b, 1);
}

static bool same_lane(const struct points *points, const struct explicit_lanes *lanes,
                      int l)
{
    bool same = true;
    for (int i = 0; i < points->dim; i++)
        same = same && same_number(points->dx[l * points->dim + i],
                                   points->lane_dx[i * LANES + l]);
    for (int k = 0; k < points->pivots; k++)
        same = same && same_number(points->pivot[l * points->pivots + k],
                                   lanes->pivot[k * LANES + l]);
    return same;
}

/* Parameters and state of a lane; one number of one lane may be none. */
static void evaluate_alone(struct opened *b, struct explicit_rhs *explicit_rhs,
                           struct explicit_lanes *lanes, struct random *random, int l,
                           struct points *points)
{
    double *rho = numbers(b->s.model->p), *x = points->x + l * points->dim;
    for (int k = 0; k < b->s.model->p; k++)
        rho[k] = b->s.value[k] * random_between(random, 0.9, 1.1);
    system_set(b->system, rho);
    explicit_lanes_enter(lanes, l, explicit_rhs);
    points->t[l] = random_between(random, 0, 3);
    fill(random, x, points->dim);
    if (l == 5 && points->dim > 0 && random_below(random, 4) == 0)
        x[random_below(random, points->dim)] = NAN;
    explicit_rhs_evaluate(explicit_rhs, points->t[l], x, points->dx + l * points->dim);
    memcpy(points->pivot + l * points->pivots, explicit_rhs->pivot,
           (size_t)points->pivots * sizeof *explicit_rhs->pivot);
    for (int i = 0; i < points->dim; i++)
        points->lane_x[i * LANES + l] = x[i];
    free(rho);
}

static void compare(struct opened *b, struct explicit_rhs *explicit_rhs,
                    struct random *random)
{
    enum { TIMES = 12 };
    struct points points;
    explicit_rhs_use_code(explicit_rhs, CODE_NEVER);
    struct explicit_lanes *lanes = explicit_lanes_new(explicit_rhs, true);
    cr_assert_not_null(lanes, "nothing was compiled");
    points_init(&points, b->system->dim, explicit_rhs->pivots);
    for (int k = 0; k < TIMES; k++) {
        for (int l = 0; l < LANES; l++)
            evaluate_alone(b, explicit_rhs, lanes, random, l, &points);
        explicit_lanes_evaluate(lanes, points.t, points.lane_x, points.lane_dx);
        for (int l = 0; l < LANES; l++)
            cr_assert(same_lane(&points, lanes, l),
                      "%s, %s, p = %d, lane %d of seed %llu", b->s.model->desc->name,
                      b->s.request.formulation->name, b->system->p, l, random->seed);
    }
    points_clear(&points);
    explicit_lanes_free(lanes);
}

/* All modes; returns how many programs there are. */
static int compare_modes(const char *name, const char *formulation, int p,
                         struct random *random)
{
    struct opened b;
    int programs = 0;
    if (!open_system(&b, name, formulation, p))
        return 0;
    for (int k = 0; k < b.s.model->modes; k++)
        if (b.system->mode[k].explicit_rhs) {
            compare(&b, b.system->mode[k].explicit_rhs, random);
            programs++;
        }
    close_system(&b);
    return programs;
}

Test(explicit_lanes, every_lane_has_what_it_has_alone_to_the_bit)
{
    static const struct { const char *name, *formulation; } cases[] = {
        {"five-bar", "penalty"}, {"five-bar", "index1"}, {"two-link", "ode"},
        {"compass-gait-absolute", "index1"}, {"pendulum-wall", "index1"},
        {"event-bolus", "ode"}, {"clocked-oscillator", "ode"},
        {"bouncing-ball", "ode"}};      /* whose velocity no row needs */
    struct random random = random_start();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cr_expect_gt(compare_modes(cases[k].name, cases[k].formulation, -1, &random), 0,
                     "%s", cases[k].name);
}

Test(explicit_lanes, every_lane_has_what_it_has_alone_for_any_number_of_columns)
{
    static const int columns[] = {0, 1, 2, 5};
    struct random random = random_start();
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        cr_expect_gt(compare_modes("five-bar", "penalty", columns[k], &random), 0);
}

/* Of a chain of bodies most of it is loops; constants are among what advances. */
Test(explicit_lanes, every_lane_has_what_it_has_alone_in_loops)
{
    struct random random = random_start();
    cr_expect_eq(compare_modes("pendulum-chain-16", "index1", 1, &random), 1);
    cr_expect_eq(compare_modes("four-bar-20", "index1", 2, &random), 1);
}

Test(explicit_lanes, programs_are_the_same_in_systems_of_the_same_request)
{
    struct opened a, b, c;
    cr_assert(open_system(&a, "five-bar", "penalty", 2));
    cr_assert(open_system(&b, "five-bar", "penalty", 2));
    cr_assert(open_system(&c, "five-bar", "penalty", 1));
    cr_expect(explicit_rhs_is_same(a.system->mode[0].explicit_rhs,
                                   b.system->mode[0].explicit_rhs));
    cr_expect(!explicit_rhs_is_same(a.system->mode[0].explicit_rhs,
                                    c.system->mode[0].explicit_rhs));
    close_system(&a);
    close_system(&b);
    close_system(&c);
}
