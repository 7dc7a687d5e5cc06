/* track.c - polynomials of a step; see track.h. */
#include "track.h"

#include <math.h>
#include <stdlib.h>

#include <arb_poly.h>

#include "base/memory.h"

static slong states_of(const struct model *model)
{
    return 2 * model->n + model->ns + model->nz;
}

struct candidate *candidate_new(const struct model *model, const struct mode *mode,
                                int multipliers, int lanes, int order)
{
    struct candidate *c = memory_new(1, sizeof *c);
    *c = (struct candidate){.mode = mode, .lanes = lanes, .order = order,
                            .multipliers = multipliers};
    arb_init(c->t);
    arb_init(c->length);
    c->states = lanes * states_of(model);
    c->rates = (slong)lanes * (model->n + multipliers + model->ns + model->nz) *
               (order + 1);
    c->state = _arb_vec_init(c->states);
    c->rate = _arb_vec_init(c->rates);
    return c;
}

void candidate_free(struct candidate *c)
{
    if (c == NULL)
        return;
    arb_clear(c->t);
    arb_clear(c->length);
    _arb_vec_clear(c->state, c->states);
    _arb_vec_clear(c->rate, c->rates);
    free(c);
}

/* --- polynomials -------------------------------------------------------------------- */

static arb_ptr polynomial(const struct track *track, int lane, int index)
{
    return track->coefficient + ((slong)lane * track->width + index) * track->length;
}

static arb_ptr slope_of(const struct track *track, int lane, int index)
{
    return track->slope + ((slong)lane * track->width + index) * (track->length - 1);
}

/* to = from + integral of `rate`, of degree `order` */
static void integrate(arb_ptr to, const arb_t from, arb_srcptr rate, int order,
                      slong precision)
{
    arb_set(to, from);
    for (int k = 0; k <= order; k++)
        arb_div_ui(to + k + 1, rate + k, (ulong)k + 1, precision);
}

static void copy_rate(struct track *track, int lane, int index, arb_srcptr rate,
                      int order)
{
    _arb_vec_set(polynomial(track, lane, index), rate, order + 1);
}

static void fill_lane(struct track *track, const struct candidate *c, int lane,
                      slong precision)
{
    int n = track->n, m = track->m, ns = track->ns, nz = track->nz, order = c->order;
    arb_srcptr state = c->state + (slong)lane * (2 * n + ns + nz);
    arb_srcptr rate = c->rate + (slong)lane * (n + m + ns + nz) * (order + 1);
    int a = 2 * n + ns;
    for (int i = 0; i < n + m; i++)
        copy_rate(track, lane, a + i, rate + i * (order + 1), order);
    for (int i = 0; i < n; i++) {
        integrate(polynomial(track, lane, n + i), state + n + i, polynomial(track, lane,
                  a + i), order, precision);
        integrate(polynomial(track, lane, i), state + i, polynomial(track, lane, n + i),
                  order + 1, precision);
    }
    for (int i = 0; i < ns + nz; i++) {
        arb_srcptr own = rate + (n + m + i) * (order + 1);
        int index = i < ns ? 2 * n + i : track->z + i - ns;
        copy_rate(track, lane, track->s_rate + i, own, order);
        integrate(polynomial(track, lane, index), state + 2 * n + i, own, order,
                  precision);
    }
}

static void fill_slopes(struct track *track)
{
    for (int lane = 0; lane < track->lanes; lane++)
        for (int i = 0; i < track->width; i++)
            for (int k = 1; k < track->length; k++) {
                arb_ptr to = slope_of(track, lane, i) + k - 1;
                arb_abs(to, polynomial(track, lane, i) + k);
                arb_mul_ui(to, to, (ulong)k, 64);
                arb_get_abs_ubound_arf(arb_midref(to), to, 64);
                mag_zero(arb_radref(to));
            }
}

struct track *track_new(const struct candidate *c, const struct model *model,
                        slong precision)
{
    struct track *track = memory_new(1, sizeof *track);
    int n = model->n, m = c->multipliers, ns = model->ns, nz = model->nz;
    *track = (struct track){.lanes = c->lanes, .width = 3 * n + m + 2 * (ns + nz),
                            .length = c->order + 3, .n = n, .m = m, .ns = ns, .nz = nz,
                            .z = 3 * n + m + ns};
    track->s_rate = track->z + nz;
    track->z_rate = track->s_rate + ns;
    slong count = (slong)track->lanes * track->width;
    track->coefficient = _arb_vec_init(count * track->length);
    track->slope = _arb_vec_init(count * (track->length - 1));
    track->power = _arb_vec_init(2 * track->length);
    for (int lane = 0; lane < c->lanes; lane++)
        fill_lane(track, c, lane, precision);
    fill_slopes(track);
    return track;
}

void track_free(struct track *track)
{
    if (track == NULL)
        return;
    slong count = (slong)track->lanes * track->width;
    _arb_vec_clear(track->coefficient, count * track->length);
    _arb_vec_clear(track->slope, count * (track->length - 1));
    _arb_vec_clear(track->power, 2 * track->length);
    free(track);
}

