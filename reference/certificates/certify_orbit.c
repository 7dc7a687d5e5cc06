/*
 * certify_orbit.c - a periodic motion certified: Newton's method in MPFR, and derivatives
 * by the variational equations with saltation, by differences of segments, and by
 * differences of whole orbits, compared number by number.
 *
 * Values are those of one solution of the equations. Segments with other steps must lead
 * to it, too: they are run strictly (confirm.c), and by how much Newton's method moves
 * the orbit from their ends says how many digits they confirm.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "certificate.h"
#include "orbit_scales.h"
#include "runs/orbit_moved.h"

enum { RAISES = 5, SPARE = 8 };
/* The least order that passes for 2 (certify_hessian.c). */
static const double order_least = 1.99;

/* State of mp_orbit_certify. */
struct certifying {
    struct mp_orbit_request now;
    const struct mp_orbit_request *asked;
    int digits, threads;
    int part, parts;            /* of the work that is going on, for the progress */
    pthread_mutex_t lock;       /* guards the progress */
    /* One attempt. */
    struct orbit_equations e;   /* evaluated at the orbit, by the variational route */
    struct orbit_spectrum spectrum;
    struct mp_orbit *orbit;
    mpfr_ptr rho;               /* [model->p] */
    mpfr_ptr scale;             /* [1 + p][count] */
    double least;               /* digits agreed */
};

static bool tell(void *context, double done)
{
    struct certifying *c = context;
    (void)done;
    pthread_mutex_lock(&c->lock);
    bool go_on = c->asked->run.progress(c->asked->run.progress_context,
                                        (double)c->part / c->parts);
    pthread_mutex_unlock(&c->lock);
    return go_on;
}

static void size_of_parameter(const struct certifying *c, int j, mpfr_ptr size)
{
    orbit_parameter_size(c->rho + c->now.run.parameter[j], size);
}

/* --- routes ------------------------------------------------------------------------- */

static int first_multiplier(const struct mp_orbit *orbit)
{
    return mp_orbit_place(orbit, MP_ORBIT_MULTIPLIER, 0, 0, -1);
}

/* Caps the digits of numbers first .. last - 1 at those on which x agrees. */
static void cap(struct mp_orbit *orbit, mpfr_srcptr scale, mpfr_srcptr x, int first,
                int last)
{
    for (int i = first; i < last; i++)
        orbit->agreed_on[i] = fmin(orbit->agreed_on[i],
                                   mp_digits(x + i, orbit->x + i, scale + i));
}

/* Newton's method, and all numbers but derivatives of multipliers. */
static enum status by_variation(struct certifying *c, struct diagnosis *diagnosis)
{
    struct mp_orbit *orbit = c->orbit;
    enum status status = orbit_equations_open(&c->e, &c->now, diagnosis);
    if (status == OK)
        status = orbit_equations_solve(&c->e, ORBIT_FIRST_DIGITS, c->threads, diagnosis);
    if (status == OK)
        status = orbit_spectrum_find(&c->e, &c->spectrum, diagnosis);
    if (status != OK)
        return status;
    orbit_numbers_shape(&c->e, orbit);
    orbit->multipliers = c->spectrum.multipliers;
    orbit->ones = c->spectrum.ones;
    orbit->zeros = c->spectrum.zeros;
    orbit->one_agreed = c->spectrum.trivial;
    orbit->steps = c->e.steps;
    orbit->runs += c->e.segments.runs;
    orbit_numbers_room(orbit, c->e.precision);
    for (int i = 0; i < (1 + orbit->parameters) * orbit->count; i++)
        orbit->agreed_on[i] = (double)c->e.precision * MP_DIGITS_PER_BIT;
    orbit_numbers_fill(&c->e, orbit, orbit->x);
    orbit_spectrum_take(&c->spectrum, orbit, orbit->x);
    return OK;
}

/* The derivatives of all segments by central differences. */
static enum status by_segments(struct certifying *c, struct diagnosis *diagnosis)
{
    struct mp_orbit *orbit = c->orbit;
    struct orbit_equations other;
    struct orbit_spectrum spectrum = {.n = 0};
    int all = (1 + orbit->parameters) * orbit->count, first = first_multiplier(orbit);
    mpfr_ptr x = mp_vector_new((size_t)all, c->e.precision);
    orbit_equations_borrow(&other, &c->e, orbit->parameters, NULL);
    enum status status = orbit_equations_evaluate(&other, ORBIT_DIFFERENCES, c->e.digits,
                                                  c->threads, diagnosis);
    orbit->runs += other.segments.runs;
    bool followed = status == OK &&
                    orbit_spectrum_follow(&other, &c->spectrum, &spectrum);
    if (status == OK) {
        orbit_numbers_fill(&other, orbit, x);
        for (int j = -1; j < orbit->parameters; j++)
            cap(orbit, c->scale, x, (1 + j) * orbit->count,
                (1 + j) * orbit->count + first);
    }
    if (followed) {
        orbit_spectrum_take(&spectrum, orbit, x);
        cap(orbit, c->scale, x, first, orbit->count);
    }
    for (int i = first; i < orbit->count && status == OK && !followed; i++)
        orbit->agreed_on[i] = 0;
    if (status == OK)
        orbit->one_agreed = fmin(orbit->one_agreed, followed ? spectrum.trivial : 0);
    orbit_spectrum_clear(&spectrum);
    orbit_equations_clear(&other);
    mp_vector_free(x);
    return status;
}

