/* defect.c - the residual of a track, bounded by Chebyshev interpolation; see defect.h.
   */
#include "defect.h"

#include <math.h>

#include "base/memory.h"

enum {
    FIRST_BOXES = 32,           /* boxes that half of the ellipse is covered by at first
                                   */
    MOST_BOXES = 512,
    MOST_NODES = 20000,
    GROWTH_BITS = 3             /* growth of terms on the ellipse, log2 */
};

static void raise_by_residual(const struct stage *stage, mag_ptr bound)
{
    mag_t size;
    mag_init(size);
    for (int i = 0; i < stage->track->lanes * stage->rows; i++) {
        acb_get_mag(size, stage->residual + i);
        mag_max(bound + i, bound + i, size);
    }
    mag_clear(size);
}

/* size = the sum of |by_ik x_k| over the slots k of row i, in the units of the row. x:
   slots, or a column of tangents. */
static void size_of_row(const struct ball_rows *rows, int i, const struct stage *stage,
                        int lane, mag_t size)
{
    mag_t by, x;
    mag_init(by);
    mag_init(x);
    for (int k = 0; k < rows->slots; k++) {
        acb_get_mag(by, acb_mat_entry(rows->by, i, k));
        acb_get_mag(x, lane == 0 ? stage->slot + k
                                 : acb_mat_entry(stage->tangents, k, lane - 1));
        mag_addmul(size, by, x);
    }
    mag_clear(by);
    mag_clear(x);
}

/* Notes the signs of denominators at the middle of the step, and how large the terms are
   there that the residual is made of: size [lanes][rows]. */
static bool look_at_middle(struct stage *stage, mag_ptr size)
{
    struct mode_equations *e = stage->equations;
    const struct track *track = stage->track;
    acb_t middle;
    mag_t rate;
    acb_init(middle);
    mag_init(rate);
    acb_set_arb(middle, stage->span);
    acb_mul_2exp_si(middle, middle, -1);
    stage_load(stage, middle, NULL, 64);
    bool good = mode_equations_run(e, stage->slot, false, 64);
    for (int lane = 0; good && lane < track->lanes; lane++)
        for (int i = 0; i < stage->rows; i++) {
            mag_ptr to = size + lane * stage->rows + i;
            int k = i - e->unknowns;
            size_of_row(k < 0 ? &e->R : &e->f, k < 0 ? i : k, stage, lane, to);
            if (k < 0)
                continue;
            acb_get_mag(rate, stage->value + lane * track->width + track->s_rate + k);
            mag_add(to, to, rate);
        }
    acb_clear(middle);
    mag_clear(rate);
    return good;
}

/* Box k of `boxes` on the upper half of the ellipse with semi-axes A, B about H/2: its
   centre, and a radius that covers its arc, since |dz/dtheta| <= A. */
static void box_of(const arb_t half, const arb_t A, const arb_t B, int k, int boxes,
                   acb_t centre, arb_t radius)
{
    arb_t theta, sine, cosine;
    arb_init(theta);
    arb_init(sine);
    arb_init(cosine);
    arb_const_pi(theta, 64);
    arb_mul_ui(theta, theta, 2 * (ulong)k + 1, 64);
    arb_div_ui(theta, theta, 2 * (ulong)boxes, 64);
    arb_sin_cos(sine, cosine, theta, 64);
    arb_mul(acb_realref(centre), A, cosine, 64);
    arb_add(acb_realref(centre), acb_realref(centre), half, 64);
    arb_mul(acb_imagref(centre), B, sine, 64);
    arb_const_pi(radius, 64);
    arb_mul(radius, radius, A, 64);
    arb_div_ui(radius, radius, 2 * (ulong)boxes, 64);
    arb_get_ubound_arf(arb_midref(radius), radius, 64);
    mag_zero(arb_radref(radius));
    arb_clear(theta);
    arb_clear(sine);
    arb_clear(cosine);
}

/* M on the ellipse with semi-major axis A; the other half is its mirror image. */
static bool cover(struct stage *stage, const arb_t half, const arb_t A, int boxes,
                  mag_ptr M)
{
    acb_t centre;
    arb_t B, radius;
    acb_init(centre);
    arb_init(B);
    arb_init(radius);
    arb_mul(B, A, A, 64);
    arb_submul(B, half, half, 64);
    arb_sqrt(B, B, 64);
    bounds_zero(M, stage->track->lanes * stage->rows);
    bool good = true;
    for (int k = 0; good && k < boxes; k++) {
        box_of(half, A, B, k, boxes, centre, radius);
        stage_load(stage, centre, radius, 64);
        good = stage_residual(stage, true, 64);
        if (good)
            raise_by_residual(stage, M);
    }
    acb_clear(centre);
    arb_clear(B);
    arb_clear(radius);
    return good;
}

/* r = x + sqrt(x^2 - 1), from below, of the ellipse with semi-major axis A = x H/2. */
static void sum_of_axes(const arb_t half, const arb_t A, arb_t r)
{
    arb_t root;
    arb_init(root);
    arb_div(r, A, half, 64);
    arb_mul(root, r, r, 64);
    arb_sub_ui(root, root, 1, 64);
    arb_sqrt(root, root, 64);
    arb_add(r, r, root, 64);
    arb_get_lbound_arf(arb_midref(r), r, 64);
    mag_zero(arb_radref(r));
    arb_clear(root);
}

