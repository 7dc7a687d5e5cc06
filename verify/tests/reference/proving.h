/*
 * proving.h - motions proved in tests: a case with its certified values, numbers beside
 * their balls, and an approximate motion that is altered on its way to the enclosure.
 */
#ifndef SALTUS_PROVING_H
#define SALTUS_PROVING_H

#include <limits.h>

#include "arithmetic/mp.h"
#include "case.h"
#include "certificates/proof.h"
#include "certificates/step_as_candidate.h"
#include "motion/reference_motion.h"
#include "motion/samples.h"
#include "referring.h"

/* --- a case ------------------------------------------------------------------------- */

/* The exact motion of a case, at the sample times of its certified values. */
struct proving {
    struct referring of;
    struct samples samples;
};

static inline void proving_samples(struct proving *p)
{
    enum status status = choose_samples(p->of.model, &p->samples, &p->of.diagnosis);
    cr_assert_eq(status, OK, "%s", p->of.diagnosis.place);
    p->of.request.samples = p->samples.reference_count;
    p->of.request.sample = p->samples.reference;
}

static inline void proving_of_case(struct proving *p, const char *name)
{
    const struct case_desc *desc = case_find(name);
    cr_assert_not_null(desc, "no case %s", name);
    referring_of_case(&p->of, desc, 0);
    proving_samples(p);
}

/* A model that is in no catalogue, written by `record`. There is one description for all:
   the name of an earlier one is that of the last. */
static inline void proving_of_record(struct proving *p, const char *name,
                                     void (*record)(struct model *))
{
    static struct case_desc desc;
    desc = (struct case_desc){.name = name, .record = record};
    referring_of_case(&p->of, &desc, 0);
}

/* A unit mass that falls with g = 1, and leaves the floor with half of its velocity: from
   h = 1 at rest, until 2; or, `near` the floor, from 2^-60 with velocity -1, until 1. */
static inline void record_falling_ball(struct model *model, bool near)
{
    COORDINATES(y);
    PARAMETERS(h);
    NOMINAL(h, 1, "m", "height");
    struct mode *fall = model_mode(model, "fall");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(-1);
    struct event *floor = model_event(model, "floor", fall, fall, EQ(y), FALLING);
    floor->v_plus[0] = EQ(-vy/2);
    model->q0[0] = near ? EQ(h/1152921504606846976) : EQ(h);
    model->v0[0] = near ? EQ(-h) : EQ(0);
    model->t_end = near ? EQ(1) : EQ(2);
}

static inline void proving_end(struct proving *p)
{
    referring_end(&p->of);
    flint_cleanup();
}

static inline struct proof *proved(struct proving *p, int digits)
{
    struct proof *proof;
    enum status status = prove(&p->of.request, digits, &proof, &p->of.diagnosis);
    cr_assert_eq(status, OK, "%s: %s: %s", p->of.model->desc->name, status_text(status),
                 p->of.diagnosis.place);
    return proof;
}

static inline struct certificate *certified(struct proving *p)
{
    char path[PATH_MAX];
    struct certificate *certificate;
    cr_assert(certified_path(p->of.model, &p->of.request.truth, path, sizeof path),
              "%s is not certified", p->of.model->desc->name);
    enum status status = certificate_read(path, p->of.model, &certificate,
                                          &p->of.diagnosis);
    cr_assert_eq(status, OK, "%s", p->of.diagnosis.place);
    return certificate;
}

/* --- numbers beside their balls ----------------------------------------------------- */

/* Numbers that are known to 10^-digits max(1, |x|), looked at one by one. */
struct beside_balls {
    double digits;
    long numbers;
    char outside[200];          /* the first that lies outside of its ball; "": none */
};

static inline void look(struct beside_balls *b, mpfr_srcptr x, const arb_t within,
                        const char *place, int number, const char *name)
{
    arb_t known;
    arb_init(known);
    arf_set_mpfr(arb_midref(known), x);
    double size = fmax(0, mp_log2(x));
    arb_add_error_2exp_si(known, (slong)ceil(size - b->digits * MP_BITS_PER_DIGIT));
    if (!arb_overlaps(known, within) && b->outside[0] == '\0')
        snprintf(b->outside, sizeof b->outside, "%s %d: %s", place, number, name);
    b->numbers++;
    arb_clear(known);
}

static inline void look_at_point(struct beside_balls *b, const struct columns *columns,
                                 const struct mp_point *x,
                                 const struct enclosed_point *enclosed, const char *place,
                                 int number)
{
    char name[100];
    cr_assert_eq(x->mode->index, enclosed->mode->index, "%s %d", place, number);
    look(b, x->t, enclosed->t, place, number, "t");
    for (int c = 0; c < columns->count; c++) {
        if (!column_present(columns, c, x->mode))
            continue;
        column_name(columns, c, name, sizeof name);
        look(b, x->x[c], enclosed->x + c, place, number, name);
    }
}

/* Every number of a trajectory, and the ball of the same number. The trajectory may have
   one sample more, the start, where balls have none. */
