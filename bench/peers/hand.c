/*
 * hand.c - hand-rk87 and hand-dop853: workload W by two explicit Runge-Kutta methods,
 * written for this problem alone.
 *
 * As q' = v, a stage is one row q, v, a, of which (q, v) is the state and (v, a) its
 * rate: the rate of positions is never copied. The mechanism is autonomous, so the times
 * of stages do not matter. Error control covers all of the state and all derivatives.
 * Newton's method on the length of the step finds impacts.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "peers/five_bar.h"
#include "peers/flags.h"
#include "peers/peer.h"

typedef double v4 __attribute__((vector_size(32)));

#define INLINE static inline __attribute__((always_inline))

enum { HALF = FIVE_BAR_HALF/4, STATE = 2*HALF, MOST_STAGES = 16 };

/* A row: q, v and a, each with its derivatives. */
union row {
    v4 lane[3*HALF];
    struct { double q[8], Q[12], v[8], V[12], a[8], A[12]; } of;
};

struct solver {
    union row row[MOST_STAGES];     /* stages; row 0 is the start of the step */
    v4 err[2][STATE];               /* error vectors */
};

static void evaluate(union row *row)
{
    five_bar_accelerations(row->of.q, row->of.Q, row->of.v, row->of.V, row->of.a,
                           row->of.A);
}

/* --- the methods -------------------------------------------------------------------- */

/* The coefficients are tables, which become constants once the loops are unrolled. */
#define STAGE(i, c, ...) [i] = {__VA_ARGS__},
#define TERM(j, value) [j] = value,
static const double rk87_a[MOST_STAGES][MOST_STAGES] = {
#include "peers/rk87.def"
};
#define STAGE(i, c, ...) [i] = {__VA_ARGS__},
#define TERM(j, value) [j] = value,
static const double dop853_a[MOST_STAGES][MOST_STAGES] = {
#include "integrators/dop853.def"
};

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* The state of a row = that of row 0 plus h sum_j c_j k_j over j < stages. */
INLINE void combine(struct solver *s, const double *c, int stages, double h, int row)
{
    const v4 *from = s->row[0].lane;
    v4 *to = s->row[row].lane;
    UNROLL for (int n = 0; n < STATE; n++) {
        v4 total = {0, 0, 0, 0};
        UNROLL for (int j = 0; j < stages; j++)
            if (c[j] < 0 || c[j] > 0)
                total += c[j]*s->row[j].lane[HALF + n];
        to[n] = from[n] + h*total;
    }
}

/* Adds the last term of stage i, once its rate is there. */
INLINE void complete(struct solver *s, int i, double ha)
{
    UNROLL for (int n = 0; n < STATE; n++)
        s->row[i].lane[n] += ha*s->row[i - 1].lane[HALF + n];
}

/* Stage i is evaluated while all but one term of the next one are added up: the sums
   fill what the chain of operations in a right-hand side leaves idle. */
#define ADVANCE(i, a)                                                                    \
    combine(s, (a)[(i) + 1], i, h, (i) + 1);                                             \
    evaluate(&s->row[i]);                                                                \
    complete(s, (i) + 1, h*(a)[(i) + 1][i])

/* An error vector has no state to begin with, and may have two terms of one stage. */
#define ESTIMATE(i, ...)                                                                 \
    UNROLL for (int n = 0; n < STATE; n++)                                               \
        s->err[i][n] = h*(__VA_ARGS__);

static void rk87_step(struct solver *s, double h)
{
    combine(s, rk87_a[1], 1, h, 1);
    ADVANCE(1, rk87_a); ADVANCE(2, rk87_a); ADVANCE(3, rk87_a); ADVANCE(4, rk87_a);
    ADVANCE(5, rk87_a); ADVANCE(6, rk87_a); ADVANCE(7, rk87_a); ADVANCE(8, rk87_a);
    ADVANCE(9, rk87_a); ADVANCE(10, rk87_a); ADVANCE(11, rk87_a); ADVANCE(12, rk87_a);
#define ERROR ESTIMATE
#define TERM(j, value) + (value)*s->row[j].lane[HALF + n]
#include "peers/rk87.def"
}

