/* series.c - evaluation of lowered programs on truncated Taylor series of MPFR
   numbers; see series.h. */
#include "series.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mp.h"
#include "series_parts.h"

/* --- work space --------------------------------------------------------------------- */

/* Allocates one lane. Rows [from, rows) are the lane's own, from `own` on in the block of
   numbers; rows below belong to lane 0. */
static void lane_new(struct mp_series *series, struct lane *lane, int from, mpfr_ptr own)
{
    int rows = series->low->rows;
    lane->c = memory_new(rows, sizeof *lane->c);
    lane->tail = memory_new(rows, sizeof *lane->tail);
    lane->top = memory_new(rows, sizeof *lane->top);
    lane->top_block = memory_new(rows - from, sizeof *lane->top_block);
    for (int i = 0; i < from; i++) {
        lane->c[i] = series->lane[0].c[i];
        lane->tail[i] = series->lane[0].tail[i];
        lane->top[i] = series->lane[0].top[i];
    }
    for (int i = from; i < rows; i++) {
        lane->c[i] = own + (i - from);
        lane->tail[i] = coefficient(series, lane, i, series->order + 1);
        lane->top[i] = lane->top_block + (i - from);
    }
}

/* Makes room for the digits of the lane's own factors; factors below `from` are lane
   0's. */
static void lane_fixed(struct mp_series *series, struct lane *lane, int from,
                       const bool *is_factor)
{
    int rows = series->low->rows, factors = 0;
    for (int i = from; i < rows; i++)
        factors += is_factor[i];
    ptrdiff_t size = (ptrdiff_t)series->shape.planes * series->shape.length;
    lane->fixed = memory_new(rows, sizeof *lane->fixed);
    lane->fixed_block = memory_new(factors, sizeof *lane->fixed_block);
    ptrdiff_t sums = size + series->shape.planes;
    lane->digit_block = memory_new(factors, sizeof *lane->digit_block * (size_t)size);
    lane->sum_block = memory_new(factors, sizeof *lane->sum_block * (size_t)sums);
    for (int i = 0; i < from; i++)
        lane->fixed[i] = series->lane[0].fixed[i];
    for (int i = from, at = 0; i < rows; i++) {
        if (!is_factor[i])
            continue;
        lane->fixed[i] = &lane->fixed_block[at];
        lane->fixed[i]->digit = lane->digit_block + size * at;
        lane->fixed[i]->sum = lane->sum_block + sums * at++;
    }
}

void mp_series_planes(struct mp_series *series, const int *planes)
{
    const struct lowered *low = series->low;
    bool *is_factor = memory_new(low->rows, sizeof *is_factor);
    series->shape = (struct fixed_shape){.length = series->order + 1,
                                         .planes = planes[0], .need = planes};
    for (int i = 0; i < low->rows; i++)
        if (!series->tail[i].none)
            is_factor[series->tail[i].a] = is_factor[series->tail[i].b] = true;
    for (int i = 0; i < series->lanes; i++)
        lane_fixed(series, &series->lane[i],
                   i == 0 ? 0 : low->stage_begin[series->lane_stage], is_factor);
    free(is_factor);
}

/* Marks the rows that must be corrected. Rows of one stage read each other before the
   correction, rows of other stages after it. So these are corrected: outputs that are
   kept, factors whose lower coefficients enter tails, rows that other stages read; and
   the operands of any of these. */
static void find_live(struct mp_series *series, const bool *kept)
{
    const struct lowered *low = series->low;
    for (int i = 0; i < low->rows; i++)
        series->live[i] = false;
    for (int i = 0; i < series->program->outputs; i++)
        series->live[low->of_slot[series->program->output[i]]] |= kept[i];
    for (int i = 0; i < low->rows; i++) {
        const struct tail *tail = &series->tail[i];
        int a = low->row[i].a, b = low->row[i].b;
        if (!tail->none)
            series->live[tail->a] = series->live[tail->b] = true;
        if (low->row[i].kind == LOW_LEAF)
            continue;
        series->live[a] |= row_settled(series, i, a);
        series->live[b] |= row_settled(series, i, b);
    }
    for (int i = low->rows - 1; i >= 0; i--)
        if (series->live[i] && low->row[i].kind != LOW_LEAF)
            series->live[low->row[i].a] = series->live[low->row[i].b] = true;
}

void mp_series_unknowns(struct mp_series *series, const int *stage, int stages,
                        const bool *kept)
{
    const struct lowered *low = series->low;
    for (int i = 0; i < low->rows; i++)
        series->corrected[i] = -1;
    for (int s = 0; s < stages; s++)
        for (int i = low->stage_begin[stage[s]]; i < low->stage_begin[stage[s] + 1]; i++)
            series->corrected[i] = stage[s];
    find_tails(series);
    find_live(series, kept);
}