static inline struct beside_balls look_at_all(const struct enclosed_motion *motion,
                                              const struct mp_trajectory *trajectory,
                                              double digits)
{
    const struct columns *columns = &trajectory->columns;
    struct beside_balls b = {.digits = digits};
    int first = trajectory->samples - motion->samples;
    cr_assert(first == 0 || first == 1);
    cr_assert_eq(trajectory->events, motion->events);
    for (int i = 0; i < motion->samples; i++)
        look_at_point(&b, columns, &trajectory->sample[first + i], &motion->sample[i],
                      "sample", i + 1);
    for (int i = 0; i < motion->events; i++) {
        const struct mp_event *x = &trajectory->event[i];
        const struct enclosed_event *enclosed = &motion->event[i];
        cr_assert_eq(x->event->index, enclosed->event->index);
        look_at_point(&b, columns, &x->before, &enclosed->before, "before event", i + 1);
        look_at_point(&b, columns, &x->after, &enclosed->after, "after event", i + 1);
        for (int j = 0; j < columns->p; j++)
            look(&b, x->tau[j], enclosed->tau + j, "tau of event", i + 1,
                 column_parameter(columns, j));
    }
    for (int i = 0; i < columns->model->nz * (1 + columns->p); i++)
        look(&b, trajectory->psi[i], motion->psi + i, "psi", i, "");
    return b;
}

/* --- an approximate motion that is altered ------------------------------------------ */

/* Stands between a run in MPFR and the enclosure. */
struct telling {
    struct proving *of;
    struct enclosure *enclosure;
    /* Parameters of the run, where it is the run of another motion; NULL: nominal. */
    const char *const *value;
    const char *t_end;          /* end of the run; NULL: that of the model */
    int digits;                 /* of the run */
    /* Alters a step before the enclosure is told; NULL: none. */
    void (*alter)(struct candidate *candidate, const struct telling *telling);
    int silent;                 /* number of the event, from 1, that is not told; 0: all
                                   are */
    int early;                  /* number of the step, from 1, after which event 0 of the
                                   model is told, which has not happened; 0: none */
    const char *instead;        /* name of an event that is told for every one; NULL: none
                                   is */
    int lane, component;        /* what `alter` alters: its own */
    int steps, events;          /* told so far */
};

static inline const struct event *event_named(const struct model *model, const char *name)
{
    for (int k = 0; k < model->events; k++)
        if (strcmp(model->event[k]->name, name) == 0)
            return model->event[k];
    cr_assert_fail("no event %s", name);
    return NULL;
}

static inline enum status tell_step(void *context, const struct taylor *taylor,
                                    mpfr_srcptr t, mpfr_srcptr length,
                                    struct diagnosis *diagnosis)
{
    struct telling *telling = context;
    const struct model *model = telling->of->of.model;
    struct candidate *candidate = step_as_candidate(model, taylor, t, length);
    telling->steps++;
    if (telling->alter)
        telling->alter(candidate, telling);
    enum status status = enclosure_step(telling->enclosure, candidate, diagnosis);
    if (status == OK && telling->steps == telling->early)
        status = enclosure_event(telling->enclosure, model->event[0], NULL, diagnosis);
    return status;
}

static inline enum status tell_event(void *context, const struct mp_event *event,
                                     struct diagnosis *diagnosis)
{
    struct telling *telling = context;
    const struct model *model = telling->of->of.model;
    if (++telling->events == telling->silent)
        return OK;
    if (telling->instead)
        return enclosure_event(telling->enclosure, event_named(model, telling->instead),
                               NULL, diagnosis);
    return event_of_run(telling->enclosure, model, event, diagnosis);
}

/* Runs, tells, and takes what the enclosure says of it; *out is NULL where it refuses. */
static inline enum status tell(struct telling *telling, struct enclosed_motion **out)
{
    struct referring *of = &telling->of->of;
    struct reference_request run = of->request;
    const struct enclosure_request enclosed = {
        .model = of->model, .parameters = run.parameters, .parameter = run.parameter,
        .samples = run.samples, .sample = run.sample, .digits = telling->digits};
    const struct mp_observer observer = {.context = telling, .step = tell_step,
                                         .event = tell_event};
    struct mp_trajectory *trajectory = NULL;
    memset(&of->diagnosis, 0, sizeof of->diagnosis);
    run.value = telling->value;
    run.t_end = telling->t_end;
    run.digits = telling->digits;
    run.observer = &observer;
    *out = NULL;
    cr_assert_eq(enclosure_new(&enclosed, &telling->enclosure, &of->diagnosis), OK, "%s",
                 of->diagnosis.place);
    enum status status = reference_run(&run, &trajectory, &of->diagnosis);
    if (status == OK)
        status = enclosure_finish(telling->enclosure, out, &of->diagnosis);
    mp_trajectory_free(trajectory);
    enclosure_free(telling->enclosure);
    return status;
}

/* The enclosure refuses what it is told, and its diagnosis has the words. */
static inline void told_in_vain(struct telling *telling, enum status want,
                                const char *word, const char *why)
{
    struct enclosed_motion *motion;
    enum status got = tell(telling, &motion);
    const char *place = telling->of->of.diagnosis.place;
    cr_expect_eq(got, want, "%s instead of %s: %s", status_text(got), status_text(want),
                 place);
    cr_expect(strstr(place, word) && strstr(place, why), "\"%s\" and \"%s\" are not in "
              "\"%s\"", word, why, place);
    enclosed_motion_free(motion);
}

#endif
