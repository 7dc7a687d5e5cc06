/*
 * bernstein_roots.c - root isolation in the Bernstein basis by Descartes' rule of signs
 * and de Casteljau's subdivision; see bernstein_roots.h.
 */
#include "events/bernstein_roots.h"

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "base/tolerances.h"

enum { DEGREE = BERNSTEIN_POINTS - 1, DEEPEST = 36, DEEP = 19 };

static double basis_value(int j, double theta)
{
    double binomial = 1;
    for (int k = 1; k <= j; k++)
        binomial = binomial * (DEGREE - j + k) / k;
    return binomial * pow(theta, j) * pow(1 - theta, DEGREE - j);
}

/* The check points lie between the nodes, at no symmetric or regular places: a wave that
   is small at all check points as well as at the nodes is a straight line. */
static const double checks[BERNSTEIN_CHECKS] = {0.0367012, 0.2384631, 0.4431577,
                                                0.7129083, 0.9321359};

/* Lagrange's weights: the interpolant through the nodes has at `at` the sum of weight
   [nodes] times its values at node [nodes]. Lagrange's form does, for the nodes are
   few. */
static void lagrange(const double *node, int nodes, double at, double *weight)
{
    for (int i = 0; i < nodes; i++) {
        weight[i] = 1;
        for (int j = 0; j < nodes; j++)
            if (j != i)
                weight[i] *= (at - node[j]) / (node[i] - node[j]);
    }
}

static void init_checks(struct bernstein *bernstein)
{
    for (int c = 0; c < BERNSTEIN_CHECKS; c++) {
        bernstein->check[c] = checks[c];
        lagrange(bernstein->node, BERNSTEIN_POINTS, checks[c],
                 &bernstein->to_check[c * BERNSTEIN_POINTS]);
    }
    lagrange(bernstein->node + 1, DEGREE, 0, bernstein->to_start);
}

/* The inverse of the matrix of basis values at the nodes interpolates in the basis. */
void bernstein_init(struct bernstein *bernstein)
{
    double basis[BERNSTEIN_POINTS * BERNSTEIN_POINTS];
    for (int i = 0; i < BERNSTEIN_POINTS; i++) {
        bernstein->node[i] = i == DEGREE ? 1 : pow(sin(M_PI * i / (2 * DEGREE)), 2);
        for (int j = 0; j < BERNSTEIN_POINTS; j++)
            basis[i * BERNSTEIN_POINTS + j] = basis_value(j, bernstein->node[i]);
    }
    int sign;
    gsl_matrix_view A = gsl_matrix_view_array(basis, BERNSTEIN_POINTS, BERNSTEIN_POINTS);
    gsl_matrix_view X = gsl_matrix_view_array(bernstein->to_bernstein, BERNSTEIN_POINTS,
                                              BERNSTEIN_POINTS);
    gsl_permutation *permutation = gsl_permutation_alloc(BERNSTEIN_POINTS);
    gsl_linalg_LU_decomp(&A.matrix, permutation, &sign);
    gsl_linalg_LU_invert(&A.matrix, permutation, &X.matrix);
    gsl_permutation_free(permutation);
    init_checks(bernstein);
}

double bernstein_defect(const struct bernstein *bernstein, const double *value,
                        const double *at_check)
{
    double defect = 0;
    for (int c = 0; c < BERNSTEIN_CHECKS; c++) {
        double p = 0;
        for (int i = 0; i < BERNSTEIN_POINTS; i++)
            p += bernstein->to_check[c * BERNSTEIN_POINTS + i] * value[i];
        defect = fmax(defect, fabs(p - at_check[c]));
    }
    return defect;
}

double bernstein_limit(const struct bernstein *bernstein, const double *value)
{
    double limit = 0;
    for (int i = 0; i < DEGREE; i++)
        limit += bernstein->to_start[i] * value[i + 1];
    return limit;
}

static int variations(const double *b)
{
    int count = 0, last = 0;
    for (int i = 0; i <= DEGREE; i++) {
        int sign = (b[i] > 0) - (b[i] < 0);
        if (sign != 0 && last != 0 && sign != last)
            count++;
        if (sign != 0)
            last = sign;
    }
    return count;
}

/* De Casteljau's scheme at 1/2 gives the coefficients of both halves. */
static void halve(const double *b, double *left, double *right)
{
    double work[BERNSTEIN_POINTS];
    memcpy(work, b, sizeof work);
    for (int k = 0; k <= DEGREE; k++) {
        left[k] = work[0];
        right[DEGREE - k] = work[DEGREE - k];
        for (int i = 0; i < DEGREE - k; i++)
            work[i] = (work[i] + work[i + 1]) / 2;
    }
}

