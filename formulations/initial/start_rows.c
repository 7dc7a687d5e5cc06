/*
 * start_rows.c - Phi, Phid and Gamma as one program of a point and a direction.
 */
#include "start_rows.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/diff.h"
#include "linear/units.h"
#include "program/fault.h"

/* Lists the rows: what the first mode asks for, then what the case does. */
static void take_rows(struct start_rows *r)
{
    const struct model *model = r->model;
    const struct mode *mode = model->start;
    r->m = mode->m;
    r->row = arena_new(&r->arena, 2 * mode->m + model->start_rows, sizeof *r->row);
    for (int i = 0; i < mode->m; i++)
        if (!mode->velocity_level[i])
            r->row[r->positions++] = mode->Phi[i];
    r->rows = r->positions;
    memory_copy(r->row + r->rows, mode->Phid, mode->m, sizeof *r->row);
    r->rows += mode->m;
    memory_copy(r->row + r->rows, model->Gamma, model->start_rows, sizeof *r->row);
    r->rows += model->start_rows;
}

/* The derivatives of a row by a block whose components stand from column `first` on;
   entry [size], index [size] are scratch. */
static void add_entries(struct start_rows *r, formula row, int block, int first, int size,
                        formula *entry, int *index, formula **matrix, int *room)
{
    int count = gradient_entries(row, block, size, entry, index);
    int all = r->at.count + count;
    r->at.column = memory_grow(r->at.column, &r->at.room, all, sizeof *r->at.column);
    *matrix = memory_grow(*matrix, room, all, sizeof **matrix);
    for (int k = 0; k < count; k++) {
        (*matrix)[r->at.count] = entry[index[k]];
        r->at.column[r->at.count++] = first + index[k];
    }
}

/* The entries of the matrix, row by row; to be freed. */
static formula *take_matrix(struct start_rows *r)
{
    const struct model *model = r->model;
    int n = model->n, ns = model->ns, size = n > ns ? n : ns, room = 0;
    formula *matrix = NULL, *entry = memory_new(size, sizeof *entry);
    int *index = memory_new(size, sizeof *index);
    r->at.begin = memory_new(r->rows + 1, sizeof *r->at.begin);
    for (int i = 0; i < r->rows; i++) {
        formula row = r->row[i];
        add_entries(r, row, BLOCK_Q, 0, n, entry, index, &matrix, &room);
        add_entries(r, row, BLOCK_V, n, n, entry, index, &matrix, &room);
        add_entries(r, row, BLOCK_S, 2 * n, ns, entry, index, &matrix, &room);
        r->at.begin[i + 1] = r->at.count;
    }
    free(entry);
    free(index);
    return matrix;
}

static void compile(struct start_rows *r)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true};
    formula *matrix = take_matrix(r);
    int count = 2 * r->rows + r->at.count;
    formula *f = memory_new(count, sizeof *f);
    memory_copy(f, r->row, r->rows, sizeof *f);
    tangent(r->model->tape, f, r->rows, moves, 1, f + r->rows);
    memory_copy(f + 2 * r->rows, matrix, r->at.count, sizeof *f);
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stages);
    r->program = program_seal_derivatives(r->model->tape, f, count, r->rows, stages,
                                          "start", "rows");
    r->w = arena_new(&r->arena, r->program->slots, sizeof *r->w);
    program_init(r->program, r->w);
    free(f);
    free(matrix);
}

void start_rows_init(struct start_rows *r, const struct model *model)
{
    *r = (struct start_rows){.model = model, .columns = 2 * model->n + model->ns};
    take_rows(r);
    compile(r);
}

void start_rows_clear(struct start_rows *r)
{
    program_free(r->program);
    free(r->at.begin);
    free(r->at.column);
    arena_free(&r->arena);
}

void start_rows_set(struct start_rows *r, const double *rho)
{
    program_set_parameters(r->program, rho, r->w);
}

/* --- evaluation --------------------------------------------------------------------- */

void start_rows_at(struct start_rows *r, double t, const double *q, const double *v,
                   const double *s)
{
    program_load(r->program, BLOCK_T, &t, r->w);
    program_load(r->program, BLOCK_Q, q, r->w);
    program_load(r->program, BLOCK_V, v, r->w);
    program_load(r->program, BLOCK_S, s, r->w);
    program_run(r->program, STAGE_STATE, r->w);
}

void start_rows_along(struct start_rows *r, double dt, const double *dq, const double *dv,
                      const double *ds, int parameter)
{
    program_load(r->program, TANGENT(BLOCK_T), &dt, r->w);
    program_load(r->program, TANGENT(BLOCK_Q), dq, r->w);
    program_load(r->program, TANGENT(BLOCK_V), dv, r->w);
    program_load(r->program, TANGENT(BLOCK_S), ds, r->w);
    program_seed_parameter(r->program, parameter, r->w);
    program_run(r->program, STAGE_DIRECTION, r->w);
}

/* --- units -------------------------------------------------------------------------- */

struct source {
    const struct start_rows *rows;
    double *value;
};

static struct sparse_row row_of(void *context, int i)
{
    const struct source *source = context;
    const struct start_rows *r = source->rows;
    int begin = r->at.begin[i], count = r->at.begin[i + 1] - begin;
    const int *output = r->program->output + 2 * r->rows + begin;
    for (int k = 0; k < count; k++)
        source->value[k] = r->w[output[k]];
    return (struct sparse_row){count, r->at.column + begin, source->value};
}

void start_rows_units(const struct start_rows *r, const struct constraints *masses,
                      double *value, double *unit)
{
    struct source source = {r, value};
    int n = masses->n;
    for (int i = 0; i < r->columns; i++)
        unit[i] = i < 2 * n ? unit_of_mass(constraints_M(masses, i % n, i % n)) : 0;
    units_where_uneven(r->columns, r->rows, row_of, &source, unit);
}

/* --- words -------------------------------------------------------------------------- */

void start_rows_text(const struct start_rows *r, int i, char *text, int size)
{
    const struct mode *mode = r->model->start;
    char row[120];
    int k = i - r->positions;
    formula_print(k >= 0 && k < r->m ? mode->Phi[k] : r->row[i], r->model->names, row,
                  sizeof row);
    if (k < 0) {
        int number = -1;
        for (int left = i; left >= 0; left--)
            for (number++; mode->velocity_level[number];)
                number++;
        snprintf(text, (size_t)size, "constraint %d, %s", number + 1, row);
    } else if (k < r->m) {
        snprintf(text, (size_t)size, "the rate of constraint %d, %s", k + 1, row);
    } else {
        snprintf(text, (size_t)size, "start row %d, %s", k - r->m + 1, row);
    }
}
