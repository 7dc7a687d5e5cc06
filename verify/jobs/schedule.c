/*
 * schedule.c - the jobs of a case: a solution for each formulation that applies, and the
 * certified values of each exact motion that they approximate.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "jobs/judge.h"
#include "motion/cost.h"
#include "oracles/oracle.h"
#include "plugins/registry.h"

/* Shares with the job before, if that is of the same case with the same resets. */
static struct shared *shared_after(struct job *const *list, int count,
                                   const struct job *job)
{
    const struct job *last = count > 0 ? list[count - 1] : NULL;
    bool same = last && last->shared && last->desc == job->desc &&
                last->settings->reset == job->settings->reset;
    struct shared *shared = same ? last->shared : memory_new(1, sizeof *shared);
    if (!same) {
        pthread_mutex_init(&shared->times.lock, NULL);
        for (int k = 0; k < ORACLE_COUNT; k++)
            pthread_mutex_init(&shared->answer[k].lock, NULL);
    }
    shared->users++;
    return shared;
}

static void shared_release(struct shared *shared)
{
    if (!shared || --shared->users > 0)
        return;
    pthread_mutex_destroy(&shared->times.lock);
    for (int k = 0; k < ORACLE_COUNT; k++) {
        pthread_mutex_destroy(&shared->answer[k].lock);
        answer_clear(&shared->answer[k].answer);
    }
    free(shared);
}

static struct job *append_job(struct job ***list, int *count,
                              const struct judge_settings *settings,
                              const struct case_desc *desc,
                              const struct formulation *formulation)
{
    *list = realloc(*list, ((size_t)*count + 1) * sizeof **list);
    struct job *job = calloc(1, sizeof *job);
    if (!*list || !job)
        memory_exhausted();
    job->settings = settings;
    job->desc = desc;
    job->formulation = formulation;
    job->shared = shared_after(*list, *count, job);
    (*list)[(*count)++] = job;
    job->rows.keep = settings->json;
    job->rows.digits = settings->digits;
    options_nominal(formulation, job->option);
    for (int k = 0; settings->option && k < option_count(formulation); k++)
        job->option[k] = settings->option[k];
    return job;
}

static bool same_motion(const struct model *model, const struct truth *a,
                        const struct truth *b)
{
    char first[160], second[160];
    certificate_name(model, a, first, sizeof first);
    certificate_name(model, b, second, sizeof second);
    return strcmp(first, second) == 0;
}

/* The table of bars is for the 60 digits of the default. Differences keep two thirds of
   the digits, and the condition of the motions takes up to 7 digits. */
static double reference_bar(int mp_digits)
{
    return mp_digits == DEFAULT_MP_DIGITS ? NAN : 2.0 * mp_digits / 3.0 - 7.0;
}

/* CPU seconds that judging a reference motion takes, roughly. */
static double reference_seconds(const struct job *job, const struct model *model)
{
    struct effort effort;
    int digits = job->settings->mp_digits;
    int *parameter = memory_new(model->p, sizeof *parameter);
    int parameters = model_sensitivities(model, parameter);
    bool stored = effort_of(model, &job->motion.truth, &effort);
    bool both = !stored || job->settings->thorough;
    double seconds = both ? effort_of_both(&effort, parameters, digits)
                          : effort_of_direction(&effort, digits);
    free(parameter);
    return job->settings->thorough || seconds <= judge_patience ? seconds : 0;
}

static void set_title(struct job *job)
{
    snprintf(job->task.title, sizeof job->task.title, "%.50s, %s", job->desc->name,
             job->solution);
}

/* Is an oracle asked for that judges certified values of the motion? */
static bool judges_stored(const struct job *job, const struct model *model)
{
    unsigned asked = job->settings->oracles;
    for (int k = 0; k < ORACLE_COUNT; k++)
        if ((asked & 1u << k) && (oracles[k].traits & JUDGES_STORED) &&
            oracle_applies(&oracles[k], model, &job->motion.truth))
            return true;
    return (asked & ORACLE_MPFR) != 0;
}

/* Certified values of one motion are judged once, however many formulations approximate
   it. */
static void schedule_reference(struct job ***job, int *count, int first, int index,
                               const struct model *model)
{
    const struct job *solution = (*job)[index];
    if (!is_known(&solution->motion.truth) || !judges_stored(solution, model))
        return;
    for (int k = first; k < *count; k++)
        if ((*job)[k]->is_reference &&
            same_motion(model, &(*job)[k]->motion.truth, &solution->motion.truth))
            return;
    struct job *reference = append_job(job, count, solution->settings, solution->desc,
                                       solution->formulation);
    solution = (*job)[index];
    reference->is_reference = true;
    reference->oracles = solution->settings->oracles & ORACLE_MPFR;
    reference->task.run = judge_reference;
    reference->rows.digits = reference_bar(solution->settings->mp_digits);
    reference_motion_of(reference->formulation, model, reference->option,
                        &reference->motion, NULL);
    reference->follows = reference->settings->oracles & ORACLE_CERTIFIED;
    reference->task.weight = reference_seconds(reference, model);
    snprintf(reference->solution, sizeof reference->solution, "MPFR %.50s",
             is_exact(&reference->motion.truth) ? "exact" : reference->formulation->name);
    set_title(reference);
}

/* CPU seconds that a run and its judges take, by fits to the catalogue (`work`) and to
   pendulum-chain-20 (`matrices`), by the index of a DAE. Single cases are off by up to
   ten times; iterated multipliers take five times what is said. */
