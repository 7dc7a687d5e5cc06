/* plan.c - equations of motion of the reference as programs: index 1, index 1 with
   multipliers of minimum norm, and penalty (Corner, Sandu, Sandu 2019, (54), (64));
   see plan.h. */
#include "plan_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/diff.h"        /* tangents (derivatives along directions) only */
#include "base/memory.h"

static formula var(const struct model *model, int block, int index)
{
    return variable(model->tape, block, index);
}

struct program *plan_seal(const struct model *model, const formula *output, int outputs,
                          bool reset)
{
    unsigned char stage[BLOCK_LIMIT];
    /* In a reset (a, lambda) are given; the variables after the event are unknown. */
    unsigned unknown = BLOCK_SET(BLOCK_MU) | ~(BLOCK_SET(BLOCK_Q_PLUS) - 1);
    program_stages(~0u, reset ? unknown : unknown | BLOCKS_OF_UNKNOWNS, stage);
    return program_seal(model->tape, output, outputs, stage);
}

struct program *plan_seal_tangent(const struct plan *plan, const formula *f, int count,
                                  const bool *active, bool reset)
{
    formula *both = memory_new(2 * count, sizeof *both);
    memcpy(both, f, sizeof *f * (size_t)count);
    if (plan->tangents)
        tangent(plan->model->tape, f, count, active, 1, both + count);
    struct program *program = plan_seal(plan->model, both,
                                        plan->tangents ? 2 * count : count, reset);
    free(both);
    return program;
}

struct program *plan_edges(const struct model *model, const struct edges *edges)
{
    int outputs = 2 * edges->count + edges->domains;
    formula *f = memory_new(outputs, sizeof *f);
    edges_formulas(edges, f);
    struct program *program = plan_seal(model, f, outputs, true);
    free(f);
    return program;
}

/* --- equations of motion ------------------------------------------------------------ */

/* M a - F, which both motions share; out [n] */
static void newton(const struct model *model, const struct mode *mode, formula *out)
{
    for (int i = 0; i < model->n; i++) {
        out[i] = negate(mode->F[i]);
        for (int j = 0; j < model->n; j++)
            out[i] = add(out[i], mul(mode->M[i][j], var(model, BLOCK_A, j)));
    }
}

static void exact_motion(const struct model *model, const struct mode *mode,
                         const struct derived_mode *derived, formula *R)
{
    newton(model, mode, R);
    for (int i = 0; i < model->n; i++)
        R[i] = add(R[i], derived->lambda_force[i]);
    for (int i = 0; i < mode->m; i++)
        R[model->n + i] = derived->Phidd[i];
}

/* The equations of the exact motion with lambda in the range of Phi_q, in all rows
   that a solver chooses from (motion_plan). */
static void dependent_motion(const struct model *model, const struct mode *mode,
                             const struct derived_mode *derived, formula *R)
{
    int n = model->n, m = mode->m;
    formula *w = memory_new(n, sizeof *w);      /* Phi_q' mu */
    newton(model, mode, R);
    for (int k = 0; k < n; k++) {
        R[k] = add(R[k], derived->lambda_force[k]);
        for (int i = 0; i < m; i++)
            w[k] = add(w[k], mul(derived->Phi_q[i * n + k], var(model, BLOCK_MU, i)));
    }
    for (int i = 0; i < m; i++) {
        R[n + i] = sub(var(model, BLOCK_LAMBDA, i), dot(derived->Phi_q + i * n, w, n));
        R[n + m + i] = derived->Phidd[i];
        R[n + 2 * m + i] = var(model, BLOCK_MU, i);
    }
    free(w);
}

/* y = alpha (Phidd + K_D Phid + K_P Phi); velocity-level rows have no K_P */
static void multipliers(const struct mode *mode, const struct derived_mode *derived,
                        const formula *alpha, const formula *K_D, const formula *K_P,
                        formula *y)
{
    int m = mode->m;
    formula *row = memory_new(m, sizeof *row);
    for (int i = 0; i < m; i++) {
        row[i] = add(derived->Phidd[i], dot(K_D + i * m, derived->Phid, m));
        for (int j = 0; j < m; j++)
            if (!mode->velocity_level[j])
                row[i] = add(row[i], mul(K_P[i * m + j], mode->Phi[j]));
    }
    for (int i = 0; i < m; i++)
        y[i] = dot(alpha + i * m, row, m);
    free(row);
}

