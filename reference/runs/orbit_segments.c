/*
 * orbit_segments.c - runs of the segments of a period, by either route
 * (orbit_segments.h)
 *
 * The rate of the motion at a point is the derivative by a later start, with another
 * sign, if nothing depends on time: what the velocities are compared with.
 */
#include "orbit_segments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* --- making ------------------------------------------------------------------------- */

char *orbit_number_text(mpfr_srcptr x)
{
    mpfr_exp_t e;
    size_t digits = (size_t)((double)mpfr_get_prec(x) * MP_DIGITS_PER_BIT) + 3;
    if (mpfr_zero_p(x))
        return memory_text("0", 1);
    char *d = mpfr_get_str(NULL, &e, 10, digits, x, MPFR_RNDN);
    char *text = memory_new((int)strlen(d) + 32, 1);
    sprintf(text, "%se%ld", d, (long)e - (long)strlen(*d == '-' ? d + 1 : d));
    mpfr_free_str(d);
    return text;
}

static char *double_text(double x)
{
    mpfr_t value;
    mpfr_init2(value, 53);
    mpfr_set_d(value, x, MPFR_RNDN);
    char *text = orbit_number_text(value);
    mpfr_clear(value);
    return text;
}

static enum status open_plan(struct orbit_segment_plan *plan,
                             const struct mp_orbit_request *asked,
                             const struct mp_orbit_node *node,
                             struct diagnosis *diagnosis)
{
    const struct model *model = asked->run.model;
    int n = model->n, width = 2 * n + model->ns, p = asked->run.parameters;
    plan->restart = (struct restart){.of = model->desc, .mode = node->mode,
                                     .q_open = node->open, .v_open = node->open + n,
                                     .crossed = node->crossed};
    restart_settle(&plan->restart);
    plan->model = model_new_with(&plan->restart.desc, model->reset, diagnosis);
    if (!plan->model)
        return diagnosis->status;
    plan->component = memory_new(width, sizeof *plan->component);
    plan->parameter = memory_new(width + 1 + p, sizeof *plan->parameter);
    for (int i = 0; i < width; i++)
        if (i >= 2 * n || !node->open[i]) {
            plan->component[plan->count] = i;
            plan->parameter[plan->count++] = plan->restart.first + RESTART_STATE + i;
        }
    plan->parameter[plan->count] = plan->restart.first + RESTART_T0;
    memory_copy(plan->parameter + plan->count + 1, asked->run.parameter, p,
                sizeof *plan->parameter);
    return OK;
}

static void open_run(struct orbit_segment_run *own, const struct orbit_segment_plan *plan,
                     const struct mp_orbit_request *asked)
{
    own->value = memory_new(plan->model->p, sizeof *own->value);
    own->text = memory_new(plan->count + 1, sizeof *own->text);
    if (asked->run.value)
        memory_copy(own->value, asked->run.value, asked->run.model->p,
                    sizeof *own->value);
}

/* Guesses of the components that follow from the constraints. */
static void set_guesses(struct orbit_segments *s, int k)
{
    const struct mp_orbit_node *node = &s->asked->node[k];
    for (int i = 0; i < s->asked->run.model->n; i++)
        if (node->open[i])
            s->own[k].value[s->plan[k].restart.first + RESTART_STATE + i] =
                double_text(node->x[i]);
}

static void free_guesses(struct orbit_segments *s, int k)
{
    const struct mp_orbit_node *node = &s->asked->node[k];
    for (int i = 0; i < s->asked->run.model->n; i++)
        if (node->open[i])
            free((char *)s->own[k].value[s->plan[k].restart.first + RESTART_STATE + i]);
}

static void set_parts(struct orbit_segments *s)
{
    mpfr_ptr last = s->part + s->nodes - 1;
    mpfr_set_ui(last, 1, MPFR_RNDN);
    for (int k = 0; k + 1 < s->nodes; k++) {
        mpfr_set_d(s->part + k, s->asked->node[k].part, MPFR_RNDN);
        mpfr_sub(last, last, s->part + k, MPFR_RNDN);
    }
}

