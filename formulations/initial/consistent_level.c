/*
 * consistent_level.c - consistent initial conditions of one level by a damped Newton
 * iteration.
 */
#include "consistent_level.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "projection/rows.h"

/* True if both levels have the same rows in the same columns. */
static bool same_equations(const struct consistent_level *one,
                           const struct consistent_level *other)
{
    return one->matrix->first == other->matrix->first && one->rows == other->rows &&
           one->open == other->open &&
           memcmp(one->row, other->row, (size_t)one->rows * sizeof(int)) == 0 &&
           memcmp(one->index, other->index, (size_t)one->open * sizeof(int)) == 0;
}

void consistent_level_init(struct consistent_level *level, struct arena *arena,
                           struct constraints *constraints, bool velocity,
                           const formula *given, const struct consistent_level *below)
{
    int n = constraints->n, m = constraints->m;
    *level = (struct consistent_level){.velocity = velocity, .constraints = constraints};
    level->matrix = velocity ? &constraints->Phid_v : &constraints->Phi_q;
    level->rows = velocity ? m : constraints->rows;
    level->row = arena_new(arena, level->rows, sizeof *level->row);
    for (int i = 0; i < level->rows; i++)
        level->row[i] = velocity ? i : constraints->row[i];
    level->index = arena_new(arena, n, sizeof *level->index);
    for (int i = 0; i < n && level->rows > 0; i++)
        if (!given[i].tape)
            level->index[level->open++] = i;
    level->unit = arena_new(arena, n + level->rows, sizeof *level->unit);
    level->size = arena_new(arena, level->rows, sizeof *level->size);
    level->residual = arena_new(arena, level->rows, sizeof *level->residual);
    level->step = arena_new(arena, level->open, sizeof *level->step);
    level->trial = arena_new(arena, n, sizeof *level->trial);
    if (level->open > level->rows)
        return;
    level->shared = below && same_equations(level, below);
    level->equations = level->shared ? below->equations
                                     : arena_new(arena, 1, sizeof *level->equations);
    if (!level->shared)
        start_jacobian_init(level->equations, arena, constraints, level->matrix,
                            level->rows, level->row, level->open, level->index);
}

void consistent_level_clear(struct consistent_level *level)
{
    if (level->equations && !level->shared)
        start_jacobian_clear(level->equations);
}

/* The larger of size and |x|; INFINITY if x is not finite. */
static inline double larger_size(double size, double x)
{
    return fabs(x) <= size ? size : isfinite(x) ? fabs(x) : INFINITY;
}

static double largest_size(const double *x, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = larger_size(size, x[i]);
    return size;
}

/* The largest of x [n] in units of the components. */
static double largest_in_units(const struct consistent_level *level, const double *x)
{
    double size = 0;
    for (int i = 0; i < level->constraints->n; i++)
        size = larger_size(size, x[i] / level->unit[i]);
    return size;
}

/* The components of a point that the level solves for: q, or v. */
static double *part(const struct consistent_level *level, const struct start_point *point)
{
    return level->velocity ? point->v : point->q;
}

/* residual = the rows of the level among the outputs from Phi, or Phid, on. */
static void take(struct consistent_level *level, int Phi, int Phid)
{
    const struct constraints *c = level->constraints;
    int first = level->velocity ? Phid : Phi;
    for (int i = 0; i < level->rows; i++)
        level->residual[i] = constraints_value(c, first + level->row[i]);
}

/* residual = Phi, or Phid, where the constraints were evaluated last. */
static void take_values(struct consistent_level *level)
{
    take(level, level->constraints->Phi, level->constraints->Phid);
}

static void evaluate(struct consistent_level *level, const struct start_point *point)
{
    constraints_at(level->constraints, point->t, point->q, point->v, point->s);
    take_values(level);
}

/* Sets units, and the sizes of the rows of the matrix in these, where the constraints
   were evaluated last. */
static void load_sizes(struct consistent_level *level)
{
    const struct constraints *c = level->constraints;
    const struct entries *at = level->matrix->at;
    const struct rows rows = {level->rows, level->row, level->matrix};
    rows_units_where_uneven(c, &rows, level->trial, level->unit);
    for (int i = 0; i < level->rows; i++) {
        double size = 0;
        for (int k = at->begin[level->row[i]]; k < at->begin[level->row[i] + 1]; k++)
            size = larger_size(size, constraints_entry(c, level->matrix, k) *
                                         level->unit[at->column[k]]);
        level->size[i] = size;
    }
}

/* The rows of the matrix, all n columns, in units: [rows * n]; the caller frees it. */
static double *whole_matrix(const struct consistent_level *level)
{
    int n = level->constraints->n;
    double *matrix = memory_new(level->rows * n, sizeof *matrix);
    for (int i = 0; i < level->rows; i++) {
        constraints_row(level->constraints, level->matrix, level->row[i],
                        matrix + i * n);
        for (int j = 0; j < n; j++)
            matrix[i * n + j] *= level->unit[j];
    }
    return matrix;
}

