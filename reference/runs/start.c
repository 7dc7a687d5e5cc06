/*
 * start.c - consistent initial conditions, by Newton's method in the least squares sense,
 * and their sensitivities (Corner, Sandu, Sandu 2019, (86)-(87)).
 *
 * Given coordinates are constant formulas; the others solve Phi = 0 by Newton's method
 * from the guess, then the velocities that are not given solve Phid = 0, from zero. Where
 * the case has start rows, all components that are not given solve Phi = Phid = Gamma = 0
 * together, from their guesses (Pan, Ding, Wang 2004 (2), (9)). There may be more
 * equations than unknowns (all coordinates given): the system is solved in the least
 * squares sense and must then hold. Derivatives d(...)/drho follow the moving
 * start (t0(rho), q0(rho), ...) with the same matrices, and are brought back to fixed
 * time: Q = dq - v dt0, V = dv - a dt0, S = ds - f_s dt0, Z = -g dt0.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/mp_run.h"

/* Equations that are solved together: outputs of a program, and the components of
   (q, v, s) that they are solved for. */
struct level {
    const char *what, *symbol, *guess;  /* words for refusals */
    bool joint;                     /* rows of Phi, Phid and Gamma, in all components */
    bool velocity;                  /* Phid = 0 in v; else Phi = 0 in q */
    struct mp_series *series;
    int rows, *row;                 /* [rows] outputs among those of the level */
    int unknowns, *unknown;         /* [unknowns] indices in (q, v, s) */
    int value, matrix, slope;       /* first outputs of rows, of their matrix, and of
                                       their derivatives along a direction */
    int first, columns;             /* the matrix has the columns first .. of (q, v, s) */
};

