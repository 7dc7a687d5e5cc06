/* plan_event.c - equations of events as programs: guard, conditions, the residual of
   the reset with its Jacobian, and the balance of energy at an impact; see plan.h. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "plan_parts.h"

/* The work, in the jump from v- to v+, of a body that M contains and the energy does
   not: it holds the others back by its inertia, with a power that is linear in the
   accelerations. */
static formula work_of_inertia(const struct model *model, const struct mode *mode)
{
    int n = model->n;
    formula *before = memory_new(2 * n, sizeof *before), *after = before + n;
    formula work = {NULL, 0};
    derive_gradient(mode->power, BLOCK_A, n, before);
    derive_after(model, before, n, after);
    for (int i = 0; i < n; i++) {
        formula jump = sub(variable(model->tape, BLOCK_V_PLUS, i),
                           variable(model->tape, BLOCK_V, i));
        work = add(work, mul(add(before[i], after[i]), jump));
    }
    free(before);
    return is_zero(work) ? work : quotient(work, integer(model->tape, 2));
}

/* The imbalance: energy after minus energy before minus 1/2 (v+ + v-)' M (v+ - v-),
   the work of the impulse, minus that of inertia; then the energy before and both
   works, for scale. The energy is that of the bodies, and M does not enter it. The
   formulas are zero unless neither q nor s nor M change at the event. */
static void impact_balance(const struct model *model, const struct event *event,
                           formula *out)
{
    bool same = model->energy.tape != NULL;
    for (int i = 0; i < model->n; i++) {
        same = same && event->q_plus[i].tape == NULL;
        for (int j = 0; j < model->n; j++)
            same = same && same_formula(event->from->M[i][j], event->to->M[i][j]);
    }
    for (int k = 0; k < model->ns; k++)
        same = same && event->s_plus[k].tape == NULL;
    if (!same)
        return;

    formula after, work = {NULL, 0};
    derive_after(model, &model->energy, 1, &after);
    for (int i = 0; i < model->n; i++)
        for (int j = 0; j < model->n; j++) {
            formula mean = add(variable(model->tape, BLOCK_V_PLUS, i),
                               variable(model->tape, BLOCK_V, i));
            formula jump = sub(variable(model->tape, BLOCK_V_PLUS, j),
                               variable(model->tape, BLOCK_V, j));
            work = add(work, mul(event->from->M[i][j], mul(mean, jump)));
        }
    work = add(quotient(work, integer(model->tape, 2)),
               work_of_inertia(model, event->from));
    out[0] = sub(sub(after, model->energy), work);
    out[1] = model->energy;
    out[2] = work;
}

