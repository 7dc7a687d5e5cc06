/*
 * constraints.c - the constraints of a mode as one program of a point and a direction.
 */
#include "constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/largest.h"
#include "base/memory.h"
#include "formula/diff.h"
#include "program/fault.h"

/* Copies the entries of row i of a matrix of formulas. */
static void take_row(const struct entries *at, int i, const formula *row, formula *out)
{
    for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
        out[k] = row[at->column[k]];
}

/* Sets the first output of each part; returns the number of outputs. */
static int place_outputs(struct constraints *c)
{
    int m = c->m;
    bool one = c->mode->Phid_v == c->mode->Phi_q;
    c->Phi = 0;
    c->Phid = m;
    c->M = 2 * m;
    c->Phi_dot = c->M + c->at_M->count;
    c->Phid_dot = c->Phi_dot + m;
    c->Phi_q.first = c->Phid_dot + m;
    c->Phid_v.first = c->Phi_q.first + (one ? 0 : c->Phi_q.at->count);
    return c->Phid_v.first + c->Phid_v.at->count;
}

static void compile(struct constraints *c)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_RHO] = true, [BLOCK_T] = true, [BLOCK_Q] = true, [BLOCK_V] = true,
        [BLOCK_S] = true};
    const struct mode *mode = c->mode;
    int n = c->n, m = c->m, count = place_outputs(c);
    formula *f = c->formula = arena_new(&c->arena, count, sizeof *f);
    memory_copy(f + c->Phi, mode->Phi, m, sizeof *f);
    memory_copy(f + c->Phid, mode->Phid, m, sizeof *f);
    tangent(c->model->tape, f, 2 * m, moves, 1, f + c->Phi_dot);
    for (int i = 0; i < m; i++) {
        take_row(c->Phi_q.at, i, mode->Phi_q + i * n, f + c->Phi_q.first);
        take_row(c->Phid_v.at, i, mode->Phid_v + i * n, f + c->Phid_v.first);
    }
    for (int i = 0; i < n; i++)
        take_row(c->at_M, i, mode->M[i], f + c->M);
    unsigned char stages[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE, 0, stages);
    c->program = program_seal_derivatives(c->model->tape, f, count, c->Phi_dot, stages,
                                          "constraints", mode->name);
}

void constraints_init(struct constraints *c, const struct model *model,
                      const struct mode *mode, const double *rho)
{
    *c = (struct constraints){.model = model, .mode = mode, .n = model->n, .m = mode->m,
                              .Phi_q = {.at = &mode->Phi_q_entries},
                              .Phid_v = {.at = &mode->Phid_v_entries},
                              .at_M = &mode->M_entries};
    c->row = arena_new(&c->arena, c->m, sizeof *c->row);
    for (int i = 0; i < c->m; i++)
        if (!mode->velocity_level[i])
            c->row[c->rows++] = i;
    compile(c);
    c->w = arena_new(&c->arena, c->program->slots, sizeof *c->w);
    program_init(c->program, c->w);
    tiered_program_init(&c->code, c->program, c->w);
    constraints_set(c, rho);
}

void constraints_set(struct constraints *c, const double *rho)
{
    c->rho = rho;
    c->settings++;
    program_set_parameters(c->program, rho, c->w);
}

void constraints_use_code(struct constraints *c, enum code_use use)
{
    c->use = use;
    tiered_program_use_code(&c->code, use);
}

void constraints_clear(struct constraints *c)
{
    if (!c->program)
        return;
    tiered_program_clear(&c->code);
    program_free(c->program);
    arena_free(&c->arena);
    c->program = NULL;
}

/* The index of entry (i, j); -1: there is none. */
static int find(const struct entries *at, int i, int j)
{
    int low = at->begin[i], high = at->begin[i + 1];
    while (low < high) {
        int middle = (low + high) / 2;
        if (at->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < at->begin[i + 1] && at->column[low] == j ? low : -1;
}

double constraints_at_place(const struct constraints *c,
                            const struct constraint_matrix *matrix, int i, int j)
{
    int k = find(matrix->at, i, j);
    return k < 0 ? 0 : constraints_entry(c, matrix, k);
}

double constraints_M(const struct constraints *c, int i, int j)
{
    int k = find(c->at_M, i, j);
    return k < 0 ? 0 : constraints_value(c, c->M + k);
}

void constraints_row(const struct constraints *c, const struct constraint_matrix *matrix,
                     int i, double *row)
{
    const struct entries *at = matrix->at;
    memset(row, 0, (size_t)c->n * sizeof *row);
    for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
        row[at->column[k]] = constraints_entry(c, matrix, k);
}

double constraints_row_size(const struct constraints *c,
                            const struct constraint_matrix *matrix, int i)
{
    const struct entries *at = matrix->at;
    double size = 0;
    for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
        size = larger(size, fabs(constraints_entry(c, matrix, k)));
    return size;
}

void constraints_at(struct constraints *c, double t, const double *q, const double *v,
                    const double *s)
{
    tiered_program_load_point(&c->code, 0, t, q, v, s, c->w);
    tiered_program_run(&c->code, STAGE_STATE, c->w);
}

void constraints_along(struct constraints *c, double dt, const double *dq,
                       const double *dv, const double *ds, int parameter)
{
    tiered_program_load_point(&c->code, 1, dt, dq, dv, ds, c->w);
    program_seed_parameter(c->program, parameter, c->w);
    tiered_program_run(&c->code, STAGE_DIRECTION, c->w);
}
