/*
 * mutants.c - mutants as tasks, and what becomes of them (mutants.h)
 */
#include "mutants/mutants.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mechanisms/catalogue.h"

const double mutants_bar = 0.99;

/* --- what there is to do ------------------------------------------------------------ */

static bool is_among(const char *name, const struct case_desc *const *desc, int cases)
{
    for (int k = 0; k < cases; k++)
        if (strcmp(desc[k]->name, name) == 0)
            return true;
    return false;
}

static void schedule_seeded(struct mutants *mutants, const struct case_desc *const *desc,
                            int cases)
{
    mutants->cases = cases;
    mutants->seeded = memory_new(cases, sizeof *mutants->seeded);
    for (int k = 0; k < cases; k++) {
        struct seeded_task *task = &mutants->seeded[k];
        *task = (struct seeded_task){.desc = desc[k],
                                     .task = {.run = seeded_run, .weight = seeded_count}};
        snprintf(task->task.title, sizeof task->task.title, "seeded faults in %s",
                 desc[k]->name);
    }
}

static void list_mutants(struct generated *generated, int every)
{
    int room = 0;
    for (int k = 0; k < generated->programs; k++)
        generated->rows += generated->derived[k].rows;
    room = (generated->rows * MUTATIONS + every - 1) / every;
    generated->mutant = memory_new(room, sizeof *generated->mutant);
    int number = 0;
    for (enum mutation how = DROPPED; how < MUTATIONS; how++)
        for (int k = 0; k < generated->programs; k++)
            for (int i = 0; i < generated->derived[k].rows; i++)
                if (number++ % every == 0)
                    generated->mutant[generated->mutants++] = (struct mutant){
                        .program = &generated->derived[k], .row = i, .mutation = how};
}

/* Cuts a population into tasks, not so small that opening the case would be most of their
   work. */
static void cut(struct generated *generated)
{
    enum { IN_ONE = 150 };
    const struct population *population = generated->population;
    generated->tasks = (generated->mutants + IN_ONE - 1) / IN_ONE;
    generated->task = memory_new(generated->tasks, sizeof *generated->task);
    for (int k = 0; k < generated->tasks; k++) {
        struct generated_task *task = &generated->task[k];
        int from = k * IN_ONE, left = generated->mutants - from;
        *task = (struct generated_task){
            .population = population, .factor = 1e-6, .oracles = ORACLE_CERTIFIED,
            .mutants = left < IN_ONE ? left : IN_ONE, .mutant = generated->mutant + from,
            .task = {.run = generated_run}};
        task->task.weight = task->mutants;
        snprintf(task->task.title, sizeof task->task.title, "derivatives of %s",
                 population->case_name);
    }
}

/* Schedules every n-th row of a population multiplied by 1 + x, by every oracle. */
static void schedule_faint(struct mutants *mutants, const struct generated *generated)
{
    enum { ROWS = 24 };
    struct faint *faint = &mutants->faint[mutants->faints++];
    int all = generated->rows, step = all > ROWS ? all / ROWS : 1;
    faint->case_name = generated->population->case_name;
    for (int x = 6; x <= FAINTEST; x++) {
        struct generated_task *task = &faint->task[x];
        *task = (struct generated_task){
            .population = generated->population, .factor = pow(10, -x),
            .oracles = ORACLE_CERTIFIED | ORACLE_COMPLEX_STEP | ORACLE_CLOSED_FORM,
            .mutant = memory_new(ROWS + 1, sizeof *task->mutant),
            .task = {.run = generated_run, .weight = ROWS}};
        int number = 0;
        for (int k = 0; k < generated->programs; k++)
            for (int i = 0; i < generated->derived[k].rows; i++)
                if (number++ % step == 0 && task->mutants < ROWS)
                    task->mutant[task->mutants++] = (struct mutant){
                        .program = &generated->derived[k], .row = i, .mutation = SCALED};
        snprintf(task->task.title, sizeof task->task.title, "faint faults in %s",
                 faint->case_name);
    }
}

void mutants_schedule(struct mutants *mutants, const struct case_desc *const *desc,
                      int cases, bool whole, int every)
{
    *mutants = (struct mutants){.every = every, .whole = whole};
    schedule_seeded(mutants, desc, cases);
    mutants->generated = memory_new(population_count, sizeof *mutants->generated);
    for (int k = 0; k < population_count; k++) {
        if (!is_among(populations[k].case_name, desc, cases))
            continue;
        struct generated *generated = &mutants->generated[mutants->populations++];
        generated->population = &populations[k];
        generated->programs = generated_survey(&populations[k], &generated->derived,
                                               &generated->why);
        list_mutants(generated, every);
        cut(generated);
        if (generated->programs > 0 && mutants->faints < FAINT_CASES &&
            populations[k].faint)
            schedule_faint(mutants, generated);
    }
}

static int count_tasks(const struct mutants *mutants)
{
    int count = mutants->cases;
    for (int k = 0; k < mutants->populations; k++)
        count += mutants->generated[k].tasks;
    return count + mutants->faints * (FAINTEST - 5);
}

