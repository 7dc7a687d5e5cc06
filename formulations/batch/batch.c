/*
 * batch.c - ensemble integration: runs of one request beside each other in SIMD lanes,
 * each run with a runner of its own.
 *
 * The event loop of drive.c is run through here for all of them. Runs in the same mode
 * make their steps together (erk_lanes.h). A step without an event leaves its run in the
 * lane (batch_accept.h); each run handles its events and everything else by itself.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/underflow.h"
#include "batch/batch_accept.h"
#include "events/faults.h"
#include "explicit/explicit_lanes.h"

/* A step in lanes takes as long as two or three alone: fewer runs make theirs alone. */
enum { FEW = 3 };

/* The lanes of one mode. */
struct batch_members {
    struct explicit_lanes *rates;   /* NULL: not compiled, or not yet */
    struct batch_accept *accept;
    struct erk_lanes *pair;
    struct accept_steps steps;
    bool sought;                    /* code has been looked for in the cache */
    struct tier_up tier_up;         /* cost of steps made one by one so far */
    bool set[LANES];                /* the lane has the parameters of its run */
};

struct lane {
    struct runner *runner;          /* NULL before its first run */
    bool same;                      /* its programs are those of the first lane */
    struct hybrid core;
    struct batch_run *run;          /* the run in progress; NULL: none */
    bool entered;                   /* the mode's lane is where `core` is, or further */
    bool away;                      /* the lane is further: it alone has the state */
    int in;                         /* mode in whose lane the state is */
    long untold;                    /* number of accepted steps that `core` has not been
                                       told, nor the next one, which the lane proposes; 0:
                                       `core` knows all */
};

struct batch {
    struct run_request request;
    unsigned faults;                /* of every run (faults.h) */
    double *value;                  /* [model->p] values of the first runner */
    int lanes;
    enum code_use code;
    long steps;                     /* number of steps made in lanes */
    struct lane lane[LANES];
    struct batch_members *mode;     /* [model->modes] */
    struct arena arena;             /* of all arrays */
};

static int lanes_wanted(int lanes)
{
    const char *text = lanes > 0 ? NULL : getenv("SALTUS_LANES");
    long wanted = text ? strtol(text, NULL, 10) : lanes;
    return wanted >= 1 && wanted < LANES ? (int)wanted : LANES;
}

struct batch *batch_new_with_faults(const struct run_request *request, int lanes,
                                    unsigned faults)
{
    struct batch *batch = memory_new(1, sizeof *batch);
    batch->request = *request;
    batch->faults = faults;
    batch->lanes = lanes_wanted(lanes);
    batch->code = runner_code(request);
    batch->mode = arena_new(&batch->arena, request->model->modes, sizeof *batch->mode);
    return batch;
}

struct batch *batch_new(const struct run_request *request, int lanes)
{
    return batch_new_with_faults(request, lanes, 0);
}

void batch_free(struct batch *batch)
{
    if (!batch)
        return;
    for (int l = 0; l < LANES; l++)
        runner_free(batch->lane[l].runner);
    for (int k = 0; k < batch->request.model->modes; k++) {
        explicit_lanes_free(batch->mode[k].rates);
        batch_accept_free(batch->mode[k].accept);
        erk_lanes_free(batch->mode[k].pair);
    }
    arena_free(&batch->arena);
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
        const struct explicit_rhs *a = one->mode[k].explicit_rhs,
                                  *b = other->mode[k].explicit_rhs;
        if (a && !(b && explicit_rhs_is_same(a, b)))
            return false;
    }
    return true;
}

/* Makes a runner with the values with which the first runner could be made. */
static enum status open_runner(struct batch *batch, struct lane *lane,
                               struct batch_run *run)
{
    struct run_request *request = &batch->request;
    if (lane->runner)
        return OK;
    request->value = batch->value ? batch->value : run->value;
    lane->runner = runner_new_with_faults(request, batch->faults, &run->diagnosis);
    if (!lane->runner)
        return run->diagnosis.status;
    if (!batch->value) {
        batch->value = arena_new(&batch->arena, request->model->p,
                                 sizeof *batch->value);
        memory_copy(batch->value, run->value, request->model->p, sizeof *batch->value);
    }
    lane->same = batch->lane[0].runner &&
                 same_programs(runner_system(batch->lane[0].runner),
                               runner_system(lane->runner));
    return OK;
}

/* Tells the run how far its lane has come. */
static void tell(const struct batch *batch, struct lane *lane)
{
    struct hybrid *core = &lane->core;
    if (lane->untold == 0)
        return;
    batch_accept_tell(&batch->mode[lane->in].steps, (int)(lane - batch->lane),
                      lane->untold, core);
    lane->untold = 0;
}

/* Fetches the run back from its lane. */
static void fetch(struct batch *batch, struct lane *lane)
{
    struct hybrid *core = &lane->core;
    const struct batch_members *mode = &batch->mode[lane->in];
    int l = (int)(lane - batch->lane);
    if (lane->away) {
        tell(batch, lane);
        batch_accept_leave(mode->accept, l, core);
        erk_lanes_take_end(mode->pair, l, core->x, core->dx);
    }
    lane->entered = lane->away = false;
}

