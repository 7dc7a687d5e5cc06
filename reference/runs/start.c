/*
 * start.c - consistent initial conditions, by Newton's method in the least squares sense,
 * and their sensitivities (Corner, Sandu, Sandu 2019, (86)-(87)).
 *
 * Given coordinates are constant formulas; the others solve Phi = 0 by Newton's method
 * from the guess, then the velocities that are not given solve Phid = 0, from zero. There
 * may be more equations than unknowns (all coordinates given): the system is solved in
 * the least squares sense and must then hold. Derivatives d(...)/drho follow the moving
 * start (t0(rho), q0(rho), ...) with the same matrices, and are brought back to fixed
 * time: Q = dq - v dt0, V = dv - a dt0, S = ds - f_s dt0, Z = -g dt0.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/mp_run.h"

struct starting {
    struct run *run;
    const struct mode_plan *plan;
    struct mp_series *ends;         /* program of t0 t_end q0 q_guess v0 s0 */
    struct mp_series *constraint;   /* program of the constraints of the first mode */
    int n, m, ns, rows;             /* sizes of the model; rows: number of constraints
                                       at position level */
    /* Indices of the coordinates and velocities that are not given. */
    int *free_q, *free_v;
    int free_qs, free_vs;           /* their numbers */
    int *row;                       /* [rows] constraints at position level */
    mpfr_ptr d;                     /* [1 + 2n + ns] derivatives of t0, q0, v0, s0 in
                                       one lane */
    mpfr_ptr A, b;                  /* [m * n] matrix, [max(m, n)] right-hand side */
    struct mp_lu *lu;               /* factors of A' A, made anew by every solve */
};

static double time_of(const struct starting *s)
{
    return mpfr_get_d(s->run->t, MPFR_RNDN);
}

static double agreement(const struct starting *s)
{
    return -(s->run->digits - 10) * MP_BITS_PER_DIGIT;
}

/* --- which components are given ----------------------------------------------------- */

static enum status count_unknowns(struct starting *s)
{
    const struct model *model = s->run->model;
    for (int i = 0; i < s->m; i++)
        if (!s->plan->mode->velocity_level[i])
            s->row[s->rows++] = i;
    /* Without constraints a component that is not given is zero. */
    for (int i = 0; s->m > 0 && i < s->n; i++) {
        if (model->q0[i].tape == NULL)
            s->free_q[s->free_qs++] = i;
        if (model->v0[i].tape == NULL)
            s->free_v[s->free_vs++] = i;
    }
    const char *what = s->free_qs > s->rows ? "coordinates"
                     : s->free_vs > s->m ? "velocities" : NULL;
    if (what != NULL)
        return diagnose(
            s->run->diagnosis, BAD_INPUT, NAN,
            "start: %d %s are not given, but there are only %d constraints to "
            "determine them",
            what[0] == 'c' ? s->free_qs : s->free_vs, what,
            what[0] == 'c' ? s->rows : s->m);
    if (s->m > 0 && (program_uses(s->plan->constraint, BLOCK_A) ||
                     program_uses(s->plan->constraint, BLOCK_LAMBDA)))
        return diagnose(s->run->diagnosis, NOT_APPLICABLE, NAN,
                        "start: the constraints move with f_s, and f_s depends on "
                        "accelerations or multipliers");
    return OK;
}

/* --- least squares ------------------------------------------------------------------ */

/* Solves A x = b in the least squares sense, A [rows * unknowns], by the normal
   equations; x is left in b [unknowns]. False: the columns of A are dependent. */
static bool least_squares(struct starting *s, int rows, int unknowns)
{
    mp_lu_free(s->lu);
    s->lu = mp_lu_new(unknowns, s->run->precision);
    mpfr_ptr x = mp_vector_new((size_t)unknowns, s->run->precision);
    for (int i = 0; i < unknowns; i++) {
        for (int j = 0; j < unknowns; j++)
            mp_dot(s->lu->a + i * unknowns + j, NULL, 1, s->A + i, unknowns, s->A + j,
                   unknowns, rows, MP_MAX_LIMBS);
        mp_dot(x + i, NULL, 1, s->A + i, unknowns, s->b, 1, rows, MP_MAX_LIMBS);
    }
    bool regular = mp_lu_factor(s->lu) == unknowns;
    if (regular) {
        mp_lu_solve(s->lu, x);
        mp_copy(s->b, x, unknowns);
    }
    mp_vector_free(x);
    return regular;
}

