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

/* A pullback with the equations solved beforehand. */
struct solved_pullback {
    struct program *program;        /* L_x, L_rho of weights mu_s, mu_z, mu_v; NULL: they
                                       cannot be */
    double *w;                      /* work of program */
    struct tiered_program code;
    bool trusted, compared;         /* it agrees with the pivoting solver, where compared
                                       since pullback_restart */
    double *x, *by_x, *by_rho;      /* [1 + 2n + ns] the point; gradients to compare */
};

struct pullback {
    struct mode_system *ms;
    struct solved_pullback solved;
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
    double *weight, *weight_dot;    /* [ns + nz + n] mu_s, mu_z, mu_v, and along a
                                       direction */
    double *right, *eta, *y, *kappa, *last; /* [rows] scratch; eta of the last weights */
    struct program *along;          /* of derivatives, made at first use: c' - (R_u)'' eta
                                       [rows], L_x' [2n + ns], L_rho' [parameters] */
    double *along_w;                /* work of `along` */
    struct tiered_program along_code;
    bool along_set, along_loaded;   /* along_w has the parameters of the run; the point
                                       and the weights */
    formula *formulas;              /* outputs of `program`, for `along` */
    const double *rho;              /* [p] of the run; the caller's */
    double x_t, *x;                 /* the point: t, [2n + ns] q, v, s */
    double *du;                     /* [n + m] a, lambda along the direction */
    struct arena arena;             /* of all arrays */
};

/* --- compiled ----------------------------------------------------------------------- */

/* Weights come after the point; eta, y and kappa follow from them. */
static void stages_of_weights(unsigned char *stage)
{
    program_stages(BLOCKS_OF_STATE, BLOCKS_OF_UNKNOWNS | BLOCK_SET(BLOCK_MU), stage);
    stage[BLOCK_WEIGHT] = STAGE_DIRECTION;
    stage[BLOCK_ADJOINT] = STAGE_DIRECTION_UNKNOWN;
    stage[DIRECTION(BLOCK_ADJOINT, 2)] = STAGE_DIRECTION_UNKNOWN;
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
    formula total = weighted(tape, DIRECTION(BLOCK_ADJOINT, 2), 0, R, rows);
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
    formula forces = weighted(tape, BLOCK_ADJOINT, 0, R, p->rows);
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
    p->formulas = memory_new(outputs, sizeof *f);
    memory_copy(p->formulas, f, outputs, sizeof *f);
    p->program = program_seal_derivatives(tape, f, outputs, 0, stages, "pullback",
                                          ms->mode->name);
    free(f);
}

/* The longest program that is solved beforehand: dense matrices grow with n^3. */
enum { MOST_OPERATIONS = 100000 };

static void compile_solved(struct pullback *p, const struct system *system)
{
    const struct model *model = system->model;
    struct tape *tape = model->tape;
    struct solved_pullback *solved = &p->solved;
    int count = 2 * p->n + p->ns + p->parameters;
    formula *c = memory_new(p->rows, sizeof *c), *out = memory_new(count, sizeof *out);
    for (int i = 0; i < p->rows; i++) {
        const struct unknown *u = &p->ms->unknown[i];
        c[i] = p->formulas[p->c + i];
        if (u->block == BLOCK_A)
            c[i] = add(c[i], variable(tape, BLOCK_WEIGHT, p->ns + p->nz + u->index));
    }
    const formula *gradients = p->formulas + p->L_x;
    if (system_pullback_formulas(system, p->ms, c, gradients, count, out)) {
        unsigned char stages[BLOCK_LIMIT];
        program_stages(BLOCKS_OF_STATE, 0, stages);
        stages[BLOCK_WEIGHT] = STAGE_DIRECTION;
        solved->program = program_seal(tape, out, count, stages);
        program_balance(solved->program, false);
    }
    free(out);
    free(c);
    if (!solved->program)
        return;
    if (program_operations(solved->program) > MOST_OPERATIONS) {
        program_free(solved->program);
        solved->program = NULL;
        return;
    }
    solved->w = arena_new(&p->arena, solved->program->slots, sizeof *solved->w);
    solved->x = arena_new(&p->arena, 1 + 2 * p->n + p->ns, sizeof *solved->x);
    solved->by_x = arena_new(&p->arena, 2 * p->n + p->ns, sizeof *solved->by_x);
    solved->by_rho = arena_new(&p->arena, p->parameters, sizeof *solved->by_rho);
    program_init(solved->program, solved->w);
    tiered_program_init(&solved->code, solved->program, solved->w);
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
        {&p->w, p->program->slots}, {&p->u, p->n + p->m},
        {&p->weight, p->ns + p->nz + p->n}, {&p->weight_dot, p->ns + p->nz},
        {&p->right, p->rows}, {&p->eta, p->rows}, {&p->y, p->rows},
        {&p->kappa, p->rows}, {&p->last, p->rows}, {&p->x, 2 * p->n + p->ns},
        {&p->du, p->n + p->m}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k].array = arena_new(&p->arena, part[k].size, sizeof(double));
    program_init(p->program, p->w);
    tiered_program_init(&p->code, p->program, p->w);
    if (p->factorises)
        dense_lu_init(&p->own, p->rows);
    compile_solved(p, system);
    return p;
}

