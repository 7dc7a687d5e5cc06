/*
 * ball.h - complex numbers with error bounds, written like values.
 *
 * Arb (Johansson 2017) keeps numbers as balls: every operation encloses what rounding
 * and the uncertainty of its operands can make of the result. A `ball` is a number in
 * the workspace of the calling thread and is never changed: formulas are nested calls,
 *
 *     b_mul(b_sin(th), l)
 *
 * and nobody frees anything. Numbers live until the workspace is closed, or released to a
 * mark; released room is used again.
 *
 * Decisions are made on real parts (imaginary parts carry derivatives, closed.h). A
 * decision that the balls leave open is remembered: b_undecided().
 */
#ifndef SALTUS_BALL_H
#define SALTUS_BALL_H

#include <stdbool.h>

#include <acb.h>
#include <mpfr.h>

typedef acb_srcptr ball;

/* A workspace for this thread, in which numbers have so many bits. One at a time. */
void ball_open(long bits);
void ball_close(void);
/* Bits of the operations that follow; returns those of before. */
long ball_precision(long bits);

/* A mark in the workspace: a release forgets everything made after it. */
long ball_mark(void);
/* Forgets everything made after the mark, except `count` numbers that are kept: their
   pointers are moved. */
void ball_release(long mark, ball **kept, int count);

/* --- numbers ------------------------------------------------------------------------ */

ball b_int(long value);
ball b_exp2(long exponent);                 /* 2^exponent */
ball b_double(double value);                /* without rounding */
ball b_mpfr(mpfr_srcptr value);             /* without rounding */
ball b_pi(void);
ball b_complex(ball re, ball im);           /* made of the real parts of both */
ball b_real(ball x);
ball b_imag(ball x);
ball b_middle(ball x);                      /* without its radius */
ball b_hull(ball a, ball b);                /* encloses all numbers between a and b */

/* --- operations --------------------------------------------------------------------- */

ball b_add(ball a, ball b);
ball b_sub(ball a, ball b);
ball b_mul(ball a, ball b);
ball b_div(ball a, ball b);
ball b_neg(ball a);
ball b_inv(ball a);
ball b_times(ball a, long factor);
ball b_over(ball a, long divisor);
ball b_square(ball a);
ball b_power(ball a, long exponent);
ball b_sqrt(ball a);
ball b_exp(ball a);
ball b_log(ball a);
ball b_sin(ball a);
ball b_cos(ball a);
ball b_asin(ball a);
ball b_acos(ball a);
ball b_atan(ball a);
/* The angle of (x, y), between -pi/2 and 3 pi/2; analytic in both. */
ball b_atan2(ball y, ball x);
/* Legendre's integrals of the first and the second kind, from 0 to any real phi, of the
   parameter m = k^2 < 1 (ball_elliptic.c). */
ball b_elliptic_f(ball phi, ball m);
ball b_elliptic_e(ball phi, ball m);

/* Sums and products of any number of balls. */
#define b_sum(...) b_sum_of((ball[]){__VA_ARGS__}, BALLS(__VA_ARGS__))
#define b_product(...) b_product_of((ball[]){__VA_ARGS__}, BALLS(__VA_ARGS__))
#define BALLS(...) ((int)(sizeof((ball[]){__VA_ARGS__}) / sizeof(ball)))
ball b_sum_of(const ball *term, int count);
ball b_product_of(const ball *factor, int count);

/* --- decisions, on real parts ------------------------------------------------------- */

/* -1, 0, 1: the certain sign; 0 also where no sign is certain. */
int b_sign(ball a);
/* True where it is certain; an open decision is remembered and is false. */
bool b_positive(ball a);
bool b_less(ball a, ball b);
bool b_undecided(void);         /* was a decision left open since the workspace opened? */
void b_set_undecided(void);

double b_double_of(ball a);     /* the middle of the real part */

/* --- zeros (ball_root.c) ------------------------------------------------------------ */

/* A function and its derivative (*rate). */
typedef ball ball_motion(const void *context, ball x, ball *rate);
/* The zero near `near`: Newton in steps of at most `most`, the precision doubled with
   every step; then Newton's operator maps a ball into itself, which holds one zero.
   Undecided, and not a number, if it does not. */
ball b_root(ball_motion *f, const void *context, ball near, double most);
/* The first zero in the real interval from a to b, doubles, where f rises (+1) or falls
   (-1); NULL: certainly none. Intervals are halved until f or its derivative has a sign;
   f itself makes no decisions. */
ball b_first_root(ball_motion *f, const void *context, double a, double b, int direction);

#endif