/* Loads into A the columns of free components of the derivative of the constraint
   rows: by q from output 2m + 1 on, or by v m n further. */
static void load_matrix(struct starting *s, bool velocity)
{
    int first = 2 * s->m + 1 + (velocity ? s->m * s->n : 0);
    int rows = velocity ? s->m : s->rows, columns = velocity ? s->free_vs : s->free_qs;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++) {
            int row = velocity ? i : s->row[i];
            int column = velocity ? s->free_v[k] : s->free_q[k];
            mpfr_set(s->A + i * columns + k,
                     mp_series_output(s->constraint, 0, first + row * s->n + column),
                     MPFR_RNDN);
        }
}

/* Loads b = -Phi or -Phid, or their derivatives in a lane. Returns log2 of its size. */
static double load_residual(struct starting *s, bool velocity, int lane)
{
    int rows = velocity ? s->m : s->rows;
    int first = lane == 0 ? 0 : 2 * s->m + 1 + 2 * s->m * s->n;
    for (int i = 0; i < rows; i++)
        mpfr_neg(s->b + i,
                 mp_series_output(s->constraint, lane == 0 ? 0 : lane - 1,
                                  first + (velocity ? s->m + i : s->row[i])), MPFR_RNDN);
    return mp_log2_max(s->b, rows);
}

/* --- values ------------------------------------------------------------------------- */

static void load_point(struct starting *s)
{
    struct run *run = s->run;
    mp_series_load(s->constraint, 0, BLOCK_T, 0, run->t, 1);
    mp_series_load(s->constraint, 0, BLOCK_Q, 0, run->y, 1);
    mp_series_load(s->constraint, 0, BLOCK_V, 0, run->y + s->n, 1);
    mp_series_load(s->constraint, 0, BLOCK_S, 0, run->y + 2 * s->n, 1);
    mp_series_run(s->constraint, 0, STAGE_STATE, 0);
}

static enum status dependent(struct starting *s, const char *what)
{
    return diagnose(s->run->diagnosis, RANK_LOSS, time_of(s),
                    "start: the constraints do not determine the %s that are not given",
                    what);
}

/* Newton's method for the free components of one level. Convergence is quadratic, so
   that the step after one that reached half of the digits is the last. Phid is linear
   in v unless the rates of s are not. */
static enum status solve_level(struct starting *s, bool velocity)
{
    int rows = velocity ? s->m : s->rows, unknowns = velocity ? s->free_vs : s->free_qs;
    const int *unknown = velocity ? s->free_v : s->free_q;
    mpfr_ptr x = s->run->y + (velocity ? s->n : 0);
    double change = 0, size = -INFINITY;
    for (int iteration = 0; unknowns > 0 && iteration < 200 &&
                            change > size - 0.55 * (double)s->run->precision;
         iteration++) {
        load_point(s);
        load_residual(s, velocity, 0);
        load_matrix(s, velocity);
        if (!mp_finite(s->b, rows) || !mp_finite(s->A, rows * unknowns))
            return diagnose(s->run->diagnosis, UNREACHABLE, time_of(s),
                            "start: assembling the mechanism leaves the domain of %s",
                            velocity ? "Phid" : "Phi");
        if (!least_squares(s, rows, unknowns))
            return dependent(s, velocity ? "velocities" : "coordinates");
        change = mp_log2_max(s->b, unknowns);
        size = 0;
        for (int k = 0; k < unknowns; k++) {
            mpfr_add(x + unknown[k], x + unknown[k], s->b + k, MPFR_RNDN);
            size = fmax(size, mp_log2(x + unknown[k]));
        }
    }
    if (unknowns > 0 && change > size - 0.55 * (double)s->run->precision)
        return diagnose(s->run->diagnosis, UNREACHABLE, time_of(s),
                        "start: Newton's method for %s comes to no rest",
                        velocity ? "Phid = 0" : "Phi = 0, from q_guess,");
    return OK;
}

static enum status assemble(struct starting *s)
{
    enum status status = solve_level(s, false);
    if (status != OK)
        return status;
    load_point(s);
    double left = load_residual(s, false, 0);
    if (s->rows > 0 && !(left < agreement(s)))
        return diagnose(s->run->diagnosis, s->free_qs > 0 ? UNREACHABLE : INCONSISTENT,
                        time_of(s), "start: |Phi| = %.3g %s", exp2(left),
                        s->free_qs > 0 ? "is left after Newton's method from q_guess"
                                       : "with the coordinates given");
    return OK;
}