static double solution_seconds(const struct formulation *formulation,
                               const struct effort *effort, int parameters)
{
    static const struct { double work, matrices; } by_index[] = {
        {1, 0.6}, {0.6, 2.8}, {2.4, 17}, {0.6, 2.9}};
    int index = formulation->kind == DAE && formulation->index <= 3 ? formulation->index
                                                                     : 0;
    return by_index[index].work * effort_in_double(effort, parameters) +
           by_index[index].matrices * effort_of_matrices(effort);
}

/* Does an earlier job of the case have this reference motion, too? */
static bool follows(struct job *const *job, int last, const struct model *model)
{
    for (int k = last - 1; k >= 0 && job[k]->desc == job[last]->desc; k--)
        if (is_known(&job[k]->motion.truth) &&
            same_motion(model, &job[k]->motion.truth, &job[last]->motion.truth))
            return true;
    return false;
}

/* The oracles that know something of the motion; `once`: of those that judge a case once,
   else of those that judge every solution. */
static unsigned able_oracles(const struct job *job, const struct model *model, bool once)
{
    unsigned able = 0;
    for (int k = 0; k < ORACLE_COUNT; k++)
        if (oracles[k].way != WAY_REFERENCE &&
            ((oracles[k].traits & ONCE_A_CASE) != 0) == once &&
            oracle_applies(&oracles[k], model, &job->motion.truth))
            able |= 1u << k;
    return job->settings->oracles & able;
}

/* Sets the oracles that judge every solution. */
static void schedule_oracles(struct job *job, const struct model *model)
{
    static const struct truth exact_motion = {.variant = "exact"};
    char path[600];
    job->oracles = able_oracles(job, model, false);
    job->gap = !is_exact(&job->motion.truth) && (job->oracles & ORACLE_CERTIFIED) &&
               certified_path(model, &exact_motion, path, sizeof path);
}

/* Adds the oracles that judge a case once, whatever the formulation. Such an oracle knows
   the impulse of the case and no other policy, and sees no rule. */
static void schedule_once(struct job *first, const struct model *model)
{
    if (!first->settings->rule && first->settings->reset == RESET_IMPULSIVE)
        first->oracles |= able_oracles(first, model, true);
}

enum status schedule_solution(const struct judge_settings *settings,
                              const struct model *model,
                              const struct formulation *formulation, struct job ***list,
                              int *count, struct diagnosis *diagnosis)
{
    struct job *job = append_job(list, count, settings, model->desc, formulation);
    struct effort effort;
    job->task.run = judge_solution;
    snprintf(job->solution, sizeof job->solution, "%.60s", formulation->name);
    set_title(job);
    enum status status = reference_motion_of(formulation, model, job->option,
                                             &job->motion, diagnosis);
    effort_of(model, &job->motion.truth, &effort);
    job->task.weight = solution_seconds(formulation, &effort, model->p);
    if (status == NOT_APPLICABLE && registry_owner(formulation)) {
        job->motion = (struct reference_motion){.truth = reference_motion_unknown};
        status = OK;
    }
    job->follows = is_known(&job->motion.truth) && follows(*list, *count - 1, model);
    schedule_oracles(job, model);
    return status;
}

static bool adds_constraints(const struct model *model)
{
    bool adds = false;
    for (int k = 0; k < model->events; k++)
        adds = adds || event_adds_constraints(model->event[k]);
    return adds;
}

bool policy_applies(enum reset_policy reset, const struct formulation *formulation,
                    const struct model *model, const char **why)
{
    *why = NULL;
    if (reset == RESET_CONTINUOUS && (formulation->capabilities & KEEPS_CONSTRAINTS))
        *why = "it keeps the constraints, so a new one takes an impulse; --reset "
               "continuous is for penalty formulations";
    else if (reset == RESET_CONTINUOUS && !adds_constraints(model))
        *why = "no event adds constraints: --reset continuous changes nothing";
    return *why == NULL;
}

void schedule_malformed(const struct judge_settings *settings,
                        const struct case_desc *desc, struct job ***list, int *count)
{
    struct job *job = append_job(list, count, settings, desc, formulations[0]);
    job->task.run = judge_solution;
    job->motion = (struct reference_motion){.truth = reference_motion_unknown};
    snprintf(job->solution, sizeof job->solution, "-");
    set_title(job);
}

enum status schedule_case(const struct judge_settings *settings,
                          const struct case_desc *desc, struct job ***job, int *count,
                          struct diagnosis *diagnosis)
{
    struct model *model = model_new_with(desc, settings->reset, diagnosis);
    if (!model)
        return BAD_INPUT;
    int first = *count;
    enum status status = OK;
    const char *why;
    for (int k = 0; formulations[k] && status == OK; k++) {
        if (settings->only && settings->only != formulations[k])
            continue;
        if (!formulation_applies(formulations[k], model, &why) ||
            !policy_applies(settings->reset, formulations[k], model, &why))
            continue;
        status = schedule_solution(settings, model, formulations[k], job, count,
                                   diagnosis);
    }
    if (*count > first)
        schedule_once((*job)[first], model);
    int solutions = *count;
    for (int k = first; k < solutions && status == OK; k++)
        if (!settings->rule)
            schedule_reference(job, count, first, k, model);
    model_free(model);
    return status;
}

void jobs_free(struct job **job, int count)
{
    for (int k = 0; k < count; k++) {
        rows_clear(&job[k]->rows);
        shared_release(job[k]->shared);
        free(job[k]);
    }
    free(job);
}