void mp_series_fixed(struct mp_series *series, int from)
{
    series->fixed_from = from;
}

void mp_series_scale(struct mp_series *series, mpfr_srcptr factor, int count)
{
    const struct lane *lane = &series->lane[0];
    int end = series->low->stage_begin[series->lane_stage];
    for (int k = 1; k < count; k++)
        for (int i = 0; i < end; i++)
            if (!series->low->row[i].steady)
                mp_scale(coefficient(series, lane, i, k), factor + k, 1);
    for (int i = 0; i < end; i++)
        if (lane->fixed[i] != NULL)
            lane->fixed[i]->filled = 0;
}

void mp_series_settle(struct mp_series *series)
{
    const struct lane *lane = &series->lane[0];
    int end = series->low->stage_begin[series->lane_stage];
    for (int i = 0; series->fixed_from <= series->order && i < end; i++)
        if (lane->fixed[i] != NULL)
            fixed_fill(lane->fixed[i], &series->shape, lane->c[i], series->stride,
                       series->order);
}

struct mp_series *mp_series_new(const struct program *program, int order,
                                mpfr_prec_t precision, int lanes, int lane_stage)
{
    struct mp_series *series = memory_new(1, sizeof *series);
    *series = (struct mp_series){.program = program,
                                 .low = lower(program),
                                 .order = order,
                                 .lanes = lanes,
                                 .lane_stage = lane_stage,
                                 .precision = precision,
                                 .fixed_from = INT_MAX};
    series->limbs = memory_new(order + 1, sizeof *series->limbs);
    for (int k = 0; k <= order; k++)
        series->limbs[k] = (int)(precision / 64);
    series->corrected = memory_new(series->low->rows, sizeof *series->corrected);
    series->live = memory_new(series->low->rows, sizeof *series->live);
    series->tail = memory_new(series->low->rows, sizeof *series->tail);
    for (int i = 0; i < series->low->rows; i++)
        series->live[i] = true;
    find_tails(series);
    series->lane = memory_new(lanes, sizeof *series->lane);
    int rows = series->low->rows, shared = series->low->stage_begin[lane_stage];
    series->stride = rows + (ptrdiff_t)(lanes - 1) * (rows - shared);
    series->block = mp_vector_new((size_t)(order + 2) * (size_t)series->stride,
                                  precision);
    lane_new(series, &series->lane[0], 0, series->block);
    for (int i = 1; i < lanes; i++)
        lane_new(series, &series->lane[i], shared,
                 series->block + rows + (ptrdiff_t)(i - 1) * (rows - shared));
    mp_series_run(series, 0, 0, 0);
    return series;
}

void mp_series_free(struct mp_series *series)
{
    if (series == NULL)
        return;
    for (int i = 0; i < series->lanes; i++) {
        struct lane *lane = &series->lane[i];
        free(lane->c);
        free(lane->tail);
        free(lane->top);
        free(lane->top_block);
        free(lane->fixed);
        free(lane->fixed_block);
        free(lane->digit_block);
        free(lane->sum_block);
    }
    mp_vector_free(series->block);
    free(series->lane);
    free(series->limbs);
    free(series->corrected);
    free(series->live);
    free(series->tail);
    lowered_free(series->low);
    free(series);
}

void mp_series_limbs(struct mp_series *series, const int *limbs)
{
    for (int k = 0; k <= series->order; k++)
        series->limbs[k] = limbs[k];
}

/* --- inputs and outputs ------------------------------------------------------------- */

/* Coefficient 0 of the row is new: higher coefficients and digits are forgotten. */
static void begin_row(const struct lane *lane, int row)
{
    *lane->top[row] = 0;
    if (lane->fixed != NULL && lane->fixed[row] != NULL)
        lane->fixed[row]->filled = 0;
}

void mp_series_load(struct mp_series *series, int lane, int block, int k, mpfr_srcptr x,
                    ptrdiff_t stride)
{
    const struct program *program = series->program;
    for (int i = program->block_begin[block]; i < program->block_begin[block + 1]; i++) {
        struct program_input input = program->input[i];
        int row = series->low->of_slot[input.slot];
        mpfr_ptr c = coefficient(series, &series->lane[lane], row, k);
        if (x == NULL)
            mpfr_set_zero(c, 1);
        else
            mpfr_set(c, x + input.index * stride, MPFR_RNDN);
        if (k == 0)
            begin_row(&series->lane[lane], row);
        raise_top(series->lane[lane].top[row], c, k);
    }
}

mpfr_srcptr mp_series_coefficient(const struct mp_series *series, int lane, int output,
                                  int k)
{
    int row = series->low->of_slot[series->program->output[output]];
    return coefficient(series, &series->lane[lane], row, k);
}

