/*
 * gsl.c - gsl-rk8pd: workload W by the Prince-Dormand method of the GNU Scientific
 * Library, with the right-hand side written by hand (five_bar.c), the library's step-size
 * control, and Newton's method on the length of the step at impacts.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_version.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "peers/five_bar.h"
#include "peers/peer.h"

/* The state of the library is q [6], Q [12], v [6], V [12]. */
enum { POSITIONS = 18, DIM = FIVE_BAR_COMPONENTS, VALUES = 6 };

static int rates(double t, const double *y, double *dy, void *unused)
{
    double a[FIVE_BAR_VALUES];
    (void)t;
    (void)unused;
    memcpy(dy, y + POSITIONS, POSITIONS*sizeof *dy);
    five_bar_accelerations(y, y + VALUES, y + POSITIONS, y + POSITIONS + VALUES, a,
                           dy + POSITIONS + VALUES);
    memcpy(dy + POSITIONS, a, VALUES*sizeof *a);
    return GSL_SUCCESS;
}

static gsl_odeiv2_system equations = {rates, NULL, DIM, NULL};

struct gsl {
    gsl_odeiv2_step *step;
    gsl_odeiv2_evolve *evolve;
    double y[DIM], before[DIM], err[DIM], dy[DIM], dy_new[DIM];
};

static void *gsl_open(const struct peer *peer, struct diagnosis *diagnosis)
{
    (void)peer;
    (void)diagnosis;
    struct gsl *gsl = memory_new(1, sizeof *gsl);
    gsl->step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, DIM);
    gsl->evolve = gsl_odeiv2_evolve_alloc(DIM);
    if (!gsl->step || !gsl->evolve)
        memory_exhausted();
    return gsl;
}

static void gsl_close(void *work)
{
    struct gsl *gsl = work;
    gsl_odeiv2_step_free(gsl->step);
    gsl_odeiv2_evolve_free(gsl->evolve);
    free(gsl);
}

/* Goes from `before` at t0 to the ground, with first guess h, and through the impact; y
   is the state after it, at *t. */
static enum status land(struct gsl *gsl, double t0, double h, double *t, double tolerance,
                        struct diagnosis *diagnosis)
{
    double *y = gsl->y, q[FIVE_BAR_VALUES] = {0}, v[FIVE_BAR_VALUES] = {0};
    rates(t0, gsl->before, gsl->dy, NULL);
    for (int k = 0; k < 12; k++) {
        memcpy(y, gsl->before, sizeof gsl->before);
        if (gsl_odeiv2_step_apply(gsl->step, t0, h, y, gsl->err, gsl->dy, gsl->dy_new,
                                  &equations) != GSL_SUCCESS)
            break;
        double delta = -five_bar_height(y)/y[POSITIONS + FIVE_BAR_Y2];
        if (fabs(delta) > 1e-4*sqrt(tolerance)) {
            h += delta;
            continue;
        }
        for (int n = 0; n < DIM; n++)
            y[n] += delta*gsl->dy_new[n];
        *t = t0 + h + delta;
        memcpy(q, y, VALUES*sizeof *q);
        memcpy(v, y + POSITIONS, VALUES*sizeof *v);
        five_bar_impact(q, y + VALUES, v, y + POSITIONS + VALUES);
        memcpy(y + POSITIONS, v, VALUES*sizeof *v);
        gsl_odeiv2_evolve_reset(gsl->evolve);
        gsl_odeiv2_step_reset(gsl->step);
        return OK;
    }
    return diagnose(diagnosis, NO_CONVERGENCE, t0, "impact in gsl-rk8pd");
}

static enum status motion(struct gsl *gsl, gsl_odeiv2_control *control, double tolerance,
                          struct diagnosis *diagnosis)
{
    double t = 0, h = 0.5*pow(tolerance, 1.0/8), *y = gsl->y;
    enum status status = OK;
    while (t < five_bar_end && status == OK) {
        double t0 = t, wanted = h;
        memcpy(gsl->before, y, sizeof gsl->before);
        if (gsl_odeiv2_evolve_apply(gsl->evolve, control, gsl->step, &equations, &t,
                                    five_bar_end, &h, y) != GSL_SUCCESS)
            return diagnose(diagnosis, STEP_TOO_SMALL, t, "gsl-rk8pd");
        if (five_bar_dipped(gsl->before, gsl->before + POSITIONS, y, y + POSITIONS,
                            t - t0, &h)) {
            memcpy(y, gsl->before, sizeof gsl->before);
            t = t0;
            gsl_odeiv2_evolve_reset(gsl->evolve);
            continue;
        }
        if (five_bar_height(y) < 0 && y[POSITIONS + FIVE_BAR_Y2] < 0) {
            double g0 = five_bar_height(gsl->before);
            double theta = g0/(g0 - five_bar_height(y));
            status = land(gsl, t0, theta*(t - t0), &t, tolerance, diagnosis);
            h = wanted;
        }
    }
    return status;
}

static enum status gsl_solve(void *work, double tolerance, struct answer *answer,
                             struct diagnosis *diagnosis)
{
    struct gsl *gsl = work;
    double q[FIVE_BAR_VALUES], v[FIVE_BAR_VALUES], *y = gsl->y;
    gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(tolerance, tolerance);
    if (!control)
        memory_exhausted();
    five_bar_start(q, y + VALUES, v, y + POSITIONS + VALUES);
    memcpy(y, q, VALUES*sizeof *q);
    memcpy(y + POSITIONS, v, VALUES*sizeof *v);
    gsl_odeiv2_evolve_reset(gsl->evolve);
    gsl_odeiv2_step_reset(gsl->step);
    enum status status = motion(gsl, control, tolerance, diagnosis);
    *answer = five_bar_answer(y, y + VALUES, y + POSITIONS);
    gsl_odeiv2_control_free(control);
    return status;
}

extern const struct peer peer_gsl_rk8pd;
const struct peer peer_gsl_rk8pd = {
    .name = "gsl-rk8pd",
    .title = "GSL's Prince-Dormand 8(7) with the right-hand side of hand-rk87",
    .build = "GSL " GSL_VERSION " as the system has it",
    .loosest = 1e-4,
    .open = gsl_open,
    .solve = gsl_solve,
    .close = gsl_close,
};
