/*
 * watch.c - analyticity along a step: bounds by Cauchy's estimate on how far the series
 * of guards, costs, rates and the equations of motion carry.
 *
 * A motion may be smoother than the formulas evaluated along it. Free flight is a
 * polynomial, its series ends, and steps are as long as one likes; the guard sin(w t) - y
 * is not, nor is sqrt(x^2 + y^2) - R, and tanh(y/d) does not show in N coefficients, far
 * from y = 0, that it has a pole beside the real axis. So two questions are put to every
 * step of length h:
 *
 *   - are the last terms of each guard's series small beside the guard? Costs and rates
 *     are integrated: their last terms are those of the state (step.c).
 *   - is each formula analytic and bounded on |t| <= R, for an R > h? There it is at most
 *     B, and the truncation error of its series of order N at most about B (h/R)^N
 *     (disk.h).
 *
 * The second question gives bounds that are far from sharp, and digits are the matter of
 * the first: a sixteenth of them is asked for. The equations of motion are looked at
 * where their own series does not end the step, and in strict runs (reference.h), whose
 * steps may so become several times shorter than needed. The unknowns a, lambda stand
 * there with the values they have at the point; they appear linearly (but for friction),
 * and near a singular configuration they have poles that the motion passes.
 */
#include <math.h>
#include <stdlib.h>

#include "arithmetic/disk.h"
#include "base/memory.h"
#include "taylor.h"

struct watch {
    const struct motion_plan *plan;
    int first;                  /* first output looked at: 0, or f_s to leave out R */
    bool *equations;            /* [slots] rows that R and `frozen` need */
    bool *frozen;               /* [slots] rows of outputs after R, u as at the point */
    bool *moving;               /* [slots] rows of outputs after R, u along the motion */
    bool *uses;                 /* [slots] the row depends on u */
    bool any_moving;            /* some output has rows in `moving` */
    struct disk *w;             /* [slots] values of the last run */
    double *size;               /* [inputs][order + 1] log2 of the coefficients */
    double *scale;              /* [tangent] size of each output along the step */
    bool *bounded;              /* [tangent] a radius R has been found */
};

/* --- set up ------------------------------------------------------------------------- */

static bool is_unknown(int block)
{
    return block == BLOCK_A || block == BLOCK_LAMBDA || block == BLOCK_MU;
}

static void mark(const struct program *program, bool *needed)
{
    for (int i = program->slots - 1; i >= 0; i--) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int o = 0; needed[i] && o < operands; o++)
            needed[operand[o]] = true;
    }
}

static void find_uses(struct watch *watch)
{
    const struct program *program = watch->plan->program;
    for (int i = 0; i < program->inputs; i++)
        watch->uses[program->input[i].slot] = is_unknown(program->input[i].block);
    for (int i = 0; i < program->slots; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int o = 0; o < operands; o++)
            watch->uses[i] = watch->uses[i] || watch->uses[operand[o]];
    }
}

/* True: output o is looked at with u along the motion. */
static bool output_moves(const struct watch *watch, int o)
{
    return o >= watch->plan->f_s && watch->uses[watch->plan->program->output[o]];
}

static struct watch *watch_new(const struct motion_plan *plan, int order)
{
    const struct program *program = plan->program;
    struct watch *watch = memory_new(1, sizeof *watch);
    *watch = (struct watch){.plan = plan};
    watch->equations = memory_new(program->slots, sizeof *watch->equations);
    watch->frozen = memory_new(program->slots, sizeof *watch->frozen);
    watch->moving = memory_new(program->slots, sizeof *watch->moving);
    watch->uses = memory_new(program->slots, sizeof *watch->uses);
    watch->w = memory_new(program->slots, sizeof *watch->w);
    watch->size = memory_new(program->inputs * (order + 1), sizeof *watch->size);
    watch->scale = memory_new(plan->tangent, sizeof *watch->scale);
    watch->bounded = memory_new(plan->tangent, sizeof *watch->bounded);
    find_uses(watch);
    for (int o = 0; o < plan->tangent; o++) {
        bool moves = output_moves(watch, o);
        bool *rows = moves ? watch->moving : watch->frozen;
        watch->any_moving = watch->any_moving || moves;
        (o < plan->f_s ? watch->equations : rows)[program->output[o]] = true;
    }
    mark(program, watch->frozen);
    for (int i = 0; i < program->slots; i++)
        watch->equations[i] = watch->equations[i] || watch->frozen[i];
    mark(program, watch->equations);
    mark(program, watch->moving);
    disk_constants(program, watch->w);
    return watch;
}

void watch_free(struct watch *watch)
{
    if (watch == NULL)
        return;
    free(watch->equations);
    free(watch->frozen);
    free(watch->moving);
    free(watch->uses);
    free(watch->w);
    free(watch->size);
    free(watch->scale);
    free(watch->bounded);
    free(watch);
}

/* --- inputs ------------------------------------------------------------------------- */

/* The series of an input; NULL for time, a parameter or a direction. */
static mpfr_srcptr series_of(const struct taylor *taylor, struct program_input input)
{
    int n = taylor->n, m = taylor->m;
    switch (input.block) {
    case BLOCK_Q:      return taylor_y(taylor, 0, input.index);
    case BLOCK_V:      return taylor_y(taylor, 0, n + input.index);
    case BLOCK_S:      return taylor_y(taylor, 0, 2 * n + input.index);
    case BLOCK_A:      return taylor_u(taylor, 0, input.index);
    case BLOCK_LAMBDA: return taylor_u(taylor, 0, n + input.index);
    case BLOCK_MU:     return taylor_u(taylor, 0, n + m + input.index);
    default:           return NULL;
    }
}

