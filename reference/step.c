/* step.c - the length of a Taylor step, and the state along it. */
#include <math.h>

#include "taylor.h"

enum { PASSES = 100 };

/* Components that share a unit: q, v, s, z of one lane. */
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

/* The largest a group gets on a step of 2^h: its largest term. All terms count: at rest
   the first ones of a sensitivity may be rounding. */
static double amplitude_at(const struct taylor *taylor, struct group group, double h)
{
    double largest = coefficient(taylor, group, 0);
    for (int k = 1; k <= taylor->order; k++)
        largest = fmax(largest, coefficient(taylor, group, k) + k * h);
    return largest;
}

/* Term k must stay below 2^(tolerance + bits) of the amplitude: bits = 0 for the last
   two, which stand for what is cut off; for the others, the bits they were
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

/* The amplitude of a group is the largest it has been, or becomes on this step:
   sensitivities that start from zero are measured by what they grow to. A shorter step
   has a smaller amplitude and may have to be shorter still; where the series diverges the
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

/* 64 bits are in hand (choose_limbs), 24 of them for sums. */
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

double taylor_guard_step(const struct taylor *taylor, double tolerance, double h)
{
    for (int i = 0; i < taylor->plan->guards; i++) {
        mpfr_srcptr c = taylor_guard(taylor, 0, i);
        double amplitude = -INFINITY;
        for (int k = 0; k <= taylor->order / 2; k++)
            amplitude = fmax(amplitude, mp_log2(c + k) + (k > 0 ? k * h : 0));
        for (int k = taylor->order - 1; k <= taylor->order; k++)
            if (!mpfr_zero_p(c + k) && amplitude > -INFINITY)
                h = fmin(h, (tolerance + amplitude - mp_log2(c + k)) / k);
    }
    return h;
}

void taylor_at(const struct taylor *taylor, mpfr_srcptr h, mpfr_ptr y)
{
    for (int i = 0; i < taylor->lanes * taylor->width; i++) {
        mpfr_srcptr c = taylor->y + (ptrdiff_t)i * (taylor->order + 1);
        mpfr_set(y + i, c + taylor->order, MPFR_RNDN);
        for (int k = taylor->order - 1; k >= 0; k--) {
            mpfr_mul(y + i, y + i, h, MPFR_RNDN);
            mpfr_add(y + i, y + i, c + k, MPFR_RNDN);
        }
    }
}
