/*
 * certify_hessian.c - second derivatives of a cost certified by two routes: Richardson's
 * extrapolation of second differences, compared entry by entry.
 *
 * An entry agrees if three numbers do: the difference of the gradient's component k by
 * parameter j, that of component j by parameter k, which comes from other runs, and the
 * second difference of values, in which there is no derivative at all.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "certificate.h"
#include "runs/second_difference.h"

/* Most raises of the precision. */
enum { RAISES = 6 };
/* Digits beyond those asked for, for the condition of second derivatives. */
enum { SPARE = 10 };
/* The least order that passes for 2: the next term of the expansion is h^2 times the
   first. A higher order passes, too, since the first term may be zero. */
static const double order_least = 1.99;

/* State of mp_hessian_certify. */
struct certifying {
    struct reference_request now;
    const struct reference_request *asked;
    int cost, digits, threads;
    int part, parts;            /* of the work that is going on, for the progress */
    struct second_difference step[2];   /* with h and h/2 */
};

static bool tell(void *context, double done)
{
    struct certifying *c = context;
    return c->asked->progress(c->asked->progress_context,
                              (c->part + done) / c->parts);
}

/* --- in memory ---------------------------------------------------------------------- */

static struct mp_hessian *hessian_new(const struct reference_request *request)
{
    struct mp_hessian *hessian = memory_new(1, sizeof *hessian);
    int p = request->parameters;
    hessian->parameters = p;
    hessian->digits = request->digits;
    hessian->precision = mp_precision(request->digits);
    hessian->psi = mp_vector_new(1, hessian->precision);
    hessian->by_rho = mp_vector_new((size_t)p, hessian->precision);
    hessian->by_two = mp_vector_new((size_t)(p * p), hessian->precision);
    hessian->scale = mp_vector_new((size_t)(p * p), hessian->precision);
    hessian->agreed_on = memory_new(p * p, sizeof *hessian->agreed_on);
    return hessian;
}

void mp_hessian_free(struct mp_hessian *hessian)
{
    if (hessian == NULL)
        return;
    mp_vector_free(hessian->psi);
    mp_vector_free(hessian->by_rho);
    mp_vector_free(hessian->by_two);
    mp_vector_free(hessian->scale);
    free(hessian->agreed_on);
    free(hessian);
}

/* --- scales ------------------------------------------------------------------------- */

/* r = |rho_j|, 1 where that is zero */
static void size_of(const struct reference_request *request, mpfr_srcptr rho, int j,
                    mpfr_ptr r)
{
    mpfr_abs(r, rho + request->parameter[j], MPFR_RNDN);
    if (mpfr_zero_p(r))
        mpfr_set_ui(r, 1, MPFR_RNDN);
}

static void raise_to(mpfr_ptr largest, mpfr_srcptr x)
{
    if (mpfr_cmpabs(x, largest) > 0)
        mpfr_abs(largest, x, MPFR_RNDN);
}

/* Sets the scale of each entry (reference.h); r [p] are the sizes of the parameters. */
static void set_scales(struct mp_hessian *hessian, mpfr_srcptr r, int digits)
{
    int p = hessian->parameters;
    mpfr_ptr work = mp_vector_new(3, hessian->precision);
    mpfr_ptr largest = work, slope = work + 1, x = work + 2;
    for (int j = 0; j < p; j++) {
        mpfr_mul(x, hessian->by_rho + j, r + j, MPFR_RNDN);
        raise_to(slope, x);
    }
    mpfr_set_d(x, pow(10, -digits / 2.0), MPFR_RNDN);
    mpfr_mul(largest, slope, x, MPFR_RNDN);
    for (int i = 0; i < p * p; i++) {
        mpfr_mul(x, hessian->by_two + i, r + i / p, MPFR_RNDN);
        mpfr_mul(x, x, r + i % p, MPFR_RNDN);
        raise_to(largest, x);
    }
    for (int i = 0; i < p * p; i++) {
        mpfr_div(hessian->scale + i, largest, r + i / p, MPFR_RNDN);
        mpfr_div(hessian->scale + i, hessian->scale + i, r + i % p, MPFR_RNDN);
    }
    mp_vector_free(work);
}

