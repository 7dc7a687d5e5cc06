/*
 * series.c - automatic differentiation by recurrences: a program run on Taylor series,
 * one order at a time (series.h).
 *
 * Coefficient k depends only on coefficients 0 .. k of the operands and on lower ones of
 * the result and its companions, so it may be computed again after coefficient k of an
 * input has changed. Rows that are constant in time stop at order 0.
 */
#include "program/series.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "formula/tape.h"
#include "program/series_ops.h"

struct series {
    const struct program *program;
    int order;
    struct series_layout layout;
    double *coefficient;    /* [layout.rows][order + 1] */
    struct term *term;      /* [slots] where each row finds its series */
};

double *series_row(const struct series *series, int row)
{
    return series->coefficient + (size_t)row * (size_t)(series->order + 1);
}

/* --- layout ------------------------------------------------------------------------- */

static enum op twin_of(enum op op)
{
    switch (op) {
    case OP_SIN:  return OP_COS;
    case OP_COS:  return OP_SIN;
    case OP_SINH: return OP_COSH;
    case OP_COSH: return OP_SINH;
    default:      return OPS;
    }
}

/* Slots that are twins (sine and cosine of one operand) find each other through their
   operand. */
static void pair_twins(struct series_layout *layout, const struct program *program)
{
    static const enum op paired[] = {OP_SIN, OP_COS, OP_SINH, OP_COSH};
    int *holder = memory_new(program->slots, sizeof *holder);
    for (int i = 0; i < 4; i++) {
        for (int slot = 0; slot < program->slots; slot++)
            holder[slot] = -1;
        for (int slot = 0; slot < program->slots; slot++)
            if (program->row[slot].op == paired[i])
                holder[program->row[slot].a] = slot;
        for (int slot = 0; slot < program->slots; slot++)
            if (twin_of((enum op)program->row[slot].op) == paired[i]
                && holder[program->row[slot].a] >= 0) {
                layout->companion[slot] = holder[program->row[slot].a];
                layout->twin[slot] = true;
            }
    }
    free(holder);
}

void series_layout_init(struct series_layout *layout, const struct program *program)
{
    *layout = (struct series_layout){.rows = program->slots};
    layout->companion = memory_new(program->slots, sizeof *layout->companion);
    layout->twin = memory_new(program->slots, sizeof *layout->twin);
    pair_twins(layout, program);
    for (int slot = 0; slot < program->slots; slot++) {
        if (layout->twin[slot])
            continue;
        int needed = term_companions(program->row[slot]);
        layout->companion[slot] = needed > 0 ? layout->rows : -1;
        layout->rows += needed;
    }
}

void series_layout_clear(struct series_layout *layout)
{
    free(layout->companion);
    free(layout->twin);
    *layout = (struct series_layout){0};
}

/* True: the first slot has an earlier stage, or the same stage and is constant in time
   while the other is not. */
static bool is_before(const struct program *program, int slot, int other)
{
    int stage = program_stage(program, slot), after = program_stage(program, other);
    return stage < after ||
           (stage == after && program->steady[slot] && !program->steady[other]);
}

bool series_is_product(unsigned op)
{
    switch (op) {
#define PRODUCT(NAME, value) case OP_##NAME:
#include "program/recurrences.def"
        return true;
    default:
        return false;
    }
}

void series_operands(const struct program *program, int slot, int operand[3])
{
    const struct program_row *row = &program->row[slot];
    int operands = program_operands(row, operand);
    for (int k = operands; k < 3; k++)
        operand[k] = 0;
    if (series_is_product(row->op) && is_before(program, operand[1], operand[0])) {
        int first = operand[1];
        operand[1] = operand[0];
        operand[0] = first;
    }
}

/* --- work space --------------------------------------------------------------------- */

static struct term term_of(const struct series *series, int slot)
{
    const struct program *program = series->program;
    int operand[3], g = series->layout.companion[slot];
    series_operands(program, slot, operand);
    return (struct term){
        .a = series_row(series, operand[0]), .b = series_row(series, operand[1]),
        .c = series_row(series, operand[2]),
        .f = series_row(series, slot), .g = g >= 0 ? series_row(series, g) : NULL,
        .stride = (size_t)series->order + 1,
        .twin = series->layout.twin[slot],
        .steady_a = program->steady[operand[0]], .steady_b = program->steady[operand[1]],
    };
}

struct series *series_new(const struct program *program, int order)
{
    if (order < 0)
        slip("a series of order %d", order);
    struct series *series = memory_new(1, sizeof *series);
    series->program = program;
    series->order = order;
    series_layout_init(&series->layout, program);
    series->coefficient =
        memory_new(series->layout.rows, ((size_t)order + 1) * sizeof(double));
    series->term = memory_new(program->slots, sizeof *series->term);
    for (int slot = 0; slot < program->slots; slot++)
        series->term[slot] = term_of(series, slot);
    return series;
}

void series_free(struct series *series)
{
    if (!series)
        return;
    free(series->coefficient);
    series_layout_clear(&series->layout);
    free(series->term);
    free(series);
}

/* --- running ------------------------------------------------------------------------ */

static void check_order(const struct series *series, int k)
{
    if (k < 0 || k > series->order)
        slip("coefficient %d of a series of order %d", k, series->order);
}

void series_run(struct series *series, int stage, int k)
{
    const struct program *program = series->program;
    check_order(series, k);
    if (stage < 0 || stage >= STAGES)
        slip("stage %d: there are 0 .. %d", stage, STAGES - 1);
    for (int slot = program->stage_begin[stage]; slot < program->stage_begin[stage + 1];
         slot++) {
        struct term *term = &series->term[slot];
        term->k = k;
        if (k == 0)
            term_start(term, program->row[slot]);
        else if (!program->steady[slot])
            term_raise(term, program->row[slot]);
    }
}

void series_init(struct series *series)
{
    const struct program *program = series->program;
    for (int slot = 0; slot < program->slots; slot++) {
        struct program_row row = program->row[slot];
        double *value = series_row(series, slot);
        if (row.op == OP_CONSTANT)
            *value = strtod(tape_constant(program->tape, row.a), NULL);
        else if (row.op == OP_PI)
            *value = M_PI;
    }
    series_run(series, 0, 0);
}

/* A variable that the program does not use is passed over. */
void series_load(struct series *series, int block, int index, int k, double value)
{
    const struct program *program = series->program;
    check_order(series, k);
    int low = program->block_begin[block], high = program->block_begin[block + 1];
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (program->input[middle].index <= index)
            low = middle;
        else
            high = middle;
    }
    if (low == high || program->input[low].index != index)
        return;
    int slot = program->input[low].slot;
    if (k > 0 && program->steady[slot] && value != 0)
        slip("coefficient %d of parameter %d, which is constant in time", k, index);
    series_row(series, slot)[k] = value;
}

double series_output(const struct series *series, int output, int k)
{
    check_order(series, k);
    return series_row(series, series->program->output[output])[k];
}
