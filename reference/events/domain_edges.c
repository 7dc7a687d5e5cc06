/*
 * domain_edges.c - singularities of formulas along the motion: branch cuts, poles and
 * ends of domains, by root isolation on monitors.
 *
 * No series shows a cut or a pole: that of atan2 goes on analytically through the cut,
 * and that of a quotient says nothing beyond its circle of convergence. So the monitors
 * of the edges have series of their own, and their roots on each step are isolated like
 * those of guards. Steps before a root are a quarter of the way to it: there the series
 * of a guard or right-hand side that has the edge ends like 4^-order, for which the order
 * is chosen.
 */
#include <math.h>

#include "arc.h"
#include "base/memory.h"
#include "formula/domain_edges.h"

enum { PART_OF_THE_WAY = 2 };       /* log2 of the way to an edge over the step */

static double agreement(const struct run *run)
{
    return -(run->digits - 10) * MP_BITS_PER_DIGIT;
}

static enum status refuse(struct run *run, const struct edge *edge, const char *when)
{
    return edge_refuse(edge, run->model->names, mpfr_get_d(run->t, MPFR_RNDN), when,
                       run->diagnosis);
}

/* --- at a point --------------------------------------------------------------------- */

/* Refuses the first of domains [count] that the point is outside of, by more than
   2^tolerance. Output `first` of the series, which has been run, is the first domain. */
static enum status outside(struct run *run, const struct mp_series *series, int first,
                           const struct domain *domain, int count, double tolerance,
                           const char *when)
{
    for (int i = 0; i < count; i++) {
        mpfr_srcptr inside = mp_series_output(series, 0, first + i);
        if (mpfr_number_p(inside) && mpfr_sgn(inside) < 0 && mp_log2(inside) > tolerance)
            return domain_refuse(&domain[i], run->model->names,
                                 mpfr_get_d(run->t, MPFR_RNDN),
                                 mpfr_get_d(inside, MPFR_RNDN), when, run->diagnosis);
    }
    return OK;
}

/* Tests the monitors of edges and domains, from a program of order 0 that has
   been run. Refuses an edge that is met to 2^tolerance. */
static enum status at_point(struct run *run, const struct mp_series *series,
                            const struct edges *edges, double tolerance, const char *when)
{
    const struct edge *edge = edges->edge;
    int count = edges->count;
    enum status status = outside(run, series, 2 * count, edges->domain,
                                 edges->domains, tolerance, when);
    for (int i = 0; status == OK && i < count; i++) {
        mpfr_srcptr zero = mp_series_output(series, 0, i);
        mpfr_srcptr beside = mp_series_output(series, 0, count + i);
        double limit = tolerance;
        if (edge[i].beside.tape != NULL)
            limit += fmax(0, mp_log2(beside));
        bool off = edge[i].beside.tape != NULL && mpfr_sgn(beside) > 0 &&
                   mp_log2(beside) > tolerance;
        if (mp_log2(zero) <= limit && !off)
            return refuse(run, &edge[i], when);
    }
    return status;
}

static void load_state(struct mp_series *series, const struct run *run, mpfr_srcptr y)
{
    int n = run->model->n;
    mp_series_load(series, 0, BLOCK_RHO, 0, run->rho, 1);
    mp_series_run(series, 0, STAGE_RHO, 0);
    mp_series_load(series, 0, BLOCK_T, 0, run->t, 1);
    mp_series_load(series, 0, BLOCK_Q, 0, y, 1);
    mp_series_load(series, 0, BLOCK_V, 0, y + n, 1);
    mp_series_load(series, 0, BLOCK_S, 0, y + 2 * n, 1);
}

static bool any_edge(const struct edges *edges)
{
    return edges->count > 0 || edges->domains > 0;
}

/* Tests edges where `before` was expanded, at run->next; `after` NULL: they take no
   values after the event. */