static int first_sign(const double *b)
{
    for (int i = 0; i <= DEGREE; i++)
        if (b[i] != 0)
            return b[i] > 0 ? 1 : -1;
    return 0;
}

/* De Casteljau's scheme at theta gives the value and the rate. */
static double value_at(const double *b, double theta, double *rate)
{
    double work[BERNSTEIN_POINTS], back = 1 - theta;
    memcpy(work, b, sizeof work);
    for (int k = DEGREE; k > 1; k--)
        for (int i = 0; i < k; i++)
            work[i] = back * work[i] + theta * work[i + 1];
    *rate = DEGREE * (work[1] - work[0]);
    return back * work[0] + theta * work[1];
}

/* A piece with one variation has one root: Newton's method finds it, bisecting where an
   iterate would leave the bracket. */
static double one_root(const double *b, double begin, double width)
{
    enum { MOST = 60 };
    double low = 0, high = 1, theta = 0.5;
    int sign = first_sign(b);
    for (int k = 0; k < MOST; k++) {
        double rate, value = value_at(b, theta, &rate);
        *(value * sign > 0 ? &low : &high) = theta;
        double next = theta - value / rate;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (fabs(next - theta) <= DBL_EPSILON)
            break;
        theta = next;
    }
    return begin + theta * width;
}

/* A function without a sign change may still touch zero, to rounding. A piece of
   width 2^-DEEP around an even root is all rounding, while a piece near a simple root
   is not. */

static double smallest(const double *b)
{
    double size = INFINITY;
    for (int i = 0; i <= DEGREE; i++)
        size = fmin(size, fabs(b[i]));
    return size;
}

static void coefficients(const struct bernstein *bernstein, const double *value,
                         double *b)
{
    memset(b, 0, BERNSTEIN_POINTS * sizeof *b);
    for (int i = 0; i <= DEGREE; i++)
        for (int j = 0; j <= DEGREE; j++)
            b[i] += bernstein->to_bernstein[i * BERNSTEIN_POINTS + j] * value[j];
    b[0] = value[0];
    b[DEGREE] = value[DEGREE];
}

int bernstein_beside(const struct bernstein *bernstein, const double *value,
                     double theta)
{
    double b[BERNSTEIN_POINTS], rate;
    coefficients(bernstein, value, b);
    double zero = touch_rounding * largest(b, DEGREE + 1);
    for (double away = 0x1p-40; away < 1; away *= 2) {
        double before = value_at(b, fmax(theta - away, 0), &rate);
        double after = value_at(b, fmin(theta + away, 1), &rate);
        if (fabs(before) > zero && fabs(after) > zero)
            return before * after < 0 ? -1 : 1;
    }
    return 0;
}

struct piece {
    double b[BERNSTEIN_POINTS];
    double begin, width;
    int depth;
};

double bernstein_first(const struct bernstein *bernstein, const double *value,
                       int direction, bool *touching)
{
    struct piece stack[DEEPEST + 2];
    int height = 0;
    struct piece *whole = &stack[height++];
    *whole = (struct piece){.width = 1};
    coefficients(bernstein, value, whole->b);
    *touching = false;
    double zero = touch_rounding * largest(whole->b, DEGREE + 1);

    /* The search is depth first with the left half on top: roots come in order. */
    while (height > 0) {
        struct piece piece = stack[--height];
        int count = variations(piece.b);
        bool near_side = direction == 0 || first_sign(piece.b) != direction;
        if (count == 0 && (!near_side || smallest(piece.b) > zero ||
                           (piece.depth == DEEP && largest(piece.b, DEGREE + 1) > zero)))
            continue;
        if (count == 1) {
            int crossing = -first_sign(piece.b);
            if (direction == 0 || crossing == direction)
                return one_root(piece.b, piece.begin, piece.width);
            continue;
        }
        if (piece.depth == DEEPEST || (count == 0 && piece.depth == DEEP)) {
            *touching = true;
            return piece.begin;
        }
        struct piece right = piece, *left = &stack[height + 1];
        *left = piece;
        halve(piece.b, left->b, right.b);
        left->width = right.width = piece.width / 2;
        left->depth = right.depth = piece.depth + 1;
        right.begin = piece.begin + right.width;
        stack[height] = right;
        height += 2;
    }
    return NAN;
}
