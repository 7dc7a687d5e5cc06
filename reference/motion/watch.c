/*
 * watch.c - analyticity along a step: bounds by Cauchy's estimate on how far the series
 * of guards, costs, rates, the equations of motion, and their derivatives carry.
 *
 * A motion may be smoother than the formulas evaluated along it. Free flight is a
 * polynomial, its series ends, and steps are as long as one likes; the guard sin(w t) - y
 * is not, nor is sqrt(x^2 + y^2) - R, and tanh(y/d) does not show in N coefficients, far
 * from y = 0, that it has a pole beside the real axis. A force that depends on time can
 * be a pulse that no coefficient has before it, and its derivatives can be one where its
 * amplitude is zero. So two questions are put to every step of length h:
 *
 *   - are the last terms of each guard's series small beside the guard? Costs and rates
 *     are integrated: their last terms are those of the state (step.c).
 *   - is each formula, and its derivative along each direction, analytic and bounded on
 *     |t| <= R, for an R > h? There it is at most B, and the truncation error of its
 *     series of order N at most about B (h/R)^N (disk.h).
 *
 * The second question gives bounds that are far from sharp, and digits are the matter of
 * the first and of the defect at the end of the step (defect.c): a sixteenth of them is
 * asked for. The unknowns a, lambda stand in the equations of motion with the values they
 * have at the point; they appear linearly (but for friction), and near a singular
 * configuration they have poles that the motion passes.
 */
#include <math.h>
#include <stdlib.h>

#include "arithmetic/disk.h"
#include "base/memory.h"
#include "taylor.h"

/* How the unknowns u = (a, lambda, mu) are taken: R and outputs without u have them as at
   the point, other outputs along the motion. */
enum unknowns { FROZEN, MOVING, KINDS };

struct watch {
    const struct motion_plan *plan;
    int lanes, order;
    bool *rows[KINDS];          /* [slots] rows that the outputs of a kind need */
    bool *slopes[KINDS];        /* [slots] rows along a direction that their derivatives
                                   need, too */
    bool *uses;                 /* [slots] the row depends on u */
    bool any[KINDS];            /* there are outputs of the kind */
    struct disk *w;             /* [slots] values of the last run */
    double *size;               /* [lanes][inputs][order + 1] log2 of the coefficients */
    double *scale;              /* [lanes][tangent] size of each output, or of its
                                   derivative, along the step */
    bool *bounded;              /* [lanes][tangent] a radius R has been found */
};

/* --- set up ------------------------------------------------------------------------- */

static bool is_direction(int block)
{
    return block >= TANGENT(BLOCK_T);
}

static int value_block(int block)
{
    return is_direction(block) ? block - TANGENT(BLOCK_T) : block;
}

static bool is_unknown(int block)
{
    int value = value_block(block);
    return value == BLOCK_A || value == BLOCK_LAMBDA || value == BLOCK_MU;
}

static void mark(const struct program *program, bool *needed)
{
    for (int i = program->slots - 1; i >= 0; i--) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int o = 0; needed[i] && o < operands; o++)
            needed[operand[o]] = true;
    }
}

/* Marks the rows that depend on the inputs of the blocks for which `is_one` holds. */
static void find_uses(const struct program *program, bool (*is_one)(int block),
                      bool *uses)
{
    for (int i = 0; i < program->inputs; i++)
        uses[program->input[i].slot] = is_one(program->input[i].block);
    for (int i = 0; i < program->slots; i++) {
        int operand[3], operands = program_operands(&program->row[i], operand);
        for (int o = 0; o < operands; o++)
            uses[i] = uses[i] || uses[operand[o]];
    }
}

static enum unknowns kind_of(const struct watch *watch, int o)
{
    bool moves = o >= watch->plan->f_s && watch->uses[watch->plan->program->output[o]];
    return moves ? MOVING : FROZEN;
}

/* The slot of an output in lane 0, of its derivative in another. */
static int output_slot(const struct watch *watch, int lane, int o)
{
    return watch->plan->program->output[lane > 0 ? watch->plan->tangent + o : o];
}

/* Marks the rows of a kind, those of derivatives apart: they are evaluated in each lane,
   on the values of the others. */
static void mark_kind(struct watch *watch, enum unknowns kind, const bool *directed)
{
    const struct program *program = watch->plan->program;
    bool *rows = watch->rows[kind], *slopes = watch->slopes[kind];
    for (int o = 0; o < watch->plan->tangent; o++) {
        if (kind_of(watch, o) != kind)
            continue;
        watch->any[kind] = true;
        rows[output_slot(watch, 0, o)] = true;
        if (watch->lanes > 1)
            rows[output_slot(watch, 1, o)] = true;
    }
    mark(program, rows);
    for (int i = 0; i < program->slots; i++) {
        slopes[i] = rows[i] && directed[i];
        rows[i] = rows[i] && !directed[i];
    }
}

