/*
 * adjoint_identity.c - mu' Y + G is one number along a run: weights of a sweep backwards
 * (formulations/adjoint) beside the sensitivities of the run, at every event, on both
 * sides, and at every sample.
 *
 *     want    the gradient of a cost that the run has, without what a moving end adds
 *     got     mu' Y + G there; at the start the whole gradient of the sweep
 *
 * Places stand in the order of the sweep, from the end to the start, so that the first
 * wrong one is next to the fault.
 *
 * The sweep transposes the steps of the run itself, so that both agree to rounding. An
 * error made at one place grows by the weights there: the numbers can be known to eps
 * times the largest sum of |mu_i Y_i| and |G|.
 */
#include <math.h>
#include <string.h>

#include "adjoint/adjoint_faults.h"
#include "base/memory.h"
#include "coverage/classes.h"
#include "oracles/oracle.h"
#include "size.h"

struct identity {
    const struct run_request *request;
    const struct trajectory *run;
    const struct gradient *gradient;
    int cost;
    struct results *want, *got;
};

/* --- the sweep ---------------------------------------------------------------------- */

/* The state (q, v, s) and its derivatives stand one after the other. */
static const double *state_of(const struct columns *columns, const double *x, int j)
{
    return x + column(columns, GROUP_Q, 0, j);
}

static int length_of_state(const struct columns *columns)
{
    return 2 * columns->model->n + columns->model->ns;
}

static bool same_numbers(const struct columns *columns, const double *a, const double *b)
{
    int nz = columns->model->nz, length = length_of_state(columns);
    bool same = true;
    for (int j = -1; j < columns->p; j++) {
        const double *left = state_of(columns, a, j), *right = state_of(columns, b, j);
        int z = column(columns, GROUP_Z, 0, j);
        for (int i = 0; i < length; i++)
            same = same && left[i] == right[i];
        for (int k = 0; k < nz; k++)
            same = same && a[z + k] == b[z + k];
    }
    return same;
}

/* Has the run that the sweep went back over the states and sensitivities of the judged
   one? */
static bool same_run(const struct trajectory *a, const struct trajectory *b)
{
    bool same = a->samples == b->samples && a->events == b->events;
    for (int k = 0; same && k < a->samples; k++)
        same = same_numbers(&a->columns, a->sample[k].x, b->sample[k].x);
    for (int k = 0; same && k < a->events; k++)
        same = same_numbers(&a->columns, a->event[k].before.x, b->event[k].before.x) &&
               same_numbers(&a->columns, a->event[k].after.x, b->event[k].after.x);
    return same;
}

static enum status sweep_back(const struct run_request *request, int cost,
                              unsigned faults, struct gradient **out,
                              struct diagnosis *diagnosis)
{
    struct adjoint_request backwards = {
        .run = *request, .method = adjoint_method_find("discrete-adjoint"),
        .cost = cost};
    backwards.run.progress = NULL;
    *out = NULL;
    struct adjoint *adjoint = adjoint_new_with_faults(&backwards, faults, diagnosis);
    if (!adjoint)
        return diagnosis->status;
    enum status status = adjoint_run(adjoint, NULL, out, diagnosis);
    adjoint_free(adjoint);
    return status;
}

/* --- entries ------------------------------------------------------------------------ */

/* mu' Y + G by parameter j at a point, and in *size the sum of the sizes of its terms. */
static double product(const struct identity *identity, const double *x, const double *mu,
                      const double *G, int j, double *size)
{
    const struct columns *columns = &identity->run->columns;
    const double *Y = state_of(columns, x, j);
    double Z = x[column(columns, GROUP_Z, identity->cost, j)], sum = Z + G[j];
    *size = fabs(Z) + fabs(G[j]);
    for (int i = 0; i < length_of_state(columns); i++) {
        sum += mu[i] * Y[i];
        *size += fabs(mu[i] * Y[i]);
    }
    return sum;
}

/* The gradient of the cost by parameter j as the run has it; j = -1: the cost. */
static double gradient_of_run(const struct identity *identity, int j)
{
    int nz = identity->request->model->nz;
    return identity->run->psi[(1 + j) * nz + identity->cost];
}

