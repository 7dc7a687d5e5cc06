/*
 * optimise.c - minimisation of a cost through events: evaluations, the minimiser and its
 * end (optimise.h)
 */
#include "optimise/optimise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "optimise/descent.h"
#include "optimise/objective.h"
#include "sweep/interrupt.h"

/* The unit of u_k: the width of the bounds, else the size of the start. */
static double scale_of(const struct optimisation_request *request, int k)
{
    double width = request->upper[k] - request->lower[k], size = fabs(request->start[k]);
    return isfinite(width) && width > 0 ? width : size > 0 ? size : 1;
}

struct optimisation *optimisation_new(const struct optimisation_request *request,
                                      struct diagnosis *diagnosis)
{
    struct optimisation *o = memory_new(1, sizeof *o);
    int n = request->run.parameters;
    *o = (struct optimisation){.request = *request, .n = n, .best = -1, .direction = -1,
                               .diagnosis = {.t = NAN}};
    o->columns = (struct evaluation_columns){
        .model = request->run.model, .cost = request->cost, .n = n,
        .parameter = request->run.parameter};
    o->request.run.progress = interrupt_progress;
    o->scale = memory_new(3 * n, sizeof *o->scale);
    o->lower = o->scale + n;
    o->upper = o->lower + n;
    for (int k = 0; k < n; k++) {
        o->scale[k] = scale_of(request, k);
        o->lower[k] = (request->lower[k] - request->start[k]) / o->scale[k];
        o->upper[k] = (request->upper[k] - request->start[k]) / o->scale[k];
    }
    o->objective = objective_new(&o->request.run, request->cost, request->method,
                                 diagnosis);
    if (o->objective)
        return o;
    optimisation_free(o);
    return NULL;
}

void optimisation_free(struct optimisation *o)
{
    if (!o)
        return;
    for (int k = 0; k < o->count; k++)
        evaluation_free(o->evaluation[k]);
    free(o->evaluation);
    objective_free(o->objective);
    free(o->scale);
    free(o);
}

/* --- points and values -------------------------------------------------------------- */

/* Exact at the bounds, whatever the rounding of u. */
static double value_at(const struct optimisation *o, int k, double u)
{
    const struct optimisation_request *request = &o->request;
    return u <= o->lower[k] ? request->lower[k] : u >= o->upper[k] ? request->upper[k]
                            : request->start[k] + o->scale[k] * u;
}

void descent_point(const struct optimisation *o, const struct evaluation *e, double *u)
{
    for (int k = 0; k < o->n; k++) {
        double value = e->value[k];
        u[k] = value <= o->request.lower[k] ? o->lower[k]
               : value >= o->request.upper[k] ? o->upper[k]
               : (value - o->request.start[k]) / o->scale[k];
    }
}

static double sign_of(const struct optimisation *o)
{
    return o->request.maximise ? -1 : 1;
}

void descent_gradient(const struct optimisation *o, const struct evaluation *e,
                      double *gradient)
{
    for (int k = 0; k < o->n; k++)
        gradient[k] = sign_of(o) * o->scale[k] * e->gradient[k];
}

static int bound_of(const struct optimisation *o, const struct evaluation *e, int k)
{
    return e->value[k] <= o->request.lower[k] ? -1
                                              : e->value[k] >= o->request.upper[k];
}

bool descent_held(const struct optimisation *o, const struct evaluation *e, int k)
{
    return bound_of(o, e, k) * sign_of(o) * e->gradient[k] < 0;
}

double descent_value(const struct optimisation *o, const struct evaluation *e)
{
    return sign_of(o) * (e->psi - o->evaluation[0]->psi);
}

double descent_noise(const struct optimisation *o, const struct evaluation *e)
{
    static const double times = 10;
    return times * o->request.run.rtol * fmax(fabs(e->psi), fabs(o->evaluation[0]->psi));
}

int descent_index(const struct optimisation *o, const struct evaluation *e)
{
    int k = 0;
    while (o->evaluation[k] != e)
        k++;
    return k;
}

static double norm_of(const struct optimisation *o, const struct evaluation *e)
{
    double sum = 0;
    for (int k = 0; k < o->n; k++) {
        double g = descent_held(o, e, k) ? 0 : o->scale[k] * e->gradient[k];
        sum += g * g;
    }
    return sqrt(sum);
}

bool descent_arrived(const struct optimisation *o, const struct evaluation *e)
{
    return e->norm <= o->request.gradient_tolerance * o->evaluation[0]->norm;
}

/* --- evaluations -------------------------------------------------------------------- */

void descent_keep(struct optimisation *o, struct evaluation *e)
{
    o->evaluation = memory_grow(o->evaluation, &o->room, o->count + 1,
                                sizeof *o->evaluation);
    o->evaluation[o->count++] = e;
}

