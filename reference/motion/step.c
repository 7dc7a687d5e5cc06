/* step.c - step size control of the Taylor series method, by its last terms (Jorba &
   Zou 2005), and evaluation of the series along the step. */
#include <math.h>

#include "taylor.h"

enum { PASSES = 100 };

/* Components y[first .. end) of one lane that share a unit: q, v, s or z. */
struct group {
    int lane, first, end;
};

static struct group group_of(const struct taylor *taylor, int index)
{
    const int begin[] = {0, taylor->n, 2 * taylor->n, 2 * taylor->n + taylor->ns,
                         taylor->width};
    int kind = index % TAYLOR_GROUPS;
    return (struct group){index / TAYLOR_GROUPS, begin[kind], begin[kind + 1]};
}

/* log2 of the largest |y_k| of a group */
static double coefficient(const struct taylor *taylor, struct group group, int k)
{
    double largest = -INFINITY;
    for (int i = group.first; i < group.end; i++)
        largest = fmax(largest, mp_log2(taylor_y(taylor, group.lane, i) + k));
    return largest;
}

double taylor_coefficient(const struct taylor *taylor, int lane, int group, int k)
{
    if (group < TAYLOR_GROUPS)
        return coefficient(taylor, group_of(taylor, lane * TAYLOR_GROUPS + group), k);
    bool multipliers = group > TAYLOR_GROUPS;
    double most = -INFINITY;
    for (int i = multipliers ? taylor->n : 0;
         i < (multipliers ? taylor->motion->plan->unknowns : taylor->n); i++)
        most = fmax(most, mp_log2(taylor_u(taylor, lane, i) + k));
    return most;
}

/* log2 of the largest size of a group on a step of 2^h: of its largest term. All terms
   count, since the first ones of a sensitivity may be rounding at rest. */
static double amplitude_at(const struct taylor *taylor, struct group group, double h)
{
    double largest = coefficient(taylor, group, 0);
    for (int k = 1; k <= taylor->order; k++)
        largest = fmax(largest, coefficient(taylor, group, k) + k * h);
    return largest;
}

double taylor_amplitude(const struct taylor *taylor, int lane, int group, double h)
{
    return amplitude_at(taylor, group_of(taylor, lane * TAYLOR_GROUPS + group), h);
}

/* log2 of the step, at most h, on which every term k of a group stays below
   2^(tolerance + bits) of the amplitude. For the last two terms, which stand for the
   truncation error, bits = 0; for the others, bits is the precision that they were
   computed with. */
static double group_step(const struct taylor *taylor, struct group group,
                         double tolerance, double amplitude, double h)
{
    for (int k = 1; k <= taylor->order; k++) {
        double size = coefficient(taylor, group, k);
        double bits = k >= taylor->order - 1 ? 0 : 64.0 * taylor->limbs[k] - 16;
        if (size > -INFINITY)
            h = fmin(h, (tolerance + bits + amplitude - size) / k);
    }
    return h;
}

/* The amplitude of a group is its largest size so far or on this step: sensitivities
   that start from zero are measured by the size that they grow to. A shorter step has
   a smaller amplitude and may have to be shorter still. If the series diverges the
   largest term is the last, and a pass takes tolerance/order off h. */
double taylor_step(const struct taylor *taylor, int lanes, double tolerance, double h_max,
                   double *amplitude)
{
    double h = fmin(h_max, taylor_reach(taylor));
    for (int i = 0; i < lanes * TAYLOR_GROUPS; i++) {
        struct group group = group_of(taylor, i);
        double trial = h;
        amplitude[i] = fmax(amplitude[i], coefficient(taylor, group, 0));
        double before = INFINITY;
        for (int pass = 0; pass < PASSES && trial < before - 0.01; pass++) {
            double grown = fmax(amplitude[i], amplitude_at(taylor, group, trial));
            before = trial;
            if (grown > -INFINITY)
                trial = group_step(taylor, group, tolerance, grown, h);
        }
        h = fmin(h, trial);
    }
    return h;
}

