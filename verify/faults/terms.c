/*
 * terms.c - the jump of sensitivities, each term with its factor (terms.h).
 */
#include "faults/terms.h"

#include <stdlib.h>

#include "base/memory.h"

/* The changes of the rule that is asked: it is the first member of a struct term_rule. */
static const double *changes(const struct jump *jump)
{
    return ((const struct term_rule *)(const void *)jump->rule)->change;
}

/* to = factor x */
static const double *scaled(double *to, double factor, const double *x, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = factor * x[i];
    return to;
}

/* The value of the right side for part 0, of the other side for part 1. */
static double between(double right, double other, double part)
{
    return part == 0 ? right : (1 - part) * right + part * other;
}

/* --- dt_e/drho ---------------------------------------------------------------------- */

/* r_q Q- + r_v V- + r_s S- + r_u U- + r_rho */
static double guard_by_parameter(const struct jump *jump, int parameter,
                                 const struct jump_column *before)
{
    const double *change = changes(jump);
    int n = jump->model->n, ns = jump->model->ns, m = jump->before.mode->m;
    double *work = memory_new(3 * n + ns + m, sizeof *work);
    double *Q = work, *V = Q + n, *A = V + n, *S = A + n, *Lambda = S + ns;
    const struct jump_direction column = {
        .q = scaled(Q, 1 + change[TERM_r_q], before->Q, n),
        .v = scaled(V, 1 + change[TERM_r_v], before->V, n),
        .s = scaled(S, 1 + change[TERM_r_s], before->S, ns),
        .a = scaled(A, 1 + change[TERM_r_u], before->A, n),
        .lambda = scaled(Lambda, 1 + change[TERM_r_u], before->Lambda, m),
        .parameter = parameter};
    double sum = jump_guard(jump, &column);
    const struct jump_direction explicitly = {.parameter = parameter};
    if (change[TERM_r_rho] != 0)
        sum += change[TERM_r_rho] * jump_guard(jump, &explicitly);
    free(work);
    return sum;
}

/* r_t + r_q v- + r_v a- + r_s f_s- + r_u u'-. The terms are summed, so that zero is left
   when the only one is missing. */
static double guard_rate(const struct jump *jump)
{
    const double *change = changes(jump);
    const struct jump_side *minus = &jump->before;
    const struct { enum term term; struct jump_direction direction; } part[] = {
        {TERM_r_t, {.t = 1, .parameter = -1}},
        {TERM_r_q_v, {.q = minus->v, .parameter = -1}},
        {TERM_r_v_a, {.v = minus->a, .parameter = -1}},
        {TERM_r_s_f, {.s = minus->f_s, .parameter = -1}},
        {TERM_r_u_u, {.a = jump->a_dot, .lambda = jump->lambda_dot, .parameter = -1}},
    };
    bool changed = false;
    double sum = 0;
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        double factor = 1 + change[part[k].term];
        changed = changed || factor != 1;
        sum += factor * jump_guard(jump, &part[k].direction);
    }
    return changed ? sum : jump->rate;
}

enum status terms_tau(const struct jump *jump, int parameter,
                      const struct jump_column *before, double *tau)
{
    double rate = guard_rate(jump);
    if (rate == 0)
        return GRAZING;
    *tau = (1 + changes(jump)[TERM_dte]) *
           (-guard_by_parameter(jump, parameter, before) / rate);
    return OK;
}

/* --- the jump ----------------------------------------------------------------------- */

/* Changes of q-, v-, s-, a-, lambda- along the moving event, and of w by the reset. */
struct moving {
    double *work;
    double *q, *v, *s, *a, *lambda, *w;
    double *explicitly;         /* [event->w] J_rho in w */
};

static void moving_new(struct moving *d, const struct jump *jump)
{
    int n = jump->model->n, ns = jump->model->ns, m = jump->before.mode->m;
    int w = jump->event->w;
    d->work = memory_new(3 * n + ns + m + 2 * w, sizeof *d->work);
    d->q = d->work;
    d->v = d->q + n;
    d->a = d->v + n;
    d->s = d->a + n;
    d->lambda = d->s + ns;
    d->w = d->lambda + m;
    d->explicitly = d->w + w;
}

/* dq = Q- + v- tau, ... */
static void along_moving_event(const struct jump *jump, const struct jump_column *before,
                               double tau, struct moving *d)
{
    const double *change = changes(jump);
    const struct jump_side *minus = &jump->before, *plus = &jump->after;
    double v_tau = (1 + change[TERM_v_minus]) * tau;
    double a_tau = (1 + change[TERM_a_minus]) * tau;
    double f_tau = (1 + change[TERM_f_minus]) * tau;
    double u_tau = (1 + change[TERM_u_minus]) * tau;
    for (int i = 0; i < jump->model->n; i++) {
        double v = between(minus->v[i], plus->v[i], change[SWAP_v_before]);
        double a = between(minus->a[i], plus->a[i], change[SWAP_a_before]);
        d->q[i] = before->Q[i] + v * v_tau;
        d->v[i] = before->V[i] + a * a_tau;
        d->a[i] = before->A[i] + jump->a_dot[i] * u_tau;
    }
    for (int k = 0; k < jump->model->ns; k++)
        d->s[k] = before->S[k] + between(minus->f_s[k], plus->f_s[k],
                                         change[SWAP_f_before]) * f_tau;
    for (int k = 0; k < minus->mode->m; k++)
        d->lambda[k] = before->Lambda[k] + jump->lambda_dot[k] * u_tau;
}

