/*
 * complex_domain_edges.c - where a complex-step trajectory meets an edge
 * (complex_domain_edges.h).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "oracles/complex_run.h"
#include "program/complex_step.h"

enum { PARTS = GUARD_SAMPLES };

void complex_edges_init(struct complex_edges *edges, const struct tape *tape,
                        const struct edges *source)
{
    int count = source->count, outputs = 2 * count + source->domains;
    *edges = (struct complex_edges){.edge = source->edge, .count = count,
                                    .domain = source->domain,
                                    .domains = source->domains,
                                    .of_motion = source->moving > source->of_state};
    formula *f = memory_new(outputs, sizeof *f);
    edges_formulas(source, f);
    complex_outputs_init(&edges->outputs, tape, f, outputs);
    edges->value = memory_new(outputs, sizeof *edges->value);
    edges->off = memory_new(outputs, sizeof *edges->off);
    edges->table = memory_new(2 * (PARTS + 1) * count, sizeof *edges->table);
    edges->scale = memory_new(count, sizeof *edges->scale);
    free(f);
}

void complex_edges_clear(struct complex_edges *edges)
{
    complex_outputs_clear(&edges->outputs);
    free(edges->value);
    free(edges->off);
    free(edges->table);
    free(edges->scale);
}

static enum status refuse(const struct complex_run *run,
                          const struct complex_edges *edges, int k, double t,
                          const char *when)
{
    struct diagnosis own;
    enum status status = edge_refuse(&edges->edge[k], run->cm->model->names, t, when,
                                     &own);
    return diagnose(run->diagnosis, status, t, "complex step: %.400s", own.place);
}

/* Refuses the first domain that the values last evaluated, off by edges->off, are
   outside of. */
static enum status outside(const struct complex_run *run,
                           const struct complex_edges *edges, const char *when)
{
    for (int k = 0; k < edges->domains; k++) {
        int at = 2 * edges->count + k;
        double inside = creal(edges->value[at]), t = creal(run->values->x[BLOCK_T][0]);
        struct diagnosis own;
        if (!(inside < -edges->off[at]))
            continue;
        domain_refuse(&edges->domain[k], run->cm->model->names, t, inside, when, &own);
        return diagnose(run->diagnosis, NOT_FINITE, t, "complex step: %.400s", own.place);
    }
    return OK;
}

static struct complex_edges *of_mode(const struct complex_run *run)
{
    return &run->cm->mode[run->mode].edges;
}

/* --- at a point --------------------------------------------------------------------- */

static void evaluate(struct complex_edges *edges, const struct complex_values *values,
                     double complex *out)
{
    complex_outputs_rho(&edges->outputs, values);
    complex_outputs_eval(&edges->outputs, values, out);
}

/* Measures by how much all values are off when one variable after the other is. */
static void measure(struct complex_edges *edges, struct complex_values *values,
                    double relative)
{
    int outputs = 2 * edges->count + edges->domains;
    double complex *moved = memory_new(outputs, sizeof *moved);
    memset(edges->off, 0, (size_t)outputs * sizeof *edges->off);
    for (int b = 0; b < BLOCKS; b++) {
        double size = 0;
        for (int i = 0; i < values->size[b]; i++)
            size = fmax(size, fabs(creal(values->x[b][i])));
        for (int i = 0; i < values->size[b]; i++) {
            double complex kept = values->x[b][i];
            values->x[b][i] += b == BLOCK_RHO ? 1e-15 * fabs(creal(kept))
                                              : relative * size;
            evaluate(edges, values, moved);
            for (int k = 0; k < outputs; k++)
                edges->off[k] += fabs(creal(moved[k] - edges->value[k]));
            values->x[b][i] = kept;
        }
    }
    evaluate(edges, values, moved);
    free(moved);
}

static bool is_beside(const struct complex_edges *edges, int k)
{
    int beside = edges->count + k;
    return !edges->edge[k].beside.tape ||
           creal(edges->value[beside]) <= edges->off[beside];
}

/* May monitor k be zero? A root of a number has its end where the number is zero, and is
   zero there. */