static enum status set_moving(struct starting *s)
{
    enum status status = solve_level(s, true);
    if (status != OK)
        return status;
    load_point(s);
    double left = load_residual(s, true, 0);
    if (s->m > 0 && !(left < agreement(s)))
        return diagnose(s->run->diagnosis, INCONSISTENT, time_of(s),
                        "start: |Phid| = %.3g with the velocities given", exp2(left));
    return OK;
}

static enum status values(struct starting *s)
{
    struct run *run = s->run;
    int n = s->n;
    mpfr_set(run->t, mp_series_output(s->ends, 0, 0), MPFR_RNDN);
    if (run->request->t_end == NULL)
        mpfr_set(run->t_end, mp_series_output(s->ends, 0, 1), MPFR_RNDN);
    for (int i = 0; i < n; i++) {
        mpfr_set(run->y + i, mp_series_output(s->ends, 0, 2 + i), MPFR_RNDN);
        mpfr_set(run->y + n + i, mp_series_output(s->ends, 0, 2 + 2 * n + i), MPFR_RNDN);
    }
    for (int k = 0; k < s->free_qs; k++)
        mpfr_set(run->y + s->free_q[k],
                 mp_series_output(s->ends, 0, 2 + n + s->free_q[k]), MPFR_RNDN);
    for (int i = 0; i < s->ns; i++)
        mpfr_set(run->y + 2 * n + i, mp_series_output(s->ends, 0, 2 + 3 * n + i),
                 MPFR_RNDN);
    if (!mp_finite(run->t, 1) || !mp_finite(run->t_end, 1) ||
        !mp_finite(run->y, run->width))
        return diagnose(run->diagnosis, NOT_FINITE, NAN,
                        "start: a formula for t0, t_end, q0, v0 or s0");
    enum status status = assemble(s);
    return status == OK ? set_moving(s) : status;
}

/* --- sensitivities ------------------------------------------------------------------ */

/* Loads d = (dt0, dq, dv, ds) of lane j along the moving start; free components are
   zero. */
static void load_direction(struct starting *s, int j)
{
    int n = s->n, tangent = 2 + 3 * n + s->ns;
    mpfr_set(s->d, mp_series_output(s->ends, j, tangent), MPFR_RNDN);
    for (int i = 0; i < n; i++) {
        mpfr_set(s->d + 1 + i, mp_series_output(s->ends, j, tangent + 2 + i), MPFR_RNDN);
        mpfr_set(s->d + 1 + n + i, mp_series_output(s->ends, j, tangent + 2 + 2 * n + i),
                 MPFR_RNDN);
    }
    for (int i = 0; i < s->ns; i++)
        mpfr_set(s->d + 1 + 2 * n + i,
                 mp_series_output(s->ends, j, tangent + 2 + 3 * n + i), MPFR_RNDN);
    if (s->run->request->t_end == NULL)
        mpfr_set(s->run->dt_end + j, mp_series_output(s->ends, j, tangent + 1),
                 MPFR_RNDN);
}

static double run_direction(struct starting *s, int j, bool velocity)
{
    mp_series_load(s->constraint, j, TANGENT(BLOCK_T), 0, s->d, 1);
    mp_series_load(s->constraint, j, TANGENT(BLOCK_Q), 0, s->d + 1, 1);
    mp_series_load(s->constraint, j, TANGENT(BLOCK_V), 0, s->d + 1 + s->n, 1);
    mp_series_load(s->constraint, j, TANGENT(BLOCK_S), 0, s->d + 1 + 2 * s->n, 1);
    mp_series_run(s->constraint, j, STAGE_DIRECTION, 0);
    return load_residual(s, velocity, 1 + j);
}

/* Solves one level of one lane for the free components; then all rows must hold. If a
   row cannot hold, no motion exists in the direction: `Phi_rho` is outside the range
   (INADMISSIBLE). */