/* The size of a parameter, by which its derivative counts. */
static double size_of_parameter(const struct identity *identity, int j)
{
    return parameter_size(identity->run->value[identity->run->columns.parameter[j]]);
}

/* The change of the cost by relative errors of all data, of one each. */
static double noise_of_cost(const struct identity *identity)
{
    double noise = 0;
    for (int j = -1; j < identity->run->columns.p; j++)
        noise += fabs(gradient_of_run(identity, j)) *
                 (j < 0 ? 1 : size_of_parameter(identity, j));
    return noise;
}

static void add_number(struct identity *identity, const struct quantity *quantity,
                       double t, int point, int j, double want, double got, double size)
{
    double rho = size_of_parameter(identity, j);
    struct results *const side[] = {identity->want, identity->got};
    for (int k = 0; k < 2; k++) {
        struct entry *entry = results_put(side[k], quantity, t, point);
        mpfr_set_d(entry->value, k == 0 ? want : got, MPFR_RNDN);
        entry->rho = rho;
        entry->spread = fmax(size, noise_of_cost(identity) / rho);
    }
}

/* The key of the gradient by parameter j at a place. */
static struct quantity key_of(const struct identity *identity, enum quantity_place place,
                              int event, int j)
{
    struct quantity quantity = quantity_of_cost(
        identity->request->model->cost[identity->cost],
        column_parameter(&identity->run->columns, j));
    quantity.place = place;
    quantity.event = event;
    return quantity;
}

/* The constant by parameter j: what the run has, less what the sweep adds at the start
   for an end that moves with the parameters. */
static double constant_of(const struct identity *identity, int j)
{
    const struct gradient *gradient = identity->gradient;
    double size, at_start = product(identity, identity->run->sample[0].x, gradient->mu,
                                    gradient->G, j, &size);
    return gradient_of_run(identity, j) - (gradient->by_rho[j] - at_start);
}

/* The number of the next place. */
static int next_point(const struct identity *identity)
{
    int count = identity->want->count;
    return count > 0 ? identity->want->entry[count - 1].point + 1 : 0;
}

/* Adds mu' Y + G at a point of the run, by all parameters. */
static void add_place(struct identity *identity, enum quantity_place place, int event,
                      double t, const double *x, const double *mu, const double *G)
{
    int point = next_point(identity);
    for (int j = 0; j < identity->run->columns.p; j++) {
        const struct quantity quantity = key_of(identity, place, event, j);
        double size, got = product(identity, x, mu, G, j, &size);
        add_number(identity, &quantity, t, point, j, constant_of(identity, j), got, size);
    }
}

static void add_start(struct identity *identity)
{
    const struct gradient *gradient = identity->gradient;
    const struct run_point *start = &identity->run->sample[0];
    int point = next_point(identity);
    for (int j = 0; j < identity->run->columns.p; j++) {
        const struct quantity quantity = key_of(identity, AT_POINT, 0, j);
        double size;
        product(identity, start->x, gradient->mu, gradient->G, j, &size);
        add_number(identity, &quantity, start->t, point, j, gradient_of_run(identity, j),
                   gradient->by_rho[j], size);
    }
}

/* After an event that ends the run the weights are those of the terminal cost alone. */
static void add_instant(struct identity *identity, const struct adjoint_instant *instant)
{
    int first = instant->event, last = first + instant->events - 1;
    const struct event_record *event = identity->run->event;
    if (!event[last].event->terminal)
        add_place(identity, AFTER_EVENT, last + 1, instant->t, event[last].after.x,
                  instant->mu_after, instant->G_after);
    add_place(identity, BEFORE_EVENT, first + 1, instant->t, event[first].before.x,
              instant->mu_before, instant->G_before);
}

/* The later side of a sample at the time of an event is the one that a step began at. */
static void add_sample(struct identity *identity, const struct adjoint_sample *sample)
{
    const struct trajectory *run = identity->run;
    int k = run->samples - 1;
    while (k > 0 && run->sample[k].t > sample->t)
        k--;
    if (!isnan(sample->mu[0]) && run->sample[k].t == sample->t)
        add_place(identity, AT_POINT, 0, sample->t, run->sample[k].x, sample->mu,
                  sample->G);
}

