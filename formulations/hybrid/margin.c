/*
 * margin.c - how far the constraints are from being dependent, followed along an arc, and
 * whether they still say which way the motion goes on.
 *
 * Where two branches of the motion cross, Phi_q loses rank and the least pivot falls to
 * zero linearly; on the way straight through it changes its sign, were it to have one. It
 * is followed as if it had. Constraints that are violated by eps do not meet: of two
 * crossing lines x y = 0 they make the hyperbola x y = eps, on which the motion turns from
 * the one branch into the other, smoothly if steps are short enough, and the pivot only
 * comes down to its vertex, where
 *
 *     margin^2 = 2 c eps,     c: the change of the margin over a distance of one.
 *
 * That is the bound of the Newton-Kantorovich theorem, too, below which Newton's method
 * need not find the point that belongs to this branch. A mechanism that passes beside a
 * singular configuration, its bars a little too long, does the same with a much larger
 * margin. So a margin that turns around below a multiple of that bound says nothing about
 * the motion.
 *
 * A step that goes across has been checked by the error control, to which another branch
 * is an error as large as the step is wide: much larger than the tolerance, or it says
 * nothing either.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "hybrid/hybrid.h"

void margin_init(struct margin *margin, const struct model *model)
{
    *margin = (struct margin){.modes = model->modes};
    if (model->m == 0)
        return;
    margin->qr = memory_new(model->modes, sizeof *margin->qr);
    margin->Phi_q = memory_new(model->m * model->n, sizeof *margin->Phi_q);
    margin->size = memory_new(model->m, sizeof *margin->size);
    margin->q = memory_new(model->n, sizeof *margin->q);
    for (int k = 0; k < model->modes; k++)
        rank_qr_init(&margin->qr[k], model->mode[k]->m, model->n);
}

void margin_clear(struct margin *margin)
{
    for (int k = 0; margin->qr && k < margin->modes; k++)
        rank_qr_clear(&margin->qr[k]);
    free(margin->qr);
    free(margin->Phi_q);
    free(margin->size);
    free(margin->q);
}

/* Singular values change by no more than Phi_q does, as a matrix, and pivots by little
   more: while that is a small part of the least, it is not near zero, and there is nothing
   to factorise. Beside a singular configuration there is after every step. */
static bool as_before(const struct margin *margin, const struct constraints *c)
{
    static const double small = 0.25;
    double change = 0;
    for (int i = 0; i < c->m; i++) {
        double row = 0;
        for (int j = 0; j < c->n; j++) {
            double d = constraints_value(c, c->Phi_q + i * c->n + j) -
                       margin->Phi_q[i * c->n + j];
            row += d * d;
        }
        change += row / (margin->size[i] * margin->size[i]);
    }
    return sqrt(change) < small * margin->value * margin->first;
}

/* Rows in units of the largest entry they have had on this arc. */
static const struct rank_qr *factor(struct margin *margin, const struct constraints *c)
{
    struct rank_qr *qr = &margin->qr[c->mode->index];
    for (int i = 0; i < c->m; i++)
        for (int j = 0; j < c->n; j++) {
            double entry = constraints_value(c, c->Phi_q + i * c->n + j);
            margin->Phi_q[i * c->n + j] = entry;
            margin->size[i] = fmax(margin->size[i], fabs(entry));
        }
    rank_qr_factor_in(qr, margin->Phi_q, c->n, 1, margin->size);
    margin->first = fabs(gsl_matrix_get(qr->qr, 0, 0));
    return qr;
}

void margin_restart(struct margin *margin, double t, const double *q,
                    const struct constraints *c)
{
    margin->rank = 0;
    margin->slope = margin->bend = margin->largest = 0;
    margin->t_singular = INFINITY;
    margin->t_doubt = NAN;
    if (!margin->qr || c->m == 0)
        return;
    memset(margin->size, 0, (size_t)c->m * sizeof *margin->size);
    const struct rank_qr *qr = factor(margin, c);
    while (margin->rank < qr->rank && rank_qr_pivot(qr, margin->rank) >= rank_full)
        margin->rank++;
    if (margin->rank == 0)
        return;
    margin->t = t;
    margin->value = rank_qr_pivot(qr, margin->rank - 1);
    margin->largest = margin->value;
    margin->violation = 0;
    memory_copy(margin->q, q, c->n, sizeof *q);
}

/* How far q may be beside the constraints, by what is left of them and by rounding. */
static double violation(const struct margin *margin, const struct constraints *c,
                        const double *q)
{
    double most = 0;
    for (int j = 0; j < c->n; j++)
        most = fmax(most, DBL_EPSILON * fabs(q[j]));
    for (int k = 0; k < c->rows; k++) {
        int i = c->row[k];
        if (margin->size[i] > 0)
            most = fmax(most, fabs(constraints_value(c, c->Phi + i)) / margin->size[i]);
    }
    return most;
}

/* The largest change of a coordinate; q becomes the last. */
static double distance(struct margin *margin, const double *q, int n)
{
    double most = 0;
    for (int j = 0; j < n; j++)
        most = fmax(most, fabs(q[j] - margin->q[j]));
    memory_copy(margin->q, q, n, sizeof *q);
    return most;
}

void margin_note(struct margin *margin, double t, const double *q,
                 const struct constraints *c, double rtol)
{
    static const double bound = 20, width = 100;
    if (margin->rank == 0 || !(t > margin->t) || as_before(margin, c))
        return;
    double value = rank_qr_pivot(factor(margin, c), margin->rank - 1);
    double moved = distance(margin, q, c->n);
    bool falling = margin->slope < 0;
    bool across = falling && margin->t_singular < t;
    double before = across ? -margin->value : margin->value;
    double slope = (value - before) / (t - margin->t);
    bool turned = falling && !across && slope > 0;
    if (turned && pow(margin->value, 2) <= bound * margin->bend * margin->violation)
        margin->t_doubt = margin->t;
    if (across && value - before <= width * rtol)
        margin->t_doubt = margin->t_singular;

    double bend = moved > 0 ? fabs(value - before) / moved : 0;
    margin->bend = across || slope > 0 ? bend : fmax(margin->bend, bend);
    margin->t_singular = slope != 0 ? t - value / slope : INFINITY;
    margin->slope = slope;
    margin->t = t;
    margin->value = value;
    margin->violation = violation(margin, c, q);
    margin->largest = fmax(margin->largest, value);
}