static enum status check(const struct mp_orbit_request *asked,
                         struct diagnosis *diagnosis)
{
    const struct truth *truth = &asked->run.truth;
    bool parts = asked->nodes > 0;
    double left = 1;
    for (int k = 0; k < asked->nodes; k++) {
        parts = parts && asked->node[k].part > 0 && asked->node[k].mode >= 0 &&
                asked->node[k].mode < asked->run.model->modes;
        left -= k + 1 < asked->nodes ? asked->node[k].part : 0;
    }
    if (!(parts && left > 0 && asked->period > 0 && isfinite(asked->period)))
        return diagnose(diagnosis, BAD_INPUT, NAN, "an orbit has a period, and nodes "
                        "with modes and parts of it");
    if (truth->variant && strcmp(truth->variant, "exact") != 0)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN, "orbits are certified of the "
                        "exact motion, and this one is of the %s variant",
                        truth->variant);
    return OK;
}

enum status orbit_segments_open(struct orbit_segments *s,
                                const struct mp_orbit_request *asked,
                                struct diagnosis *diagnosis)
{
    const struct model *model = asked->run.model;
    *s = (struct orbit_segments){.asked = asked, .width = 2 * model->n + model->ns,
                                 .parameters = asked->run.parameters};
    enum status status = check(asked, diagnosis);
    if (status != OK)
        return status;
    s->plan = memory_new(asked->nodes, sizeof *s->plan);
    s->own = memory_new(asked->nodes, sizeof *s->own);
    for (; status == OK && s->nodes < asked->nodes; s->nodes++) {
        int k = s->nodes;
        status = open_plan(&s->plan[k], asked, &asked->node[k], diagnosis);
        if (status != OK)
            return status;
        open_run(&s->own[k], &s->plan[k], asked);
        set_guesses(s, k);
    }
    s->part = mp_vector_new((size_t)s->nodes, run_careful_precision(asked->run.digits));
    set_parts(s);
    return OK;
}

void orbit_segments_borrow(struct orbit_segments *s, const struct orbit_segments *from,
                           int parameters, const char *const *value)
{
    *s = *from;
    s->borrowed = true;
    s->parameters = parameters;
    s->runs = 0;
    s->own = memory_new(s->nodes, sizeof *s->own);
    for (int k = 0; k < s->nodes; k++) {
        open_run(&s->own[k], &s->plan[k], s->asked);
        memory_copy(s->own[k].value, from->own[k].value, s->plan[k].model->p,
                    sizeof *s->own[k].value);
        for (int j = 0; value && j < s->asked->run.model->p; j++)
            s->own[k].value[j] = value[j] ? value[j] : s->own[k].value[j];
    }
}

static void clear_run(struct orbit_segments *s, int k)
{
    struct orbit_segment_run *own = &s->own[k];
    mp_trajectory_free(own->run);
    for (int i = 0; i <= s->plan[k].count; i++)
        free(own->text[i]);
    free(own->text);
    free(own->value);
}

void orbit_segments_clear(struct orbit_segments *s)
{
    for (int k = 0; k < s->nodes; k++) {
        if (!s->borrowed)
            free_guesses(s, k);
        clear_run(s, k);
    }
    for (int k = 0; !s->borrowed && s->plan && k < s->asked->nodes; k++) {
        model_free(s->plan[k].model);
        free(s->plan[k].component);
        free(s->plan[k].parameter);
    }
    if (!s->borrowed) {
        free(s->plan);
        mp_vector_free(s->part);
    }
    free(s->own);
    *s = (struct orbit_segments){.nodes = 0};
}

/* --- runs --------------------------------------------------------------------------- */

