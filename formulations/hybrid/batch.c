/*
 * batch.c - runs of one request beside each other, each with a runner of its own. What one
 * step after the other is made of in a single run (arcs.c), is done here for all of them;
 * only the steps themselves are made together, of those in the same mode.
 */
#include <stdlib.h>

#include "formula/memory.h"
#include "fused_lanes.h"
#include "hybrid/hybrid.h"
#include "integrate/pair_lanes.h"
#include "lanes.h"

/* So few cost less one by one. */
enum { FEW = 5 };

/* The steps in one mode. */
struct together_in {
    struct fused_lanes *rates;      /* NULL: not compiled (yet) */
    struct pair_lanes *pair;
    bool sought;                    /* in the cache */
    struct rental rental;           /* of steps one by one */
};

struct lane {
    struct runner *runner;          /* NULL before its first run */
    bool same;                      /* its programs are those of the first */
    struct hybrid core;
    struct batch_run *run;          /* that it is in, or NULL */
};

struct batch {
    struct run_request request;
    double *value;                  /* [model->p] with which the first runner was made */
    int lanes;
    enum code_use code;
    long steps;                     /* made in lanes */
    struct lane lane[LANES];
    struct together_in *mode;       /* [model->modes] */
};

static int lanes_wanted(int lanes)
{
    const char *text = lanes > 0 ? NULL : getenv("SALTUS_LANES");
    long wanted = text ? strtol(text, NULL, 10) : lanes;
    return wanted >= 1 && wanted < LANES ? (int)wanted : LANES;
}

struct batch *batch_new(const struct run_request *request, int lanes)
{
    struct batch *batch = memory_new(1, sizeof *batch);
    batch->request = *request;
    batch->lanes = lanes_wanted(lanes);
    batch->code = runner_code(request);
    batch->mode = memory_new(request->model->modes, sizeof *batch->mode);
    return batch;
}

void batch_free(struct batch *batch)
{
    if (!batch)
        return;
    for (int l = 0; l < LANES; l++)
        runner_free(batch->lane[l].runner);
    for (int k = 0; k < batch->request.model->modes; k++) {
        fused_lanes_free(batch->mode[k].rates);
        pair_lanes_free(batch->mode[k].pair);
    }
    free(batch->mode);
    free(batch->value);
    free(batch);
}

long batch_steps_in_lanes(const struct batch *batch)
{
    return batch->steps;
}

/* --- a run begins and ends ---------------------------------------------------------- */

static bool same_programs(const struct system *one, const struct system *other)
{
    for (int k = 0; k < one->model->modes; k++) {
        const struct fused *a = one->mode[k].fused, *b = other->mode[k].fused;
        if (a && !(b && fused_is_same(a, b)))
            return false;
    }
    return true;
}

/* All runners are made with the values with which the first could be. */
static enum status open_runner(struct batch *batch, struct lane *lane,
                               struct batch_run *run)
{
    struct run_request *request = &batch->request;
    if (lane->runner)
        return OK;
    request->value = batch->value ? batch->value : run->value;
    lane->runner = runner_new(request, &run->diagnosis);
    if (!lane->runner)
        return run->diagnosis.status;
    if (!batch->value) {
        batch->value = memory_new(request->model->p, sizeof *batch->value);
        memory_copy(batch->value, run->value, request->model->p, sizeof *batch->value);
    }
    lane->same = batch->lane[0].runner &&
                 same_programs(runner_system(batch->lane[0].runner),
                               runner_system(lane->runner));
    return OK;
}

static void finish(struct lane *lane, enum status status)
{
    lane->run->status = status;
    lane->run->trajectory = lane->core.out;
    runner_end(&lane->core);
    lane->run = NULL;
}

/* The lane takes the run, unless it is over already. */
static void begin(struct batch *batch, struct lane *lane, struct batch_run *run)
{
    run->diagnosis = (struct diagnosis){.t = NAN};
    run->trajectory = NULL;
    run->status = open_runner(batch, lane, run);
    if (run->status != OK)
        return;
    lane->run = run;
    enum status status = runner_begin(lane->runner, run->value, run->sample, &lane->core,
                                      &run->diagnosis);
    if (status != OK)
        finish(lane, status);
}

/* The next run in this lane that wants a step; false: there are no more. */
static bool has_step(struct batch *batch, struct lane *lane, struct batch_run **next,
                     const struct batch_run *end)
{
    for (;;) {
        if (lane->run && hybrid_wants_step(&lane->core))
            return true;
        if (lane->run)
            finish(lane, hybrid_end(&lane->core));
        if (*next == end)
            return false;
        begin(batch, lane, (*next)++);
    }
}

/* --- steps -------------------------------------------------------------------------- */

static void step_alone(struct lane *lane)
{
    struct tried tried = hybrid_try(&lane->core);
    hybrid_stepped(&lane->core, &tried);
}

/* Is the next step one of a Runge-Kutta pair, by the program solved beforehand alone? */
static bool can_join(const struct lane *lane)
{
    const struct system *system = lane->core.system;
    const struct projection *projection = system->formulation->projection;
    const struct mode_system *ms = system->now;
    return lane->run && lane->same && lane->core.integrator->pair && ms->fused &&
           ms->fused->trusted && !(ms->projecting && projection->every_evaluation);
}

