/*
 * system.c - the equations of motion solved in double (Newton's method, one factorisation
 * of R_u), and their tangent linear model.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/largest.h"
#include "base/tolerances.h"
#include "linear/units.h"
#include "system.h"

static double output(const struct mode_system *ms, int k)
{
    return ms->w[ms->motion->output[k]];
}

static void run_motion(struct mode_system *ms, int stage)
{
    if (ms->motion_code.program)
        tiered_program_run(&ms->motion_code, stage, ms->w);
    else
        program_run(ms->motion, stage, ms->w);
}

static void load_point(struct mode_system *ms, int copy, double t, const double *q,
                       const double *v, const double *s)
{
    if (ms->motion_code.program)
        tiered_program_load_point(&ms->motion_code, copy, t, q, v, s, ms->w);
    else
        program_load_point(ms->motion, copy, t, q, v, s, ms->w);
}

static void load_state(struct mode_system *ms, double t, const double *q, const double *v,
                       const double *s)
{
    load_point(ms, 0, t, q, v, s);
    run_motion(ms, STAGE_STATE);
}

static void load_unknowns(struct mode_system *ms, const double *a, const double *lambda)
{
    program_load(ms->motion, BLOCK_A, a, ms->w);
    program_load(ms->motion, BLOCK_LAMBDA, lambda, ms->w);
    run_motion(ms, STAGE_UNKNOWN);
}

static enum status factorise(struct mode_system *ms)
{
    int N = ms->unknowns, n = N - ms->mode->m;
    int count = ms->linear->alloc_sparse ? ms->entries.count : N * N;
    for (int k = 0; k < count; k++)
        ms->R_u[k] = output(ms, ms->at.R_u + k);
    for (int i = n; i < N && ms->iterated; i++)
        for (int j = n; j < N; j++)
            ms->R_u[i * N + j] *= ms->iterates.softness;
    if (!ms->scaled)
        return ms->linear->factor(ms->factors, ms->R_u);
    units_of_saddle(n, N - n, ms->R_u, ms->unit);
    for (int i = n; i < N && ms->linear->kernel_part; i++)
        ms->unit[i] = 1;            /* the norm of multipliers is that of the model */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            ms->scaled[i * N + j] = ms->R_u[i * N + j] * (ms->unit[i] * ms->unit[j]);
    return ms->linear->factor(ms->factors, ms->scaled);
}

static void take_units(const struct mode_system *ms, double *x)
{
    for (int i = 0; i < ms->unknowns; i++)
        x[i] *= ms->unit[i];
}

void system_solve_linear(const struct mode_system *ms, double *x)
{
    take_units(ms, x);
    ms->linear->solve(ms->factors, x);
    take_units(ms, x);
}

void system_solve_transposed(const struct mode_system *ms, double *u, double *y)
{
    take_units(ms, u);
    ms->linear->transposed(ms->factors, u, y);
    take_units(ms, y);
}

double system_correct(struct mode_system *ms, const double *R_k, double *a,
                      double *lambda)
{
    double change = 0;
    for (int i = 0; i < ms->unknowns; i++)
        ms->delta[i] = -R_k[i];
    system_solve_linear(ms, ms->delta);
    for (int i = 0; i < ms->unknowns; i++) {
        const struct unknown *u = &ms->unknown[i];
        (u->block == BLOCK_A ? a : lambda)[u->index] += ms->delta[i];
        change = larger(change, fabs(ms->delta[i]) / ms->unit[i]);
    }
    return change;
}

/* Makes one Newton step on R(u) = 0; returns the size of the correction relative to u,
   both in units of the unknowns. */
static double correct(struct mode_system *ms, double *a, double *lambda)
{
    double size = 0;
    for (int i = 0; i < ms->unknowns; i++)
        ms->kernel[i] = output(ms, ms->at.R + i);
    double change = system_correct(ms, ms->kernel, a, lambda);
    for (int i = 0; i < ms->unknowns; i++) {
        const struct unknown *u = &ms->unknown[i];
        double value = (u->block == BLOCK_A ? a : lambda)[u->index];
        size = larger(size, fabs(value) / ms->unit[i]);
        if (!isfinite(value))
            return NAN;
    }
    return size > 0 ? change / size : 0;
}

