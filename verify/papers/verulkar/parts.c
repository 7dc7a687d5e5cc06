/*
 * parts.c - the parts of the equations of Verulkar, Sandu, Dopico, Sandu
 * (parts.h)
 */
#include "papers/verulkar/parts.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"

/* Room for part `part` of `count` formulas behind those there are. */
static formula *part_of(struct equations *all, formula *out, enum part part, int count)
{
    all->begin[part + 1] = all->begin[part] + count;
    return out + all->begin[part];
}

/* Derivatives by the parameter that is differentiated by. */
static void by_parameter(const struct equations *all, const formula *f, int count,
                         formula *out)
{
    int p = all->branch->p;
    formula *by = memory_new(p + 1, sizeof *by);
    for (int i = 0; i < count && all->run.request.parameters > 0; i++) {
        gradient(f[i], BLOCK_RHO, p, by);
        out[i] = by[all->run.parameter[0]];
    }
    free(by);
}

/* (Phi_q)' v and (Phi_t)', as (3) has them. */
static void printed_terms(const struct equations *all, const struct mode *mode,
                          formula *curved, formula *driven)
{
    int n = all->n, m = all->m;
    formula *Phi_q = memory_new(m * n, sizeof *Phi_q), *rate = memory_new(m * n,
                                                                          sizeof *rate),
            *Phi_t = memory_new(m, sizeof *Phi_t), *v = memory_new(n, sizeof *v);
    for (int j = 0; j < n; j++)
        v[j] = variable(all->branch->tape, BLOCK_V, j);
    jacobian(mode->Phi, m, BLOCK_Q, n, Phi_q);
    jacobian(mode->Phi, m, BLOCK_T, 1, Phi_t);
    mode_time_derivative(all->branch, mode, Phi_q, m * n, rate);
    mode_time_derivative(all->branch, mode, Phi_t, m, driven);
    for (int i = 0; i < m; i++)
        curved[i] = dot(rate + i * n, v, n);
    free(Phi_q);
    free(rate);
    free(Phi_t);
    free(v);
}

/* Writes the parts that B and F have. */
static void write_forces(struct equations *all, const struct mode *mode, formula *out)
{
    int n = all->n, m = all->m;
    struct residual *residual = residual_new(ALGEBRAIC, n + m);
    residual_balance(all->branch, mode, residual);
    const formula *B = residual->R;
    jacobian(B, n, BLOCK_A, n, part_of(all, out, M_, n * n));
    jacobian(B, n, BLOCK_Q, n, part_of(all, out, B_Q, n * n));
    jacobian(B, n, BLOCK_V, n, part_of(all, out, B_V, n * n));
    by_parameter(all, B, n, part_of(all, out, B_RHO, n));
    memory_copy(part_of(all, out, F_, n), mode->F, n, sizeof *out);
    jacobian(mode->F, n, BLOCK_LAMBDA, m, part_of(all, out, F_LAMBDA, n * m));
    residual_free(residual);
}

/* Writes the parts that Phi and its rates have. */
static void write_constraints(struct equations *all, const struct mode *mode,
                              formula *out)
{
    int n = all->n, m = all->m;
    memory_copy(part_of(all, out, PHI, m), mode->Phi, m, sizeof *out);
    memory_copy(part_of(all, out, PHID, m), mode->Phid, m, sizeof *out);
    memory_copy(part_of(all, out, PHIDD, m), mode->Phidd, m, sizeof *out);
    jacobian(mode->Phi, m, BLOCK_Q, n, part_of(all, out, PHI_Q, m * n));
    jacobian(mode->Phid, m, BLOCK_Q, n, part_of(all, out, PHID_Q, m * n));
    jacobian(mode->Phidd, m, BLOCK_Q, n, part_of(all, out, PHIDD_Q, m * n));
    jacobian(mode->Phidd, m, BLOCK_V, n, part_of(all, out, PHIDD_V, m * n));
    by_parameter(all, mode->Phi, m, part_of(all, out, PHI_RHO, m));
    by_parameter(all, mode->Phid, m, part_of(all, out, PHID_RHO, m));
    by_parameter(all, mode->Phidd, m, part_of(all, out, PHIDD_RHO, m));
    formula *curved = part_of(all, out, CURVED, m);
    printed_terms(all, mode, curved, part_of(all, out, DRIVEN, m));
}

