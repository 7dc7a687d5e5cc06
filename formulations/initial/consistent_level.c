/*
 * consistent_level.c - consistent initial conditions of one level by a damped Newton
 * iteration.
 */
#include "consistent_level.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "base/tolerances.h"
#include "gate.h"
#include "projection/rows.h"

/* True if both levels have the same rows in the same columns. */
static bool same_equations(const struct consistent_level *one,
                           const struct consistent_level *other)
{
    return one->matrix.first == other->matrix.first && one->rows == other->rows &&
           one->open == other->open &&
           memcmp(one->row, other->row, (size_t)one->rows * sizeof(int)) == 0 &&
           memcmp(one->index, other->index, (size_t)one->open * sizeof(int)) == 0;
}

/* Finds the open components, and makes the arrays of a level that has its rows and its
   matrix. */
static void open_level(struct consistent_level *level, struct arena *arena,
                       const formula *given, const struct consistent_level *below)
{
    int columns = level->matrix.columns;
    level->index = arena_new(arena, columns, sizeof *level->index);
    for (int i = 0; i < columns && level->rows > 0; i++)
        if (!given[i].tape)
            level->index[level->open++] = i;
    level->unit = arena_new(arena, columns + level->rows, sizeof *level->unit);
    level->size = arena_new(arena, level->rows, sizeof *level->size);
    level->first_size = arena_new(arena, level->rows, sizeof *level->first_size);
    level->residual = arena_new(arena, level->rows, sizeof *level->residual);
    level->step = arena_new(arena, level->open, sizeof *level->step);
    level->trial = arena_new(arena, columns, sizeof *level->trial);
    if (level->open > level->rows)
        return;
    level->shared = below && same_equations(level, below);
    level->equations = level->shared ? below->equations
                                     : arena_new(arena, 1, sizeof *level->equations);
    if (!level->shared)
        start_jacobian_init(level->equations, arena, &level->matrix, level->rows,
                            level->row, level->open, level->index);
}

void consistent_level_init(struct consistent_level *level, struct arena *arena,
                           struct constraints *constraints, bool velocity,
                           const formula *given, const struct consistent_level *below)
{
    const struct constraints *c = constraints;
    const struct constraint_matrix *matrix = velocity ? &c->Phid_v : &c->Phi_q;
    *level = (struct consistent_level){
        .velocity = velocity, .constraints = constraints,
        .matrix = {c->program, c->w, matrix->at, c->n, matrix->first},
        .value = velocity ? c->Phid : c->Phi,
        .slope = velocity ? c->Phid_dot : c->Phi_dot,
        .rows = velocity ? c->m : c->rows};
    level->row = arena_new(arena, level->rows, sizeof *level->row);
    for (int i = 0; i < level->rows; i++)
        level->row[i] = velocity ? i : c->row[i];
    open_level(level, arena, given, below);
}

