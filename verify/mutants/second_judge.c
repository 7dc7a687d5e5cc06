/*
 * second_judge.c - w' H w right, wrong, and in MPFR (second_judge.h)
 */
#include "mutants/second_judge.h"

#include <math.h>
#include <stdio.h>

#include "arithmetic/mp.h"
#include "base/memory.h"
#include "motion/cost.h"
#include "motion/second_along.h"

const char second_judge_name[] = "gradient-difference";

/* Digits that the runs in MPFR carry; differences have two thirds of them. */
enum { CARRIED = 30 };
/* The right Hessian has 11.9 digits and more on the catalogue, but for two cases with an
   event near grazing (8.5, 4.5): the bar of two digits less (bars.h) is far from both. */
static const double digits_known = 10;

/* --- numbers ------------------------------------------------------------------------ */

/* Adds the second derivative of cost k, which is known as well as the first one at best:
   where it is smaller, to fewer digits of its own. */
static void add_number(const struct second_judge *judge, struct results *results, int k,
                       double first, mpfr_srcptr second)
{
    const struct results *run = judge->job->work.got;
    char name[QUANTITY_NAME];
    snprintf(name, sizeof name, "d2psi.%.60s along w",
             judge->runs.request.model->cost[k]);
    struct entry *entry = results_add(results, name, name,
                                      run->entry[run->count - 1].t, 0);
    mpfr_set(entry->value, second, MPFR_RNDN);
    entry->spread = fabs(first);
}

static enum status numbers_in_double(const struct second_judge *judge, unsigned faults,
                                     struct results **out, struct diagnosis *diagnosis)
{
    struct run_request run = judge->job->work.request;
    enum status status = OK;
    mpfr_t number;
    mpfr_init2(number, 53);
    run.samples = 0;
    *out = results_new(53);
    for (int k = 0; status == OK && k < run.model->nz; k++) {
        double first = 0, second = 0;
        status = second_along_double(&run, &judge->runs.direction, k, faults, &first,
                                     &second, diagnosis);
        mpfr_set_d(number, second, MPFR_RNDN);
        if (status == OK)
            add_number(judge, *out, k, first, number);
    }
    mpfr_clear(number);
    if (status != OK) {
        results_free(*out);
        *out = NULL;
    }
    return status;
}

/* NULL: the runs were refused. */
static struct results *numbers_in_mpfr(const struct second_judge *judge)
{
    int nz = judge->runs.request.model->nz;
    mpfr_prec_t precision = mp_precision(CARRIED);
    mpfr_ptr first = mp_vector_new((size_t)nz, precision);
    mpfr_ptr second = mp_vector_new((size_t)nz, precision);
    struct diagnosis ignored = {.t = NAN};
    struct results *results = NULL;
    if (second_along_mpfr(&judge->runs, first, second, &ignored) == OK) {
        results = results_new(precision);
        for (int k = 0; k < nz; k++)
            add_number(judge, results, k, mpfr_get_d(first + k, MPFR_RNDN), second + k);
    }
    mp_vector_free(first);
    mp_vector_free(second);
    return results;
}

/* --- the judge ---------------------------------------------------------------------- */

/* Takes the right Hessian along w. Without an event there is no jump to be wrong. */
static void begin(struct second_judge *judge)
{
    const struct job_work *work = &judge->job->work;
    struct diagnosis ignored = {.t = NAN};
    judge->begun = true;
    judge->right = judge->judge = (struct want){second_judge_name, NULL, digits_known};
    judge->silent = moved_runs_open(&judge->runs, work->model, &work->job->motion.truth,
                                    CARRIED, &ignored) != OK ||
                    work->model->nz == 0 || work->trajectory->events == 0 ||
                    numbers_in_double(judge, 0, &judge->right.results, &ignored) != OK;
}

void second_judge_close(struct second_judge *judge)
{
    results_free(judge->right.results);
    results_free(judge->judge.results);
    if (judge->begun)
        moved_runs_close(&judge->runs);
}

/* Two runs with a derivative, each at twice the price of its values. */
static bool takes_too_long(const struct second_judge *judge)
{
    const struct reference_request *request = &judge->runs.request;
    struct effort effort;
    effort_of(request->model, &request->truth, &effort);
    return 4 * effort_of_run(&effort, request->digits) > judge_patience;
}

/* The numbers of the judge, of which the right Hessian must hold every one. */
static void ask(struct second_judge *judge)
{
    judge->asked = true;
    if (!takes_too_long(judge))
        judge->judge.results = numbers_in_mpfr(judge);
    judge->silent = !judge->judge.results ||
                    mutant_job_compare(judge->job, judge->right.results,
                                       &judge->judge).caught;
}

bool second_judge_try(struct second_judge *judge, unsigned faults,
                      struct findings *findings)
{
    struct results *wrong;
    *findings = (struct findings){.refusal.t = NAN, .agreed = INFINITY};
    if (!judge->begun)
        begin(judge);
    if (judge->silent)
        return false;
    if (numbers_in_double(judge, faults, &wrong, &findings->refusal) != OK) {
        findings->refused = findings->effect = true;
        return true;
    }
    findings->effect = mutant_job_compare(judge->job, wrong, &judge->right).caught;
    if (findings->effect && !judge->asked)
        ask(judge);
    if (findings->effect && !judge->silent)
        findings->by[0] = mutant_job_compare(judge->job, wrong, &judge->judge);
    results_free(wrong);
    return !judge->silent;
}