/* --- the rest of a step ------------------------------------------------------------- */

/* Values of a track take the place of the state at a time. */
static void shift_state(struct candidate *c, struct track *track, const arb_t offset,
                        slong precision)
{
    int n = track->n, ns = track->ns, nz = track->nz, states = 2 * n + ns + nz;
    acb_t time;
    acb_init(time);
    acb_set_arb(time, offset);
    acb_ptr value = _acb_vec_init(track->lanes * track->width);
    track_at(track, time, value, precision);
    for (int lane = 0; lane < c->lanes; lane++)
        for (int i = 0; i < states; i++) {
            int from = i < 2 * n + ns ? i : track->z + i - 2 * n - ns;
            arb_get_mid_arb(c->state + lane * states + i,
                            acb_realref(value + lane * track->width + from));
        }
    _acb_vec_clear(value, track->lanes * track->width);
    acb_clear(time);
}

void candidate_shift(struct candidate *c, const struct model *model, const arb_t offset,
                     slong precision)
{
    int length = c->order + 1;
    struct track *track = track_new(c, model, precision);
    shift_state(c, track, offset, precision);
    track_free(track);
    for (slong i = 0; i < c->rates; i += length)
        _arb_poly_taylor_shift(c->rate + i, offset, length, precision);
    for (slong i = 0; i < c->rates; i++)
        arb_get_mid_arb(c->rate + i, c->rate + i);
    arb_add(c->t, c->t, offset, precision);
    arb_sub(c->length, c->length, offset, precision);
    arb_get_mid_arb(c->t, c->t);
    arb_get_mid_arb(c->length, c->length);
}

/* --- values ------------------------------------------------------------------------- */

/* Powers of a time: their real parts, then their imaginary parts. */
static void fill_powers(struct track *track, const acb_t time, slong precision)
{
    acb_t x;
    acb_init(x);
    acb_one(x);
    for (int k = 0; k < track->length; k++) {
        arb_set(track->power + k, acb_realref(x));
        arb_set(track->power + track->length + k, acb_imagref(x));
        acb_mul(x, x, time, precision);
    }
    acb_clear(x);
}

void track_at(struct track *track, const acb_t time, acb_ptr value, slong precision)
{
    bool real = acb_is_real(time);
    fill_powers(track, time, precision);
    for (int lane = 0; lane < track->lanes; lane++)
        for (int i = 0; i < track->width; i++) {
            arb_srcptr c = polynomial(track, lane, i);
            acb_ptr to = value + lane * track->width + i;
            arb_dot(acb_realref(to), NULL, 0, c, 1, track->power, 1, track->length,
                    precision);
            if (real)
                arb_zero(acb_imagref(to));
            else
                arb_dot(acb_imagref(to), NULL, 0, c, 1, track->power + track->length, 1,
                        track->length, precision);
        }
}

/* |p(t) - p(c)| <= |t - c| sup |p'| on the disk. */
void track_over(struct track *track, const acb_t time, const arb_t radius, acb_ptr value,
                slong precision)
{
    bool real = acb_is_real(time);
    acb_t far;
    arb_t change;
    mag_t bound;
    acb_init(far);
    arb_init(change);
    mag_init(bound);
    track_at(track, time, value, precision);
    acb_abs(acb_realref(far), time, 64);
    arb_add(acb_realref(far), acb_realref(far), radius, 64);
    fill_powers(track, far, 64);
    for (int lane = 0; lane < track->lanes; lane++)
        for (int i = 0; i < track->width; i++) {
            acb_ptr to = value + lane * track->width + i;
            arb_dot(change, NULL, 0, slope_of(track, lane, i), 1, track->power, 1,
                    track->length - 1, 64);
            arb_mul(change, change, radius, 64);
            arb_get_mag(bound, change);
            arb_add_error_mag(acb_realref(to), bound);
            if (!real)
                arb_add_error_mag(acb_imagref(to), bound);
        }
    acb_clear(far);
    arb_clear(change);
    mag_clear(bound);
}

/* log2 of the middle of a ball */
static double log2_of(const arb_t x)
{
    return arf_is_zero(arb_midref(x)) ? -INFINITY
                                      : (double)arf_abs_bound_lt_2exp_si(arb_midref(x));
}

double track_reach(const struct track *track, double h, double bits)
{
    const int kind[] = {0, track->n, 2 * track->n, 2 * track->n + track->ns,
                        3 * track->n + track->ns, track->z, track->s_rate, track->z_rate,
                        track->width};
    double reach = INFINITY;
    for (int g = 0; g + 1 < (int)(sizeof kind / sizeof *kind); g++) {
        double largest = -INFINITY;
        for (int i = kind[g]; i < kind[g + 1]; i++)
            for (int k = 0; k < track->length; k++)
                largest = fmax(largest, log2_of(polynomial(track, 0, i) + k) + k * h);
        for (int i = kind[g]; i < kind[g + 1]; i++)
            for (int k = 1; k < track->length; k++)
                reach = fmin(reach,
                             (largest + bits - log2_of(polynomial(track, 0, i) + k)) / k);
    }
    return isnan(reach) ? INFINITY : reach;
}
