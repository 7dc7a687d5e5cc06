/*
 * ball.c - the workspace of a thread, and the operations of Arb in it (ball.h).
 */
#include "oracles/ball.h"

#include <stdlib.h>

#include "base/memory.h"
#include "oracles/ball_workspace.h"

_Thread_local struct workspace ball_workspace;

enum { CHUNK = 1024 };

void ball_open(long bits)
{
    if (ball_workspace.bits)
        slip("a workspace of balls is open already");
    ball_workspace.bits = bits;
}

/* Frees the constants, pi and the like, that Arb keeps for every thread, too. */
void ball_close(void)
{
    struct workspace *w = &ball_workspace;
    for (int k = 0; k < w->chunks; k++)
        _acb_vec_clear(w->chunk[k], CHUNK);
    free(w->chunk);
    *w = (struct workspace){0};
    flint_cleanup();
}

long ball_precision(long bits)
{
    long before = ball_workspace.bits;
    ball_workspace.bits = bits;
    return before;
}

acb_ptr ball_new(void)
{
    struct workspace *w = &ball_workspace;
    if (w->used == (long)CHUNK * w->chunks) {
        w->chunk = memory_grow(w->chunk, &w->room, w->chunks + 1, sizeof *w->chunk);
        w->chunk[w->chunks++] = _acb_vec_init(CHUNK);
    }
    long k = w->used++;
    return w->chunk[k / CHUNK] + k % CHUNK;
}

long ball_mark(void)
{
    return ball_workspace.used;
}

void ball_release(long mark, ball **kept, int count)
{
    acb_ptr copy = _acb_vec_init(count);
    for (int i = 0; i < count; i++)
        acb_set(copy + i, *kept[i]);
    ball_workspace.used = mark;
    for (int i = 0; i < count; i++) {
        acb_ptr x = ball_new();
        acb_swap(x, copy + i);
        *kept[i] = x;
    }
    _acb_vec_clear(copy, count);
}

/* --- numbers ------------------------------------------------------------------------ */

ball b_int(long value)
{
    acb_ptr x = ball_new();
    acb_set_si(x, value);
    return x;
}

ball b_exp2(long exponent)
{
    acb_ptr x = ball_new();
    acb_one(x);
    acb_mul_2exp_si(x, x, exponent);
    return x;
}

ball b_double(double value)
{
    acb_ptr x = ball_new();
    acb_set_d(x, value);
    return x;
}

ball b_mpfr(mpfr_srcptr value)
{
    acb_ptr x = ball_new();
    acb_zero(x);
    arf_set_mpfr(arb_midref(acb_realref(x)), value);
    return x;
}

ball b_pi(void)
{
    acb_ptr x = ball_new();
    acb_const_pi(x, ball_workspace.bits);
    return x;
}

ball b_complex(ball re, ball im)
{
    acb_ptr x = ball_new();
    acb_set_arb_arb(x, acb_realref(re), acb_realref(im));
    return x;
}

ball b_real(ball a)
{
    acb_ptr x = ball_new();
    acb_set_arb(x, acb_realref(a));
    return x;
}

ball b_imag(ball a)
{
    acb_ptr x = ball_new();
    acb_set_arb(x, acb_imagref(a));
    return x;
}

ball b_middle(ball a)
{
    acb_ptr x = ball_new();
    acb_get_mid(x, a);
    return x;
}

ball b_hull(ball a, ball b)
{
    acb_ptr x = ball_new();
    acb_union(x, a, b, ball_workspace.bits);
    return x;
}

/* --- operations --------------------------------------------------------------------- */

#define UNARY(name, function) \
    ball name(ball a) \
    { \
        acb_ptr x = ball_new(); \
        function(x, a, ball_workspace.bits); \
        return x; \
    }
#define BINARY(name, function) \
    ball name(ball a, ball b) \
    { \
        acb_ptr x = ball_new(); \
        function(x, a, b, ball_workspace.bits); \
        return x; \
    }
#define WITH_INTEGER(name, function) \
    ball name(ball a, long k) \
    { \
        acb_ptr x = ball_new(); \
        function(x, a, k, ball_workspace.bits); \
        return x; \
    }

BINARY(b_add, acb_add)
BINARY(b_sub, acb_sub)
BINARY(b_mul, acb_mul)
BINARY(b_div, acb_div)
WITH_INTEGER(b_times, acb_mul_si)
WITH_INTEGER(b_over, acb_div_si)
WITH_INTEGER(b_power, acb_pow_si)
UNARY(b_inv, acb_inv)
UNARY(b_square, acb_sqr)
UNARY(b_sqrt, acb_sqrt)
UNARY(b_exp, acb_exp)
UNARY(b_log, acb_log)
UNARY(b_sin, acb_sin)
UNARY(b_cos, acb_cos)
UNARY(b_asin, acb_asin)
UNARY(b_acos, acb_acos)
UNARY(b_atan, acb_atan)

ball b_neg(ball a)
{
    acb_ptr x = ball_new();
    acb_neg(x, a);
    return x;
}

/* log(x + i y) - log(x - i y) is twice i the angle, and cut on the negative x axis only:
   there, the angle of the opposite point is taken. */
ball b_atan2(ball y, ball x)
{
    bool turned = b_sign(x) < 0;
    ball c = turned ? b_neg(x) : x, s = turned ? b_neg(y) : y;
    ball i = b_complex(b_int(0), b_int(1)), is = b_mul(i, s);
    ball twice = b_sub(b_log(b_add(c, is)), b_log(b_sub(c, is)));
    ball angle = b_over(b_neg(b_mul(i, twice)), 2);
    return turned ? b_add(angle, b_pi()) : angle;
}

ball b_sum_of(const ball *term, int count)
{
    acb_ptr x = ball_new();
    acb_set(x, term[0]);
    for (int k = 1; k < count; k++)
        acb_add(x, x, term[k], ball_workspace.bits);
    return x;
}

ball b_product_of(const ball *factor, int count)
{
    acb_ptr x = ball_new();
    acb_set(x, factor[0]);
    for (int k = 1; k < count; k++)
        acb_mul(x, x, factor[k], ball_workspace.bits);
    return x;
}

/* --- decisions ---------------------------------------------------------------------- */

int b_sign(ball a)
{
    if (!acb_is_finite(a))
        return 0;
    return arb_is_positive(acb_realref(a)) - arb_is_negative(acb_realref(a));
}

bool b_positive(ball a)
{
    int sign = b_sign(a);
    if (sign == 0 && !(acb_is_finite(a) && arb_is_zero(acb_realref(a))))
        b_set_undecided();
    return sign > 0;
}

bool b_less(ball a, ball b)
{
    return b_positive(b_sub(b, a));
}

bool b_undecided(void)
{
    return ball_workspace.undecided;
}

void b_set_undecided(void)
{
    ball_workspace.undecided = true;
}

double b_double_of(ball a)
{
    return arf_get_d(arb_midref(acb_realref(a)), ARF_RND_NEAR);
}
