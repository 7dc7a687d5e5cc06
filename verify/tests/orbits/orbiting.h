/*
 * orbiting.h - periodic motions in tests: a case or a model, everything at its default.
 */
#ifndef SALTUS_ORBITING_H
#define SALTUS_ORBITING_H

#include "orbits/orbit.h"
#include "solving.h"

/* A request with what it points at, and the orbit that was found. */
struct orbiting {
    struct solving s;           /* its parameters are those of derivatives */
    struct orbit_request request;
    struct orbit *orbit;
};

/* `t_end`: of the run that is searched; 0: the case's. */
static inline void orbiting_of_case(struct orbiting *o, const char *name,
                                    const char *formulation, double t_end)
{
    *o = (struct orbiting){.orbit = NULL};
    solving_of_case(&o->s, name, formulation);
    o->s.request.t_end = t_end > 0 ? t_end : NAN;
}

/* A model in no catalogue (solving_of_record). */
static inline void orbiting_of_record(struct orbiting *o, const char *name,
                                      void (*record)(struct model *), double t_end)
{
    *o = (struct orbiting){.orbit = NULL};
    solving_of_record(&o->s, name, record, "ode");
    o->s.request.t_end = t_end > 0 ? t_end : NAN;
}

static inline int parameter_of(const struct orbiting *o, const char *name)
{
    int j = model_parameter_index(o->s.model, name);
    cr_assert_geq(j, 0, "no parameter %s", name);
    return j;
}

static inline void orbiting_set(struct orbiting *o, const char *name, double value)
{
    o->s.value[parameter_of(o, name)] = value;
}

/* Searches; an orbit that was found before is freed. */
static inline enum status orbiting_try(struct orbiting *o)
{
    orbit_free(o->orbit);
    o->request.run = o->s.request;
    o->request.run.samples = 0;
    return orbit_find(&o->request, &o->orbit, &o->s.diagnosis);
}

/* Searches, and fails the test on a refusal. */
static inline const struct orbit *orbiting_find(struct orbiting *o)
{
    enum status status = orbiting_try(o);
    cr_assert_eq(status, OK, "%s, %s: %s: %s", o->s.model->desc->name,
                 o->s.request.formulation->name, status_text(status),
                 o->s.diagnosis.place);
    return o->orbit;
}

/* Searches, and fails the test unless it is refused with this status and these words. */
static inline void orbiting_refuse(struct orbiting *o, enum status expected,
                                   const char *words)
{
    enum status status = orbiting_try(o);
    cr_assert_eq(status, expected, "%s: expected %s, got %s: %s", o->s.model->desc->name,
                 status_text(expected), status_text(status), o->s.diagnosis.place);
    cr_expect_null(o->orbit);
    cr_expect_not_null(strstr(o->s.diagnosis.place, words), "no '%s' in: %s", words,
                       o->s.diagnosis.place);
}

static inline void orbiting_end(struct orbiting *o)
{
    orbit_free(o->orbit);
    solving_end(&o->s);
}

/* The event of this name; in a signature with more of them the first. */
static inline const struct orbit_event *event_of(const struct orbit *orbit,
                                                 const char *name)
{
    int e = 0;
    while (e < orbit->events && strcmp(orbit->event[e].event->name, name) != 0)
        e++;
    cr_assert_lt(e, orbit->events, "no event %s in the orbit", name);
    return &orbit->event[e];
}

/* The product of the multipliers that are not trivial. */
static inline double complex product_of(const struct orbit *orbit)
{
    double complex product = 1;
    for (int i = 0; i < orbit->multipliers; i++)
        if (!orbit->trivial[i])
            product *= orbit->multiplier[i];
    return product;
}

/* The multiplier number k of those that are not trivial, by falling magnitude. */
static inline double complex multiplier_of(const struct orbit *orbit, int k)
{
    int i = 0;
    while (i < orbit->multipliers && (orbit->trivial[i] || k-- > 0))
        i++;
    cr_assert_lt(i, orbit->multipliers);
    return orbit->multiplier[i];
}

/* |a - b| by the size of b, at least `least`. */
static inline double relative(double a, double b, double least)
{
    return fabs(a - b) / fmax(fabs(b), least);
}

#endif