void consistent_level_join(struct consistent_level *level, struct arena *arena,
                           struct constraints *constraints, struct start_rows *joint,
                           const formula *given)
{
    *level = (struct consistent_level){
        .joint = joint, .constraints = constraints,
        .matrix = {joint->program, joint->w, &joint->at, joint->columns,
                   2 * joint->rows},
        .value = 0, .slope = joint->rows, .rows = joint->rows};
    level->row = arena_new(arena, level->rows, sizeof *level->row);
    for (int i = 0; i < level->rows; i++)
        level->row[i] = i;
    open_level(level, arena, given, NULL);
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

/* The largest of x [columns] in units of the components. */
static double largest_in_units(const struct consistent_level *level, const double *x)
{
    double size = 0;
    for (int i = 0; i < level->matrix.columns; i++)
        size = larger_size(size, x[i] / level->unit[i]);
    return size;
}

/* The components of a point that the level solves for: q, v, or all. */
static double *part(const struct consistent_level *level, const struct start_point *point)
{
    return level->velocity ? point->v : point->q;
}

/* residual = the rows of the level among the outputs from `first` on. */
static void take(struct consistent_level *level, int first)
{
    const struct start_matrix *matrix = &level->matrix;
    for (int i = 0; i < level->rows; i++)
        level->residual[i] = matrix->w[matrix->program->output[first + level->row[i]]];
}

void consistent_level_at(struct consistent_level *level, const struct start_point *point)
{
    constraints_at(level->constraints, point->t, point->q, point->v, point->s);
    if (level->joint)
        start_rows_at(level->joint, point->t, point->q, point->v, point->s);
}

void consistent_level_along(struct consistent_level *level,
                            const struct start_point *direction, int parameter)
{
    const struct start_point *d = direction;
    if (level->joint)
        start_rows_along(level->joint, d->t, d->q, d->v, d->s, parameter);
    else
        constraints_along(level->constraints, d->t, d->q, d->v, d->s, parameter);
}

static void evaluate(struct consistent_level *level, const struct start_point *point)
{
    consistent_level_at(level, point);
    take(level, level->value);
}

/* Sets units where the level was evaluated last. */
static void load_units(struct consistent_level *level)
{
    const struct constraints *c = level->constraints;
    const struct constraint_matrix *matrix = level->velocity ? &c->Phid_v : &c->Phi_q;
    const struct rows rows = {level->rows, level->row, matrix};
    if (level->joint)
        start_rows_units(level->joint, c, level->trial, level->unit);
    else
        rows_units_where_uneven(c, &rows, level->trial, level->unit);
}

/* Sets units, and the sizes of the rows of the matrix in these, where the level was
   evaluated last. */
static void load_sizes(struct consistent_level *level)
{
    const struct entries *at = level->matrix.at;
    load_units(level);
    for (int i = 0; i < level->rows; i++) {
        double size = 0;
        for (int k = at->begin[level->row[i]]; k < at->begin[level->row[i] + 1]; k++)
            size = larger_size(size, start_matrix_entry(&level->matrix, k) *
                                         level->unit[at->column[k]]);
        level->size[i] = size;
    }
}

/* The rows of the matrix, all columns, in units: [rows * columns]; the caller frees
   it. */
static double *whole_matrix(const struct consistent_level *level)
{
    const struct entries *at = level->matrix.at;
    int columns = level->matrix.columns;
    double *matrix = memory_new(level->rows * columns, sizeof *matrix);
    for (int i = 0; i < level->rows; i++)
        for (int k = at->begin[level->row[i]]; k < at->begin[level->row[i] + 1]; k++) {
            int j = at->column[k];
            matrix[i * columns + j] = start_matrix_entry(&level->matrix, k) *
                                      level->unit[j];
        }
    return matrix;
}

/* The rank of the rows of the matrix. */
static int rank_of(const struct consistent_level *level)
{
    struct row_selection whole;
    double *matrix = whole_matrix(level);
    row_selection_init(&whole, level->rows, level->matrix.columns);
    int rank = row_selection_rows(&whole, matrix, level->size);
    row_selection_clear(&whole);
    free(matrix);
    return rank;
}

/* --- values ------------------------------------------------------------------------- */

/* The residual of row i. Rows of Phi are compared as they are written; a joint row, of
   another kind than the next, by the size of its entries. */
static double error_of_row(const struct consistent_level *level, int i)
{
    bool scaled = level->joint && level->size[i] > 0;
    return scaled ? level->residual[i] / level->size[i] : level->residual[i];
}

/* The largest residual of the rows that are solved. */
static double error_of(const struct consistent_level *level)
{
    double error = 0;
    for (int k = 0; k < level->open; k++) {
        int i = level->open == level->rows ? k : start_jacobian_row(level->equations, k);
        error = larger_size(error, error_of_row(level, i));
    }
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
    double *x = part(level, point), error = error_of(level);
    bool rounding = largest_step(level) <= 4 * DBL_EPSILON * largest_in_units(level, x);
    double least = rounding ? 0.5 : level_least_damping;
    size_t size = (size_t)level->matrix.columns * sizeof *x;
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

/* The steps of Newton's method, to see how it converges. */
struct pace {
    double before;      /* size of the last step; 0: there is none */
    int slow;           /* steps in a row, up to the last that counts, that were at least
                           a quarter of the one before */
};

/* True: the step changes a component by more than rounding. */
static bool step_counts(const struct consistent_level *level, const double *x)
{
    for (int k = 0; k < level->open; k++)
        if (fabs(level->step[k]) > 1e4 * DBL_EPSILON * fabs(x[level->index[k]]))
            return true;
    return false;
}

/* Notes a step before it is made. */
static void note_step(struct pace *pace, const struct consistent_level *level,
                      const double *x)
{
    if (!step_counts(level, x))
        return;
    double step = largest_step(level);
    bool slow = step >= 0.25 * pace->before && step < 0.9 * pace->before;
    pace->slow = slow ? pace->slow + 1 : 0;
    pace->before = step;
}

/* Damped Newton iteration. With redundant rows the most independent ones are taken at
   each point: those of a guess need not be those of the solution. False: the matrix is
   singular after this number of steps. Everything stays evaluated and factorised at the
   point. At a root of multiplicity m each step is 1 - 1/m of the one before, up to half
   of the digits; the sizes of the rows, which fall as fast, do not show it. */
static bool iterate(struct consistent_level *level, struct start_point *point, int *steps)
{
    enum { MOST = 200, SLOW = 4 };
    bool more = true, regular;
    struct pace pace = {0, 0};
    take(level, level->value);
    for (*steps = 0;; ++*steps) {
        load_sizes(level);
        if (*steps == 0)
            memory_copy(level->first_size, level->size, level->rows,
                        sizeof *level->first_size);
        regular = start_jacobian_factor(level->equations, level->unit, level->size);
        if (!regular || !more || *steps == MOST || error_of(level) == 0)
            break;
        start_jacobian_solve(level->equations, level->residual, level->unit, level->step);
        note_step(&pace, level, part(level, point));
        more = descend(level, point);
    }
    level->slow = pace.slow >= SLOW;
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
    return level->joint ? "components of (q, v, s)"
           : level->velocity ? "velocities" : "coordinates";
}

static const char *equations(const struct consistent_level *level)
{
    return level->joint ? "constraints, their rates and start rows" : "constraints";
}

/* Row i in words: "constraint 2, x*x + y*y - l*l". */
static void row_text(const struct consistent_level *level, int i, char *text, int size)
{
    const struct constraints *c = level->constraints;
    int row = level->row[i];
    char Phi[120];
    if (level->joint) {
        start_rows_text(level->joint, row, text, size);
        return;
    }
    formula_print(c->mode->Phi[row], c->model->names, Phi, sizeof Phi);
    snprintf(text, (size_t)size, "%sconstraint %d, %s",
             level->velocity ? "the rate of " : "", row + 1, Phi);
}

static enum status miscounted(const struct consistent_level *level, double t, int rank,
                              struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, BAD_INPUT, t,
                    "start of case %s: %d %s are left open, but the %s have rank %d "
                    "(%d rows): leave open as many as the rank",
                    level->constraints->model->desc->name, level->open,
                    components(level), equations(level), rank, level->rows);
}

static enum status undetermined(const struct consistent_level *level, double t, int rank,
                                struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, RANK_LOSS, t,
                    "start of case %s: the %d %s left open are not determined; the %d "
                    "%s have rank %d there",
                    level->constraints->model->desc->name, level->open,
                    components(level), level->rows, equations(level), rank);
}

