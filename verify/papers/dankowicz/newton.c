/*
 * newton.c - the zero problem F = 0, Dankowicz (12), and Newton's method on it
 * (dankowicz.h)
 */
#include "papers/dankowicz/dankowicz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include "base/memory.h"
#include "papers/match.h"
#include "program/complex_step.h"

/* Length of the longest segment, in periods of the motion. */
static const double longest = 1.5;
/* Newton's method ends where |F| is rounding, or this large. */
static const double rounding = 1e-14, astray = 1e6;

/* --- making ------------------------------------------------------------------------- */

int event_index(const struct model *model, const char *name)
{
    for (int k = 0; k < model->events; k++)
        if (strcmp(model->event[k]->name, name) == 0)
            return k;
    slip("papers: no event '%s'", name);
}

/* Does the run have the events of the problem from event k on, that before the first
   segment first? */
static bool has_events(const struct zero_problem *zero, int k)
{
    const struct trajectory *run = zero->run.trajectory;
    for (int i = 0; i < zero->segments; i++) {
        int e = (i + zero->segments - 1) % zero->segments;
        if (run->event[k + i].event->index != zero->event[e])
            return false;
    }
    return true;
}

bool zero_problem_begin(struct zero_problem *zero, int returns)
{
    const struct trajectory *run = zero->run.trajectory;
    const struct columns *columns = &run->columns;
    for (int k = 0; k + zero->segments <= run->events; k++)
        if (has_events(zero, k) && returns-- == 0) {
            for (int i = 0; i < zero->segments; i++) {
                const struct run_point *after = &run->event[k + i].after;
                memory_copy(zero->start + i * zero->width,
                            after->x + column(columns, GROUP_Q, 0, -1), zero->width,
                            sizeof *zero->start);
                zero->mode[i] = after->mode->index;
            }
            return true;
        }
    return false;
}

/* The index vectors: the events of the orbit, or the only one. */
static void take_events(struct zero_problem *zero, const char *only)
{
    zero->segments = only ? 1 : zero->orbit->events;
    if (zero->segments > DK_SEGMENTS)
        slip("papers: more than %d segments", DK_SEGMENTS);
    for (int i = 0; i < zero->segments; i++)
        zero->event[i] = only ? event_index(zero->run.model, only)
                              : zero->orbit->event[i].event->index;
    zero->unknowns = zero->segments * zero->width;
}

static enum status make_segments(struct zero_problem *zero)
{
    enum status status = OK;
    for (int i = 0; i < zero->segments && status == OK; i++)
        status = index_segment_init(&zero->segment[i], &zero->run, zero->mode[i],
                                    zero->event[i], zero->start + i * zero->width,
                                    &zero->run.diagnosis);
    return status;
}

enum status zero_problem_init(struct zero_problem *zero, const char *name,
                              const char *sens, double t_end, const char *only)
{
    struct paper_run *run = &zero->run;
    *zero = (struct zero_problem){.orbit = NULL};
    paper_run_init(run, name, "ode", 0, sens);
    paper_run_until(run, t_end);
    paper_run_tolerance(run, 1e-13);
    if (paper_run_go(run) != OK)
        return run->status;
    const struct orbit_request request = {.run = run->request};
    run->status = orbit_find(&request, &zero->orbit, &run->diagnosis);
    if (run->status != OK)
        return run->status;
    zero->width = 2 * run->model->n + run->model->ns;
    zero->parameters = run->request.parameters;
    zero->length = longest * zero->orbit->period;
    if (zero->width > DK_WIDTH || zero->parameters > DK_PARAMETERS)
        slip("papers: the zero problem of %s is too large", name);
    take_events(zero, only);
    if (!zero_problem_begin(zero, 0))
        slip("papers: the run has not the events of its orbit");
    return run->status = make_segments(zero);
}

void zero_problem_clear(struct zero_problem *zero)
{
    for (int i = 0; i < zero->segments; i++)
        index_segment_clear(&zero->segment[i]);
    orbit_free(zero->orbit);
    paper_run_clear(&zero->run);
}

int zero_problem_parameter(const struct zero_problem *zero, const char *name)
{
    int j = 0;
    while (strcmp(zero->run.model->parameter[zero->run.parameter[j]].name, name) != 0)
        j++;
    return j;
}

int zero_problem_node(const struct zero_problem *zero, const char *event)
{
    int last = zero->segments - 1, own = event_index(zero->run.model, event);
    for (int i = 0; i <= last; i++)
        if (zero->event[i > 0 ? i - 1 : last] == own)
            return i;
    return -1;
}

/* --- F and F_x ---------------------------------------------------------------------- */

/* (12): x_{i+1} - g at the end of segment i. */
static enum status evaluate(struct zero_problem *zero)
{
    int n = zero->segments, width = zero->width;
    for (int i = 0; i < n; i++) {
        enum status status =
            index_segment_run(&zero->segment[i], zero->x + i * width, zero->length,
                              &zero->terminal[i], &zero->run.diagnosis);
        if (status != OK)
            return status;
        for (int c = 0; c < width; c++)
            zero->F[i * width + c] = zero->x[(i + 1) % n * width + c] -
                                     zero->terminal[i].g[c];
    }
    return OK;
}