void pullback_free(struct pullback *p)
{
    if (!p)
        return;
    tiered_program_clear(&p->code);
    program_free(p->program);
    if (p->solved.program) {
        tiered_program_clear(&p->solved.code);
        program_free(p->solved.program);
    }
    if (p->along) {
        tiered_program_clear(&p->along_code);
        program_free(p->along);
    }
    free(p->formulas);
    dense_lu_clear(&p->own);
    arena_free(&p->arena);
    free(p);
}

void pullback_set(struct pullback *p, const double *rho)
{
    program_set_parameters(p->program, rho, p->w);
    p->rho = rho;
    p->along_set = false;
    if (p->solved.program)
        program_set_parameters(p->solved.program, rho, p->solved.w);
    pullback_restart(p);
}

void pullback_restart(struct pullback *p)
{
    p->solved.trusted = p->solved.compared = false;
}

void pullback_pivots(struct pullback *p)
{
    p->solved.trusted = false;
    p->solved.compared = true;
}

void pullback_leave_untransposed(struct pullback *p)
{
    p->untransposed = true;
}

void pullback_use_code(struct pullback *p, enum code_use use)
{
    tiered_program_use_code(&p->code, use);
    if (p->solved.program)
        tiered_program_use_code(&p->solved.code, use);
}

/* --- at a point --------------------------------------------------------------------- */

static double output(const struct pullback *p, int k)
{
    return p->w[p->program->output[k]];
}

/* Solves the equations with pivots, and loads the solution. */
static enum status solve_at(struct pullback *p, struct system *system, double t,
                            const double *x)
{
    int n = p->n;
    const double *q = x, *v = x + n, *s = x + 2 * n;
    enum status status = system_solve(system, p->ms, t, q, v, s, p->u, p->u + n);
    if (status == OK)
        status = system_factor_solved(system, p->ms);
    if (status != OK)
        return status;
    if (p->factorises && !dense_lu_matrix(&p->own, p->ms->scaled))
        return diagnose(system->diagnosis, SINGULAR, t,
                        "transposed equations of motion of mode %s", p->ms->mode->name);
    p->x_t = t;
    memory_copy(p->x, x, 2 * n + p->ns, sizeof *x);
    tiered_program_load_point(&p->code, 0, t, q, v, s, p->w);
    tiered_program_run(&p->code, STAGE_STATE, p->w);
    program_load(p->program, BLOCK_A, p->u, p->w);
    program_load(p->program, BLOCK_LAMBDA, p->u + n, p->w);
    program_load(p->program, BLOCK_MU, p->u + n, p->w);
    tiered_program_run(&p->code, STAGE_UNKNOWN, p->w);
    return OK;
}

enum status pullback_at(struct pullback *p, struct system *system, double t,
                        const double *x)
{
    struct solved_pullback *solved = &p->solved;
    if (solved->program) {
        solved->x[0] = t;
        memory_copy(solved->x + 1, x, 2 * p->n + p->ns, sizeof *x);
    }
    return solved->trusted ? OK : solve_at(p, system, t, x);
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
    program_load(p->program, DIRECTION(BLOCK_ADJOINT, 2), p->y, p->w);
    program_load(p->program, DIRECTION(BLOCK_A, 2), p->kappa, p->w);
    program_load(p->program, DIRECTION(BLOCK_LAMBDA, 2), p->kappa + p->n, p->w);
}

