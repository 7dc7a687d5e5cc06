/*
 * closed_walk.c - a closed form, walked from arc to arc and written down (closed.h).
 *
 * The result is an MPFR trajectory, so that its entries get their names and their order
 * where all others do (results.c). It holds the middles of the balls; one that is wider
 * than the digits allow ends the walk, and so does a decision that balls leave open.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "events/mp_run.h"
#include "oracles/closed.h"

struct walk {
    const struct closed_rules *rules;
    const struct run_request *request;
    struct closed_values values;
    struct mp_trajectory *out;
    int digits, event_room;
    long bits, carried;             /* bits of the result; bits of all numbers */
    int by;                         /* pass over the arcs: -1 for values, else the
                                       parameter of a derivative */
    int samples, events;            /* samples and events reached in this pass */
    ball h;
    struct diagnosis *diagnosis;
    bool wide;                      /* a ball was too wide; the diagnosis says which */
};

/* --- writing down ------------------------------------------------------------------- */

/* Is the error within 10^-digits max(1, |x|)? */
static bool is_narrow(const struct walk *walk, arb_srcptr x)
{
    mag_t size, one;
    mag_init(size);
    mag_init(one);
    mag_one(one);
    arb_get_mag(size, x);
    mag_max(size, size, one);
    mag_mul_2exp_si(size, size, -(long)ceil(walk->digits * MP_BITS_PER_DIGIT));
    bool narrow = arb_is_finite(x) && mag_cmp(arb_radref(x), size) <= 0;
    mag_clear(size);
    mag_clear(one);
    return narrow;
}

/* Puts the value, or in a derivative pass the derivative. */
static void put(struct walk *walk, const char *name, double t, ball x, mpfr_ptr out)
{
    ball number = walk->by < 0 ? b_real(x) : b_div(b_imag(x), walk->h);
    arb_srcptr value = acb_realref(number);
    arf_get_mpfr(out, arb_midref(value), MPFR_RNDN);
    if (walk->wide || is_narrow(walk, value))
        return;
    walk->wide = true;
    diagnose(walk->diagnosis, PRECISION, t, "closed form of %s: %s is known to %.1g only",
             walk->request->model->desc->name, name, mag_get_d(arb_radref(value)));
}

static void put_column(struct walk *walk, struct mp_point *point, enum column_group group,
                       int i, ball x)
{
    char name[80];
    const struct columns *columns = &walk->out->columns;
    int c = column(columns, group, i, walk->by);
    column_name(columns, c, name, sizeof name);
    put(walk, name, mpfr_get_d(point->t, MPFR_RNDN), x, point->x[c]);
}

/* Moves a state along its own motion to the real part of its time, by an imaginary time
   of first order (complex_step.c does the same). */
static void to_real_time(const struct walk *walk, struct closed_state *state)
{
    const struct model *model = walk->request->model;
    struct closed_rates rates;
    ball back = b_complex(b_int(0), b_neg(b_imag(state->t)));
    walk->rules->motion(&walk->values, state, &rates);
    for (int i = 0; i < model->n; i++) {
        state->q[i] = b_add(state->q[i], b_mul(back, state->v[i]));
        state->v[i] = b_add(state->v[i], b_mul(back, rates.a[i]));
    }
    for (int i = 0; i < model->ns; i++)
        state->s[i] = b_add(state->s[i], b_mul(back, rates.f_s[i]));
    for (int k = 0; k < model->nz; k++)
        state->z[k] = b_add(state->z[k], b_mul(back, rates.g[k]));
    state->t = b_real(state->t);
}

static void record(struct walk *walk, struct closed_state state, struct mp_point *point)
{
    const struct model *model = walk->request->model;
    const struct mode *mode = model->mode[state.mode];
    struct closed_rates rates;
    to_real_time(walk, &state);
    walk->rules->motion(&walk->values, &state, &rates);
    point->mode = mode;
    if (walk->by < 0)
        put(walk, "t", b_double_of(state.t), state.t, point->t);
    for (int i = 0; i < model->n; i++) {
        put_column(walk, point, GROUP_Q, i, state.q[i]);
        put_column(walk, point, GROUP_V, i, state.v[i]);
        put_column(walk, point, GROUP_A, i, rates.a[i]);
    }
    for (int i = 0; i < model->ns; i++)
        put_column(walk, point, GROUP_S, i, state.s[i]);
    if (mode->m > 0)
        put_column(walk, point, GROUP_LAMBDA, 0, rates.lambda);
    for (int k = 0; k < model->nz; k++)
        put_column(walk, point, GROUP_Z, k, state.z[k]);
}

static void record_event(struct walk *walk, int index, const struct closed_state *before,
                         const struct closed_state *after)
{
    struct mp_trajectory *out = walk->out;
    int k = walk->events++;
    if (walk->by < 0)
        mp_trajectory_event(out, &walk->event_room)->event
            = walk->request->model->event[index];
    if (k >= out->events)
        slip("closed form: a derivative has more events than the value");
    struct mp_event *event = &out->event[k];
    if (walk->by >= 0)
        put(walk, "dt/drho", b_double_of(before->t), before->t, event->tau[walk->by]);
    record(walk, *before, &event->before);
    record(walk, *after, &event->after);
}

static void record_end(struct walk *walk, const struct closed_state *state)
{
    int nz = walk->request->model->nz;
    for (int k = 0; k < nz; k++)
        put(walk, "psi", b_double_of(state->t), state->z[k],
            walk->out->psi[k + nz * (1 + walk->by)]);
}

/* --- the walk ----------------------------------------------------------------------- */

