/*
 * ends.c - the weights with which a sweep begins at the end of a run, and the gradient
 * that they make with the derivatives of the start.
 */
#include <math.h>
#include <string.h>

#include "adjoint/adjoint_parts.h"

/* Does the end of the model move with the parameters, and no event end the run? */
static bool end_moves(const struct adjoint *adjoint)
{
    return !adjoint->finished && isnan(adjoint->plain.t_end);
}

/* The derivatives of the weights at the end; at a terminal event they come with it. */
static enum status second_of_end(struct adjoint *adjoint, const struct span *start)
{
    struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters;
    bool moves = end_moves(adjoint);
    memset(sweep->mu_dot, 0, (size_t)(sweep->directions * N) * sizeof(double));
    memset(sweep->G_dot, 0, (size_t)(sweep->directions * p) * sizeof(double));
    if (!adjoint->second || adjoint->finished)
        return OK;
    return jump_second_end(adjoint->second, sweep->mu_z, moves ? start->dt_end : NULL,
                           moves ? adjoint->d2t_end : NULL, sweep->mu_dot, sweep->G_dot);
}

enum status adjoint_end_back(struct adjoint *adjoint, const struct span *start,
                             double *by_time)
{
    struct sweep *sweep = &adjoint->sweep;
    struct hybrid *core = &adjoint->core;
    memset(sweep->mu, 0, (size_t)sweep->N * sizeof *sweep->mu);
    memset(sweep->G, 0, (size_t)sweep->parameters * sizeof *sweep->G);
    for (int k = 0; k < core->model->nz; k++)
        sweep->mu_z[k] = k == adjoint->request.cost;
    *by_time = 0;
    enum status status = second_of_end(adjoint, start);
    if (status != OK)
        return status;
    if (adjoint->end)
        return end_weights_at(adjoint->end, core, sweep->mu, sweep->G, by_time);
    sweep->mu[adjoint->request.component] = 1;
    return OK;
}

void adjoint_start_back(const struct adjoint *adjoint, const struct span *start,
                        double by_time, double *by_rho)
{
    const struct sweep *sweep = &adjoint->sweep;
    const struct system *system = adjoint->core.system;
    bool moves = end_moves(adjoint);
    for (int j = 0; j < sweep->parameters; j++) {
        const double *Y = adjoint->Y0 + (j + 1) * system->state;
        by_rho[j] = sweep->G[j] + (moves ? by_time * start->dt_end[j] : 0);
        for (int i = 0; i < sweep->N; i++)
            by_rho[j] += sweep->mu[i] * Y[i];
        for (int k = 0; k < system->model->nz; k++)
            by_rho[j] += sweep->mu_z[k] * Y[sweep->N + k];
    }
}

void adjoint_start_second_back(const struct adjoint *adjoint, double *hessian)
{
    const struct sweep *sweep = &adjoint->sweep;
    int N = sweep->N, p = sweep->parameters, state = adjoint->core.system->state;
    for (int k = 0; k < p; k++)
        for (int j = 0; j < p; j++) {
            const double *Y = adjoint->Y0 + (j + 1) * state;
            const double *second = adjoint->Y0_second + (k * p + j) * state;
            double value = sweep->G_dot[k * p + j];
            for (int i = 0; i < N; i++)
                value += sweep->mu_dot[k * N + i] * Y[i] + sweep->mu[i] * second[i];
            for (int z = 0; z < adjoint->core.model->nz; z++)
                value += sweep->mu_z[z] * second[N + z];
            hessian[k * p + j] = value;
        }
}
