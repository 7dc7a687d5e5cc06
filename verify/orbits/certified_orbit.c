/*
 * certified_orbit.c - from an orbit in double to one in MPFR, and back to digits agreed
 * (certified_orbit.h)
 */
#include "orbits/certified_orbit.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "motion/reference_values.h"
#include "orbits/segment.h"
#include "program/complex_step.h"
#include "size.h"

/* Digits of a double. */
static const double most_digits = 16;

/* --- certified ---------------------------------------------------------------------- */

/* The request of the reference, and all that it points at. */
struct asking {
    struct mp_orbit_request request;
    struct reference_motion motion;
    struct reference_values values;
    struct mp_orbit_node *node;
    bool *open;                 /* [nodes][2n] */
    bool *crossed;              /* [nodes][events] */
};

static void take_nodes(struct asking *a, const struct orbit_request *request,
                       const struct orbit *orbit)
{
    int n = request->run.model->n;
    a->node = memory_new(orbit->nodes, sizeof *a->node);
    a->open = memory_new(orbit->nodes * 2 * n, sizeof *a->open);
    a->crossed = memory_new(orbit->nodes * request->run.model->events,
                            sizeof *a->crossed);
    for (int k = 0; k < orbit->nodes; k++) {
        const struct orbit_node *node = &orbit->node[k];
        bool *open = a->open + k * 2 * n;
        bool *crossed = a->crossed + k * request->run.model->events;
        double end = k + 1 < orbit->nodes ? orbit->node[k + 1].t
                                          : orbit->node[0].t + orbit->period;
        segment_open(request, node->mode->index, node->x, open);
        restart_crossed(request->run.model, request->run.value, node->x, crossed);
        a->node[k] = (struct mp_orbit_node){.mode = node->mode->index, .open = open,
                                            .crossed = crossed,
                                            .part = (end - node->t) / orbit->period,
                                            .x = node->x};
    }
}

static enum status ask(struct asking *a, const struct orbit_request *request,
                       const struct orbit *orbit, struct diagnosis *diagnosis)
{
    const struct run_request *run = &request->run;
    *a = (struct asking){.values = {.value = NULL}};
    enum status status = reference_motion_of(run->formulation, run->model, run->option,
                                             &a->motion, diagnosis);
    if (status == OK && !is_known(&a->motion.truth))
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "the reference does not know "
                          "the motion of %s", run->formulation->name);
    if (status == OK)
        status = reference_values_of(run->model, run->value, &a->values, diagnosis);
    if (status != OK)
        return status;
    take_nodes(a, request, orbit);
    a->request = (struct mp_orbit_request){
        .run = {.model = run->model, .truth = a->motion.truth,
                .parameters = run->parameters, .parameter = run->parameter,
                .value = a->values.value, .max_events = run->max_events,
                .progress = run->progress, .progress_context = run->progress_context},
        .period = orbit->period, .nodes = orbit->nodes, .node = a->node,
        .drifts = request->drifts, .drift = request->drifts ? request->drift : NULL,
        .advance = orbit->advance, .size = orbit->size};
    return OK;
}

static void clear(struct asking *a)
{
    reference_values_clear(&a->values);
    free(a->node);
    free(a->open);
    free(a->crossed);
}

/* Are the events of the orbit those of the certified one from event r on? */
static bool turned(const struct mp_orbit *certified, const struct orbit *orbit, int r)
{
    for (int e = 0; e < orbit->events; e++)
        if (certified->event[(r + e) % orbit->events] != orbit->event[e].event->index)
            return false;
    return true;
}

static bool same_events(const struct mp_orbit *certified, const struct orbit *orbit)
{
    bool same = false;
    for (int r = 0; certified->events == orbit->events && r < orbit->events; r++)
        same = same || turned(certified, orbit, r);
    return same;
}