static struct watch *watch_new(const struct motion_plan *plan, int lanes, int order)
{
    const struct program *program = plan->program;
    struct watch *watch = memory_new(1, sizeof *watch);
    *watch = (struct watch){.plan = plan, .lanes = lanes, .order = order};
    watch->uses = memory_new(program->slots, sizeof *watch->uses);
    watch->w = memory_new(program->slots, sizeof *watch->w);
    watch->size = memory_new(lanes * program->inputs * (order + 1), sizeof *watch->size);
    watch->scale = memory_new(lanes * plan->tangent, sizeof *watch->scale);
    watch->bounded = memory_new(lanes * plan->tangent, sizeof *watch->bounded);
    bool *directed = memory_new(program->slots, sizeof *directed);
    find_uses(program, is_unknown, watch->uses);
    find_uses(program, is_direction, directed);
    for (enum unknowns kind = FROZEN; kind < KINDS; kind++) {
        watch->rows[kind] = memory_new(program->slots, sizeof *watch->rows[kind]);
        watch->slopes[kind] = memory_new(program->slots, sizeof *watch->slopes[kind]);
        mark_kind(watch, kind, directed);
    }
    free(directed);
    disk_constants(program, watch->w);
    return watch;
}

void watch_free(struct watch *watch)
{
    if (watch == NULL)
        return;
    for (enum unknowns kind = FROZEN; kind < KINDS; kind++) {
        free(watch->rows[kind]);
        free(watch->slopes[kind]);
    }
    free(watch->uses);
    free(watch->w);
    free(watch->size);
    free(watch->scale);
    free(watch->bounded);
    free(watch);
}

/* --- inputs ------------------------------------------------------------------------- */

/* The series of an input in a lane; NULL for time, a parameter or its direction. */
static mpfr_srcptr series_of(const struct taylor *taylor, int lane,
                             struct program_input input)
{
    int n = taylor->n, m = taylor->m;
    switch (value_block(input.block)) {
    case BLOCK_Q: return taylor_y(taylor, lane, input.index);
    case BLOCK_V: return taylor_y(taylor, lane, n + input.index);
    case BLOCK_S: return taylor_y(taylor, lane, 2 * n + input.index);
    case BLOCK_A: return taylor_u(taylor, lane, input.index);
    case BLOCK_LAMBDA: return taylor_u(taylor, lane, n + input.index);
    case BLOCK_MU: return taylor_u(taylor, lane, n + m + input.index);
    default: return NULL;
    }
}

/* True: the input is loaded in that lane, values in lane 0, directions in the others. */
static bool is_of_lane(struct program_input input, int lane)
{
    return is_direction(input.block) == (lane > 0);
}

static double *sizes_of(const struct watch *watch, int lane, int input)
{
    return watch->size +
           ((ptrdiff_t)lane * watch->plan->program->inputs + input) * (watch->order + 1);
}