/* Writes the samples of the arc that begins at `from`, up to the real time `until`. */
static enum status samples_until(struct walk *walk, const struct closed_state *from,
                                 ball until)
{
    const struct run_request *request = walk->request;
    enum status status = OK;
    while (status == OK && walk->samples <= request->samples) {
        long mark = ball_mark();
        struct closed_state state = *from;
        int k = walk->samples;
        if (k > 0) {
            ball t = b_double(request->sample[k - 1]);
            if (b_less(until, t) || b_undecided())
                return OK;
            status = walk->rules->flow(&walk->values, from, t, &state);
        }
        if (status == OK)
            record(walk, state, &walk->out->sample[walk->samples++]);
        ball_release(mark, NULL, 0);
    }
    return status;
}

/* Frees what the arc has used; the state stays. */
static void keep(long mark, struct closed_state *state)
{
    ball *kept[1 + 2 * CLOSED_N + CLOSED_S + CLOSED_COSTS] = {&state->t};
    int count = 1;
    for (int i = 0; i < CLOSED_N; i++) {
        kept[count++] = &state->q[i];
        kept[count++] = &state->v[i];
    }
    for (int i = 0; i < CLOSED_S; i++)
        kept[count++] = &state->s[i];
    for (int k = 0; k < CLOSED_COSTS; k++)
        kept[count++] = &state->z[k];
    ball_release(mark, kept, count);
}

static struct closed_state zero_state(const struct closed_values *values)
{
    struct closed_state state = {.event = -1, .t = values->t0};
    ball zero = b_int(0);
    for (int i = 0; i < CLOSED_N; i++)
        state.q[i] = state.v[i] = zero;
    for (int i = 0; i < CLOSED_S; i++)
        state.s[i] = zero;
    for (int k = 0; k < CLOSED_COSTS; k++)
        state.z[k] = zero;
    return state;
}

/* Walks one arc, to the event that ends it; *last: the run ends with the event. */
static enum status walk_arc(struct walk *walk, struct closed_state *from, bool *last)
{
    const struct closed_rules *rules = walk->rules;
    const struct closed_values *values = &walk->values;
    struct closed_state before = *from;
    int event = -1;
    enum status status = rules->leave(values, from, &event, &before);
    if (status != OK || b_undecided())
        return status;
    bool ends = event < 0 || b_less(values->t_end, before.t);
    *last = ends || walk->request->model->event[event]->terminal;
    status = samples_until(walk, from, ends ? values->t_end : before.t);
    if (status == OK && ends)
        status = rules->flow(values, from, values->t_end, &before);
    if (status == OK && *last)
        record_end(walk, &before);
    if (status != OK || ends)
        return status;
    *from = before;
    from->event = event;
    rules->reset(values, event, from);
    record_event(walk, event, &before, from);
    return OK;
}

static enum status walk_arcs(struct walk *walk)
{
    long most = walk->request->max_events ? walk->request->max_events : RUN_MAX_EVENTS;
    struct closed_state from = zero_state(&walk->values);
    bool last = false;
    walk->rules->start(&walk->values, &from);
    long mark = ball_mark();
    for (long k = 0; k <= most; k++) {
        enum status status = walk_arc(walk, &from, &last);
        if (status == OK && b_undecided() && !walk->wide)
            return diagnose(walk->diagnosis, PRECISION, b_double_of(from.t),
                            "closed form of %s: balls too wide for a decision",
                            walk->request->model->desc->name);
        if (status == OK && walk->wide)
            return PRECISION;
        if (status != OK || last)
            return status;
        keep(mark, &from);
    }
    return TOO_MANY_EVENTS;
}

static enum status pass(struct walk *walk)
{
    double t = NAN;
    enum status status = OK;
    const struct run_request *request = walk->request;
    long mark = ball_mark();
    walk->h = b_exp2(-walk->bits);
    walk->samples = walk->events = 0;
    closed_values_load(&walk->values, request, walk->carried,
                       walk->by < 0 ? -1 : request->parameter[walk->by], walk->h);
    if (walk->rules->refuse)
        status = walk->rules->refuse(&walk->values, &t);
    if (status == OK)
        status = walk_arcs(walk);
    ball_release(mark, NULL, 0);
    if (status != OK && status != walk->diagnosis->status)
        diagnose(walk->diagnosis, status, t, "closed form of %s",
                 request->model->desc->name);
    return status;
}

/* Fewest bits: radii grow from event to event, and a few hundred events take these bits,
   however few are asked for. */
enum { FEWEST = 512 };

enum status closed_walk(const struct closed_rules *rules,
                        const struct run_request *request, int digits,
                        struct mp_trajectory **out, struct diagnosis *diagnosis)
{
    const struct model *model = request->model;
    struct diagnosis ignored;
    struct walk walk = {.rules = rules, .request = request, .values = {.model = model},
                        .digits = digits, .bits = mp_precision(digits),
                        .diagnosis = diagnosis ? diagnosis : &ignored};
    enum status status = OK;
    walk.diagnosis->status = OK;
    walk.values.rho = memory_new(model->p, sizeof *walk.values.rho);
    walk.out = mp_trajectory_new(model, request->parameters, request->parameter,
                              request->samples + 1, walk.bits);
    walk.carried = 3 * walk.bits > FEWEST ? 3 * walk.bits : FEWEST;
    ball_open(walk.carried);
    for (walk.by = -1; status == OK && walk.by < request->parameters; walk.by++)
        status = pass(&walk);
    ball_close();
    mp_trajectory_cut(walk.out, walk.samples);
    free(walk.values.rho);
    *out = walk.out;
    return status;
}