/* The rank of the rows of the matrix. */
static int rank_of(const struct consistent_level *level)
{
    struct row_selection whole;
    double *matrix = whole_matrix(level);
    row_selection_init(&whole, level->rows, level->constraints->n);
    int rank = row_selection_rows(&whole, matrix, level->size);
    row_selection_clear(&whole);
    free(matrix);
    return rank;
}

/* --- values ------------------------------------------------------------------------- */

/* The largest residual of the rows that are solved. */
static double error_of(const struct consistent_level *level)
{
    double error = 0;
    if (level->open == level->rows)
        return largest_size(level->residual, level->rows);
    for (int k = 0; k < level->open; k++)
        error = larger_size(error,
                            level->residual[start_jacobian_row(level->equations, k)]);
    return error;
}

static double largest_step(const struct consistent_level *level)
{
    double size = 0;
    for (int k = 0; k < level->open; k++)
        size = larger_size(size, level->step[k] / level->unit[level->index[k]]);
    return size;
}

/* Goes along the step, halved until the residual falls; a step of rounding size is not
   halved. False: the residual falls nowhere, because no solution is near, or because this
   is one. Everything stays evaluated at the point. */
static bool descend(struct consistent_level *level, struct start_point *point)
{
    int n = level->constraints->n;
    double *x = part(level, point), error = error_of(level);
    bool rounding = largest_step(level) <= 4 * DBL_EPSILON * largest_in_units(level, x);
    double least = rounding ? 0.5 : level_least_damping;
    size_t size = (size_t)n * sizeof *x;
    memcpy(level->trial, x, size);
    for (double damping = 1; damping > least; damping /= 2) {
        for (int k = 0; k < level->open; k++)
            x[level->index[k]] = level->trial[level->index[k]] - damping * level->step[k];
        evaluate(level, point);
        if (error_of(level) < error)
            return true;
    }
    memcpy(x, level->trial, size);
    evaluate(level, point);
    return false;
}

/* Damped Newton iteration. With redundant rows the most independent ones are taken at
   each point: those of a guess need not be those of the solution. False: the matrix is
   singular after this number of steps. Everything stays evaluated and factorised at the
   point. */
static bool iterate(struct consistent_level *level, struct start_point *point, int *steps)
{
    enum { MOST = 200 };
    bool more = true, regular;
    take_values(level);
    for (*steps = 0;; ++*steps) {
        load_sizes(level);
        regular = start_jacobian_factor(level->equations, level->unit, level->size);
        if (!regular || !more || *steps == MOST || error_of(level) == 0)
            break;
        start_jacobian_solve(level->equations, level->residual, level->unit, level->step);
        more = descend(level, point);
    }
    return regular;
}

/* Newton iteration once more with the last choice of rows, which converges where a choice
   that changes from point to point does not. */
static bool iterate_on(struct consistent_level *level, struct start_point *point)
{
    int steps;
    start_jacobian_keep(level->equations, true);
    bool regular = iterate(level, point, &steps);
    start_jacobian_keep(level->equations, false);
    return regular;
}

/* The residual of row i relative to the size of its terms; x: the largest of q, or of v,
   in units. */
static double off(const struct consistent_level *level, double x, int i)
{
    return fabs(level->residual[i]) / larger(1, level->size[i] * x);
}

static int worst_row(const struct consistent_level *level,
                     const struct start_point *point)
{
    double x = largest_in_units(level, part(level, point));
    int worst = 0;
    for (int i = 1; i < level->rows; i++)
        if (!(off(level, x, i) <= off(level, x, worst)))
            worst = i;
    return worst;
}

static bool solved_rows_hold(const struct consistent_level *level,
                             const struct start_point *point)
{
    double x = largest_in_units(level, part(level, point));
    for (int k = 0; k < level->open; k++)
        if (!(off(level, x, start_jacobian_row(level->equations, k)) <= level_agreement))
            return false;
    return true;
}

static const char *components(const struct consistent_level *level)
{
    return level->velocity ? "velocities" : "coordinates";
}

static enum status miscounted(const struct consistent_level *level, double t, int rank,
                              struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, BAD_INPUT, t,
                    "start of case %s: %d %s are left open, but the constraints have "
                    "rank %d (%d rows): leave open as many as the rank",
                    level->constraints->model->desc->name, level->open,
                    components(level), rank, level->rows);
}

static enum status undetermined(const struct consistent_level *level, double t, int rank,
                                struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, RANK_LOSS, t,
                    "start of case %s: the %d %s left open are not determined; the %d "
                    "constraints have rank %d there",
                    level->constraints->model->desc->name, level->open,
                    components(level), level->rows, rank);
}