/* An evaluation of this run at these values; NULL: there is none. */
static const struct evaluation *known(const struct optimisation *o, const double *value)
{
    for (int i = o->asked - 1; i >= 0; i--)
        if (memcmp(o->evaluation[i]->value, value, (size_t)o->n * sizeof *value) == 0)
            return o->evaluation[i];
    return NULL;
}

/* Says what the user should know of the evaluation beside its numbers. */
static void annotate(const struct optimisation *o, struct evaluation *e)
{
    if (e->status != OK)
        snprintf(e->note, sizeof e->note, "refused at t = %.9g", e->t);
    else if (o->best >= 0)
        evaluation_compare(o->evaluation[o->best], e, e->note, sizeof e->note);
}

/* Makes an evaluation, and its row. */
static bool make(struct optimisation *o, const double *value)
{
    struct evaluation *e = evaluation_new(o->n);
    memory_copy(e->value, value, o->n, sizeof *value);
    objective_at(o->objective, e, &o->diagnosis);
    if (interrupt_seen()) {
        /* an interruption is no refusal of the motion */
        evaluation_free(e);
        o->stop = STOP_INTERRUPTED;
        return false;
    }
    if (e->status == OK)
        e->norm = norm_of(o, e);
    annotate(o, e);
    descent_keep(o, e);
    /* a start that is refused is told, and is no row */
    bool row = o->request.write && (e->status == OK || o->count > 1);
    char *line = row ? evaluation_line(&o->columns, o->count - 1, e) : NULL;
    if (line && !o->request.write(o->request.context, line))
        o->stop = STOP_WRITING;
    free(line);
    return o->stop == STOP_NOT_YET;
}

/* Counts the evaluation that comes next. */
static void count(struct optimisation *o)
{
    const struct evaluation *e = o->evaluation[o->asked++];
    o->refused[e->status] += e->status != OK;
    o->jumps += e->status == OK && *e->note;
    if (o->request.tell)
        o->request.tell(o->request.context, o->asked);
}

const struct evaluation *descent_evaluate(struct optimisation *o, const double *u)
{
    double *value = memory_new(o->n, sizeof *value);
    for (int k = 0; k < o->n; k++)
        value[k] = value_at(o, k, u[k]);
    const struct evaluation *e = interrupt_seen() ? NULL : known(o, value);
    if (interrupt_seen())
        o->stop = STOP_INTERRUPTED;
    else if (!e && o->asked == o->request.max_evaluations)
        o->stop = STOP_EVALUATIONS;
    else if (!e && o->asked < o->count && memcmp(o->evaluation[o->asked]->value, value,
                                                 (size_t)o->n * sizeof *value) != 0)
        o->stop = STOP_RECORD;
    else if (!e && (o->asked < o->count || make(o, value))) {
        count(o);
        e = o->evaluation[o->asked - 1];
    }
    free(value);
    return e;
}

void descent_prefer(struct optimisation *o, const struct evaluation *e)
{
    if (o->best < 0 ||
        descent_value(o, e) < descent_value(o, o->evaluation[o->best]))
        o->best = descent_index(o, e);
}

/* --- the minimiser ------------------------------------------------------------------ */

/* One run of the minimiser. */
struct descent {
    struct optimisation *o;
    int begun;                  /* evaluations asked for before it began */
    int asked;                  /* evaluations asked for until its last call */
    int again;                  /* its last calls, for points that were known */
};

/* The value of a point that is refused, or too far: with d the way from the best point,
   s = |g'd| there, a parabola with slope -s at the beginning, minimum at a quarter and
   height s at d. */
static double refused_value(const struct optimisation *o, const double *u, double unit,
                            double *gradient)
{
    const struct evaluation *best = o->evaluation[o->best];
    double *d = memory_new(o->n, sizeof *d), length = 0, slope = 0;
    descent_point(o, best, d);
    descent_gradient(o, best, gradient);
    for (int k = 0; k < o->n; k++) {
        d[k] = u[k] - d[k];
        length += d[k] * d[k];
        slope += gradient[k] * d[k];
    }
    double s = fmax(fabs(slope), 1e-3 * best->norm * sqrt(length));
    for (int k = 0; k < o->n; k++)
        gradient[k] = unit * (gradient[k] + (3 * s - slope) * d[k] / length);
    free(d);
    return unit * (descent_value(o, best) + s);
}

/* Is u so far from the best point that a parameter changes by more than its size? A line
   search may extrapolate that far across a jump of the cost, to motions of quite another
   kind that take for ever. */
static bool is_far(const struct optimisation *o, const double *u)
{
    static const double most = 1;
    double *best = memory_new(o->n, sizeof *best), change = 0;
    descent_point(o, o->evaluation[o->best], best);
    for (int k = 0; k < o->n; k++)
        change = fmax(change, fabs(u[k] - best[k]));
    free(best);
    return change > most;
}

/* Does the minimiser stall? It has asked for nothing but points that it knows, or for
   many none of which was better. */