/* log2 of the step of a difference, 10^(-part digits). */
static long step_of(const struct certifying *c, double part)
{
    return (long)floor(-c->e.digits * part * MP_BITS_PER_DIGIT);
}

/* Differences of whole orbits by parameter j, with the steps h and h/2; those with h/2
   give the derivatives of multipliers. */
static enum status by_orbits(struct certifying *c, int j, mpfr_ptr w, mpfr_ptr x,
                             struct diagnosis *diagnosis)
{
    struct mp_orbit *orbit = c->orbit;
    const struct orbit_solved solved = {&c->e, orbit, &c->spectrum, c->rho};
    int lane = (1 + j) * orbit->count, first = first_multiplier(orbit);
    mpfr_ptr half = x + orbit->count;
    long h = step_of(c, 1.0 / 3);
    size_of_parameter(c, j, w + j);
    long size = (long)mpfr_get_exp(w + j) - 1;
    mpfr_set_ui_2exp(w + j, 1, size, MPFR_RNDN);
    enum status status = orbit_moved_difference(&solved, w, h, c->threads, x,
                                                &orbit->runs, diagnosis);
    if (status == OK)
        status = orbit_moved_difference(&solved, w, h - 1, c->threads, half, &orbit->runs,
                                        diagnosis);
    mpfr_set_zero(w + j, 1);
    for (int i = 0; status == OK && i < 2 * orbit->count; i++)
        mpfr_mul_2si(x + i, x + i, -size, MPFR_RNDN);
    for (int i = 0; status == OK && i < orbit->count; i++) {
        if (i >= first)
            mpfr_set(orbit->x + lane + i, half + i, MPFR_RNDN);
        for (int k = 0; k < 2; k++)
            orbit->agreed_on[lane + i] =
                fmin(orbit->agreed_on[lane + i],
                     mp_digits(x + k * orbit->count + i, orbit->x + lane + i,
                               c->scale + lane + i));
    }
    return status;
}

static enum status by_all_orbits(struct certifying *c, struct diagnosis *diagnosis)
{
    struct mp_orbit *orbit = c->orbit;
    mpfr_ptr w = mp_vector_new((size_t)orbit->parameters, c->e.precision);
    mpfr_ptr x = mp_vector_new((size_t)(2 * orbit->count), c->e.precision);
    enum status status = OK;
    for (int j = 0; status == OK && j < orbit->parameters; j++, c->part++) {
        status = by_orbits(c, j, w, x, diagnosis);
        orbit_scales_multipliers(orbit, j, c->scale);
    }
    mp_vector_free(w);
    mp_vector_free(x);
    return status;
}

/* --- order -------------------------------------------------------------------------- */

/* The largest difference of x from the derivatives along w, by their scales. */
static double error_along(const struct certifying *c, mpfr_srcptr w, mpfr_srcptr x)
{
    const struct mp_orbit *orbit = c->orbit;
    double largest = 0;
    mpfr_ptr work = mp_vector_new(3, c->e.precision);
    mpfr_ptr error = work, scale = work + 1, term = work + 2;
    for (int i = 0; i < orbit->count; i++) {
        mpfr_set(error, x + i, MPFR_RNDN);
        mpfr_set_zero(scale, 1);
        for (int j = 0; j < orbit->parameters; j++) {
            int place = (1 + j) * orbit->count + i;
            mpfr_mul(term, w + j, orbit->x + place, MPFR_RNDN);
            mpfr_sub(error, error, term, MPFR_RNDN);
            mpfr_mul(term, w + j, c->scale + place, MPFR_RNDN);
            mpfr_add(scale, scale, term, MPFR_RNDN);
        }
        if (!mpfr_zero_p(error) && !mpfr_zero_p(scale))
            mpfr_div(error, error, scale, MPFR_RNDN);
        largest = fmax(largest, fabs(mpfr_get_d(error, MPFR_RNDN)));
    }
    mp_vector_free(work);
    return largest;
}

/* The observed order of differences of orbits: all parameters are moved together, by
   steps so large that the error of a difference is far above rounding. */
