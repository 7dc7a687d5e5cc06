/*
 * five_bar.c - the equations of five_bar.h.
 *
 * With e = C q the vectors along the bars A1, 12, 23, B3 and w = C v theirs in time,
 *
 *     C = ( 1 0 0; -1 1 0; 0 -1 1; 0 0 1 )  on the points 1, 2, 3 (A and B are fixed),
 *
 * the rows of Phi_q are 2 e_k' C_k. Half of a row of (64), with mu = 2 lambda, is
 *
 *     e_k . (C a)_k + w_k . w_k + K_D e_k . w_k + K_P/2 (e_k . e_k - L_k^2) = mu_k/(4 alpha)
 *     M a + C' (e mu) = F
 *
 * so with W = M^-1 and b = C W F
 *
 *     S mu = r,   r_k = e_k . b_k + w_k . w_k + K_D e_k . w_k + K_P/2 (e_k . e_k - L_k^2)
 *                 S_kl = (C W C')_kl e_k . e_l + delta_kl/(4 alpha)
 *
 * where all masses are in constants. A tangent solves with the same S:
 *
 *     S dmu = e . (C W H) + de . (C a + K_D w + K_P e) + dw . (2 w + K_D e)
 *     da = W (H - C' (e dmu)),      H = dF - C' (de mu)
 *
 * What limits the speed is not the number of operations but the longest chain of them. So
 * S is inverted by its 2 x 2 minors, with one division, while the springs take their
 * roots; W and C are multiplied out; and values that meet tangents are doubled lanes from
 * the start.
 */
#include "peers/five_bar.h"

#include <math.h>
#include <string.h>

typedef double v2 __attribute__((vector_size(16)));
typedef double v4 __attribute__((vector_size(32)));

/* --- data --------------------------------------------------------------------------- */

#define L01 2.236067977499789696
#define L02 2.061552812808830275
#define STIFFNESS 100.0
#define GRAVITY 9.81
#define K_D 20.0
#define K_P 100.0
#define ALPHA 1e5
#define A_X (-0.5)
#define B_X 0.5

enum { BARS = 4, POINTS = 3 };
static const double length2[BARS] = {2, 13.0/4, 13.0/4, 2};

/* M of the points is ( a b 0; b c b; 0 b a ) in both directions. */
#define M_A (2.5/3)
#define M_B 0.25
#define M_C 1.0
#define M_DET (M_A*(M_A*M_C - 2*M_B*M_B))
#define W11 ((M_A*M_C - M_B*M_B)/M_DET)
#define W12 (-M_A*M_B/M_DET)
#define W13 (M_B*M_B/M_DET)
#define W22 (M_A*M_A/M_DET)
static const double CW[BARS][POINTS] = {{W11, W12, W13},
                                        {W12 - W11, W22 - W12, W12 - W13},
                                        {W13 - W12, W12 - W22, W11 - W12},
                                        {W13, W12, W11}};
#define CWC22 (W22 - 2*W12 + W11)
#define CWC23 (2*W12 - W22 - W13)
static const double CWC[BARS][BARS] = {{W11, W12 - W11, W13 - W12, W13},
                                       {W12 - W11, CWC22, CWC23, W12 - W13},
                                       {W13 - W12, CWC23, CWC22, W11 - W12},
                                       {W13, W12 - W13, W11 - W12, W11}};

/* W of the weights (half of each bar at each end), and C W of them: vertical only. */
#define WEIGHT1 (-1.25*GRAVITY)
#define WEIGHT2 (-1.5*GRAVITY)
#define FALL1 (WEIGHT1*(W11 + W13) + WEIGHT2*W12)
#define FALL2 (WEIGHT1*2*W12 + WEIGHT2*W22)
static const double bar_fall[BARS] = {FALL1, FALL2 - FALL1, FALL1 - FALL2, FALL1};

/* --- vectors of four lanes ---------------------------------------------------------- */

/* x, x, y, y of a point: to meet a derivative, which is x, x, y, y by both rho. */
static inline __attribute__((always_inline)) v4 both(const double *point)
{
    return (v4){point[0], point[0], point[1], point[1]};
}

static inline __attribute__((always_inline)) v4 load(const double *lanes)
{
    v4 x;
    memcpy(&x, lanes, sizeof x);
    return x;
}

