/*
 * shooting.c - equations of multiple shooting by the sensitivities of runs (shooting.h)
 */
#include "orbits/shooting.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_linalg.h>

#include "base/memory.h"

/* Singular values below this are zero: the orbit is one of a family. By sizes the matrix
   has entries of one, and larger ones only where the motion is unstable. */
static const double no_value = 1e-9;
/* Part of a right-hand side that may be outside of what the matrix reaches. */
static const double outside = 1e-6;
/* The least size of a component, as a part of its largest magnitude in the run: one that
   comes to rest is not compared with what is left of it. */
static const double at_rest = 1e-3;

/* --- making ------------------------------------------------------------------------- */

/* The largest magnitude of each component of the state over all nodes, or of one that is
   at rest there its part of the largest in the run. */
static double *sizes_of(const struct orbit_guess *guess, int width)
{
    double *size = memory_new(width, sizeof *size);
    for (int k = 0; k < guess->nodes; k++)
        for (int i = 0; i < width; i++)
            size[i] = fmax(size[i], fabs(guess->node[k].x[i]));
    for (int i = 0; i < width; i++)
        size[i] = fmax(size[i], at_rest * guess->largest[i]);
    return size;
}

/* The group in which component i of the state advances; -1: it comes back. */
static int drift_of(const struct shooting *s, int i)
{
    return s->request->drift ? s->request->drift[i] : -1;
}

static void take_guess(struct shooting *s, const struct orbit_guess *guess)
{
    int width = s->segment[0].width;
    double *size = sizes_of(guess, width);
    s->u[s->period] = s->size[s->period] = guess->period;
    for (int k = 0; k < s->nodes; k++) {
        int next = shooting_next(s, k);
        double end = next > 0 ? guess->node[next].t : guess->node[0].t + guess->period;
        s->part[k] = (end - guess->node[k].t) / guess->period;
        for (int i = 0; i < s->segment[k].count; i++) {
            s->u[s->first[k] + i] = guess->node[k].x[s->segment[k].component[i]];
            s->size[s->first[k] + i] = size[s->segment[k].component[i]];
        }
        s->row[next] = s->row[k] + s->segment[next].count;
    }
    for (int c = 0; c < s->segment[0].count; c++)
        s->largest[c] = fmax(s->size[c], guess->largest[s->segment[0].component[c]]);
    s->row[0] = 0;
    for (int i = 0; i < width; i++)
        if (drift_of(s, i) >= 0) {
            double *own = &s->size[s->period + 1 + drift_of(s, i)];
            *own = fmax(*own, size[i]);
        }
    for (int g = 0; g < s->request->drifts; g++)
        s->u[s->period + 1 + g] = guess->advance[g];
    s->component_size = size;
}

/* The parameter that is continued, its unknown, and its size. */
static void take_parameter(struct shooting *s)
{
    int last = s->unknowns - 1;
    const struct run_request *run = &s->request->run;
    double rho = run->value[run->parameter[0]];
    s->u[last] = s->origin[last] = rho;
    s->size[last] = rho != 0 ? fabs(rho) : 1;
    s->tangent[last] = 1;
}

enum status shooting_init(struct shooting *s, const struct orbit_request *request,
                          const struct orbit_guess *guess, bool continued,
                          struct diagnosis *diagnosis)
{
    *s = (struct shooting){.request = request, .nodes = guess->nodes,
                           .continued = continued, .enough = 16 * DBL_EPSILON};
    s->segment = memory_new(s->nodes, sizeof *s->segment);
    s->first = memory_new(s->nodes + 1, sizeof *s->first);
    s->row = memory_new(s->nodes, sizeof *s->row);
    s->part = memory_new(s->nodes, sizeof *s->part);
    for (int k = 0; k < s->nodes; k++) {
        enum status status = segment_init(&s->segment[k], request, guess->node[k].mode,
                                          guess->node[k].x, diagnosis);
        if (status != OK)
            return status;
        s->first[k + 1] = s->first[k] + s->segment[k].count;
    }
    s->period = s->first[s->nodes];
    s->unknowns = s->period + 1 + request->drifts + continued;
    size_t n = (size_t)s->unknowns;
    s->u = memory_new(s->unknowns, sizeof *s->u);
    s->size = memory_new(s->unknowns, sizeof *s->size);
    s->largest = memory_new(s->unknowns, sizeof *s->largest);
    s->residual = memory_new(s->unknowns, sizeof *s->residual);
    s->tangent = memory_new(s->unknowns, sizeof *s->tangent);
    s->origin = memory_new(s->unknowns, sizeof *s->origin);
    s->U = gsl_matrix_alloc(n, n);
    s->V = gsl_matrix_alloc(n, n);
    s->sigma = gsl_vector_alloc(n);
    take_guess(s, guess);
    if (continued)
        take_parameter(s);
    return OK;
}