enum status certified_orbit_make(const struct orbit_request *request,
                                 const struct orbit *orbit, int digits, int threads,
                                 struct certificate **out, struct diagnosis *diagnosis)
{
    struct asking a;
    *out = NULL;
    enum status status = ask(&a, request, orbit, diagnosis);
    if (status == OK)
        status = mp_orbit_certify(&a.request, digits, threads, out, diagnosis);
    if (status == OK && !same_events((*out)->orbit, orbit)) {
        certificate_free(*out);
        *out = NULL;
        status = diagnose(diagnosis, NO_ORBIT, NAN, "the orbit in MPFR has other events "
                          "than that in double");
    }
    clear(&a);
    return status;
}

enum status certified_orbit_path(const struct orbit_request *request,
                                 const struct orbit *orbit, const char *folder,
                                 char *path, int size, struct diagnosis *diagnosis)
{
    struct reference_values values = {.value = NULL};
    int *event = memory_new(orbit->events, sizeof *event);
    char name[300];
    for (int e = 0; e < orbit->events; e++)
        event[e] = orbit->event[e].event->index;
    enum status status = reference_values_of(request->run.model, request->run.value,
                                             &values, diagnosis);
    if (status == OK) {
        mp_orbit_file(request->run.model, values.value, orbit->events, event, name,
                      sizeof name);
        snprintf(path, (size_t)size, "%s/%s", folder, name);
    }
    reference_values_clear(&values);
    free(event);
    return status;
}

/* --- compared ----------------------------------------------------------------------- */

/* Digits of x, the error being compared with the number or, if that is more, a scale. */
static double digits_of(double x, mpfr_srcptr want, double scale)
{
    mpfr_t error;
    mpfr_init2(error, mpfr_get_prec(want));
    mpfr_d_sub(error, x, want, MPFR_RNDN);
    double wrong = fabs(mpfr_get_d(error, MPFR_RNDN));
    double size = fmax(fabs(mpfr_get_d(want, MPFR_RNDN)), scale);
    mpfr_clear(error);
    if (!isfinite(x))
        return 0;
    return wrong > 0 ? fmin(most_digits, fmax(0, log10(size / wrong))) : most_digits;
}

static mpfr_srcptr number_at(const struct mp_orbit *o, enum mp_orbit_part part, int k,
                             int i, int j)
{
    return o->x + mp_orbit_place(o, part, k, i, j);
}

static bool is_same_motion(const struct certificate *certificate,
                           const struct orbit_request *request, const struct orbit *orbit)
{
    const struct model *model = request->run.model;
    const struct mp_orbit *o = certificate->orbit;
    mpfr_t value;
    bool same = o->events == orbit->events && o->drifts == request->drifts;
    for (int i = 0; i < o->width && same && o->drift; i++)
        same = o->drift[i] == request->drift[i];
    double *nominal = memory_new(model->p, sizeof *nominal);
    same = same && model_nominal_values(model, nominal, NULL) == OK;
    mpfr_init2(value, 53);
    for (int j = 0; j < model->p && same; j++) {
        mpfr_set_d(value, nominal[j], MPFR_RNDN);
        if (certificate->value[j])
            mpfr_set_str(value, certificate->value[j], 10, MPFR_RNDN);
        same = mpfr_cmp_d(value, request->run.value[j]) == 0;
    }
    mpfr_clear(value);
    free(nominal);
    return same && same_events(o, orbit);
}

/* The largest magnitude of component i after events and at nodes: after all events it
   may be zero. One that is at rest to what a double has of its size counts by that. */
static double size_of(const struct mp_orbit *o, const struct orbit *orbit, int i, int j)
{
    double size = j < 0 ? pow(10, -most_digits) * orbit->size[i] : 0, least = size;
    for (int k = 0; k < o->events; k++)
        size = fmax(size, fabs(mpfr_get_d(number_at(o, MP_ORBIT_AFTER, k, i, j),
                                          MPFR_RNDN)));
    for (int k = 0; k < o->nodes; k++)
        size = fmax(size, fabs(mpfr_get_d(number_at(o, MP_ORBIT_NODE, k, i, j),
                                          MPFR_RNDN)));
    return size > least ? size : j < 0 ? orbit->size[i] : 0;
}

