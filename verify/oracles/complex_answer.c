/*
 * complex_answer.c - the complex-step oracle, asked about a run.
 *
 * The oracle integrates explicitly: for a DAE, the motion by its reduced equations, at
 * the tolerance of those, whatever the index. Formulations that solve one residual in two
 * ways have one answer, where the tolerance of the other is a little tighter. The oracle
 * is never given the rule that is judged.
 */
#include <math.h>
#include <string.h>

#include "motion/reference_motion.h"
#include "oracles/oracle.h"
#include "verdict/tolerances.h"

/* Digits below its tolerance to which a run in double is zero if the motion is. */
static const double beyond_tolerance = 1;

struct run_request complex_step_request(const struct run_request *judged,
                                        const char *nominal[MAX_OPTIONS])
{
    struct run_request request = *judged;
    const struct formulation *reduced = request.formulation->reduced;
    request.rule = NULL;
    request.integrator = integrator_chosen(request.formulation, request.integrator);
    if (!reduced)
        return request;
    const struct integrator *integrator = integrator_default(reduced);
    double rtol = tolerance_default(request.model->desc, integrator, reduced);
    bool tighter = rtol <= judged->rtol && judged->rtol <= 10 * rtol;
    if (request.formulation->kind == ALGEBRAIC &&
        !(tighter && request.integrator == integrator))
        return request;
    options_nominal(reduced, nominal);
    request.formulation = reduced;
    request.option = nominal;
    request.integrator = integrator;
    request.rtol = rtol;
    request.atol = rtol / 1000;
    return request;
}

static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    const char *nominal[MAX_OPTIONS];
    const struct run_request request = complex_step_request(inquiry->run, nominal);
    struct trajectory *trajectory = NULL;
    enum status status = complex_step_run(&request, &trajectory, &answer->diagnosis);
    if (status == OK) {
        answer->kind = ANSWER_NUMBERS;
        answer->cap = double_digits;
        answer->want = results_of_trajectory(trajectory);
        answer->want->digits = beyond_tolerance - log10(request.rtol);
        trajectory_free(trajectory);
        return;
    }
    answer->kind = ANSWER_REFUSED;
    if (answer->diagnosis.status == OK)
        diagnose(&answer->diagnosis, status, NAN, "no reason is given");
}

/* --- one answer for several formulations -------------------------------------------- */

static bool is_nominal(const struct run_request *request)
{
    const char *nominal[MAX_OPTIONS];
    options_nominal(request->formulation, nominal);
    for (int k = 0; k < option_count(request->formulation); k++)
        if (strcmp(request->option[k], nominal[k]) != 0)
            return false;
    return true;
}

static bool reduces_others(const struct formulation *formulation)
{
    for (int k = 0; formulations[k]; k++)
        if (formulations[k]->reduced == formulation)
            return true;
    return false;
}

static bool key(const struct inquiry *inquiry, struct answer_key *key)
{
    const char *nominal[MAX_OPTIONS];
    const struct run_request request = complex_step_request(inquiry->run, nominal);
    *key = (struct answer_key){request.formulation, request.integrator, request.rtol};
    return reduces_others(request.formulation) && is_nominal(&request);
}

const struct oracle_calls complex_step_calls = {.ask = ask, .key = key};