void shooting_clear(struct shooting *s)
{
    for (int k = 0; s->segment && k < s->nodes; k++)
        segment_clear(&s->segment[k]);
    if (s->U) {
        gsl_matrix_free(s->U);
        gsl_matrix_free(s->V);
        gsl_vector_free(s->sigma);
    }
    free(s->segment);
    free(s->first);
    free(s->row);
    free(s->part);
    free(s->u);
    free(s->size);
    free(s->largest);
    free(s->component_size);
    free(s->residual);
    free(s->tangent);
    free(s->origin);
    free(s->step);
    *s = (struct shooting){.nodes = 0};
}

/* --- equations ---------------------------------------------------------------------- */

/* Component i of node k + 1 where segment k ends, or its derivative by column j. */
static double at_end(const struct shooting *s, int k, int i, int j)
{
    const struct orbit_segment *segment = &s->segment[k];
    int component = s->segment[shooting_next(s, k)].component[i];
    return segment_value(segment, segment_point(segment, true), component, j);
}

/* The size of component i of node k + 1. */
static double size_of(const struct shooting *s, int k, int i)
{
    return s->size[s->first[shooting_next(s, k)] + i];
}

/* The unknown by which component i of node k + 1 is more advanced than node 1; -1:
   none. */
static int advance_of(const struct shooting *s, int k, int i)
{
    int next = shooting_next(s, k);
    int group = next == 0 ? drift_of(s, s->segment[next].component[i]) : -1;
    return group < 0 ? -1 : s->period + 1 + group;
}

enum status shooting_evaluate(struct shooting *s, const double *u,
                              struct diagnosis *diagnosis)
{
    int last = s->unknowns - 1, parameter = s->continued ? s->request->run.parameter[0]
                                                         : -1;
    for (int k = 0; k < s->nodes; k++) {
        if (s->continued)
            s->segment[k].value[parameter] = u[last];
        enum status status = segment_run(&s->segment[k], u + s->first[k],
                                         s->part[k] * u[s->period], diagnosis);
        if (status != OK)
            return status;
    }
    for (int k = 0; k < s->nodes; k++) {
        int next = shooting_next(s, k);
        for (int i = 0; i < s->segment[next].count; i++) {
            int advance = advance_of(s, k, i);
            double want = u[s->first[next] + i] + (advance < 0 ? 0 : u[advance]);
            s->residual[s->row[k] + i] = (want - at_end(s, k, i, -1)) / size_of(s, k, i);
        }
    }
    if (s->continued) {
        s->residual[last] = -s->arc;
        for (int i = 0; i < s->unknowns; i++)
            s->residual[last] += s->tangent[i] * (u[i] - s->origin[i]) / s->size[i];
    }
    return OK;
}

/* An entry of the matrix, by the size of the row's component. */
static void add_entry(struct shooting *s, int row, int column, double row_size,
                      double value)
{
    double *entry = gsl_matrix_ptr(s->U, (size_t)row, (size_t)column);
    *entry += value * s->size[column] / row_size;
}

static void load_segment(struct shooting *s, int k)
{
    int next = shooting_next(s, k);
    for (int i = 0; i < s->segment[next].count; i++) {
        int row = s->row[k] + i, advance = advance_of(s, k, i);
        double size = size_of(s, k, i);
        for (int c = 0; c < s->segment[k].count; c++)
            add_entry(s, row, s->first[k] + c, size, -at_end(s, k, i, c));
        add_entry(s, row, s->first[next] + i, size, 1);
        add_entry(s, row, s->period, size,
                  -s->part[k] * s->segment[k].rate[s->segment[next].component[i]]);
        if (advance >= 0)
            add_entry(s, row, advance, size, 1);
        if (s->continued)
            add_entry(s, row, s->unknowns - 1, size,
                      -at_end(s, k, i, s->segment[k].count));
    }
}

