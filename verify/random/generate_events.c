/*
 * generate_events.c - events, their guards placed where the motion gets to.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "program/program.h"
#include "random/maker.h"
#include "run.h"

/* Samples of a run: as many as show the rate of a table that shakes at 60 rad/s. */
enum { SIGHTS = 400 };

/* The motion of the mechanism drawn so far. */
struct sight {
    struct model *model;
    struct trajectory *trajectory;
    double value[DRAW_PARAMETERS], sample[SIGHTS], t_end;
    int first;                          /* index of the first sample of the last arc */
};

static void sight_close(struct sight *sight)
{
    if (sight->trajectory)
        trajectory_free(sight->trajectory);
    model_free(sight->model);
}

static enum status sight_open(struct sight *sight, const struct draw *draw)
{
    struct diagnosis diagnosis = {.t = NAN};
    const char *option[MAX_OPTIONS];
    double t0;
    sight->trajectory = NULL;
    sight->model = draw_model(draw, &diagnosis);
    if (!sight->model)
        slip("draw %s: %s", draw->name, diagnosis.place);
    const struct formulation *formulation = formulation_default(sight->model);
    options_nominal(formulation, option);
    model_nominal_values(sight->model, sight->value, &diagnosis);
    if (model_times(sight->model, sight->value, &t0, &sight->t_end, &diagnosis) != OK)
        return diagnosis.status;
    for (int k = 0; k < SIGHTS; k++)
        sight->sample[k] = t0 + (sight->t_end - t0) * (k + 0.5) / SIGHTS;
    const struct run_request request = {
        .model = sight->model, .formulation = formulation, .option = option,
        .rtol = 1e-8, .atol = 1e-11, .value = sight->value, .t_end = NAN,
        .samples = SIGHTS, .sample = sight->sample, .code = CODE_NEVER,
        .max_steps = 20000, .max_events = 12};
    enum status status = run_once(&request, &sight->trajectory, &diagnosis);
    if (status != OK)
        return status;
    const struct trajectory *got = sight->trajectory;
    double from = got->events > 0 ? got->event[got->events - 1].after.t : t0;
    sight->first = got->samples;
    while (sight->first > 0 && got->sample[sight->first - 1].t > from)
        sight->first--;
    return OK;
}

/* Evaluates a formula along the motion: value [samples of the trajectory]. */
static bool evaluate(const struct sight *sight, const char *text, double *value)
{
    static const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_T] = 1, [BLOCK_Q] = 1, [BLOCK_V] = 1, [BLOCK_S] = 1, [BLOCK_A] = 1,
        [BLOCK_LAMBDA] = 1, [BLOCK_RHO] = 1};
    const struct trajectory *got = sight->trajectory;
    const int *begin = got->columns.begin;
    struct model *branch = model_branch(sight->model);
    formula f = model_read(branch, text, "guard", 0);
    if (!f.tape) {
        model_branch_free(branch);
        return false;
    }
    struct program *program = program_seal(branch->tape, &f, 1, stage);
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    program_load(program, BLOCK_RHO, sight->value, w);
    for (int k = 0; k < got->samples; k++) {
        const double *x = got->sample[k].x;
        program_load_point(program, 0, got->sample[k].t, x + begin[GROUP_Q],
                           x + begin[GROUP_V], x + begin[GROUP_S], w);
        program_load(program, BLOCK_A, x + begin[GROUP_A], w);
        program_load(program, BLOCK_LAMBDA, x + begin[GROUP_LAMBDA], w);
        program_run(program, 1, w);
        value[k] = w[program->output[0]];
    }
    free(w);
    program_free(program);
    model_branch_free(branch);
    return true;
}

/* Adds the terms of a guard but for its constant. */
static void add_guard(struct maker *maker, int e, int mode)
{
    struct draw *draw = maker->draw;
    int i = maker_independent(maker, mode), j = maker_below(maker, draw->n);
    struct text X = maker_q(maker, i), V = maker_v(maker, j);
    struct text b = maker_number(maker, 0.2, 0.8);
    int which = maker_below(maker, 12);
    if (maker_chance(maker, KIND_TIME_GUARD, 0.12)) {
        draw_add(draw, AT_GUARD, e, 0, 0, "t");
        return;
    }
    if (maker_chance(maker, KIND_FORCE_GUARD, 0.15)) {
        bool multiplier = maker->rows[mode] > 0 && maker_toss(maker, 0.5);
        draw_add(draw, AT_GUARD, e, 0, 0, "%s",
                 multiplier ? draw_multiplier[maker_below(maker, maker->rows[mode])]
                            : maker_a(maker, i).is);
        return;
    }
    if (which < 4) {
        draw_add(draw, AT_GUARD, e, 0, 0, "%s", X.is);
    } else if (which < 6) {
        draw_add(draw, AT_GUARD, e, 0, 0, "%s", V.is);
    } else if (which < 8) {
        draw_add(draw, AT_GUARD, e, 0, 0, "%s", X.is);
        draw_add(draw, AT_GUARD, e, 0, 0, "%s*%s", b.is, V.is);
    } else if (which == 8 && draw->ns > 0) {
        draw_add(draw, AT_GUARD, e, 0, 0, "s0");
        draw_add(draw, AT_GUARD, e, 0, 0, "%s*%s", b.is, X.is);
    } else if (which == 9) {
        draw_add(draw, AT_GUARD, e, 0, 0, "%s*%s", X.is, V.is);
        draw_add(draw, AT_GUARD, e, 0, 0, "%s*t", b.is);
    } else {
        draw_add(draw, AT_GUARD, e, 0, 0, "%s", X.is);
        draw_add(draw, AT_GUARD, e, 0, 0, "-%s*%s", b.is,
                 maker_q(maker, maker_below(maker, draw->n)).is);
    }
    if (maker_chance(maker, KIND_FAST_GUARD, 0.2))
        draw_add(draw, AT_GUARD, e, 0, 0, "-%s*sin(%s*t)",
                 maker_number(maker, 0.02, 0.1).is, maker_number(maker, 15, 60).is);
}