static enum status penalty_motion(const struct model *model, const struct mode *mode,
                                  const struct derived_mode *derived,
                                  const struct truth *truth, formula *R,
                                  struct diagnosis *diagnosis)
{
    int n = model->n, m = mode->m;
    formula *matrix = memory_new(3 * m * m, sizeof *matrix);
    formula *y = memory_new(m, sizeof *y);
    formula *alpha = matrix, *K_D = matrix + m * m, *K_P = matrix + 2 * m * m;
    enum status status = plan_matrices(model, m, truth, alpha, K_D, K_P, diagnosis);
    if (status == OK) {
        newton(model, mode, R);
        multipliers(mode, derived, alpha, K_D, K_P, y);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < m; k++)
                R[i] = add(R[i], mul(derived->Phi_q[k * n + i], y[k]));
        for (int k = 0; k < m; k++)
            R[n + k] = sub(var(model, BLOCK_LAMBDA, k), y[k]);
    }
    free(y);
    free(matrix);
    return status;
}

/* Program of R_u [rows * unknowns], columns a, lambda, mu */
static struct program *seal_matrix(const struct model *model, const formula *R,
                                   const struct motion_plan *motion, int m)
{
    int rows = motion->rows, unknowns = motion->unknowns, at = 0;
    const struct { int block, size; } part[] = {
        {BLOCK_A, model->n}, {BLOCK_LAMBDA, m}, {BLOCK_MU, m},
    };
    formula *one = memory_new(rows * unknowns, sizeof *one);
    formula *R_u = memory_new(rows * unknowns, sizeof *R_u);
    for (int k = 0; k < 3 && at < unknowns; at += part[k++].size) {
        int size = part[k].size;
        derive_jacobian(R, rows, part[k].block, size, one);
        for (int i = 0; i < rows; i++)
            memcpy(R_u + i * unknowns + at, one + i * size, sizeof *one * (size_t)size);
    }
    struct program *program = plan_seal(model, R_u, rows * unknowns, false);
    free(one);
    free(R_u);
    return program;
}

