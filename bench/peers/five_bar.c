/*
 * five_bar.c - the accelerations of five_bar.h and their tangents by hand.
 *
 * With e = C q the vectors along the bars A1, 12, 23, B3 and w = C v their rates,
 *
 *     C = ( 1 0 0; -1 1 0; 0 -1 1; 0 0 1 )  on the points 1, 2, 3 (A and B are fixed),
 *
 * the rows of Phi_q are 2 e_k' C_k. Half of a row of (64), with mu = 2 lambda, is
 *
 *     e_k . (C a)_k + w_k . w_k + K_D e_k . w_k + K_P/2 (e_k . e_k - L_k^2)
 *         = mu_k/(4 alpha),          M a + C' (e mu) = F
 *
 * so with W = M^-1 and z = w + K_D/2 e
 *
 *     S mu = r,   S_kl = (C W C')_kl e_k . e_l + delta_kl/(4 alpha)
 *                 r_k = e_k . (C W F)_k + z_k . z_k
 *                       + (K_P/2 - K_D^2/4) e_k . e_k - K_P/2 L_k^2
 *
 * and all masses are in constants. A tangent solves with the same S:
 *
 *     S dmu = e . (C W H) + de . (C a + (K_P - K_D^2/2) e) + 2 z . dz
 *     da = W (H - C' (e dmu)),      H = dF - C' (de mu)
 *
 * All numbers are in vectors of four lanes. A point is x, y, x, y, so as to meet its
 * derivatives x, y by L01 and x, y by L02 without further ado; a number of each bar is a
 * pair of vectors, `even` for the bars 0, 2, 0, 2 and `odd` for 1, 3, 1, 3. S is inverted
 * by the 2 x 2 minors of its rows 0, 1 and 2, 3, which takes one division; meanwhile the
 * springs take their roots.
 */
#include "peers/five_bar.h"

#include "peers/five_bar_data.h"

/* --- products of the data ----------------------------------------------------------- */

/* Columns 1 and 2 of C W, bar by bar (the third mirrors the first), and C W C'. */
static const double CW1[4] = {W11, W12 - W11, W13 - W12, W13};
static const double CW2[4] = {W12, W22 - W12, W12 - W22, W12};
#define CWC22 (W22 - 2*W12 + W11)
#define CWC23 (2*W12 - W22 - W13)
static const double CWC[4][4] = {{W11, W12 - W11, W13 - W12, W13},
                                 {W12 - W11, CWC22, CWC23, W12 - W13},
                                 {W13 - W12, CWC23, CWC22, W11 - W12},
                                 {W13, W12 - W13, W11 - W12, W11}};

/* C W of the weights. */
#define FALL1 (WEIGHT1*(W11 + W13) + WEIGHT2*W12)
#define FALL2 (WEIGHT1*2*W12 + WEIGHT2*W22)

/* Spreads the numbers of two pairs of bars, one vector for each bar. */
#define OF_BARS(even, odd)                                                               \
    const v4 bar0 = first(even), bar1 = first(odd), bar2 = second(even),                 \
             bar3 = second(odd)

/* --- values ------------------------------------------------------------------------- */

/* The values that tangents depend on. A spring pulls with -s d on a point at d from its
   other end; s changes by bend d . dd - pull drho. */
struct values {
    v4 e0, e1, e2, e3, z0, z1, z2, z3, d1, d2;
    v4 s, bend, pull;               /* pairs: spring 1, spring 2 */
    /* Columns of the adjugate of S, rows 0 and 2, rows 1 and 3; and 1/det S. */
    v4 even[4], odd[4], inverse;
    v4 mu0, mu1, mu2, mu3;
    v4 a1, a2, a3;
};

/* a = W f for forces at the points. The mechanism is symmetric, so sums and differences
   of the outer points separate: sums are cheap where products are the limit. */
#define APPLY_W(f1, f2, f3, a1, a2, a3)                                                  \
    do {                                                                                 \
        v4 plus = (f1) + (f3), minus = (W11 - W13)/2*((f1) - (f3));                      \
        v4 half = (W11 + W13)/2*plus + W12*(f2);                                         \
        a1 = half + minus;                                                               \
        a2 = W12*plus + W22*(f2);                                                        \
        a3 = half - minus;                                                               \
    } while (0)

/* Sets s, bend and pull of both springs at once. */
INLINE void springs(struct values *x)
{
    const v4 natural = PAIR(L01, L02);
    v4 square = totals(x->d1*x->d1, x->d2*x->d2), inverse = 1/square;
    x->pull = STIFFNESS*(roots(square)*inverse);
    x->s = STIFFNESS - natural*x->pull;
    x->bend = natural*x->pull*inverse;
}

/* S, and in `drive` the parts of r without springs; even1 to odd2 are e . C W d of the
   springs, where d1 = e_0 - AB and d2 = e_3 - e_2. */