static enum status refuse_solve(const struct system *system, const struct mode_system *ms,
                                enum status status, double t)
{
    char blame[300];
    program_run(ms->motion, STAGE_STATE, ms->w);    /* the search needs all rows */
    program_run(ms->motion, STAGE_UNKNOWN, ms->w);
    if (program_blame(ms->motion, system->model->names, STAGE_UNKNOWN, ms->w, blame,
                      sizeof blame))
        return diagnose(system->diagnosis, NOT_FINITE, t, "mode %s: %s", ms->mode->name,
                        blame);
    return diagnose(system->diagnosis, status, t,
                    "equations of motion of mode %s, formulation %s, solved by %s",
                    ms->mode->name, system->formulation->name, ms->linear->name);
}

/* An affine residual is solved from u = 0 and corrected once, which makes up for the
   digits that the scaling of the matrix costs; a correction that is not small means that
   the matrix is singular to working accuracy. */
static enum status solve_affine(const struct system *system, struct mode_system *ms,
                                double t, double *a, double *lambda)
{
    double change = 0;
    for (int pass = 0; pass <= ms->linear->corrected; pass++) {
        change = correct(ms, a, lambda);
        if (!isfinite(change))
            return refuse_solve(system, ms, NOT_FINITE, t);
        load_unknowns(ms, a, lambda);
    }
    if (ms->linear->corrected && !(change < correction_most))
        return refuse_solve(system, ms, SINGULAR, t);
    return OK;
}

/* Are multipliers undetermined, so that those of least norm are taken? */
static bool redundant(const struct mode_system *ms)
{
    return ms->linear->kernel_part && ms->linear->rank(ms->factors) < ms->mode->m;
}

/* F depends on lambda (friction): Newton's method, with the matrix at the solution in the
   end. Where constraints are redundant friction would depend on undetermined multipliers:
   RANK_LOSS. */
static enum status solve_newton(const struct system *system, struct mode_system *ms,
                                double t, double *a, double *lambda)
{
    enum { MOST_ITERATIONS = 40 };
    double change = 1;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        change = correct(ms, a, lambda);
        if (!isfinite(change))
            return refuse_solve(system, ms, NOT_FINITE, t);
        load_unknowns(ms, a, lambda);
        enum status status = factorise(ms);
        if (status == OK && redundant(ms))
            status = RANK_LOSS;
        if (status != OK)
            return refuse_solve(system, ms, status, t);
        if (change < newton_converged)
            return OK;
    }
    return change < newton_stalled ? OK : refuse_solve(system, ms, NO_CONVERGENCE, t);
}

/* --- iterated residuals ------------------------------------------------------------- */

/* Iterate i: a, then lambda. */
static double *iterate(const struct mode_system *ms, int i)
{
    return ms->iterates.u + i * ms->unknowns;
}

/* Forces on a coordinate: the largest of them, and the change of their sum by a step from
   one iterate to the next; in the unit of the coordinate. */
struct forces {
    double size, change;
};

static struct forces forces_on(const struct mode_system *ms, int i, const double *before,
                               const double *u)
{
    int rows = ms->unknowns, n = rows - ms->mode->m;
    const double *G = ms->R_u + i * rows;
    double inertia = 0, change = 0, size = 0;
    for (int j = 0; j < n; j++)
        inertia += G[j] * u[j];
    for (int k = n; k < rows; k++) {
        if (G[k] == 0)
            continue;
        change += G[k] * (u[k] - before[k]);
        size = larger(size, fabs(G[k] * u[k]));
    }
    return (struct forces){ms->unit[i] * larger(size, fabs(inertia)),
                           ms->unit[i] * fabs(change)};
}

/* The change of the forces on a coordinate by a step, against the largest of the forces,
   on the coordinate where the ratio is largest. A step is judged in forces: where
   constraints are redundant rounding moves the multipliers without end, in directions in
   which they do nothing. */
