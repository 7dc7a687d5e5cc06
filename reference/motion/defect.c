/*
 * defect.c - the defect of a series at the end of a step (Enright 1989): by how much the
 * rates that it has there are not those of the equations of motion.
 *
 * Last terms tell the truncation error of a series whose coefficients go on as they went.
 * Before a pulse those of exp(w t) do not: they still grow at k = w h, beyond the last
 * one. What is left out of a series that is bounded on a wider disk (watch.c) grows as
 * (t/R)^N and is largest at the end of the step, so that one point shows it. There the
 * equations are solved anew, in all lanes, for 1/N^2 of the work of an expansion.
 */
#include <math.h>

#include "taylor.h"

/* d/dt of the series c [order + 1] at `step`; work [1] */
static void rate_at(const struct taylor *taylor, mpfr_srcptr c, mpfr_srcptr step,
                    mpfr_ptr rate, mpfr_ptr work)
{
    mpfr_set_zero(rate, 1);
    for (int k = taylor->order; k >= 1; k--) {
        mpfr_mul(rate, rate, step, MPFR_RNDN);
        mpfr_mul_ui(work, c + k, (unsigned long)k, MPFR_RNDN);
        mpfr_add(rate, rate, work, MPFR_RNDN);
    }
}

/* The rate of component i of y, one of v, s or z, at the point of the workspace. */
static mpfr_srcptr exact_rate(const struct taylor *end, int lane, int i)
{
    int s = i - 2 * end->n, z = s - end->ns;
    return s < 0   ? taylor_u(end, lane, i - end->n)
           : z < 0 ? taylor_f_s(end, lane, s, 0)
                   : taylor_g(end, lane, z, 0);
}

/* log2 of the largest error of the rates of v, s and z in a lane, over a step of 2^h, of
   the amplitude of their group. */
static double rates_missed(const struct taylor *taylor, const struct taylor *end,
                           int lane, double h, const double *amplitude)
{
    int group = 1, last[] = {0, 2 * taylor->n, 2 * taylor->n + taylor->ns, taylor->width};
    mpfr_ptr step = taylor->power, rate = step + 1, work = step + 2;
    double most = -INFINITY;
    mp_exp2(step, h);
    for (int i = taylor->n; i < taylor->width; i++) {
        while (i >= last[group])
            group++;
        double size = fmax(amplitude[lane * TAYLOR_GROUPS + group],
                           taylor_amplitude(taylor, lane, group, h));
        rate_at(taylor, taylor_y(taylor, lane, i), step, rate, work);
        mpfr_sub(rate, rate, exact_rate(end, lane, i), MPFR_RNDN);
        double missed = mp_log2(rate) + h;
        most = fmax(most, missed > -INFINITY ? missed - size : missed);
    }
    return most;
}

/* log2 of the error of a guard at the end of a step of 2^h, of its largest term. */
static double guard_missed(const struct taylor *taylor, const struct taylor *end,
                           int guard, double h)
{
    mpfr_srcptr c = taylor_guard(taylor, guard);
    mpfr_ptr step = taylor->power, value = step + 1;
    double largest = mp_log2(c);
    for (int k = 1; k <= taylor->order; k++)
        largest = fmax(largest, mp_log2(c + k) + k * h);
    mp_exp2(step, h);
    mp_polynomial(value, c, taylor->order, step);
    mpfr_sub(value, value, taylor_guard(end, guard), MPFR_RNDN);
    double missed = mp_log2(value);
    return missed > -INFINITY ? missed - largest : missed;
}

double taylor_defect(const struct taylor *taylor, struct taylor *end, double h,
                     const double *amplitude, mpfr_ptr y)
{
    struct diagnosis none;
    double most = -INFINITY;
    mpfr_ptr step = taylor->power, t = step + 1;
    mp_exp2(step, h);
    mpfr_add(t, taylor->t, step, MPFR_RNDN);
    taylor_at(taylor, step, y);
    for (int i = 0; i < taylor->unknowns; i++)
        mp_polynomial(taylor_u(end, 0, i), taylor_u(taylor, 0, i), taylor->order, step);
    if (taylor_expand(end, t, y, taylor->lanes, 0, &none) != OK)
        return NAN;
    for (int lane = 0; lane < taylor->lanes; lane++)
        most = fmax(most, rates_missed(taylor, end, lane, h, amplitude));
    for (int i = 0; i < taylor->plan->guards; i++)
        most = fmax(most, guard_missed(taylor, end, i, h));
    return most;
}
