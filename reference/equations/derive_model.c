/* derive_model.c - total time derivatives of constraints (Phid, Phidd), constraint
   forces, and the residuals of resets, by the jets of derive.c; see derive.h. */
#include <stdlib.h>

#include "base/memory.h"
#include "derive.h"

/* --- curves ------------------------------------------------------------------------- */

/* The motion of a mode as a curve through a point: before an event, or (`plus`) after
   it. */
struct curve {
    const struct model *model;
    bool plus;
    formula *f_s, *f_s_rate;    /* [ns] s' and s'' */
};

static formula var(const struct curve *curve, int block, int plus, int index)
{
    return variable(curve->model->tape, curve->plus ? plus : block, index);
}

/* The jet of a variable along the motion. Accelerations after an event are not known,
   so that no formula there is derived twice. */
static struct jet moving(void *context, int block, int index)
{
    const struct curve *curve = context;
    struct tape *tape = curve->model->tape;
    struct jet jet = {.value = variable(tape, block, index)};
    formula a = curve->plus ? (formula){NULL, 0} : variable(tape, BLOCK_A, index);
    switch (block) {
    case BLOCK_T:
        jet.first = integer(tape, 1);
        break;
    case BLOCK_Q:
        jet.value = var(curve, BLOCK_Q, BLOCK_Q_PLUS, index);
        jet.first = var(curve, BLOCK_V, BLOCK_V_PLUS, index);
        jet.second = a;
        break;
    case BLOCK_V:
        jet.value = var(curve, BLOCK_V, BLOCK_V_PLUS, index);
        jet.first = a;
        break;
    case BLOCK_S:
        jet.value = var(curve, BLOCK_S, BLOCK_S_PLUS, index);
        jet.first = curve->f_s[index];
        jet.second = curve->f_s_rate[index];
        break;
    default:
        break;
    }
    return jet;
}

static void curve_open(struct curve *curve, const struct model *model,
                       const struct mode *mode, bool plus)
{
    int ns = model->ns;
    struct jet *jet = memory_new(ns, sizeof *jet);
    *curve = (struct curve){.model = model, .plus = plus,
                            .f_s = memory_new(ns, sizeof *curve->f_s),
                            .f_s_rate = memory_new(ns, sizeof *curve->f_s_rate)};
    derive_jets(model->tape, mode->f_s, ns, 0, moving, curve, jet);
    for (int k = 0; k < ns; k++)
        curve->f_s[k] = jet[k].value;
    derive_jets(model->tape, mode->f_s, ns, 1, moving, curve, jet);
    for (int k = 0; k < ns; k++)
        curve->f_s_rate[k] = jet[k].first;
    free(jet);
}

static void curve_close(struct curve *curve)
{
    free(curve->f_s);
    free(curve->f_s_rate);
}

/* out [count]: the formulas f at the point of the curve. */
static void at_point(struct curve *curve, const formula *f, int count, formula *out)
{
    struct jet *jet = memory_new(count, sizeof *jet);
    derive_jets(curve->model->tape, f, count, 0, moving, curve, jet);
    for (int i = 0; i < count; i++)
        out[i] = jet[i].value;
    free(jet);
}

/* Phid, and Phidd unless NULL, of `count` constraint rows; a row at velocity level is
   its own Phid. */
static void rates(struct curve *curve, const formula *Phi, const bool *velocity_level,
                  int count, formula *Phid, formula *Phidd)
{
    struct jet *jet = memory_new(count, sizeof *jet);
    derive_jets(curve->model->tape, Phi, count, Phidd ? 2 : 1, moving, curve, jet);
    for (int i = 0; i < count; i++) {
        Phid[i] = velocity_level[i] ? jet[i].value : jet[i].first;
        if (Phidd)
            Phidd[i] = velocity_level[i] ? jet[i].first : jet[i].second;
    }
    free(jet);
}

/* Phi_q' x (Phi_v' x for rows at velocity level), where x are the variables of
   `block`: the gradient of x' Phi, by one backward sweep for each level. */
static void force_of(const struct model *model, const formula *Phi,
                     const bool *velocity_level, int count, int block, formula *out)
{
    formula *one = memory_new(model->n, sizeof *one);
    for (int i = 0; i < model->n; i++)
        out[i] = (formula){NULL, 0};
    for (int level = 0; level < 2; level++) {
        formula work = {NULL, 0};
        for (int i = 0; i < count; i++)
            if (velocity_level[i] == (level == 1))
                work = add(work, mul(variable(model->tape, block, i), Phi[i]));
        derive_gradient(work, level == 1 ? BLOCK_V : BLOCK_Q, model->n, one);
        for (int i = 0; i < model->n; i++)
            out[i] = add(out[i], one[i]);
    }
    free(one);
}

/* --- a mode ------------------------------------------------------------------------- */