/* The row whose derivatives have fallen most from the guess on is named. */
static enum status multiple_root(const struct consistent_level *level, double t,
                                 struct diagnosis *diagnosis)
{
    int worst = 0;
    char row[200];
    for (int i = 1; i < level->rows; i++)
        if (level->size[i] * level->first_size[worst] <
            level->size[worst] * level->first_size[i])
            worst = i;
    row_text(level, worst, row, sizeof row);
    return diagnose(diagnosis, RANK_LOSS, t,
                    "start of case %s: Newton's method converges by a constant factor: "
                    "the solution is a multiple root of %s = 0 and has no derivatives; "
                    "change the parameters, or give a component that is left open",
                    level->constraints->model->desc->name, row);
}

static enum status contradiction(const struct consistent_level *level,
                                 const struct start_point *point, int i,
                                 struct diagnosis *diagnosis)
{
    static const struct {
        enum status status;
        const char *text, *symbol, *remedy;
    } refusal[3][2] = {
        {{INCONSISTENT, "the coordinates given contradict", "Phi",
          "change them, or the parameters"},
         {UNREACHABLE, "from the guess no configuration is found with", "Phi",
          "change the guess (q_guess), what is given, or the parameters"}},
        {{INCONSISTENT, "the velocities given contradict", "Phid", "change them"},
         {INCONSISTENT, "no velocities satisfy", "Phid", "change those given"}},
        {{INCONSISTENT, "the state given contradicts", "row",
          "change it, or the parameters"},
         {UNREACHABLE, "from the guesses no state is found with", "row",
          "change the guess (q_guess, v_guess, s_guess), what is given, or the "
          "parameters"}}};
    int kind = level->joint ? 2 : level->velocity, open = level->open > 0;
    char row[200];
    row_text(level, i, row, sizeof row);
    return diagnose(diagnosis, refusal[kind][open].status, point->t,
                    "start of case %s: %s %s = 0: |%s| = %.3g; %s",
                    level->constraints->model->desc->name, refusal[kind][open].text, row,
                    refusal[kind][open].symbol, fabs(level->residual[i]),
                    refusal[kind][open].remedy);
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
    if (level->slow && (determined || !regular))
        return multiple_root(level, point->t, diagnosis);
    if (determined && level->rows == level->open)
        return OK;                  /* the rank is `rows` */
    int rank = rank_of(level);
    if (level->joint && rank < level->open && level->rows >= level->open)
        return undetermined(level, point->t, rank, diagnosis);
    if (regular ? rank > level->open : steps == 0 && rank != level->open)
        return miscounted(level, point->t, rank, diagnosis);
    return determined ? OK : undetermined(level, point->t, rank, diagnosis);
}

