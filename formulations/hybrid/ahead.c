/*
 * ahead.c - a singular configuration ahead: where Phi_q loses rank, as in a parallelogram
 * whose cranks lie along its coupler.
 *
 * The motion goes through it smoothly, but what has to be solved for at a distance d loses
 * digits like d^-k, and shorter steps only come nearer. So steps are placed. The least
 * pivot of Phi_q falls to zero linearly, which tells when; the step before ends so early
 * that the next has the widest stretch without evaluations of the integrator over that
 * time.
 */
#include <math.h>
#include <stdlib.h>

#include "formula/memory.h"
#include "hybrid/hybrid.h"

/* The middle of the widest gap between the nodes of a method. */
static double middle_of_gap(const struct integrator *integrator)
{
    double widest = 0, middle = 0;
    for (int i = 0; i < integrator->nodes; i++) {
        double from = integrator->node[i], to = INFINITY;
        for (int k = 0; k < integrator->nodes; k++)
            if (integrator->node[k] > from)
                to = fmin(to, integrator->node[k]);
        if (isfinite(to) && to - from > widest) {
            widest = to - from;
            middle = (from + to) / 2;
        }
    }
    return middle;
}

void ahead_init(struct ahead *ahead, const struct hybrid *core)
{
    const struct projection *projection = core->system->formulation->projection;
    const struct model *model = core->model;
    *ahead = (struct ahead){.t_singular = INFINITY, .integrator = core->integrator,
                            .modes = model->modes};
    ahead->middle = middle_of_gap(core->integrator);
    /* Beside the constraints the equations are singular: only what is put back onto them at
       every evaluation goes through smoothly. */
    if (!projection || !projection->every_evaluation || model->m == 0 ||
        ahead->middle == 0)
        return;
    ahead->qr = memory_new(model->modes, sizeof *ahead->qr);
    ahead->Phi_q = memory_new(model->m * model->n, sizeof *ahead->Phi_q);
    for (int k = 0; k < model->modes; k++)
        rank_qr_init(&ahead->qr[k], model->mode[k]->m, model->n);
}

void ahead_clear(struct ahead *ahead)
{
    for (int k = 0; ahead->qr && k < ahead->modes; k++)
        rank_qr_clear(&ahead->qr[k]);
    free(ahead->qr);
    free(ahead->Phi_q);
}

void ahead_restart(struct ahead *ahead)
{
    ahead->margin = 0;
    ahead->t_singular = INFINITY;
}

/* The last pivot of Phi_q against the first; 0 where constraints are dependent anyway. */
static double margin_of(struct ahead *ahead, const struct constraints *c)
{
    struct rank_qr *qr = &ahead->qr[c->mode->index];
    for (int k = 0; k < c->m * c->n; k++)
        ahead->Phi_q[k] = constraints_value(c, c->Phi_q + k);
    rank_qr_factor(qr, ahead->Phi_q, c->n, 1);
    if (qr->rank < c->m)
        return 0;
    size_t last = (size_t)c->m - 1;
    return fabs(gsl_matrix_get(qr->qr, last, last) / gsl_matrix_get(qr->qr, 0, 0));
}

void ahead_note(struct ahead *ahead, double t, const struct constraints *c)
{
    if (!ahead->qr || c->m == 0 || c->m > c->n)
        return;
    double margin = margin_of(ahead, c), fall = ahead->margin - margin;
    ahead->t_singular = fall > 0 ? t + margin / fall * (t - ahead->t) : INFINITY;
    ahead->t = t;
    ahead->margin = margin;
}

/* How far the evaluations of a step h stay away from what is `distance` ahead. */
static double clearance(const struct integrator *integrator, double distance, double h)
{
    double least = INFINITY;
    for (int i = 0; i < integrator->nodes; i++)
        if (integrator->node[i] > 0)
            least = fmin(least, fabs(integrator->node[i] * h - distance));
    return least;
}

/* Of steps up to h that go across, the one whose evaluations stay away most. */
static double clearest(const struct integrator *integrator, double distance, double h)
{
    enum { TRIED = 64 };
    double best = h;
    for (int k = 1; k < TRIED; k++) {
        double tried = distance + (h - distance) * k / TRIED;
        if (clearance(integrator, distance, tried) >
            clearance(integrator, distance, best))
            best = tried;
    }
    return best;
}

double ahead_place(const struct ahead *ahead, double t, double h, double left)
{
    static const double near_enough = 1.1;
    double distance = ahead->t_singular - t, jump = ahead->middle * h;
    if (!(distance > 0) || distance > jump + h)
        return h;
    if (distance > near_enough * jump)
        return fmin(distance - jump, left);
    return clearest(ahead->integrator, distance, fmin(near_enough * h, left));
}