static void load_sizes(struct watch *watch, const struct taylor *taylor)
{
    const struct program *program = watch->plan->program;
    for (int lane = 0; lane < watch->lanes; lane++)
        for (int i = 0; i < program->inputs; i++) {
            mpfr_srcptr c = is_of_lane(program->input[i], lane)
                                ? series_of(taylor, lane, program->input[i])
                                : NULL;
            double *size = sizes_of(watch, lane, i);
            for (int k = 0; c != NULL && k <= watch->order; k++)
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

/* Where inputs are loaded: at t + part 2^h, as disks that hold them on |t| <= 2^h, or as
   numbers. */
struct place {
    double part, h;
    bool disks;
};

/* The disk of an input that has a series c, or of time, a parameter or a direction of
   one. */
static struct disk input_disk(const struct watch *watch, const struct taylor *taylor,
                              int lane, int input, struct place place, enum unknowns kind)
{
    struct program_input at = watch->plan->program->input[input];
    const double *size = sizes_of(watch, lane, input);
    mpfr_srcptr c = series_of(taylor, lane, at);
    double x = 0, r = 0;
    if (at.block == BLOCK_RHO)
        x = mpfr_get_d(taylor->rho + at.index, MPFR_RNDN);
    if (at.block == TANGENT(BLOCK_RHO))
        x = mpfr_get_d(taylor->unit + (lane - 1) * taylor->model->p + at.index,
                       MPFR_RNDN);
    if (at.block == BLOCK_T) {
        x = mpfr_get_d(taylor->t, MPFR_RNDN) + place.part * exp2(place.h);
        r = exp2(place.h);
    }
    if (c != NULL) {
        x = value_along(c, size, watch->order, place.part, place.h);
        r = kind == FROZEN && is_unknown(at.block) ? 0
                                                   : radius(size, watch->order, place.h);
    }
    struct disk disk = disk_number(x);
    disk.r = place.disks ? r : 0;
    return disk;
}

/* Evaluates the outputs of a kind in a lane; lane 0 first, on whose values the others
   rest. */
static void run(struct watch *watch, const struct taylor *taylor, int lane,
                struct place place, enum unknowns kind)
{
    const struct program *program = watch->plan->program;
    for (int i = 0; i < program->inputs; i++)
        if (is_of_lane(program->input[i], lane))
            watch->w[program->input[i].slot] = input_disk(watch, taylor, lane, i, place,
                                                          kind);
    disk_run(program, lane > 0 ? watch->slopes[kind] : watch->rows[kind], watch->w);
}

/* --- outputs ------------------------------------------------------------------------ */

/* Raises the scales of the outputs of a kind in a lane to the magnitude of their terms as
   run last. */
static void note_scale(struct watch *watch, int lane, enum unknowns kind)
{
    double *scale = watch->scale + lane * watch->plan->tangent;
    for (int o = 0; o < watch->plan->tangent; o++)
        if (kind_of(watch, o) == kind)
            scale[o] = fmax(scale[o], watch->w[output_slot(watch, lane, o)].size);
}

/* Raises the scales of derivatives to those of the values, 2^reach[lane - 1] below: what
   is less is rounding where a derivative is zero in truth. */
static void raise_scales(struct watch *watch, const double *reach)
{
    int outputs = watch->plan->tangent;
    for (int lane = 1; lane < watch->lanes; lane++)
        for (int o = 0; o < outputs; o++)
            watch->scale[lane * outputs + o] = fmax(watch->scale[lane * outputs + o],
                                                    watch->scale[o] *
                                                        exp2(-reach[lane - 1]));
}

/* Finds the largest magnitude of the terms of each output, at the start, the middle
   and the end of the step. */
static void find_scales(struct watch *watch, const struct taylor *taylor,
                        const double *reach, double h)
{
    for (int o = 0; o < watch->lanes * watch->plan->tangent; o++)
        watch->scale[o] = 0;
    for (int half = 0; half <= 2; half++)
        for (enum unknowns kind = FROZEN; kind < KINDS; kind++)
            for (int lane = 0; watch->any[kind] && lane < watch->lanes; lane++) {
                run(watch, taylor, lane, (struct place){0.5 * half, h, false}, kind);
                note_scale(watch, lane, kind);
            }
    raise_scales(watch, reach);
}

/* Marks the outputs of a lane whose truncation error, from their bounds on disks of
   2^(h + wider), is below 2^tolerance of their scale. True: all of the kind are
   marked. */
static bool note_bounded(struct watch *watch, int lane, double tolerance, double wider,
                         enum unknowns kind)
{
    bool all = true;
    for (int o = 0; o < watch->plan->tangent; o++) {
        int at = lane * watch->plan->tangent + o;
        struct disk f = watch->w[output_slot(watch, lane, o)];
        if (kind_of(watch, o) != kind || watch->bounded[at])
            continue;
        double left_out = log2(cabs(f.c) + f.r) - watch->order * wider;
        watch->bounded[at] = left_out <= tolerance + log2(watch->scale[at]) ||
                             !isfinite(watch->scale[at]);
        all = all && watch->bounded[at];
    }
    return all;
}

/* True: the outputs of a kind are bounded, in all lanes, on disks of 2^(h + wider) or on
   those tried before. */
static bool kind_is_bounded(struct watch *watch, const struct taylor *taylor,
                            double tolerance, double h, double wider, enum unknowns kind)
{
    bool all = true;
    for (int lane = 0; lane < watch->lanes; lane++) {
        run(watch, taylor, lane, (struct place){0, h + wider, true}, kind);
        all = note_bounded(watch, lane, tolerance, wider, kind) && all;
    }
    return all;
}

static bool step_is_bounded(struct watch *watch, const struct taylor *taylor,
                            const double *reach, double tolerance, double h)
{
    static const double wider[] = {1, 0.5, 0.25, 1.5, 2};
    find_scales(watch, taylor, reach, h);
    for (int o = 0; o < watch->lanes * watch->plan->tangent; o++)
        watch->bounded[o] = false;
    for (enum unknowns kind = FROZEN; kind < KINDS; kind++) {
        bool all = !watch->any[kind];
        for (size_t i = 0; !all && i < sizeof wider / sizeof *wider; i++)
            all = kind_is_bounded(watch, taylor, tolerance, h, wider[i], kind);
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

double taylor_bounded_step(struct taylor *taylor, const double *reach, double tolerance,
                           double h)
{
    enum { PASSES = 400 };
    struct motion *motion = taylor->motion;
    if (motion->watch == NULL)
        motion->watch = watch_new(motion->plan, taylor->lanes, taylor->order);
    load_sizes(motion->watch, taylor);
    for (int pass = 0; pass < PASSES; pass++) {
        if (step_is_bounded(motion->watch, taylor, reach, tolerance / 16, h))
            return h;
        h -= 0.5;
    }
    return h;
}
