/*
 * five_bar_impact.c - start, impact and end of the motion of five_bar.h.
 */
#include "peers/five_bar.h"
#include "peers/five_bar_data.h"

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
    corner(A, OUTER, q + 2, INNER, -1, q);
    corner(B, OUTER, q + 2, INNER, 1, q + 4);
}

/* --- the ground --------------------------------------------------------------------- */

double five_bar_height(const double *q)
{
    return q[FIVE_BAR_Y2] - five_bar_ground;
}

bool five_bar_dipped(const double *q, const double *v, const double *q_new,
                     const double *v_new, double h, double *shorter)
{
    double fall = -v[FIVE_BAR_Y2], rise = v_new[FIVE_BAR_Y2];
    if (fall <= 0 || rise <= 0)
        return false;
    double theta = fall/(fall + rise), lowest = five_bar_height(q) - theta*h*fall/2;
    if (lowest >= 0 && five_bar_height(q_new) >= 0)
        return false;
    *shorter = theta*h;
    return true;
}

/* --- the impact --------------------------------------------------------------------- */

/* The velocity u of an outer point from its two bars, to the wall (e) and to point 2 (f):
   e . u = on_e, f . u = on_f. */
static v4 outer_velocity(v4 e, v4 f, v4 on_e, v4 on_f)
{
    const v4 sign = PAIR(1, -1);
    v4 determinant = total(sign*e*swapped(f));
    return sign*(on_e/determinant*swapped(f) - on_f/determinant*swapped(e));
}

/* One side of the mechanism after the impact: e, f are its bars, de, df their changes, u
   is the velocity of the outer point, zero for the values. follow() gives the velocity of
   the outer point, or its change, from that of point 2. */
struct side { v4 e, f, de, df, u; };

static v4 follow(const struct side *side, v4 middle, v4 dmiddle)
{
    v4 on_e = -total(side->de*side->u);
    v4 on_f = total(side->f*dmiddle) + total(side->df*(middle - side->u));
    return outer_velocity(side->e, side->f, on_e, on_f);
}

void five_bar_impact(const double *q, double *Q, double *v, double *V)
{
    const v4 A = PAIR(A_X, 0), B = PAIR(B_X, 0), reverse = PAIR(1, -1);
    double before[FIVE_BAR_VALUES], after[FIVE_BAR_VALUES];
    v4 p[POINTS] = {both(q), both(q + 2), both(q + 4)}, dq[POINTS], plus[POINTS];
    five_bar_motion(q, v, before);

    /* Derivatives are taken along the moving event: tau = -Q_y2/v_y2. */
    v4 tau = -second(load(Q + 4))/v[FIVE_BAR_Y2];
    for (int i = 0; i < POINTS; i++)
        dq[i] = load(Q + 4*i) + both(v + 2*i)*tau;

    /* Point 2 is reversed (e = 1), 1 and 3 follow by the velocity constraints. */
    struct side left = {.e = p[0] - A, .f = p[1] - p[0]};
    struct side right = {.e = p[2] - B, .f = p[1] - p[2]};
    v4 dv2 = reverse*(load(V + 4) + both(before + 2)*tau);
    plus[1] = reverse*both(v + 2);
    plus[0] = follow(&left, plus[1], plus[1]);
    plus[2] = follow(&right, plus[1], plus[1]);
    left = (struct side){left.e, left.f, dq[0], dq[1] - dq[0], plus[0]};
    right = (struct side){right.e, right.f, dq[2], dq[1] - dq[2], plus[2]};
    v4 dv[POINTS] = {follow(&left, plus[1], dv2), dv2, follow(&right, plus[1], dv2)};

    for (int i = 0; i < POINTS; i++) {
        v[2*i] = plus[i][0];
        v[2*i + 1] = plus[i][1];
    }
    /* Derivatives go back to fixed time. */
    five_bar_motion(q, v, after);
    for (int i = 0; i < POINTS; i++) {
        store(Q + 4*i, dq[i] - both(v + 2*i)*tau);
        store(V + 4*i, dv[i] - both(after + 2*i)*tau);
    }
}

struct answer five_bar_answer(const double *q, const double *Q, const double *v)
{
    enum { Y2_BY_L01 = 5 };
    return (struct answer){.value = {q[FIVE_BAR_Y2], v[FIVE_BAR_Y2], Q[Y2_BY_L01]}};
}