/* Chooses a sample at which the guard is to be zero, with a decent rate beside the rates
   of the whole arc; -1: no sample suits. */
static int choose_time(struct maker *maker, const struct sight *sight,
                       const double *value, double *rate)
{
    int first = sight->first, count = sight->trajectory->samples - first;
    double low = INFINITY, high = -INFINITY, size = 0;
    for (int k = first; k < first + count; k++) {
        low = fmin(low, value[k]);
        high = fmax(high, value[k]);
        size = fmax(size, fabs(value[k]));
    }
    if (!(high - low > 1e-4 * size))
        return -1;
    for (int attempt = 0; attempt < 8; attempt++) {
        int k = first + (int)(count * maker_between(maker, 0.15, 0.75));
        if (k < first + 1 || k > first + count - 2)
            continue;
        *rate = value[k + 1] - value[k - 1];
        if (fabs(*rate) * count / 2 > 0.4 * (high - low))
            return k;
    }
    return -1;
}

/* Writes the guard of event e and its direction; false: nothing suits. */
static bool place_guard(struct maker *maker, const struct sight *sight, int e, int mode)
{
    struct draw *draw = maker->draw;
    double *value = memory_new(sight->trajectory->samples, sizeof *value), rate = 0;
    char text[DRAW_FORMULA];
    add_guard(maker, e, mode);
    draw_formula(draw, draw_find(draw, AT_GUARD, e, -1), text, sizeof text);
    int k = evaluate(sight, text, value) ? choose_time(maker, sight, value, &rate) : -1;
    if (k >= 0) {
        struct text c = maker_value(maker, value[k]);
        draw_add(draw, AT_GUARD, e, 0, 0, "-%s", c.is);
        draw->event[e].direction = maker_toss(maker, 0.4) ? EITHER
                                   : rate > 0             ? RISING : FALLING;
    }
    free(value);
    return k >= 0;
}

static void event_costs(struct maker *maker, int e)
{
    struct draw *draw = maker->draw;
    for (int k = 0; k < draw->nz; k++) {
        int i = maker_below(maker, draw->n);
        if (maker_toss(maker, 0.3))
            draw_add(draw, AT_COST, e, k, 0, "%s*%s", maker_v(maker, i).is,
                     maker_q(maker, i).is);
        if (maker_toss(maker, 0.2))
            draw_add(draw, AT_COST, e, k, 0, "v%s_plus*v%s_plus%s%s",
                     draw->coordinate[i], draw->coordinate[i], maker_per(maker, i).is,
                     maker_per(maker, i).is);
    }
}

/* Adds an event of the mode in which the motion ends; false: none was found. */
static bool add_event(struct maker *maker, const struct sight *sight)
{
    struct draw *draw = maker->draw;
    const struct trajectory *got = sight->trajectory;
    int e = draw->events, mode = got->sample[got->samples - 1].mode->index;
    draw->event[e] = (struct drawn_event){.from = mode, .to = mode};
    draw->events++;
    if (!place_guard(maker, sight, e, mode) || !maker_reset(maker, e))
        return false;
    event_costs(maker, e);
    return true;
}

/* Adds events. One that makes the motion refused is mostly taken back, but not always:
   whether all agree on the refusal is a question, too. */
void maker_events(struct maker *maker, int events)
{
    struct maker before = *maker;
    struct draw *last = memory_new(1, sizeof *last);
    *last = *maker->draw;
    struct sight sight;
    bool keep = true;
    for (int attempt = 0; keep && attempt < 3 * events; attempt++) {
        int made = maker->draw->events;
        enum status status = sight_open(&sight, maker->draw);
        if (status != OK && made > 0 && !maker_toss(maker, 0.05)) {
            uint64_t state = maker->state;
            *maker->draw = *last;
            *maker = before;
            maker->state = state;
        } else {
            keep = status == OK && made < events &&
                   !(made > 0 && maker->draw->event[made - 1].terminal) &&
                   sight.trajectory->samples - sight.first > SIGHTS / 6;
            before = *maker;
            *last = *maker->draw;
            if (keep && !add_event(maker, &sight)) {
                uint64_t state = maker->state;
                *maker->draw = *last;
                *maker = before;
                maker->state = state;
            }
        }
        sight_close(&sight);
    }
    /* nobody has looked at the last event */
    enum status status = sight_open(&sight, maker->draw);
    if (status != OK && !maker_toss(maker, 0.05))
        *maker->draw = *last;
    sight_close(&sight);
    draw_settle(maker->draw);
    free(last);
}