mpfr_srcptr mp_series_output(const struct mp_series *series, int lane, int output)
{
    return mp_series_coefficient(series, lane, output, 0);
}

/* --- coefficient 0 ------------------------------------------------------------------ */

static void leaf(const struct mp_series *series, const struct lowered_row *row,
                 mpfr_ptr f)
{
    if (row->op == OPS)
        mpfr_set_ui(f, 1, MPFR_RNDN);
    else if (row->op == OP_PI)
        mpfr_const_pi(f, MPFR_RNDN);
    else if (row->op == OP_CONSTANT)
        mpfr_set_str(f, tape_constant(series->program->tape, row->a), 10, MPFR_RNDN);
}

static void function(enum op op, mpfr_ptr f, mpfr_srcptr a, mpfr_srcptr b)
{
    switch (op) {
    case OP_EXP:   mpfr_exp(f, a, MPFR_RNDN); return;
    case OP_LOG:   mpfr_log(f, a, MPFR_RNDN); return;
    case OP_SIN:   mpfr_sin(f, a, MPFR_RNDN); return;
    case OP_COS:   mpfr_cos(f, a, MPFR_RNDN); return;
    case OP_TAN:   mpfr_tan(f, a, MPFR_RNDN); return;
    case OP_ASIN:  mpfr_asin(f, a, MPFR_RNDN); return;
    case OP_ACOS:  mpfr_acos(f, a, MPFR_RNDN); return;
    case OP_ATAN:  mpfr_atan(f, a, MPFR_RNDN); return;
    case OP_ATAN2: mpfr_atan2(f, a, b, MPFR_RNDN); return;
    case OP_SINH:  mpfr_sinh(f, a, MPFR_RNDN); return;
    case OP_COSH:  mpfr_cosh(f, a, MPFR_RNDN); return;
    case OP_TANH:  mpfr_tanh(f, a, MPFR_RNDN); return;
    default:       mpfr_set_zero(f, 1); return;
    }
}

static void row_value(const struct mp_series *series, const struct lane *lane, int i)
{
    const struct lowered_row *row = &series->low->row[i];
    mpfr_ptr f = lane->c[i];
    if (row->kind == LOW_LEAF) {
        leaf(series, row, f);
        return;
    }
    mpfr_srcptr a = lane->c[row->a], b = lane->c[row->b];
    switch (row->kind) {
    case LOW_ADD:      mpfr_add(f, a, b, MPFR_RNDN); break;
    case LOW_SUB:      mpfr_sub(f, a, b, MPFR_RNDN); break;
    case LOW_NEG:      mpfr_neg(f, a, MPFR_RNDN); break;
    case LOW_MUL: case LOW_SCALE: mpfr_mul(f, a, b, MPFR_RNDN); break;
    case LOW_SQUARE:   mpfr_sqr(f, a, MPFR_RNDN); break;
    case LOW_DIV:      mpfr_div(f, a, b, MPFR_RNDN); break;
    case LOW_SQRT:     mpfr_sqrt(f, a, MPFR_RNDN); break;
    case LOW_INTEGRAL: function(row->op, f, a, b); break;
    case LOW_LEAF: case LOW_RATE: mpfr_set_zero(f, 1); break;
    }
    begin_row(lane, i);
}

/* --- stages ------------------------------------------------------------------------- */

void mp_series_run(struct mp_series *series, int lane, int stage, int k)
{
    const struct lowered *low = series->low;
    const struct lane *own = &series->lane[lane];
    for (int i = low->stage_begin[stage]; i < low->stage_begin[stage + 1]; i++) {
        if (k == 0) {
            row_value(series, own, i);
        } else if (!low->row[i].steady) {
            row_tail(series, own, i, k);
            row_head(series, own, i, k);
        }
    }
}

void mp_series_correct(struct mp_series *series, int lane, int stage, int k)
{
    const struct lowered *low = series->low;
    const struct lane *own = &series->lane[lane];
    for (int i = low->stage_begin[stage]; i < low->stage_begin[stage + 1]; i++)
        if (!low->row[i].steady && series->live[i])
            row_head(series, own, i, k);
}

bool mp_series_blame(const struct mp_series *series, const struct names *names, int k,
                     char *text, int size)
{
    const struct lowered *low = series->low;
    for (int i = 0; i < low->rows * series->lanes; i++) {
        const struct lane *lane = &series->lane[i / low->rows];
        int row = i % low->rows;
        bool finite = true;
        for (int j = 0; finite && j <= k; j++)
            finite = mpfr_number_p(coefficient(series, lane, row, j));
        if (finite)
            continue;
        formula origin = {(struct tape *)(uintptr_t)series->program->tape,
                          series->program->origin[low->row[row].slot]};
        formula_print(origin, names, text, size);
        return true;
    }
    return false;
}