static enum status edges_of_event(struct run *run, const struct edges *edges,
                                  const struct program *program,
                                  const struct taylor *before, mpfr_srcptr after)
{
    int n = run->model->n, stride = before->order + 1;
    if (!any_edge(edges))
        return OK;
    struct mp_series *series = mp_series_new(program, 0, run->precision, 1,
                                             PROGRAM_STAGES);
    load_state(series, run, run->next);
    mp_series_load(series, 0, BLOCK_A, 0, taylor_u(before, 0, 0), stride);
    mp_series_load(series, 0, BLOCK_LAMBDA, 0, taylor_u(before, 0, n), stride);
    mp_series_run(series, 0, STAGE_STATE, 0);
    if (after) {
        mp_series_load(series, 0, BLOCK_Q_PLUS, 0, after, 1);
        mp_series_load(series, 0, BLOCK_V_PLUS, 0, after + n, 1);
        mp_series_load(series, 0, BLOCK_S_PLUS, 0, after + 2 * n, 1);
        mp_series_run(series, 0, STAGE_UNKNOWN, 0);
    }
    enum status status = at_point(run, series, edges, agreement(run), "");
    mp_series_free(series);
    return status;
}

enum status run_event_edges(struct run *run, const struct event *event,
                            const struct taylor *before, mpfr_srcptr after)
{
    return edges_of_event(run, event->edges, run->plan->event[event->index].edges, before,
                          after);
}

enum status run_condition_edges(struct run *run, const struct event *event,
                                const struct taylor *before)
{
    return edges_of_event(run, event->condition_edges,
                          run->plan->event[event->index].condition_edges, before, NULL);
}

/* Tests edges at the state run->y. */
static enum status run_edges_here(struct run *run, const struct edges *edges,
                                  const struct program *program)
{
    if (!any_edge(edges))
        return OK;
    struct mp_series *series = mp_series_new(program, 0, run->precision, 1,
                                             PROGRAM_STAGES);
    load_state(series, run, run->y);
    mp_series_run(series, 0, STAGE_STATE, 0);
    enum status status = at_point(run, series, edges, agreement(run), "");
    mp_series_free(series);
    return status;
}

enum status run_start_edges(struct run *run)
{
    return run_edges_here(run, run->model->start_edges, run->plan->start_edges);
}

enum status run_end_edges(struct run *run)
{
    return run_edges_here(run, run->model->end_edges, run->plan->end_edges);
}

/* Tests the edges of formulas of parameters alone, to the rounding of the parameters.
   A square root of 0 is at the end of its domain and has a value there, which is
   allowed. */
enum status run_steady_edges(struct run *run)
{
    static const char when[] = " at these values of the parameters";
    const struct edges *edges = run->model->steady_edges;
    double tolerance = 20.0 - (double)run->precision;
    tolerance += fmax(0, mp_log2_max(run->rho, run->model->p));
    if (edges->count == 0 && edges->domains == 0)
        return OK;
    struct mp_series *series = mp_series_new(run->plan->steady_edges, 0, run->precision,
                                             1, PROGRAM_STAGES);
    mp_series_load(series, 0, BLOCK_RHO, 0, run->rho, 1);
    mp_series_run(series, 0, STAGE_RHO, 0);
    enum status status = outside(run, series, 2 * edges->count, edges->domain,
                                 edges->domains, tolerance, when);
    for (int i = 0; status == OK && i < edges->count; i++) {
        mpfr_srcptr beside = mp_series_output(series, 0, edges->count + i);
        bool off = edges->edge[i].beside.tape != NULL && mpfr_sgn(beside) > 0;
        if (edges->edge[i].status != DOMAIN_EDGE && !off &&
            mp_log2(mp_series_output(series, 0, i)) <= tolerance)
            status = refuse(run, &edges->edge[i], when);
    }
    mp_series_free(series);
    return status;
}

/* --- along a step
   -------------------------------------------------------------------- */

