/*
 * system_rhs.c - the right-hand side of a run, and the projection of its states.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "system.h"
#include "trust.h"

/* --- projection --------------------------------------------------------------------- */

static enum status refuse_projection(const struct system *system, enum status status,
                                     double t)
{
    if (status == OK)
        return OK;
    return diagnose(system->diagnosis, status, t, "%s of the state in mode %s",
                    system->formulation->projection->name, system->now->mode->name);
}

enum status system_project(struct system *system, double t, double *x)
{
    const struct projection *projection = system->formulation->projection;
    void *work = system->now->projecting;
    int n = system->model->n;
    if (!work)
        return OK;
    enum status status = projection->state(work, t, x, x + n, x + 2 * n);
    for (int j = 0; status == OK && j < system->p; j++) {
        double *X = x + (j + 1) * system->state;
        projection->column(work, system->parameter[j], X, X + n, X + 2 * n);
    }
    return refuse_projection(system, status, t);
}

enum status system_project_restart(struct system *system, double t, double *x)
{
    const struct projection *projection = system->formulation->projection;
    void *work = system->now->projecting;
    int n = system->model->n;
    if (!work)
        return OK;
    enum status status = projection->restart(work, t, x, x + n, x + 2 * n);
    if (status != OK)
        return refuse_projection(system, status, t);
    return system_projects_steps(system) ? OK : system_project(system, t, x);
}

int system_choice(const struct system *system, int *index)
{
    const struct projection *projection = system->formulation->projection;
    void *work = system->now->projecting;
    return work && projection->choice ? projection->choice(work, index) : 0;
}

enum status system_choose(struct system *system, const int *index, double t,
                          const double *x)
{
    const struct projection *projection = system->formulation->projection;
    void *work = system->now->projecting;
    int n = system->model->n;
    const double *q = x, *v = x + n, *s = x + 2 * n;
    if (!work)
        return OK;
    return refuse_projection(system,
                             projection->choose
                                 ? projection->choose(work, index, t, q, v, s)
                                 : projection->restart(work, t, q, v, s),
                             t);
}

/* Replaces *x by the projected state if the projection acts at every evaluation. */
static enum status seen_state(struct system *system, double t, const double **x)
{
    const struct projection *projection = system->formulation->projection;
    if (!system->now->projecting || !projection->every_evaluation)
        return OK;
    memcpy(system->projected, *x, (size_t)system->dim * sizeof **x);
    *x = system->projected;
    return system_project(system, t, system->projected);
}

/* --- the right-hand side ------------------------------------------------------------ */

/* Evaluates x' by the pivoting solver. */
static enum status solved_rates(struct system *system, double t, const double *x,
                                double *dx)
{
    struct mode_system *ms = system->now;
    int n = system->model->n, ns = system->model->ns;
    const double *q = x, *v = x + n, *s = x + 2 * n;
    enum status status = system_factor(system, ms, t, q, v, s, system->a, system->lambda);
    if (status != OK)
        return status;
    memcpy(dx, v, (size_t)n * sizeof *dx);
    memcpy(dx + n, system->a, (size_t)n * sizeof *dx);
    system_rates(ms, dx + 2 * n, dx + 2 * n + ns);

    for (int j = 0; j < system->p; j++) {
        double *dX = dx + (j + 1) * system->state;
        const struct state_direction column = system_column(system, x, j);
        memcpy(dX, column.v, (size_t)n * sizeof *dX);
        system_tangent(system, ms, &column, dX + n, system->Lambda + j * system->model->m,
                       dX + 2 * n, dX + 2 * n + ns);
    }
    return OK;
}

/* Evaluates x' by the program, whose work then no longer is that of the point last
   solved. */
static void run_program(struct system *system, double t, const double *x, double *dx)
{
    system->evaluations++;
    system->compiled += explicit_rhs_compiled(system->now->explicit_rhs);
    system->now->solved.valid = false;
    explicit_rhs_evaluate(system->now->explicit_rhs, t, x, dx);
}