/* log2 of the largest of M over its size, or over 1 where that is zero; at least 0 */
static double log2_most(const struct stage *stage, mag_srcptr M, mag_srcptr size)
{
    double most = 0;
    for (int i = 0; i < stage->track->lanes * stage->rows; i++)
        most = fmax(most, mag_get_d_log2_approx(M + i) -
                          (mag_is_zero(size + i) ? 0 : mag_get_d_log2_approx(size + i)));
    return most;
}

/* Finds an ellipse on which the equations are analytic. The widest is taken, unless they
   are so large there (a narrow Gaussian) that a narrower one asks for fewer nodes. r:
   lower bound of the sum of its semi-axes over H/2. Returns the nodes after which the
   error of interpolation is below 2^-bits of `size`; 0: there is none. */
static double find_ellipse(struct stage *stage, double bits, mag_srcptr size, mag_ptr M,
                           arb_t r)
{
    int count = stage->track->lanes * stage->rows;
    mag_ptr own = _mag_vec_init(count);
    arb_t half, A, own_r;
    arb_init(half);
    arb_init(A);
    arb_init(own_r);
    arb_mul_2exp_si(half, stage->span, -1);
    double h = log2(arf_get_d(arb_midref(stage->span), ARF_RND_NEAR));
    double reach = exp2(fmin(track_reach(stage->track, h, GROWTH_BITS) - h, 3.5));
    double least = 0;
    for (double wide = fmax(0.62 * reach, 1.3); wide > 1.003; wide = 1 + (wide - 1) / 2) {
        bool good = false;
        arb_set_d(A, 2 * wide - 1);
        arb_mul(A, A, half, 64);
        for (int boxes = FIRST_BOXES; !good && boxes <= MOST_BOXES; boxes *= 4)
            good = cover(stage, half, A, boxes, own);
        if (!good && least > 0)
            break;
        if (!good)
            continue;
        sum_of_axes(half, A, own_r);
        double most = log2_most(stage, own, size);
        double nodes = (bits + 4 + most) / log2(arf_get_d(arb_midref(own_r),
                                                          ARF_RND_DOWN));
        if (least > 0 && nodes >= least)
            break;
        least = nodes;
        bounds_copy(M, own, count);
        arb_set(r, own_r);
        if (most < bits / 2)
            break;
    }
    _mag_vec_clear(own, count);
    arb_clear(half);
    arb_clear(A);
    arb_clear(own_r);
    return least;
}

/* Values at the roots of the Chebyshev polynomial of degree `nodes`. */
static bool at_nodes(struct stage *stage, int nodes, mag_ptr bound)
{
    acb_t time;
    bool good = true;
    slong precision = stage->precision;
    acb_init(time);
    for (int i = 0; good && i < nodes; i++) {
        arb_ptr x = acb_realref(time);
        arb_const_pi(x, precision);
        arb_mul_ui(x, x, 2 * (ulong)i + 1, precision);
        arb_div_ui(x, x, 2 * (ulong)nodes, precision);
        arb_cos(x, x, precision);
        arb_add_ui(x, x, 1, precision);
        arb_mul(x, x, stage->span, precision);
        arb_mul_2exp_si(x, x, -1);
        stage_load(stage, time, NULL, precision);
        good = stage_residual(stage, false, precision);
        if (good)
            raise_by_residual(stage, bound);
    }
    acb_clear(time);
    return good;
}

/* bound = L bound + tail M */
static void combine(const struct stage *stage, int nodes, const arb_t r, mag_srcptr M,
                    mag_ptr bound)
{
    arb_t x, y;
    mag_t lebesgue, tail;
    arb_init(x);
    arb_init(y);
    mag_init(lebesgue);
    mag_init(tail);
    arb_log_ui(x, (ulong)nodes, 64);
    arb_const_pi(y, 64);
    arb_div(x, x, y, 64);
    arb_mul_2exp_si(x, x, 1);
    arb_add_ui(x, x, 1, 64);
    arb_get_mag(lebesgue, x);
    arb_pow_ui(x, r, (ulong)nodes - 1, 64);
    arb_sub_ui(y, r, 1, 64);
    arb_mul(x, x, y, 64);
    arb_ui_div(x, 4, x, 64);
    arb_get_mag(tail, x);
    for (int i = 0; i < stage->track->lanes * stage->rows; i++) {
        mag_mul(bound + i, bound + i, lebesgue);
        mag_addmul(bound + i, M + i, tail);
    }
    arb_clear(x);
    arb_clear(y);
    mag_clear(lebesgue);
    mag_clear(tail);
}

bool defect_bound(struct stage *stage, double bits, mag_ptr bound)
{
    int count = stage->track->lanes * stage->rows;
    mag_ptr M = _mag_vec_init(count), size = _mag_vec_init(count);
    arb_t r;
    arb_init(r);
    bool defined = look_at_middle(stage, size);
    double asked = defined ? find_ellipse(stage, bits, size, M, r) : 0;
    int nodes = asked < MOST_NODES ? (int)ceil(asked) + 2 : 0;
    bool good = asked > 0 && nodes > 0;
    bounds_zero(bound, count);
    good = good && at_nodes(stage, nodes, bound);
    if (good)
        combine(stage, nodes, r, M, bound);
    _mag_vec_clear(M, count);
    _mag_vec_clear(size, count);
    arb_clear(r);
    return good;
}