static inline __attribute__((always_inline)) void store(double *lanes, v4 x)
{
    memcpy(lanes, &x, sizeof x);
}

/* x + y: of the product of two vectors their inner product, by both rho. */
static inline __attribute__((always_inline)) v2 fold(v4 a)
{
    return __builtin_shufflevector(a, a, 0, 1) + __builtin_shufflevector(a, a, 2, 3);
}

static inline __attribute__((always_inline)) v4 twice(v2 a)
{
    return __builtin_shufflevector(a, a, 0, 1, 0, 1);
}

/* --- what the positions give -------------------------------------------------------- */

/* A spring on a point at d from its other end: the force is -s d; it changes by
   -s dd + bend (d . dd) d + pull d drho. */
struct spring { double s, bend, pull; };

static inline __attribute__((always_inline)) struct spring spring(double x, double y, double natural)
{
    double square = x*x + y*y, length = sqrt(square), inverse = 1/square;
    double pull = STIFFNESS*(length*inverse);
    return (struct spring){.s = STIFFNESS - natural*pull, .pull = pull,
                           .bend = -natural*pull*inverse};
}

/* The inverse of S by the minors of its upper and lower two rows (Laplace). */
static inline __attribute__((always_inline)) void invert(double (*S)[BARS], double (*X)[BARS])
{
    double u01 = S[0][0]*S[1][1] - S[0][1]*S[0][1], u02 = S[0][0]*S[1][2] - S[0][2]*S[0][1];
    double u03 = S[0][0]*S[1][3] - S[0][3]*S[0][1], u12 = S[0][1]*S[1][2] - S[0][2]*S[1][1];
    double u13 = S[0][1]*S[1][3] - S[0][3]*S[1][1], u23 = S[0][2]*S[1][3] - S[0][3]*S[1][2];
    double l02 = S[0][2]*S[2][3] - S[2][2]*S[0][3], l03 = S[0][2]*S[3][3] - S[2][3]*S[0][3];
    double l12 = S[1][2]*S[2][3] - S[2][2]*S[1][3], l13 = S[1][2]*S[3][3] - S[2][3]*S[1][3];
    double l23 = S[2][2]*S[3][3] - S[2][3]*S[2][3];
    double determinant = ((u01*l23 - u02*l13) + (u03*l12 + u12*l03)) + (u23*u23 - u13*l02);
    double d = 1/determinant;

    X[0][0] = (S[1][1]*l23 - S[1][2]*l13 + S[1][3]*l12)*d;
    X[0][1] = (S[0][2]*l13 - S[0][1]*l23 - S[0][3]*l12)*d;
    X[0][2] = (S[1][3]*u23 - S[2][3]*u13 + S[3][3]*u12)*d;
    X[0][3] = (S[2][2]*u13 - S[1][2]*u23 - S[2][3]*u12)*d;
    X[1][1] = (S[0][0]*l23 - S[0][2]*l03 + S[0][3]*l02)*d;
    X[1][2] = (S[2][3]*u03 - S[0][3]*u23 - S[3][3]*u02)*d;
    X[1][3] = (S[0][2]*u23 - S[2][2]*u03 + S[2][3]*u02)*d;
    X[2][2] = (S[0][3]*u13 - S[1][3]*u03 + S[3][3]*u01)*d;
    X[2][3] = (S[1][2]*u03 - S[0][2]*u13 - S[2][3]*u01)*d;
    X[3][3] = (S[0][2]*u12 - S[1][2]*u02 + S[2][2]*u01)*d;
}

/* Row k of a symmetric matrix, given for k <= l, times a vector: scalars, or lanes. */
#define ROW(X, k, r)                                                                     \
    ((X[0][k]*r[0] + X[(k) < 1 ? (k) : 1][(k) < 1 ? 1 : (k)]*r[1]) +     \
     (X[(k) < 2 ? (k) : 2][(k) < 2 ? 2 : (k)]*r[2] + X[k][3]*r[3]))