static bool stalls(struct descent *descent)
{
    enum { AGAIN = 50, WORSE = 60 };
    const struct optimisation *o = descent->o;
    descent->again = o->asked == descent->asked ? descent->again + 1 : 0;
    descent->asked = o->asked;
    int last_good = o->best > descent->begun ? o->best : descent->begun;
    return descent->again > AGAIN || o->asked - last_good > WORSE;
}

/* The function that the minimiser sees. Its gradient at the start is as long as a first
   step should be. */
static double seen(void *context, const double *u, double *gradient, bool *stop)
{
    static const double first_step = 0.1;
    struct descent *descent = context;
    struct optimisation *o = descent->o;
    double unit = first_step / o->evaluation[0]->norm;
    bool far = is_far(o, u);
    const struct evaluation *e = far ? NULL : descent_evaluate(o, u);
    if (o->stop != STOP_NOT_YET || stalls(descent)) {
        *stop = true;
        memset(gradient, 0, (size_t)o->n * sizeof *gradient);
        return 0;
    }
    if (far || e->status != OK)
        return refused_value(o, u, unit, gradient);
    descent_prefer(o, e);
    *stop = o->evaluation[o->best] == e && descent_arrived(o, e);
    if (*stop)
        o->stop = STOP_GRADIENT;
    descent_gradient(o, e, gradient);
    for (int k = 0; k < o->n; k++)
        gradient[k] *= unit;
    return unit * descent_value(o, e);
}

/* Lets the minimiser go down from the answer so far, then polishes. */
static void go_down(struct optimisation *o)
{
    struct descent descent = {.o = o, .begun = o->asked, .asked = o->asked};
    const struct minimisation m = {.algorithm = o->request.algorithm, .n = o->n,
                                   .lower = o->lower, .upper = o->upper, .f = seen,
                                   .context = &descent};
    double *u = memory_new(o->n, sizeof *u);
    descent_point(o, o->evaluation[o->best], u);
    minimise(&m, u);
    free(u);
    if (o->stop == STOP_NOT_YET)
        polish(o);
}

/* Goes down again as long as that helps: a minimiser may give up where its model of the
   cost is bad. */
static void go_down_often(struct optimisation *o)
{
    enum { ROUNDS = 10 };
    for (int round = 0; round < ROUNDS && o->stop == STOP_NOT_YET; round++) {
        const struct evaluation *before = o->evaluation[o->best];
        go_down(o);
        double fallen = descent_value(o, before) -
                        descent_value(o, o->evaluation[o->best]);
        if (!(fallen > descent_noise(o, before)))
            break;
    }
}

/* --- the end ------------------------------------------------------------------------ */

/* The distance of two evaluations, by u. */
static double distance(const struct optimisation *o, const struct evaluation *a,
                       const struct evaluation *b)
{
    double sum = 0;
    for (int k = 0; k < o->n; k++)
        sum = hypot(sum, (a->value[k] - b->value[k]) / o->scale[k]);
    return sum;
}

const struct evaluation *descent_beside(const struct optimisation *o, bool refused)
{
    static const double near = 1e-4;
    const struct evaluation *best = o->evaluation[o->best], *found = NULL;
    for (int k = 0; k < o->asked; k++) {
        const struct evaluation *e = o->evaluation[k];
        bool other = refused ? e->status != OK
                             : e->status == OK && strcmp(e->names, best->names) != 0;
        if (other && distance(o, e, best) < (found ? distance(o, found, best) : near))
            found = e;
    }
    return found;
}

void optimisation_run(struct optimisation *o)
{
    static const double small = 1e-6;
    double *u = memory_new(o->n, sizeof *u);
    const struct evaluation *first = descent_evaluate(o, u);
    free(u);
    if (!first)
        return;
    if (first->status != OK) {
        o->stop = STOP_START;
        return;
    }
    descent_prefer(o, first);
    if (first->norm <= 0)
        o->stop = STOP_GRADIENT;
    else if (first->norm <= small * fmax(1, fabs(first->psi)))
        curvature_check(o);     /* the start may be the minimum, but for rounding */
    if (o->stop == STOP_NOT_YET)
        go_down_often(o);
    if (o->stop == STOP_NOT_YET)
        o->stop = descent_beside(o, false)  ? STOP_JUMP
                  : descent_beside(o, true) ? STOP_REFUSED
                                            : STOP_ROUNDING;
    if (o->stop != STOP_GRADIENT)
        return;
    curvature_check(o);
    if (interrupt_seen())
        o->stop = STOP_INTERRUPTED;
}

double optimisation_norm(const struct optimisation *o)
{
    double first = o->evaluation[0]->norm;
    return first > 0 ? o->evaluation[o->best]->norm / first : 0;
}

int optimisation_at_bound(const struct optimisation *o, int k)
{
    return bound_of(o, o->evaluation[o->best], k);
}
