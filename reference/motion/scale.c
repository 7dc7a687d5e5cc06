/*
 * scale.c - scaling of time by the radius of convergence, so that a Taylor series can be
 * computed in fixed point.
 *
 * In units of the radius of convergence all coefficients of a series are of about one
 * size, and convolutions can be done in fixed point (fixed.h), several times as fast. The
 * radius is not known before the series is. The expansion begins with the unit of the
 * last one. In the first half of the coefficients, at 8, 16, 32, ..., the unit is
 * adjusted to the growth that they show so far, and they are brought to the new unit. If
 * they vanish, the motion is a polynomial, and its numbers stay floating. If rounding is
 * left of them all of it is expanded again in floating numbers: steps of a polynomial
 * have no end, and rounding of few digits would count at theirs. A pole nearby with a
 * small residue shows only in the second half; there the unit is made shorter when
 * coefficients outgrow the first ones, so that the last will be as large as the largest.
 * If the last coefficients are too large all the same, the expansion is made again in a
 * unit that is shorter by their growth, and floating if that does not fit either. Once
 * growth was late, the first half may only make the unit shorter, and an expansion begins
 * with the unit in which the last coefficients of the expansion before were as large as
 * the first.
 *
 * Rounding, too, grows from coefficient to coefficient, as these are exact to fewer and
 * fewer digits: what does not count in the digits of the step, relative to the largest
 * coefficients of the motion, says nothing of its growth. Such are the coefficients of a
 * coordinate that moves uniformly because forces cancel.
 *
 * Digits: on a step of 2^h coefficient k contributes 2^(k (h - unit)) of its size here,
 * and its products are exact to 2^-(bits (1 - k/order) + 64) of the largest coefficients
 * of their factors (choose_limbs in taylor.c). With h = unit - (bits - slack)/order the
 * error of every term is below 2^-(bits + 64 - slack). So 20 of the 64 bits are for a
 * unit that is off, the others for sums and for factors whose first coefficient is not
 * their largest.
 */
#include <limits.h>
#include <math.h>

#include "taylor.h"

#include "formula/domain_edges.h"

enum {
    FIRST_FIXED = 8,    /* coefficients below are sums of few products and stay
                           floating */
    SLACK = 20,         /* bits that the unit may be off by at the last coefficient */
    CLOSE = 16,         /* bits of the slack that are not worth a change of the unit */
    MOST = 8,           /* log2 of the largest change of the unit at once */
    LATE = 8,           /* coefficients between two looks at the second half */
    GROWN = 8           /* bits of the slack that are worth a change there */
};

static double bits_of(const struct taylor *taylor)
{
    return (taylor->digits + 5) * MP_BITS_PER_DIGIT;
}

void taylor_begin_unit(struct taylor *taylor, bool scaled)
{
    taylor->scaled = scaled;
    taylor->polynomial = false;
    if (scaled && taylor->late)
        taylor->unit_of_time -= taylor->grown / taylor->order;
    if (scaled)
        taylor->grown = -INFINITY;
    mp_series_fixed(taylor->motion->series, scaled ? FIRST_FIXED : INT_MAX);
    mpfr_set_ui(taylor->t + 1, 1, MPFR_RNDN);
    if (scaled)
        mp_exp2(taylor->t + 1, taylor->unit_of_time);
}

/* log2 of the largest of coefficients first .. end - 1 of a guard, in the unit in use */
static double largest_of_guard(const struct taylor *taylor, int guard, int first, int end)
{
    int output = taylor->motion->plan->guard + guard;
    double most = -INFINITY;
    for (int k = first; k < end; k++)
        most = fmax(most, mp_log2(taylor_output(taylor, 0, output, k)));
    return most;
}

/* log2 of the largest of coefficients first .. end - 1 of a group of a lane */
static double largest(const struct taylor *taylor, int lane, int group, int first,
                      int end)
{
    double most = -INFINITY;
    for (int k = first; k < end; k++)
        most = fmax(most, taylor_coefficient(taylor, lane, group, k));
    return most;
}

/* log2 of what does not count in coefficient k, of the largest of those below k: on the
   longest step it is less than the digits of the first. */
static double negligible(const struct taylor *taylor, int k)
{
    double most = -INFINITY;
    for (int group = 0; group < TAYLOR_GROUPS; group++)
        most = fmax(most, largest(taylor, 0, group, 0, k));
    return most - bits_of(taylor) * (1 - (double)k / taylor->order);
}

/* log2 of the ratio of successive coefficients below k in the group that grows
   fastest, from its second quarter to its last. -INFINITY: none counts. */
static double growth(const struct taylor *taylor, int k)
{
    double most = -INFINITY, least = negligible(taylor, k);
    for (int group = 0; group < TAYLOR_GROUPS; group++) {
        double early = largest(taylor, 0, group, k / 4, k / 2);
        double late = largest(taylor, 0, group, k - k / 4, k);
        if (early > -INFINITY && late > least)
            most = fmax(most, (late - early) / (k - k / 2));
    }
    return most;
}

/* log2 of the ratio of successive coefficients by which a group that is late to grow,
   beyond its coefficients below k - LATE, would grow up to the last coefficient.
   -INFINITY: no group grows so. */
static double late_growth(const struct taylor *taylor, int k)
{
    double most = -INFINITY, least = negligible(taylor, taylor->order / 2);
    for (int group = 0; group < TAYLOR_ALL_GROUPS; group++) {
        double late = largest(taylor, 0, group, k - LATE, k);
        double before = largest(taylor, 0, group, k - 2 * LATE, k - LATE);
        double early = fmax(before, largest(taylor, 0, group, 0, k - 2 * LATE));
        if (early <= least || late < early + GROWN)
            continue;
        double last = late + (late - before) / LATE * (taylor->order - k);
        most = fmax(most, (last - early) / taylor->order);
    }
    return most;
}