/* --- routes ------------------------------------------------------------------------- */

/* x = (4 half - whole) / 3, in which the errors of h^2 are gone */
static void extrapolate(mpfr_srcptr whole, mpfr_srcptr half, int count, mpfr_ptr x)
{
    for (int i = 0; i < count; i++) {
        mpfr_mul_2ui(x + i, half + i, 2, MPFR_RNDN);
        mpfr_sub(x + i, x + i, whole + i, MPFR_RNDN);
        mpfr_div_ui(x + i, x + i, 3, MPFR_RNDN);
    }
}

/* The largest |x - y| as a part of its scale. */
static double largest_error(const struct mp_hessian *hessian, mpfr_srcptr x,
                            mpfr_srcptr y)
{
    int p = hessian->parameters;
    double largest = 0;
    mpfr_ptr error = mp_vector_new(1, hessian->precision);
    for (int i = 0; i < p * p; i++) {
        mpfr_sub(error, x + i, y + i, MPFR_RNDN);
        if (!mpfr_zero_p(error))
            mpfr_div(error, error, hessian->scale + i, MPFR_RNDN);
        largest = fmax(largest, fabs(mpfr_get_d(error, MPFR_RNDN)));
    }
    mp_vector_free(error);
    return largest;
}

/* Compares the differences of gradients, extrapolated, with their transpose and with
   those of values; their means with the transpose become the answer. */
static void compare(struct certifying *c, mpfr_srcptr of_gradients, mpfr_srcptr of_values,
                    mpfr_srcptr r, struct mp_hessian *hessian)
{
    int p = hessian->parameters;
    double least = INFINITY;
    for (int i = 0; i < p * p; i++) {
        mpfr_add(hessian->by_two + i, of_gradients + i, of_gradients + i % p * p + i / p,
                 MPFR_RNDN);
        mpfr_div_2ui(hessian->by_two + i, hessian->by_two + i, 1, MPFR_RNDN);
    }
    set_scales(hessian, r, c->digits);
    for (int i = 0; i < p * p; i++) {
        mpfr_srcptr scale = hessian->scale + i;
        hessian->agreed_on[i] = fmin(
            mp_digits(of_gradients + i, of_gradients + i % p * p + i / p, scale),
            mp_digits(of_gradients + i, of_values + i, scale));
        least = fmin(least, hessian->agreed_on[i]);
    }
    hessian->agreed = (int)floor(least);
    double error = largest_error(hessian, c->step[0].of_gradients, of_values);
    double half = largest_error(hessian, c->step[1].of_gradients, of_values);
    bool rounding = half <= 10 * pow(10, -least);
    hessian->order = rounding ? NAN : log2(error / half);
}

/* Makes the runs with both steps; runs moves on by their number. */
static enum status make_steps(struct certifying *c, long *runs,
                              struct diagnosis *diagnosis)
{
    enum status status = OK;
    long p = c->now.parameters;
    for (int half = 0; status == OK && half < 2; half++) {
        c->part = 1 + half;
        status = second_difference_make(&c->now, c->cost, half == 1, c->threads,
                                        &c->step[half], diagnosis);
        *runs += 1 + 2 * p + p * (p - 1);
    }
    return status;
}

static enum status take_sizes(const struct reference_request *request, mpfr_ptr r,
                              struct diagnosis *diagnosis)
{
    mpfr_ptr rho = mp_vector_new((size_t)request->model->p, mpfr_get_prec(r));
    struct plan *plan = plan_new(request->model, &request->truth, false, diagnosis);
    enum status status = plan ? run_parameters(plan, request, rho, diagnosis)
                              : diagnosis->status;
    for (int j = 0; status == OK && j < request->parameters; j++)
        size_of(request, rho, j, r + j);
    plan_free(plan);
    mp_vector_free(rho);
    return status;
}

static void take_nominal(const struct certifying *c, const struct mp_trajectory *nominal,
                         struct mp_hessian *hessian)
{
    int nz = c->now.model->nz;
    hessian->events = nominal->events;
    mpfr_set(hessian->psi, nominal->psi[c->cost], MPFR_RNDN);
    for (int j = 0; j < c->now.parameters; j++)
        mpfr_set(hessian->by_rho + j, nominal->psi[(1 + j) * nz + c->cost], MPFR_RNDN);
}

