/* difference_runs.c - whole trajectories at moved parameters, by a pool of threads,
   for central differences. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "difference.h"

/* --- threads ------------------------------------------------------------------------ */

/* Takes the progress of one job and tells the caller that of all. False: stop. */
static bool job_progress(void *context, double done)
{
    struct job *job = context;
    struct difference *all = job->all;
    const struct reference_request *request = all->request;
    pthread_mutex_lock(&all->lock);
    double sum = 0;
    job->done = done;
    for (int i = 0; i < all->jobs; i++)
        sum += all->job[i].done;
    if (request->progress != NULL && !all->stopped &&
        !request->progress(request->progress_context, sum / all->jobs))
        all->stopped = true;
    bool go_on = !all->stopped && job - all->job < all->failed;
    pthread_mutex_unlock(&all->lock);
    return go_on;
}

static void *worker(void *context)
{
    struct difference *all = context;
    for (;;) {
        pthread_mutex_lock(&all->lock);
        int i = all->stopped ? all->jobs : all->next++;
        bool none = i >= all->failed;
        pthread_mutex_unlock(&all->lock);
        if (none)
            break;
        struct job *job = &all->job[i];
        job->status = run_trajectory(job->plan, &job->request, job->rho, &job->out,
                                     &job->rates, &job->diagnosis);
        pthread_mutex_lock(&all->lock);
        job->done = 1;
        if (job->status != OK && i < all->failed)
            all->failed = i;
        pthread_mutex_unlock(&all->lock);
    }
    mpfr_free_cache();
    return NULL;
}

