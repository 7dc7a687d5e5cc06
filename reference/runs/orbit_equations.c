/*
 * orbit_equations.c - the matrix of multiple shooting from the derivatives of segments,
 * and Newton's method with growing precision (orbit_equations.h)
 */
#include "orbit_equations.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { MOST_STEPS = 20 };
/* Pivots below 2^-this of their row: the orbit is one of a family, and in MPFR the start
   from double is a member of it only nearly. */
enum { NO_PIVOT_BITS = 30 };
/* The part of the digits to which the last step of Newton's method is zero. */
static const double at_rest = 0.8;

/* --- making ------------------------------------------------------------------------- */

static long log2_of(double x)
{
    int e;
    frexp(x, &e);
    return e;
}

/* The size of each component as a power of two. */
static void set_sizes(struct orbit_equations *e)
{
    const struct mp_orbit_request *asked = e->segments.asked;
    for (int i = 0; i < e->segments.width; i++) {
        double size = asked->size ? asked->size[i] : 0;
        for (int k = 0; k < asked->nodes; k++)
            size = fmax(size, fabs(asked->node[k].x[i]));
        e->size[i] = size > 0 ? log2_of(size) : 1;
    }
}

long orbit_equations_size(const struct orbit_equations *e, int i)
{
    const struct mp_orbit_request *asked = e->segments.asked;
    long largest = LONG_MIN;
    for (int k = 0; k < e->segments.nodes; k++)
        if (i >= e->first[k] && i < e->first[k + 1])
            return e->size[e->segments.plan[k].component[i - e->first[k]]];
    if (i == e->period)
        return log2_of(asked->period);
    for (int c = 0; c < e->segments.width; c++)
        if (orbit_drift(asked, c) == i - e->period - 1 && e->size[c] > largest)
            largest = e->size[c];
    return largest;
}

/* Chooses the component of each group that stays: the first independent one. */
static enum status hold_groups(struct orbit_equations *e, struct diagnosis *diagnosis)
{
    const struct orbit_segment_plan *plan = &e->segments.plan[0];
    const struct mp_orbit_request *asked = e->segments.asked;
    e->held[0] = -1;
    for (int g = 0; g < asked->drifts; g++) {
        int c = 0;
        while (c < plan->count && orbit_drift(asked, plan->component[c]) != g)
            c++;
        if (c == plan->count)
            return diagnose(diagnosis, NOT_APPLICABLE, NAN, "group %d has no component "
                            "that the constraints leave free in node 1", g + 1);
        e->held[1 + g] = c;
    }
    return OK;
}

static void make_numbers(struct orbit_equations *e)
{
    e->precision = mp_precision(e->digits);
    e->u = mp_vector_new((size_t)e->unknowns, e->precision);
    e->lu = mp_lu_new(e->unknowns, e->precision);
    e->shift = memory_new(e->unknowns, sizeof *e->shift);
}

static void take_start(struct orbit_equations *e)
{
    const struct mp_orbit_request *asked = e->segments.asked;
    for (int k = 0; k < e->segments.nodes; k++)
        for (int c = 0; c < e->segments.plan[k].count; c++)
            mpfr_set_d(e->u + e->first[k] + c,
                       asked->node[k].x[e->segments.plan[k].component[c]], MPFR_RNDN);
    mpfr_set_d(e->u + e->period, asked->period, MPFR_RNDN);
    for (int g = 0; g < asked->drifts; g++)
        mpfr_set_d(e->u + e->period + 1 + g, asked->advance[g], MPFR_RNDN);
}

enum status orbit_equations_open(struct orbit_equations *e,
                                 const struct mp_orbit_request *asked,
                                 struct diagnosis *diagnosis)
{
    *e = (struct orbit_equations){.digits = asked->run.digits};
    enum status status = orbit_segments_open(&e->segments, asked, diagnosis);
    if (status != OK)
        return status;
    int nodes = e->segments.nodes;
    e->first = memory_new(nodes + 1, sizeof *e->first);
    e->held = memory_new(1 + asked->drifts, sizeof *e->held);
    e->size = memory_new(e->segments.width, sizeof *e->size);
    for (int k = 0; k < nodes; k++)
        e->first[k + 1] = e->first[k] + e->segments.plan[k].count;
    e->period = e->first[nodes];
    e->unknowns = e->period + 1 + asked->drifts;
    set_sizes(e);
    make_numbers(e);
    take_start(e);
    return hold_groups(e, diagnosis);
}

void orbit_equations_borrow(struct orbit_equations *e, const struct orbit_equations *from,
                            int parameters, const char *const *value)
{
    *e = *from;
    e->steps = 0;
    orbit_segments_borrow(&e->segments, &from->segments, parameters, value);
    make_numbers(e);
    mp_copy(e->u, from->u, e->unknowns);
}

