/*
 * jump_second.c - second derivatives of the jump at an event, with its moving time; see
 * jump_second.h.
 */
#include "jump_second.h"

#include <stdlib.h>
#include <string.h>

#include "adjoint/adjoint_faults.h"
#include "adjoint/jump_adjoint.h"
#include "base/memory.h"

/* Rates (a, s', z') [n + ns + nz] on one side, or their derivatives. */
struct rates {
    double *a, *f_s, *g;
};

/* A direction at an event, first order: a unit of (Y-, drho), or a column of the run. */
struct variation {
    const double *x;                /* [N] at fixed time */
    int parameter;                  /* in the model, or -1 */
    double tau;
    double *w, *u, *z;              /* [N] [n + m] [event->w] along the moving event */
    struct rates minus, plus;       /* of f- at fixed time, of f+ along the event */
};

/* The part of a second derivative, of a unit and a column, that comes before the
   reset. */
struct pair_before {
    double tau;
    double *w, *u;                  /* [N] [n + m] */
};

struct jump_second {
    struct hybrid *core;
    int n, ns, nz, m, N, parameters, cost;
    int rates;                      /* n + ns + nz */
    const int *parameter;           /* [parameters] */
    unsigned faults;                /* set of enum adjoint_fault */
    struct second_order *guard, *reset;     /* [events] r; J, then costs */
    struct second_order *motion;    /* [modes] R, for guards and resets on unknowns */
    struct second_order end;        /* w of the cost */
    struct variation *unit;         /* [N + parameters], then the columns [parameters] */
    struct variation *column;       /* the latter */
    struct pair_before *pair;       /* [N + parameters][parameters] */
    struct rates minus, minus_dot, plus, plus_dot;  /* f and d/dt of f along the motion */
    double *u, *u_dot;              /* [n + m] before the event, and its rate */
    double *units;                  /* [N][N] the unit vectors; then zeros [N] */
    double *out;                    /* [largest number of outputs] */
    double *z, *D;                  /* [largest w] [N + nz] scratch of a pair */
    struct arena arena;             /* of all arrays */
};

/* --- made --------------------------------------------------------------------------- */

static double *numbers(struct jump_second *second, int count)
{
    return arena_new(&second->arena, count, sizeof(double));
}