static double change_of_forces(const struct mode_system *ms, const double *before,
                               const double *u)
{
    static const double rounding_beside = 0.1;  /* weight of forces on other
                                                   coordinates */
    int n = ms->unknowns - ms->mode->m;
    double most = DBL_MIN, change = 0;
    for (int i = 0; i < n; i++)
        most = larger(most, forces_on(ms, i, before, u).size);
    for (int i = 0; i < n; i++) {
        struct forces forces = forces_on(ms, i, before, u);
        change = larger(change, forces.change /
                                    larger(forces.size, rounding_beside * most));
    }
    return change;
}

/* Are the constraints dependent, by the matrix last factorised? */
static bool dependent(struct mode_system *ms)
{
    int N = ms->unknowns, m = ms->mode->m;
    rank_qr_factor(&ms->iterates.C, ms->scaled + (N - m) * N, N, 1);
    return ms->iterates.C.rank < m;
}

/* Where constraints are nearly dependent, by sigma, a step leaves 1/(1 + alpha sigma^2)
   of the error. A larger alpha ends at the same multipliers. But where constraints are
   dependent a larger alpha magnifies as much the rounding of multipliers that move
   nothing: two of the digits that double has beyond 1e-10 are spent on that. */

static enum status harder_step(const struct system *system, struct mode_system *ms,
                               double t, double softness, double *a, double *lambda)
{
    enum status status = OK;
    if (ms->iterates.softness == 1 || !ms->affine) {
        ms->iterates.softness = softness;
        status = factorise(ms);
    }
    if (status == OK && !isfinite(correct(ms, a, lambda)))
        status = NOT_FINITE;
    return status == OK ? OK : refuse_solve(system, ms, status, t);
}

/* Repeats with mu = lambda until the constraint forces no longer move. */
static enum status solve_iterated(struct system *system, struct mode_system *ms, double t,
                                  double *a, double *lambda)
{
    int n = system->model->n, m = ms->mode->m;
    double last = INFINITY, softness = 1;
    for (int i = 1; i <= MOST_ITERATES; i++) {
        if (i == MOST_ITERATES / 4 + 1 && !dependent(ms))
            softness = harder;
        if (i == MOST_ITERATES / 2 + 1 && softness == 1)
            softness = harder_dependent;
        enum status status =
            softness < 1 ? harder_step(system, ms, t, softness, a, lambda)
            : ms->affine ? solve_affine(system, ms, t, a, lambda)
                         : solve_newton(system, ms, t, a, lambda);
        if (status != OK)
            return status;
        memcpy(iterate(ms, i), a, (size_t)n * sizeof *a);
        memcpy(iterate(ms, i) + n, lambda, (size_t)m * sizeof *a);
        double change = change_of_forces(ms, iterate(ms, i - 1), iterate(ms, i));
        ms->iterates.count = i;
        program_load(ms->motion, BLOCK_MU, lambda, ms->w);
        load_unknowns(ms, a, lambda);
        if (change < iterates_converged || (change >= last && change < iterates_stalled))
            return OK;
        last = change;
    }
    return refuse_solve(system, ms, NO_CONVERGENCE, t);
}

/* The derivative of the last iterate is that of the whole iteration: each iterate takes
   its mu from the one before. Where constraints are redundant only this derivative shows
   how the multipliers move. Derivatives may take a few rounds more than values. */