static void load_sizes(struct watch *watch, const struct taylor *taylor)
{
    const struct program *program = watch->plan->program;
    for (int i = 0; i < program->inputs; i++) {
        mpfr_srcptr c = series_of(taylor, program->input[i]);
        double *size = watch->size + i * (taylor->order + 1);
        for (int k = 0; c != NULL && k <= taylor->order; k++)
            size[k] = mp_log2(c + k);
    }
}

/* The sum of |c_k| 2^(k h) over k > 0 */
static double radius(const double *size, int order, double h)
{
    double sum = 0;
    for (int k = 1; k <= order; k++)
        sum += size[k] > -INFINITY ? exp2(size[k] + k * h) : 0;
    return sum;
}

/* The input at t + part 2^h */
static double value_along(mpfr_srcptr c, const double *size, int order, double part,
                          double h)
{
    double sum = mpfr_get_d(c, MPFR_RNDN);
    for (int k = 1; part > 0 && k <= order; k++)
        if (size[k] > -INFINITY)
            sum += mpfr_sgn(c + k) * exp2(size[k] + k * (h + log2(part)));
    return sum;
}

/* Loads all inputs at t + part 2^h, with `disks` as disks that hold the input on |t|
   <= 2^h; with `frozen` the unknowns have radius 0. */
static void load(struct watch *watch, const struct taylor *taylor, double part, double h,
                 bool disks, bool frozen)
{
    const struct program *program = watch->plan->program;
    for (int i = 0; i < program->inputs; i++) {
        struct program_input input = program->input[i];
        const double *size = watch->size + i * (taylor->order + 1);
        mpfr_srcptr c = series_of(taylor, input);
        double x = 0, r = 0;
        if (input.block == BLOCK_RHO)
            x = mpfr_get_d(taylor->rho + input.index, MPFR_RNDN);
        if (input.block == BLOCK_T) {
            x = mpfr_get_d(taylor->t, MPFR_RNDN) + part * exp2(h);
            r = exp2(h);
        }
        if (c != NULL) {
            x = value_along(c, size, taylor->order, part, h);
            r = frozen && is_unknown(input.block) ? 0 : radius(size, taylor->order, h);
        }
        watch->w[input.slot] = disk_number(x);
        watch->w[input.slot].r = disks ? r : 0;
    }
}

/* --- outputs ------------------------------------------------------------------------ */

static void run(struct watch *watch, const struct taylor *taylor, double part, double h,
                bool disks, bool frozen)
{
    const bool *rows = watch->first == 0 ? watch->equations : watch->frozen;
    load(watch, taylor, part, h, disks, frozen);
    disk_run(watch->plan->program, frozen ? rows : watch->moving, watch->w);
}

static void note_scale(struct watch *watch, bool frozen)
{
    for (int o = watch->first; o < watch->plan->tangent; o++)
        if (output_moves(watch, o) != frozen)
            watch->scale[o] = fmax(watch->scale[o],
                                   watch->w[watch->plan->program->output[o]].size);
}

/* Finds the largest magnitude of the terms of each output, at the start, the middle
   and the end of the step. */
static void find_scales(struct watch *watch, const struct taylor *taylor, double h)
{
    for (int o = watch->first; o < watch->plan->tangent; o++)
        watch->scale[o] = 0;
    for (int half = 0; half <= 2; half++)
        for (int moving = 0; moving <= watch->any_moving; moving++) {
            run(watch, taylor, 0.5 * half, h, false, !moving);
            note_scale(watch, !moving);
        }
}

/* Marks the outputs whose truncation error, from their bounds on disks of 2^(h +
   wider), is below 2^tolerance of their scale. True: all outputs are marked. */
static bool note_bounded(struct watch *watch, int order, double tolerance, double wider,
                         bool frozen)
{
    bool all = true;
    for (int o = watch->first; o < watch->plan->tangent; o++) {
        struct disk f = watch->w[watch->plan->program->output[o]];
        if (output_moves(watch, o) == frozen || watch->bounded[o])
            continue;
        double left_out = log2(cabs(f.c) + f.r) - order * wider;
        watch->bounded[o] = left_out <= tolerance + log2(watch->scale[o]) ||
                            !isfinite(watch->scale[o]);
        all = all && watch->bounded[o];
    }
    return all;
}

static bool step_is_bounded(struct watch *watch, const struct taylor *taylor,
                            double tolerance, double h)
{
    static const double wider[] = {1, 0.5, 0.25, 1.5, 2};
    find_scales(watch, taylor, h);
    for (int moving = 0; moving <= watch->any_moving; moving++) {
        bool all = false;
        for (int o = watch->first; o < watch->plan->tangent; o++)
            watch->bounded[o] = false;
        for (size_t i = 0; !all && i < sizeof wider / sizeof *wider; i++) {
            run(watch, taylor, 0, h + wider[i], true, !moving);
            all = note_bounded(watch, taylor->order, tolerance, wider[i], !moving);
        }
        if (!all)
            return false;
    }
    return true;
}

double taylor_watched_size(const struct taylor *taylor, int guard)
{
    const struct watch *watch = taylor->motion->watch;
    return log2(watch->scale[watch->plan->guard + guard]);
}

double taylor_bounded_step(struct taylor *taylor, bool equations, double tolerance,
                           double h)
{
    enum { PASSES = 400 };
    struct motion *motion = taylor->motion;
    if (motion->watch == NULL)
        motion->watch = watch_new(motion->plan, taylor->order);
    motion->watch->first = equations ? 0 : motion->plan->f_s;
    if (motion->watch->first == motion->plan->tangent)
        return h;
    load_sizes(motion->watch, taylor);
    for (int pass = 0; pass < PASSES; pass++) {
        if (step_is_bounded(motion->watch, taylor, tolerance / 16, h))
            return h;
        h -= 0.5;
    }
    return h;
}
