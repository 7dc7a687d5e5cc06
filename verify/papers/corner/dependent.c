/*
 * dependent.c - dependent coordinates, velocities, accelerations and sensitivities
 * from independent ones, Corner, Sandu, Sandu 2019, (73)-(75), (86), (87), (88b), (90c)
 * (formulas.h).
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "linear/dense_lu.h"
#include "papers/corner/formulas.h"

/* Formulas: Phi [m], Phid [m], Phidd [m], Phi_q [m*n]. */
struct dependence {
    int n, m;
    struct probe probe;
    double *value, *derivative;
    bool *is_dependent;             /* [n] by complete pivoting of Phi_q */
    int *place;                     /* [m] the dependent coordinates */
    struct dense_lu lu;             /* of their block of Phi_q */
};

static void dependence_init(struct dependence *dependence, const struct tried *tried,
                            const struct mode *mode)
{
    int n = tried->run.model->n, m = mode->m, outputs = 3 * m + m * n;
    formula *f = memory_new(outputs, sizeof *f);
    memory_copy(f, mode->Phi, m, sizeof *f);
    memory_copy(f + m, mode->Phid, m, sizeof *f);
    memory_copy(f + 2 * m, mode->Phidd, m, sizeof *f);
    memory_copy(f + 3 * m, mode->Phi_q, m * n, sizeof *f);
    *dependence = (struct dependence){
        .n = n, .m = m, .value = memory_new(outputs, sizeof(double)),
        .derivative = memory_new(outputs, sizeof(double)),
        .is_dependent = memory_new(n, sizeof(bool)), .place = memory_new(m, sizeof(int))};
    probe_init(&dependence->probe, tried->run.model, tried->run.value, f, outputs);
    dense_lu_init(&dependence->lu, m);
    free(f);
}

static void dependence_clear(struct dependence *dependence)
{
    dense_lu_clear(&dependence->lu);
    probe_clear(&dependence->probe);
    free(dependence->value);
    free(dependence->derivative);
    free(dependence->is_dependent);
    free(dependence->place);
}

/* Chooses the columns of the pivots of A [m*n], which is destroyed. */
static void choose_dependent(struct dependence *dependence, double *A)
{
    int n = dependence->n, m = dependence->m;
    bool *used = memory_new(m, sizeof *used);
    for (int i = 0; i < n; i++)
        dependence->is_dependent[i] = false;
    for (int step = 0; step < m; step++) {
        int row = -1, at = -1;
        for (int k = 0; k < m; k++)
            for (int i = 0; i < n; i++)
                if (!used[k] && !dependence->is_dependent[i] &&
                    (row < 0 || fabs(A[k * n + i]) > fabs(A[row * n + at]))) {
                    row = k;
                    at = i;
                }
        used[row] = dependence->is_dependent[at] = true;
        dependence->place[step] = at;
        for (int k = 0; k < m; k++)
            for (int i = 0; !used[k] && i < n; i++)
                if (i != at)
                    A[k * n + i] -= A[k * n + at] / A[row * n + at] * A[row * n + i];
    }
    free(used);
}

/* Moves to a point, chooses dependent coordinates, factorises their block. */
static void dependence_at(struct dependence *dependence, const struct columns *columns,
                          const struct run_point *point)
{
    int n = dependence->n, m = dependence->m;
    double *A = memory_new(m * n + m * m, sizeof *A), *block = A + m * n;
    probe_at(&dependence->probe, columns, point);
    probe_evaluate(&dependence->probe, dependence->value, NULL);
    memory_copy(A, dependence->value + 3 * m, m * n, sizeof *A);
    choose_dependent(dependence, A);
    for (int k = 0; k < m; k++)
        for (int i = 0; i < m; i++)
            block[k * m + i] = dependence->value[3 * m + k * n + dependence->place[i]];
    if (!dense_lu_matrix(&dependence->lu, block))
        slip("corner (73): singular");
    free(A);
}

static void drop_dependent(const struct dependence *dependence, double *x)
{
    for (int i = 0; i < dependence->m; i++)
        x[dependence->place[i]] = 0;
}

/* Sets the dependent components of x [n] from the rows r [m] that the others leave. */
static void set_dependent(const struct dependence *dependence, double *r, double *x)
{
    dense_lu_solve(&dependence->lu, r);
    for (int i = 0; i < dependence->m; i++)
        x[dependence->place[i]] = -r[i];
}

