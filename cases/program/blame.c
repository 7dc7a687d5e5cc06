/*
 * blame.c - domain errors: the row that made a result not finite, in words.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "program/program.h"

/* True: the operands of the row are inside the domain of ops.def. */
static bool inside_domain(struct program_row row, const double *w)
{
    switch (row.op) {
    case OP_POWI:
        return row.b > 0 || w[row.a] != 0;
#define OP(NAME, text, arity, real, complex_value, da, db, domain, inside) \
    case OP_##NAME: { \
        double a = w[row.a], b = w[row.b]; \
        (void)a; \
        (void)b; \
        return inside; \
    }
#include "formula/ops.def"
#undef OP
    default:
        return true;
    }
}

static void print_slot(const struct program *program, const struct names *names, int slot,
                       char *text, int size)
{
    formula f = {(struct tape *)program->tape, program->origin[slot]};
    formula_print(f, names, text, size);
}

static void explain(const struct program *program, const struct names *names, int slot,
                    const double *w, char *text, int size)
{
    struct program_row row = program->row[slot];
    int operands = op_operands(row.op);
    char whole[120], a[80] = "", b[80] = "";
    print_slot(program, names, slot, whole, sizeof whole);
    if (operands > 0)
        print_slot(program, names, row.a, a, sizeof a);
    if (operands > 1)
        print_slot(program, names, row.b, b, sizeof b);

    const char *domain = op_info[row.op].domain;
    if (operands == 0)
        snprintf(text, (size_t)size, "%s = %.17g is not finite", whole, w[slot]);
    else if (operands == 1)
        snprintf(text, (size_t)size, "%s = %.17g at a = %s = %.17g; its domain: %s",
                 whole, w[slot], a, w[row.a], domain);
    else
        snprintf(text, (size_t)size,
                 "%s = %.17g at a = %s = %.17g, b = %s = %.17g; its domain: %s", whole,
                 w[slot], a, w[row.a], b, w[row.b], domain);
}

static bool is_bad(const struct program *program, int slot, const double *w)
{
    return !isfinite(w[slot]) || !inside_domain(program->row[slot], w);
}

/* Operands stand before the rows that use them, so that the first row found is the
   cause. */
bool program_blame(const struct program *program, const struct names *names, int stage,
                   const double *w, char *text, int size)
{
    int end = program->stage_begin[stage < PROGRAM_STAGES ? stage + 1 : PROGRAM_STAGES];
    for (int i = 0; i < end; i++) {
        if (!is_bad(program, i, w))
            continue;
        explain(program, names, i, w, text, size);
        return true;
    }
    return false;
}

bool program_blame_output(const struct program *program, const struct names *names,
                          int output, const double *w, char *text, int size)
{
    int root = program->output[output], bad = -1, operand[3];
    bool *reached = memory_new(program->slots, sizeof *reached);
    reached[root] = true;
    for (int i = root; i >= 0; i--) {
        if (!reached[i])
            continue;
        if (is_bad(program, i, w))
            bad = i;
        for (int k = program_operands(&program->row[i], operand) - 1; k >= 0; k--)
            reached[operand[k]] = true;
    }
    free(reached);
    if (bad >= 0)
        explain(program, names, bad, w, text, size);
    return bad >= 0;
}