void orbit_equations_clear(struct orbit_equations *e)
{
    if (!e->segments.borrowed) {
        free(e->first);
        free(e->held);
        free(e->size);
    }
    orbit_segments_clear(&e->segments);
    mp_vector_free(e->u);
    mp_lu_free(e->lu);
    free(e->shift);
    *e = (struct orbit_equations){.digits = 0};
}

/* --- equations ---------------------------------------------------------------------- */

/* Component i of node k + 1 where segment k ends, or its derivative by a column. */
static mpfr_srcptr at_end(const struct orbit_equations *e, int k, int i, int column)
{
    const struct orbit_segments *s = &e->segments;
    return orbit_segment_value(s, k, orbit_segment_end(s, k),
                               s->plan[orbit_next(s, k)].component[i], column);
}

/* The unknown by which component i of node k + 1 is further than that of node 1; -1:
   none. */
static int advance_of(const struct orbit_equations *e, int k, int i)
{
    int next = orbit_next(&e->segments, k);
    int group = next == 0 ? orbit_drift(e->segments.asked,
                                        e->segments.plan[0].component[i]) : -1;
    return group < 0 ? -1 : e->period + 1 + group;
}

/* Adds an entry by the sizes of its row and its unknown. */
static void add_entry(struct orbit_equations *e, int row, int unknown, mpfr_srcptr value,
                      mpfr_ptr work)
{
    mpfr_ptr entry = e->lu->a + row * e->unknowns + unknown;
    mpfr_mul_2si(work, value,
                 orbit_equations_size(e, unknown) - orbit_equations_size(e, row),
                 MPFR_RNDN);
    mpfr_add(entry, entry, work, MPFR_RNDN);
}

static void load_segment(struct orbit_equations *e, int k, mpfr_ptr work)
{
    const struct orbit_segments *s = &e->segments;
    int next = orbit_next(s, k), start = orbit_segment_start(s, k);
    mpfr_ptr value = work + 1, one = work + 2;
    mpfr_set_ui(one, 1, MPFR_RNDN);
    for (int i = 0; i < s->plan[next].count; i++) {
        int row = e->first[next] + i, advance = advance_of(e, k, i);
        for (int c = 0; c < s->plan[k].count; c++) {
            mpfr_neg(value, at_end(e, k, i, c), MPFR_RNDN);
            add_entry(e, row, e->first[k] + c, value, work);
        }
        add_entry(e, row, row, one, work);
        mpfr_mul(value, s->part + k, at_end(e, k, i, start), MPFR_RNDN);
        add_entry(e, row, e->period, value, work);
        if (advance >= 0)
            add_entry(e, row, advance, one, work);
    }
}

/* Chooses the component of node 1 that changes fastest by its size; one that advances
   only where there is no other. */
static int fastest(const struct orbit_equations *e)
{
    const struct orbit_segments *s = &e->segments;
    int last = s->nodes - 1, found = 0;
    double most = -INFINITY;
    for (int i = 0; i < s->plan[0].count; i++) {
        int component = s->plan[0].component[i];
        double rate = mp_log2(at_end(e, last, i, orbit_segment_start(s, last))) -
                      (double)e->size[component];
        bool held = false;
        for (int g = 0; g < s->asked->drifts; g++)
            held = held || e->held[1 + g] == i;
        rate -= orbit_drift(s->asked, component) < 0 ? 0 : 1e6;
        if (!held && rate > most) {
            most = rate;
            found = i;
        }
    }
    return found;
}

/* Makes columns that are large about as large as one; one that is small may be zero but
   for rounding, in the matrix of a family. */
static void scale_columns(struct orbit_equations *e)
{
    int n = e->unknowns;
    for (int j = 0; j < n; j++) {
        double largest = -INFINITY;
        for (int i = 0; i < n; i++)
            largest = fmax(largest, mp_log2(e->lu->a + i * n + j));
        e->shift[j] = largest > 0 && isfinite(largest) ? -lround(largest) : 0;
        for (int i = 0; i < n; i++)
            mpfr_mul_2si(e->lu->a + i * n + j, e->lu->a + i * n + j, e->shift[j],
                         MPFR_RNDN);
    }
}

enum status orbit_equations_factor(struct orbit_equations *e,
                                   struct diagnosis *diagnosis)
{
    double least = 0;
    mpfr_ptr work = mp_vector_new(3, e->precision);
    mp_zero(e->lu->a, e->unknowns * e->unknowns);
    if (e->held[0] < 0)
        e->held[0] = fastest(e);
    for (int k = 0; k < e->segments.nodes; k++)
        load_segment(e, k, work);
    for (int g = 0; g <= e->segments.asked->drifts; g++)
        mpfr_set_ui(e->lu->a + (e->period + g) * e->unknowns + e->held[g], 1, MPFR_RNDN);
    mp_vector_free(work);
    scale_columns(e);
    int rank = mp_lu_factor(e->lu);
    for (int i = 0; i < rank; i++)
        least = fmin(least, -mp_log2(e->lu->inverse + i) - e->lu->scale[i]);
    if (rank == e->unknowns && least > -NO_PIVOT_BITS)
        return OK;
    return diagnose(diagnosis, NOT_APPLICABLE, NAN, "the orbit is one of a family: its "
                    "equations are singular to %.1g; --advance names components that "
                    "may be moved together", rank == e->unknowns ? exp2(least) : 0.0);
}