static void write_parts(struct equations *all)
{
    all->branch = model_branch(all->run.model);
    const struct mode *mode = all->branch->start;
    int n = all->n = all->branch->n, m = all->m = mode->m;
    formula *out = memory_new(3 * n * n + 5 * m * n + 2 * n + 8 * m, sizeof *out);
    write_forces(all, mode, out);
    write_constraints(all, mode, out);
    probe_init(&all->probe, all->branch, all->run.value, out, all->begin[PARTS]);
    all->value = memory_new(all->begin[PARTS], sizeof *all->value);
    all->signed_lambda = memory_new(m, sizeof *all->signed_lambda);
    free(out);
}

void equations_at(struct equations *all, int point, double sign)
{
    const struct columns *columns = &all->exact->columns;
    const struct run_point *at = &all->exact->sample[point];
    const double *x = at->x, *by = columns->p > 0 ? x + columns->width : NULL;
    all->q = x + columns->begin[GROUP_Q];
    all->v = x + columns->begin[GROUP_V];
    all->a = x + columns->begin[GROUP_A];
    all->lambda = x + columns->begin[GROUP_LAMBDA];
    if (by) {
        all->by_q = by + columns->begin[GROUP_Q];
        all->by_v = by + columns->begin[GROUP_V];
        all->by_a = by + columns->begin[GROUP_A];
        all->by_lambda = by + columns->begin[GROUP_LAMBDA];
    }
    for (int i = 0; i < all->m; i++)
        all->signed_lambda[i] = sign * all->lambda[i];
    probe_at(&all->probe, columns, at);
    all->probe.value[BLOCK_LAMBDA] = all->signed_lambda;
    probe_evaluate(&all->probe, all->value, NULL);
}

const double *part_value(const struct equations *all, enum part part)
{
    return all->value + all->begin[part];
}

void equations_mass(const struct equations *all, double *matrix)
{
    int n = all->n;
    const double *Phi_q = part_value(all, PHI_Q);
    memory_copy(matrix, part_value(all, M_), n * n, sizeof *matrix);
    for (int k = 0; k < all->m; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                matrix[i * n + j] += Phi_q[k * n + i] * all->alpha[k] * Phi_q[k * n + j];
}

void equations_press(const struct equations *all, double *force, const double *c)
{
    const double *Phi_q = part_value(all, PHI_Q);
    for (int i = 0; i < all->m; i++)
        for (int j = 0; j < all->n; j++)
            force[j] -= Phi_q[i * all->n + j] * all->alpha[i] * c[i];
}

/* --- a motion ----------------------------------------------------------------------- */

/* One number stands for all. */
static void read_alpha(struct equations *all, const char *text)
{
    all->alpha = memory_new(all->m, sizeof *all->alpha);
    for (int i = 0; i < all->m; i++) {
        char *end;
        all->alpha[i] = strtod(text, &end);
        text = *end ? end + 1 : text;
    }
}

enum status equations_open(struct equations *all, const char *name, const char *sens,
                           const char *alpha, double t_end, int points)
{
    struct paper_run *run = &all->run;
    paper_run_init(run, name, "penalty", points, sens);
    paper_run_until(run, t_end);
    paper_run_option(run, "alpha", alpha);
    paper_run_option(run, "xi", "1");
    paper_run_option(run, "omega", "10");
    if (*sens) {
        paper_run_complex(run, &all->exact);
    } else if (paper_run_go(run) == OK) {
        all->exact = run->trajectory;
        run->trajectory = NULL;
    }
    if (run->status == OK) {
        write_parts(all);
        read_alpha(all, alpha);
    }
    return run->status;
}

void equations_close(struct equations *all)
{
    trajectory_free(all->exact);
    if (all->branch)
        probe_clear(&all->probe);
    free(all->value);
    free(all->signed_lambda);
    free(all->alpha);
    if (all->branch)
        model_branch_free(all->branch);
    paper_run_clear(&all->run);
}