/* value = c(t) for c [order + 1], by Horner's rule */
static void evaluate(mpfr_srcptr c, int order, mpfr_srcptr t, mpfr_ptr value)
{
    mpfr_set(value, c + order, MPFR_RNDN);
    for (int k = order - 1; k >= 0; k--) {
        mpfr_mul(value, value, t, MPFR_RNDN);
        mpfr_add(value, value, c + k, MPFR_RNDN);
    }
}

/* Deflation: c = (c - c(root))/(t - root), in place */
static void divide(mpfr_ptr c, int order, mpfr_srcptr root, mpfr_ptr work)
{
    for (int k = order - 1; k >= 0; k--) {
        mpfr_mul(work, c + k + 1, root, MPFR_RNDN);
        mpfr_add(c + k, c + k, work, MPFR_RNDN);
    }
    for (int k = 0; k < order; k++)
        mpfr_set(c + k, c + k + 1, MPFR_RNDN);
    mpfr_set_zero(c + order, 1);
}

/* log2 of the largest term of a series on the step */
static double largest_term(const struct arc *arc, mpfr_srcptr c)
{
    double h = mp_log2(arc->step), most = -INFINITY;
    for (int k = 0; k <= arc->taylor->order; k++)
        most = fmax(most, mp_log2(c + k) + (k > 0 ? k * h : 0));
    return most;
}

/* The number of leading coefficients of a series that are zero where an arc begins. */
static int zeros_at_start(const struct arc *arc, mpfr_srcptr c)
{
    double least = largest_term(arc, c) + agreement(arc->run), h = mp_log2(arc->step);
    int zeros = 0;
    while (zeros <= arc->taylor->order &&
           !(mp_log2(c + zeros) + (zeros > 0 ? zeros * h : 0) > least))
        zeros++;
    return zeros;
}

static bool has_beside(const struct arc *arc, int k)
{
    return arc->taylor->plan->mode->edges->edge[k].beside.tape != NULL;
}

/* log2 of the largest coordinate, velocity and state */
static double state_size(const struct arc *arc)
{
    return mp_log2_max(arc->run->y, 2 * arc->taylor->n + arc->run->model->ns);
}

/* True: the motion is on the side of edge k where the edge is, at time `at` from here.
   A sum that cancels is uncertain by the rounding of the state. */
static bool is_beside(const struct arc *arc, int k, mpfr_srcptr at)
{
    const struct taylor *taylor = arc->taylor;
    mpfr_ptr value = arc->run->work + 5;
    mpfr_srcptr beside = taylor_edge_beside(taylor, k);
    if (!has_beside(arc, k))
        return true;
    evaluate(beside, taylor->order, at, value);
    double size = fmax(largest_term(arc, beside), state_size(arc));
    return mpfr_sgn(value) <= 0 || mp_log2(value) <= size + agreement(arc->run);
}

/* True: the motion stays on the line that the edge is a part of. Its monitor is then
   zero all the time and has no root; the edge is met where the formula beside it
   becomes zero. A touch is above this limit even as near as times can be told apart. */
static bool stays_on_line(const struct arc *arc, int k)
{
    double least = state_size(arc) - (arc->run->digits + 2) * MP_BITS_PER_DIGIT;
    return has_beside(arc, k) &&
           largest_term(arc, taylor_edge_zero(arc->taylor, k)) <= least;
}

/* Finds the first time on (0, reach] at which edge k is met: arc->root. False: none. */
static bool first_root(struct arc *arc, int k, int deflate, mpfr_srcptr reach)
{
    struct run *run = arc->run;
    int order = arc->taylor->order;
    if (stays_on_line(arc, k))
        return roots_first(run->roots, taylor_edge_beside(arc->taylor, k), 0, reach,
                           arc->root) != ROOT_NONE;
    mpfr_ptr c = mp_vector_new((size_t)order + 1, run->precision);
    bool found = false;
    mp_copy(c, taylor_edge_zero(arc->taylor, k), order + 1);
    for (int i = 0; i < order && !found; i++) {
        if (roots_first(run->roots, c, deflate, reach, arc->root) == ROOT_NONE)
            break;
        found = is_beside(arc, k, arc->root);
        if (!found)
            divide(c, order, arc->root, run->work + 5);
    }
    mp_vector_free(c);
    return found;
}

