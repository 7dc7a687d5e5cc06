/*
 * reset_equations.c - block elimination of the linear equations of a reset; see
 * reset_equations.h.
 */
#include "events/reset_equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"

/* --- its structure ------------------------------------------------------------------ */

/* The component that row i alone gives; -1 stands for none. Velocities and impulses are
   determined together, by independent rows of all of Psi_q. */
static int component_of(const struct reset_equations *e, const struct program *program,
                        int J_w, int i)
{
    int w = e->event->w, found = -1;
    bool velocity = i >= e->n && i < e->n + e->n + e->event->impulses;
    if (velocity && e->event->impulses > 0)
        return -1;
    for (int j = 0; j < w; j++) {
        int k = i * w + j;
        if (e->slot[k] == 0)
            continue;
        if (found >= 0 || program->output_stage[J_w + k] > 0 ||
            e->w_rows[e->slot[k]] != 1)
            return -1;
        found = j;
    }
    return found;
}

static void divide(struct reset_equations *e, const struct program *program, int J_w)
{
    int rows = e->event->rows, w = e->event->w;
    for (int j = 0; j < w; j++)
        e->given_by[j] = -1;
    for (int i = 0; i < rows; i++) {
        int j = component_of(e, program, J_w, i);
        if (j >= 0 && e->given_by[j] < 0) {
            e->given_by[j] = i;
            continue;
        }
        e->place[i] = e->rows;
        e->row[e->rows++] = i;
    }
    for (int j = 0; j < w; j++) {
        if (e->given_by[j] >= 0) {
            e->given[e->givens++] = (struct reset_given){j, e->given_by[j]};
            continue;
        }
        e->column[j] = e->unknowns;
        e->component[e->unknowns++] = j;
    }
}

static void find_entries(struct reset_equations *e)
{
    int w = e->event->w;
    for (int r = 0; r < e->rows; r++) {
        for (int j = 0; j < w; j++) {
            int slot = e->slot[e->row[r] * w + j];
            if (slot == 0)
                continue;
            if (e->given_by[j] < 0)
                e->entry[e->entries++] = (struct reset_entry){r, e->column[j], slot};
            else
                e->product[e->products++] = (struct reset_entry){r, j, slot};
        }
        e->end[r] = e->products;
    }
}

void reset_equations_init(struct reset_equations *e, struct arena *arena,
                          const struct model *model, const struct event *event,
                          const struct program *program, int J_w, const double *w_rows)
{
    int rows = event->rows, w = event->w;
    *e = (struct reset_equations){.event = event, .n = model->n, .w_rows = w_rows,
                                  .slot = program->output + J_w};
    e->given_by = arena_new(arena, w, sizeof *e->given_by);
    e->given = arena_new(arena, w, sizeof *e->given);
    e->row = arena_new(arena, rows, sizeof *e->row);
    e->end = arena_new(arena, rows, sizeof *e->end);
    e->place = arena_new(arena, rows, sizeof *e->place);
    e->component = arena_new(arena, w, sizeof *e->component);
    e->column = arena_new(arena, w, sizeof *e->column);
    e->entry = arena_new(arena, rows * w, sizeof *e->entry);
    e->product = arena_new(arena, rows * w, sizeof *e->product);
    divide(e, program, J_w);
    find_entries(e);
    e->value = arena_new(arena, e->entries, sizeof *e->value);
    e->size = arena_new(arena, e->rows, sizeof *e->size);
    e->b = arena_new(arena, e->rows, sizeof *e->b);
    overdetermined_init(&e->rest, e->rows, e->unknowns);
    least_impulse_init(&e->least, arena, event->impulses, model->n);
}

void reset_equations_clear(struct reset_equations *e)
{
    overdetermined_clear(&e->rest);
    least_impulse_clear(&e->least);
}

/* --- factorising -------------------------------------------------------------------- */

int reset_equations_dependent(const struct reset_equations *e)
{
    return e->least.impulses - e->least.rows.rank;
}

int reset_equations_dependent_row(const struct reset_equations *e, int k)
{
    return 2 * e->n + e->least.rows.row[e->least.rows.rank + k];
}

/* Leaves dependent rows of Psi_q out, where J_w would be singular: each such row says
   instead that its impulse stays as it is. SINGULAR when a row moves nothing, RANK_LOSS
   when it is doubtful whether a row is dependent. */
