/*
 * multipliers.c - the penalty formulation and its tangent linear model as Corner,
 * Sandu, Sandu 2019 print them, written as formulas: (64)-(69), (A.1)-(A.11)
 * (multipliers.h).
 */
#include "papers/corner/multipliers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"

/* The quantities that (64) is made of, while formulas are written. */
struct writing {
    struct tape *tape;
    const struct model *model;
    const struct mode *mode;
    int n, m;
    formula alpha, damping, stiffness;      /* alpha, 2 xi omega, omega^2 */
    formula *Phi_q_dot, *Phi_t, *Phi_t_dot; /* [m*n] [m] [m] */
    formula *force;                         /* [m] alpha (Phi_q' v + ...) of (64b) */
};

/* --- sums --------------------------------------------------------------------------- */

/* (A x)[k] for A [m*n], x one of the blocks. */
static formula row_times(const struct writing *w, const formula *A, int k, int block)
{
    formula s = {NULL, 0};
    for (int i = 0; i < w->n; i++)
        s = add(s, mul(A[k * w->n + i], variable(w->tape, block, i)));
    return s;
}

/* (A' x)[i] for A [m*n], x [m]. */
static formula column_times(const struct writing *w, const formula *A, int i,
                            const formula *x)
{
    formula s = {NULL, 0};
    for (int k = 0; k < w->m; k++)
        s = add(s, mul(A[k * w->n + i], x[k]));
    return s;
}

/* --- directions --------------------------------------------------------------------- */

struct moving_block {
    struct tape *tape;
    int moves, like;                /* block that moves, and whose direction it takes */
};

static formula seed(void *context, int block, int index)
{
    const struct moving_block *moving = context;
    return block == moving->moves
        ? variable(moving->tape, TANGENT(moving->like), index)
        : (formula){NULL, 0};
}

/* Derivatives of f [count] by a block along the direction of block `like`. */
static formula *along(const struct writing *w, const formula *f, int count, int block,
                      int like)
{
    struct moving_block moving = {w->tape, block, like};
    formula *out = memory_new(count, sizeof *out);
    tangent_along(f, count, seed, &moving, out);
    return out;
}

/* --- the functions, (64) ------------------------------------------------------------ */

static void writing_init(struct writing *w, const struct penalty_formulas *formulas)
{
    const struct paper_run *run = &formulas->tried->run;
    struct model *branch = formulas->branch;
    const char *const *option = run->request.option;
    const struct formulation *formulation = run->request.formulation;
    *w = (struct writing){.tape = branch->tape, .model = branch, .mode = branch->mode[0],
                          .n = formulas->n, .m = formulas->m};
    formula xi = constant(w->tape, option[option_index(formulation, "xi")]);
    formula omega = constant(w->tape, option[option_index(formulation, "omega")]);
    int n = w->n, m = w->m;
    w->alpha = constant(w->tape, option[option_index(formulation, "alpha")]);
    w->damping = mul(integer(w->tape, 2), mul(xi, omega));
    w->stiffness = power(omega, 2);
    w->Phi_q_dot = memory_new(m * n, sizeof(formula));
    w->Phi_t = memory_new(m, sizeof(formula));
    w->Phi_t_dot = memory_new(m, sizeof(formula));
    w->force = memory_new(m, sizeof(formula));
    ledger_Phi_t(branch, w->mode, w->Phi_t);
    mode_time_derivative(branch, w->mode, w->mode->Phi_q, m * n, w->Phi_q_dot);
    mode_time_derivative(branch, w->mode, w->Phi_t, m, w->Phi_t_dot);
    for (int k = 0; k < m; k++) {
        formula s = add(row_times(w, w->Phi_q_dot, k, BLOCK_V), w->Phi_t_dot[k]);
        s = add(s, mul(w->damping, w->mode->Phid[k]));
        s = add(s, mul(w->stiffness, w->mode->Phi[k]));
        w->force[k] = mul(w->alpha, s);
    }
}

static void writing_clear(struct writing *w)
{
    free(w->Phi_q_dot);
    free(w->Phi_t);
    free(w->Phi_t_dot);
    free(w->force);
}

/* alpha Phi_q x [m], x one of the blocks. */
static void penalty_times(const struct writing *w, int block, formula *out)
{
    for (int k = 0; k < w->m; k++)
        out[k] = mul(w->alpha, row_times(w, w->mode->Phi_q, k, block));
}