static bool may_be_zero(const struct complex_edges *edges, int k)
{
    return is_steady(edges->edge[k].zero) && edges->edge[k].status == DOMAIN_EDGE;
}

enum status complex_edges_at(struct complex_run *run, struct complex_edges *edges,
                             double relative, const char *when)
{
    if (edges->count + edges->domains == 0)
        return OK;
    evaluate(edges, run->values, edges->value);
    measure(edges, run->values, relative);
    enum status status = outside(run, edges, when);
    if (status != OK)
        return status;
    for (int k = 0; k < edges->count; k++)
        if (may_be_zero(edges, k) && creal(edges->value[k]) == 0 &&
            cimag(edges->value[k]) != 0)
            return complex_gate(run, complex_of(0, INFINITY), edges->edge[k].place, "");
    for (int k = 0; k < edges->count; k++)
        if (!may_be_zero(edges, k) && fabs(creal(edges->value[k])) <= edges->off[k] &&
            is_beside(edges, k))
            return refuse(run, edges, k, creal(run->values->x[BLOCK_T][0]), when);
    return OK;
}

enum status complex_domains_at(struct complex_run *run, struct complex_edges *edges,
                               const char *when)
{
    if (edges->domains == 0)
        return OK;
    evaluate(edges, run->values, edges->value);
    measure(edges, run->values, 1e-12);
    return outside(run, edges, when);
}

/* Evaluates the edges of the mode at (t, x). */
static enum status evaluate_at(struct complex_run *run, double complex t, const double *x)
{
    struct complex_edges *edges = of_mode(run);
    enum status status = OK;
    if (edges->of_motion)
        status = complex_run_load(run, t, x);
    else
        complex_run_set(run, t, x);
    if (status == OK)
        evaluate(edges, run->values, edges->value);
    return status;
}

enum status complex_edges_start(struct complex_run *run)
{
    const struct complex_edges *edges = of_mode(run);
    if (edges->count + edges->domains == 0 || evaluate_at(run, run->t, run->x) != OK)
        return OK;                  /* the caller that needs the solution says why there
                                       is none */
    return complex_edges_at(run, of_mode(run), 1e-12, " where the arc begins");
}

/* --- on a step ---------------------------------------------------------------------- */

static enum status evaluate_inside(struct complex_run *run, double h, double theta)
{
    double complex t = run->origin + (creal(run->t) + theta * h) * run->direction;
    const double *x = run->x_at;
    if (theta <= 0 || theta >= 1)
        x = theta <= 0 ? run->x : run->x_new;
    else
        run->integrator->dense(run->work, theta, 0, 2 * run->dim, run->x_at);
    return evaluate_at(run, t, x);
}

static double *table_beside(const struct complex_edges *edges)
{
    return edges->table + (PARTS + 1) * edges->count;
}

static enum status sample(struct complex_run *run, double h)
{
    struct complex_edges *edges = of_mode(run);
    enum status status = OK;
    for (int i = 0; status == OK && i <= PARTS; i++) {
        status = evaluate_inside(run, h, (double)i / PARTS);
        for (int k = 0; k < edges->count; k++) {
            double zero = creal(edges->value[k]);
            edges->table[i * edges->count + k] = zero;
            table_beside(edges)[i * edges->count + k] =
                creal(edges->value[edges->count + k]);
            edges->scale[k] = fmax(edges->scale[k], fabs(zero));
        }
    }
    return status;
}

/* Do all monitors keep their signs, and is the least of every fourth sample no small part
   of the largest? A parabola that touches zero between them is lower at one. */
static bool keep_away(struct complex_run *run, double h)
{
    enum { FEW = 4 };
    static const double fraction = 0.25;
    struct complex_edges *edges = of_mode(run);
    int count = edges->count;
    for (int i = 0; i <= FEW; i++) {
        if (evaluate_inside(run, h, (double)i / FEW) != OK)
            return false;
        for (int k = 0; k < count; k++)
            edges->table[i * count + k] = creal(edges->value[k]);
    }
    for (int k = 0; k < count; k++) {
        double least = INFINITY, most = 0;
        for (int i = 0; i <= FEW; i++) {
            double zero = edges->table[i * count + k];
            least = fmin(least, zero * edges->table[k] > 0 ? fabs(zero) : 0);
            most = fmax(most, fabs(zero));
        }
        edges->scale[k] = fmax(edges->scale[k], most);
        if (!(least > fraction * most))
            return false;
    }
    return true;
}