/* Refuses a row whose residual is not finite: it is the fault of a formula, and not of
   the guess. `parameter` NULL: values; else derivatives by it. */
static enum status finite_rows(const struct consistent_level *level, double t,
                               const char *parameter, struct diagnosis *diagnosis)
{
    for (int i = 0; i < level->rows; i++) {
        char row[200];
        const struct gate gate = {t, level->residual[i], parameter, ""};
        if (isfinite(gate.value))
            continue;
        row_text(level, i, row, sizeof row);
        return gate_refuse(&gate, diagnosis, "start: %s", row);
    }
    return OK;
}

enum status consistent_level_solve(struct consistent_level *level,
                                   struct start_point *point, struct diagnosis *diagnosis)
{
    if (level->rows == 0)
        return OK;
    take(level, level->value);
    enum status status = finite_rows(level, point->t, NULL, diagnosis);
    if (status == OK && level->open > 0)
        status = solve_open(level, point, diagnosis);
    if (status != OK)
        return status;
    if (level->open == 0) {
        take(level, level->value);
        load_sizes(level);
    }
    int worst = worst_row(level, point);
    return off(level, largest_in_units(level, part(level, point)), worst) <=
                   level_agreement
               ? OK : contradiction(level, point, worst, diagnosis);
}

/* --- derivatives -------------------------------------------------------------------- */

/* Refuses a parameter that row i cannot follow: INCONSISTENT if a solution exists with
   other components given, else INADMISSIBLE. */
static enum status unkept(const struct consistent_level *level,
                          const struct start_point *point, int i, int parameter,
                          struct diagnosis *diagnosis)
{
    const struct model *model = level->constraints->model;
    double *matrix = whole_matrix(level);
    bool given = row_selection_solvable(matrix, level->residual, level->rows,
                                        level->matrix.columns);
    char row[200];
    row_text(level, i, row, sizeof row);
    free(matrix);
    row[strcspn(row, ",")] = '\0';
    return diagnose(diagnosis, given ? INCONSISTENT : INADMISSIBLE, point->t,
                    "start of case %s: %s %s when %s changes (off by %.3g)",
                    model->desc->name,
                    given ? "what is given contradicts" : "other constraints contradict",
                    row, model->parameter[parameter].name, level->residual[i]);
}

/* The scale is that of the sensitivities, and of the velocities that multiply them. */
static double scale_of_derivatives(const struct consistent_level *level,
                                   const struct start_point *point,
                                   const struct start_point *direction)
{
    if (level->joint)
        return larger(1, largest_in_units(level, direction->q)) *
               larger(1, largest_in_units(level, point->q));
    double dq = largest_in_units(level, direction->q);
    double dv = largest_in_units(level, direction->v);
    double v = largest_in_units(level, point->v);
    return larger(1, larger(dq, dv)) * larger(1, v);
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
    take(level, level->slope);
    if (level->open > 0) {
        start_jacobian_solve(level->equations, level->residual, level->unit, level->step);
        for (int k = 0; k < level->open; k++)
            dx[level->index[k]] = -level->step[k];
        consistent_level_along(level, direction, parameter);
        take(level, level->slope);
    }

    const char *name = level->constraints->model->parameter[parameter].name;
    enum status status = finite_rows(level, point->t, name, diagnosis);
    if (status != OK)
        return status;
    double scale = scale_of_derivatives(level, point, direction);
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