/* Extended F, extended M a, lambda*, extended M, g. */
static void write_functions(const struct writing *w, formula *f)
{
    int n = w->n, m = w->m;
    formula *of_a = memory_new(m, sizeof *of_a);
    const formula *Phi_q = w->mode->Phi_q;
    penalty_times(w, BLOCK_A, of_a);
    for (int i = 0; i < n; i++) {
        f[i] = sub(w->mode->F[i], column_times(w, Phi_q, i, w->force));
        f[n + i] = column_times(w, Phi_q, i, of_a);
        for (int k = 0; k < n; k++) {
            formula s = {NULL, 0};
            for (int j = 0; j < m; j++)
                s = add(s, mul(Phi_q[j * n + i], Phi_q[j * n + k]));
            f[2 * n + m + i * n + k] = add(w->mode->M[i][k], mul(w->alpha, s));
            f[n + i] = add(f[n + i],
                           mul(w->mode->M[i][k], variable(w->tape, BLOCK_A, k)));
        }
    }
    for (int k = 0; k < m; k++)
        f[2 * n + k] = add(of_a[k], w->force[k]);
    memory_copy(f + 2 * n + m + n * n, w->mode->g, w->model->nz, sizeof *f);
    free(of_a);
}

/* --- the derivatives, (A.1)-(A.11) -------------------------------------------------- */

/* The bracket that (A.1), (A.3) and (A.10), (A.11) share, for a block: (Phi_q_dot)_b v +
   (Phi_t_dot)_b + 2 xi omega (Phid)_b + omega^2 Phi_b; `Phi_t_b`: what stands for
   (Phi_t_dot)_b. */
static void bracket(const struct writing *w, int block, const formula *Phi_t_b,
                    formula *out)
{
    int n = w->n, m = w->m;
    formula *Phi_q_dot = along(w, w->Phi_q_dot, m * n, block, block);
    formula *Phi_q = along(w, w->mode->Phi_q, m * n, block, block);
    formula *Phi_t = along(w, w->Phi_t, m, block, block);
    formula *Phi = along(w, w->mode->Phi, m, block, block);
    for (int k = 0; k < m; k++) {
        formula Phid = add(row_times(w, Phi_q, k, BLOCK_V), Phi_t[k]);
        formula s = add(row_times(w, Phi_q_dot, k, BLOCK_V), Phi_t_b[k]);
        s = add(s, mul(w->damping, Phid));
        out[k] = mul(w->alpha, add(s, mul(w->stiffness, Phi[k])));
    }
    free(Phi_q_dot);
    free(Phi_q);
    free(Phi_t);
    free(Phi);
}

/* The bracket of (A.2) and (A.9): Phi_qq v + Phi_q_dot + Phi_tq + 2 xi omega Phi_q. */
static void bracket_v(const struct writing *w, formula *out)
{
    int n = w->n, m = w->m;
    formula *Phi_q = along(w, w->mode->Phi_q, m * n, BLOCK_Q, BLOCK_V);
    formula *Phi_t = along(w, w->Phi_t, m, BLOCK_Q, BLOCK_V);
    for (int k = 0; k < m; k++) {
        formula s = row_times(w, Phi_q, k, BLOCK_V);
        s = add(s, row_times(w, w->Phi_q_dot, k, TANGENT(BLOCK_V)));
        s = add(s, Phi_t[k]);
        s = add(s, mul(w->damping, row_times(w, w->mode->Phi_q, k, TANGENT(BLOCK_V))));
        out[k] = mul(w->alpha, s);
    }
    free(Phi_q);
    free(Phi_t);
}

/* Parts by q or rho: of extended F [n], (A.1), (A.3); of extended M a [n], (A.4), (A.5);
   of lambda* [m], (A.10), (A.11). */