/* (22): Lambda_i on the diagonal, Id beside it, and round the corner. */
static gsl_matrix *jacobian_of(const struct zero_problem *zero,
                               const struct blocks *blocks)
{
    size_t n = (size_t)zero->unknowns, width = (size_t)zero->width;
    gsl_matrix *F_x = gsl_matrix_calloc(n, n);
    for (size_t i = 0; i < n; i += width)
        for (size_t r = 0; r < width; r++) {
            *gsl_matrix_ptr(F_x, i + r, (i + width) % n + r) += 1;
            for (size_t c = 0; c < width; c++)
                *gsl_matrix_ptr(F_x, i + r, i + c) += blocks[i / width].Lambda[r][c];
        }
    return F_x;
}

/* Solves F_x y = -b for `count` right-hand sides, which stand beside each other. */
static void solve(const struct zero_problem *zero, const struct blocks *blocks,
                  const double *b, int count, double *y)
{
    int n = zero->unknowns, sign;
    gsl_matrix *F_x = jacobian_of(zero, blocks);
    gsl_permutation *order = gsl_permutation_alloc((size_t)n);
    gsl_vector *side = gsl_vector_alloc((size_t)n);
    gsl_linalg_LU_decomp(F_x, order, &sign);
    for (int j = 0; j < count; j++) {
        for (int i = 0; i < n; i++)
            gsl_vector_set(side, (size_t)i, -b[i * count + j]);
        gsl_linalg_LU_svx(F_x, order, side);
        for (int i = 0; i < n; i++)
            y[i * count + j] = gsl_vector_get(side, (size_t)i);
    }
    gsl_vector_free(side);
    gsl_permutation_free(order);
    gsl_matrix_free(F_x);
}

void zero_problem_solve(struct zero_problem *zero, unsigned variants,
                        struct newton_history *history)
{
    struct blocks blocks[DK_SEGMENTS];
    double step[DK_UNKNOWNS];
    *history = (struct newton_history){.points = 0};
    memory_copy(zero->x, zero->start, zero->unknowns, sizeof *zero->x);
    for (;;) {
        history->status = evaluate(zero);
        if (history->status != OK)
            return;
        double residual = largest_size(zero->F, zero->unknowns);
        history->residual[history->points++] = residual;
        if (residual <= rounding || residual > astray || history->points > DK_STEPS)
            return;
        for (int i = 0; i < zero->segments; i++)
            blocks_by_formulas(&zero->segment[i], &zero->terminal[i], variants,
                               &blocks[i]);
        solve(zero, blocks, zero->F, 1, step);
        for (int i = 0; i < zero->unknowns; i++)
            zero->x[i] += step[i];
    }
}

/* --- about the solution ------------------------------------------------------------- */

void zero_problem_derivative(const struct zero_problem *zero, const struct blocks *blocks,
                             double *x_p)
{
    double F_p[DK_UNKNOWNS * DK_PARAMETERS];
    int width = zero->width, parameters = zero->parameters;
    for (int i = 0; i < zero->unknowns; i++)
        for (int j = 0; j < parameters; j++)
            F_p[i * parameters + j] = blocks[i / width].F_p[i % width][j];
    solve(zero, blocks, F_p, parameters, x_p);
}

double zero_problem_sigma(const struct zero_problem *zero, const struct blocks *blocks)
{
    size_t n = (size_t)zero->unknowns;
    gsl_matrix *F_x = jacobian_of(zero, blocks), *V = gsl_matrix_alloc(n, n);
    gsl_vector *sigma = gsl_vector_alloc(n), *work = gsl_vector_alloc(n);
    gsl_linalg_SV_decomp(F_x, V, sigma, work);
    double least = gsl_vector_get(sigma, n - 1);
    gsl_vector_free(work);
    gsl_vector_free(sigma);
    gsl_matrix_free(V);
    gsl_matrix_free(F_x);
    return least;
}

/* M = -Lambda M */
static void carry(const struct blocks *blocks, int width, gsl_matrix *M)
{
    double column[DK_WIDTH];
    for (int j = 0; j < width; j++) {
        for (int i = 0; i < width; i++) {
            column[i] = 0;
            for (int c = 0; c < width; c++)
                column[i] -= blocks->Lambda[i][c] *
                             gsl_matrix_get(M, (size_t)c, (size_t)j);
        }
        for (int i = 0; i < width; i++)
            gsl_matrix_set(M, (size_t)i, (size_t)j, column[i]);
    }
}

void zero_problem_multipliers(const struct zero_problem *zero,
                              const struct blocks *blocks,
                              double complex multiplier[DK_WIDTH])
{
    size_t width = (size_t)zero->width;
    gsl_matrix *M = gsl_matrix_alloc(width, width);
    gsl_vector_complex *value = gsl_vector_complex_alloc(width);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(width);
    gsl_matrix_set_identity(M);
    for (int i = 0; i < zero->segments; i++)
        carry(&blocks[i], zero->width, M);
    gsl_eigen_nonsymm(M, value, work);
    for (size_t i = 0; i < width; i++) {
        gsl_complex own = gsl_vector_complex_get(value, i);
        size_t k = i;
        double complex z = complex_of(GSL_REAL(own), GSL_IMAG(own));
        for (; k > 0 && cabs(multiplier[k - 1]) < cabs(z); k--)
            multiplier[k] = multiplier[k - 1];
        multiplier[k] = z;
    }
    gsl_eigen_nonsymm_free(work);
    gsl_vector_complex_free(value);
    gsl_matrix_free(M);
}
