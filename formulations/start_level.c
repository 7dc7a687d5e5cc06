#include "start_level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"

/* What is given, or has been solved, holds to this; in units of the quantities. */
static const double agreement = 1e-10;
/* A pivot that is zero at a point which Newton's method finds to half of the digits, a
   double root, is no larger there. */
static const double half = 1e-7;

void start_level_init(struct start_level *level, struct constraints *constraints,
                      bool velocity, const formula *given)
{
    int n = constraints->n, m = constraints->m;
    *level = (struct start_level){.velocity = velocity, .constraints = constraints};
    level->rows = velocity ? m : constraints->rows;
    level->row = memory_new(level->rows, sizeof *level->row);
    for (int i = 0; i < level->rows; i++)
        level->row[i] = velocity ? i : constraints->row[i];
    level->index = memory_new(n, sizeof *level->index);
    for (int i = 0; i < n && level->rows > 0; i++)
        if (!given[i].tape)
            level->index[level->open++] = i;
    level->matrix = memory_new(level->rows * n, sizeof *level->matrix);
    level->size = memory_new(level->rows, sizeof *level->size);
    level->residual = memory_new(level->rows, sizeof *level->residual);
    level->step = memory_new(level->open, sizeof *level->step);
    level->trial = memory_new(n, sizeof *level->trial);
    independent_init(&level->whole, level->rows, n);
    if (level->open <= level->rows)
        overdetermined_init(&level->equations, level->rows, level->open);
}

void start_level_clear(struct start_level *level)
{
    double *const array[] = {level->matrix, level->size, level->residual, level->step,
                             level->trial};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        free(array[k]);
    free(level->row);
    free(level->index);
    independent_clear(&level->whole);
    overdetermined_clear(&level->equations);
}

static double largest(const double *x, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = isfinite(x[i]) ? fmax(size, fabs(x[i])) : INFINITY;
    return size;
}

/* The level's own components of a point: q, or v. */
static double *part(const struct start_level *level, const struct start_point *point)
{
    return level->velocity ? point->v : point->q;
}

/* Phi, or Phid, of the rows at a point. */
static void evaluate(struct start_level *level, const struct start_point *point)
{
    struct constraints *c = level->constraints;
    int value = level->velocity ? c->Phid : c->Phi;
    constraints_at(c, point->t, point->q, point->v, point->s);
    for (int i = 0; i < level->rows; i++)
        level->residual[i] = constraints_value(c, value + level->row[i]);
}

/* The rows of Phi_q where the constraints were evaluated last, and of their columns those
   that are open. */
static void load_matrix(struct start_level *level)
{
    const struct constraints *c = level->constraints;
    int n = c->n;
    for (int i = 0; i < level->rows; i++) {
        double *row = level->matrix + i * n;
        for (int j = 0; j < n; j++)
            row[j] = constraints_value(c, c->Phi_q + level->row[i] * n + j);
        level->size[i] = largest(row, n);
        for (int k = 0; k < level->open; k++)
            level->equations.A[i * level->open + k] = row[level->index[k]];
    }
}

/* --- values ------------------------------------------------------------------------- */

/* The largest residual of the rows that are solved. */
static double error_of(const struct start_level *level)
{
    double error = 0;
    for (int k = 0; k < level->open; k++) {
        double residual = level->residual[level->equations.choice.row[k]];
        error = isfinite(residual) ? fmax(error, fabs(residual)) : INFINITY;
    }
    return error;
}

/* Goes along the step as far as the residual falls; halves it where it does not. False
   when it falls nowhere: it is at rounding level, or no solution is near. */
static bool descend(struct start_level *level, struct start_point *point)
{
    double *x = part(level, point), error = error_of(level);
    size_t size = (size_t)level->constraints->n * sizeof *x;
    memcpy(level->trial, x, size);
    for (double damping = 1; damping > 1e-6; damping /= 2) {
        for (int k = 0; k < level->open; k++)
            x[level->index[k]] = level->trial[level->index[k]] - damping * level->step[k];
        evaluate(level, point);
        if (error_of(level) < error)
            return true;
    }
    memcpy(x, level->trial, size);
    return false;
}

/* Newton's method. At each point the most independent rows are taken: those of a guess
   need not be those of the solution. False where the matrix is singular, with the number
   of steps made until then. Everything stays evaluated at the point. */
static bool iterate(struct start_level *level, struct start_point *point, int *steps)
{
    enum { MOST = 200 };
    evaluate(level, point);
    load_matrix(level);
    for (*steps = 0; *steps < MOST; ++*steps) {
        if (!overdetermined_factor(&level->equations, level->size))
            return false;
        overdetermined_solve(&level->equations, level->residual, level->step);
        bool moved = descend(level, point);
        evaluate(level, point);
        load_matrix(level);
        if (!moved)
            break;
    }
    return true;
}

/* How far row i is off, in units of what its terms are made of. */
static double off(const struct start_level *level, const struct start_point *point, int i)
{
    double terms = level->size[i] * largest(part(level, point), level->constraints->n);
    return fabs(level->residual[i]) / fmax(1, terms);
}