struct reference_request orbit_segment_request(const struct orbit_segments *s, int k,
                                               int digits, int threads)
{
    const struct orbit_segment_plan *plan = &s->plan[k];
    const struct orbit_segment_run *own = &s->own[k];
    return (struct reference_request){
        .model = plan->model, .truth = s->asked->run.truth, .digits = digits,
        .parameters = plan->count + 1 + s->parameters, .parameter = plan->parameter,
        .value = own->value, .t_end = own->text[plan->count], .samples = 1,
        .sample = (const char *const *)&own->text[plan->count],
        .max_events = s->asked->run.max_events, .threads = threads,
        .progress = s->asked->run.progress,
        .progress_context = s->asked->run.progress_context};
}

static void take_number(const char **value, char **text, mpfr_srcptr x)
{
    free(*text);
    *value = *text = orbit_number_text(x);
}

static void take_start(struct orbit_segments *s, int k, mpfr_srcptr z, mpfr_srcptr period)
{
    const struct orbit_segment_plan *plan = &s->plan[k];
    struct orbit_segment_run *own = &s->own[k];
    const char **given = own->value + plan->restart.first;
    mpfr_ptr length = mp_vector_new(1, mpfr_get_prec(s->part));
    for (int i = 0; i < plan->count; i++)
        take_number(&given[RESTART_STATE + plan->component[i]], &own->text[i], z + i);
    mpfr_mul(length, s->part + k, period, MPFR_RNDN);
    take_number(&given[RESTART_LENGTH], &own->text[plan->count], length);
    mp_vector_free(length);
}

/* The velocities at the end must be the derivatives by the time. */
static enum status check_autonomy(const struct orbit_segments *s, int k, int digits,
                                  struct diagnosis *diagnosis)
{
    const struct mp_point *end = orbit_segment_end(s, k);
    int n = s->asked->run.model->n, start = orbit_segment_start(s, k);
    double size = -INFINITY, gap = -INFINITY;
    mpfr_ptr sum = mp_vector_new(1, mp_precision(digits));
    for (int i = 0; i < n; i++) {
        mpfr_srcptr rate = orbit_segment_value(s, k, end, n + i, -1);
        mpfr_add(sum, rate, orbit_segment_value(s, k, end, i, start), MPFR_RNDN);
        size = fmax(size, mp_log2(rate));
        gap = fmax(gap, mp_log2(sum));
    }
    mp_vector_free(sum);
    return gap <= size - digits / 3.0 * MP_BITS_PER_DIGIT
               ? OK
               : diagnose(diagnosis, NOT_APPLICABLE, NAN, "the motion depends on the "
                          "time at which it begins, which does not repeat; make the "
                          "phase of a drive an auxiliary state");
}

static enum status check_end(const struct orbit_segments *s, int k, int digits,
                             struct diagnosis *diagnosis)
{
    const struct mp_trajectory *run = s->own[k].run;
    int next = s->asked->node[orbit_next(s, k)].mode;
    if (run->samples == 0)
        return diagnose(diagnosis, NO_ORBIT, NAN, "event %s ends the motion before a "
                        "period is over", run->event[run->events - 1].event->name);
    if (run->sample[0].mode->index != next)
        return diagnose(diagnosis, NO_ORBIT, NAN, "segment %d ends in mode %s, and the "
                        "next node is in mode %s", k + 1, run->sample[0].mode->name,
                        s->asked->run.model->mode[next]->name);
    return check_autonomy(s, k, digits, diagnosis);
}

enum status orbit_segment_make(struct orbit_segments *s, int k, int digits, mpfr_srcptr z,
                               mpfr_srcptr period, enum orbit_route route, int threads,
                               struct diagnosis *diagnosis)
{
    struct orbit_segment_run *own = &s->own[k];
    take_start(s, k, z, period);
    struct reference_request request = orbit_segment_request(s, k, digits, threads);
    mp_trajectory_free(own->run);
    own->run = NULL;
    enum status status =
        route == ORBIT_VARIATIONAL
            ? reference_run(&request, &own->run, diagnosis)
            : reference_difference(&request, false, threads, &own->run, diagnosis);
    s->runs += route == ORBIT_VARIATIONAL ? 1 : 1 + 2 * request.parameters;
    return status == OK ? check_end(s, k, digits, diagnosis) : status;
}
