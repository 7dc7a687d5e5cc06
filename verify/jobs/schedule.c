/*
 * plan.c - what there is to judge: one solution for each formulation that applies to a
 * case, one truth for each exact motion they approximate.
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

/* With the piece before, if it is of the same case with the same resets. */
static struct shared *shared_after(struct piece *const *list, int count,
                                   const struct piece *piece)
{
    const struct piece *last = count > 0 ? list[count - 1] : NULL;
    bool same = last && last->shared && last->desc == piece->desc &&
                last->settings->reset == piece->settings->reset;
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

static struct piece *append_piece(struct piece ***list, int *count,
                                  const struct judge_settings *settings,
                                  const struct case_desc *desc,
                                  const struct formulation *formulation)
{
    *list = realloc(*list, ((size_t)*count + 1) * sizeof **list);
    struct piece *piece = calloc(1, sizeof *piece);
    if (!*list || !piece)
        memory_exhausted();
    piece->settings = settings;
    piece->desc = desc;
    piece->formulation = formulation;
    piece->shared = shared_after(*list, *count, piece);
    (*list)[(*count)++] = piece;
    piece->rows.keep = settings->json;
    piece->rows.digits = settings->digits;
    options_nominal(formulation, piece->option);
    for (int k = 0; settings->option && k < option_count(formulation); k++)
        piece->option[k] = settings->option[k];
    return piece;
}

static bool same_truth(const struct model *model, const struct truth *a,
                       const struct truth *b)
{
    char first[160], second[160];
    certificate_name(model, a, first, sizeof first);
    certificate_name(model, b, second, sizeof second);
    return strcmp(first, second) == 0;
}

/* The table of bars is for the 60 digits of the default. Differences keep two thirds of
   the digits, and the condition of the motions takes up to 7 of them. */
static double truth_bar(int mp_digits)
{
    return mp_digits == DEFAULT_MP_DIGITS ? NAN : 2.0 * mp_digits / 3.0 - 7.0;
}

/* CPU seconds that judging a truth takes, about. */
static double truth_seconds(const struct piece *piece, const struct model *model)
{
    struct effort effort;
    int digits = piece->settings->mp_digits;
    int *parameter = memory_new(model->p, sizeof *parameter);
    int parameters = model_sensitivities(model, parameter);
    bool stored = effort_of(model, &piece->truth.truth, &effort);
    double one = effort_of_direction(&effort, digits);
    free(parameter);
    if (!stored || piece->settings->thorough)
        return effort_of_both(&effort, parameters, digits);
    return one <= judge_patience ? one : 0;
}

static void set_title(struct piece *piece)
{
    snprintf(piece->task.title, sizeof piece->task.title, "%.50s, %s", piece->desc->name,
             piece->solution);
}

/* The truth of a solution is judged once, however many formulations share it. */
static void schedule_reference(struct piece ***piece, int *count, int first, int index,
                               const struct model *model)
{
    const struct piece *solution = (*piece)[index];
    if (!is_known(&solution->truth.truth))
        return;
    for (int k = first; k < *count; k++)
        if ((*piece)[k]->is_truth &&
            same_truth(model, &(*piece)[k]->truth.truth, &solution->truth.truth))
            return;
    struct piece *truth = append_piece(piece, count, solution->settings, solution->desc,
                                       solution->formulation);
    solution = (*piece)[index];
    truth->is_truth = true;
    truth->oracles = ORACLE_MPFR;
    truth->task.run = judge_truth;
    truth->rows.digits = truth_bar(solution->settings->mp_digits);
    truth_of(truth->formulation, model, truth->option, &truth->truth, NULL);
    truth->follows = truth->settings->oracles & ORACLE_CERTIFIED;
    truth->task.weight = truth_seconds(truth, model);
    snprintf(truth->solution, sizeof truth->solution, "MPFR %.50s",
             is_exact(&truth->truth.truth) ? "exact" : truth->formulation->name);
    set_title(truth);
}

/* Of a run, relative to an explicit one, as seen on five-bar; by the index of a DAE. */
static double work_of(const struct formulation *formulation)
{
    static const double by_index[] = {1, 4, 20, 3};
    return formulation->kind == DAE && formulation->index <= 3
               ? by_index[formulation->index] : 1;
}

/* Has a piece of the same case that comes before it the same truth? */
static bool follows(struct piece *const *piece, int last, const struct model *model)
{
    for (int k = last - 1; k >= 0 && piece[k]->desc == piece[last]->desc; k--)
        if (is_known(&piece[k]->truth.truth) &&
            same_truth(model, &piece[k]->truth.truth, &piece[last]->truth.truth))
            return true;
    return false;
}

/* The oracles that know something of the motion: those that judge every solution, or
   those that judge a case once. */
static unsigned able_oracles(const struct piece *piece, const struct model *model,
                             bool once)
{
    unsigned able = 0;
    for (int k = 0; k < ORACLE_COUNT; k++)
        if (oracles[k].way != WAY_REFERENCE &&
            ((oracles[k].traits & ONCE_A_CASE) != 0) == once &&
            oracle_applies(&oracles[k], model, &piece->truth.truth))
            able |= 1u << k;
    return piece->settings->oracles & able;
}

/* Who judges every solution. */
static void schedule_oracles(struct piece *piece, const struct model *model)
{
    static const struct truth exact_truth = {.variant = "exact"};
    char path[600];
    piece->oracles = able_oracles(piece, model, false);
    piece->gap = !is_exact(&piece->truth.truth) && (piece->oracles & ORACLE_CERTIFIED) &&
                 certified_path(model, &exact_truth, path, sizeof path);
}

/* What judges a case once, whatever the formulation. It knows the impulse of the case, no
   other policy, and sees no rules. */
static void schedule_once(struct piece *first, const struct model *model)
{
    if (!first->settings->rule && first->settings->reset == RESET_IMPULSIVE)
        first->oracles |= able_oracles(first, model, true);
}

enum status schedule_solution(const struct judge_settings *settings,
                              const struct model *model,
                              const struct formulation *formulation, struct piece ***list,
                              int *count, struct diagnosis *diagnosis)
{
    struct piece *piece = append_piece(list, count, settings, model->desc, formulation);
    struct effort effort;
    piece->task.run = judge_solution;
    snprintf(piece->solution, sizeof piece->solution, "%.60s", formulation->name);
    set_title(piece);
    enum status status = truth_of(formulation, model, piece->option, &piece->truth,
                                  diagnosis);
    effort_of(model, &piece->truth.truth, &effort);
    piece->task.weight = effort_in_double(&effort, model->p) * work_of(formulation);
    if (status == NOT_APPLICABLE && registry_owner(formulation)) {
        piece->truth = (struct own_truth){.truth = truth_unknown};
        status = OK;
    }
    piece->follows = is_known(&piece->truth.truth) && follows(*list, *count - 1, model);
    schedule_oracles(piece, model);
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
                        const struct case_desc *desc, struct piece ***list, int *count)
{
    struct piece *piece = append_piece(list, count, settings, desc, formulations[0]);
    piece->task.run = judge_solution;
    piece->truth = (struct own_truth){.truth = truth_unknown};
    snprintf(piece->solution, sizeof piece->solution, "-");
    set_title(piece);
}

enum status schedule_case(const struct judge_settings *settings,
                          const struct case_desc *desc, struct piece ***piece, int *count,
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
        status = schedule_solution(settings, model, formulations[k], piece, count,
                                   diagnosis);
    }
    if (*count > first)
        schedule_once((*piece)[first], model);
    int solutions = *count;
    for (int k = first; k < solutions && status == OK; k++)
        if ((settings->oracles & ORACLE_MPFR) && !settings->rule)
            schedule_reference(piece, count, first, k, model);
    model_free(model);
    return status;
}

void pieces_free(struct piece **piece, int count)
{
    for (int k = 0; k < count; k++) {
        rows_clear(&piece[k]->rows);
        shared_release(piece[k]->shared);
        free(piece[k]);
    }
    free(piece);
}