/* 64 bits are in hand (choose_limbs), and 24 of them are kept for sums. */
bool taylor_decays(const struct taylor *taylor, double h)
{
    enum { SLACK = 40 };
    double bits = (taylor->digits + 5) * MP_BITS_PER_DIGIT / taylor->order;
    const int begin[] = {0, taylor->n, taylor->n + taylor->m};
    for (int i = 0; i < 2 * taylor->lanes; i++) {
        double largest = -INFINITY, worst = -INFINITY;
        for (int k = 0; k <= taylor->order; k++) {
            double size = -INFINITY;
            for (int c = begin[i % 2]; c < begin[i % 2 + 1]; c++)
                size = fmax(size, mp_log2(taylor_u(taylor, i / 2, c) + k));
            size += k * h;
            largest = fmax(largest, size);
            worst = fmax(worst, size + k * bits);
        }
        if (worst > largest + SLACK)
            return false;
    }
    return true;
}

/* --- guards ------------------------------------------------------------------------- */

/* The series of a guard may have zeros among its last coefficients (a function of
   t^3), so that all of the LAST terms count. CANCELLED: bits that the terms of a guard
   may cancel by. */
enum { LAST = 8, CANCELLED = 40 };

/* log2 of the step, at most h, at which the last terms fall below 2^tolerance of the
   amplitude, as they would one by one on the way there, and the others are exact to as
   much. size [order + 1]: log2 of the coefficients. */
static double terms_step(const struct taylor *taylor, const double *size,
                         double tolerance, double amplitude, double h)
{
    int order = taylor->order;
    for (int k = 1; k <= order; k++) {
        double bits = k > order - LAST ? tolerance * (k - order) / order
                                       : 64.0 * taylor->limbs[k] - 16;
        if (size[k] > -INFINITY)
            h = fmin(h, (tolerance + bits + amplitude - size[k]) / k);
    }
    return h;
}

static double largest_term(const double *size, int order, double h)
{
    double largest = size[0];
    for (int k = 1; k <= order; k++)
        largest = fmax(largest, size[k] + k * h);
    return largest;
}

/* log2 of the largest |c(t)| at the start and four more points of a step of 2^h */
static double largest_value(const struct taylor *taylor, mpfr_srcptr c, double h)
{
    enum { POINTS = 4 };
    mpfr_ptr power = taylor->power, t = power, value = power + 1;
    double largest = mp_log2(c);
    for (int i = 1; i <= POINTS; i++) {
        mp_exp2(t, h + log2((double)i / POINTS));
        mp_polynomial(value, c, taylor->order, t);
        largest = fmax(largest, mp_log2(value));
    }
    return largest;
}

/* The amplitude is that of the step itself, and is found again when the step has been
   shortened. Terms that cancel by more than the digits in hand would hide the guard. */
static double guard_step(const struct taylor *taylor, mpfr_srcptr c, const double *size,
                         double tolerance, double h)
{
    for (int pass = 0; pass < PASSES; pass++) {
        double before = h;
        h = terms_step(taylor, size, tolerance, largest_term(size, taylor->order, h), h);
        if (h < before - 0.01)
            continue;
        double value = largest_value(taylor, c, h);
        double term = largest_term(size, taylor->order, h);
        if (term > -INFINITY && value < term - CANCELLED)
            h -= 0.5;
        else
            return terms_step(taylor, size, tolerance, value, h);
    }
    return h;
}

double taylor_guard_step(const struct taylor *taylor, double tolerance, double h)
{
    for (int i = 0; i < taylor->plan->guards; i++) {
        mpfr_srcptr c = taylor_guard(taylor, i);
        for (int k = 0; k <= taylor->order; k++)
            taylor->terms[k] = mp_log2(c + k);
        h = guard_step(taylor, c, taylor->terms, tolerance, h);
    }
    return h;
}

void taylor_at(const struct taylor *taylor, mpfr_srcptr h, mpfr_ptr y)
{
    for (int i = 0; i < taylor->lanes * taylor->width; i++)
        mp_polynomial(y + i, taylor_y(taylor, 0, i), taylor->order, h);
}
