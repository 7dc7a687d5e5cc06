/*
 * pullback.c - gradients of a weighted sum of rates, by one transposed solution and one
 * reverse sweep (Griewank, Walther 2008, ch. 3); see pullback.h.
 */
#include "pullback.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "formula/diff.h"
#include "linear/dense_lu.h"
#include "program/fault.h"

struct pullback {
    struct mode_system *ms;
    int n, ns, nz, rows, m;         /* m: multipliers of the model */
    int parameters;
    struct program *program;
    int c, by_mu, L_x, L_rho;       /* first outputs: (f_s)_u' mu_s + g_u' mu_z [rows];
                                       R_mu' eta [m]; L_q, L_v, L_s; L_rho */
    double *w;                      /* work of program */
    struct tiered_program code;
    bool untransposed;              /* fault injection: R_u is solved with */
    bool kernel;                    /* multipliers of least norm */
    bool factorises;                /* the linear method solves no transposed system */
    struct dense_lu own;            /* factors for one that does not */
    double *u;                      /* [n + m] a, lambda at the point */
    double *weight;                 /* [ns + nz] mu_s, mu_z */
    double *right, *eta, *y, *kappa, *last; /* [rows] scratch */
    struct arena arena;             /* of all arrays */
};

/* --- compiled ----------------------------------------------------------------------- */

/* Weights come after the point; eta, y and kappa follow from them. */
static void stages_of_weights(unsigned char *stage)
{
    program_stages(BLOCKS_OF_STATE, BLOCKS_OF_UNKNOWNS | BLOCK_SET(BLOCK_MU), stage);
    stage[BLOCK_WEIGHT] = STAGE_DIRECTION;
    stage[TANGENT(BLOCK_WEIGHT)] = STAGE_DIRECTION_UNKNOWN;
    stage[DIRECTION(BLOCK_WEIGHT, 2)] = STAGE_DIRECTION_UNKNOWN;
    stage[DIRECTION(BLOCK_A, 2)] = STAGE_DIRECTION_UNKNOWN;
    stage[DIRECTION(BLOCK_LAMBDA, 2)] = STAGE_DIRECTION_UNKNOWN;
}

/* sum_i w_i f_i, where the w are variables of this block from `first` on. */
static formula weighted(struct tape *tape, int block, int first, const formula *f,
                        int count)
{
    formula total = {NULL, 0};
    for (int i = 0; i < count; i++)
        if (!is_zero(f[i]))
            total = add(total, mul(variable(tape, block, first + i), f[i]));
    return total;
}

/* y' R_u kappa, with kappa in the second copy of the blocks of (a, lambda). */
static formula kernel_term(struct tape *tape, const formula *R, int rows)
{
    static const bool unknowns[BLOCKS] = {[BLOCK_A] = true, [BLOCK_LAMBDA] = true};
    formula along;
    formula total = weighted(tape, DIRECTION(BLOCK_WEIGHT, 2), 0, R, rows);
    tangent(tape, &total, 1, unknowns, 2, &along);
    return along;
}

/* Gradients by the state, one after the other, then by the chosen parameters. */
static void gradients(const struct model *model, formula L, int parameters,
                      const int *parameter, formula *by_x, formula *by_rho)
{
    formula *all = memory_new(model->p, sizeof *all);
    gradient(L, BLOCK_Q, model->n, by_x);
    gradient(L, BLOCK_V, model->n, by_x + model->n);
    gradient(L, BLOCK_S, model->ns, by_x + 2 * model->n);
    gradient(L, BLOCK_RHO, model->p, all);
    for (int j = 0; j < parameters; j++)
        by_rho[j] = all[parameter[j]];
    free(all);
}