/* What the tangents take of the values: vectors in lanes, and scalars. */
struct bars {
    v4 e[BARS], z[BARS];            /* along the bars; z = w + K_D/2 e */
    v4 d1, d2;                      /* along the springs */
    struct spring spring1, spring2;
    double X[BARS][BARS];           /* S^-1, for k <= l */
    double mu[BARS];
    v4 a[POINTS];
};

/* M^-1 times forces at the three points. As the mechanism is symmetric, sum and difference
   of the outer points part: few products, and sums cost less than products here. */
static inline __attribute__((always_inline)) void apply_W(const v4 *force, v4 *a)
{
    v4 sum = force[0] + force[2], difference = (W11 - W13)/2*(force[0] - force[2]);
    v4 half = (W11 + W13)/2*sum + W12*force[1];
    a[0] = half + difference;
    a[1] = W12*sum + W22*force[1];
    a[2] = half - difference;
}

/* C' times forces along the bars is taken from forces at the points. */
static inline __attribute__((always_inline)) void pull_back(v4 *force, const v4 *pull)
{
    force[0] = force[0] - pull[0] + pull[1];
    force[1] = force[1] - pull[1] + pull[2];
    force[2] = force[2] - pull[2] - pull[3];
}

/* S^-1 and mu. The springs, whose roots take longest, come last in r; d1 = e_0 - AB and
   d2 = e_3 - e_2 are the vectors along them. */
static inline __attribute__((always_inline)) void solve_bars(struct bars *bars, const double *q)
{
    double x[BARS] = {q[0] - A_X, q[2] - q[0], q[4] - q[2], q[4] - B_X};
    double y[BARS] = {q[1], q[3] - q[1], q[5] - q[3], q[5]};
    double dot[BARS][BARS], S[BARS][BARS], r[BARS];
    bars->spring1 = spring(q[0] - B_X, q[1], L01);
    bars->spring2 = spring(q[2] - B_X, q[3], L02);
    for (int k = 0; k < BARS; k++)
        for (int l = k; l < BARS; l++) {
            dot[k][l] = dot[l][k] = x[k]*x[l] + y[k]*y[l];
            S[k][l] = CWC[k][l]*dot[k][l] + (k == l ? 1/(4*ALPHA) : 0);
        }
    invert(S, bars->X);
    for (int k = 0; k < BARS; k++) {
        double fixed = (K_P/2 - K_D*K_D/4)*dot[k][k] - K_P/2*length2[k];
        double along1 = CW[k][0]*(dot[0][k] - (B_X - A_X)*x[k]);
        double along2 = CW[k][1]*(dot[3][k] - dot[2][k]);
        r[k] = fold(bars->z[k]*bars->z[k])[0] + (bar_fall[k]*y[k] + fixed) -
               bars->spring1.s*along1 - bars->spring2.s*along2;
    }
    bars->mu[0] = ROW(bars->X, 0, r), bars->mu[1] = ROW(bars->X, 1, r);
    bars->mu[2] = ROW(bars->X, 2, r), bars->mu[3] = ROW(bars->X, 3, r);
}

static inline __attribute__((always_inline)) void solve_values(struct bars *bars, const double *q, const double *v)
{
    const v4 A = {A_X, A_X, 0, 0}, B = {B_X, B_X, 0, 0};
    v4 p[POINTS] = {both(q), both(q + 2), both(q + 4)}, pull[BARS];
    v4 u[POINTS] = {both(v), both(v + 2), both(v + 4)};
    bars->e[0] = p[0] - A, bars->e[1] = p[1] - p[0];
    bars->e[2] = p[2] - p[1], bars->e[3] = p[2] - B;
    bars->z[0] = u[0] + K_D/2*bars->e[0], bars->z[1] = u[1] - u[0] + K_D/2*bars->e[1];
    bars->z[2] = u[2] - u[1] + K_D/2*bars->e[2], bars->z[3] = u[2] + K_D/2*bars->e[3];
    bars->d1 = p[0] - B, bars->d2 = p[1] - B;
    solve_bars(bars, q);

    v4 force[POINTS] = {(v4){0, 0, WEIGHT1, WEIGHT1} - bars->spring1.s*bars->d1,
                        (v4){0, 0, WEIGHT2, WEIGHT2} - bars->spring2.s*bars->d2,
                        (v4){0, 0, WEIGHT1, WEIGHT1}};
    for (int k = 0; k < BARS; k++)
        pull[k] = bars->mu[k]*bars->e[k];
    pull_back(force, pull);
    apply_W(force, bars->a);
}