static enum status leave_out_dependent(struct reset_equations *e)
{
    int n = e->n, w = e->event->w, impulses = e->least.impulses;
    for (int i = 0; i < impulses; i++) {
        double *row = e->least.Psi_q + i * n;
        for (int j = 0; j < n; j++)
            row[j] = e->w_rows[e->slot[(2 * n + i) * w + n + j]];
        if (!(largest(row, n) > 0))
            return SINGULAR;
    }
    if (!least_impulse_choose(&e->least))
        return RANK_LOSS;
    for (int d = 0; d < reset_equations_dependent(e); d++) {
        int i = reset_equations_dependent_row(e, d);
        double *row = e->rest.A + e->place[i] * e->unknowns;
        memset(row, 0, (size_t)e->unknowns * sizeof *row);
        row[e->column[w - impulses + i - 2 * n]] = 1;
    }
    return OK;
}

/* Takes the entries of `rest` from the work. Has one of them changed? */
static bool take_entries(struct reset_equations *e)
{
    bool changed = !e->factorised;
    for (int k = 0; k < e->entries; k++) {
        double value = e->w_rows[e->entry[k].slot];
        changed |= memcmp(&value, &e->value[k], sizeof value) != 0;
        e->value[k] = value;
    }
    return changed;
}

static enum status factor_anew(struct reset_equations *e)
{
    memset(e->rest.A, 0, (size_t)(e->rows * e->unknowns) * sizeof *e->rest.A);
    for (int k = 0; k < e->entries; k++)
        e->rest.A[e->entry[k].row * e->unknowns + e->entry[k].column] = e->value[k];
    enum status status = leave_out_dependent(e);
    if (status == OK && !overdetermined_factor(&e->rest, NULL))
        status = SINGULAR;
    for (int r = 0; r < e->rows; r++)
        e->size[r] = 1;
    e->least_pivot = status == OK ? overdetermined_least_pivot(&e->rest, e->size) : 0;
    e->factorised = status == OK;
    return status;
}

static double largest_entry(const struct reset_equations *e)
{
    double most = largest(e->value, e->entries);
    for (int k = 0; k < e->products; k++) {
        double size = fabs(e->w_rows[e->product[k].slot]);
        most = size > most ? size : most;
    }
    return most;
}

/* Is a dependent velocity undetermined, its coefficient in the constraints being zero to
   rounding against all others of its row? No coefficient is, if the least pivot is not
   small against the largest entry of all rows. */
static bool undetermined(const struct reset_equations *e)
{
    if (e->event->velocity != VELOCITY_CONSTRAINED ||
        e->least_pivot > factor_rounding * largest_entry(e))
        return false;
    memset(e->size, 0, (size_t)e->rows * sizeof *e->size);
    for (int k = 0; k < e->entries; k++) {
        double *size = &e->size[e->entry[k].row];
        *size = larger(*size, fabs(e->value[k]));
    }
    for (int k = 0; k < e->products; k++) {
        double *size = &e->size[e->product[k].row];
        *size = larger(*size, fabs(e->w_rows[e->product[k].slot]));
    }
    return !(overdetermined_least_pivot(&e->rest, e->size) > factor_rounding);
}

enum status reset_equations_factor(struct reset_equations *e)
{
    if (take_entries(e)) {
        enum status status = factor_anew(e);
        if (status != OK)
            return status;
    }
    return undetermined(e) ? SINGULAR : OK;
}

/* --- solving ------------------------------------------------------------------------ */

void reset_equations_solve(struct reset_equations *e, const double *b, double *x)
{
    for (int k = 0; k < e->givens; k++)
        x[e->given[k].component] = b[e->given[k].row];
    const struct reset_entry *product = e->product;
    for (int r = 0; r < e->rows; r++) {
        double rest = b[e->row[r]];
        for (; product < e->product + e->end[r]; product++)
            rest -= e->w_rows[product->slot] * x[product->column];
        e->b[r] = rest;
    }
    for (int d = 0; d < reset_equations_dependent(e); d++) {
        int i = reset_equations_dependent_row(e, d);
        e->b[e->place[i]] = b[i];
    }
    overdetermined_solve(&e->rest, e->b, e->b);
    for (int k = 0; k < e->unknowns; k++)
        x[e->component[k]] = e->b[k];
}

int reset_equations_spares(const struct reset_equations *e, int *row)
{
    const struct row_selection *choice = &e->rest.choice;
    int spares = 0;
    for (int i = choice->rank; i < choice->rows; i++)
        row[spares++] = e->row[choice->row[i]];
    for (int d = 0; d < reset_equations_dependent(e); d++)
        row[spares++] = reset_equations_dependent_row(e, d);
    return spares;
}