static void finish(struct lane *lane, enum status status)
{
    lane->run->status = status;
    lane->run->trajectory = lane->core.out;
    runner_end(&lane->core);
    lane->run = NULL;
}

/* Starts a run in the lane; a run that is refused is over at once. */
static void begin(struct batch *batch, struct lane *lane, struct batch_run *run)
{
    run->diagnosis = (struct diagnosis){.t = NAN};
    run->trajectory = NULL;
    run->status = open_runner(batch, lane, run);
    if (run->status != OK)
        return;
    lane->run = run;
    for (int k = 0; k < batch->request.model->modes; k++)
        batch->mode[k].set[lane - batch->lane] = false;
    enum status status = runner_begin(lane->runner, run->value, run->sample, &lane->core,
                                      &run->diagnosis);
    if (status != OK)
        finish(lane, status);
}

/* Has the lane a run that wants a step, the present one or the next? False: no run is
   left. */
static bool has_step(struct batch *batch, struct lane *lane, struct batch_run **next,
                     const struct batch_run *end)
{
    for (;;) {
        if (lane->untold > 0 || (lane->run && hybrid_wants_step(&lane->core)))
            return true;
        if (lane->run) {
            fetch(batch, lane);
            finish(lane, hybrid_end(&lane->core));
        }
        if (*next == end)
            return false;
        begin(batch, lane, (*next)++);
    }
}

/* --- steps -------------------------------------------------------------------------- */

static void step_alone(struct batch *batch, struct lane *lane)
{
    fetch(batch, lane);
    struct tried tried = hybrid_try(&lane->core);
    hybrid_stepped(&lane->core, &tried);
}

/* Is the next step one of a Runge-Kutta pair in mode k, by the program solved beforehand
   alone? A step after one that was accepted in the lane is. */
static bool can_join(const struct lane *lane, int k)
{
    const struct system *system = lane->core.system;
    if (lane->away)
        return lane->in == k;
    const struct projection *projection = system->formulation->projection;
    const struct mode_system *ms = system->now;
    return ms->mode->index == k && lane->same && lane->core.integrator->pair &&
           ms->explicit_rhs && ms->explicit_rhs->trusted &&
           !ms->explicit_rhs->iterates && ms->explicit_rhs->dependent == 0 &&
           !(ms->projecting && projection->every_evaluation);
}

static void make_code(struct batch_members *mode, const struct hybrid *like, bool made)
{
    const struct explicit_rhs *explicit_rhs = like->system->now->explicit_rhs;
    mode->rates = explicit_lanes_new(explicit_rhs, made);
    mode->accept = mode->rates ? batch_accept_new(like, made) : NULL;
    if (!mode->accept) {
        explicit_lanes_free(mode->rates);
        mode->rates = NULL;
        return;
    }
    mode->pair = erk_lanes_new(like->integrator->pair, like->system->dim);
    mode->steps = (struct accept_steps){.made = mode->pair, .pivot = mode->rates->pivot};
}

/* Looks for code at once, and compiles it then or when compiling is worth its time. */
static bool have_code(const struct batch *batch, struct batch_members *mode,
                      const struct hybrid *like)
{
    if (!mode->sought) {
        mode->sought = true;
        explicit_rhs_tier_up(like->system->now->explicit_rhs, &mode->tier_up);
        bool at_once = tier_up_use(&mode->tier_up, batch->code);
        if (batch->code != CODE_NEVER)
            make_code(mode, like, at_once);
    }
    return mode->rates != NULL;
}

static void rates(void *context, const double *t, const double *x, double *dx)
{
    explicit_lanes_evaluate(context, t, x, dx);
}

/* Gives the lane the data of its run that it does not have. */
static void place(struct batch_members *mode, int l, struct lane *lane)
{
    struct hybrid *core = &lane->core;
    if (lane->away)
        return;
    if (!mode->set[l]) {
        mode->set[l] = true;
        explicit_lanes_enter(mode->rates, l, core->system->now->explicit_rhs);
        batch_accept_put(mode->accept, l, core);
    }
    if (core->step.fresh || !erk_lanes_has(mode->pair, core->method)) {
        erk_lanes_put(mode->pair, l, core->method, core->t, core->x, core->dx);
        core->step.fresh = lane->entered = false;
    }
    if (!lane->entered)
        batch_accept_enter(mode->accept, l, core);
    lane->entered = true;
    lane->in = core->system->now->mode->index;
}

/* Lets the controller of an accepted step choose the length of the next. */
static void control(struct accept_steps *steps, int l, struct lane *lane)
{
    struct hybrid *core = &lane->core;
    steps->next[l] = control_next(&core->control, core->integrator, steps->h[l],
                                  steps->error[l], NULL);
    lane->away = true;
    lane->untold++;
}

/* Lets the lane go on. The run notes constraints that have moved, and proposes a next
   step that is not eligible. */