static enum status observe_order(struct certifying *c, struct diagnosis *diagnosis)
{
    struct mp_orbit *orbit = c->orbit;
    const struct orbit_solved solved = {&c->e, orbit, &c->spectrum, c->rho};
    mpfr_ptr w = mp_vector_new((size_t)orbit->parameters, c->e.precision);
    mpfr_ptr x = mp_vector_new((size_t)orbit->count, c->e.precision);
    double error[2] = {0, 0};
    enum status status = OK;
    for (int j = 0; j < orbit->parameters; j++)
        size_of_parameter(c, j, w + j);
    for (int k = 0; status == OK && orbit->parameters > 0 && k < 2; k++) {
        status = orbit_moved_difference(&solved, w, step_of(c, 1.0 / 6) - k, c->threads,
                                        x, &orbit->runs, diagnosis);
        if (status == OK)
            error[k] = error_along(c, w, x);
    }
    bool rounding = error[1] <= 10 * pow(10, -c->least);
    orbit->order = status != OK || rounding ? NAN : log2(error[0] / error[1]);
    mp_vector_free(w);
    mp_vector_free(x);
    return status;
}

/* --- confirmation ------------------------------------------------------------------- */

/* Caps the digits of the states after the events of segment k, and of their times. */
static void cap_events(struct certifying *c, int k, const struct mp_trajectory *again,
                       int *number)
{
    struct mp_orbit *orbit = c->orbit;
    const struct mp_trajectory *run = c->e.segments.own[k].run;
    int q = column(&run->columns, GROUP_Q, 0, -1);
    int other = column(&again->columns, GROUP_Q, 0, -1);
    for (int m = 0; m < run->events; m++, (*number)++)
        for (int i = -1; i < orbit->width; i++) {
            int place = i < 0 ? mp_orbit_place(orbit, MP_ORBIT_TIME, *number, 0, -1)
                              : mp_orbit_place(orbit, MP_ORBIT_AFTER, *number, i, -1);
            const struct mp_event *a = &run->event[m], *b = &again->event[m];
            double digits = mp_digits(i < 0 ? b->before.t : b->after.x[other + i],
                                      i < 0 ? a->before.t : a->after.x[q + i],
                                      c->scale + place);
            orbit->agreed_on[place] = fmin(orbit->agreed_on[place], digits);
        }
}

/* Caps the digits of period, advances and nodes: by the step of Newton's method from the
   ends of the other runs. */
static void cap_unknowns(struct certifying *c, struct mp_trajectory *const *again)
{
    struct mp_orbit *orbit = c->orbit;
    const struct orbit_equations *e = &c->e;
    mpfr_ptr du = mp_vector_new((size_t)e->unknowns, e->precision);
    orbit_equations_step(e, again, du);
    for (int i = 0; i < e->unknowns; i++)
        mpfr_add(du + i, du + i, e->u + i, MPFR_RNDN);
    for (int k = 0; k < orbit->nodes; k++)
        for (int i = 0; i < e->segments.plan[k].count; i++) {
            int place = mp_orbit_place(orbit, MP_ORBIT_NODE, k,
                                       e->segments.plan[k].component[i], -1);
            orbit->agreed_on[place] =
                fmin(orbit->agreed_on[place],
                     mp_digits(du + e->first[k] + i, orbit->x + place, c->scale + place));
        }
    cap(orbit, c->scale, du + e->period, 0, 1 + orbit->drifts);
    mp_vector_free(du);
}

static enum status confirm(struct certifying *c, struct diagnosis *diagnosis)
{
    int nodes = c->e.segments.nodes, number = 0;
    struct mp_trajectory **again = memory_new(nodes, sizeof *again);
    enum status status = OK;
    for (int k = 0; status == OK && k < nodes; k++) {
        struct reference_request request =
            orbit_segment_request(&c->e.segments, k, c->e.digits, c->threads);
        const struct mp_trajectory *run = c->e.segments.own[k].run;
        struct value_sizes *sizes;
        status = value_sizes_of_request(&request, run, c->digits, &sizes, diagnosis);
        if (status == OK)
            status = certify_confirm(&request, c->digits, run, sizes, &again[k],
                                     diagnosis);
        value_sizes_free(sizes);
        c->orbit->runs++;
        if (status == OK)
            cap_events(c, k, again[k], &number);
    }
    if (status == OK)
        cap_unknowns(c, again);
    for (int k = 0; k < nodes; k++)
        mp_trajectory_free(again[k]);
    free(again);
    return status;
}

/* --- all ---------------------------------------------------------------------------- */

static enum status take_parameters(struct certifying *c, struct diagnosis *diagnosis)
{
    const struct reference_request *run = &c->now.run;
    c->rho = mp_vector_new((size_t)run->model->p, run_careful_precision(run->digits));
    struct plan *plan = plan_new(run->model, &run->truth, false, diagnosis);
    enum status status = plan ? run_parameters(plan, run, c->rho, diagnosis)
                              : diagnosis->status;
    if (status == OK)
        status = run_check(plan, run, diagnosis);
    plan_free(plan);
    return status;
}