static bool advances(const struct mp_orbit *o, int i)
{
    return o->drift && o->drift[i] >= 0;
}

static double digits_of_states(const struct mp_orbit *o, const struct orbit *orbit, int r)
{
    double least = most_digits;
    for (int i = 0; i < o->width; i++) {
        double size = size_of(o, orbit, i, -1);
        for (int e = 0; e < orbit->events && !advances(o, i); e++)
            least = fmin(least, digits_of(orbit->event[e].after[i],
                                          number_at(o, MP_ORBIT_AFTER,
                                                    (r + e) % o->events, i, -1),
                                          size > 0 ? size : 1));
    }
    return least;
}

/* Of all derivatives by lane `mine` of the orbit, `its` of the certified one. */
static double digits_of_lane(const struct mp_orbit *o, const struct orbit *orbit, int r,
                             int mine, int its, double rho)
{
    double size = parameter_size(rho), period = orbit->period / size;
    double least = digits_of(orbit->dperiod[mine],
                             number_at(o, MP_ORBIT_PERIOD, 0, 0, its), period);
    for (int i = 0; i < o->width; i++) {
        double scale = fmax(size_of(o, orbit, i, its), size_of(o, orbit, i, -1) / size);
        for (int e = 0; e < orbit->events && !advances(o, i); e++)
            least = fmin(least, digits_of(orbit->event[e].dafter[mine * o->width + i],
                                          number_at(o, MP_ORBIT_AFTER,
                                                    (r + e) % o->events, i, its),
                                          scale > 0 ? scale : 1));
    }
    return least;
}

static double digits_of_derivatives(const struct certificate *certificate,
                                    const struct run_request *run,
                                    const struct orbit *orbit, int r)
{
    double least = NAN;
    for (int mine = 0; mine < run->parameters; mine++)
        for (int its = 0; its < certificate->parameters; its++)
            if (run->parameter[mine] == certificate->parameter[its])
                least = fmin(least,
                             digits_of_lane(certificate->orbit, orbit, r, mine, its,
                                            run->value[run->parameter[mine]]));
    return least;
}

/* Each certified multiplier against the nearest of the orbit, by its magnitude. */
static double digits_of_multipliers(const struct mp_orbit *o, const struct orbit *orbit)
{
    double least = NAN;
    for (int k = 0; k < o->multipliers; k++) {
        mpfr_srcptr re = number_at(o, MP_ORBIT_MULTIPLIER, k, 0, -1), im = re + 1;
        double complex want = complex_of(mpfr_get_d(re, MPFR_RNDN),
                                         mpfr_get_d(im, MPFR_RNDN));
        double complex near = INFINITY;
        for (int i = 0; i < orbit->multipliers; i++)
            if (!(cabs(orbit->multiplier[i] - want) >= cabs(near - want)))
                near = orbit->multiplier[i];
        least = fmin(least, fmin(digits_of(creal(near), re, cabs(want)),
                                 digits_of(cimag(near), im, cabs(want))));
    }
    return least;
}

bool certified_orbit_compare(const struct certificate *certificate,
                             const struct orbit_request *request,
                             const struct orbit *orbit,
                             struct orbit_agreement *agreement)
{
    const struct mp_orbit *o = certificate->orbit;
    if (!is_same_motion(certificate, request, orbit))
        return false;
    *agreement = (struct orbit_agreement){
        .period = digits_of(orbit->period, number_at(o, MP_ORBIT_PERIOD, 0, 0, -1), 0),
        .states = -1, .multipliers = digits_of_multipliers(o, orbit)};
    for (int r = 0; r < o->events; r++) {
        double states = turned(o, orbit, r) ? digits_of_states(o, orbit, r) : -1;
        if (states <= agreement->states)
            continue;
        agreement->states = states;
        agreement->derivatives = digits_of_derivatives(certificate, &request->run, orbit,
                                                       r);
    }
    return true;
}