static void dop853_step(struct solver *s, double h)
{
    combine(s, dop853_a[1], 1, h, 1);
    ADVANCE(1, dop853_a); ADVANCE(2, dop853_a); ADVANCE(3, dop853_a);
    ADVANCE(4, dop853_a); ADVANCE(5, dop853_a); ADVANCE(6, dop853_a);
    ADVANCE(7, dop853_a); ADVANCE(8, dop853_a); ADVANCE(9, dop853_a);
    ADVANCE(10, dop853_a); ADVANCE(11, dop853_a);
#define ERROR ESTIMATE
#define TERM(j, value) + (value)*s->row[j].lane[HALF + n]
#include "integrators/dop853.def"
}

/* The mean of (err/size)^2, size^2 = 1 + y^2: metres and seconds of this mechanism are
   of the size of one. */
static double square(const v4 *err, const v4 *y)
{
    v4 sum = {0, 0, 0, 0};
    for (int n = 0; n < STATE; n++)
        sum += err[n]*err[n]/(1 + y[n]*y[n]);
    return (sum[0] + sum[1] + sum[2] + sum[3])/FIVE_BAR_COMPONENTS;
}

static double rk87_error(const struct solver *s)
{
    return square(s->err[0], s->row[0].lane);
}

/* Errors of orders 5 and 3 make one of order 8 (Hairer, Norsett, Wanner 1993, II.10). */
static double dop853_error(const struct solver *s)
{
    double fifth = square(s->err[0], s->row[0].lane);
    double third = square(s->err[1], s->row[0].lane);
    return fifth > 0 ? fifth*fifth/(fifth + 0.01*third) : 0;
}

static const struct method {
    int solution;                       /* row of the solution */
    /* Makes all stages, the solution without its rate, and the errors. */
    void (*step)(struct solver *s, double h);
    double (*error)(const struct solver *s);    /* the error, squared */
} rk87 = {13, rk87_step, rk87_error}, dop853 = {12, dop853_step, dop853_error};

/* --- steps -------------------------------------------------------------------------- */

struct motion {
    const struct method *method;
    struct solver *s;
    double tolerance, t, h;             /* t, h: time, and size of the next step */
    double last;                        /* log2 of the error of the last step; 0: none */
};

/* PI control of order 8 (Gustafsson 1991); the error is squared, tolerance its unit. */
static double change(struct motion *m, double error2, bool accepted)
{
    double log_error = 0.5*(double)log2f((float)fmax(error2, 1e-8));
    double exponent = accepted ? -0.7/8*log_error + 0.4/8*m->last : -log_error/8;
    double factor = 0.9*(double)exp2f((float)exponent);
    m->last = accepted ? log_error : 0;
    return fmin(6, fmax(0.2, factor));
}

/* The zero of the polynomial of degree four through the heights and speeds at both ends
   of the step and the acceleration at its start, as a part of the step. */
static double crossing(const union row *from, const union row *to, double h)
{
    double g0 = five_bar_height(from->of.q), v0 = h*from->of.v[FIVE_BAR_Y2];
    double a0 = h*h/2*from->of.a[FIVE_BAR_Y2];
    double rest = five_bar_height(to->of.q) - g0 - v0 - a0;
    double slope = h*to->of.v[FIVE_BAR_Y2] - v0 - 2*a0;
    double c3 = 4*rest - slope, c4 = slope - 3*rest;
    double theta = g0/(g0 - five_bar_height(to->of.q));
    for (int k = 0; k < 6; k++) {
        double value = g0 + theta*(v0 + theta*(a0 + theta*(c3 + theta*c4)));
        double rate = v0 + theta*(2*a0 + theta*(3*c3 + theta*4*c4));
        theta = fmin(1, fmax(0, theta - value/rate));
    }
    return theta;
}

/*
 * Makes the step that ends on the ground: Newton's method on its length. The rates make
 * up for the last remainder delta, with an error of delta^2 times second derivatives,
 * which are below 1e6.
 */