/* J_w dw + J_q dq + J_v dv + J_s ds + J_u du + J_t tau + J_rho = 0 */
static enum status through_reset(const struct jump *jump, int parameter, double tau,
                                 struct moving *d)
{
    const double *change = changes(jump);
    int n = jump->model->n, ns = jump->model->ns, m = jump->before.mode->m;
    double *part = memory_new(3 * n + ns + m, sizeof *part);
    const struct jump_direction direction = {
        .t = (1 + change[TERM_J_t]) * tau,
        .q = scaled(part, 1 + change[TERM_J_q], d->q, n),
        .v = scaled(part + n, 1 + change[TERM_J_v], d->v, n),
        .a = scaled(part + 2 * n, 1 + change[TERM_J_u], d->a, n),
        .s = scaled(part + 3 * n, 1 + change[TERM_J_s], d->s, ns),
        .lambda = scaled(part + 3 * n + ns, 1 + change[TERM_J_u], d->lambda, m),
        .parameter = parameter};
    enum status status = jump_reset(jump, &direction, d->w);
    const struct jump_direction explicitly = {.parameter = parameter};
    if (status == OK && change[TERM_J_rho] != 0) {
        status = jump_reset(jump, &explicitly, d->explicitly);
        for (int i = 0; i < jump->event->w; i++)
            d->w[i] += change[TERM_J_rho] * d->explicitly[i];
    }
    free(part);
    return status;
}

/* Q+ = dq+ - v+ tau, ... */
static void back_to_fixed_time(const struct jump *jump, double tau,
                               const struct moving *d, struct jump_column *after)
{
    const double *change = changes(jump);
    const struct jump_side *minus = &jump->before, *plus = &jump->after;
    int n = jump->model->n;
    double v_tau = (1 + change[TERM_v_plus]) * tau;
    double a_tau = (1 + change[TERM_a_plus]) * tau;
    double f_tau = (1 + change[TERM_f_plus]) * tau;
    double v_beside = change[SWAP_v_beside] * tau;
    double a_beside = change[SWAP_a_beside] * tau;
    double f_beside = change[SWAP_f_beside] * tau;
    for (int i = 0; i < n; i++) {
        double v = between(plus->v[i], minus->v[i], change[SWAP_v_after]);
        double a = between(plus->a[i], minus->a[i], change[SWAP_a_after]);
        after->Q[i] = d->w[i] - v * v_tau + v_beside * minus->v[i];
        after->V[i] = d->w[n + i] - a * a_tau + a_beside * minus->a[i];
    }
    for (int k = 0; k < jump->model->ns; k++)
        after->S[k] = d->w[2 * n + k] - between(plus->f_s[k], minus->f_s[k],
                                                change[SWAP_f_after]) * f_tau +
                      f_beside * minus->f_s[k];
}

/* Z+ = Z- - (g+ - g-) tau + the cost of the event */
static void jump_of_costs(const struct jump *jump, int parameter,
                          const struct jump_column *before, double tau,
                          const struct moving *d, struct jump_column *after)
{
    const double *change = changes(jump);
    const struct jump_direction moving = {
        .t = tau, .q = d->q, .v = d->v, .s = d->s, .a = d->a, .lambda = d->lambda,
        .parameter = parameter};
    double g_tau = (1 + change[TERM_Z_jump]) * (1 + change[TERM_g]) * tau;
    double cost = (1 + change[TERM_Z_jump]) * (1 + change[TERM_cost]);
    for (int k = 0; k < jump->model->nz; k++)
        after->Z[k] = before->Z[k] - (jump->after.g[k] - jump->before.g[k]) * g_tau +
                      cost * jump_cost(jump, k, &moving, d->w);
}

enum status terms_apply(const struct jump *jump, int parameter,
                        const struct jump_column *before, double tau,
                        struct jump_column *after)
{
    double memory = changes(jump)[SWAP_memory];
    struct moving d;
    tau *= 1 + changes(jump)[TERM_tau];
    moving_new(&d, jump);
    along_moving_event(jump, before, tau, &d);
    enum status status = through_reset(jump, parameter, tau, &d);
    back_to_fixed_time(jump, tau, &d, after);
    jump_of_costs(jump, parameter, before, tau, &d, after);
    free(d.work);
    if (status == OK)
        status = jump_algebraic(jump, parameter, after);
    for (int i = 0; memory != 0 && i < jump->after.mode->m; i++)
        after->Lambda[i] += memory * before->Lambda[i];
    return status;
}

/* --- one term wrong ----------------------------------------------------------------- */

#define ONE_TERM(id, name_, change_, title_) \
    {.rule = {.name = name_, .title = title_, .source = "seeded fault", \
              .tau = terms_tau, .apply = terms_apply}, \
     .change = {[TERM_##id] = change_}},
#define SWAP(id)

const struct term_text term_texts[] = {
#define TERM(id, name, text, place) {text, place},
#include "faults/terms.def"
#undef TERM
    {NULL, NULL},
};

const struct term_rule term_rules[] = {
#define TERM(id, name, text, place) ONE_TERM(id, "no-" name, -1, text " missing" place)
#include "faults/terms.def"
#undef TERM
#define TERM(id, name, text, place) \
    ONE_TERM(id, "minus-" name, -2, "wrong sign of " text place)
#include "faults/terms.def"
#undef TERM
#define TERM(id, name, text, place) ONE_TERM(id, "twice-" name, 1, "twice " text place)
#include "faults/terms.def"
#undef TERM
#define TERM(id, name, text, place) \
    ONE_TERM(id, "half-" name, -0.5, "half of " text place)
#include "faults/terms.def"
#undef TERM
    {.rule = {.name = NULL}},
};