/* Errors from anywhere on the way are in every number: the spread by a parameter is the
   largest of all places. */
static void spread_evenly(struct results *results, int first, int parameters)
{
    for (int j = first; j < first + parameters; j++) {
        double most = 0;
        for (int k = j; k < results->count; k += parameters)
            most = fmax(most, results->entry[k].spread);
        for (int k = j; k < results->count; k += parameters)
            results->entry[k].spread = most;
    }
}

/* Adds all places of the run, the last one first. */
static void add_all(struct identity *identity)
{
    const struct gradient *gradient = identity->gradient;
    int next = gradient->instants - 1, first = identity->want->count;
    for (int k = gradient->samples - 1; k >= 0; k--) {
        for (; next >= 0 && gradient->instant[next].t > gradient->sample[k].t; next--)
            add_instant(identity, &gradient->instant[next]);
        add_sample(identity, &gradient->sample[k]);
    }
    for (; next >= 0; next--)
        add_instant(identity, &gradient->instant[next]);
    add_start(identity);
    spread_evenly(identity->want, first, identity->run->columns.p);
    spread_evenly(identity->got, first, identity->run->columns.p);
}

enum status adjoint_identity_evaluate(const struct run_request *request,
                                      const struct trajectory *trajectory,
                                      unsigned faults, struct results **want,
                                      struct results **got, struct diagnosis *diagnosis)
{
    struct identity identity = {.request = request, .run = trajectory,
                                .want = results_new(53), .got = results_new(53)};
    enum status status = OK;
    for (int k = 0; k < request->model->nz && status == OK; k++) {
        struct gradient *gradient;
        status = sweep_back(request, k, faults, &gradient, diagnosis);
        if (status == OK && !same_run(trajectory, gradient->trajectory))
            status = diagnose(diagnosis, BAD_ANSWER, NAN,
                              "the sweep went back over another run than this");
        identity.gradient = gradient;
        identity.cost = k;
        if (status == OK)
            add_all(&identity);
        gradient_free(gradient);
    }
    *want = identity.want;
    *got = identity.got;
    return status;
}

/* --- the oracle --------------------------------------------------------------------- */

static bool applies(const struct model *model, const struct truth *truth)
{
    (void)truth;
    return model->nz > 0;
}

static bool is_of(const struct model *model, enum class class)
{
    return classes_declared(model->desc) >> class & 1;
}

/* Beside singular configurations, and with constraints that depend on others, rounding is
   magnified by matrices that nearly have no inverse: by up to five digits. */
static double digits_known(const struct model *model)
{
    static const double lost = 5;
    bool magnified = is_of(model, CLASS_SINGULAR_POINTS) || is_of(model, CLASS_REDUNDANT);
    return magnified ? double_digits - lost : double_digits;
}

/* One formulation of a kind is asked for: a saddle point without its stabilisation, which
   redundant constraints take, one penalty, and no iterated multipliers, whose sweeps take
   as long as those of all others. Tests go back in every formulation. */
static bool is_asked(const struct run_request *request)
{
    const char *name = request->formulation->name;
    if (strcmp(name, "baumgarte") == 0)
        return is_of(request->model, CLASS_REDUNDANT);
    return strcmp(name, "augmented") != 0 && strcmp(name, "modified-lagrange") != 0;
}

/* A sweep is not made over steps that are not transposed, and is refused where errors
   leave no digit of a gradient. */
static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    enum status status = NOT_APPLICABLE;
    if (is_asked(inquiry->run))
        status = adjoint_identity_evaluate(inquiry->run, inquiry->trajectory, 0,
                                           &answer->want, &answer->got,
                                           &answer->diagnosis);
    answer->kind = status == OK               ? ANSWER_NUMBERS
                   : status == NOT_APPLICABLE ? ANSWER_NONE
                   : status == NO_DIGITS      ? ANSWER_EMPTY
                                              : ANSWER_REFUSED;
    answer->cap = digits_known(inquiry->run->model);
    answer->at_points = true;
}

const struct oracle_calls adjoint_identity_calls = {.applies = applies, .ask = ask};
