/*
 * curvature.c - the second-order condition at the answer of an optimisation (Nocedal,
 * Wright 2006, theorems 2.3 and 2.4): a stationary point is a minimum where the cost
 * curves upwards, and none where it curves downwards along some direction.
 *
 * Second derivatives are those across events, and where there are none, as the motion has
 * none or the formulation, differences of gradients.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_eigen.h>

#include "base/memory.h"
#include "gradients/cost_hessian.h"
#include "optimise/descent.h"

/* Errors of second derivatives by the tolerance of their run. */
static const double errors_by_rtol = 10;
/* The step of a difference, by the sizes of the parameters, and its error. */
static const double step = 1e-4;

/* The variables that no bound holds, and the Hessian by them. */
struct curvature {
    struct optimisation *o;
    int n, *free;               /* [n] indices of variables */
    double *H;                  /* [n][n] by u, of the cost that is minimised */
    double noise;               /* eigenvalues that are nearer to zero are zero */
};

static double sign_of(const struct optimisation *o)
{
    return o->request.maximise ? -1 : 1;
}

/* --- second derivatives ------------------------------------------------------------- */

static bool by_hessian(struct curvature *c)
{
    const struct optimisation *o = c->o;
    const struct model *model = o->columns.model;
    struct cost_hessian hessian;
    struct hessian_request asked = {
        .adjoint = {.run = o->request.run, .cost = o->request.cost}, .threads = 1};
    int *parameter = memory_new(c->n, sizeof *parameter);
    double *value = memory_new(model->p, sizeof *value);
    memory_copy(value, o->request.run.value, model->p, sizeof *value);
    for (int k = 0; k < o->n; k++)
        value[o->columns.parameter[k]] = o->evaluation[o->best]->value[k];
    for (int i = 0; i < c->n; i++)
        parameter[i] = o->columns.parameter[c->free[i]];
    asked.adjoint.run.value = value;
    asked.adjoint.run.parameter = parameter;
    asked.adjoint.run.parameters = c->n;
    cost_hessian_ask(cost_hessian_find("adjoint"), &asked, &hessian);
    bool found = hessian.status == OK;
    for (int i = 0; i < c->n && found; i++)
        for (int j = 0; j < c->n; j++)
            c->H[i * c->n + j] = sign_of(o) * o->scale[c->free[i]] *
                                 o->scale[c->free[j]] * hessian.by_two[i * c->n + j];
    cost_hessian_clear(&hessian);
    free(parameter);
    free(value);
    return found;
}

/* The gradient by u [n] at the answer with one variable moved; false: a bound is passed,
   the run is refused or has other events. */
static bool gradient_at(struct curvature *c, int moved, double by, double *gradient)
{
    struct optimisation *o = c->o;
    const struct evaluation *best = o->evaluation[o->best];
    struct diagnosis ignored = {.t = NAN};
    struct evaluation *e = evaluation_new(o->n);
    memory_copy(e->value, best->value, o->n, sizeof *e->value);
    e->value[moved] += by * o->scale[moved];
    bool inside = e->value[moved] >= o->request.lower[moved] &&
                  e->value[moved] <= o->request.upper[moved];
    if (inside)
        objective_at(o->objective, e, &ignored);
    bool good = inside && e->status == OK && strcmp(e->names, best->names) == 0;
    for (int i = 0; i < c->n && good; i++)
        gradient[i] = sign_of(o) * o->scale[c->free[i]] * e->gradient[c->free[i]];
    evaluation_free(e);
    return good;
}

static bool by_differences(struct curvature *c)
{
    int n = c->n;
    double *low = memory_new(2 * n, sizeof *low), *high = low + n;
    bool found = true;
    for (int i = 0; i < n && found; i++) {
        double up = step, down = -step;
        found = gradient_at(c, c->free[i], up, high) || gradient_at(c, c->free[i], up = 0,
                                                                    high);
        found = found && (gradient_at(c, c->free[i], down, low) ||
                          gradient_at(c, c->free[i], down = 0, low));
        found = found && up > down;
        for (int j = 0; j < n && found; j++)
            c->H[i * n + j] = (high[j] - low[j]) / (up - down);
    }
    free(low);
    return found;
}

