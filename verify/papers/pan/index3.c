/*
 * index3.c - (18b) and the hidden constraint of index 3 (index3.h)
 */
#include "papers/pan/index3.h"

#include <gsl/gsl_linalg.h>
#include <math.h>

#include "base/memory.h"
#include "papers/match.h"
#include "papers/probe.h"

enum { N = 6, M = 4, MOST_BY = 8 };

/* Matrices at the end: of two bodies in absolute coordinates M is diagonal. */
struct end {
    double c[N], mass[N], Phi_q[M][N], Phi_b[M][MOST_BY], q_b[N][MOST_BY];
    int p;
};

/* Omega and G, rows of Phi, masses, in this order; then Phi_q. */
enum { OMEGA, G, PHI, MASS = PHI + M, PHI_Q = MASS + N, FORMULAS = PHI_Q + M * N };

static void open_end(struct probe *at, const struct trajectory *run)
{
    const struct model *model = run->columns.model;
    const struct mode *mode = model->mode[0];
    formula f[FORMULAS];
    f[OMEGA] = model->event[0]->guard;
    f[G] = model->w[paper_cost(model, "delay")];
    memory_copy(f + PHI, mode->Phi, M, sizeof *f);
    for (int i = 0; i < N; i++)
        f[MASS + i] = mode->M[i][i];
    memory_copy(f + PHI_Q, mode->Phi_q, M * N, sizeof *f);
    probe_init(at, model, run->value, f, FORMULAS);
    probe_at(at, &run->columns, &run->event[0].before);
}

static void take_end(struct end *end, const struct trajectory *run)
{
    const struct run_point *point = &run->event[0].before;
    double value[FORMULAS], d[FORMULAS];
    struct probe at;
    open_end(&at, run);
    probe_by_time(&at);
    probe_evaluate(&at, value, d);
    double eta = d[G] / d[OMEGA];       /* H = 0 */
    memory_copy(end->mass, value + MASS, N, sizeof *value);
    memory_copy(end->Phi_q[0], value + PHI_Q, M * N, sizeof *value);
    for (int i = 0; i < N; i++) {
        probe_by_one(&at, BLOCK_Q, i);
        probe_evaluate(&at, NULL, d);
        end->c[i] = d[G] - eta * d[OMEGA];
    }
    end->p = run->columns.p;
    for (int j = 0; j < end->p; j++) {
        probe_by_parameter(&at, &run->columns, j);
        probe_evaluate(&at, NULL, d);
        for (int k = 0; k < M; k++)
            end->Phi_b[k][j] = d[PHI + k];
        for (int i = 0; i < N; i++)
            end->q_b[i][j] = point->x[column(&run->columns, GROUP_Q, i, j)];
    }
    probe_clear(&at);
}

/* residual [M] = Phi_q M^-1 c; returns its size as a part of |Phi_q| |M^-1 c|. */
static double hidden(const struct end *end, const double *c, double *residual)
{
    double sum = 0, rows = 0, weights = 0;
    for (int i = 0; i < N; i++)
        weights += pow(c[i] / end->mass[i], 2);
    for (int k = 0; k < M; k++) {
        residual[k] = 0;
        for (int i = 0; i < N; i++) {
            residual[k] += end->Phi_q[k][i] * c[i] / end->mass[i];
            rows += pow(end->Phi_q[k][i], 2);
        }
        sum += pow(residual[k], 2);
    }
    return sqrt(sum / (rows * weights));
}

/* Solves Phi_q M^-1 Phi_q' kappa = residual. */
static void solve(const struct end *end, const double *residual, double *kappa)
{
    double A[M * M] = {0};
    for (int k = 0; k < M; k++) {
        kappa[k] = residual[k];
        for (int l = 0; l < M; l++)
            for (int i = 0; i < N; i++)
                A[k * M + l] += end->Phi_q[k][i] * end->Phi_q[l][i] / end->mass[i];
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(A, M, M);
    gsl_vector_view vector = gsl_vector_view_array(kappa, M);
    gsl_linalg_cholesky_decomp1(&matrix.matrix);
    gsl_linalg_cholesky_svx(&matrix.matrix, &vector.vector);
}

void pan_index3_try(struct pan_index3 *index3, const struct trajectory *run)
{
    struct end end;
    double residual[M], kappa[M], d[N], want[MOST_BY], alone[MOST_BY], moved[MOST_BY];
    take_end(&end, run);
    index3->hidden = hidden(&end, end.c, residual);
    solve(&end, residual, kappa);
    for (int i = 0; i < N; i++) {
        d[i] = end.c[i];
        for (int k = 0; k < M; k++)
            d[i] -= end.Phi_q[k][i] * kappa[k];
    }
    index3->projected = hidden(&end, d, residual);
    for (int j = 0; j < end.p; j++) {
        want[j] = alone[j] = 0;
        for (int i = 0; i < N; i++) {
            want[j] += end.c[i] * end.q_b[i][j];
            alone[j] += d[i] * end.q_b[i][j];
        }
        moved[j] = alone[j];
        for (int k = 0; k < M; k++)
            moved[j] -= kappa[k] * end.Phi_b[k][j];
    }
    index3->alone = array_digits(alone, want, end.p);
    index3->moved = array_digits(moved, want, end.p);
}

void pan_index3_tell(const struct pan_index3 *index3, struct trial *trial)
{
    trial->printed = error_digits(index3->hidden, 1);
    trial->corrected = error_digits(index3->projected, 1);
    trial_judge(trial, "hidden constraint Phi_q M^-1 c = 0");
    trial_tell(trial, "On index 1 the condition is right as it is printed. With Phi = 0 "
               "alone in F, weights of q at the end must obey the hidden constraint of "
               "the adjoint equations: its residual is %.2g of its terms, cost delay; "
               "%.1e after projection. The projected weights give c' q_b to %.1f digits "
               "with kappa' Phi_b taken from G_b, to %.1f without.", index3->hidden,
               index3->projected, index3->moved, index3->alone);
}
