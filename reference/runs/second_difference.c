/*
 * second_difference.c - second central differences of whole trajectories
 * (second_difference.h)
 *
 * The directions of the runs are the parameters one by one, with derivatives, and then
 * all pairs of two of them, values only.
 */
#include "second_difference.h"

#include <math.h>
#include <stdio.h>

#include "difference.h"

/* Which runs there are. */
struct second {
    struct difference all;
    struct plan *values, *tangents;     /* programs without derivative rows, and with */
    const struct reference_request *request;
    int p, cost;
    mpfr_ptr size;                      /* [p] s_j */
};

/* --- directions --------------------------------------------------------------------- */

static int pairs(int p)
{
    return p * (p - 1) / 2;
}

/* The direction of parameters j and k > j. */
static int direction_of_pair(int p, int j, int k)
{
    return p + j * p - j * (j + 1) / 2 + k - j - 1;
}

/* Finds both parameters of a direction; *k = *j where it moves one. */
static void parts_of_direction(int p, int direction, int *j, int *k)
{
    *j = *k = direction;
    for (int a = 0; direction >= p && a < p; a++)
        for (int b = a + 1; b < p; b++)
            if (direction_of_pair(p, a, b) == direction) {
                *j = a;
                *k = b;
            }
}

static void name_pair(const struct difference *all, int direction, int sign, char *text,
                      int size)
{
    const struct reference_request *request = all->request;
    const struct parameter *parameter = request->model->parameter;
    const char *moved = sign > 0 ? "increased" : "decreased";
    int j, k;
    parts_of_direction(request->parameters, direction, &j, &k);
    const char *one = parameter[request->parameter[j]].name;
    if (j == k)
        snprintf(text, (size_t)size, "%s is %s", one, moved);
    else
        snprintf(text, (size_t)size, "%s and %s are %s", one,
                 parameter[request->parameter[k]].name, moved);
}

/* s_j of parameter j, from its value (second_difference.h). */
static void set_size(mpfr_srcptr rho, mpfr_ptr size)
{
    mpfr_set_ui(size, 1, MPFR_RNDN);
    if (!mpfr_zero_p(rho))
        mpfr_set_ui_2exp(size, 1, mpfr_get_exp(rho) - 1, MPFR_RNDN);
}

static void choose_directions(struct second *s, bool halved)
{
    const struct difference *all = &s->all;
    int width = all->plan->model->p;
    double h = floor(-all->request->digits / 6.0 * MP_BITS_PER_DIGIT) - (halved ? 1 : 0);
    for (int i = 0; i < s->p; i++)
        set_size(all->job[0].rho + s->request->parameter[i], s->size + i);
    for (int d = 0; d < all->directions; d++) {
        int j, k;
        parts_of_direction(s->p, d, &j, &k);
        mpfr_ptr unit = all->unit + d * width;
        mpfr_set(unit + s->request->parameter[j], s->size + j, MPFR_RNDN);
        mpfr_set(unit + s->request->parameter[k], s->size + k, MPFR_RNDN);
        mp_exp2(all->h + d, h);
    }
}

/* Runs that move one parameter have all derivatives. */
static void ask_for_derivatives(struct second *s)
{
    for (int j = 0; j < s->p; j++) {
        struct job *side[] = {job_plus(&s->all, j), job_minus(&s->all, j)};
        for (int i = 0; i < 2; i++) {
            side[i]->plan = s->tangents;
            side[i]->request.parameters = s->p;
        }
    }
}

/* --- differences -------------------------------------------------------------------- */

static mpfr_srcptr psi_of(const struct second *s, const struct job *job)
{
    return job->out->psi[s->cost];
}

/* x = psi(rho + h u) + psi(rho - h u) - 2 psi(rho) */
static void second_of_values(const struct second *s, int direction, mpfr_ptr x)
{
    mpfr_add(x, psi_of(s, job_plus(&s->all, direction)),
             psi_of(s, job_minus(&s->all, direction)), MPFR_RNDN);
    mpfr_sub(x, x, psi_of(s, &s->all.job[0]), MPFR_RNDN);
    mpfr_sub(x, x, psi_of(s, &s->all.job[0]), MPFR_RNDN);
}