/* The phase: f' dz_1 = 0, each component by what it has been at most in the run: one that
   comes to rest, which Newton's method may take away altogether, hardly counts. */
static void load_phase(struct shooting *s)
{
    struct orbit_segment *segment = &s->segment[0];
    double *rate = memory_new(segment->width, sizeof *rate), length = 0;
    segment_rates(segment, segment_point(segment, false), rate);
    for (int c = 0; c < segment->count; c++) {
        double *own = &rate[segment->component[c]];
        *own *= s->size[c] / (s->largest[c] * s->largest[c]);
        length = hypot(length, *own);
    }
    for (int c = 0; c < segment->count && length > 0; c++)
        gsl_matrix_set(s->U, (size_t)s->period, (size_t)c,
                       rate[segment->component[c]] / length);
    free(rate);
}

void shooting_factor(struct shooting *s)
{
    gsl_vector *work = gsl_vector_alloc((size_t)s->unknowns);
    gsl_matrix_set_zero(s->U);
    for (int k = 0; k < s->nodes; k++)
        load_segment(s, k);
    load_phase(s);
    for (int i = 0; i < s->unknowns && s->continued; i++)
        gsl_matrix_set(s->U, (size_t)s->unknowns - 1, (size_t)i, s->tangent[i]);
    gsl_linalg_SV_decomp(s->U, s->V, s->sigma, work);
    gsl_vector_free(work);
    s->families = 0;
    for (int i = 0; i < s->unknowns; i++)
        s->families += gsl_vector_get(s->sigma, (size_t)i) <=
                       no_value * fmin(1, gsl_vector_get(s->sigma, 0));
}

/* du [unknowns] = the shortest least-squares solution for b [unknowns] by sizes. Returns
   the length of the part of b that is not reached. */
static double solve(const struct shooting *s, const double *b, double *du)
{
    int n = s->unknowns, rank = n - s->families;
    double *y = memory_new(2 * n, sizeof *y), *left = y + n, length = 0;
    memory_copy(left, b, n, sizeof *left);
    for (int j = 0; j < rank; j++) {
        for (int i = 0; i < n; i++)
            y[j] += gsl_matrix_get(s->U, (size_t)i, (size_t)j) * b[i];
        for (int i = 0; i < n; i++)
            left[i] -= y[j] * gsl_matrix_get(s->U, (size_t)i, (size_t)j);
        y[j] /= gsl_vector_get(s->sigma, (size_t)j);
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < rank; j++)
            sum += gsl_matrix_get(s->V, (size_t)i, (size_t)j) * y[j];
        du[i] = sum * s->size[i];
        length = hypot(length, left[i]);
    }
    free(y);
    return length;
}

bool shooting_by_parameter(const struct shooting *s, int j, double *du)
{
    double *b = memory_new(s->unknowns, sizeof *b), size = 0;
    for (int k = 0; k < s->nodes; k++) {
        int count = s->segment[shooting_next(s, k)].count;
        for (int i = 0; i < count; i++) {
            double *own = &b[s->row[k] + i];
            *own = at_end(s, k, i, s->segment[k].count + j) / size_of(s, k, i);
            size = fmax(size, fabs(*own));
        }
    }
    bool reached = solve(s, b, du) <= outside * size;
    free(b);
    return reached;
}

void shooting_normalise(const struct shooting *s, double *direction)
{
    double length = 0;
    for (int i = 0; i < s->unknowns; i++)
        length = hypot(length, direction[i]);
    for (int i = 0; i < s->unknowns; i++)
        direction[i] /= length;
}

void shooting_take_tangent(struct shooting *s)
{
    double *b = memory_new(s->unknowns, sizeof *b);
    b[s->unknowns - 1] = 1;
    solve(s, b, s->tangent);
    for (int i = 0; i < s->unknowns; i++)
        s->tangent[i] /= s->size[i];
    shooting_normalise(s, s->tangent);
    free(b);
}