static enum status at_start(struct arc *arc)
{
    const struct edges *edges = arc->taylor->plan->mode->edges;
    mpfr_ptr here = arc->run->work + 6;
    mpfr_set_zero(here, 1);
    for (int k = 0; k < edges->count; k++)
        if (zeros_at_start(arc, taylor_edge_zero(arc->taylor, k)) > 0 &&
            is_beside(arc, k, here))
            return refuse(arc->run, &edges->edge[k], " where the arc begins");
    return OK;
}

/* The edge that is met first on (0, reach], at run->work + 6 from here; -1: none. */
static int first_edge(struct arc *arc, mpfr_srcptr reach)
{
    const struct edges *edges = arc->taylor->plan->mode->edges;
    mpfr_ptr first = arc->run->work + 6;
    int met = -1;
    for (int k = 0; k < edges->count; k++) {
        int deflate = arc->first ? zeros_at_start(arc, taylor_edge_zero(arc->taylor, k))
                                 : 0;
        if (!first_root(arc, k, deflate, reach) ||
            (met >= 0 && mpfr_cmp(arc->root, first) >= 0))
            continue;
        met = k;
        mpfr_set(first, arc->root, MPFR_RNDN);
    }
    return met;
}

enum status arc_edges(struct arc *arc, bool *at_end)
{
    struct run *run = arc->run;
    const struct edges *edges = arc->taylor->plan->mode->edges;
    mpfr_ptr first = run->work + 6;
    enum status status = arc->first && edges->count > 0 ? at_start(arc) : OK;
    if (status != OK || edges->count == 0)
        return status;
    mpfr_mul_d(arc->reach, arc->step, 1 + 0x1p-10, MPFR_RNDN);
    mpfr_sub(arc->left, run->t_end, run->t, MPFR_RNDN);
    int met = first_edge(arc, arc->reach);
    if (met < 0 || (mpfr_cmp(first, arc->left) > 0 &&
                    !arc_same_time(arc, first, arc->left)))
        return OK;
    if (mp_log2(first) <= arc_instant(arc)) {
        mpfr_add(run->t, run->t, first, MPFR_RNDN);
        return refuse(run, &edges->edge[met], "");
    }
    mpfr_div_2ui(arc->step, first, PART_OF_THE_WAY, MPFR_RNDN);
    *at_end = false;
    return OK;
}

enum status arc_edges_refusal(struct arc *arc, enum status status)
{
    static const int far = 10;      /* log2 of the number of steps that count as just
                                       before */
    struct run *run = arc->run;
    const struct edges *edges = arc->taylor->plan->mode->edges;
    mpfr_ptr left = run->work + 6, value = run->work + 7;
    if (status != STEP_TOO_SMALL)
        return status;
    for (int k = 0; k < edges->count; k++) {
        bool stays = stays_on_line(arc, k);
        mpfr_srcptr c = stays ? taylor_edge_beside(arc->taylor, k)
                              : taylor_edge_zero(arc->taylor, k);
        mpfr_div(left, c, c + 1, MPFR_RNDN);
        mpfr_neg(left, left, MPFR_RNDN);
        mpfr_set_zero(value, 1);
        if (!mpfr_number_p(left) || mpfr_sgn(left) < 0 ||
            mp_log2(left) > arc->h + far || !(stays || is_beside(arc, k, value)))
            continue;
        mpfr_add(run->t, run->t, left, MPFR_RNDN);
        return refuse(run, &edges->edge[k], "");
    }
    return status;
}