static struct rates rates_new(struct jump_second *second)
{
    double *a = numbers(second, second->rates);
    return (struct rates){a, a + second->n, a + second->n + second->ns};
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* The largest w of any event, and the largest number of second derivatives. */
static void find_sizes(const struct jump_second *second, int *widest, int *outputs)
{
    const struct model *model = second->core->model;
    *widest = second->N;
    *outputs = 1;
    for (int k = 0; k < model->events; k++) {
        *widest = most(*widest, model->event[k]->w);
        *outputs = most(*outputs, model->event[k]->rows + second->nz);
    }
    for (int k = 0; k < model->modes; k++)
        *outputs = most(*outputs, second->core->system->mode[k].unknowns);
}

static void make_directions(struct jump_second *second, int widest)
{
    int units = second->N + second->parameters, count = units + second->parameters;
    second->unit = arena_new(&second->arena, count, sizeof *second->unit);
    second->column = second->unit + units;
    for (int c = 0; c < count; c++) {
        struct variation *d = &second->unit[c];
        int k = c - second->N;
        d->x = c < second->N ? second->units + c * second->N
                             : second->units + second->N * second->N;
        d->parameter = k < 0 ? -1 : second->parameter[k % second->parameters];
        d->w = numbers(second, second->N);
        d->u = numbers(second, second->n + second->m);
        d->z = numbers(second, widest);
        d->minus = rates_new(second);
        d->plus = rates_new(second);
    }
    second->pair = arena_new(&second->arena, units * second->parameters,
                             sizeof *second->pair);
    for (int k = 0; k < units * second->parameters; k++) {
        second->pair[k].w = numbers(second, second->N);
        second->pair[k].u = numbers(second, second->n + second->m);
    }
}

struct jump_second *jump_second_new(struct hybrid *core, int cost, int parameters,
                                    const int *parameter, unsigned faults)
{
    const struct model *model = core->model;
    struct jump_second *second = memory_new(1, sizeof *second);
    int widest, outputs, N = 2 * model->n + model->ns;
    *second = (struct jump_second){
        .core = core, .n = model->n, .ns = model->ns, .nz = model->nz, .m = model->m,
        .N = N, .rates = model->n + model->ns + model->nz, .parameters = parameters,
        .parameter = parameter, .cost = cost, .faults = faults};
    struct arena *arena = &second->arena;
    second->guard = arena_new(arena, model->events, sizeof *second->guard);
    second->reset = arena_new(arena, model->events, sizeof *second->reset);
    second->motion = arena_new(arena, model->modes, sizeof *second->motion);
    second->units = numbers(second, (N + 1) * N);
    for (int i = 0; i < N; i++)
        second->units[i * N + i] = 1;
    find_sizes(second, &widest, &outputs);
    make_directions(second, widest);
    second->minus = rates_new(second);
    second->minus_dot = rates_new(second);
    second->plus = rates_new(second);
    second->plus_dot = rates_new(second);
    second->u = numbers(second, model->n + model->m);
    second->u_dot = numbers(second, model->n + model->m);
    second->out = numbers(second, outputs);
    second->z = numbers(second, widest);
    second->D = numbers(second, N + model->nz);
    if (cost >= 0)
        second_order_init(&second->end, arena, model, &model->w[cost], 1, "second end",
                          "");
    return second;
}

void jump_second_free(struct jump_second *second)
{
    if (!second)
        return;
    const struct model *model = second->core->model;
    for (int k = 0; k < model->events; k++) {
        second_order_clear(&second->guard[k]);
        second_order_clear(&second->reset[k]);
    }
    for (int k = 0; k < model->modes; k++)
        second_order_clear(&second->motion[k]);
    second_order_clear(&second->end);
    arena_free(&second->arena);
    free(second);
}

void jump_second_set(struct jump_second *second)
{
    const struct model *model = second->core->model;
    for (int k = 0; k < model->events; k++)
        second->guard[k].set = second->reset[k].set = false;
    for (int k = 0; k < model->modes; k++)
        second->motion[k].set = false;
    second->end.set = false;
}

static struct second_order *guard_of(struct jump_second *second,
                                     const struct event *event)
{
    struct second_order *guard = &second->guard[event->index];
    if (!guard->program)
        second_order_init(guard, &second->arena, second->core->model, &event->guard, 1,
                          "second guard", event->name);
    return guard;
}

static struct second_order *reset_of(struct jump_second *second,
                                     const struct event *event)
{
    struct second_order *reset = &second->reset[event->index];
    int count = event->rows + second->nz;
    if (reset->program)
        return reset;
    formula *f = memory_new(count, sizeof *f);
    memory_copy(f, event->J, event->rows, sizeof *f);
    memory_copy(f + event->rows, event->cost, second->nz, sizeof *f);
    second_order_init(reset, &second->arena, second->core->model, f, count,
                      "second reset", event->name);
    free(f);
    return reset;
}

static struct second_order *motion_of(struct jump_second *second,
                                      const struct mode_system *ms)
{
    struct second_order *motion = &second->motion[ms->mode->index];
    if (!motion->program)
        second_order_init(motion, &second->arena, second->core->model,
                          ms->formulas + ms->at.R, ms->unknowns, "second motion",
                          ms->mode->name);
    return motion;
}

/* --- points and directions ---------------------------------------------------------- */

/* (t, x, u) as a point, or as a direction. */
static struct second_point point_of(const struct jump_second *second, double t,
                                    const double *x, const double *u, int parameter)
{
    int n = second->n;
    return (struct second_point){.t = t, .q = x, .v = x + n, .s = x + 2 * n, .a = u,
                                 .lambda = u ? u + n : NULL, .parameter = parameter};
}

/* Adds w = (q+, v+, s+, impulses) after the event to a point, or a direction. */
static struct second_point with_after(const struct jump_second *second,
                                      struct second_point point, const double *w)
{
    int n = second->n;
    point.q_plus = w;
    point.v_plus = w + n;
    point.s_plus = w + 2 * n;
    point.impulse = w + 2 * n + second->ns;
    return point;
}

static struct second_point before_of(const struct jump_second *second,
                                     const struct variation *d)
{
    return point_of(second, d->tau, d->w, d->u, d->parameter);
}

/* Rates of a mode at the point last factorised, with d/dt of them along the motion. */
static void take_rates(struct jump_second *second, struct mode_system *ms,
                       const double *x, const double *a, struct rates *f,
                       struct rates *f_dot, double *u_dot)
{
    struct system *system = second->core->system;
    memory_copy(f->a, a, second->n, sizeof *a);
    system_rates(ms, f->f_s, f->g);
    const struct state_direction motion = {
        .t = 1, .q = x + second->n, .v = f->a, .s = f->f_s, .parameter = -1};
    system_tangent(system, ms, &motion, u_dot, u_dot + second->n, f_dot->f_s, f_dot->g);
    memory_copy(f_dot->a, u_dot, second->n, sizeof *a);
    if (second->faults & ADJOINT_NO_RATE_OF_F)
        memset(f_dot->a, 0, (size_t)second->rates * sizeof *a);
}

/* sum[N] += factor times the rates of the state, with velocities v [n]. */
static void add_rates(const struct jump_second *second, double factor, const double *v,
                      const struct rates *f, double *sum)
{
    int n = second->n;
    for (int i = 0; i < n; i++) {
        sum[i] += factor * v[i];
        sum[n + i] += factor * f->a[i];
    }
    for (int i = 0; i < second->ns; i++)
        sum[2 * n + i] += factor * f->f_s[i];
}

/* --- first order -------------------------------------------------------------------- */

/* The derivatives of f- in every direction, at fixed time, and U-. */
static void directions_before(struct jump_second *second, struct mode_system *ms)
{
    struct system *system = second->core->system;
    int count = second->N + 2 * second->parameters, n = second->n;
    for (int k = 0; k < second->parameters; k++)
        second->column[k].x = second->core->x + (k + 1) * system->state;
    for (int c = 0; c < count; c++) {
        struct variation *d = &second->unit[c];
        const struct state_direction along = {
            .q = d->x, .v = d->x + n, .s = d->x + 2 * n, .parameter = d->parameter};
        system_tangent(system, ms, &along, d->u, d->u + n, d->minus.f_s, d->minus.g);
        memory_copy(d->minus.a, d->u, n, sizeof *d->u);
    }
}

/* w and u along the moving event, which comes later by tau. */
static void move(const struct jump_second *second, struct variation *d)
{
    memory_copy(d->w, d->x, second->N, sizeof *d->w);
    add_rates(second, d->tau, second->core->x + second->n, &second->minus, d->w);
    for (int i = 0; i < second->n + second->m; i++)
        d->u[i] += second->u_dot[i] * d->tau;
}

static enum status find_times(struct jump_second *second, const struct jump *jump)
{
    enum status status = OK;
    int n = second->n, count = second->N + 2 * second->parameters;
    for (int c = 0; c < count && status == OK; c++) {
        struct variation *d = &second->unit[c];
        double *x = (double *)d->x;
        const struct jump_column column = {.Q = x, .V = x + n, .S = x + 2 * n, .A = d->u,
                                           .Lambda = d->u + n};
        status = saltation_tau(jump, d->parameter, &column, &d->tau);
        move(second, d);
    }
    return status;
}

/* z' of every direction, and the derivatives of f+ along the event. */
static enum status directions_after(struct jump_second *second, const struct jump *jump,
                                    struct mode_system *to)
{
    enum status status = OK;
    int n = second->n, count = second->N + 2 * second->parameters;
    for (int c = 0; c < count && status == OK; c++) {
        struct variation *d = &second->unit[c];
        const struct jump_direction moving = {
            .t = d->tau, .q = d->w, .v = d->w + n, .s = d->w + 2 * n, .a = d->u,
            .lambda = d->u + n, .parameter = d->parameter};
        status = jump_reset(jump, &moving, d->z);
        const struct state_direction along = {.t = d->tau, .q = d->z, .v = d->z + n,
                                              .s = d->z + 2 * n,
                                              .parameter = d->parameter};
        system_tangent(second->core->system, to, &along, d->plus.a, second->out,
                       d->plus.f_s, d->plus.g);
    }
    return status;
}

static void take_other_side(const struct jump_second *second, struct rates *plus,
                            const struct rates *minus)
{
    memory_copy(plus->a, minus->a, second->rates, sizeof(double));
}

/* ADJOINT_ONE_JACOBIAN: the derivatives of f- are those of f+, too. */
static void take_one_jacobian(struct jump_second *second)
{
    take_other_side(second, &second->plus_dot, &second->minus_dot);
    for (int c = 0; c < second->N + 2 * second->parameters; c++)
        take_other_side(second, &second->unit[c].plus, &second->unit[c].minus);
}

/* --- second order ------------------------------------------------------------------- */

static struct pair_before *pair_of(struct jump_second *second, int c, int k)
{
    return &second->pair[c * second->parameters + k];
}

/* w at tau_C = 0: f-_A tau_B + f-_B tau_A + fd- tau_A tau_B. */
static void second_move(const struct jump_second *second, const struct variation *A,
                        const struct variation *B, double *w)
{
    int n = second->n;
    memset(w, 0, (size_t)second->N * sizeof *w);
    add_rates(second, B->tau, A->x + n, &A->minus, w);
    add_rates(second, A->tau, B->x + n, &B->minus, w);
    add_rates(second, A->tau * B->tau, second->minus.a, &second->minus_dot, w);
}

/* u_C of R_u u_C = -(R'' [A, B] + R' w_C), where guard or reset take unknowns. */
static void second_unknowns(struct jump_second *second, struct mode_system *ms,
                            const struct variation *A, const struct variation *B,
                            const double *w, double *u)
{
    const struct second_point a = before_of(second, A), b = before_of(second, B);
    const struct second_point c = point_of(second, 0, w, NULL, -1);
    second_order_along(motion_of(second, ms), &a, &b, &c, second->out);
    for (int i = 0; i < ms->unknowns; i++)
        second->out[i] = -second->out[i];
    system_solve_linear(ms, second->out);
    for (int i = 0; i < ms->unknowns; i++) {
        const struct unknown *unknown = &ms->unknown[i];
        int first = unknown->block == BLOCK_A ? 0 : second->n;
        u[first + unknown->index] = second->out[i];
    }
}

/* tau_C, w_C and u_C of every pair. The mode is factorised before the event. */
static void pairs_before(struct jump_second *second, const struct event *event,
                         double rate, bool takes_unknowns)
{
    struct hybrid *core = second->core;
    struct mode_system *ms = core->system->now;
    struct second_order *guard = guard_of(second, event);
    const double *rho = core->system->rho;
    const struct second_point here = point_of(second, core->t, core->x, second->u, -1);
    second_order_at(guard, rho, &here);
    if (takes_unknowns)
        second_order_at(motion_of(second, ms), rho, &here);
    for (int c = 0; c < second->N + second->parameters; c++)
        for (int k = 0; k < second->parameters; k++) {
            struct pair_before *pair = pair_of(second, c, k);
            const struct variation *A = &second->unit[c], *B = &second->column[k];
            double r;
            second_move(second, A, B, pair->w);
            memset(pair->u, 0, (size_t)(second->n + second->m) * sizeof *pair->u);
            if (takes_unknowns)
                second_unknowns(second, ms, A, B, pair->w, pair->u);
            const struct second_point a = before_of(second, A), b = before_of(second, B);
            const struct second_point both = point_of(second, 0, pair->w, pair->u, -1);
            second_order_along(guard, &a, &b, &both, &r);
            pair->tau = second->faults & ADJOINT_NO_SECOND_TIME ? 0 : -r / rate;
            add_rates(second, pair->tau, core->x + second->n, &second->minus, pair->w);
            for (int i = 0; i < second->n + second->m; i++)
                pair->u[i] += second->u_dot[i] * pair->tau;
        }
}

/* Costs along the motion before: g- tau_C + g-_A tau_B + g-_B tau_A + gd- tau_A tau_B. */
static double second_cost(const struct jump_second *second, int z, double tau,
                          const struct variation *A, const struct variation *B)
{
    return second->minus.g[z] * tau + A->minus.g[z] * B->tau + B->minus.g[z] * A->tau +
           second->minus_dot.g[z] * A->tau * B->tau;
}

/* z_C in second->z, and the costs of the event in second->D from N on. */
static void second_reset(struct jump_second *second, const struct event *event,
                         const struct variation *A, const struct variation *B,
                         const struct pair_before *pair)
{
    struct hybrid *core = second->core;
    struct reset *reset = &core->reset[event->index];
    struct second_order *program = reset_of(second, event);
    struct second_point a = with_after(second, before_of(second, A), A->z);
    struct second_point b = with_after(second, before_of(second, B), B->z);
    struct second_point c = point_of(second, pair->tau, pair->w, pair->u, -1);
    second_order_along(program, &a, &b, &c, second->out);
    reset_solve_linear(reset, second->out, second->z);
    for (int z = 0; z < second->nz; z++)
        second->D[second->N + z] = second_cost(second, z, pair->tau, A, B);
    if (second->nz == 0)
        return;
    c = with_after(second, c, second->z);
    second_order_along(program, &a, &b, &c, second->out);
    for (int z = 0; z < second->nz; z++)
        second->D[second->N + z] += second->out[event->rows + z];
}

/* D_C in second->D: back along the motion after the event. */
static void second_return(struct jump_second *second, const struct variation *A,
                          const struct variation *B, double tau, const double *v_plus)
{
    int n = second->n;
    memory_copy(second->D, second->z, second->N, sizeof *second->D);
    add_rates(second, -tau, v_plus, &second->plus, second->D);
    add_rates(second, -B->tau, A->z + n, &A->plus, second->D);
    add_rates(second, -A->tau, B->z + n, &B->plus, second->D);
    add_rates(second, A->tau * B->tau, second->plus.a, &second->plus_dot, second->D);
    for (int z = 0; z < second->nz; z++)
        second->D[second->N + z] -= second->plus.g[z] * tau + A->plus.g[z] * B->tau +
                                    B->plus.g[z] * A->tau -
                                    second->plus_dot.g[z] * A->tau * B->tau;
}

/* The second derivative of w at the end, where the state moves by A, B and C. */
static double second_end(struct jump_second *second, const struct variation *A,
                         const double *x_A, const struct variation *B, const double *x_B,
                         double tau, const double *x_C)
{
    double w;
    const struct second_point a = point_of(second, A->tau, x_A, NULL, A->parameter);
    const struct second_point b = point_of(second, B->tau, x_B, NULL, B->parameter);
    const struct second_point c = point_of(second, tau, x_C, NULL, -1);
    second_order_along(&second->end, &a, &b, &c, &w);
    return w;
}

static void add_pair(const struct jump_second *second, int c, int k, double value,
                double *mu_dot, double *G_dot)
{
    int N = second->N, p = second->parameters;
    if (c < N)
        mu_dot[k * N + c] += value;
    else
        G_dot[k * p + c - N] += value;
}

/* The second derivative of what comes after the event, by a unit and a column. */
static double weigh_pair(struct jump_second *second, const struct event *event,
                         bool terminal, int c, int k, const double *mu,
                         const double *mu_z)
{
    const struct variation *A = &second->unit[c], *B = &second->column[k];
    const struct pair_before *pair = pair_of(second, c, k);
    double value = 0;
    second_reset(second, event, A, B, pair);
    if (terminal)
        value = second_end(second, A, A->z, B, B->z, pair->tau, second->z);
    else
        second_return(second, A, B, pair->tau, second->core->sides.after + second->n);
    for (int i = 0; i < second->N && !terminal; i++)
        value += mu[i] * second->D[i];
    for (int z = 0; z < second->nz; z++)
        value += mu_z[z] * second->D[second->N + z];
    return value;
}

static enum status sides(struct jump_second *second, const struct event *event,
                         struct jump_work *services, struct jump *jump)
{
    struct hybrid *core = second->core;
    struct system *system = core->system;
    struct mode_system *from = system->now;
    int n = second->n;
    const double *x = core->x;
    double rate;
    enum status status = jump_adjoint_rate(core, event, &rate);
    if (status == OK)
        status = hybrid_side_before(core, event);
    if (status == OK)
        status = system_factor(system, from, core->t, x, x + n, x + 2 * n, second->u,
                               second->u + n);
    if (status != OK)
        return status;
    take_rates(second, from, x, second->u, &second->minus, &second->minus_dot,
               second->u_dot);
    directions_before(second, from);
    hybrid_view_jump(core, event, rate, services, jump);
    status = find_times(second, jump);
    if (status == OK)
        pairs_before(second, event, rate, hybrid_takes_unknowns(core, event));
    return status == OK ? hybrid_side_after(core, event) : status;
}

enum status jump_second_apply(struct jump_second *second, const struct event *event,
                              bool terminal, const double *mu, const double *mu_z,
                              double *mu_dot, double *G_dot)
{
    struct hybrid *core = second->core;
    struct system *system = core->system;
    struct mode_system *to = &system->mode[event->to->index];
    struct jump_work services;
    struct jump jump;
    int n = second->n;
    enum status status = sides(second, event, &services, &jump);
    const double *after = core->sides.after;
    if (status == OK && reset_equations_dependent(&core->reset[event->index].equations))
        return diagnose(core->diagnosis, NOT_APPLICABLE, core->t,
                        "second derivatives of event %s, whose impulses are redundant",
                        event->name);
    if (status == OK)
        status = system_factor(system, to, core->t, after, after + n, after + 2 * n,
                               core->sides.a_plus, core->sides.lambda_plus);
    if (status != OK)
        return status;
    double *u_plus = memory_new(n + second->m, sizeof *u_plus);
    take_rates(second, to, after, core->sides.a_plus, &second->plus, &second->plus_dot,
               u_plus);
    free(u_plus);
    status = directions_after(second, &jump, to);
    if (status != OK)
        return status;
    if (second->faults & ADJOINT_ONE_JACOBIAN)
        take_one_jacobian(second);
    struct second_point here = point_of(second, core->t, core->x, second->u, -1);
    here = with_after(second, here, core->sides.w);
    second_order_at(reset_of(second, event), system->rho, &here);
    here = point_of(second, core->t, after, NULL, -1);
    if (terminal)
        second_order_at(&second->end, system->rho, &here);
    for (int c = 0; c < second->N + second->parameters; c++)
        for (int k = 0; k < second->parameters; k++) {
            double value = weigh_pair(second, event, terminal, c, k, mu, mu_z);
            add_pair(second, c, k, value, mu_dot, G_dot);
        }
    return OK;
}

/* --- the end ------------------------------------------------------------------------ */

static double end_pair(struct jump_second *second, int c, int k, double tau,
                       const double *mu_z)
{
    const struct variation *A = &second->unit[c], *B = &second->column[k];
    double *w = pair_of(second, c, k)->w, value;
    second_move(second, A, B, w);
    add_rates(second, tau, second->core->x + second->n, &second->minus, w);
    value = second_end(second, A, A->w, B, B->w, tau, w);
    for (int z = 0; z < second->nz; z++)
        value += mu_z[z] * second_cost(second, z, tau, A, B);
    return value;
}

enum status jump_second_end(struct jump_second *second, const double *mu_z,
                            const double *dt, const double *d2t, double *mu_dot,
                            double *G_dot)
{
    struct hybrid *core = second->core;
    struct system *system = core->system;
    const double *x = core->x;
    int n = second->n, p = second->parameters, units = second->N + p;
    enum status status = system_factor(system, system->now, core->t, x, x + n, x + 2 * n,
                                       second->u, second->u + n);
    if (status != OK || second->cost < 0)
        return status;
    take_rates(second, system->now, x, second->u, &second->minus, &second->minus_dot,
               second->u_dot);
    directions_before(second, system->now);
    for (int c = 0; c < units + p; c++) {
        struct variation *d = &second->unit[c];
        d->tau = dt && c >= second->N ? dt[(c - second->N) % p] : 0;
        move(second, d);
    }
    const struct second_point here = point_of(second, core->t, x, NULL, -1);
    second_order_at(&second->end, system->rho, &here);
    for (int c = 0; c < units; c++)
        for (int k = 0; k < p; k++) {
            double tau = d2t && c >= second->N ? d2t[(c - second->N) * p + k] : 0;
            add_pair(second, c, k, end_pair(second, c, k, tau, mu_z), mu_dot, G_dot);
        }
    return OK;
}
