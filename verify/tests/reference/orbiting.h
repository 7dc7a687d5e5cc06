/*
 * orbiting.h - periodic motions for tests of the reference: found in double in a case, or
 * given by hand.
 */
#ifndef SALTUS_ORBITING_H
#define SALTUS_ORBITING_H

#include "case.h"
#include "options/args.h"
#include "orbits/certified_orbit.h"
#include "referring.h"
#include "solving.h"

enum { ORBITING_WIDTH = 64 };

/* An orbit of a case in double; keep it alive as long as what refers to it. */
struct orbiting {
    struct solving s;
    int drift[ORBITING_WIDTH];
    struct orbit_request request;
    struct orbit *orbit;
};

/* Finds the orbit of a case; `names`: the parameters that it is differentiated by.
   `groups`: components that advance together, "xh,xl", ending in NULL; NULL: none. */
static inline void orbiting_of(struct orbiting *o, const char *name,
                               const char *formulation, double t_end, const char *names,
                               const char *const *groups)
{
    char one[80];
    solving_of_case(&o->s, name, formulation);
    const struct model *model = o->s.model;
    o->s.request.parameters = 0;
    while (next_in_list(&names, one, sizeof one))
        o->s.parameter[o->s.request.parameters++] = model_parameter_index(model, one);
    o->s.request.samples = 0;
    o->s.request.t_end = t_end;
    o->request = (struct orbit_request){.run = o->s.request, .drift = o->drift};
    for (int i = 0; i < ORBITING_WIDTH; i++)
        o->drift[i] = -1;
    for (; groups && groups[o->request.drifts]; o->request.drifts++) {
        const char *list = groups[o->request.drifts];
        while (next_in_list(&list, one, sizeof one)) {
            for (int i = 0; i < model->n; i++)
                if (strcmp(model->coordinate[i], one) == 0)
                    o->drift[i] = o->request.drifts;
            for (int i = 0; i < model->ns; i++)
                if (strcmp(model->auxiliary[i], one) == 0)
                    o->drift[2 * model->n + i] = o->request.drifts;
        }
    }
    enum status status = orbit_find(&o->request, &o->orbit, &o->s.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", name, o->s.diagnosis.place);
}

static inline void orbiting_end(struct orbiting *o)
{
    orbit_free(o->orbit);
    solving_end(&o->s);
    mpfr_free_cache();
}

static inline struct certificate *certified_of(struct orbiting *o, int digits)
{
    struct certificate *certificate;
    enum status status = certified_orbit_make(&o->request, o->orbit, digits, 2,
                                              &certificate, &o->s.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), o->s.diagnosis.place);
    return certificate;
}

/* A number of a certified orbit. */
static inline mpfr_srcptr orbit_number(const struct certificate *c,
                                       enum mp_orbit_part part, int k, int i, int j)
{
    return c->orbit->x + mp_orbit_place(c->orbit, part, k, i, j);
}

/* The event of this name. */
static inline int orbit_event_of(const struct certificate *c, const char *name)
{
    int k = 0;
    while (k < c->orbit->events &&
           strcmp(c->model->event[c->orbit->event[k]]->name, name) != 0)
        k++;
    cr_assert_lt(k, c->orbit->events);
    return k;
}

/* --- a rotor ------------------------------------------------------------------------ */

/* phi'' = -d (phi' - w), phi - 2 pi at 2 pi: period 2 pi/w, multiplier exp(-d T); a state
   that forgets at the event, s+ = 1, has the multiplier 0. */
static inline void record_rotor(struct model *model)
{
    COORDINATES(phi);
    PARAMETERS(d, w);
    AUXILIARY(s);
    NOMINAL(d, 0.25, "1/s", "damping");
    NOMINAL(w, 2, "rad/s", "rate");
    struct mode *turn = model_mode(model, "turn");
    model->M[0][0] = EQ(1);
    model->F[0] = EQ(d*(w - vphi));
    model->f_s[0] = EQ(-s);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(w);
    model->s0[0] = EQ(1);
    model->t_end = EQ(20);
    struct event *round = model_event(model, "round", turn, turn, EQ(phi - 2*pi), RISING);
    round->q_plus[0] = EQ(phi - 2*pi);
    round->s_plus[0] = EQ(1);
}

/* An orbit given by hand, with one node. */
struct given {
    struct referring r;
    double x[8];
    bool open[8];
    struct mp_orbit_node node;
    struct mp_orbit_request request;
};

static inline void give(struct given *g, const struct case_desc *desc, double period,
                 const double *x, int width)
{
    referring_of_case(&g->r, desc, 10);
    for (int i = 0; i < width; i++) {
        g->x[i] = x[i];
        g->open[i] = false;
    }
    g->node = (struct mp_orbit_node){.part = 1, .x = g->x, .open = g->open};
    g->request = (struct mp_orbit_request){.run = g->r.request, .period = period,
                                           .nodes = 1, .node = &g->node};
}

static const struct case_desc rotor = {.name = "rotor", .record = record_rotor};
static const double rotor_start[] = {3, 2, 0.22313016};

static inline struct certificate *certify_given(struct given *g, int digits)
{
    struct certificate *c;
    enum status status = mp_orbit_certify(&g->request, digits, 2, &c, &g->r.diagnosis);
    cr_assert_eq(status, OK, "%s: %s", status_text(status), g->r.diagnosis.place);
    return c;
}

static inline void expect_digits(mpfr_srcptr got, mpfr_srcptr want, double digits,
                                 const char *what)
{
    cr_expect_geq(mp_digits(got, want, NULL), digits, "%s: %.17g, not %.17g", what,
                  mpfr_get_d(got, MPFR_RNDN), mpfr_get_d(want, MPFR_RNDN));
}

#endif
