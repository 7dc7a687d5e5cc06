/*
 * ball_root.c - zeros of functions of balls (ball.h).
 */
#include <float.h>
#include <math.h>

#include "oracles/ball_workspace.h"

/* --- one zero ----------------------------------------------------------------------- */

enum { FIRST_BITS = 64, MOST_STEPS = 1000, WIDENINGS = 4 };

static double size_of(ball a)
{
    mag_t size;
    mag_init(size);
    acb_get_mag(size, a);
    double bound = mag_get_d(size);
    mag_clear(size);
    return bound;
}

/* log2 of the size of a ball. */
static double log2_size(ball a)
{
    mag_t size;
    mag_init(size);
    acb_get_mag(size, a);
    double bound = mag_is_zero(size) ? -INFINITY : mag_get_d_log2_approx(size);
    mag_clear(size);
    return bound;
}

static ball newton_step(ball_motion *f, const void *context, ball x)
{
    ball rate, value = f(context, x, &rate);
    return b_middle(b_div(value, rate));
}

/* Newton in the precision of doubles, in steps that do not leave the region where f
   behaves as it does here. */
static ball newton_far(ball_motion *f, const void *context, ball x, double most)
{
    for (int k = 0; k < MOST_STEPS; k++) {
        ball step = newton_step(f, context, x);
        double size = size_of(step), here = size_of(x);
        if (!(size < DBL_MAX))
            break;
        if (size > most)
            step = b_mul(step, b_double(most / size));
        x = b_middle(b_sub(x, step));
        if (size <= 1e-12 * (1 + here))
            break;
    }
    return x;
}

/* x - f(x)/f'(X), for a ball X around x, lies within X: then X holds a zero, and one only
   (Moore, Kearfott, Cloud 2009, ch. 8). */
static ball newton_operator(ball_motion *f, const void *context, ball x)
{
    ball rate, value = f(context, x, &rate);
    double radius = log2_size(b_div(value, rate)) + 2;
    if (radius == -INFINITY)
        return x;
    for (int k = 0; k < WIDENINGS && radius < DBL_MAX; k++) {
        acb_ptr around = ball_new();
        acb_set(around, x);
        arb_add_error_2exp_si(acb_realref(around), (slong)ceil(radius));
        arb_add_error_2exp_si(acb_imagref(around), (slong)ceil(radius));
        f(context, around, &rate);
        ball image = b_sub(x, b_div(value, rate));
        if (acb_contains_interior(around, image))
            return image;
        radius += 8;
    }
    return NULL;
}

ball b_root(ball_motion *f, const void *context, ball near, double most)
{
    long bits = ball_precision(FIRST_BITS);
    ball x = newton_far(f, context, b_middle(near), most);
    for (long p = FIRST_BITS; p < bits; p *= 2) {
        ball_precision(2 * p < bits ? 2 * p : bits);
        x = b_middle(b_sub(x, newton_step(f, context, x)));
    }
    ball_precision(bits);
    x = newton_operator(f, context, x);
    if (x)
        return x;
    b_set_undecided();
    acb_ptr nothing = ball_new();
    acb_indeterminate(nothing);
    return nothing;
}

/* --- the first zero ----------------------------------------------------------------- */

enum { HALVINGS = 50 };

struct search {
    ball_motion *f;
    const void *context;
    int direction;
    bool found;
    double low, high;       /* an interval around the zero, if one was found: f is
                               monotonic there */
};

static int sign_in(const struct search *search, double a, double b, int *rate_sign)
{
    ball x = b_hull(b_double(a), b_double(b));
    ball rate, value = search->f(search->context, x, &rate);
    *rate_sign = search->direction * b_sign(rate);
    return search->direction * b_sign(value);
}

static bool crosses(struct search *search, double a, double b)
{
    int rate;
    search->found = sign_in(search, a, a, &rate) < 0 && sign_in(search, b, b, &rate) >= 0;
    search->low = a;
    search->high = b;
    return search->found;
}

/* Searches an interval; false: it stays open whether there is a zero. */
static bool search_in(struct search *search, double a, double b, int halvings)
{
    int rate, ignored, value = sign_in(search, a, b, &rate);
    if (value != 0 || rate < 0)
        return true;
    if (rate > 0 && (crosses(search, a, b) || sign_in(search, a, a, &ignored) > 0 ||
                     sign_in(search, b, b, &ignored) < 0))
        return true;
    double middle = a + (b - a) / 2;
    return halvings > 0 && search_in(search, a, middle, halvings - 1) &&
           (search->found || search_in(search, middle, b, halvings - 1));
}

ball b_first_root(ball_motion *f, const void *context, double a, double b, int direction)
{
    struct search search = {f, context, direction, false, a, b};
    long bits = ball_precision(FIRST_BITS);
    bool decided = search_in(&search, a, b, HALVINGS);
    ball_precision(bits);
    if (!decided)
        b_set_undecided();
    if (!decided || !search.found)
        return NULL;
    double width = search.high - search.low;
    ball x = b_root(f, context, b_double(search.low + width / 2), width / 4);
    if (fabs(b_double_of(x) - search.low - width / 2) > 0.501 * width)
        b_set_undecided();
    return x;
}