static void load_eta(struct pullback *p)
{
    program_load(p->program, BLOCK_ADJOINT, p->eta, p->w);
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

static bool is_redundant(const struct pullback *p)
{
    const struct mode_system *ms = p->ms;
    return p->kernel && ms->linear->rank(ms->factors) < ms->mode->m;
}

/* Adds mu_q, which is the weight of q' = v, to the gradient by v. */
static void add_velocities(const struct pullback *p, const double *mu, double *by_x)
{
    for (int i = 0; i < p->n; i++)
        by_x[p->n + i] += mu[i];
}

/* Gradients by the transposed equations with pivots; weights are loaded. */
static enum status weigh_with_pivots(struct pullback *p, const double *mu, double *by_x,
                                     double *by_rho)
{
    int n = p->n, ns = p->ns;
    enum status status = OK;
    p->along_loaded = false;
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
        by_x[i] = output(p, p->L_x + i);
    for (int j = 0; j < p->parameters; j++)
        by_rho[j] = output(p, p->L_rho + j);
    add_velocities(p, mu, by_x);
    return status;
}

/* Gradients by the program solved beforehand, at the point in solved->x. */
static void weigh_solved(struct pullback *p, const double *mu, double *by_x,
                         double *by_rho)
{
    struct solved_pullback *solved = &p->solved;
    int n = p->n, N = 2 * n + p->ns;
    const double *x = solved->x + 1;
    const int *out = solved->program->output;
    tiered_program_load_point(&solved->code, 0, solved->x[0], x, x + n, x + 2 * n,
                              solved->w);
    program_load(solved->program, BLOCK_WEIGHT, p->weight, solved->w);
    tiered_program_run(&solved->code, STAGE_STATE, solved->w);
    tiered_program_run(&solved->code, STAGE_DIRECTION, solved->w);
    for (int i = 0; i < N; i++)
        by_x[i] = solved->w[out[i]];
    for (int j = 0; j < p->parameters; j++)
        by_rho[j] = solved->w[out[N + j]];
    add_velocities(p, mu, by_x);
}

static bool near(const double *one, const double *other, int count)
{
    double size = largest(other, count);
    for (int i = 0; i < count; i++)
        if (!(fabs(one[i] - other[i]) <= pullback_agreement * size))
            return false;
    return true;
}

/* Trusts the program if it agrees with the solver with pivots, where a step begins. A
   mode whose constraints are dependent there has none. */
static void compare(struct pullback *p, const double *mu, const double *by_x,
                    const double *by_rho)
{
    struct solved_pullback *solved = &p->solved;
    solved->compared = true;
    if (!solved->program || is_redundant(p))
        return;
    weigh_solved(p, mu, solved->by_x, solved->by_rho);
    solved->trusted = near(solved->by_x, by_x, 2 * p->n + p->ns) &&
                      near(solved->by_rho, by_rho, p->parameters);
}

enum status pullback_weights(struct pullback *p, const double *mu, const double *mu_z,
                             double *by_x, double *by_rho)
{
    int n = p->n, ns = p->ns;
    enum status status = OK;
    memory_copy(p->weight, mu + 2 * n, ns, sizeof *mu);
    memory_copy(p->weight + ns, mu_z, p->nz, sizeof *mu);
    memory_copy(p->weight + ns + p->nz, mu + n, n, sizeof *mu);
    if (p->solved.trusted)
        weigh_solved(p, mu, by_x, by_rho);
    else
        status = weigh_with_pivots(p, mu, by_x, by_rho);
    if (status == OK && !p->solved.compared)
        compare(p, mu, by_x, by_rho);
    bool finite = all_finite(by_x, 2 * n + ns) && all_finite(by_rho, p->parameters);
    return status == OK && !finite ? NOT_FINITE : status;
}

/* --- along a direction -------------------------------------------------------------- */

/* Compiles the derivatives of c - R_u' eta at fixed eta, and of L_x and L_rho. */
static void compile_along(struct pullback *p, const struct system *system)
{
    const struct model *model = system->model;
    const struct mode_system *ms = p->ms;
    static const bool moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true, [BLOCK_RHO] = true,
        [BLOCK_A] = true, [BLOCK_LAMBDA] = true, [BLOCK_WEIGHT] = true,
        [BLOCK_ADJOINT] = true};
    int rows = p->rows, gradients = 2 * p->n + p->ns + p->parameters;
    formula *f = memory_new(2 * rows + gradients, sizeof *f), *by_u = f + rows;
    formula *out = memory_new(rows + gradients, sizeof *out);
    formula forces = weighted(model->tape, BLOCK_ADJOINT, 0, ms->formulas + ms->at.R,
                              rows);
    system_row_of_matrix(model, ms->unknown, rows, forces, by_u);
    for (int i = 0; i < rows; i++)
        f[i] = sub(p->formulas[p->c + i], by_u[i]);
    bool at_fixed_eta[BLOCKS];
    memcpy(at_fixed_eta, moves, sizeof moves);
    at_fixed_eta[BLOCK_ADJOINT] = false;
    tangent(model->tape, f, rows, at_fixed_eta, 1, out);
    tangent(model->tape, p->formulas + p->L_x, gradients, moves, 1, out + rows);

    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, BLOCKS_OF_UNKNOWNS | BLOCK_SET(BLOCK_MU), stages);
    stages[BLOCK_WEIGHT] = stages[BLOCK_ADJOINT] = STAGE_SOLUTION;
    stages[DIRECTION(BLOCK_ADJOINT, 2)] = STAGE_SOLUTION;      /* y and kappa: zero */
    stages[DIRECTION(BLOCK_A, 2)] = STAGE_SOLUTION;
    stages[DIRECTION(BLOCK_LAMBDA, 2)] = STAGE_SOLUTION;
    stages[TANGENT(BLOCK_A)] = stages[TANGENT(BLOCK_LAMBDA)] = STAGE_DIRECTION;
    stages[TANGENT(BLOCK_WEIGHT)] = STAGE_DIRECTION;
    stages[TANGENT(BLOCK_ADJOINT)] = STAGE_DIRECTION_UNKNOWN;
    p->along = program_seal_derivatives(model->tape, out, rows + gradients, 0, stages,
                                        "pullback along", ms->mode->name);
    p->along_w = arena_new(&p->arena, p->along->slots, sizeof *p->along_w);
    program_init(p->along, p->along_w);
    tiered_program_init(&p->along_code, p->along, p->along_w);
    tiered_program_use_code(&p->along_code, system->use);
    free(out);
    free(f);
}