/* (74), (75): v and a [n], whose independent components stay. */
static void dependent_rates(struct dependence *dependence, double *v, double *a)
{
    const double *right = dependence->probe.value[BLOCK_V];
    drop_dependent(dependence, v);
    drop_dependent(dependence, a);
    dependence->probe.value[BLOCK_V] = v;
    probe_evaluate(&dependence->probe, dependence->value, NULL);
    set_dependent(dependence, dependence->value + dependence->m, v);
    dependence->probe.value[BLOCK_V] = right;
    dependence->probe.value[BLOCK_A] = a;
    probe_evaluate(&dependence->probe, dependence->value, NULL);
    set_dependent(dependence, dependence->value + 2 * dependence->m, a);
}

/* (86), (87): Q and V [n] by parameter j. */
static void dependent_columns(struct dependence *dependence,
                              const struct columns *columns, int j, double *Q, double *V)
{
    struct probe *probe = &dependence->probe;
    drop_dependent(dependence, Q);
    drop_dependent(dependence, V);
    probe_by_parameter(probe, columns, j);
    probe->along[BLOCK_Q] = Q;
    probe_evaluate(probe, NULL, dependence->derivative);
    set_dependent(dependence, dependence->derivative, Q);
    probe->along[BLOCK_V] = V;
    probe_evaluate(probe, NULL, dependence->derivative);
    set_dependent(dependence, dependence->derivative + dependence->m, V);
}

void dependent_sensitivities(const struct tried *tried, const struct run_point *point,
                             int j, double *Q, double *V)
{
    struct dependence dependence;
    dependence_init(&dependence, tried, point->mode);
    dependence_at(&dependence, &tried->exact->columns, point);
    dependent_columns(&dependence, &tried->exact->columns, j, Q, V);
    dependence_clear(&dependence);
}

/* Adds the digits of dependent numbers along one motion: rates, or sensitivities. */
static void add_dependent(const struct tried *tried, bool of_columns, struct least *least)
{
    const struct trajectory *exact = tried->exact;
    const struct columns *columns = &exact->columns;
    const char *name = tried->run.model->desc->name;
    struct dependence dependence;
    dependence_init(&dependence, tried, tried->run.model->mode[0]);
    int n = dependence.n;
    double *x = memory_new(2 * n, sizeof *x), *y = x + n;
    for (int j = of_columns ? 0 : -1; j < (of_columns ? columns->p : 0); j++) {
        struct match first = {0}, second = {0};
        for (int k = 1; k < exact->samples; k++) {
            const struct run_point *point = &exact->sample[k];
            const double *want_x = point->x + column(columns, of_columns ? GROUP_Q
                                                                         : GROUP_V, 0, j);
            const double *want_y = point->x + column(columns, of_columns ? GROUP_V
                                                                         : GROUP_A, 0, j);
            memory_copy(x, want_x, n, sizeof *x);
            memory_copy(y, want_y, n, sizeof *y);
            dependence_at(&dependence, columns, point);
            if (of_columns)
                dependent_columns(&dependence, columns, j, x, y);
            else
                dependent_rates(&dependence, x, y);
            match_add(&first, x, want_x, n);
            match_add(&second, y, want_y, n);
        }
        const char *by = j < 0 ? "" : " by ", *what = j < 0 ? "" : column_parameter(
                                                                       columns, j);
        least_add(least, match_digits(&first), "%s, %s%s%s", name, j < 0 ? "v" : "Q", by,
                  what);
        least_add(least, match_digits(&second), "%s, %s%s%s", name, j < 0 ? "a" : "V", by,
                  what);
    }
    free(x);
    dependence_clear(&dependence);
}

static void try_dependent(const struct ledger *ledger, bool of_columns,
                          struct trial *trial)
{
    static const enum ledger_motion motion[] = {CAR, FIVE_BAR};
    struct least least = {INFINITY, ""}, solver = {INFINITY, ""};
    for (int k = 0; k < 2; k++) {
        const struct tried *tried = &ledger->motion[motion[k]];
        char worst[100];
        add_dependent(tried, of_columns, &least);
        least_add(&solver, paper_digits_like(tried->run.trajectory, tried->exact,
                                             of_columns ? "dv." : "a.", worst,
                                             sizeof worst), "%s", worst);
    }
    trial->printed = least.digits;
    trial->corrected = solver.digits;
    trial_judge(trial, "complex step of the motion");
    trial_tell(trial, "Dependent components of car-axis and five-bar from independent "
               "ones, at every sample: fewest digits %.1f (%s); the solver has %.1f.",
               least.digits, least.where, solver.digits);
}

void try_73(const void *study, const struct printed_formula *row, struct trial *trial)
{
    (void)row;
    try_dependent(study, false, trial);
}

void try_86(const void *study, const struct printed_formula *row, struct trial *trial)
{
    (void)row;
    try_dependent(study, true, trial);
}