/* Value k at theta: of a monitor or, from count on, of the value beside it; INFINITY:
   there is none. */
static double value_at(struct complex_run *run, int k, double h, double theta)
{
    return evaluate_inside(run, h, theta) == OK ? creal(of_mode(run)->value[k])
                                                : INFINITY;
}

/* The point at which value k takes another sign than at `low`, as it has at `high`. */
static double bisect(struct complex_run *run, int k, double h, double low, double high)
{
    bool positive = value_at(run, k, h, low) > 0;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if ((value_at(run, k, h, middle) > 0) == positive)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* May monitor k turn on part i of the step (complex_may_turn)? */
static bool may_turn(const struct complex_edges *edges, int k, int i)
{
    const double *r = edges->table + k;
    int stride = edges->count;
    double before = fabs(r[(i - 1) * stride]), after = fabs(r[i * stride]);
    double fall = i > 1 ? fabs(r[(i - 2) * stride]) - before : INFINITY;
    double rise = i < PARTS ? fabs(r[(i + 1) * stride]) - after : INFINITY;
    fall = i > 1 ? fall : rise;
    rise = i < PARTS ? rise : fall;
    return fall >= 0 && rise >= 0 && fmin(before, after) <= fmax(fall, rise);
}

/* The place on part i at which |monitor| is least, by golden sections; *value there. */
static double turn(struct complex_run *run, int k, double h, int i, double *value)
{
    static const double golden = 0.6180339887498949;
    double low = (double)(i - 1) / PARTS, high = (double)i / PARTS;
    double sign = of_mode(run)->table[i * of_mode(run)->count + k] > 0 ? 1 : -1;
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = sign * value_at(run, k, h, left);
    double at_right = sign * value_at(run, k, h, right);
    for (int j = 0; j < 60 && at_left > 0 && at_right > 0; j++) {
        if (at_left < at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = sign * value_at(run, k, h, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = sign * value_at(run, k, h, right);
        }
    }
    *value = sign * fmin(at_left, at_right);
    return at_left < at_right ? left : right;
}

/* Does the motion stay on the line of which edge k is a part, on part i of the step? */
static bool stays_on_line(const struct complex_edges *edges, int k, int i)
{
    return edges->edge[k].beside.tape && edges->table[(i - 1) * edges->count + k] == 0 &&
           edges->table[i * edges->count + k] == 0;
}

/* The point of part i at which a motion on the line comes to edge k; NAN: none. */
static double end_of_line(struct complex_run *run, int k, double h, int i)
{
    const struct complex_edges *edges = of_mode(run);
    const double *beside = table_beside(edges) + k;
    if (!(beside[(i - 1) * edges->count] > 0 && beside[i * edges->count] <= 0))
        return NAN;
    return bisect(run, edges->count + k, h, (double)(i - 1) / PARTS, (double)i / PARTS);
}

/* The root of monitor k on part i of the step, NAN: none. */
static double root_on_part(struct complex_run *run, int k, double h, int i)
{
    static const double touching = 1e-11;
    const struct complex_edges *edges = of_mode(run);
    double before = edges->table[(i - 1) * edges->count + k];
    double after = edges->table[i * edges->count + k];
    double low = (double)(i - 1) / PARTS, high = (double)i / PARTS, least;
    if (stays_on_line(edges, k, i))
        return end_of_line(run, k, h, i);
    if (before * after < 0 || (after == 0 && before != 0))
        return bisect(run, k, h, low, high);
    if (before == 0 || !may_turn(edges, k, i))
        return NAN;
    double theta = turn(run, k, h, i, &least);
    if (least * before < 0)
        return bisect(run, k, h, low, theta);
    return fabs(least) <= touching * edges->scale[k] ? theta : NAN;
}

enum status complex_edges_search(struct complex_run *run, double h, double *left,
                                 int *met)
{
    struct complex_edges *edges = of_mode(run);
    *left = INFINITY;
    if (edges->count == 0)
        return OK;
    enum status status = complex_run_prepare(run);
    if (status == OK && keep_away(run, h))
        return OK;
    if (status == OK)
        status = sample(run, h);
    memset(edges->off, 0, 2 * (size_t)edges->count * sizeof *edges->off);
    for (int i = 1; status == OK && i <= PARTS && *left == INFINITY; i++)
        for (int k = 0; k < edges->count; k++) {
            double theta = root_on_part(run, k, h, i);
            if (isnan(theta) || theta * h >= *left ||
                evaluate_inside(run, h, theta) != OK)
                continue;
            if (!stays_on_line(edges, k, i) && !is_beside(edges, k))
                continue;
            *left = theta * h;
            *met = k;
        }
    return status;
}

enum status complex_edges_refuse(struct complex_run *run, int met, double t)
{
    return refuse(run, of_mode(run), met, t, "");
}

/* --- refusals ----------------------------------------------------------------------- */

/* The time until monitor k is zero if it goes on from run->x as it does. *stays: the
   monitor is and stays zero, and the value is that beside it. */
static double time_to_zero(struct complex_run *run, int k, double *value, bool *stays)
{
    const struct complex_edges *edges = of_mode(run);
    double dt = 1e-8 * run->span;
    *value = NAN;
    for (int i = 0; i < 2 * run->dim; i++)
        run->x_at[i] = run->x[i] + dt * run->dx[i];
    if (evaluate_at(run, run->t + dt, run->x_at) != OK)
        return NAN;
    double there = creal(edges->value[k]);
    double beside = creal(edges->value[edges->count + k]);
    if (evaluate_at(run, run->t, run->x) != OK)
        return NAN;
    *value = creal(edges->value[k]);
    *stays = edges->edge[k].beside.tape && *value == 0 && there == 0;
    if (*stays) {
        *value = creal(edges->value[edges->count + k]);
        there = beside;
    }
    return *value * dt / (*value - there);
}

/* Goes half of the way again and again: is monitor k zero at *t? */
static bool goes_to_zero(struct complex_run *run, int k, double *t)
{
    static const double far = 1e-6;
    bool stays;
    double value, left = time_to_zero(run, k, &value, &stays), least = far * fabs(value);
    for (int i = 0; i < 40 && fabs(value) > least && left > 0; i++) {
        if (left < 32 * DBL_EPSILON * fabs(creal(run->t)))
            least = fabs(value);    /* the edge, as far as times can be told apart */
        if (complex_run_leap(run, left / 2) != OK)
            return false;
        run->t += left / 2;
        memcpy(run->x, run->x_at, 2 * (size_t)run->dim * sizeof *run->x);
        memcpy(run->dx, run->dx_new, 2 * (size_t)run->dim * sizeof *run->dx);
        for (int j = 0; j < 2 * run->dim; j++)
            run->dx[j] *= 2 / left;
        left = time_to_zero(run, k, &value, &stays);
    }
    *t = creal(run->t) + left;
    return fabs(value) <= least;
}

enum status complex_edges_refusal(struct complex_run *run, enum status status)
{
    static const bool may_be_one[STATUSES] = {
        [STEP_TOO_SMALL] = true, [NOT_FINITE] = true, [NO_CONVERGENCE] = true,
        [TOO_MANY_STEPS] = true, [SINGULAR] = true};
    const struct complex_edges *edges = of_mode(run);
    int nearest = -1;
    double least = 0.01 * run->span, value, t;
    for (int k = 0; may_be_one[status] && k < edges->count; k++) {
        bool stays = false;
        double left = time_to_zero(run, k, &value, &stays);
        memset(edges->off, 0, 2 * (size_t)edges->count * sizeof *edges->off);
        if (left >= 0 && left < least && (stays || is_beside(edges, k))) {
            nearest = k;
            least = left;
        }
    }
    bool is = nearest >= 0 && goes_to_zero(run, nearest, &t);
    return is ? complex_edges_refuse(run, nearest, t) : status;
}