void shooting_first_tangent(struct shooting *s)
{
    static const double along = 1e-6;
    int n = s->unknowns;
    double length = 0;
    memset(s->tangent, 0, (size_t)n * sizeof *s->tangent);
    shooting_factor(s);         /* the last row is zero, and so is one value at least */
    for (int j = n - s->families; j < n; j++)
        for (int i = 0; i < n; i++)
            s->tangent[i] += gsl_matrix_get(s->V, (size_t)n - 1, (size_t)j) *
                             gsl_matrix_get(s->V, (size_t)i, (size_t)j);
    for (int i = 0; i < n; i++)
        length = hypot(length, s->tangent[i]);
    for (int i = 0; i < n && !(length > along); i++)
        s->tangent[i] = gsl_matrix_get(s->V, (size_t)i, (size_t)n - 1);
    shooting_normalise(s, s->tangent);
    shooting_factor(s);
}

/* --- Newton's method ---------------------------------------------------------------- */

/* The largest residual by the sizes of what it is a residual of. */
static double error_of(const struct shooting *s)
{
    double error = 0;
    for (int i = 0; i < s->unknowns; i++)
        error = fmax(error, fabs(s->residual[i]));
    return error;
}

static double length_of(const struct shooting *s, const double *du)
{
    double length = 0;
    for (int i = 0; i < s->unknowns; i++)
        length = fmax(length, fabs(du[i]) / s->size[i]);
    return length;
}

static void note_step(struct shooting *s, double residual, double change, double part)
{
    s->step = memory_grow(s->step, &s->room, s->steps + 1, sizeof *s->step);
    s->step[s->steps++] = (struct orbit_step){residual, change, part};
}

/* Goes along du, halved until the residual falls; `trial` is scratch. Returns the part
   that was taken, 0: none; `status` is that of the last try. */
static double descend(struct shooting *s, const double *du, double *trial,
                      enum status *status, struct diagnosis *diagnosis)
{
    static const double least = 1.0 / 128;
    double before = error_of(s);
    for (double part = 1; part >= least; part /= 2) {
        for (int i = 0; i < s->unknowns; i++)
            trial[i] = s->u[i] + part * du[i];
        *status = shooting_evaluate(s, trial, diagnosis);
        if (*status == OK && error_of(s) < before) {
            memory_copy(s->u, trial, s->unknowns, sizeof *trial);
            return part;
        }
    }
    return 0;
}

/* Has the last step hardly made a residual smaller that is near rounding? */
static bool is_rounding(const struct shooting *s)
{
    static const double small = 1e-13, hardly = 0.25;
    const struct orbit_step *last = &s->step[s->steps - 1];
    return s->steps > 1 && last->residual < small &&
           last->residual > hardly * last[-1].residual;
}

double shooting_rounding(const struct shooting *s)
{
    return 1e3 * fmax(s->request->run.rtol, DBL_EPSILON);
}

/* `tried`: the status of the last point that was tried, which the diagnosis tells. */
static enum status diverged(const struct shooting *s, enum status tried,
                            struct diagnosis *diagnosis)
{
    const struct diagnosis last = *diagnosis;
    char why[240] = "";
    if (tried != OK)
        snprintf(why, sizeof why, "; beyond, %s: %.200s", status_text(tried), last.place);
    return diagnose(diagnosis, NO_ORBIT, tried != OK ? last.t : NAN, "Newton's method "
                    "goes astray from the run (a later t_end or another start may be "
                    "nearer): after %d steps the ends miss the next nodes by %.2g of "
                    "their size%s", s->steps,
                    s->step[s->steps - 1].residual, why);
}

enum status shooting_solve(struct shooting *s, struct diagnosis *diagnosis)
{
    int most = s->request->max_steps > 0 ? s->request->max_steps : ORBIT_MAX_STEPS;
    s->steps = 0;
    double *b = memory_new(3 * s->unknowns, sizeof *b), *du = b + s->unknowns;
    double *trial = du + s->unknowns, part = 1;
    enum status status = shooting_evaluate(s, s->u, diagnosis), tried = OK;
    while (status == OK && part > 0) {
        shooting_factor(s);
        for (int i = 0; i < s->unknowns; i++)
            b[i] = -s->residual[i];
        solve(s, b, du);
        double error = error_of(s), change = length_of(s, du);
        note_step(s, error, change, 0);
        if (fmax(change, error) <= s->enough || is_rounding(s) || s->steps > most)
            break;
        part = s->step[s->steps - 1].part = descend(s, du, trial, &tried, diagnosis);
    }
    if (status == OK && part == 0) {    /* no step is better: back to the last point */
        status = shooting_evaluate(s, s->u, diagnosis);
        shooting_factor(s);
    }
    const struct orbit_step *last = s->steps > 0 ? &s->step[s->steps - 1] : NULL;
    if (status == OK && !(fmax(last->change, last->residual) <= shooting_rounding(s)))
        status = diverged(s, tried, diagnosis);
    free(b);
    return status;
}