struct system { v4 even[4], odd[4]; };
struct drive { v4 even, odd, even1, odd1, even2, odd2; };

#define COLUMN(k, ek)                                                                    \
    v4 even##k = first(ek)*x_even + second(ek)*y_even;                                   \
    v4 odd##k = first(ek)*x_odd + second(ek)*y_odd;                                      \
    S->even[k] = PAIR(CWC[0][k], CWC[2][k])*even##k +                                    \
                 PAIR((k) == 0 ? 1/(4*ALPHA) : 0, (k) == 2 ? 1/(4*ALPHA) : 0);           \
    S->odd[k] = PAIR(CWC[1][k], CWC[3][k])*odd##k +                                      \
                PAIR((k) == 1 ? 1/(4*ALPHA) : 0, (k) == 3 ? 1/(4*ALPHA) : 0)

INLINE void assemble(const struct values *x, struct system *S, struct drive *r)
{
    v4 x_even = firsts(x->e0, x->e2), y_even = seconds(x->e0, x->e2);
    v4 x_odd = firsts(x->e1, x->e3), y_odd = seconds(x->e1, x->e3);
    COLUMN(0, x->e0);
    COLUMN(1, x->e1);
    COLUMN(2, x->e2);
    COLUMN(3, x->e3);

    v4 square_even = x_even*x_even + y_even*y_even;
    v4 square_odd = x_odd*x_odd + y_odd*y_odd;
    const double share = K_P/2 - K_D*K_D/4;
    r->even = totals(x->z0*x->z0, x->z2*x->z2) + (share*square_even +
              (PAIR(FALL1, FALL1 - FALL2)*y_even - K_P/2*PAIR(OUTER, INNER)));
    r->odd = totals(x->z1*x->z1, x->z3*x->z3) + (share*square_odd +
             (PAIR(FALL2 - FALL1, FALL1)*y_odd - K_P/2*PAIR(INNER, OUTER)));
    r->even1 = PAIR(CW1[0], CW1[2])*(even0 - (B_X - A_X)*x_even);
    r->odd1 = PAIR(CW1[1], CW1[3])*(odd0 - (B_X - A_X)*x_odd);
    r->even2 = PAIR(CW2[0], CW2[2])*(even3 - even2);
    r->odd2 = PAIR(CW2[1], CW2[3])*(odd3 - odd2);
}

/* The adjugate of S by Laplace's expansion. A minor holds the minors of rows 0, 1 and of
   rows 2, 3 in two columns; the cofactors of the first are the minors of the second. */
INLINE void invert(const struct system *S, struct values *x)
{
    const v4 *T = S->even, *B = S->odd;
    v4 m01 = swapped(T[0]*B[1] - T[1]*B[0]), m02 = swapped(T[0]*B[2] - T[2]*B[0]);
    v4 m03 = swapped(T[0]*B[3] - T[3]*B[0]), m12 = swapped(T[1]*B[2] - T[2]*B[1]);
    v4 m13 = swapped(T[1]*B[3] - T[3]*B[1]), m23 = swapped(T[2]*B[3] - T[3]*B[2]);
    x->inverse = 1/total(m01*swapped(m23) - m02*swapped(m13) + m03*swapped(m12));
    x->even[0] = B[1]*m23 - B[2]*m13 + B[3]*m12;
    x->even[1] = B[2]*m03 - B[0]*m23 - B[3]*m02;
    x->even[2] = B[0]*m13 - B[1]*m03 + B[3]*m01;
    x->even[3] = B[1]*m02 - B[0]*m12 - B[2]*m01;
    x->odd[0] = T[2]*m13 - T[1]*m23 - T[3]*m12;
    x->odd[1] = T[0]*m23 - T[2]*m03 + T[3]*m02;
    x->odd[2] = T[1]*m03 - T[0]*m13 - T[3]*m01;
    x->odd[3] = T[0]*m12 - T[1]*m02 + T[2]*m01;
}

/* S^-1 r for right-hand sides r of the bars, in pairs of bars. */
#define SOLVE(x, r0, r1, r2, r3, even_, odd_)                                            \
    v4 even_ = (((x)->even[0]*(r0) + (x)->even[1]*(r1)) +                                \
                ((x)->even[2]*(r2) + (x)->even[3]*(r3)))*(x)->inverse;                   \
    v4 odd_ = (((x)->odd[0]*(r0) + (x)->odd[1]*(r1)) +                                   \
               ((x)->odd[2]*(r2) + (x)->odd[3]*(r3)))*(x)->inverse

INLINE void multipliers(struct values *x)
{
    struct system S;
    struct drive r;
    springs(x);
    assemble(x, &S, &r);
    invert(&S, x);
    v4 s1 = first(x->s), s2 = second(x->s);
    v4 even = r.even - s1*r.even1 - s2*r.even2, odd = r.odd - s1*r.odd1 - s2*r.odd2;
    OF_BARS(even, odd);
    SOLVE(x, bar0, bar1, bar2, bar3, mu_even, mu_odd);
    x->mu0 = first(mu_even), x->mu1 = first(mu_odd);
    x->mu2 = second(mu_even), x->mu3 = second(mu_odd);
}