static void write_parts(const struct writing *w, int block, formula *of_F, formula *of_M,
                        formula *of_lambda)
{
    int n = w->n, m = w->m;
    formula *inner = memory_new(2 * m, sizeof *inner), *of_a = inner + m;
    formula *Phi_q = along(w, w->mode->Phi_q, m * n, block, block);
    formula *Phi_t_dot = along(w, w->Phi_t_dot, m, block, block);
    formula *F = along(w, w->mode->F, n, block, block);
    bracket(w, block, Phi_t_dot, inner);
    penalty_times(w, BLOCK_A, of_a);
    for (int i = 0; i < n; i++) {
        of_F[i] = sub(F[i], column_times(w, Phi_q, i, w->force));
        of_F[i] = sub(of_F[i], column_times(w, w->mode->Phi_q, i, inner));
        formula *M = along(w, w->mode->M[i], n, block, block);
        of_M[i] = column_times(w, Phi_q, i, of_a);
        for (int k = 0; k < n; k++)
            of_M[i] = add(of_M[i], mul(M[k], variable(w->tape, BLOCK_A, k)));
        free(M);
    }
    for (int k = 0; k < m; k++)
        of_lambda[k] = mul(w->alpha, row_times(w, Phi_q, k, BLOCK_A));
    for (int i = 0; i < n; i++)
        of_M[i] = add(of_M[i], column_times(w, w->mode->Phi_q, i, of_lambda));
    for (int k = 0; k < m; k++)
        of_lambda[k] = add(of_lambda[k], inner[k]);
    free(inner);
    free(Phi_q);
    free(Phi_t_dot);
    free(F);
}

/* (A.2) [n], (A.9) [m]. */
static void write_by_v(const struct writing *w, formula *of_F, formula *of_lambda)
{
    formula *F = along(w, w->mode->F, w->n, BLOCK_V, BLOCK_V);
    bracket_v(w, of_lambda);
    for (int i = 0; i < w->n; i++)
        of_F[i] = sub(F[i], column_times(w, w->mode->Phi_q, i, of_lambda));
    free(F);
}

/* --- (66) --------------------------------------------------------------------------- */

/* Which derivatives (66) takes for those of v' and lambda*. */
struct rate_of_cost {
    struct tape *tape;
    int n, m;
    const formula *lambda;          /* [m] derivative of lambda* */
    const formula *misplaced;       /* [m] what stands beside g_v' by mistake; NULL:
                                       nothing */
};

static formula cost_seed(void *context, int block, int index)
{
    const struct rate_of_cost *rate = context;
    if (block == BLOCK_LAMBDA)
        return rate->lambda[index];
    if (block == BLOCK_A && rate->misplaced && index < rate->m)
        return add(variable(rate->tape, TANGENT(BLOCK_A), index), rate->misplaced[index]);
    return variable(rate->tape, TANGENT(block), index);
}

/* Rates of the costs by (66): as printed; with lambda*_rho in its place; with lambda*_a
   V', too. */
static void write_rates(const struct writing *w, const struct penalty_formulas *formulas,
                        const formula *f, formula *out)
{
    int m = w->m, nz = w->model->nz;
    const formula *by_a = f + formulas->part[PART_LAMBDA_A];
    const formula *by_v = f + formulas->part[PART_LAMBDA_V];
    const formula *by_q = f + formulas->part[PART_LAMBDA_Q];
    const formula *by_rho = f + formulas->part[PART_LAMBDA_RHO];
    formula *lambda = memory_new(m, sizeof *lambda);
    struct rate_of_cost rate = {w->tape, w->n, m, lambda, by_rho};
    for (int k = 0; k < m; k++)
        lambda[k] = add(by_q[k], by_v[k]);
    tangent_along(w->mode->g, nz, cost_seed, &rate, out);
    rate.misplaced = NULL;
    for (int k = 0; k < m; k++)
        lambda[k] = add(lambda[k], by_rho[k]);
    tangent_along(w->mode->g, nz, cost_seed, &rate, out + nz);
    for (int k = 0; k < m; k++)
        lambda[k] = add(lambda[k], by_a[k]);
    tangent_along(w->mode->g, nz, cost_seed, &rate, out + 2 * nz);
    free(lambda);
}

/* --- one motion --------------------------------------------------------------------- */