static enum status land(struct motion *m, union row *end, struct diagnosis *diagnosis)
{
    double h = m->h*crossing(m->s->row, end, m->h);
    double enough = 1e-4*sqrt(m->tolerance);
    for (int k = 0; k < 8; k++) {
        m->method->step(m->s, h);
        double delta = -five_bar_height(end->of.q)/end->of.v[FIVE_BAR_Y2];
        if (fabs(delta) > enough) {
            h += delta;
            continue;
        }
        evaluate(end);
        for (int n = 0; n < STATE; n++)
            end->lane[n] += delta*end->lane[HALF + n];
        m->t += h + delta;
        return OK;
    }
    return diagnose(diagnosis, NO_CONVERGENCE, m->t, "impact of hand-written five-bar");
}

/* Makes one step, or less where point 2 falls on the ground; row 0 moves to its end. */
static enum status advance(struct motion *m, struct diagnosis *diagnosis)
{
    union row *row = m->s->row, *end = &row[m->method->solution];
    double left = five_bar_end - m->t;
    bool last = m->h >= left;
    double h = last ? left : m->h, wanted = m->h;
    m->h = h;
    m->method->step(m->s, h);
    double error2 = m->method->error(m->s)/(m->tolerance*m->tolerance);
    bool accepted = error2 <= 1;
    double next = h*change(m, error2, accepted);
    if (!accepted) {
        m->h = next;
        return isfinite(error2) && next > 1e-9 ? OK
               : diagnose(diagnosis, TOO_MANY_STEPS, m->t, "hand-written five-bar");
    }
    if (five_bar_dipped(row->of.q, row->of.v, end->of.q, end->of.v, h, &m->h))
        return OK;
    if (five_bar_height(end->of.q) < 0 && end->of.v[FIVE_BAR_Y2] < 0) {
        enum status status = land(m, end, diagnosis);
        if (status != OK)
            return status;
        five_bar_impact(end->of.q, end->of.Q, end->of.v, end->of.V);
        m->last = 0;
    } else {
        m->t = last ? five_bar_end : m->t + h;
    }
    m->h = last ? wanted : next;
    evaluate(end);
    row[0] = *end;
    return OK;
}

static enum status solve(const struct method *method, struct solver *s, double tolerance,
                         struct answer *answer, struct diagnosis *diagnosis)
{
    struct motion m = {method, s, tolerance, 0, 0, 0};
    enum status status = OK;
    m.h = 0.5*(double)exp2f(log2f((float)tolerance)/8);
    five_bar_start(s->row[0].of.q, s->row[0].of.Q, s->row[0].of.v, s->row[0].of.V);
    evaluate(&s->row[0]);
    while (m.t < five_bar_end && status == OK)
        status = advance(&m, diagnosis);
    *answer = five_bar_answer(s->row[0].of.q, s->row[0].of.Q, s->row[0].of.v);
    return status;
}

/* --- peers -------------------------------------------------------------------------- */

static void *hand_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer;
    (void)diagnosis;
    struct solver *solver = aligned_alloc(64, (sizeof *solver + 63)/64*64);
    if (!solver)
        memory_exhausted();
    memset(solver, 0, sizeof *solver);
    return solver;
}

static enum status rk87_solve(void *work, double tolerance, struct answer *answer,
                              struct diagnosis *diagnosis)
{
    return solve(&rk87, work, tolerance, answer, diagnosis);
}

static enum status dop853_solve(void *work, double tolerance, struct answer *answer,
                                struct diagnosis *diagnosis)
{
    return solve(&dop853, work, tolerance, answer, diagnosis);
}

extern const struct peer peer_hand_rk87, peer_hand_dop853;

const struct peer peer_hand_rk87 = {
    .name = "hand-rk87",
    .title = "C written for this mechanism alone, RK8(7)13M",
    .build = PEER_BUILD,
    .loosest = 1e-4,
    .open = hand_open,
    .solve = rk87_solve,
    .close = free,
};

const struct peer peer_hand_dop853 = {
    .name = "hand-dop853",
    .title = "C written for this mechanism alone, DOP853",
    .build = PEER_BUILD,
    .loosest = 1e-4,
    .open = hand_open,
    .solve = dop853_solve,
    .close = free,
};