static enum status solve_direction(struct starting *s, int j, bool velocity)
{
    int rows = velocity ? s->m : s->rows, unknowns = velocity ? s->free_vs : s->free_qs;
    run_direction(s, j, velocity);
    if (unknowns > 0) {
        load_matrix(s, velocity);
        if (!least_squares(s, rows, unknowns))
            return dependent(s, velocity ? "velocities" : "coordinates");
        for (int k = 0; k < unknowns; k++) {
            int at = velocity ? 1 + s->n + s->free_v[k] : 1 + s->free_q[k];
            mpfr_set(s->d + at, s->b + k, MPFR_RNDN);
        }
    }
    double left = run_direction(s, j, velocity);
    double size = fmax(0, mp_log2_max(s->d, 1 + 2 * s->n + s->ns));
    if (rows == 0 || left < size + agreement(s))
        return OK;
    bool inadmissible = !taylor_admissible(s->run->taylor[s->run->mode->index], 1 + j,
                                           velocity);
    return diagnose(
        s->run->diagnosis, inadmissible ? INADMISSIBLE : INCONSISTENT, time_of(s),
        "start: the constraints%s cannot follow parameter %s (d%s off by %.3g)",
        inadmissible ? ", some of which depend on others," : "",
        column_parameter(&s->run->out->columns, j),
        velocity ? "Phid" : "Phi", exp2(left));
}

/* Brings derivatives back to fixed time, with the rates at the start. */
static void fix_time(struct starting *s, const struct taylor *taylor, int j)
{
    struct run *run = s->run;
    int n = s->n;
    mpfr_ptr Y = run->y + (j + 1) * run->width, neg = run->work;
    mpfr_neg(neg, s->d, MPFR_RNDN);
    for (int i = 0; i < n; i++) {
        mpfr_fma(Y + i, run->y + n + i, neg, s->d + 1 + i, MPFR_RNDN);
        mpfr_fma(Y + n + i, taylor_u(taylor, 0, i), neg, s->d + 1 + n + i, MPFR_RNDN);
    }
    for (int i = 0; i < s->ns; i++)
        mpfr_fma(Y + 2 * n + i, taylor_f_s(taylor, 0, i, 0), neg, s->d + 1 + 2 * n + i,
                 MPFR_RNDN);
    for (int i = 0; i < run->model->nz; i++)
        mpfr_mul(Y + 2 * n + s->ns + i, taylor_g(taylor, 0, i, 0), neg, MPFR_RNDN);
}

static enum status sensitivities(struct starting *s)
{
    struct run *run = s->run;
    struct taylor *taylor = run->taylor[run->mode->index];
    enum status status = taylor_expand(taylor, run->t, run->y, 1, 0, run->diagnosis);
    for (int j = 0; status == OK && j < run->parameters; j++) {
        load_direction(s, j);
        status = solve_direction(s, j, false);
        if (status == OK)
            status = solve_direction(s, j, true);
        if (status == OK)
            fix_time(s, taylor, j);
    }
    return status;
}

/* --- all ---------------------------------------------------------------------------- */

static void starting_open(struct starting *s, struct run *run)
{
    const struct model *model = run->model;
    int lanes = run->parameters > 0 ? run->parameters : 1;
    *s = (struct starting){
        .run = run, .plan = &run->plan->mode[run->mode->index], .n = model->n,
        .m = run->mode->m, .ns = model->ns,
        .constraint = run->taylor[run->mode->index]->constraint,
    };
    s->ends = mp_series_new(run->plan->start, 0, run->precision, lanes, STAGE_DIRECTION);
    mp_series_load(s->ends, 0, BLOCK_RHO, 0, run->rho, 1);
    mp_series_run(s->ends, 0, STAGE_RHO, 0);
    for (int j = 0; j < run->parameters; j++) {
        mp_series_load(s->ends, j, TANGENT(BLOCK_RHO), 0, run->unit + j * model->p, 1);
        mp_series_run(s->ends, j, STAGE_DIRECTION, 0);
    }
    s->free_q = memory_new(2 * s->n + s->m, sizeof *s->free_q);
    s->free_v = s->free_q + s->n;
    s->row = s->free_v + s->n;
    s->d = mp_vector_new((size_t)(1 + 2 * s->n + s->ns), run->precision);
    s->A = mp_vector_new((size_t)(s->m * s->n), run->precision);
    s->b = mp_vector_new((size_t)(s->m > s->n ? s->m : s->n), run->precision);
}

static void starting_close(struct starting *s)
{
    mp_series_free(s->ends);
    mp_lu_free(s->lu);
    mp_vector_free(s->d);
    mp_vector_free(s->A);
    mp_vector_free(s->b);
    free(s->free_q);
}

enum status run_start(struct run *run)
{
    struct starting s;
    starting_open(&s, run);
    enum status status = count_unknowns(&s);
    if (status == OK)
        status = values(&s);
    if (status == OK)
        status = sensitivities(&s);
    starting_close(&s);
    return status;
}