/* Loads the point, the weights and eta, after which directions follow. */
static void load_along(struct pullback *p)
{
    int n = p->n;
    double *w = p->along_w;
    if (!p->along_set)
        program_set_parameters(p->along, p->rho, w);
    p->along_set = true;
    program_load_point(p->along, 0, p->x_t, p->x, p->x + n, p->x + 2 * n, w);
    tiered_program_run(&p->along_code, STAGE_STATE, w);
    program_load(p->along, BLOCK_A, p->u, w);
    program_load(p->along, BLOCK_LAMBDA, p->u + n, w);
    tiered_program_run(&p->along_code, STAGE_UNKNOWN, w);
    program_load(p->along, BLOCK_WEIGHT, p->weight, w);
    program_load(p->along, BLOCK_ADJOINT, p->eta, w);
    tiered_program_run(&p->along_code, STAGE_SOLUTION, w);
}

/* Loads a direction: of the state and the unknowns, of a parameter and of mu_s. */
static void load_direction(struct pullback *p, struct system *system, const double *Y,
                           int parameter, const double *mu_dot)
{
    int n = p->n;
    double *w = p->along_w;
    const struct state_direction direction = {
        .q = Y, .v = Y + n, .s = Y + 2 * n, .parameter = parameter};
    system_tangent(system, p->ms, &direction, p->du, p->du + n, NULL, NULL);
    program_load_point(p->along, 1, 0, Y, Y + n, Y + 2 * n, w);
    program_load(p->along, TANGENT(BLOCK_A), p->du, w);
    program_load(p->along, TANGENT(BLOCK_LAMBDA), p->du + n, w);
    program_seed_parameter(p->along, parameter, w);
    memset(p->weight_dot, 0, (size_t)(p->ns + p->nz) * sizeof(double));
    memory_copy(p->weight_dot, mu_dot + 2 * n, p->ns, sizeof *mu_dot);
    program_load(p->along, TANGENT(BLOCK_WEIGHT), p->weight_dot, w);
    tiered_program_run(&p->along_code, STAGE_DIRECTION, w);
}

enum status pullback_along(struct pullback *p, struct system *system, const double *Y,
                           int parameter, const double *mu_dot, double *by_x_dot,
                           double *by_rho_dot)
{
    int n = p->n, ns = p->ns, rows = p->rows;
    if (p->ms->iterated || is_redundant(p))
        return NOT_APPLICABLE;
    if (!p->along)
        compile_along(p, system);
    if (!p->along_loaded)
        load_along(p);
    p->along_loaded = true;
    load_direction(p, system, Y, parameter, mu_dot);
    const double *w = p->along_w;
    const int *out = p->along->output;
    for (int i = 0; i < rows; i++) {
        const struct unknown *u = &p->ms->unknown[i];
        p->right[i] = w[out[i]] + (u->block == BLOCK_A ? mu_dot[n + u->index] : 0);
    }
    solve_transposed(p, p->right, p->last);
    program_load(p->along, TANGENT(BLOCK_ADJOINT), p->last, p->along_w);
    tiered_program_run(&p->along_code, STAGE_DIRECTION_UNKNOWN, p->along_w);
    for (int i = 0; i < 2 * n + ns; i++)
        by_x_dot[i] = w[out[rows + i]] + (i >= n && i < 2 * n ? mu_dot[i - n] : 0);
    for (int j = 0; j < p->parameters; j++)
        by_rho_dot[j] = w[out[rows + 2 * n + ns + j]];
    return all_finite(by_x_dot, 2 * n + ns) && all_finite(by_rho_dot, p->parameters)
               ? OK
               : NOT_FINITE;
}