enum status orbit_equations_evaluate(struct orbit_equations *e, enum orbit_route route,
                                     int digits, int threads, struct diagnosis *diagnosis)
{
    for (int k = 0; k < e->segments.nodes; k++) {
        enum status status = orbit_segment_make(&e->segments, k, digits,
                                                e->u + e->first[k], e->u + e->period,
                                                route, threads, diagnosis);
        if (status != OK)
            return status;
    }
    return orbit_equations_factor(e, diagnosis);
}

/* Solves with rows b [unknowns] of components as they are. */
static void solve(const struct orbit_equations *e, mpfr_ptr b)
{
    for (int i = 0; i < e->unknowns; i++)
        mpfr_mul_2si(b + i, b + i, -orbit_equations_size(e, i), MPFR_RNDN);
    mp_lu_solve(e->lu, b);
    for (int i = 0; i < e->unknowns; i++)
        mpfr_mul_2si(b + i, b + i, orbit_equations_size(e, i) + e->shift[i], MPFR_RNDN);
}

void orbit_equations_step(const struct orbit_equations *e,
                          struct mp_trajectory *const *run, mpfr_ptr du)
{
    const struct orbit_segments *s = &e->segments;
    mp_zero(du, e->unknowns);
    for (int k = 0; k < s->nodes; k++) {
        int next = orbit_next(s, k);
        const struct mp_trajectory *own = run ? run[k] : s->own[k].run;
        int q = column(&own->columns, GROUP_Q, 0, -1);
        for (int i = 0; i < s->plan[next].count; i++) {
            int row = e->first[next] + i, advance = advance_of(e, k, i);
            mpfr_sub(du + row, own->sample[0].x[q + s->plan[next].component[i]],
                     e->u + row, MPFR_RNDN);
            if (advance >= 0)
                mpfr_sub(du + row, du + row, e->u + advance, MPFR_RNDN);
        }
    }
    solve(e, du);
}

void orbit_equations_by_parameter(const struct orbit_equations *e, int j, mpfr_ptr du)
{
    const struct orbit_segments *s = &e->segments;
    mp_zero(du, e->unknowns);
    for (int k = 0; k < s->nodes; k++) {
        int next = orbit_next(s, k), column = orbit_segment_start(s, k) + 1 + j;
        for (int i = 0; i < s->plan[next].count; i++)
            mpfr_set(du + e->first[next] + i, at_end(e, k, i, column), MPFR_RNDN);
    }
    solve(e, du);
}

/* --- Newton's method ---------------------------------------------------------------- */

/* log2 of the length of a step by the sizes of the unknowns. */
static double length_of(const struct orbit_equations *e, mpfr_srcptr du)
{
    double length = -INFINITY;
    for (int i = 0; i < e->unknowns; i++)
        length = fmax(length, mp_log2(du + i) - (double)orbit_equations_size(e, i));
    return length;
}

enum status orbit_equations_solve(struct orbit_equations *e, int digits, int threads,
                                  struct diagnosis *diagnosis)
{
    mpfr_ptr du = mp_vector_new((size_t)e->unknowns, e->precision);
    enum status status = OK;
    double length = 0;
    digits = digits < e->digits ? digits : e->digits;
    for (bool rest = false; status == OK && !rest;) {
        status = orbit_equations_evaluate(e, ORBIT_VARIATIONAL, digits, threads,
                                          diagnosis);
        if (status != OK)
            break;
        orbit_equations_step(e, NULL, du);
        length = length_of(e, du) * MP_DIGITS_PER_BIT;
        if (e->steps++ == MOST_STEPS || !(length < -1))
            status = diagnose(diagnosis, NO_ORBIT, NAN, "Newton's method in MPFR: step "
                              "%d is %.1g of the size of the orbit that is given",
                              e->steps, pow(10, length));
        rest = digits == e->digits && length < -at_rest * digits;
        for (int i = 0; i < e->unknowns && !rest; i++)
            mpfr_add(e->u + i, e->u + i, du + i, MPFR_RNDN);
        bool known = length < -at_rest * digits / 2;
        if (known)
            digits = 2 * digits < e->digits ? 2 * digits : e->digits;
    }
    mp_vector_free(du);
    return status;
}