/* --- the condition ------------------------------------------------------------------ */

/* The eigenvalues of the symmetric part, ascending, with their vectors in columns. */
static void decompose(const struct curvature *c, gsl_vector *value, gsl_matrix *vector)
{
    size_t n = (size_t)c->n;
    gsl_matrix *A = gsl_matrix_alloc(n, n);
    gsl_eigen_symmv_workspace *work = gsl_eigen_symmv_alloc(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            gsl_matrix_set(A, i, j, (c->H[i * n + j] + c->H[j * n + i]) / 2);
    gsl_eigen_symmv(A, value, vector, work);
    gsl_eigen_symmv_sort(value, vector, GSL_EIGEN_SORT_VAL_ASC);
    gsl_eigen_symmv_free(work);
    gsl_matrix_free(A);
}

/* The variable that a direction goes along most. */
static int along(const struct curvature *c, const gsl_matrix *vector, size_t j)
{
    int most = 0;
    for (int i = 1; i < c->n; i++)
        if (fabs(gsl_matrix_get(vector, (size_t)i, j)) >
            fabs(gsl_matrix_get(vector, (size_t)most, j)))
            most = i;
    return c->free[most];
}

/* The length of Newton's step to where the gradient is zero. */
static double step_of(const struct curvature *c, const gsl_vector *value,
                      const gsl_matrix *vector)
{
    double *gradient = memory_new(c->o->n, sizeof *gradient), length = 0;
    descent_gradient(c->o, c->o->evaluation[c->o->best], gradient);
    for (size_t j = 0; j < (size_t)c->n; j++) {
        double along = 0;
        for (size_t i = 0; i < (size_t)c->n; i++)
            along += gsl_matrix_get(vector, i, j) * gradient[c->free[i]];
        length = hypot(length, along / gsl_vector_get(value, j));
    }
    free(gradient);
    return length;
}

static void judge(struct curvature *c)
{
    struct optimisation *o = c->o;
    size_t n = (size_t)c->n;
    gsl_vector *value = gsl_vector_alloc(n);
    gsl_matrix *vector = gsl_matrix_alloc(n, n);
    decompose(c, value, vector);
    double least = gsl_vector_get(value, 0), most = gsl_vector_get(value, n - 1);
    double noise = c->noise * fmax(fabs(least), fabs(most)) +
                   descent_noise(o, o->evaluation[o->best]);
    if (o->stop != STOP_GRADIENT)
        o->stop = least > noise && step_of(c, value, vector) <=
                                       errors_by_rtol * o->request.run.rtol
                      ? STOP_GRADIENT : o->stop;
    else if (least < -noise)
        o->stop = STOP_NO_MINIMUM;
    else if (!(most > noise))
        o->stop = STOP_FLAT;
    if (o->stop == STOP_NO_MINIMUM || o->stop == STOP_FLAT ||
        (o->stop == STOP_GRADIENT && !(least > noise)))
        o->direction = along(c, vector, 0);
    gsl_matrix_free(vector);
    gsl_vector_free(value);
}

void curvature_check(struct optimisation *o)
{
    struct curvature c = {.o = o, .noise = errors_by_rtol * o->request.run.rtol};
    c.free = memory_new(o->n, sizeof *c.free);
    for (int k = 0; k < o->n; k++)
        if (!descent_held(o, o->evaluation[o->best], k))
            c.free[c.n++] = k;
    c.H = memory_new(c.n * c.n, sizeof *c.H);
    if (c.n > 0 && by_hessian(&c)) {
        judge(&c);
    } else if (c.n > 0 && by_differences(&c)) {
        c.noise = fmax(c.noise / step, step);
        judge(&c);
    }
    free(c.H);
    free(c.free);
}