static void find_least(struct certifying *c)
{
    const struct mp_orbit *orbit = c->orbit;
    c->least = orbit->one_agreed;
    for (int i = 0; i < (1 + orbit->parameters) * orbit->count; i++)
        c->least = fmin(c->least, orbit->agreed_on[i]);
}

/* Refuses an orbit that is a shorter one, several times round: what is certified as a
   period is the least. */
static enum status check_rounds(const struct certifying *c, struct diagnosis *diagnosis)
{
    const struct mp_orbit *orbit = c->orbit;
    double digits, period = mpfr_get_d(orbit->x, MPFR_RNDN);
    int rounds = mp_orbit_rounds(orbit, c->digits / 2.0, &digits);
    return rounds == 1 ? OK
                       : diagnose(diagnosis, NO_ORBIT, NAN, "the period that is given, "
                                  "%.10g, is %d times that of the orbit; give %.10g, and "
                                  "its nodes", period, rounds, period / rounds);
}

/* All routes at the digits of c->now. */
static enum status attempt(struct certifying *c, struct diagnosis *diagnosis)
{
    c->part = 0;
    c->parts = 4 + c->now.run.parameters;
    enum status status = take_parameters(c, diagnosis);
    if (status == OK)
        status = by_variation(c, diagnosis);
    if (status == OK)
        status = check_rounds(c, diagnosis);
    c->part++;
    if (status == OK) {
        c->scale = orbit_scales(c->orbit, c->e.size, c->rho, c->now.run.parameter);
        status = by_segments(c, diagnosis);
    }
    c->part++;
    if (status == OK)
        find_least(c);
    if (status == OK && c->least >= c->digits)
        status = confirm(c, diagnosis);
    c->part++;
    if (status == OK && c->least >= c->digits)
        status = by_all_orbits(c, diagnosis);
    if (status == OK)
        find_least(c);
    if (status == OK && c->least >= c->digits)
        status = observe_order(c, diagnosis);
    return status;
}

static void clear_attempt(struct certifying *c)
{
    orbit_spectrum_clear(&c->spectrum);
    orbit_equations_clear(&c->e);
    mp_vector_free(c->rho);
    mp_vector_free(c->scale);
    c->rho = c->scale = NULL;
}

/* Digits to carry: differences leave two thirds of them. */
static int carried_for(double digits)
{
    return (int)ceil(1.5 * digits);
}

int mp_orbit_digits(int digits)
{
    return carried_for(digits + SPARE);
}

static void prepare(struct certifying *c)
{
    c->now.run.direction = NULL;
    c->now.run.samples = 0;
    c->now.run.t_end = NULL;
    c->now.run.strict = false;
    if (c->asked->run.progress) {
        c->now.run.progress = tell;
        c->now.run.progress_context = c;
    }
    if (c->now.run.digits < mp_orbit_digits(c->digits))
        c->now.run.digits = mp_orbit_digits(c->digits);
    c->now.run.digits = reference_digits(c->now.run.model, c->now.run.digits);
}

enum status mp_orbit_certify(const struct mp_orbit_request *request, int digits,
                             int threads, struct certificate **out,
                             struct diagnosis *diagnosis)
{
    struct diagnosis own;
    struct certifying c = {.now = *request, .asked = request, .digits = digits,
                           .threads = threads};
    long runs = 0;
    diagnosis = diagnosis ? diagnosis : &own;
    *out = NULL;
    prepare(&c);
    pthread_mutex_init(&c.lock, NULL);
    enum status status = OK;
    for (int raise = 0; raise <= RAISES && status == OK && !*out; raise++) {
        c.orbit = memory_new(1, sizeof *c.orbit);
        c.orbit->runs = runs;
        c.orbit->order = NAN;
        c.least = 0;
        status = attempt(&c, diagnosis);
        runs = c.orbit->runs;
        if (status == OK && c.least >= digits && !(c.orbit->order < order_least)) {
            *out = certificate_of_request(&c.now.run);
            (*out)->agreed = (int)floor(c.least);
            (*out)->orbit = c.orbit;
        } else {
            orbit_numbers_free(c.orbit);
            c.now.run.digits += carried_for(fmax(digits - c.least, 0) + 6);
        }
        clear_attempt(&c);
    }
    pthread_mutex_destroy(&c.lock);
    if (status != OK || *out)
        return status;
    return diagnose(diagnosis, PRECISION, NAN, "the routes to an orbit agree on %.1f "
                    "digits only, after the precision was raised %d times", c.least,
                    RAISES);
}