static const bool along_state[BLOCKS] = {
    [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true, [BLOCK_A] = true,
    [BLOCK_LAMBDA] = true, [BLOCK_MU] = true, [BLOCK_RHO] = true,
};

/* Seals the outputs f [count] of a mode, their derivatives, and the monitors of its
   edges. */
static void seal_motion(const struct plan *plan, const struct mode *mode,
                        const formula *f, int count, struct motion_plan *out)
{
    const struct edges *edges = mode->edges;
    out->tangent = count;
    out->edges = plan->tangents ? 2 * count : count;
    out->inside = out->edges + 2 * edges->count;
    formula *all = memory_new(out->inside + edges->domains, sizeof *all);
    memcpy(all, f, sizeof *f * (size_t)count);
    if (plan->tangents)
        tangent(plan->model->tape, f, count, along_state, 1, all + count);
    edges_formulas(edges, all + out->edges);
    out->program = plan_seal(plan->model, all, out->inside + edges->domains, false);
    free(all);
}

static void plan_motion(const struct plan *plan, const struct mode_plan *mode,
                        const formula *R, struct motion_plan *out)
{
    const struct model *model = plan->model;
    int count = out->rows + model->ns + model->nz + mode->guards;
    formula *f = memory_new(count, sizeof *f);
    memcpy(f, R, sizeof *f * (size_t)out->rows);
    out->f_s = out->rows;
    out->g = out->f_s + model->ns;
    out->guard = out->g + model->nz;
    for (int i = 0; i < model->ns; i++)
        f[out->f_s + i] = mode->mode->f_s[i];
    for (int i = 0; i < model->nz; i++)
        f[out->g + i] = mode->mode->g[i];
    for (int i = 0; i < mode->guards; i++)
        f[out->guard + i] = mode->event[i]->guard;
    seal_motion(plan, mode->mode, f, count, out);
    out->matrix = seal_matrix(model, R, out, mode->mode->m);
    out->affine = !program_uses(out->matrix, BLOCK_A) &&
                  !program_uses(out->matrix, BLOCK_LAMBDA);
    free(f);
}

static const bool along_motion_start[BLOCKS] = {
    [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true,
    [BLOCK_RHO] = true,
};

static void plan_constraint(const struct plan *plan, const struct derived_mode *derived,
                            struct mode_plan *out)
{
    const struct model *model = plan->model;
    int n = model->n, m = out->mode->m, count = 2 * m + 1 + 2 * m * n;
    formula *f = memory_new(count + 2 * m, sizeof *f);
    memcpy(f, out->mode->Phi, sizeof *f * (size_t)m);
    memcpy(f + m, derived->Phid, sizeof *f * (size_t)m);
    f[2 * m] = model->energy;
    derive_jacobian(f, m, BLOCK_Q, n, f + 2 * m + 1);
    derive_jacobian(f + m, m, BLOCK_V, n, f + 2 * m + 1 + m * n);
    if (plan->tangents)
        tangent(model->tape, f, 2 * m, along_motion_start, 1, f + count);
    out->constraint = plan_seal(model, f, plan->tangents ? count + 2 * m : count, false);
    free(f);
}

static enum status plan_mode(struct plan *plan, const struct mode *mode,
                             const struct truth *truth, struct diagnosis *diagnosis)
{
    const struct model *model = plan->model;
    struct mode_plan *out = &plan->mode[mode->index];
    int n = model->n, m = mode->m;
    *out = (struct mode_plan){
        .mode = mode,
        .motion = {.unknowns = n + m, .rows = n + m},
        .dependent = {.unknowns = n + 2 * m, .rows = n + 3 * m},
    };
    out->event = memory_new(model->events, sizeof *out->event);
    for (int i = 0; i < model->events; i++)
        if (model->event[i]->from == mode)
            out->event[out->guards++] = model->event[i];

    struct derived_mode derived;
    derive_mode(model, mode, &derived);
    formula *R = memory_new(n + 3 * m, sizeof *R);
    enum status status = OK;
    if (plan->exact)
        exact_motion(model, mode, &derived, R);
    else
        status = penalty_motion(model, mode, &derived, truth, R, diagnosis);
    if (status == OK) {
        plan_motion(plan, out, R, &out->motion);
        plan_constraint(plan, &derived, out);
    }
    if (status == OK && plan->exact && m > 0) {
        dependent_motion(model, mode, &derived, R);
        plan_motion(plan, out, R, &out->dependent);
    }
    free(R);
    derived_mode_clear(&derived);
    return status;
}

/* --- start, end --------------------------------------------------------------------- */

static void plan_ends(struct plan *plan)
{
    static const bool by_rho[BLOCKS] = {[BLOCK_RHO] = true};
    const struct model *model = plan->model;
    int n = model->n, ns = model->ns, guess = 2 + 2 * n + ns, count = 2 * guess - 2;
    formula *f = memory_new(count + model->p, sizeof *f);
    for (int j = 0; j < model->p; j++)
        f[j] = model->parameter[j].nominal;
    plan->nominal = plan_seal(model, f, model->p, false);

    f[0] = model->t0;
    f[1] = model->t_end;
    memory_copy(f + 2, model->q0, n, sizeof *f);
    memory_copy(f + 2 + n, model->v0, n, sizeof *f);
    memory_copy(f + 2 + 2 * n, model->s0, ns, sizeof *f);
    memory_copy(f + guess, model->q_guess, n, sizeof *f);
    memory_copy(f + guess + n, model->v_guess, n, sizeof *f);
    memory_copy(f + guess + 2 * n, model->s_guess, ns, sizeof *f);
    plan->start = plan_seal_tangent(plan, f, count, by_rho, false);
    free(f);

    formula *w = memory_new(model->nz, sizeof *w);
    for (int i = 0; i < model->nz; i++)
        w[i] = model->w[i];
    plan->end = plan_seal_tangent(plan, w, model->nz, along_motion_start, false);
    free(w);
}

/* Writes Phi at position level, Phid and Gamma to R; returns how many. */
static int joint_rows(const struct model *model, formula *R)
{
    const struct mode *mode = model->start;
    struct derived_mode derived;
    int rows = 0;
    derive_mode(model, mode, &derived);
    for (int i = 0; i < mode->m; i++)
        if (!mode->velocity_level[i])
            R[rows++] = mode->Phi[i];
    memory_copy(R + rows, derived.Phid, mode->m, sizeof *R);
    memory_copy(R + rows + mode->m, model->Gamma, model->start_rows, sizeof *R);
    derived_mode_clear(&derived);
    return rows + mode->m + model->start_rows;
}

static void plan_joint(struct plan *plan)
{
    const struct model *model = plan->model;
    const int part[] = {model->n, model->n, model->ns};
    static const int block[] = {BLOCK_Q, BLOCK_V, BLOCK_S};
    int most = 2 * model->start->m + model->start_rows;
    int columns = 2 * model->n + model->ns;
    formula *f = memory_new(most * (columns + 2), sizeof *f);
    int rows = joint_rows(model, f), first = 0, count = rows * (1 + columns);
    formula *by_block = memory_new(rows * (model->n + model->ns), sizeof *by_block);
    for (int b = 0; b < 3; first += part[b++]) {
        memset(by_block, 0, sizeof *by_block * (size_t)(rows * part[b]));
        derive_jacobian(f, rows, block[b], part[b], by_block);
        for (int i = 0; i < rows; i++)
            memory_copy(f + rows + i * columns + first, by_block + i * part[b], part[b],
                        sizeof *f);
    }
    if (plan->tangents)
        tangent(model->tape, f, rows, along_motion_start, 1, f + count);
    plan->joint = plan_seal(model, f, plan->tangents ? count + rows : count, false);
    plan->joint_rows = rows;
    free(by_block);
    free(f);
}

struct plan *plan_new(const struct model *model, const struct truth *truth, bool tangents,
                      struct diagnosis *diagnosis)
{
    bool exact = truth->variant == NULL || strcmp(truth->variant, "exact") == 0;
    struct model *branch = model_branch(model);
    if (plan_check_truth(branch, truth, diagnosis) != OK) {
        model_branch_free(branch);
        return NULL;
    }
    struct plan *plan = memory_new(1, sizeof *plan);
    *plan = (struct plan){.model = branch, .branch = branch, .exact = exact,
                          .tangents = tangents};
    model = branch;
    plan->mode = memory_new(model->modes, sizeof *plan->mode);
    plan->event = memory_new(model->events, sizeof *plan->event);
    for (int i = 0; i < model->modes; i++)
        if (plan_mode(plan, model->mode[i], truth, diagnosis) != OK) {
            plan_free(plan);
            return NULL;
        }
    for (int i = 0; i < model->events; i++)
        plan_event(plan, &plan->event[i], model->event[i]);
    plan_ends(plan);
    if (model->start_rows > 0)
        plan_joint(plan);
    plan->start_edges = plan_edges(model, model->start_edges);
    plan->end_edges = plan_edges(model, model->end_edges);
    plan->steady_edges = plan_edges(model, model->steady_edges);
    return plan;
}

static void motion_free(struct motion_plan *motion)
{
    program_free(motion->program);
    program_free(motion->matrix);
}

void plan_free(struct plan *plan)
{
    if (plan == NULL)
        return;
    for (int i = 0; i < plan->model->modes; i++) {
        free(plan->mode[i].event);
        motion_free(&plan->mode[i].motion);
        motion_free(&plan->mode[i].dependent);
        program_free(plan->mode[i].constraint);
    }
    for (int i = 0; i < plan->model->events; i++) {
        program_free(plan->event[i].guard);
        program_free(plan->event[i].terms);
        program_free(plan->event[i].edges);
        program_free(plan->event[i].condition_edges);
        program_free(plan->event[i].condition);
        program_free(plan->event[i].independent.program);
        program_free(plan->event[i].independent.matrix);
        program_free(plan->event[i].dependent.program);
        program_free(plan->event[i].dependent.matrix);
    }
    free(plan->mode);
    free(plan->event);
    program_free(plan->nominal);
    program_free(plan->start);
    program_free(plan->joint);
    program_free(plan->end);
    program_free(plan->start_edges);
    program_free(plan->end_edges);
    program_free(plan->steady_edges);
    model_branch_free(plan->branch);
    free(plan);
}
