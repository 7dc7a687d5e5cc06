/*
 * explicit_series.c - Taylor series of a motion by recurrences, order by order; see
 * explicit_series.h.
 */
#include "explicit_series.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "emit/emit.h"
#include "emit/emit_series.h"
#include "motion_series.h"
#include "program/series.h"

/* Orders come in multiples of ORDERS, so that other tolerances find the same code.
   Programs of more than MOST_ROWS rows are interpreted: rows are written out, without
   loops. */
enum { WIDEST = 4, ORDERS = 8, MOST_ROWS = 20000 };

typedef void raise_function(double *v, double *d, int k);

struct explicit_series {
    struct explicit_rhs *explicit_rhs;
    struct series *series;      /* coefficients of its program */
    int order;
    int text_rows;              /* rows of the program as C */
    double rows;                /* rows of values, and of all columns, run at an order */
    struct tiered_code tiered;
    raise_function *const *raise;       /* [2] of that code: values, columns; or NULL */
    int first, end;             /* slots of columns */
    int width;                  /* columns side by side, a power of 2 */
    double *d;                  /* [end - first][order + 1][width] of compiled columns */
    struct arena arena;         /* of d */
};

/* --- made --------------------------------------------------------------------------- */

static int rows_of(const struct program *program, int stage)
{
    int rows = 0;
    for (int i = program->stage_begin[stage]; i < program->stage_begin[stage + 1]; i++)
        rows += series_is_raised(program, i);
    return rows;
}

static char *text_of(const void *memory)
{
    const struct explicit_series *own = memory;
    const struct series_emission emission = {
        .name = "saltus_series", .order = own->order, .once = STAGE_STATE,
        .columnwise = STAGE_DIRECTION, .columns = own->width};
    return program_emit_series(own->explicit_rhs->program, &emission);
}

struct explicit_series *explicit_series_new(struct explicit_rhs *explicit_rhs, int order)
{
    const struct program *program = explicit_rhs->program;
    struct explicit_series *own = memory_new(1, sizeof *own);
    int values = rows_of(program, STAGE_STATE);
    int columns = rows_of(program, STAGE_DIRECTION);
    *own = (struct explicit_series){.explicit_rhs = explicit_rhs,
                                    .order = (order + ORDERS - 1) / ORDERS * ORDERS,
                                    .width = 1,
                                    .text_rows = values + columns,
                                    .rows = values +
                                            (double)columns * explicit_rhs->columns,
                                    .first = program->stage_begin[STAGE_DIRECTION],
                                    .end = program->stage_begin[STAGE_DIRECTION + 1]};
    while (2 * own->width <= explicit_rhs->columns && own->width < WIDEST)
        own->width *= 2;
    own->series = series_new(program, own->order);
    series_init(own->series);
    tiered_code_init(&own->tiered, "saltus_series", text_of, own->rows, own->text_rows);
    return own;
}

void explicit_series_free(struct explicit_series *own)
{
    if (!own)
        return;
    tiered_code_clear(&own->tiered);
    series_free(own->series);
    arena_free(&own->arena);
    free(own);
}

int explicit_series_order(const struct explicit_series *own)
{
    return own->order;
}

void explicit_series_start(struct explicit_series *own)
{
    const struct program *program = own->explicit_rhs->program;
    for (int i = program->block_begin[BLOCK_RHO]; i < program->block_begin[BLOCK_RHO + 1];
         i++)
        series_load(own->series, BLOCK_RHO, program->input[i].index, 0,
                    own->explicit_rhs->w[program->input[i].slot]);
    series_run(own->series, STAGE_RHO, 0);
}

/* --- compiled ----------------------------------------------------------------------- */

static double *coefficients(const struct explicit_series *own, int slot, int k)
{
    return own->d + ((size_t)(slot - own->first) * (size_t)(own->order + 1) + (size_t)k) *
                    (size_t)own->width;
}

static void take_code(struct explicit_series *own)
{
    int rows = own->end - own->first;
    own->raise = code_cache_symbol(own->tiered.code);
    own->d = arena_new(&own->arena, rows * (own->order + 1) * own->width, sizeof *own->d);
}

void explicit_series_use_code(struct explicit_series *own, enum code_use use)
{
    enum code_use taken = own->text_rows > MOST_ROWS ? CODE_NEVER : use;
    if (tiered_code_use(&own->tiered, own, taken))
        take_code(own);
}

/* --- order by order ----------------------------------------------------------------- */

static void load(struct explicit_series *own, int block, int count, int k,
                 const double *x)
{
    for (int i = 0; i < count; i++)
        series_load(own->series, block, i, k, x[i]);
}

/* Loads coefficient k of a column, and t: that of time, or of its derivative. */
static void load_column(struct explicit_series *own, int copy, int k, double t,
                        const double *x)
{
    int n = own->explicit_rhs->n;
    load(own, DIRECTION(BLOCK_T, copy), 1, k, &t);
    load(own, DIRECTION(BLOCK_Q, copy), n, k, x);
    load(own, DIRECTION(BLOCK_V, copy), n, k, x + n);
    load(own, DIRECTION(BLOCK_S, copy), own->explicit_rhs->ns, k, x + 2 * n);
}