/* Makes all runs with `threads` threads, one of which is the calling thread. */
static void run_jobs(struct difference *all, int threads)
{
    int extra = (threads < all->jobs ? threads : all->jobs) - 1, started = 0;
    pthread_t *thread = memory_new(extra > 0 ? extra : 0, sizeof *thread);
    while (started < extra && pthread_create(&thread[started], NULL, worker, all) == 0)
        started++;
    worker(all);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

/* --- steps -------------------------------------------------------------------------- */

/* The largest power of two with h |unit_k| <= 10^(-digits/3) |rho_k| for all k, 1
   where rho_k is zero, halved on request. With a power of two, rho + h and rho - h are
   exactly symmetric. */
static void choose_step(struct difference *all, int j, bool halved)
{
    int p = all->plan->model->p;
    double size = run_reach(all->job[0].rho, all->unit + j * p, p) -
                  all->request->digits / 3.0 * MP_BITS_PER_DIGIT;
    mp_exp2(all->h + j, floor(size) - (halved ? 1 : 0));
}

/* Moves the parameters of both runs of a direction, from the nominal rho in each. */
static void move_parameters(struct difference *all, int j)
{
    int p = all->plan->model->p;
    mpfr_ptr plus = job_plus(all, j)->rho, minus = job_minus(all, j)->rho;
    mpfr_srcptr unit = all->unit + j * p;
    for (int k = 0; k < p; k++) {
        mpfr_fma(plus + k, all->h + j, unit + k, plus + k, MPFR_RNDN);
        mpfr_fms(minus + k, all->h + j, unit + k, minus + k, MPFR_RNDN);
        mpfr_neg(minus + k, minus + k, MPFR_RNDN);
    }
}

enum status difference_begin(struct difference *all, struct diagnosis *diagnosis)
{
    const struct reference_request *request = all->request;
    mpfr_prec_t precision = run_careful_precision(request->digits);
    int p = all->plan->model->p;
    for (int i = 0; i < all->jobs; i++) {
        struct job *job = &all->job[i];
        job->all = all;
        job->plan = all->plan;
        job->request = *request;
        job->request.parameters = 0;
        job->request.threads = 1;
        job->request.progress = job_progress;
        job->request.progress_context = job;
        job->rho = mp_vector_new((size_t)p, precision);
        if (i > 0)
            mp_copy(job->rho, all->job[0].rho, p);
        else if (run_parameters(all->plan, request, job->rho, diagnosis) != OK)
            return diagnosis->status;
    }
    return OK;
}

/* --- comparison of the runs --------------------------------------------------------- */

static void name_direction(const struct difference *all, int j, int sign, char *text,
                           int size)
{
    const struct reference_request *request = all->request;
    const char *moved = sign > 0 ? "increased" : "decreased";
    if (request->direction)
        snprintf(text, (size_t)size, "the parameters are %s along (w)", moved);
    else
        snprintf(text, (size_t)size, "%s is %s",
                 all->plan->model->parameter[request->parameter[j]].name, moved);
}

/* Says how run i is moved, for messages. */
static const char *moved(const struct difference *all, int i, char *text, int size)
{
    int k = i - all->nominal;
    all->name(all, k / 2, k % 2 == 0 ? 1 : -1, text, size);
    return text;
}

/* The status for different events. If they are close in time they have changed places:
   two events that do are far closer than 10^(-digits/8) when h is 10^(-digits/3). Else
   one of them does not happen in the other run, since its guard is touched between
   both. */
static enum status why_apart(const struct difference *all, const struct mp_event *a,
                             const struct mp_event *b)
{
    if (a == NULL || b == NULL)
        return GRAZING;
    double s = mpfr_get_d(a->before.t, MPFR_RNDN), t = mpfr_get_d(b->before.t, MPFR_RNDN);
    double close = pow(10, -all->request->digits / 8.0) * fmax(1, fabs(s));
    return fabs(s - t) <= close ? SIMULTANEOUS : GRAZING;
}

/* Compares the event sequence of run i with that of run 0, and the modes at the
   samples. */
static enum status compare_events(const struct difference *all, int i,
                                  struct diagnosis *diagnosis)
{
    const struct mp_trajectory *nominal = all->job[0].out, *other = all->job[i].out;
    char when[100];
    moved(all, i, when, sizeof when);
    for (int e = 0; e < nominal->events || e < other->events; e++) {
        const struct mp_event *a = e < nominal->events ? &nominal->event[e] : NULL;
        const struct mp_event *b = e < other->events ? &other->event[e] : NULL;
        if (a && b && a->event == b->event)
            continue;
        return diagnose(diagnosis, why_apart(all, a, b),
                        mpfr_get_d(a ? a->before.t : b->before.t, MPFR_RNDN),
                        "event %d is %s, but %s when %s", e + 1,
                        a ? a->event->name : "none", b ? b->event->name : "none", when);
    }
    for (int k = 0; k < nominal->samples && k < other->samples; k++)
        if (nominal->sample[k].mode != other->sample[k].mode)
            return diagnose(diagnosis, EVENT_AT_END,
                            mpfr_get_d(nominal->sample[k].t, MPFR_RNDN),
                            "the sample is in mode %s, but in %s when %s",
                            nominal->sample[k].mode->name, other->sample[k].mode->name,
                            when);
    if (nominal->samples != other->samples)
        return diagnose(diagnosis, EVENT_AT_END, NAN, "%d samples, but %d when %s",
                        nominal->samples, other->samples, when);
    return OK;
}

enum status difference_compare(const struct difference *all, struct diagnosis *diagnosis)
{
    enum status status = OK;
    for (int i = 1; status == OK && i < all->jobs; i++)
        status = compare_events(all, i, diagnosis);
    return status;
}

/* Returns the first failure, with the parameter that was moved. */
static enum status first_failure(const struct difference *all,
                                 struct diagnosis *diagnosis)
{
    char when[100];
    if (all->stopped)
        return diagnose(diagnosis, NO_CONVERGENCE, NAN, "stopped on request");
    if (all->failed == all->jobs)
        return OK;
    const struct job *job = &all->job[all->failed];
    if (all->failed >= all->nominal)
        return diagnose(diagnosis, job->status, job->diagnosis.t, "%.370s (when %s)",
                        job->diagnosis.place,
                        moved(all, all->failed, when, sizeof when));
    *diagnosis = job->diagnosis;
    return job->status;
}

/* --- all ---------------------------------------------------------------------------- */

void difference_open_along(struct difference *all, const struct plan *plan,
                           const struct reference_request *request, int directions,
                           int nominal)
{
    mpfr_prec_t precision = mp_precision(request->digits);
    *all = (struct difference){.plan = plan, .request = request,
                               .directions = directions, .nominal = nominal,
                               .jobs = nominal + 2 * directions,
                               .name = name_direction};
    all->failed = all->jobs;
    all->job = memory_new(all->jobs, sizeof *all->job);
    all->unit = mp_vector_new((size_t)(directions * request->model->p), precision);
    all->h = mp_vector_new((size_t)directions, precision);
    pthread_mutex_init(&all->lock, NULL);
}

void difference_open(struct difference *all, const struct plan *plan,
                     const struct reference_request *request)
{
    int directions = run_directions(request);
    int nominal = request->direction && directions > 0 ? 0 : 1;
    difference_open_along(all, plan, request, directions, nominal);
}

enum status difference_make(struct difference *all, int threads,
                            struct diagnosis *diagnosis)
{
    for (int j = 0; j < all->directions; j++)
        move_parameters(all, j);
    run_jobs(all, threads);
    return first_failure(all, diagnosis);
}

enum status difference_runs(struct difference *all, bool halved, int threads,
                            struct diagnosis *diagnosis)
{
    enum status status = run_check(all->plan, all->request, diagnosis);
    if (status == OK)
        status = difference_begin(all, diagnosis);
    if (status == OK && all->directions > 0)
        status = run_units(all->request, all->unit, diagnosis);
    if (status != OK)
        return status;
    for (int j = 0; j < all->directions; j++)
        choose_step(all, j, halved);
    status = difference_make(all, threads, diagnosis);
    if (status != OK)
        return status;
    difference_settle(all);
    return difference_compare(all, diagnosis);
}

void difference_close(struct difference *all)
{
    for (int i = 0; i < all->jobs; i++) {
        struct job *job = &all->job[i];
        for (int e = 0; job->rates != NULL && e < job->out->events; e++)
            mp_vector_free(job->rates[e]);
        free(job->rates);
        mp_trajectory_free(job->out);
        mp_vector_free(job->rho);
    }
    free(all->job);
    mp_vector_free(all->unit);
    mp_vector_free(all->h);
    pthread_mutex_destroy(&all->lock);
}