static int worst_row(const struct start_level *level, const struct start_point *point)
{
    int worst = 0;
    for (int i = 1; i < level->rows; i++)
        if (!(off(level, point, i) <= off(level, point, worst)))
            worst = i;
    return worst;
}

static bool solved_rows_hold(const struct start_level *level,
                             const struct start_point *point)
{
    for (int k = 0; k < level->open; k++)
        if (!(off(level, point, level->equations.choice.row[k]) <= agreement))
            return false;
    return true;
}

static const char *components(const struct start_level *level)
{
    return level->velocity ? "velocities" : "coordinates";
}

static enum status miscounted(const struct start_level *level, double t, int rank,
                              struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, BAD_INPUT, t,
                    "start of case %s: %d %s are left open, but the constraints have "
                    "rank %d (%d rows): leave open as many as the rank",
                    level->constraints->model->desc->name, level->open,
                    components(level), rank, level->rows);
}

static enum status undetermined(const struct start_level *level, double t, int rank,
                                struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, RANK_LOSS, t,
                    "start of case %s: the %d %s left open are not determined; the %d "
                    "constraints have rank %d there",
                    level->constraints->model->desc->name, level->open,
                    components(level), level->rows, rank);
}

static enum status contradiction(const struct start_level *level,
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

/* The open components by independent rows. Where these do not determine them, Newton's
   method still arrives, with half of the digits. */
static enum status solve_open(struct start_level *level, struct start_point *point,
                              struct diagnosis *diagnosis)
{
    int steps;
    if (level->open > level->rows)
        return miscounted(level, point->t, level->rows, diagnosis);
    bool regular = iterate(level, point, &steps);
    int rank = independent_rows(&level->whole, level->matrix, level->size);
    if (regular && !solved_rows_hold(level, point))
        return contradiction(level, point, worst_row(level, point), diagnosis);
    if (regular ? rank > level->open : steps == 0 && rank != level->open)
        return miscounted(level, point->t, rank, diagnosis);
    if (!regular ||
        !(overdetermined_least_pivot(&level->equations, level->size) > half))
        return undetermined(level, point->t, rank, diagnosis);
    return OK;
}

enum status start_level_solve(struct start_level *level, struct start_point *point,
                              struct diagnosis *diagnosis)
{
    enum status status = OK;
    if (level->rows == 0)
        return OK;
    if (level->open > 0)
        status = solve_open(level, point, diagnosis);
    if (status != OK)
        return status;
    evaluate(level, point);
    load_matrix(level);
    int worst = worst_row(level, point);
    return off(level, point, worst) <= agreement
               ? OK : contradiction(level, point, worst, diagnosis);
}

/* --- derivatives -------------------------------------------------------------------- */

/* The derivative of every row along a direction, into the residuals. */
static void evaluate_along(struct start_level *level, const struct start_point *direction,
                           int parameter)
{
    struct constraints *c = level->constraints;
    int dot = level->velocity ? c->Phid_dot : c->Phi_dot;
    constraints_along(c, direction->t, direction->q, direction->v, direction->s,
                      parameter);
    for (int i = 0; i < level->rows; i++)
        level->residual[i] = constraints_value(c, dot + level->row[i]);
}

/* Row i cannot follow a parameter: would it with other components given? */
static enum status unkept(const struct start_level *level,
                          const struct start_point *point, int i, int parameter,
                          struct diagnosis *diagnosis)
{
    const struct model *model = level->constraints->model;
    bool given = independent_solvable(level->matrix, level->residual, level->rows,
                                      model->n);
    return diagnose(diagnosis, given ? INCONSISTENT : INADMISSIBLE, point->t,
                    "start of case %s: %s %sconstraint %d when %s changes (off by %.3g)",
                    model->desc->name,
                    given ? "what is given contradicts" : "other constraints contradict",
                    level->velocity ? "the rate of " : "", level->row[i] + 1,
                    model->parameter[parameter].name, level->residual[i]);
}

enum status start_level_tangent(struct start_level *level,
                                const struct start_point *point,
                                struct start_point *direction, int parameter,
                                struct diagnosis *diagnosis)
{
    int n = level->constraints->n, worst = -1;
    double *dx = part(level, direction), most = 0;
    if (level->rows == 0)
        return OK;
    constraints_at(level->constraints, point->t, point->q, point->v, point->s);
    evaluate_along(level, direction, parameter);
    if (level->open > 0) {
        overdetermined_solve(&level->equations, level->residual, level->step);
        for (int k = 0; k < level->open; k++)
            dx[level->index[k]] = -level->step[k];
        evaluate_along(level, direction, parameter);
    }

    /* In units of the sensitivities, and of what multiplies them. */
    double scale = fmax(1, fmax(largest(direction->q, n), largest(direction->v, n))) *
                   fmax(1, largest(point->v, n));
    for (int i = 0; i < level->rows; i++) {
        double excess = fabs(level->residual[i]) - agreement * level->size[i] * scale;
        if (!(excess <= most)) {
            worst = i;
            most = excess;
        }
    }
    return worst < 0 ? OK : unkept(level, point, worst, parameter, diagnosis);
}