static void tangent_of_iterates(struct system *system, struct mode_system *ms, double *da,
                                double *dlambda)
{
    int n = system->model->n, m = ms->mode->m, count = ms->iterates.count;
    double last = INFINITY;
    int stalled = 0;
    memset(ms->y, 0, (size_t)ms->unknowns * sizeof *ms->y);
    for (int i = 1; i <= MOST_ITERATES; i++) {
        const double *u = iterate(ms, i < count ? i : count);
        program_load(ms->motion, BLOCK_MU, iterate(ms, i < count ? i - 1 : count - 1) + n,
                     ms->w);
        load_unknowns(ms, u, u + n);
        for (int k = n; k < ms->unknowns; k++)
            ms->delta[k] = ms->iterates.softness * ms->y[k];
        program_load(ms->motion, TANGENT(BLOCK_MU), ms->delta + n, ms->w);
        run_motion(ms, STAGE_DIRECTION);
        for (int k = 0; k < ms->unknowns; k++)
            ms->delta[k] = -output(ms, ms->at.R_dot + k);
        system_solve_linear(ms, ms->delta);
        double change = change_of_forces(ms, ms->y, ms->delta);
        memcpy(ms->y, ms->delta, (size_t)ms->unknowns * sizeof *ms->y);
        stalled = change >= last ? stalled + 1 : 0;
        if (i >= count && (change < iterates_converged || stalled == 2))
            break;
        last = change;
    }
    memcpy(da, ms->y, (size_t)n * sizeof *da);
    memcpy(dlambda, ms->y + n, (size_t)m * sizeof *dlambda);
}

/* --- at a point --------------------------------------------------------------------- */

static enum status solve_anew(struct system *system, struct mode_system *ms, double t,
                              const double *q, const double *v, const double *s,
                              double *a, double *lambda)
{
    load_state(ms, t, q, v, s);
    memset(a, 0, (size_t)system->model->n * sizeof *a);
    memset(lambda, 0, (size_t)system->model->m * sizeof *lambda);
    program_load(ms->motion, BLOCK_MU, system->zeros, ms->w);
    load_unknowns(ms, a, lambda);
    ms->iterates.softness = 1;
    enum status status = factorise(ms);
    if (status != OK)
        return refuse_solve(system, ms, status, t);
    if (ms->iterated)
        return solve_iterated(system, ms, t, a, lambda);
    return ms->affine ? solve_affine(system, ms, t, a, lambda)
                      : solve_newton(system, ms, t, a, lambda);
}

enum status system_solve(struct system *system, struct mode_system *ms, double t,
                         const double *q, const double *v, const double *s, double *a,
                         double *lambda)
{
    if (solved_point_recall(&ms->solved, t, q, v, s, a, lambda))
        return OK;
    if (!ms->explicit_rhs || !explicit_rhs_solve(ms->explicit_rhs, t, q, v, s, a, lambda))
        return system_factor(system, ms, t, q, v, s, a, lambda);
    system->evaluations++;
    system->compiled += explicit_rhs_solves_compiled(ms->explicit_rhs);
    solved_point_keep(&ms->solved, t, q, v, s, a, lambda);
    ms->solved.explicit_rhs = true;
    return OK;
}

enum status system_factor(struct system *system, struct mode_system *ms, double t,
                          const double *q, const double *v, const double *s, double *a,
                          double *lambda)
{
    if (!ms->solved.explicit_rhs &&
        solved_point_recall(&ms->solved, t, q, v, s, a, lambda))
        return OK;
    system->evaluations++;
    ms->solved.valid = ms->solved.explicit_rhs = false;
    enum status status = solve_anew(system, ms, t, q, v, s, a, lambda);
    if (status == OK && !ms->iterated)      /* iterated tangents go through all
                                               iterates */
        solved_point_keep(&ms->solved, t, q, v, s, a, lambda);
    return status;
}

enum status system_factor_solved(struct system *system, struct mode_system *ms)
{
    const struct solved_point *solved = &ms->solved;
    int n = solved->n;
    const double *x = solved->x + 1, *a = solved->u, *lambda = a + n;
    if (!solved->explicit_rhs)
        return OK;
    if (ms->iterated)
        return system_factor(system, ms, solved->x[0], x, x + n, x + 2 * n, solved->u,
                             solved->u + n);
    load_state(ms, solved->x[0], x, x + n, x + 2 * n);
    load_unknowns(ms, a, lambda);
    enum status status = factorise(ms);
    if (status != OK)
        return refuse_solve(system, ms, status, solved->x[0]);
    ms->solved.explicit_rhs = false;
    return OK;
}