void mutants_run(struct mutants *mutants, int threads)
{
    int count = 0;
    struct task **task = memory_new(count_tasks(mutants), sizeof *task);
    for (int k = 0; k < mutants->cases; k++)
        task[count++] = &mutants->seeded[k].task;
    for (int k = 0; k < mutants->populations; k++)
        for (int i = 0; i < mutants->generated[k].tasks; i++)
            task[count++] = &mutants->generated[k].task[i].task;
    for (int k = 0; k < mutants->faints; k++)
        for (int x = 6; x <= FAINTEST; x++)
            task[count++] = &mutants->faint[k].task[x].task;
    pool_run("mutants", task, count, threads);
    free(task);
}

void mutants_free(struct mutants *mutants)
{
    for (int k = 0; k < mutants->cases; k++)
        free(mutants->seeded[k].result);
    for (int k = 0; k < mutants->populations; k++) {
        free(mutants->generated[k].derived);
        free(mutants->generated[k].mutant);
        free(mutants->generated[k].task);
    }
    for (int k = 0; k < mutants->faints; k++)
        for (int x = 6; x <= FAINTEST; x++)
            free(mutants->faint[k].task[x].mutant);
    free(mutants->seeded);
    free(mutants->generated);
}

/* --- scores ------------------------------------------------------------------------- */

static void add_oracle(struct seeded_sum *sum, const struct seeded_result *result, int i)
{
    const struct finding *found = &result->findings.by[i];
    struct seeded_oracle *by = sum->by;
    while (by->name && strcmp(by->name, result->oracle[i]) != 0)
        by++;
    by->name = result->oracle[i];
    by->caught += found->caught;
    if (found->caught)
        by->spare = fmax(by->spare, found->spare);
}

static double most_spare(const struct seeded_result *result)
{
    double spare = -INFINITY;
    for (int i = 0; i < MUTANT_JOB_ORACLES && result->oracle[i]; i++)
        if (result->findings.by[i].caught)
            spare = fmax(spare, result->findings.by[i].spare);
    return spare;
}

void seeded_sum(const struct mutants *mutants, int k, struct seeded_sum *sum)
{
    *sum = (struct seeded_sum){0};
    for (int i = 0; i < MUTANT_JOB_ORACLES; i++)
        sum->by[i].spare = -INFINITY;
    for (int c = 0; c < mutants->cases; c++) {
        const struct seeded_result *result = &mutants->seeded[c].result[k];
        sum->tried += result->outcome != OUTCOME_NONE;
        sum->felt += result->outcome >= OUTCOME_CAUGHT;
        sum->caught += result->outcome == OUTCOME_CAUGHT;
        if (result->outcome != OUTCOME_CAUGHT)
            continue;
        sum->refused += result->findings.refused;
        for (int i = 0; !result->findings.refused && i < MUTANT_JOB_ORACLES; i++)
            if (result->oracle[i])
                add_oracle(sum, result, i);
        if (!sum->best || most_spare(result) > most_spare(sum->best_result)) {
            sum->best = mutants->seeded[c].desc;
            sum->best_result = result;
        }
    }
}

void generated_score(const struct generated *generated, int *caught, int *counted)
{
    *caught = *counted = 0;
    for (int k = 0; k < generated->mutants; k++) {
        enum fate fate = generated->mutant[k].fate;
        *caught += fate == FATE_CAUGHT || fate == FATE_REFUSED;
        *counted += fate != FATE_UNREAD && fate != FATE_EQUIVALENT;
    }
}

bool seeded_held(const struct mutants *mutants, const struct seeded_sum *sum)
{
    return sum->caught == sum->felt && (sum->felt > 0 || !mutants->whole);
}

bool mutants_judged(const struct mutants *mutants)
{
    int judged = 0;
    for (int k = 0; k < seeded_count; k++) {
        struct seeded_sum sum;
        seeded_sum(mutants, k, &sum);
        judged += sum.felt;
    }
    for (int k = 0; k < mutants->populations; k++) {
        int caught, counted;
        generated_score(&mutants->generated[k], &caught, &counted);
        judged += counted;
    }
    return judged > 0;
}

int mutants_missing(const struct mutants *mutants)
{
    int missing = 0;
    for (int c = 0; c < mutants->cases; c++)
        missing += mutants->seeded[c].missing;
    for (int k = 0; k < mutants->populations; k++)
        missing += mutants->generated[k].programs < 0;
    return missing;
}

bool mutants_held(const struct mutants *mutants)
{
    bool held = mutants_judged(mutants) && mutants_missing(mutants) == 0;
    int caught = 0, counted = 0;
    for (int k = 0; k < seeded_count; k++) {
        struct seeded_sum sum;
        seeded_sum(mutants, k, &sum);
        held = held && seeded_held(mutants, &sum);
    }
    for (int k = 0; k < mutants->populations; k++) {
        int more_caught, more_counted;
        generated_score(&mutants->generated[k], &more_caught, &more_counted);
        caught += more_caught;
        counted += more_counted;
    }
    return held && (mutants->populations == 0 || counted > 0) &&
           caught >= mutants_bar * counted;
}