static void compile(struct pullback *p, const struct system *system,
                    const int *parameter)
{
    const struct model *model = system->model;
    const struct mode_system *ms = p->ms;
    struct tape *tape = model->tape;
    const formula *R = ms->formulas + ms->at.R, *f_s = ms->formulas + ms->at.f_s;
    int n = p->n, ns = p->ns, nz = p->nz;
    int outputs = p->rows + p->m + 2 * n + ns + p->parameters;
    formula *f = memory_new(outputs, sizeof *f);

    /* s' and z' stand one after the other in ms->formulas. */
    formula rates = weighted(tape, BLOCK_WEIGHT, 0, f_s, ns + nz);
    formula forces = weighted(tape, TANGENT(BLOCK_WEIGHT), 0, R, p->rows);
    formula L = sub(rates, forces);
    if (p->kernel)
        L = add(L, kernel_term(tape, R, p->rows));
    system_row_of_matrix(model, ms->unknown, p->rows, rates, f);
    p->by_mu = p->c + p->rows;
    gradient(forces, BLOCK_MU, p->m, f + p->by_mu);
    p->L_x = p->by_mu + p->m;
    p->L_rho = p->L_x + 2 * n + ns;
    gradients(model, L, p->parameters, parameter, f + p->L_x, f + p->L_rho);

    unsigned char stages[BLOCK_LIMIT];
    stages_of_weights(stages);
    p->program = program_seal_derivatives(tape, f, outputs, 0, stages, "pullback",
                                          ms->mode->name);
    free(f);
}

struct pullback *pullback_new(const struct system *system, struct mode_system *ms,
                              int parameters, const int *parameter)
{
    const struct model *model = system->model;
    struct pullback *p = memory_new(1, sizeof *p);
    *p = (struct pullback){.ms = ms, .n = model->n, .ns = model->ns, .nz = model->nz,
                           .rows = ms->unknowns, .m = model->m,
                           .parameters = parameters,
                           .kernel = ms->linear->kernel_part != NULL,
                           .factorises = !ms->linear->transposed};
    compile(p, system, parameter);
    struct { double **array; int size; } const part[] = {
        {&p->w, p->program->slots}, {&p->u, p->n + p->m}, {&p->weight, p->ns + p->nz},
        {&p->right, p->rows}, {&p->eta, p->rows}, {&p->y, p->rows},
        {&p->kappa, p->rows}, {&p->last, p->rows}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].array = arena_new(&p->arena, part[k].size, sizeof(double));
    program_init(p->program, p->w);
    tiered_program_init(&p->code, p->program, p->w);
    if (p->factorises)
        dense_lu_init(&p->own, p->rows);
    return p;
}

void pullback_free(struct pullback *p)
{
    if (!p)
        return;
    tiered_program_clear(&p->code);
    program_free(p->program);
    dense_lu_clear(&p->own);
    arena_free(&p->arena);
    free(p);
}

void pullback_set(struct pullback *p, const double *rho)
{
    program_set_parameters(p->program, rho, p->w);
}

void pullback_leave_untransposed(struct pullback *p)
{
    p->untransposed = true;
}

void pullback_use_code(struct pullback *p, enum code_use use)
{
    tiered_program_use_code(&p->code, use);
}

/* --- at a point --------------------------------------------------------------------- */

static double output(const struct pullback *p, int k)
{
    return p->w[p->program->output[k]];
}

enum status pullback_at(struct pullback *p, struct system *system, double t,
                        const double *x)
{
    int n = p->n;
    const double *q = x, *v = x + n, *s = x + 2 * n;
    enum status status = system_factor(system, p->ms, t, q, v, s, p->u, p->u + n);
    if (status != OK)
        return status;
    if (p->factorises && !dense_lu_matrix(&p->own, p->ms->scaled))
        return diagnose(system->diagnosis, SINGULAR, t,
                        "transposed equations of motion of mode %s", p->ms->mode->name);
    tiered_program_load_point(&p->code, 0, t, q, v, s, p->w);
    tiered_program_run(&p->code, STAGE_STATE, p->w);
    program_load(p->program, BLOCK_A, p->u, p->w);
    program_load(p->program, BLOCK_LAMBDA, p->u + n, p->w);
    program_load(p->program, BLOCK_MU, p->u + n, p->w);
    tiered_program_run(&p->code, STAGE_UNKNOWN, p->w);
    return OK;
}

/* --- weights ------------------------------------------------------------------------ */

static void solve_transposed(const struct pullback *p, double *right, double *x)
{
    if (p->untransposed) {
        memory_copy(x, right, p->rows, sizeof *x);
        system_solve_linear(p->ms, x);
        return;
    }
    if (!p->factorises) {
        system_solve_transposed(p->ms, right, x);
        return;
    }
    for (int i = 0; i < p->rows; i++)
        x[i] = right[i] * p->ms->unit[i];
    dense_lu_solve_transposed(&p->own, x);
    for (int i = 0; i < p->rows; i++)
        x[i] *= p->ms->unit[i];
}