void system_rates(const struct mode_system *ms, double *f_s, double *g)
{
    if (ms->solved.explicit_rhs) {
        explicit_rhs_rates(ms->explicit_rhs, f_s, g);
        return;
    }
    int ns = ms->at.g - ms->at.f_s, nz = ms->at.R_u - ms->at.g;
    for (int k = 0; f_s && k < ns; k++)
        f_s[k] = output(ms, ms->at.f_s + k);
    for (int k = 0; g && k < nz; k++)
        g[k] = output(ms, ms->at.g + k);
}

/* Solves R_u du = -R' with the factors of the point. With the multipliers of least norm
   the solution also moves with the kernel of R_u: (I - K^+ K) dK' K^+' u. Accelerations
   are unique, whatever norm is least, so their part of u adds nothing but rounding: with
   K'y = (a, 0), G'y = 0, and G W = 0 along the motion gives W'dG'y = -dW'G'y = 0. */
static void tangent_of_unknowns(struct mode_system *ms, double *da, double *dlambda)
{
    bool kernel = redundant(ms);
    if (kernel) {
        int n = ms->unknowns - ms->mode->m;
        for (int i = 0; i < ms->unknowns; i++)
            ms->kernel[i] = i < n ? 0 : ms->w[ms->unknown_slot[i]];
        system_solve_transposed(ms, ms->kernel, ms->y);
        program_load(ms->motion, DIRECTION(BLOCK_A, 2), ms->y, ms->w);
        program_load(ms->motion, DIRECTION(BLOCK_LAMBDA, 2), ms->y + n, ms->w);
    }
    run_motion(ms, STAGE_DIRECTION);
    for (int i = 0; i < ms->unknowns; i++)
        ms->delta[i] = -output(ms, ms->at.R_dot + i);
    system_solve_linear(ms, ms->delta);
    if (kernel) {
        for (int i = 0; i < ms->unknowns; i++)
            ms->kernel[i] = output(ms, ms->at.R_u_dot_y + i);
        ms->linear->kernel_part(ms->factors, ms->kernel);
    }
    for (int i = 0; i < ms->unknowns; i++) {
        const struct unknown *u = &ms->unknown[i];
        (u->block == BLOCK_A ? da : dlambda)[u->index] =
            ms->delta[i] + (kernel ? ms->kernel[i] : 0);
    }
}

/* The program of a run without columns has no directions. */
void system_tangent(struct system *system, struct mode_system *ms,
                    const struct state_direction *direction, double *da, double *dlambda,
                    double *df_s, double *dg)
{
    int j = direction->parameter;
    if (ms->solved.explicit_rhs && system->p == 0)
        system_factor_solved(system, ms);
    if (ms->solved.explicit_rhs) {
        explicit_rhs_tangent(ms->explicit_rhs, direction->q, direction->v, direction->s,
                             j, da, dlambda, df_s, dg);
        return;
    }
    load_point(ms, 1, direction->t, direction->q, direction->v, direction->s);
    program_seed_parameter(ms->motion, j, ms->w);
    if (ms->iterated)
        tangent_of_iterates(system, ms, da, dlambda);
    else
        tangent_of_unknowns(ms, da, dlambda);
    if (!df_s && !dg)
        return;
    program_load(ms->motion, TANGENT(BLOCK_A), da, ms->w);
    program_load(ms->motion, TANGENT(BLOCK_LAMBDA), dlambda, ms->w);
    run_motion(ms, STAGE_DIRECTION_UNKNOWN);
    int ns = ms->at.g - ms->at.f_s, nz = ms->at.R_u - ms->at.g;
    for (int k = 0; df_s && k < ns; k++)
        df_s[k] = output(ms, ms->at.f_s_dot + k);
    for (int k = 0; dg && k < nz; k++)
        dg[k] = output(ms, ms->at.g_dot + k);
}

void system_rate_of_unknowns(struct system *system, struct mode_system *ms,
                             const double *v, const double *f_s, double *a_dot,
                             double *lambda_dot)
{
    struct state_direction motion = {
        .t = 1, .q = v, .v = system->a, .s = f_s, .parameter = -1};
    system_tangent(system, ms, &motion, a_dot, lambda_dot, NULL, NULL);
}
