/*
 * ahead.c - a singular configuration ahead: where Phi_q loses rank, as in a parallelogram
 * whose cranks lie along its coupler.
 *
 * The motion goes through it smoothly, but what has to be solved for at a distance d loses
 * digits like d^-k, and shorter steps only come nearer. So steps are placed. The least
 * pivot of Phi_q falls to zero linearly, which tells when; the step before ends so early
 * that the next has the widest stretch without evaluations of the integrator over that
 * time.
 *
 * Where nothing puts a trial state back onto the constraints this does not help: there
 * the run ends, sooner or later, and what it says is where the constraints are dependent.
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
    /* Beside the constraints the equations are singular: only what is put back onto them at
       every evaluation goes through smoothly. */
    if (projection && projection->every_evaluation)
        ahead->middle = middle_of_gap(core->integrator);
    if (model->m == 0)
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
    ahead->margin = ahead->largest = 0;
    ahead->t_singular = INFINITY;
    ahead->slow_steps = 0;
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
    ahead->t_singular = fall != 0 ? t + margin / fall * (t - ahead->t) : INFINITY;
    ahead->t = t;
    ahead->margin = margin;
    ahead->largest = fmax(ahead->largest, margin);
}

/* --- where the run ends ------------------------------------------------------------- */

/* Does the run take steps so short, and for so long, that it will not get there? A
   controller that can would have lengthened them. */
static bool crawls(struct ahead *ahead, double t, double h)
{
    enum { LONG = 20 };
    static const double far = 1000, small = 0.01;
    bool slow = isfinite(ahead->t_singular) && ahead->t_singular - t > far * h &&
                ahead->margin < small * ahead->largest;
    ahead->slow_steps = slow ? ahead->slow_steps + 1 : 0;
    return ahead->slow_steps >= LONG;
}

/* What a solver says that has met dependent constraints, each in its own way. */
static bool may_be_due_to_it(enum status status)
{
    return status == RANK_LOSS || status == SINGULAR || status == NO_CONVERGENCE ||
           status == NOT_FINITE || status == STEP_TOO_SMALL;
}

enum status ahead_refusal(struct hybrid *core, enum status status)
{
    static const double small = 0.1;
    const struct ahead *ahead = &core->ahead;
    const struct mode *mode = core->system->now->mode;
    const struct diagnosis cause = *core->diagnosis;
    if (!may_be_due_to_it(status) || cause.status != status ||
        !isfinite(ahead->t_singular) || ahead->margin >= small * ahead->largest)
        return status;
    return diagnose(core->diagnosis, RANK_LOSS, ahead->t_singular,
                    "singular configuration of mode %s, met as: %s at t = %.9g, %.150s",
                    mode->name, status_text(status), cause.t, cause.place);
}

enum status ahead_progress(struct hybrid *core)
{
    if (!crawls(&core->ahead, core->t, core->h))
        return OK;
    enum status status =
        diagnose(core->diagnosis, STEP_TOO_SMALL, core->t,
                 "rtol = %.3g takes steps of %.3g beside it", core->control.rtol, core->h);
    return ahead_refusal(core, status);
}

/* --- the steps beside it ------------------------------------------------------------ */

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

bool ahead_place(const struct ahead *ahead, double t, double most, double *h)
{
    static const double near_enough = 1.1;
    double distance = ahead->t_singular - t, jump = ahead->middle * *h;
    if (ahead->middle == 0 || !(distance > 0) || distance > jump + *h)
        return false;
    *h = distance > near_enough * jump
             ? fmin(distance - jump, most)
             : clearest(ahead->integrator, distance, fmin(near_enough * *h, most));
    return true;
}