static enum status contradiction(const struct consistent_level *level,
                                 const struct start_point *point, int i,
                                 struct diagnosis *diagnosis)
{
    static const struct {
        enum status status;
        const char *text, *remedy;
    } refusal[2][2] = {
        {{INCONSISTENT, "the coordinates given contradict constraint",
          "change them, or the parameters"},
         {UNREACHABLE, "no configuration near the guess satisfies constraint",
          "change q_guess, what is given, or the parameters"}},
        {{INCONSISTENT, "the velocities given contradict the rate of constraint",
          "change them"},
         {INCONSISTENT, "no velocities satisfy the rate of constraint",
          "change those given"}}};
    const struct constraints *c = level->constraints;
    bool velocity = level->velocity, open = level->open > 0;
    char Phi[120];
    formula_print(c->mode->Phi[level->row[i]], c->model->names, Phi, sizeof Phi);
    return diagnose(diagnosis, refusal[velocity][open].status, point->t,
                    "start of case %s: %s %d, %s = 0: |%s| = %.3g; %s",
                    c->model->desc->name, refusal[velocity][open].text,
                    level->row[i] + 1, Phi, velocity ? "Phid" : "Phi",
                    fabs(level->residual[i]), refusal[velocity][open].remedy);
}

/* Solves for the open components by independent rows. Where these rows do not determine
   the components, Newton's method still converges, to half of the digits. */
static enum status solve_open(struct consistent_level *level, struct start_point *point,
                              struct diagnosis *diagnosis)
{
    int steps;
    if (level->open > level->rows)
        return miscounted(level, point->t, level->rows, diagnosis);
    bool regular = iterate(level, point, &steps);
    if (regular && !solved_rows_hold(level, point))
        regular = iterate_on(level, point);
    if (regular && !solved_rows_hold(level, point))
        return contradiction(level, point, worst_row(level, point), diagnosis);
    bool determined = regular &&
                      start_jacobian_least_pivot(level->equations, level->size) >
                          level_half;
    if (determined && level->rows == level->open)
        return OK;                  /* the rank is `rows` */
    int rank = rank_of(level);
    if (regular ? rank > level->open : steps == 0 && rank != level->open)
        return miscounted(level, point->t, rank, diagnosis);
    return determined ? OK : undetermined(level, point->t, rank, diagnosis);
}

enum status consistent_level_solve(struct consistent_level *level,
                                   struct start_point *point, struct diagnosis *diagnosis)
{
    enum status status = OK;
    if (level->rows == 0)
        return OK;
    if (level->open > 0)
        status = solve_open(level, point, diagnosis);
    if (status != OK)
        return status;
    if (level->open == 0) {
        take_values(level);
        load_sizes(level);
    }
    int worst = worst_row(level, point);
    return off(level, largest_in_units(level, part(level, point)), worst) <=
                   level_agreement
               ? OK : contradiction(level, point, worst, diagnosis);
}

/* --- derivatives -------------------------------------------------------------------- */

/* residual = the derivatives of the rows along the direction evaluated last. */
static void take_derivatives(struct consistent_level *level)
{
    take(level, level->constraints->Phi_dot, level->constraints->Phid_dot);
}

/* Refuses a parameter that row i cannot follow: INCONSISTENT if a solution exists with
   other components given, else INADMISSIBLE. */
static enum status unkept(const struct consistent_level *level,
                          const struct start_point *point, int i, int parameter,
                          struct diagnosis *diagnosis)
{
    const struct model *model = level->constraints->model;
    double *matrix = whole_matrix(level);
    bool given = row_selection_solvable(matrix, level->residual, level->rows, model->n);
    free(matrix);
    return diagnose(diagnosis, given ? INCONSISTENT : INADMISSIBLE, point->t,
                    "start of case %s: %s %sconstraint %d when %s changes (off by %.3g)",
                    model->desc->name,
                    given ? "what is given contradicts" : "other constraints contradict",
                    level->velocity ? "the rate of " : "", level->row[i] + 1,
                    model->parameter[parameter].name, level->residual[i]);
}

enum status consistent_level_tangent(struct consistent_level *level,
                                     const struct start_point *point,
                                     struct start_point *direction, int parameter,
                                     struct diagnosis *diagnosis)
{
    int worst = -1;
    double *dx = part(level, direction), most = 0;
    if (level->rows == 0)
        return OK;
    take_derivatives(level);
    if (level->open > 0) {
        start_jacobian_solve(level->equations, level->residual, level->unit, level->step);
        for (int k = 0; k < level->open; k++)
            dx[level->index[k]] = -level->step[k];
        constraints_along(level->constraints, direction->t, direction->q, direction->v,
                          direction->s, parameter);
        take_derivatives(level);
    }

    /* The scale is that of the sensitivities, and of the velocities that multiply
       them. */
    double dq = largest_in_units(level, direction->q);
    double dv = largest_in_units(level, direction->v);
    double v = largest_in_units(level, point->v);
    double scale = larger(1, larger(dq, dv)) * larger(1, v);
    for (int i = 0; i < level->rows; i++) {
        double excess = fabs(level->residual[i]) -
                        level_agreement * level->size[i] * scale;
        if (!(excess <= most)) {
            worst = i;
            most = excess;
        }
    }
    return worst < 0 ? OK : unkept(level, point, worst, parameter, diagnosis);
}

void consistent_level_further(struct consistent_level *level, const double *residual,
                              double *dx)
{
    if (level->open == 0)
        return;
    for (int i = 0; i < level->rows; i++)
        level->residual[i] = residual[level->row[i]];
    start_jacobian_solve(level->equations, level->residual, level->unit, level->step);
    for (int k = 0; k < level->open; k++)
        dx[level->index[k]] = -level->step[k];
}