void derive_mode(const struct model *model, const struct mode *mode,
                 struct derived_mode *out)
{
    int n = model->n, m = mode->m;
    struct curve curve;
    out->Phid = memory_new(m, sizeof *out->Phid);
    out->Phidd = memory_new(m, sizeof *out->Phidd);
    out->Phi_q = memory_new(m * n, sizeof *out->Phi_q);
    out->lambda_force = memory_new(n, sizeof *out->lambda_force);
    curve_open(&curve, model, mode, false);
    rates(&curve, mode->Phi, mode->velocity_level, m, out->Phid, out->Phidd);
    for (int i = 0; i < m; i++)
        derive_gradient(mode->Phi[i], mode->velocity_level[i] ? BLOCK_V : BLOCK_Q, n,
                        out->Phi_q + i * n);
    force_of(model, mode->Phi, mode->velocity_level, m, BLOCK_LAMBDA, out->lambda_force);
    curve_close(&curve);
}

void derived_mode_clear(struct derived_mode *derived)
{
    free(derived->Phid);
    free(derived->Phidd);
    free(derived->Phi_q);
    free(derived->lambda_force);
}

/* --- a reset ------------------------------------------------------------------------ */

/* The residual of a component: its value after the event less the value that the case
   gives or, where none is given, the value before. */
static formula given_row(const struct model *model, formula given, int plus, int before,
                         int i)
{
    formula value = given.tape ? given : variable(model->tape, before, i);
    return sub(variable(model->tape, plus, i), value);
}

/* Residuals of the velocities that are given, then Phid after the event. Returns their
   number. */
static int constrained_velocities(const struct model *model, const struct event *event,
                                  formula *J)
{
    const struct mode *to = event->to;
    struct curve after;
    int rows = 0;
    for (int i = 0; i < model->n; i++)
        if (event->v_plus[i].tape)
            J[rows++] = given_row(model, event->v_plus[i], BLOCK_V_PLUS, BLOCK_V, i);
    curve_open(&after, model, to, true);
    rates(&after, to->Phi, to->velocity_level, to->m, J + rows, NULL);
    curve_close(&after);
    return rows + to->m;
}

/* Balance of momentum [n]: M+ v+ - M- v- + Psi_q' J; M+ and Psi_q are taken after the
   event. */
static void momentum(const struct model *model, const struct event *event,
                     struct curve *after, formula *J)
{
    int n = model->n;
    formula *force = memory_new(2 * n, sizeof *force), *M = force + n;
    force_of(model, event->Psi, event->Psi_velocity_level, event->impulses,
             BLOCK_IMPULSE, force);
    at_point(after, force, n, J);
    for (int i = 0; i < n; i++) {
        at_point(after, event->to->M[i], n, M);
        for (int j = 0; j < n; j++) {
            formula v = variable(model->tape, BLOCK_V, j);
            formula v_plus = variable(model->tape, BLOCK_V_PLUS, j);
            J[i] = add(J[i], sub(mul(M[j], v_plus), mul(event->from->M[i][j], v)));
        }
    }
    free(force);
}

/* Newton's law of restitution for every row of Psi: Psid(+) + E Psid(-). */
static void restitution(struct curve *before, struct curve *after,
                        const struct event *event, formula *J)
{
    int k = event->impulses;
    formula *Psid = memory_new(k, sizeof *Psid);
    rates(after, event->Psi, event->Psi_velocity_level, k, J, NULL);
    rates(before, event->Psi, event->Psi_velocity_level, k, Psid, NULL);
    for (int i = 0; i < k; i++)
        J[i] = add(J[i], mul(event->E[i], Psid[i]));
    free(Psid);
}

void derive_reset(const struct model *model, const struct event *event, formula *J)
{
    int n = model->n, rows = n;
    for (int i = 0; i < n; i++)
        J[i] = given_row(model, event->q_plus[i], BLOCK_Q_PLUS, BLOCK_Q, i);
    if (event->velocity == VELOCITY_CONSTRAINED) {
        rows += constrained_velocities(model, event, J + n);
    } else if (event->velocity == VELOCITY_IMPULSIVE) {
        struct curve before, after;
        curve_open(&before, model, event->from, false);
        curve_open(&after, model, event->to, true);
        momentum(model, event, &after, J + n);
        restitution(&before, &after, event, J + 2 * n);
        curve_close(&before);
        curve_close(&after);
        rows += n + event->impulses;
    } else {
        for (int i = 0; i < n; i++)
            J[rows++] = given_row(model, event->v_plus[i], BLOCK_V_PLUS, BLOCK_V, i);
    }
    for (int k = 0; k < model->ns; k++)
        J[rows++] = given_row(model, event->s_plus[k], BLOCK_S_PLUS, BLOCK_S, k);
}

void derive_after(const struct model *model, const formula *f, int count, formula *out)
{
    struct curve after = {.model = model, .plus = true};
    formula *none = memory_new(2 * model->ns, sizeof *none);
    after.f_s = none;
    after.f_s_rate = none + model->ns;
    at_point(&after, f, count, out);
    free(none);
}