/* Divides by powers of two, without rounding. */
static void divide_by_steps(const struct second *s, mpfr_ptr x, int j, int k)
{
    mpfr_div(x, x, s->all.h, MPFR_RNDN);
    mpfr_div(x, x, s->size + j, MPFR_RNDN);
    if (k < 0)
        return;
    mpfr_div(x, x, s->all.h, MPFR_RNDN);
    mpfr_div(x, x, s->size + k, MPFR_RNDN);
}

/* Row j: (gradient at rho + h s_j e_j - gradient at rho - h s_j e_j) / (2 h s_j) */
static void differ_gradients(const struct second *s, int j, mpfr_ptr row)
{
    int nz = s->request->model->nz;
    const struct mp_trajectory *plus = job_plus(&s->all, j)->out;
    const struct mp_trajectory *minus = job_minus(&s->all, j)->out;
    for (int k = 0; k < s->p; k++) {
        int i = (1 + k) * nz + s->cost;
        mpfr_sub(row + k, plus->psi[i], minus->psi[i], MPFR_RNDN);
        divide_by_steps(s, row + k, j, -1);
        mpfr_div_2ui(row + k, row + k, 1, MPFR_RNDN);
    }
}

/* With D(u) = psi(rho + u) + psi(rho - u) - 2 psi(rho): the second derivative by two
   parameters is [D(u_j + u_k) - D(u_j) - D(u_k)] / 2 by both steps. */
static void differ_values(const struct second *s, mpfr_ptr x)
{
    int p = s->p;
    for (int j = 0; j < p; j++)
        second_of_values(s, j, x + j * p + j);
    for (int j = 0; j < p; j++)
        for (int k = j + 1; k < p; k++) {
            mpfr_ptr both = x + j * p + k;
            second_of_values(s, direction_of_pair(p, j, k), both);
            mpfr_sub(both, both, x + j * p + j, MPFR_RNDN);
            mpfr_sub(both, both, x + k * p + k, MPFR_RNDN);
            mpfr_div_2ui(both, both, 1, MPFR_RNDN);
            divide_by_steps(s, both, j, k);
            mpfr_set(x + k * p + j, both, MPFR_RNDN);
        }
    for (int j = 0; j < p; j++)
        divide_by_steps(s, x + j * p + j, j, j);
}

/* --- all ---------------------------------------------------------------------------- */

static enum status make_runs(struct second *s, bool halved, int threads,
                             struct diagnosis *diagnosis)
{
    enum status status = run_check(s->values, s->request, diagnosis);
    if (status == OK)
        status = difference_begin(&s->all, diagnosis);
    if (status != OK)
        return status;
    choose_directions(s, halved);
    ask_for_derivatives(s);
    status = difference_make(&s->all, threads, diagnosis);
    if (status != OK)
        return status;
    for (int i = 0; i < s->all.jobs; i++)
        run_settle(s->all.job[i].out, s->request->model);
    return difference_compare(&s->all, diagnosis);
}

enum status second_difference_make(const struct reference_request *request, int cost,
                                   bool halved, int threads,
                                   struct second_difference *out,
                                   struct diagnosis *diagnosis)
{
    int p = request->parameters;
    mpfr_prec_t precision = mp_precision(request->digits);
    struct second s = {.request = request, .p = p, .cost = cost};
    *out = (struct second_difference){.p = p};
    s.values = plan_new(request->model, &request->truth, false, diagnosis);
    s.tangents = s.values ? plan_new(request->model, &request->truth, true, diagnosis)
                          : NULL;
    enum status status = s.tangents ? OK : diagnosis->status;
    if (status == OK) {
        s.size = mp_vector_new((size_t)p, precision);
        difference_open_along(&s.all, s.values, request, p + pairs(p), 1);
        s.all.name = name_pair;
        status = make_runs(&s, halved, threads, diagnosis);
    }
    if (status == OK) {
        out->of_gradients = mp_vector_new((size_t)(p * p), precision);
        out->of_values = mp_vector_new((size_t)(p * p), precision);
        for (int j = 0; j < p; j++)
            differ_gradients(&s, j, out->of_gradients + j * p);
        differ_values(&s, out->of_values);
    }
    if (s.tangents)
        difference_close(&s.all);
    mp_vector_free(s.size);
    plan_free(s.tangents);
    plan_free(s.values);
    return status;
}

void second_difference_clear(struct second_difference *difference)
{
    mp_vector_free(difference->of_gradients);
    mp_vector_free(difference->of_values);
}