static const bool everything[BLOCKS] = {
    [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true,
    [BLOCK_A] = true, [BLOCK_LAMBDA] = true, [BLOCK_RHO] = true,
    [BLOCK_Q_PLUS] = true, [BLOCK_V_PLUS] = true, [BLOCK_S_PLUS] = true,
    [BLOCK_IMPULSE] = true, [BLOCK_MU] = true,
};

/* Program of J_w [rows * unknowns], columns q+, v+, s+, impulse, mu; then the balance
   of energy. */
static struct program *seal_matrix(const struct model *model, const struct event *event,
                                   const formula *J, const struct reset_plan *plan)
{
    int rows = plan->rows, unknowns = plan->unknowns, entries = rows * unknowns;
    const struct { int block, size; } part[] = {
        {BLOCK_Q_PLUS, model->n}, {BLOCK_V_PLUS, model->n}, {BLOCK_S_PLUS, model->ns},
        {BLOCK_IMPULSE, event->impulses}, {BLOCK_MU, event->impulses},
    };
    formula *J_w = memory_new(entries + 3, sizeof *J_w);
    formula *one = memory_new(unknowns, sizeof *one);
    for (int i = 0; i < rows; i++)
        for (int k = 0, at = 0; at < unknowns; at += part[k++].size) {
            derive_gradient(J[i], part[k].block, part[k].size, one);
            memcpy(J_w + i * unknowns + at, one, sizeof *one * (size_t)part[k].size);
        }
    impact_balance(model, event, J_w + entries);
    struct program *program = plan_seal(model, J_w, entries + 3, true);
    free(one);
    free(J_w);
    return program;
}

static void plan_reset(const struct plan *plan, const struct event *event,
                       const formula *J, struct reset_plan *out)
{
    int nz = plan->model->nz;
    formula *f = memory_new(out->rows + nz, sizeof *f);
    memcpy(f, J, sizeof *f * (size_t)out->rows);
    memcpy(f + out->rows, event->cost, sizeof *f * (size_t)nz);
    out->program = plan_seal_tangent(plan, f, out->rows + nz, everything, true);
    out->matrix = seal_matrix(plan->model, event, J, out);
    free(f);
}

/* The rows of an impulsive event with impulses in the range of Psi_q. Psi_q' is the
   derivative of the balance of momentum, rows n .. 2n - 1 of J, by the impulses. */
static void dependent_rows(const struct model *model, const struct event *event,
                           const formula *independent, formula *J)
{
    int n = model->n, ns = model->ns, k = event->impulses;
    formula *Psi_qT = memory_new(n * k, sizeof *Psi_qT);
    formula *mu = memory_new(k, sizeof *mu), *force = memory_new(n, sizeof *force);
    derive_jacobian(independent + n, n, BLOCK_IMPULSE, k, Psi_qT);
    for (int i = 0; i < k; i++)
        mu[i] = variable(model->tape, BLOCK_MU, i);
    for (int j = 0; j < n; j++)
        force[j] = dot(Psi_qT + j * k, mu, k);
    memcpy(J, independent, sizeof *J * (size_t)(2 * n));
    memcpy(J + 2 * n, independent + 2 * n + k, sizeof *J * (size_t)ns);
    for (int i = 0; i < k; i++) {
        formula *range = J + 2 * n + ns + i;
        *range = variable(model->tape, BLOCK_IMPULSE, i);
        for (int j = 0; j < n; j++)
            *range = sub(*range, mul(Psi_qT[j * k + i], force[j]));
        range[k] = independent[2 * n + i];
        range[2 * k] = mu[i];
    }
    free(Psi_qT);
    free(mu);
    free(force);
}

/* x dr/dx for every quantity x that the guard r depends on. */
static struct program *seal_terms(const struct model *model, const struct event *event)
{
    const struct { int block, size; } part[] = {
        {BLOCK_T, 1}, {BLOCK_Q, model->n}, {BLOCK_V, model->n}, {BLOCK_S, model->ns},
        {BLOCK_A, model->n}, {BLOCK_LAMBDA, event->from->m}, {BLOCK_RHO, model->p},
    };
    int most = 1 + 3 * model->n + model->ns + event->from->m + model->p, count = 0;
    formula *term = memory_new(most, sizeof *term);
    formula *slope = memory_new(most, sizeof *slope);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        derive_gradient(event->guard, part[k].block, part[k].size, slope);
        for (int i = 0; i < part[k].size; i++)
            if (!is_zero(slope[i]))
                term[count++] = mul(variable(model->tape, part[k].block, i), slope[i]);
    }
    struct program *program = plan_seal(model, term, count, true);
    free(term);
    free(slope);
    return program;
}

/* The derivatives are always there: a condition is measured by them. */
static struct program *seal_conditions(const struct model *model,
                                       const struct event *event)
{
    int count = event->conditions;
    formula *both = memory_new(2 * count, sizeof *both);
    memcpy(both, event->condition, sizeof *both * (size_t)count);
    tangent(model->tape, both, count, everything, 1, both + count);
    struct program *program = plan_seal(model, both, 2 * count, true);
    free(both);
    return program;
}

void plan_event(const struct plan *plan, struct event_plan *out,
                const struct event *event)
{
    int w = event->w, k = event->impulses;
    out->event = event;
    out->guard = plan_seal_tangent(plan, &event->guard, 1, everything, true);
    out->terms = seal_terms(plan->model, event);
    out->edges = plan_edges(plan->model, event->edges);
    out->condition_edges = plan_edges(plan->model, event->condition_edges);
    out->condition = event->conditions > 0 ? seal_conditions(plan->model, event) : NULL;
    out->independent = (struct reset_plan){.unknowns = w, .rows = event->rows};
    formula *own = memory_new(event->rows, sizeof *own);
    derive_reset(plan->model, event, own);
    plan_reset(plan, event, own, &out->independent);
    if (event->velocity == VELOCITY_IMPULSIVE && k > 0) {
        formula *J = memory_new(w + 2 * k, sizeof *J);
        dependent_rows(plan->model, event, own, J);
        out->dependent = (struct reset_plan){.unknowns = w + k, .rows = w + 2 * k};
        plan_reset(plan, event, J, &out->dependent);
        free(J);
    }
    free(own);
}