/* Looked for at once, and compiled then or when that is worth it. */
static bool have_code(const struct batch *batch, struct together_in *mode,
                      const struct lane *lane)
{
    const struct fused *fused = lane->core.system->now->fused;
    if (!mode->sought) {
        mode->sought = true;
        fused_lanes_rental(fused, &mode->rental);
        bool at_once = rental_use(&mode->rental, batch->code);
        if (batch->code != CODE_NEVER)
            mode->rates = fused_lanes_new(fused, at_once);
    }
    if (mode->rates && !mode->pair)
        mode->pair = pair_lanes_new(lane->core.integrator->pair, lane->core.system->dim);
    return mode->rates != NULL;
}

static void rates(void *context, const double *t, const double *x, double *dx)
{
    fused_lanes_evaluate(context, t, x, dx);
}

/* Where the last step of a lane does not leave it, x is put. */
static void place(struct together_in *mode, int l, struct lane *lane)
{
    struct hybrid *core = &lane->core;
    if (!core->course.fresh && pair_lanes_has(mode->pair, core->method))
        return;
    pair_lanes_put(mode->pair, l, core->method, core->t, core->x, core->dx);
    fused_lanes_enter(mode->rates, l, core->system->now->fused);
    core->course.fresh = false;
}

/* The runs that join, lane by lane: what the step needs of them. NULL, 0: another lane. */
struct joined {
    struct control *control[LANES];
    double *x_new[LANES], *dx_new[LANES];
    double t[LANES], h[LANES], error[LANES];
    struct hybrid *any;
};

static void join(struct joined *joined, int l, struct hybrid *core)
{
    joined->any = core;
    joined->control[l] = &core->control;
    joined->x_new[l] = core->x_new;
    joined->dx_new[l] = core->dx_new;
    joined->t[l] = core->t;
    joined->h[l] = core->course.h;
}

/* As hybrid_try leaves them. */
static void try_together(struct together_in *mode, struct joined *joined)
{
    const struct control *like = &joined->any->control;
    const struct ode_lanes ode = {.rhs = rates, .context = mode->rates};
    pair_lanes_step(mode->pair, &ode, joined->t, joined->h);
    control_error_lanes(joined->control, like->groups, like->begin,
                        joined->any->integrator, pair_lanes_end(mode->pair),
                        pair_lanes_errors(mode->pair), joined->error);
    pair_lanes_take(mode->pair, joined->x_new, joined->dx_new);
}

static void step_together(struct batch *batch, struct together_in *mode, const bool *joins)
{
    struct joined joined = {.any = NULL};
    for (int l = 0; l < LANES; l++) {
        if (!joins[l]) {
            pair_lanes_clear(mode->pair, l);
            continue;
        }
        place(mode, l, &batch->lane[l]);
        join(&joined, l, &batch->lane[l].core);
    }
    try_together(mode, &joined);
    for (int l = 0; l < LANES; l++)
        if (joins[l]) {
            struct hybrid *core = &batch->lane[l].core;
            const struct tried tried = {.status = OK, .error = joined.error[l]};
            fused_lanes_leave(mode->rates, l, core->system->now->fused);
            core->system->evaluations += core->integrator->evaluations;
            batch->steps++;
            hybrid_stepped(core, &tried);
        }
}

/* So many lanes make a step one by one that could be made together. */
static void spend(struct together_in *mode, int lanes, const struct lane *any)
{
    const struct fused *fused = any->core.system->now->fused;
    double evaluations = lanes * any->core.integrator->evaluations;
    double rows = evaluations * fused_lanes_saved(fused);
    if (rental_spend(&mode->rental, rows) == RENTAL_MAKE)
        mode->rates = fused_lanes_new(fused, true);
}

/* One step of each lane that is in this mode. */
static void step_mode(struct batch *batch, int k, bool *wants)
{
    struct together_in *mode = &batch->mode[k];
    bool joins[LANES] = {false};
    int count = 0, any = 0;
    for (int l = 0; l < batch->lanes; l++) {
        joins[l] = wants[l] && batch->lane[l].core.system->now->mode->index == k &&
                   can_join(&batch->lane[l]);
        count += joins[l];
        any = joins[l] ? l : any;
    }
    if (count < FEW)
        return;
    if (!have_code(batch, mode, &batch->lane[any])) {
        spend(mode, count, &batch->lane[any]);
        return;
    }
    step_together(batch, mode, joins);
    for (int l = 0; l < LANES; l++)
        wants[l] = wants[l] && !joins[l];
}

void batch_run(struct batch *batch, struct batch_run *run, int count)
{
    struct batch_run *next = run;
    for (;;) {
        bool wants[LANES] = {false}, any = false;
        for (int l = 0; l < batch->lanes; l++) {
            wants[l] = has_step(batch, &batch->lane[l], &next, run + count);
            any = any || wants[l];
        }
        if (!any)
            return;
        for (int k = 0; batch->lanes >= FEW && k < batch->request.model->modes; k++)
            step_mode(batch, k, wants);
        for (int l = 0; l < batch->lanes; l++)
            if (wants[l])
                step_alone(&batch->lane[l]);
    }
}