static inline __attribute__((always_inline)) void store_values(const struct bars *bars, double *a)
{
    store(a, __builtin_shufflevector(bars->a[0], bars->a[1], 0, 2, 4, 6));
    store(a + 4, __builtin_shufflevector(bars->a[2], (v4){0, 0, 0, 0}, 0, 2, 4, 6));
}

/* --- tangents ----------------------------------------------------------------------- */

/* How the force of a spring changes when its point moves by dd and its natural length by
   drho. */
static inline __attribute__((always_inline)) v4 spring_tangent(const struct spring *spring, v4 d, v4 dd, v4 drho)
{
    v4 change = spring->bend*twice(fold(d*dd)) + spring->pull*drho;
    return change*d - spring->s*dd;
}

static inline __attribute__((always_inline)) void solve_tangents(const struct bars *bars, const v4 *P, const v4 *V, v4 *A)
{
    v4 de[BARS] = {P[0], P[1] - P[0], P[2] - P[1], P[2]}, pull[BARS], free[POINTS];
    v4 dw[BARS] = {V[0], V[1] - V[0], V[2] - V[1], V[2]};
    v4 force[POINTS] = {spring_tangent(&bars->spring1, bars->d1, P[0], (v4){1, 0, 1, 0}),
                        spring_tangent(&bars->spring2, bars->d2, P[1], (v4){0, 1, 0, 1})};
    for (int k = 0; k < BARS; k++)
        pull[k] = bars->mu[k]*de[k];
    pull_back(force, pull);
    apply_W(force, free);

    const v4 *a = bars->a;
    v4 turn[BARS] = {a[0], a[1] - a[0], a[2] - a[1], a[2]};
    v4 drive[BARS] = {free[0], free[1] - free[0], free[2] - free[1], free[2]};
    v2 r[BARS], dmu[BARS];
    for (int k = 0; k < BARS; k++) {
        v4 dz = dw[k] + K_D/2*de[k], z2 = bars->z[k] + bars->z[k];
        turn[k] += (K_P - K_D*K_D/2)*bars->e[k];
        r[k] = fold(z2*dz + drive[k]*bars->e[k] + de[k]*turn[k]);
    }
    dmu[0] = ROW(bars->X, 0, r), dmu[1] = ROW(bars->X, 1, r);
    dmu[2] = ROW(bars->X, 2, r), dmu[3] = ROW(bars->X, 3, r);
    for (int k = 0; k < BARS; k++)
        pull[k] = twice(dmu[k])*bars->e[k];
    pull_back(force, pull);
    apply_W(force, A);
}

void five_bar_accelerations(const double *restrict q, const double *restrict Q,
                            const double *restrict v, const double *restrict V,
                            double *restrict a, double *restrict A)
{
    v4 P[POINTS] = {load(Q), load(Q + 4), load(Q + 8)};
    v4 R[POINTS] = {load(V), load(V + 4), load(V + 8)}, dot[POINTS];
    struct bars bars;
    solve_values(&bars, q, v);
    store_values(&bars, a);
    solve_tangents(&bars, P, R, dot);
    store(A, dot[0]);
    store(A + 4, dot[1]);
    store(A + 8, dot[2]);
}

void five_bar_motion(const double *restrict q, const double *restrict v, double *restrict a)
{
    struct bars bars;
    solve_values(&bars, q, v);
    store_values(&bars, a);
}

/* --- the start ---------------------------------------------------------------------- */

/* The point at distances r1 of O and r2 of P, on the side to the left of O -> P (side 1)
   or to its right (-1); r1, r2 squared. */
static void corner(const double *O, double r1, const double *P, double r2, double side,
                   double *point)
{
    double x = P[0] - O[0], y = P[1] - O[1], c = x*x + y*y;
    double foot = (c + r1 - r2)/(2*c), height = side*sqrt(r1/c - foot*foot);
    point[0] = O[0] + foot*x - height*y;
    point[1] = O[1] + foot*y + height*x;
}

