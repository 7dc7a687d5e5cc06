/*
 * multiplier_slopes.c - central differences of multipliers, extrapolated
 * (multiplier_slopes.h)
 *
 * Orbits at rho +- h and rho +- h/2 are solved for from the derivatives of the orbit, so
 * that the differences are along the family, events and period included.
 */
#include "orbits/multiplier_slopes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "orbits/floquet.h"
#include "program/complex_step.h"
#include "size.h"

/* The longest and the shortest step, as parts of the parameter. */
static const double longest = 1.0 / 512, shortest = 1.0 / (1 << 18);
/* Errors of multipliers. */
static const double rounding = 1e3 * DBL_EPSILON;

/* The multipliers nearest to those of the orbit, one for each, in `out`. */
static void match(const struct orbit *orbit, double complex *found, double complex *out)
{
    for (int i = 0; i < orbit->multipliers; i++) {
        int nearest = i;
        for (int j = i + 1; j < orbit->multipliers; j++)
            if (cabs(found[j] - orbit->multiplier[i]) <
                cabs(found[nearest] - orbit->multiplier[i]))
                nearest = j;
        double complex taken = found[nearest];
        found[nearest] = found[i];
        found[i] = out[i] = taken;
    }
}

/* The multipliers of the orbit at rho + h; false: it was not found. */
static bool multipliers_at(struct shooting *s, const double *u, const double *du,
                           int index, double rho, double h, const struct orbit *orbit,
                           double complex *out)
{
    struct diagnosis ignored = {.t = NAN};
    struct floquet found;
    for (int k = 0; k < s->nodes; k++)
        s->segment[k].value[index] = rho + h;
    for (int i = 0; i < s->unknowns; i++)
        s->u[i] = u[i] + h * du[i];
    if (shooting_solve(s, &ignored) != OK)
        return false;
    floquet_make(s, &found);
    match(orbit, found.value, out);
    floquet_clear(&found);
    return true;
}

/* Slopes by the step h, and their estimated error; NAN: an orbit was not found. */
static double difference(struct shooting *s, const double *u, const double *du, int index,
                         double h, const struct orbit *orbit, double complex *slope)
{
    int n = orbit->multipliers;
    double complex *at = memory_new(4 * n, sizeof *at);
    const double step[] = {h, -h, h / 2, -h / 2};
    double rho = s->request->run.value[index], error = rounding / h;
    bool found = true;
    for (int k = 0; k < 4 && found; k++)
        found = multipliers_at(s, u, du, index, rho, step[k], orbit, at + k * n);
    for (int i = 0; i < n; i++) {
        double complex whole = (at[i] - at[n + i]) / (2 * h);
        double complex half = (at[2 * n + i] - at[3 * n + i]) / h;
        slope[i] = (4 * half - whole) / 3;
        error += cabs(slope[i] - half) / 15;
    }
    for (int k = 0; k < s->nodes; k++)
        s->segment[k].value[index] = rho;
    free(at);
    return found ? error : NAN;
}

/* The best of steps that become shorter, until the error grows: a multiplier may have
   another near it, and change with the root of the parameter. */
static double slopes_by(struct shooting *s, const double *u, const double *du, int index,
                        const struct orbit *orbit, double complex *slope)
{
    int n = orbit->multipliers;
    double rho = fabs(s->request->run.value[index]), best = NAN;
    double complex *own = memory_new(n, sizeof *own);
    for (int i = 0; i < n; i++)
        slope[i] = complex_of(NAN, NAN);
    for (double part = longest; part >= shortest; part /= 8) {
        double error = difference(s, u, du, index, part * parameter_size(rho), orbit,
                                  own);
        if (error >= best)
            break;
        if (!isnan(error)) {
            best = error;
            memory_copy(slope, own, n, sizeof *own);
        }
    }
    free(own);
    return best;
}

void multiplier_slopes(struct shooting *s, const double *du, struct orbit *orbit)
{
    int p = orbit->parameters;
    double *u = memory_new(s->unknowns, sizeof *u);
    memory_copy(u, s->u, s->unknowns, sizeof *u);
    orbit->dmultiplier = memory_new(p * orbit->multipliers, sizeof *orbit->dmultiplier);
    orbit->derror = memory_new(p, sizeof *orbit->derror);
    for (int j = 0; j < p; j++)
        orbit->derror[j] = slopes_by(s, u, du + j * s->unknowns,
                                     s->request->run.parameter[j], orbit,
                                     orbit->dmultiplier + j * orbit->multipliers);
    memory_copy(s->u, u, s->unknowns, sizeof *u);
    free(u);
}
