/*
 * four_bar.c - N parallelograms in a row (four-bar-N, four-bar-singular; IFToMM benchmark
 * A02), passing singular configurations, in natural coordinates of the tips of the N + 1
 * cranks: 2N + 1 equal uniform bars.
 *
 *     tip 0 --- tip 1 --- ... --- tip N     cranks from (k L, 0) to tip k
 *       |         |                 |       couplers from tip to tip
 *
 * Constraints: squared lengths, 2N + 1 on 2N + 2 coordinates. The cranks start upright,
 * the tips with the velocity (u, 0), and turn over and over. Whenever they are horizontal
 * all bars are in line: N of the constraints depend on the others there, and each
 * parallelogram could go on as an antiparallelogram. The motion that is smooth goes on as
 * it came; four-bar-reduced-N is this motion, exactly. The bars share a length, a mass
 * and gravity: by the length of one of them alone the motion has no derivative past the
 * first singular configuration.
 *
 * four-bar-singular is four-bar-2 started there, with horizontal cranks: two of its
 * coordinates are not determined, and the refusal is the result.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "case.h"
#include "elements/point.h"

#define EXUDYN "Exudyn, IFToMM benchmark A02, step 1.25e-4"
#define STEP "the result of a method of order 2 at this step, printed with all its digits"

/* Declares L, m, g, u; the speed u only scales the start. */
static void parameters(struct model *model)
{
    PARAMETERS(L, m, g, u);
    COSTS(height);
    NOMINAL(L, 1, "m", "length of every bar");
    FIXED(m, 1, "kg", "mass of every bar");
    NOMINAL(g, 9.81, "m/s^2", "gravity");
    FIXED(u, 1, "m/s", "speed of the tips at the start");
}

static formula named(struct model *model, const char *name)
{
    return model_read(model, name, __FILE__, __LINE__);
}

/* The pivot (k L, 0). */
static struct point pivot(struct model *model, int k)
{
    formula zero = {NULL, 0};
    return point_at(mul(integer(model->tape, k), named(model, "L")), zero, zero);
}

static void bar(struct model *model, const struct point *a, const struct point *b)
{
    const formula gravity[3] = {[1] = negate(named(model, "g"))};
    bar_uniform(model, named(model, "m"), gravity, a, b);
    distance_constraint(model, named(model, "L"), a, b);
}

/* Declares the mechanism. Returns tip[0..N], to be freed. */
static struct point *bars(struct model *model, int N)
{
    struct point *tip = memory_new(N + 1, sizeof *tip);
    char name[20];
    parameters(model);
    for (int k = 0; k <= N; k++) {
        snprintf(name, sizeof name, "%d", k);
        tip[k] = point_free(model, name, 2, NULL);
    }
    model_mode(model, "motion");
    for (int k = 0; k <= N; k++) {
        struct point base = pivot(model, k);
        bar(model, &base, &tip[k]);
        if (k > 0)
            bar(model, &tip[k - 1], &tip[k]);
    }
    model->energy = model_energy(model);
    model->g[0] = tip[0].r[1];
    return tip;
}

/* States that tip k of the twin is at (k L + L cos th, L sin th). */
static void equalities(struct model *model, const struct point *tip, int N)
{
    char twin[40], name[40];
    snprintf(twin, sizeof twin, "four-bar-reduced-%d", N);
    model_twin(model, twin, "th");
    formula L = named(model, "L"), x = named(model, "L*cos(th)");
    for (int k = 0; k <= N; k++) {
        snprintf(name, sizeof name, "x of tip %d", k);
        model_equal(model, name, tip[k].r[0], add(mul(integer(model->tape, k), L), x));
        snprintf(name, sizeof name, "y of tip %d", k);
        model_equal(model, name, tip[k].r[1], named(model, "L*sin(th)"));
    }
}

static void record(struct model *model)
{
    int N = model->desc->size;
    struct point *tip = bars(model, N);
    for (int k = 0; k <= N; k++) {
        model->q_guess[2 * k] = integer(model->tape, k);
        model->q_guess[2 * k + 1] = integer(model->tape, 1);
    }
    model->q0[0] = integer(model->tape, 0);
    model->q_guess[0] = (formula){NULL, 0};
    model->v0[0] = named(model, "u");
    model->t_end = integer(model->tape, N < 40 ? 10 : 20);
    equalities(model, tip, N);
    if (N == 2) {
        DISPUTED("q.x0", "0.3284573768", EXUDYN, STEP);
        DISPUTED("q.y0", "0.9445187937", EXUDYN, STEP);
    }
    free(tip);
}

/* Tips start at (k L + L, 0), moving up: y of tip 0 is given and the others are left
   open. */
static void record_singular(struct model *model)
{
    int N = model->desc->size;
    free(bars(model, N));
    for (int k = 0; k <= N; k++) {
        model->q_guess[2 * k] = integer(model->tape, k + 1);
        model->q_guess[2 * k + 1] = constant(model->tape, "0.1");
    }
    model->q0[1] = integer(model->tape, 0);
    model->q_guess[1] = (formula){NULL, 0};
    model->v0[1] = named(model, "u");
    model->t_end = integer(model->tape, 1);
}

CASE(four_bar_2,
    .name = "four-bar-2",
    .title = "parallelograms in a row, N of them, through singular configurations",
    .source = "IFToMM benchmark A02",
    .classes = "constrained, singular, benchmark",
    .family = "four-bar",
    .size = 2,
    .record = record);

CASE(four_bar_singular,
    .name = "four-bar-singular",
    .title = "four-bar-2 started in a singular configuration: refused",
    .source = "IFToMM benchmark A02",
    .declared = "the start, with horizontal cranks",
    .classes = "constrained, singular, refused",
    .size = 2,
    .record = record_singular);