static void go_on(struct batch *batch, struct batch_members *mode, int l)
{
    struct lane *lane = &batch->lane[l];
    struct hybrid *core = &lane->core;
    bool moved = mode->steps.moved[l] > 0;
    if (moved || !(mode->steps.eligible[l] > 0) || hybrid_steps_left(core) <= 0)
        tell(batch, lane);
    if (!moved)
        return;
    batch_accept_show(mode->accept, &mode->steps, l, core);
    hybrid_moved(core);
    batch_accept_shown(mode->accept, l, core);
}

/* Leaves the step of this lane to step.c. */
static void disturb(struct batch *batch, struct batch_members *mode, int l)
{
    struct lane *lane = &batch->lane[l];
    struct hybrid *core = &lane->core;
    const struct tried tried = {.status = OK, .error = mode->steps.error[l]};
    tell(batch, lane);
    batch_accept_leave(mode->accept, l, core);
    if (lane->away)
        erk_lanes_take_start(mode->pair, l, core->x, core->dx);
    erk_lanes_take_end(mode->pair, l, core->step.x_new, core->step.dx_new);
    if (core->step.retry_length == 0) {  /* no step to an event is looked through */
        erk_lanes_take_inside(mode->pair, l);
        for (int e = 0; e < core->integrator->errors; e++)
            lane_take(core->ode.dim, erk_lanes_errors(mode->pair)[e], l,
                      core->step.err[e]);
    }
    explicit_lanes_leave(mode->rates, l, core->system->now->explicit_rhs);
    core->system->evaluations += core->integrator->evaluations;
    lane->entered = lane->away = false;
    hybrid_stepped(core, &tried);
}

/* Accepts each step made in its lane, or lets its run conclude it. */
static void conclude(struct batch *batch, struct batch_members *mode, const bool *joins)
{
    struct accept_steps *steps = &mode->steps;
    for (int l = 0; l < LANES; l++) {
        batch->steps += joins[l];
        if (joins[l] && steps->accepted[l] > 0)
            control(steps, l, &batch->lane[l]);
        else if (joins[l])
            disturb(batch, mode, l);
    }
    batch_accept_go_on(mode->accept, steps);
    for (int l = 0; l < LANES; l++)
        if (joins[l] && steps->accepted[l] > 0)
            go_on(batch, mode, l);
}

static void step_together(struct batch *batch, struct batch_members *mode,
                          const bool *joins)
{
    const struct ode_lanes ode = {.rhs = rates, .context = mode->rates};
    struct accept_steps *steps = &mode->steps;
    for (int l = 0; l < LANES; l++) {
        if (!joins[l]) {
            erk_lanes_clear(mode->pair, l);
            steps->eligible[l] = 0;
        } else if (batch->lane[l].untold == 0) {
            place(mode, l, &batch->lane[l]);
            batch_accept_join(steps, l, &batch->lane[l].core);
        }
    }
    erk_lanes_step(mode->pair, &ode, steps->t, steps->h);
    batch_accept_judge(mode->accept, steps);
    conclude(batch, mode, joins);
}

/* Counts the cost of a step of `lanes` runs one by one, and compiles when it is time. */
static void spend(struct batch_members *mode, int lanes, const struct hybrid *any)
{
    const struct explicit_rhs *explicit_rhs = any->system->now->explicit_rhs;
    double evaluations = lanes * any->integrator->evaluations;
    double rows = evaluations * explicit_lanes_saved(explicit_rhs);
    if (tier_up_spend(&mode->tier_up, rows) == TIER_UP_MAKE)
        make_code(mode, any, true);
}

/* Makes one step of each lane that is in this mode. */
static void step_mode(struct batch *batch, int k, bool *wants)
{
    struct batch_members *mode = &batch->mode[k];
    bool joins[LANES] = {false};
    int count = 0, any = 0;
    for (int l = 0; l < batch->lanes; l++) {
        joins[l] = wants[l] && can_join(&batch->lane[l], k);
        count += joins[l];
        any = joins[l] ? l : any;
    }
    if (count < FEW)
        return;
    if (!have_code(batch, mode, &batch->lane[any].core)) {
        spend(mode, count, &batch->lane[any].core);
        return;
    }
    step_together(batch, mode, joins);
    for (int l = 0; l < LANES; l++)
        wants[l] = wants[l] && !joins[l];
}

void batch_run(struct batch *batch, struct batch_run *run, int count)
{
    struct batch_run *next = run;
    unsigned underflow = underflow_to_zero();
    for (;;) {
        bool wants[LANES] = {false}, any = false;
        for (int l = 0; l < batch->lanes; l++) {
            wants[l] = has_step(batch, &batch->lane[l], &next, run + count);
            any = any || wants[l];
        }
        if (!any)
            break;
        for (int k = 0; batch->lanes >= FEW && k < batch->request.model->modes; k++)
            step_mode(batch, k, wants);
        for (int l = 0; l < batch->lanes; l++)
            if (wants[l])
                step_alone(batch, &batch->lane[l]);
    }
    underflow_restore(underflow);
}