/* Fills the Hessian at the digits of c->now. */
static enum status attempt(struct certifying *c, struct mp_hessian *hessian,
                           struct diagnosis *diagnosis)
{
    int p = c->now.parameters;
    struct mp_trajectory *nominal = NULL;
    mpfr_ptr r = mp_vector_new((size_t)p, hessian->precision);
    mpfr_ptr of_gradients = mp_vector_new((size_t)(p * p), hessian->precision);
    mpfr_ptr of_values = mp_vector_new((size_t)(p * p), hessian->precision);
    c->part = 0;
    enum status status = reference_run(&c->now, &nominal, diagnosis);
    hessian->runs += 1;
    if (status == OK)
        status = take_sizes(&c->now, r, diagnosis);
    if (status == OK)
        status = make_steps(c, &hessian->runs, diagnosis);
    if (status == OK) {
        take_nominal(c, nominal, hessian);
        extrapolate(c->step[0].of_gradients, c->step[1].of_gradients, p * p,
                    of_gradients);
        extrapolate(c->step[0].of_values, c->step[1].of_values, p * p, of_values);
        compare(c, of_gradients, of_values, r, hessian);
    }
    c->part = 3;
    if (status == OK && hessian->agreed >= c->digits) {
        status = certify_confirm(&c->now, c->digits, nominal, NULL, NULL, diagnosis);
        hessian->runs += 1;
    }
    for (int half = 0; half < 2; half++)
        second_difference_clear(&c->step[half]);
    mp_trajectory_free(nominal);
    mp_vector_free(r);
    mp_vector_free(of_gradients);
    mp_vector_free(of_values);
    return status;
}

/* --- all ---------------------------------------------------------------------------- */

/* Digits to carry: extrapolated differences leave two thirds of them. */
static int carried_for(double digits)
{
    return (int)ceil(1.5 * digits);
}

int mp_hessian_digits(int digits)
{
    return carried_for(digits + SPARE);
}

static void prepare(struct certifying *c)
{
    c->now.direction = NULL;
    c->now.samples = 0;
    c->now.strict = false;
    c->now.threads = c->threads;
    if (c->asked->progress) {
        c->now.progress = tell;
        c->now.progress_context = c;
    }
    if (c->now.digits < mp_hessian_digits(c->digits))
        c->now.digits = mp_hessian_digits(c->digits);
    c->now.digits = reference_digits(c->now.model, c->now.digits);
}

enum status mp_hessian_certify(const struct reference_request *request, int cost,
                               int digits, int threads, struct mp_hessian **out,
                               struct diagnosis *diagnosis)
{
    struct diagnosis own;
    struct certifying c = {.now = *request, .asked = request, .cost = cost,
                           .digits = digits, .threads = threads, .parts = 4};
    diagnosis = diagnosis ? diagnosis : &own;
    *out = NULL;
    if (cost < 0 || cost >= request->model->nz)
        return diagnose(diagnosis, BAD_INPUT, NAN, "cost number %d does not exist", cost);
    if (request->parameters < 1)
        return diagnose(diagnosis, BAD_INPUT, NAN, "no parameter to differentiate by");
    prepare(&c);
    long runs = 0;
    int agreed = 0;
    double order = NAN;
    for (int raise = 0; raise <= RAISES; raise++) {
        struct mp_hessian *hessian = hessian_new(&c.now);
        hessian->runs = runs;
        enum status status = attempt(&c, hessian, diagnosis);
        runs = hessian->runs;
        agreed = hessian->agreed;
        order = hessian->order;
        if (status == OK && agreed >= digits && !(order < order_least)) {
            *out = hessian;
            return OK;
        }
        mp_hessian_free(hessian);
        if (status != OK)
            return status;
        c.now.digits += carried_for(fmax(digits - agreed, 0) + 6);
    }
    return diagnose(diagnosis, PRECISION, NAN, "the two routes to second derivatives "
                    "agree on %d digits only, with observed order %.2f, after the "
                    "precision was raised %d times", agreed, order, RAISES);
}