/* The right side of R_u' eta = c: (mu_v, 0), and what s' and z' take of the unknowns. */
static void gradient_by_unknowns(const struct pullback *p, const double *mu_v, double *c)
{
    for (int i = 0; i < p->rows; i++) {
        const struct unknown *u = &p->ms->unknown[i];
        c[i] = output(p, p->c + i) + (u->block == BLOCK_A ? mu_v[u->index] : 0);
    }
}

/* y and kappa of the multipliers of least norm. */
static void load_kernel(struct pullback *p, const double *c)
{
    for (int i = 0; i < p->rows; i++) {
        p->right[i] = i < p->n ? 0 : p->u[i];
        p->kappa[i] = c[i];
    }
    system_solve_transposed(p->ms, p->right, p->y);
    p->ms->linear->kernel_part(p->ms->factors, p->kappa);
    program_load(p->program, DIRECTION(BLOCK_WEIGHT, 2), p->y, p->w);
    program_load(p->program, DIRECTION(BLOCK_A, 2), p->kappa, p->w);
    program_load(p->program, DIRECTION(BLOCK_LAMBDA, 2), p->kappa + p->n, p->w);
}

static void load_eta(struct pullback *p)
{
    program_load(p->program, TANGENT(BLOCK_WEIGHT), p->eta, p->w);
    tiered_program_run(&p->code, STAGE_DIRECTION_UNKNOWN, p->w);
}

/* eta of (R_u + R_mu)' eta = c, from R_u' eta = c - R_mu' eta: the iteration converges as
   that of the multipliers does. */
static enum status iterate(struct pullback *p, const double *c)
{
    enum { MOST = 200 };
    double last = INFINITY;
    for (int k = 0; k < MOST; k++) {
        load_eta(p);
        memory_copy(p->last, p->eta, p->rows, sizeof *p->eta);
        for (int i = 0; i < p->rows; i++) {
            const struct unknown *u = &p->ms->unknown[i];
            double by_mu = u->block == BLOCK_LAMBDA ? output(p, p->by_mu + u->index) : 0;
            p->right[i] = c[i] - p->ms->iterates.softness * by_mu;
        }
        solve_transposed(p, p->right, p->eta);
        double change = 0, size = 0;
        for (int i = 0; i < p->rows; i++) {
            change = larger(change, fabs(p->eta[i] - p->last[i]) / p->ms->unit[i]);
            size = larger(size, fabs(p->eta[i]) / p->ms->unit[i]);
        }
        if (change <= pullback_converged * size ||
            (change >= last && change < pullback_stalled * size))
            return OK;
        last = change;
    }
    return NO_CONVERGENCE;
}

enum status pullback_weights(struct pullback *p, const double *mu, const double *mu_z,
                             double *by_x, double *by_rho)
{
    int n = p->n, ns = p->ns;
    enum status status = OK;
    memory_copy(p->weight, mu + 2 * n, ns, sizeof *mu);
    memory_copy(p->weight + ns, mu_z, p->nz, sizeof *mu);
    program_load(p->program, BLOCK_WEIGHT, p->weight, p->w);
    tiered_program_run(&p->code, STAGE_DIRECTION, p->w);
    gradient_by_unknowns(p, mu + n, p->last);
    if (p->kernel)
        load_kernel(p, p->last);
    memory_copy(p->right, p->last, p->rows, sizeof *mu);
    solve_transposed(p, p->right, p->eta);
    if (p->ms->iterated) {
        memory_copy(p->kappa, p->last, p->rows, sizeof *mu);
        status = iterate(p, p->kappa);
    }
    load_eta(p);
    for (int i = 0; i < 2 * n + ns; i++)
        by_x[i] = output(p, p->L_x + i) + (i >= n && i < 2 * n ? mu[i - n] : 0);
    for (int j = 0; j < p->parameters; j++)
        by_rho[j] = output(p, p->L_rho + j);
    bool finite = all_finite(by_x, 2 * n + ns) && all_finite(by_rho, p->parameters);
    return status == OK && !finite ? NOT_FINITE : status;
}