/* Is x' by the program as good as the pivoting solver's? An augmented Lagrange iteration
   goes on where constraints become dependent, and the pivoting solver knows how. */
static bool is_good(const struct explicit_rhs *explicit_rhs)
{
    return explicit_rhs->found &&
           (explicit_rhs->mu == 0 || !explicit_rhs_is_lost(explicit_rhs));
}

/* Evaluates x' by the program or, where an iteration in it is not good, by the pivoting
   solver. */
static enum status program_rates(struct system *system, double t, const double *x,
                                 double *dx)
{
    struct explicit_rhs *explicit_rhs = system->now->explicit_rhs;
    run_program(system, t, x, dx);
    if (is_good(explicit_rhs))
        return OK;
    system->evaluations--;
    system->compiled -= explicit_rhs_compiled(explicit_rhs);
    return solved_rates(system, t, x, dx);
}

/* Evaluates x' at a state that is projected first, or by the pivoting solver. */
static __attribute__((noinline)) enum status other_rates(struct system *system, double t,
                                                         const double *x, double *dx)
{
    struct explicit_rhs *explicit_rhs = system->now->explicit_rhs;
    enum status status = seen_state(system, t, &x);
    if (status != OK)
        return status;
    if (!explicit_rhs || !explicit_rhs->trusted)
        return solved_rates(system, t, x, dx);
    return program_rates(system, t, x, dx);
}

enum status system_rhs(void *context, double t, const double *x, double *dx)
{
    struct system *system = context;
    const struct mode_system *ms = system->now;
    if (ms->projecting || !ms->explicit_rhs || !ms->explicit_rhs->trusted ||
        ms->explicit_rhs->iterates)
        return other_rates(system, t, x, dx);
    run_program(system, t, x, dx);
    return OK;
}

bool system_rhs_pivots(struct system *system, bool pivots)
{
    struct explicit_rhs *explicit_rhs = system->now->explicit_rhs;
    bool before = !explicit_rhs || !explicit_rhs->trusted;
    if (explicit_rhs)
        explicit_rhs->trusted = !pivots;
    return before;
}

/* Do two vectors agree to thirteen digits of the largest entry, each in its unit (NULL:
   one), or to `rounding`? Thirteen digits leave the tolerance of any run to the
   integrator. */
static bool same(const double *one, const double *other, int count, const double *unit,
                 double rounding)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = larger(size, fabs(one[i]) / (unit ? unit[i] : 1));
    for (int i = 0; i < count; i++) {
        double allowed = fmax(motion_digits * size * (unit ? unit[i] : 1), rounding);
        if (!(fabs(one[i] - other[i]) <= allowed))
            return false;
    }
    return true;
}

/* Do two right-hand sides agree, a of each column as a whole, s' and z' one by one, or do
   they differ by rounding [dim] (NULL: nothing)? */
static bool agree(const struct system *system, const double *dx, const double *other,
                  const double *rounding)
{
    int n = system->model->n, state = system->state;
    const double *unit = system->now->unit;
    for (int j = 0; j <= system->p; j++) {
        int a = j * state + n, end = (j + 1) * state;
        if (!same(dx + a, other + a, n, unit, rounding && n > 0 ? rounding[a] : 0))
            return false;
        for (int i = a + n; i < end; i++)
            if (!same(dx + i, other + i, 1, NULL, rounding ? rounding[i] : 0))
                return false;
    }
    return true;
}

/* Do two right-hand sides agree but for rounding? The pivoting solver knows the full
   bound, which is only computed where the part of it that costs nothing is not enough. */
static bool agree_but_for_rounding(struct system *system, const double *x,
                                   const double *dx, const double *other)
{
    double *rounding = memory_new(system->dim, sizeof *rounding);
    rounding_of_zeros(system, rounding);
    bool explained = agree(system, dx, other, rounding);
    if (!explained) {
        rounding_of_rates(system, x, rounding);
        explained = agree(system, dx, other, rounding);
    }
    free(rounding);
    return explained;
}