struct starting {
    struct run *run;
    const struct mode_plan *plan;
    struct mp_series *ends;         /* program of given values and guesses */
    struct mp_series *joint;        /* program of the joint rows; NULL: there are none */
    struct mp_series *constraint;   /* program of the constraints of the first mode */
    int n, m, ns, width;            /* sizes of the model; 2n + ns */
    struct level level[2];          /* coordinates, velocities; or all in one */
    int levels;
    int *index;                     /* memory of the levels */
    mpfr_ptr d;                     /* [1 + 2n + ns] derivatives of t0, q0, v0, s0 in
                                       one lane */
    mpfr_ptr A, b;                  /* matrix, right-hand side of the largest level */
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

/* --- levels ------------------------------------------------------------------------- */

/* Lists the components of given [count] that have no formula; the first of them is
   component `first` of (q, v, s). */
static void add_unknowns(struct level *level, const formula *given, int count, int first)
{
    for (int i = 0; i < count; i++)
        if (given[i].tape == NULL)
            level->unknown[level->unknowns++] = first + i;
}

/* The levels of coordinates and of velocities. Without constraints a component that is
   not given is zero. */
static void open_levels(struct starting *s)
{
    const struct model *model = s->run->model;
    int n = s->n, m = s->m, *index = s->index;
    for (int k = 0; k < 2; k++, index += n + m) {
        struct level *level = &s->level[k];
        *level = (struct level){
            .what = k ? "velocities" : "coordinates", .symbol = k ? "Phid" : "Phi",
            .guess = "q_guess", .velocity = k, .series = s->constraint,
            .unknown = index, .row = index + n,
            .value = k ? m : 0, .matrix = 2 * m + 1 + (k ? m * n : 0),
            .slope = 2 * m + 1 + 2 * m * n + (k ? m : 0), .first = k ? n : 0,
            .columns = n};
        for (int i = 0; i < m; i++)
            if (k || !s->plan->mode->velocity_level[i])
                level->row[level->rows++] = i;
        if (m > 0)
            add_unknowns(level, k ? model->v0 : model->q0, n, level->first);
    }
    s->levels = 2;
}

/* The level of all rows, where the case has some of its own. */
static void open_joint(struct starting *s)
{
    const struct model *model = s->run->model;
    struct level *level = &s->level[0];
    int rows = s->run->plan->joint_rows, width = s->width;
    *level = (struct level){
        .what = "components of (q, v, s)", .symbol = "(Phi, Phid, Gamma)",
        .guess = "q_guess, v_guess and s_guess", .joint = true,
        .series = s->joint, .rows = rows, .row = s->index, .unknown = s->index + rows,
        .matrix = rows, .slope = rows * (1 + width), .columns = width};
    for (int i = 0; i < rows; i++)
        level->row[i] = i;
    add_unknowns(level, model->q0, s->n, 0);
    add_unknowns(level, model->v0, s->n, s->n);
    add_unknowns(level, model->s0, s->ns, 2 * s->n);
    s->levels = 1;
}

static enum status check_levels(const struct starting *s)
{
    for (int k = 0; k < s->levels; k++)
        if (s->level[k].unknowns > s->level[k].rows)
            return diagnose(s->run->diagnosis, BAD_INPUT, NAN,
                            "start: %d %s are not given, but there are only %d %s to "
                            "determine them", s->level[k].unknowns, s->level[k].what,
                            s->level[k].rows,
                            s->level[k].joint ? "rows" : "constraints");
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

/* Loads into A the columns of the unknowns. */
static void load_matrix(struct starting *s, const struct level *level)
{
    for (int i = 0; i < level->rows; i++)
        for (int k = 0; k < level->unknowns; k++) {
            int entry = level->row[i] * level->columns + level->unknown[k] - level->first;
            mpfr_set(s->A + i * level->unknowns + k,
                     mp_series_output(level->series, 0, level->matrix + entry),
                     MPFR_RNDN);
        }
}

/* Loads b = - outputs from `first` on, in a lane. Returns log2 of its size. */
static double load_residual(struct starting *s, const struct level *level, int lane,
                            int first)
{
    for (int i = 0; i < level->rows; i++)
        mpfr_neg(s->b + i, mp_series_output(level->series, lane, first + level->row[i]),
                 MPFR_RNDN);
    return mp_log2_max(s->b, level->rows);
}

/* --- values ------------------------------------------------------------------------- */

static void evaluate(struct starting *s, struct mp_series *series)
{
    struct run *run = s->run;
    mp_series_load(series, 0, BLOCK_T, 0, run->t, 1);
    mp_series_load(series, 0, BLOCK_Q, 0, run->y, 1);
    mp_series_load(series, 0, BLOCK_V, 0, run->y + s->n, 1);
    mp_series_load(series, 0, BLOCK_S, 0, run->y + 2 * s->n, 1);
    mp_series_run(series, 0, STAGE_STATE, 0);
}

static enum status dependent(struct starting *s, const struct level *level)
{
    return diagnose(s->run->diagnosis, RANK_LOSS, time_of(s),
                    "start: the constraints do not determine the %s that are not given",
                    level->what);
}

/* Refuses rows that have no value where Newton's method begins: it is the fault of a
   formula, which is named, and not of the guess. */
static enum status undefined(struct starting *s, const struct level *level)
{
    struct run *run = s->run;
    struct taylor *taylor = run->taylor[run->mode->index];
    char what[60];
    taylor_expand(taylor, run->t, run->y, 1, 0, NULL);
    enum status status = taylor_outside(taylor, run->diagnosis);
    if (status == OK)
        status = run_start_edges(run);
    for (int i = 0; status == OK && i < level->rows; i++) {
        snprintf(what, sizeof what, "row %d of %s", i + 1, level->symbol);
        status = run_gate_number(run, s->b + i, 0, what, " at the start");
    }
    return status;
}

/* Newton's method for the unknowns of a level. Convergence is quadratic, so that the step
   after one that reached half of the digits is the last. Phid is linear in v unless the
   rates of s are not. At a root of multiplicity m each step is 1 - 1/m of the one
   before. */
static enum status iterate(struct starting *s, const struct level *level)
{
    enum { SLOW = 4 };
    int rows = level->rows, unknowns = level->unknowns, slow = 0;
    mpfr_ptr x = s->run->y;
    double change = INFINITY, size = -INFINITY;
    for (int iteration = 0; unknowns > 0 && iteration < 200 &&
                            change > size - 0.55 * (double)s->run->precision;
         iteration++) {
        evaluate(s, level->series);
        load_residual(s, level, 0, level->value);
        load_matrix(s, level);
        if (!mp_finite(s->b, rows) || !mp_finite(s->A, rows * unknowns))
            return diagnose(s->run->diagnosis, UNREACHABLE, time_of(s),
                            "start: assembling the mechanism leaves the domain of %s",
                            level->symbol);
        if (!least_squares(s, rows, unknowns))
            return dependent(s, level);
        double before = change;
        change = mp_log2_max(s->b, unknowns);
        slow = change > before - 2 && change < before - 0.1 ? slow + 1 : 0;
        size = 0;
        for (int k = 0; k < unknowns; k++) {
            mpfr_ptr component = x + level->unknown[k];
            mpfr_add(component, component, s->b + k, MPFR_RNDN);
            size = fmax(size, mp_log2(component));
        }
    }
    if (slow >= SLOW)
        return diagnose(s->run->diagnosis, RANK_LOSS, time_of(s),
                        "start: %s = 0 has a multiple root there, without derivatives: "
                        "Newton's method converges by a constant factor", level->symbol);
    if (unknowns > 0 && change > size - 0.55 * (double)s->run->precision)
        return diagnose(s->run->diagnosis, UNREACHABLE, time_of(s),
                        "start: Newton's method for %s = 0%s%s comes to no rest",
                        level->symbol, level->velocity ? "" : ", from ",
                        level->velocity ? "" : level->guess);
    return OK;
}

/* Solves a level; then all rows must hold. A configuration may not be reached from the
   guess; velocities are given wrongly, or there are none. */
static enum status solve_level(struct starting *s, const struct level *level)
{
    bool guessed = level->unknowns > 0 && !level->velocity;
    evaluate(s, level->series);
    load_residual(s, level, 0, level->value);
    enum status status = mp_finite(s->b, level->rows) ? iterate(s, level)
                                                      : undefined(s, level);
    if (status != OK)
        return status;
    evaluate(s, level->series);
    double left = load_residual(s, level, 0, level->value);
    if (level->rows > 0 && !(left < agreement(s)))
        return diagnose(s->run->diagnosis, guessed ? UNREACHABLE : INCONSISTENT,
                        time_of(s), "start: |%s| = %.3g %s%s%s", level->symbol,
                        exp2(left), guessed ? "is left after Newton's method from "
                                            : "with the ",
                        guessed ? level->guess : level->what, guessed ? "" : " given");
    return OK;
}

/* Sets the state to what is given; the unknowns of the first level to their guesses. */
static void load_given(struct starting *s)
{
    struct run *run = s->run;
    const struct level *first = &s->level[0];
    mpfr_set(run->t, mp_series_output(s->ends, 0, 0), MPFR_RNDN);
    if (run->request->t_end == NULL)
        mpfr_set(run->t_end, mp_series_output(s->ends, 0, 1), MPFR_RNDN);
    for (int i = 0; i < s->width; i++)
        mpfr_set(run->y + i, mp_series_output(s->ends, 0, 2 + i), MPFR_RNDN);
    for (int k = 0; k < first->unknowns; k++) {
        int i = first->unknown[k];
        mpfr_set(run->y + i, mp_series_output(s->ends, 0, 2 + s->width + i), MPFR_RNDN);
    }
}

static enum status values(struct starting *s)
{
    struct run *run = s->run;
    load_given(s);
    enum status status = run_gate_number(run, run->t, 0, "the time of the start", "");
    if (status == OK)
        status = run_gate_number(run, run->t_end, 0, "the end", "");
    if (status == OK)
        status = run_gate_state(run, run->y, "start of ", "");
    if (status != OK)
        return status;
    for (int k = 0; status == OK && k < s->levels; k++)
        status = solve_level(s, &s->level[k]);
    /* A row that has no derivative at the start may be why there is no other answer. */
    enum status edge = mp_finite(run->y, s->width) ? run_start_edges(run) : OK;
    return edge == OK ? status : edge;
}

/* --- sensitivities ------------------------------------------------------------------ */

/* Loads d = (dt0, dq, dv, ds) of lane j along the moving start; unknown components are
   zero. */
static void load_direction(struct starting *s, int j)
{
    int slope = 2 + 2 * s->width;
    mpfr_set(s->d, mp_series_output(s->ends, j, slope), MPFR_RNDN);
    for (int i = 0; i < s->width; i++)
        mpfr_set(s->d + 1 + i, mp_series_output(s->ends, j, slope + 2 + i), MPFR_RNDN);
    if (s->run->request->t_end == NULL)
        mpfr_set(s->run->dt_end + j, mp_series_output(s->ends, j, slope + 1), MPFR_RNDN);
}

static void run_along(struct starting *s, struct mp_series *series, int j)
{
    mp_series_load(series, j, TANGENT(BLOCK_T), 0, s->d, 1);
    mp_series_load(series, j, TANGENT(BLOCK_Q), 0, s->d + 1, 1);
    mp_series_load(series, j, TANGENT(BLOCK_V), 0, s->d + 1 + s->n, 1);
    mp_series_load(series, j, TANGENT(BLOCK_S), 0, s->d + 1 + 2 * s->n, 1);
    mp_series_run(series, j, STAGE_DIRECTION, 0);
}

static double run_direction(struct starting *s, const struct level *level, int j)
{
    run_along(s, level->series, j);
    return load_residual(s, level, j, level->slope);
}

/* Can the constraints not follow lane j, whatever is given? */
static bool is_inadmissible(struct starting *s, const struct level *level, int j)
{
    struct taylor *taylor = s->run->taylor[s->run->mode->index];
    if (!level->joint)
        return !taylor_admissible(taylor, 1 + j, level->velocity);
    if (s->m == 0)
        return false;
    evaluate(s, s->constraint);
    run_along(s, s->constraint, j);
    return !taylor_admissible(taylor, 1 + j, false) ||
           !taylor_admissible(taylor, 1 + j, true);
}

/* Solves one level of one lane for its unknowns; then all rows must hold. If a row cannot
   hold, no motion exists in the direction: `Phi_rho` is outside the range
   (INADMISSIBLE). */
static enum status solve_direction(struct starting *s, const struct level *level, int j)
{
    run_direction(s, level, j);
    if (level->unknowns > 0) {
        load_matrix(s, level);
        if (!least_squares(s, level->rows, level->unknowns))
            return dependent(s, level);
        for (int k = 0; k < level->unknowns; k++)
            mpfr_set(s->d + 1 + level->unknown[k], s->b + k, MPFR_RNDN);
    }
    double left = run_direction(s, level, j);
    for (int i = 0; i < level->rows; i++) {
        enum status status = run_gate_number(s->run, s->b + i, 1 + j, level->symbol,
                                             " at the start");
        if (status != OK)
            return status;
    }
    double size = fmax(0, mp_log2_max(s->d, 1 + s->width));
    if (level->rows == 0 || left < size + agreement(s))
        return OK;
    bool inadmissible = is_inadmissible(s, level, j);
    return diagnose(
        s->run->diagnosis, inadmissible ? INADMISSIBLE : INCONSISTENT, time_of(s),
        "start: the constraints%s cannot follow parameter %s (d%s off by %.3g)",
        inadmissible ? ", some of which depend on others," : "",
        column_parameter(&s->run->out->columns, j), level->symbol, exp2(left));
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
    if (status == OK)
        status = taylor_outside(taylor, run->diagnosis);
    for (int j = 0; status == OK && j < run->parameters; j++) {
        load_direction(s, j);
        for (int k = 0; status == OK && k < s->levels; k++)
            status = solve_direction(s, &s->level[k], j);
        if (status == OK)
            status = run_gate_number(run, run->dt_end + j, 1 + j, "the end", "");
        if (status == OK)
            fix_time(s, taylor, j);
    }
    return status == OK ? run_gate_state(run, run->y, "start of ", "") : status;
}

/* --- all ---------------------------------------------------------------------------- */

/* A series at the parameters of the run, with a lane for each. */
static struct mp_series *series_of(struct run *run, const struct program *program)
{
    int lanes = run->parameters > 0 ? run->parameters : 1;
    struct mp_series *series = mp_series_new(program, 0, run->precision, lanes,
                                             STAGE_DIRECTION);
    mp_series_load(series, 0, BLOCK_RHO, 0, run->rho, 1);
    mp_series_run(series, 0, STAGE_RHO, 0);
    for (int j = 0; j < run->parameters; j++)
        mp_series_load(series, j, TANGENT(BLOCK_RHO), 0, run->unit + j * run->model->p,
                       1);
    return series;
}

static void starting_open(struct starting *s, struct run *run)
{
    const struct model *model = run->model;
    *s = (struct starting){
        .run = run, .plan = &run->plan->mode[run->mode->index], .n = model->n,
        .m = run->mode->m, .ns = model->ns, .width = 2 * model->n + model->ns,
        .constraint = run->taylor[run->mode->index]->constraint,
    };
    s->ends = series_of(run, run->plan->start);
    for (int j = 0; j < run->parameters; j++)
        mp_series_run(s->ends, j, STAGE_DIRECTION, 0);
    if (run->plan->joint)
        s->joint = series_of(run, run->plan->joint);
    int rows = s->joint ? run->plan->joint_rows : s->m;
    int columns = s->joint ? s->width : s->n, larger = rows > columns ? rows : columns;
    s->index = memory_new(2 * (rows + columns), sizeof *s->index);
    s->d = mp_vector_new((size_t)(1 + s->width), run->precision);
    s->A = mp_vector_new((size_t)(rows * columns), run->precision);
    s->b = mp_vector_new((size_t)larger, run->precision);
    if (s->joint)
        open_joint(s);
    else
        open_levels(s);
}

static void starting_close(struct starting *s)
{
    mp_series_free(s->ends);
    mp_series_free(s->joint);
    mp_lu_free(s->lu);
    mp_vector_free(s->d);
    mp_vector_free(s->A);
    mp_vector_free(s->b);
    free(s->index);
}

enum status run_start(struct run *run)
{
    struct starting s;
    starting_open(&s, run);
    enum status status = check_levels(&s);
    if (status == OK)
        status = values(&s);
    if (status == OK)
        status = sensitivities(&s);
    starting_close(&s);
    return status;
}