INLINE void solve_values(struct values *x, const double *q, const double *v)
{
    v4 p1 = both(q), p2 = both(q + 2), p3 = both(q + 4);
    v4 u1 = both(v), u2 = both(v + 2), u3 = both(v + 4);
    x->e0 = p1 - PAIR(A_X, 0), x->e1 = p2 - p1;
    x->e2 = p3 - p2, x->e3 = p3 - PAIR(B_X, 0);
    x->z0 = u1 + K_D/2*x->e0, x->z1 = u2 - u1 + K_D/2*x->e1;
    x->z2 = u3 - u2 + K_D/2*x->e2, x->z3 = u3 + K_D/2*x->e3;
    x->d1 = p1 - PAIR(B_X, 0), x->d2 = p2 - PAIR(B_X, 0);
    multipliers(x);

    v4 pull0 = x->mu0*x->e0, pull1 = x->mu1*x->e1;
    v4 pull2 = x->mu2*x->e2, pull3 = x->mu3*x->e3;
    v4 f1 = PAIR(0, WEIGHT1) - first(x->s)*x->d1 - pull0 + pull1;
    v4 f2 = PAIR(0, WEIGHT2) - second(x->s)*x->d2 - pull1 + pull2;
    v4 f3 = PAIR(0, WEIGHT1) - pull2 - pull3;
    APPLY_W(f1, f2, f3, x->a1, x->a2, x->a3);
}

INLINE void store_values(const struct values *x, double *a)
{
    store(a, __builtin_shufflevector(x->a1, x->a2, 0, 1, 4, 5));
    store(a + 4, __builtin_shufflevector(x->a3, PAIR(0, 0), 0, 1, 4, 5));
}

/* --- tangents ----------------------------------------------------------------------- */

/* The tangents A [12] from Q and V [12], lanes x, y by L01 and x, y by L02 of each
   point. */
INLINE void solve_tangents(const struct values *x, const double *Q, const double *V,
                           double *A)
{
    v4 P1 = load(Q), P2 = load(Q + 4), P3 = load(Q + 8), de1 = P2 - P1, de2 = P3 - P2;
    v4 V1 = load(V), V2 = load(V + 4), V3 = load(V + 8);
    const v4 by_L01 = {1, 1, 0, 0}, by_L02 = {0, 0, 1, 1};

    v4 ds1 = first(x->bend)*total(x->d1*P1) - first(x->pull)*by_L01;
    v4 ds2 = second(x->bend)*total(x->d2*P2) - second(x->pull)*by_L02;
    v4 turn1 = x->mu1*de1, turn2 = x->mu2*de2;
    v4 h1 = turn1 - x->mu0*P1 - ds1*x->d1 - first(x->s)*P1;
    v4 h2 = turn2 - turn1 - ds2*x->d2 - second(x->s)*P2;
    v4 h3 = -turn2 - x->mu3*P3, b1, b2, b3;
    APPLY_W(h1, h2, h3, b1, b2, b3);

    const double share = K_P - K_D*K_D/2;
    v4 r0 = total((x->z0 + x->z0)*(V1 + K_D/2*P1) + P1*(x->a1 + share*x->e0) + x->e0*b1);
    v4 r1 = total((x->z1 + x->z1)*(V2 - V1 + K_D/2*de1) +
                de1*(x->a2 - x->a1 + share*x->e1) + x->e1*(b2 - b1));
    v4 r2 = total((x->z2 + x->z2)*(V3 - V2 + K_D/2*de2) +
                de2*(x->a3 - x->a2 + share*x->e2) + x->e2*(b3 - b2));
    v4 r3 = total((x->z3 + x->z3)*(V3 + K_D/2*P3) + P3*(x->a3 + share*x->e3) + x->e3*b3);
    SOLVE(x, r0, r1, r2, r3, even, odd);
    OF_BARS(even, odd);
    v4 pull1 = bar1*x->e1, pull2 = bar2*x->e2, A1, A2, A3;
    h1 += pull1 - bar0*x->e0;
    h2 += pull2 - pull1;
    h3 -= pull2 + bar3*x->e3;
    APPLY_W(h1, h2, h3, A1, A2, A3);
    store(A, A1);
    store(A + 4, A2);
    store(A + 8, A3);
}

void five_bar_accelerations(const double *restrict q, const double *restrict Q,
                            const double *restrict v, const double *restrict V,
                            double *restrict a, double *restrict A)
{
    struct values values;
    solve_values(&values, q, v);
    store_values(&values, a);
    solve_tangents(&values, Q, V, A);
}

void five_bar_motion(const double *restrict q, const double *restrict v,
                     double *restrict a)
{
    struct values values;
    solve_values(&values, q, v);
    store_values(&values, a);
}