/* Do the multipliers agree, too? Multipliers lose more digits than accelerations where
   constraints are nearly redundant, or soft, and count where an event or a sample asks
   for them. */
static bool multipliers_agree(struct system *system, double t, const double *x)
{
    struct explicit_rhs *explicit_rhs = system->now->explicit_rhs;
    int n = system->model->n, m = system->now->mode->m;
    double *a = system->a_dot, *lambda = system->lambda_dot;
    double size = largest(system->lambda, m);
    if (!explicit_rhs_solve(explicit_rhs, t, x, x + n, x + 2 * n, a, lambda) ||
        !same(system->lambda, lambda, m, NULL, 0))
        return false;
    for (int j = 0; j < system->p; j++) {
        const double *X = x + (j + 1) * system->state;
        double rho = fabs(system->rho[system->parameter[j]]);
        explicit_rhs_tangent(explicit_rhs, X, X + n, X + 2 * n, system->parameter[j], a,
                             lambda, NULL, NULL);
        if (!same(system->Lambda + j * system->model->m, lambda, m, NULL,
                  rho > 0 ? motion_digits * size / rho : 0))
            return false;
    }
    return true;
}

/* Evaluates x' by both solvers, and trusts the program if they agree. */
static enum status compare(struct system *system, double t, const double *x, double *dx)
{
    struct mode_system *ms = system->now;
    enum status status = solved_rates(system, t, x, dx);
    if (status != OK || !system_select_explicit(system, ms))
        return status;
    explicit_rhs_units(ms->explicit_rhs, ms->unit + system->model->n);
    explicit_rhs_evaluate(ms->explicit_rhs, t, x, system->compared);
    explicit_rhs_compared(ms->explicit_rhs,
                          agree(system, dx, system->compared, NULL) ||
                              agree_but_for_rounding(system, x, dx, system->compared));
    ms->explicit_rhs->solves = ms->explicit_rhs->trusted &&
                               multipliers_agree(system, t, x);
    if (ms->explicit_rhs->trusted)
        memcpy(dx, system->compared, (size_t)system->dim * sizeof *dx);
    return OK;
}

/* A refusal is not reported here: the step or event that needs x' reports it. */
void system_trust(struct system *system, double t, const double *x, double *dx)
{
    struct diagnosis *diagnosis = system->diagnosis, own;
    system->diagnosis = &own;
    bool solvable = system->now->explicit_rhs || system->now->linear->kernel_part;
    if (solvable && seen_state(system, t, &x) == OK)
        compare(system, t, x, dx);
    system->diagnosis = diagnosis;
}

/* A program that has been compared on an earlier arc of this run is compared again only
   if its pivots are in doubt. */
enum status system_rhs_restart(struct system *system, double t, const double *x,
                               double *dx)
{
    struct explicit_rhs *explicit_rhs = system->now->explicit_rhs;
    enum status status = seen_state(system, t, &x);
    if (status != OK)
        return status;
    if (explicit_rhs && explicit_rhs->trusted) {
        status = program_rates(system, t, x, dx);
        if (status != OK ||
            (!explicit_rhs_in_doubt(explicit_rhs) && all_finite(dx, system->dim)))
            return status;
    }
    return compare(system, t, x, dx);
}

/* --- a step has been accepted ------------------------------------------------------- */

void system_review(struct system *system, double t, const double *x)
{
    const struct projection *projection = system->formulation->projection;
    struct explicit_rhs *explicit_rhs = system->now->explicit_rhs;
    int n = system->model->n;
    if (system->now->projecting && projection->review)
        projection->review(system->now->projecting, t, x, x + n, x + 2 * n);
    if (!explicit_rhs || !explicit_rhs->trusted || !explicit_rhs_in_doubt(explicit_rhs))
        return;
    if (seen_state(system, t, &x) != OK ||
        compare(system, t, x, system->compared_dx) != OK)
        explicit_rhs->trusted = false;
}