/* --- events ------------------------------------------------------------------------- */

int shooting_count_events(const struct shooting *s)
{
    int events = 0;
    for (int k = 0; k < s->nodes; k++)
        events += s->segment[k].run->events;
    return events;
}

/* Appends the name of an event: "impact, phase". */
static void append_name(char *text, int size, const struct event *event)
{
    size_t used = strlen(text);
    snprintf(text + used, (size_t)size - used, "%s%s", used > 0 ? ", " : "", event->name);
}

/* Is b [count] a turned round? */
static bool same_round(const int *a, const int *b, int count)
{
    for (int shift = 0; shift < count; shift++) {
        int k = 0;
        while (k < count && a[(k + shift) % count] == b[k])
            k++;
        if (k == count)
            return true;
    }
    return count == 0;
}

/* Refuses an orbit that has other events than the guess. Nodes may have moved past an
   event, so that another one is the first. */
enum status shooting_check_events(const struct shooting *s,
                                  const struct orbit_guess *guess,
                                  struct diagnosis *diagnosis)
{
    const struct model *model = s->request->run.model;
    char wanted[160] = "", found[160] = "";
    int e = 0, events = shooting_count_events(s);
    int *index = memory_new(events, sizeof *index);
    for (int i = 0; i < guess->events; i++)
        append_name(wanted, sizeof wanted, model->event[guess->event[i]]);
    for (int k = 0; k < s->nodes; k++)
        for (int i = 0; i < s->segment[k].run->events; i++, e++) {
            const struct event *event = s->segment[k].run->event[i].event;
            append_name(found, sizeof found, event);
            index[e] = event->index;
        }
    bool same = events == guess->events && same_round(guess->event, index, events);
    free(index);
    return same ? OK : diagnose(diagnosis, NO_ORBIT, NAN, "the orbit that was found has "
                               "the events %s, not %s", found, wanted);
}

/* --- guesses ------------------------------------------------------------------------ */

struct orbit_guess *shooting_guess(const struct shooting *s,
                                   const struct orbit_guess *events, int rounds)
{
    int nodes = s->nodes, width = s->segment[0].width;
    double period = shooting_period(s), t = 0;
    struct orbit_guess *guess = memory_new(1, sizeof *guess);
    *guess = (struct orbit_guess){.period = rounds * period,
                                  .events = rounds * events->events,
                                  .nodes = rounds * nodes};
    guess->event = memory_new(guess->events, sizeof *guess->event);
    guess->node = memory_new(guess->nodes, sizeof *guess->node);
    guess->advance = memory_new(s->request->drifts, sizeof *guess->advance);
    for (int g = 0; g < s->request->drifts; g++)
        guess->advance[g] = rounds * s->u[s->period + 1 + g];
    guess->largest = memory_new(width, sizeof *guess->largest);
    memory_copy(guess->largest, events->largest, width, sizeof *guess->largest);
    for (int e = 0; e < guess->events; e++)
        guess->event[e] = events->event[e % events->events];
    for (int k = 0; k < guess->nodes; t += s->part[k++ % nodes] * period) {
        const struct orbit_segment *segment = &s->segment[k % nodes];
        struct guess_node *node = &guess->node[k];
        node->mode = segment->restart.mode;
        node->t = t;
        node->x = memory_new(width, sizeof *node->x);
        for (int i = 0; i < width; i++) {
            int group = drift_of(s, i);
            double advance = group < 0 ? 0 : s->u[s->period + 1 + group];
            node->x[i] = segment_value(segment, segment_point(segment, false), i, -1) +
                         k / nodes * advance;
        }
    }
    if (s->continued)
        guess->rho = s->u[s->unknowns - 1];
    return guess;
}