/* Fills powers 0 and 2 .. count - 1 of power[1]. */
static void fill_powers(struct taylor *taylor, int count)
{
    mpfr_ptr power = taylor->power;
    mpfr_set_ui(power, 1, MPFR_RNDN);
    for (int j = 2; j < count; j++)
        mpfr_mul(power + j, power + j - 1, power + 1, MPFR_RNDN);
}

static void scale_lane(struct taylor *taylor, int lane, int count)
{
    for (int i = 0; i < taylor->width; i++)
        mp_scale(taylor_y(taylor, lane, i), taylor->power, count);
    for (int i = 0; i < taylor->motion->plan->unknowns; i++)
        mp_scale(taylor_u(taylor, lane, i), taylor->power, count);
}

/* Makes the unit shorter by 2^e, with k coefficients that have been expanded. */
static void change_unit(struct taylor *taylor, double e, int k)
{
    e = fmax(fmin(e, MOST), -MOST);
    mp_exp2(taylor->power + 1, -e);
    fill_powers(taylor, k);
    scale_lane(taylor, 0, k);
    mp_series_scale(taylor->motion->series, taylor->power, k);
    taylor->unit_of_time -= e;
    mpfr_mul(taylor->t + 1, taylor->t + 1, taylor->power + 1, MPFR_RNDN);
}

void taylor_adjust_unit(struct taylor *taylor, int k)
{
    bool power_of_two = (k & (k - 1)) == 0, second_half = k > taylor->order / 2;
    if (!taylor->scaled || taylor->polynomial || k < FIRST_FIXED)
        return;
    if (second_half && k >= 2 * LATE && k % LATE == 0) {
        double e = late_growth(taylor, k);
        if (e > 0)
            change_unit(taylor, e, k);
    } else if (!second_half && power_of_two) {
        double e = growth(taylor, k);
        if (e == -INFINITY) {
            taylor->polynomial = true;
            mp_series_fixed(taylor->motion->series, INT_MAX);
        } else if ((taylor->late ? e : fabs(e)) * taylor->order >= CLOSE) {
            change_unit(taylor, e, k);
        }
    }
}

/* Raises taylor->grown to the growth from the largest of the early coefficients to that
   of the late ones, unless the early ones are no more than `least`. */
static void note_grown(struct taylor *taylor, double least, double early, double late)
{
    if (early > least && late > -INFINITY)
        taylor->grown = fmax(taylor->grown, late - early);
}

/* Is there a coefficient among those that were computed in fixed point? */
static bool has_fixed(const struct taylor *taylor)
{
    for (int group = 0; group < TAYLOR_ALL_GROUPS; group++)
        if (largest(taylor, 0, group, FIRST_FIXED, taylor->order + 1) > -INFINITY)
            return true;
    return false;
}

bool taylor_unit_fits(struct taylor *taylor, int lane)
{
    if (!taylor->scaled)
        return true;
    if (taylor->polynomial)
        return lane > 0 || !has_fixed(taylor);
    int end = taylor->order + 1;
    double least = negligible(taylor, end / 2);
    for (int group = 0; group < TAYLOR_ALL_GROUPS; group++)
        note_grown(taylor, least, largest(taylor, lane, group, 0, end / 2),
                   largest(taylor, lane, group, end / 2, end));
    for (int i = 0; lane == 0 && i < taylor->plan->guards; i++)
        note_grown(taylor, least, largest_of_guard(taylor, i, 0, end / 2),
                   largest_of_guard(taylor, i, end / 2, end));
    return taylor->grown <= SLACK;
}

void taylor_note_late(struct taylor *taylor)
{
    double by_half = fmin(growth(taylor, taylor->order / 2), 0);
    taylor->late = taylor->scaled && isfinite(taylor->grown) &&
                   taylor->grown - by_half * taylor->order > SLACK;
}

/* Copies the series of `count` outputs from `first` on into `to`, in the caller's
   unit. */
static void take_outputs(const struct taylor *taylor, mpfr_ptr to, int first, int count,
                         int order)
{
    for (int i = 0; i < count; i++, to += taylor->order + 1) {
        for (int k = 0; k <= order; k++)
            mpfr_set(to + k, taylor_output(taylor, 0, first + i, k), MPFR_RNDN);
        if (taylor->scaled)
            mp_scale(to, taylor->power, order + 1);
    }
}

void taylor_end_unit(struct taylor *taylor, int lanes, int order)
{
    const struct motion_plan *plan = taylor->motion->plan;
    if (taylor->scaled) {
        mpfr_ui_div(taylor->power + 1, 1, taylor->t + 1, MPFR_RNDN);
        fill_powers(taylor, order + 1);
        for (int lane = 0; lane < lanes; lane++)
            scale_lane(taylor, lane, order + 1);
    }
    take_outputs(taylor, taylor->guard, plan->guard, taylor->plan->guards, order);
    take_outputs(taylor, taylor->edge, plan->edges, 2 * taylor->plan->mode->edges->count,
                 order);
}

double taylor_reach(const struct taylor *taylor)
{
    if (!taylor->scaled || taylor->polynomial)
        return INFINITY;
    return taylor->unit_of_time - (bits_of(taylor) - SLACK) / taylor->order;
}