const struct differentiated differentiated[PARTS] = {
    [PART_F_Q] = {OF_F, BLOCK_Q},           [PART_F_V] = {OF_F, BLOCK_V},
    [PART_F_RHO] = {OF_F, BLOCK_RHO},       [PART_M_Q] = {OF_M, BLOCK_Q},
    [PART_M_RHO] = {OF_M, BLOCK_RHO},       [PART_LAMBDA_A] = {OF_LAMBDA, BLOCK_A},
    [PART_LAMBDA_V] = {OF_LAMBDA, BLOCK_V}, [PART_LAMBDA_Q] = {OF_LAMBDA, BLOCK_Q},
    [PART_LAMBDA_RHO] = {OF_LAMBDA, BLOCK_RHO}};

int function_begin(const struct penalty_formulas *formulas, enum function_part of)
{
    return (int)of * formulas->n;
}

/* All parts as the tape differentiates the functions. */
static void write_differentiated(const struct writing *w,
                                 const struct penalty_formulas *formulas,
                                 const formula *function, formula *f)
{
    for (int k = 0; k < PARTS; k++) {
        int size = formulas->part[k + 1] - formulas->part[k];
        int block = (int)differentiated[k].block;
        const formula *of = function + function_begin(formulas, differentiated[k].of);
        formula *part = along(w, of, size, block, block);
        memory_copy(f + formulas->part[k], part, size, sizeof *f);
        free(part);
    }
}

static void write_printed(const struct writing *w,
                          const struct penalty_formulas *formulas,
                          const formula *function, formula *f)
{
    const int *part = formulas->part;
    int m = w->m;
    write_differentiated(w, formulas, function, f + part[PARTS]);
    write_parts(w, BLOCK_Q, f + part[PART_F_Q], f + part[PART_M_Q],
                f + part[PART_LAMBDA_Q]);
    write_parts(w, BLOCK_RHO, f + part[PART_F_RHO], f + part[PART_M_RHO],
                f + part[PART_LAMBDA_RHO]);
    write_by_v(w, f + part[PART_F_V], f + part[PART_LAMBDA_V]);
    penalty_times(w, TANGENT(BLOCK_A), f + part[PART_LAMBDA_A]);
    formula *Phi_t = along(w, w->Phi_t, m, BLOCK_Q, BLOCK_Q);
    formula *Phi_q = along(w, w->mode->Phi_q, m * w->n, BLOCK_Q, BLOCK_Q);
    formula *own = f + formulas->own;
    bracket(w, BLOCK_Q, Phi_t, own);
    for (int k = 0; k < m; k++)
        own[k] = add(own[k], mul(w->alpha, row_times(w, Phi_q, k, BLOCK_A)));
    free(Phi_t);
    free(Phi_q);
    write_rates(w, formulas, f, own + m);
}

static void lay_out(struct penalty_formulas *formulas)
{
    for (int k = 0; k < PARTS; k++)
        formulas->part[k + 1] = formulas->part[k] +
                                (k < PART_LAMBDA_A ? formulas->n : formulas->m);
    formulas->own = 2 * formulas->part[PARTS];
}

struct penalty_formulas *penalty_formulas_new(const struct tried *tried)
{
    struct penalty_formulas *formulas = memory_new(1, sizeof *formulas);
    const struct model *model = tried->run.model;
    struct writing w;
    int n = model->n, m = model->mode[0]->m, nz = model->nz;
    *formulas = (struct penalty_formulas){.tried = tried, .branch = model_branch(model),
                                          .n = n, .m = m, .nz = nz};
    lay_out(formulas);
    int functions = 2 * n + m + n * n + nz, printed = formulas->own + m + 3 * nz;
    formula *f = memory_new(functions + printed, sizeof *f);
    writing_init(&w, formulas);
    write_functions(&w, f);
    write_printed(&w, formulas, f, f + functions);
    writing_clear(&w);
    probe_init(&formulas->function, formulas->branch, tried->run.value, f, functions);
    probe_init(&formulas->printed, formulas->branch, tried->run.value, f + functions,
               printed);
    free(f);
    formulas->value = memory_new(functions, sizeof(double));
    formulas->derivative = memory_new(functions, sizeof(double));
    formulas->column = memory_new(printed, sizeof(double));
    return formulas;
}

void penalty_formulas_free(struct penalty_formulas *formulas)
{
    if (!formulas)
        return;
    probe_clear(&formulas->function);
    probe_clear(&formulas->printed);
    model_branch_free(formulas->branch);
    free(formulas->value);
    free(formulas->derivative);
    free(formulas->column);
    free(formulas);
}