static void load_parameter(struct explicit_series *own, int parameter)
{
    for (int j = 0; j < own->explicit_rhs->columns; j++)
        series_load(own->series, TANGENT(BLOCK_RHO), own->explicit_rhs->parameter[j], 0,
                    own->explicit_rhs->parameter[j] == parameter);
}

/* Gives the rates of a column but those of q, which are the outputs from `first` on. */
static void give(const struct explicit_series *own, int first, int k, const double *x,
                 double *next)
{
    int n = own->explicit_rhs->n, rates = own->explicit_rhs->state - n;
    for (int i = 0; i < rates; i++)
        next[n + i] = series_output(own->series, first + i, k);
    series_integrate(n, own->explicit_rhs->state, k, x, next);
}

static void run_values(struct explicit_series *own, double t, int order, double *const *x)
{
    for (int k = 0; k < order; k++) {
        load_column(own, 0, k, k == 0 ? t : k == 1, x[k]);
        if (k > 0 && own->raise)
            own->raise[0](series_row(own->series, 0), NULL, k);
        else
            series_run(own->series, STAGE_STATE, k);
        give(own, 0, k, x[k], x[k + 1]);
    }
}

static void run_column(struct explicit_series *own, int column, int order,
                       double *const *x)
{
    const struct explicit_rhs *explicit_rhs = own->explicit_rhs;
    int at = (column + 1) * explicit_rhs->state;
    load_parameter(own, explicit_rhs->parameter[column]);
    for (int k = 0; k < order; k++) {
        load_column(own, 1, k, 0, x[k] + at);
        series_run(own->series, STAGE_DIRECTION, k);
        give(own, explicit_rhs->state - explicit_rhs->n, k, x[k] + at, x[k + 1] + at);
    }
}

/* --- columns side by side ----------------------------------------------------------- */

/* Evaluates order 0 of a column, by the interpreter. */
static void start_lane(struct explicit_series *own, int column, int lane, const double *x)
{
    load_parameter(own, own->explicit_rhs->parameter[column]);
    load_column(own, 1, 0, 0, x);
    series_run(own->series, STAGE_DIRECTION, 0);
    for (int slot = own->first; slot < own->end; slot++)
        coefficients(own, slot, 0)[lane] = *series_row(own->series, slot);
}

static void load_lane(struct explicit_series *own, int k, int lane, const double *x)
{
    const struct program *program = own->explicit_rhs->program;
    int begin = program->block_begin[TANGENT(BLOCK_Q)];
    int end = program->block_begin[TANGENT(BLOCK_S) + 1];
    for (int i = begin; i < end; i++) {
        const struct program_input *input = &program->input[i];
        int from = emit_place_of(input, own->explicit_rhs->n);
        if (from >= 0)
            coefficients(own, input->slot, k)[lane] = x[from];
    }
}

static void give_lane(const struct explicit_series *own, int k, int lane, const double *x,
                      double *next)
{
    int n = own->explicit_rhs->n, rates = own->explicit_rhs->state - n;
    const int *output = own->explicit_rhs->program->output + rates;
    for (int i = 0; i < rates; i++)
        next[n + i] = output[i] >= own->first ? coefficients(own, output[i], k)[lane]
                                              : series_row(own->series, output[i])[k];
    series_integrate(n, own->explicit_rhs->state, k, x, next);
}

static void run_columns(struct explicit_series *own, int column, int order,
                        double *const *x)
{
    int state = own->explicit_rhs->state;
    for (int k = 0; k < order; k++) {
        for (int l = 0; l < own->width; l++) {
            int at = (column + l + 1) * state;
            if (k == 0)
                start_lane(own, column + l, l, x[0] + at);
            else
                load_lane(own, k, l, x[k] + at);
        }
        if (k > 0)
            own->raise[1](series_row(own->series, 0), own->d, k);
        for (int l = 0; l < own->width; l++) {
            int at = (column + l + 1) * state;
            give_lane(own, k, l, x[k] + at, x[k + 1] + at);
        }
    }
}

/* The cost of an interpreted row of that many orders, in rows: order n has n products. */
static double as_rows(int order)
{
    return order + 0.25 * order * order;
}

void explicit_series_run(struct explicit_series *own, double t, int order,
                         double *const *x)
{
    int columns = own->explicit_rhs->columns;
    if (!own->raise && tiered_code_spend(&own->tiered, own, own->rows * as_rows(order)))
        take_code(own);
    run_values(own, t, order, x);
    for (int j = 0; j < columns && !own->raise; j++)
        run_column(own, j, order, x);
    /* The last columns may be among those of the step before. */
    for (int j = 0; j < columns && own->raise; j += own->width)
        run_columns(own, j + own->width <= columns ? j : columns - own->width, order, x);
}
