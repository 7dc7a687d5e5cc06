/*
 * projection_formulas.c - the steps of a projection as formulas; see solved_projection.h.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "explicit/elimination.h"
#include "formula/substitute.h"
#include "optimise/accumulate.h"
#include "optimise/collect.h"
#include "program/stages.h"
#include "projection/solved_projection.h"

/* A level in the making: its elimination, of `size` unknowns. */
struct writing {
    const struct solved_projection *p;
    const struct projected_level *level;
    const struct formula_matrix *M, *C; /* C [m][n]: Phi_q, or Phid_v */
    int size;
    struct elimination *elimination;
};

/* A matrix of the constraints, with rows [rows] of n columns. */
static void take_matrix(const struct constraints *c, const struct entries *at, int rows,
                        int first, struct formula_matrix *A)
{
    formula_matrix_init(A, rows, c->n);
    for (int i = 0; i < rows; i++)
        for (int k = at->begin[i]; k < at->begin[i + 1]; k++)
            formula_matrix_set(A, i, at->column[k], c->formula[first + k]);
}

static formula entry(const struct writing *l, int row, int column)
{
    return formula_matrix_at(l->C, l->level->row[row], column);
}

/* --- the matrix --------------------------------------------------------------------- */

static void set_unless_zero(struct formula_matrix *A, int i, int j, formula value)
{
    if (!is_zero(value))
        formula_matrix_set(A, i, j, value);
}

static void write_dependent(const struct writing *l, struct formula_matrix *A)
{
    for (int i = 0; i < l->size; i++)
        for (int j = 0; j < l->size; j++)
            set_unless_zero(A, i, j, entry(l, i, l->level->moved[j]));
}

static void write_saddle(const struct writing *l, struct formula_matrix *A)
{
    int n = l->p->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            set_unless_zero(A, i, j, formula_matrix_at(l->M, i, j));
    for (int i = 0; i < l->level->rows; i++)
        for (int j = 0; j < n; j++) {
            set_unless_zero(A, n + i, j, entry(l, i, j));
            set_unless_zero(A, j, n + i, entry(l, i, j));
        }
}

static bool eliminate(struct writing *l)
{
    bool by_mass = l->p->by_mass;
    struct formula_matrix A;
    l->size = (by_mass ? l->p->n : 0) + l->level->rows;
    bool *multiplier = memory_new(l->size, sizeof *multiplier);
    for (int i = l->p->n; by_mass && i < l->size; i++)
        multiplier[i] = true;
    formula_matrix_init(&A, l->size, l->size);
    if (by_mass)
        write_saddle(l, &A);
    else
        write_dependent(l, &A);
    l->elimination = elimination_new(l->p->constraints->model->tape, &A, multiplier);
    formula_matrix_clear(&A);
    free(multiplier);
    return l->elimination;
}

/* --- steps -------------------------------------------------------------------------- */

/* The forces -M d - C' mu of a position that has been moved. */
static void write_forces(const struct writing *l, formula *b)
{
    struct tape *tape = l->p->constraints->model->tape;
    int n = l->p->n;
    for (int i = 0; i < n; i++) {
        formula sum = {NULL, 0};
        for (int j = 0; j < n; j++)
            sum = sub(sum, mul(formula_matrix_at(l->M, i, j),
                               variable(tape, BLOCK_ITERATED, j)));
        for (int k = 0; k < l->level->rows; k++)
            sum = sub(sum, mul(entry(l, k, i), variable(tape, BLOCK_ITERATED, n + k)));
        b[i] = sum;
    }
}

/* step [size]: that of residuals r [m]; with the forces, if `moved`. */
static void write_step(const struct writing *l, const formula *r, bool moved,
                       formula *step)
{
    int first = l->size - l->level->rows;
    if (moved && l->p->by_mass)
        write_forces(l, step);
    for (int i = 0; i < l->level->rows; i++)
        step[first + i] = negate(r[l->level->row[i]]);
    elimination_solve(l->elimination, step);
}

/* --- columns ------------------------------------------------------------------------ */

/* The directions dq + step in the place of dq. */
struct shifted {
    struct tape *tape;
    const struct projected_level *level;
    const formula *step;
};

static formula with_step(void *context, int block, int index)
{
    const struct shifted *s = context;
    formula x = variable(s->tape, block, index);
    if (block == TANGENT(BLOCK_Q))
        for (int k = 0; k < s->level->moves; k++)
            if (s->level->moved[k] == index)
                return add(x, s->step[k]);
    return x;
}