void five_bar_start(double *q, double *Q, double *v, double *V)
{
    const double A[2] = {A_X, 0}, B[2] = {B_X, 0};
    memset(q, 0, FIVE_BAR_VALUES*sizeof *q);
    memset(v, 0, FIVE_BAR_VALUES*sizeof *v);
    memset(Q, 0, 4*POINTS*sizeof *Q);
    memset(V, 0, 4*POINTS*sizeof *V);
    q[2] = 0.53029;
    q[3] = -2.10283;
    corner(A, length2[0], q + 2, length2[1], -1, q);
    corner(B, length2[3], q + 2, length2[2], 1, q + 4);
}

/* --- the impact --------------------------------------------------------------------- */

/* The velocity u of an outer point from its two bars, to the wall (e) and to point 2 (f):
   e . u = on_e, f . u = on_f, by both rho. */
static v4 outer_velocity(v4 e, v4 f, v2 on_e, v2 on_f)
{
    v4 turned = __builtin_shufflevector(f, f, 2, 3, 0, 1);          /* y, y, x, x */
    v4 e_turned = __builtin_shufflevector(e, e, 2, 3, 0, 1);
    const v4 sign = {1, 1, -1, -1};
    v2 determinant = fold(sign*e*turned);
    return sign*(twice(on_e/determinant)*turned - twice(on_f/determinant)*e_turned);
}

/* Velocities after the impact, or their changes: v2 of point 2 is given; de, df are the
   changes of the bars and u is the velocity of the outer point, all zero for the values. */
struct side { v4 e, f, de, df, u; };

static v4 follow(const struct side *side, v4 middle, v4 dmiddle)
{
    v2 on_e = -fold(side->de*side->u);
    v2 on_f = fold(side->f*dmiddle) + fold(side->df*(middle - side->u));
    return outer_velocity(side->e, side->f, on_e, on_f);
}

void five_bar_impact(const double *q, double *Q, double *v, double *V)
{
    const v4 A = {A_X, A_X, 0, 0}, B = {B_X, B_X, 0, 0}, reverse = {1, 1, -1, -1};
    double before[FIVE_BAR_VALUES], after[FIVE_BAR_VALUES];
    v4 p[POINTS] = {both(q), both(q + 2), both(q + 4)}, dq[POINTS], dv2, plus[POINTS];
    five_bar_motion(q, v, before);

    /* Along the moving event: tau = -Q_y2/v_y2. */
    v4 speed = both(v + 2), height = load(Q + 4);
    v4 tau = -__builtin_shufflevector(height, height, 2, 3, 2, 3)/v[FIVE_BAR_Y2];
    for (int i = 0; i < POINTS; i++)
        dq[i] = load(Q + 4*i) + both(v + 2*i)*tau;
    dv2 = reverse*(load(V + 4) + both(before + 2)*tau);

    /* Point 2 is reversed (e = 1), 1 and 3 follow by the velocity constraints. */
    struct side left = {.e = p[0] - A, .f = p[1] - p[0]};
    struct side right = {.e = p[2] - B, .f = p[1] - p[2]};
    plus[1] = reverse*speed;
    plus[0] = follow(&left, plus[1], plus[1]);
    plus[2] = follow(&right, plus[1], plus[1]);
    left = (struct side){left.e, left.f, dq[0], dq[1] - dq[0], plus[0]};
    right = (struct side){right.e, right.f, dq[2], dq[1] - dq[2], plus[2]};
    v4 dv[POINTS] = {follow(&left, plus[1], dv2), dv2, follow(&right, plus[1], dv2)};

    for (int i = 0; i < POINTS; i++) {
        v[2*i] = plus[i][0];
        v[2*i + 1] = plus[i][2];
    }
    /* Back to fixed time. */
    five_bar_motion(q, v, after);
    for (int i = 0; i < POINTS; i++) {
        store(Q + 4*i, dq[i] - both(v + 2*i)*tau);
        store(V + 4*i, dv[i] - both(after + 2*i)*tau);
    }
}

struct answer five_bar_answer(const double *q, const double *Q, const double *v)
{
    enum { Y2_BY_L01 = 6 };
    return (struct answer){{q[FIVE_BAR_Y2], v[FIVE_BAR_Y2], Q[Y2_BY_L01]}};
}