/* --- the whole ---------------------------------------------------------------------- */

/* Parts of outputs; each level gives all of its unknowns, multipliers, too. */
static int place(struct solved_projection *p, const struct writing l[2])
{
    int count = 0;
    for (int k = 0; k < 2; k++) {
        int rows = p->level[k].rows;
        p->at[k].step = count;
        p->at[k].residual = count + l[k].size;
        p->at[k].column = p->at[k].residual + rows;
        p->at[k].entry = p->at[k].column + l[k].size;
        count = p->at[k].entry + p->entries[k];
    }
    for (int k = 0; k < p->levels; k++) {
        p->at[k].pivot = count;
        count += l[k].size;
        p->pivots += l[k].size;
    }
    return count;
}

static void write_entries(const struct writing *l, const int *count, const int *column,
                          formula *out)
{
    for (int i = 0; i < l->level->rows; i++)
        for (int k = 0; k < count[i]; k++)
            *out++ = entry(l, i, *column++);
}

static void take_rows(const struct projected_level *level, const formula *r, formula *out)
{
    for (int i = 0; i < level->rows; i++)
        out[i] = r[level->row[i]];
}

static void write(const struct solved_projection *p, const struct writing l[2],
                  formula *out)
{
    const struct constraints *c = p->constraints;
    struct tape *tape = c->model->tape;
    const formula *f = c->formula;
    formula *Phid_dot = memory_new(c->m, sizeof *Phid_dot);
    struct shifted shifted = {tape, l[0].level, out + p->at[0].column};
    write_step(&l[0], f + c->Phi, true, out + p->at[0].step);
    write_step(&l[1], f + c->Phid, false, out + p->at[1].step);
    take_rows(l[0].level, f + c->Phi, out + p->at[0].residual);
    take_rows(l[1].level, f + c->Phid, out + p->at[1].residual);
    write_step(&l[0], f + c->Phi_dot, false, out + p->at[0].column);
    substitute(tape, f + c->Phid_dot, c->m, with_step, &shifted, Phid_dot);
    write_step(&l[1], Phid_dot, false, out + p->at[1].column);
    for (int k = 0; k < 2; k++)
        write_entries(&l[k], p->count[k], p->column[k], out + p->at[k].entry);
    for (int k = 0; k < p->levels; k++)
        memory_copy(out + p->at[k].pivot, elimination_pivots(l[k].elimination), l[k].size,
                    sizeof *out);
    free(Phid_dot);
}

static void seal(struct solved_projection *p, formula *out, int count)
{
    struct tape *tape = p->constraints->model->tape;
    unsigned char stages[BLOCK_LIMIT];
    collect(tape, out, count, false);
    accumulate(tape, out, count, 1);
    program_stages(BLOCKS_OF_STATE, 0, stages);
    stages[BLOCK_ITERATED] = STAGE_UNKNOWN;
    stages[BLOCK_V] = STAGE_SOLUTION;
    stages[TANGENT(BLOCK_V)] = STAGE_DIRECTION_UNKNOWN;
    p->program = program_seal(tape, out, count, stages);
    program_balance(p->program, false);
}

bool projection_formulas(struct solved_projection *p)
{
    const struct constraints *c = p->constraints;
    struct formula_matrix M, Phi_q, Phid_v;
    take_matrix(c, c->at_M, c->n, c->M, &M);
    take_matrix(c, c->Phi_q.at, c->m, c->Phi_q.first, &Phi_q);
    take_matrix(c, c->Phid_v.at, c->m, c->Phid_v.first, &Phid_v);
    struct writing l[2] = {{.p = p, .level = &p->level[0], .M = &M, .C = &Phi_q},
                           {.p = p, .level = &p->level[1], .M = &M, .C = &Phid_v}};
    bool found = eliminate(&l[0]) && (p->levels == 1 || eliminate(&l[1]));
    if (found && p->levels == 1) {
        l[1].size = l[0].size;
        l[1].elimination = l[0].elimination;
    }
    if (found) {
        int count = place(p, l);
        formula *out = memory_new(count, sizeof *out);
        write(p, l, out);
        seal(p, out, count);
        free(out);
    }
    for (int k = 0; k < p->levels; k++)
        elimination_free(l[k].elimination);
    formula_matrix_clear(&M);
    formula_matrix_clear(&Phi_q);
    formula_matrix_clear(&Phid_v);
    return found;
}
