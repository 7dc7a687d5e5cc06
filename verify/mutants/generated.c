/*
 * generated.c - rows of derivative programs dropped, negated, scaled (generated.h)
 */
#include "mutants/generated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formula/substitute.h"
#include "mechanisms/catalogue.h"

const char *const mutation_text[] = {"dropped", "negated", "times 1 + 1e-06"};

const struct population populations[] = {
#define POPULATION(case_name, formulation, further, faint) \
    {case_name, formulation, further, faint},
#include "mutants/generated.def"
#undef POPULATION
};
const int population_count = (int)(sizeof populations / sizeof *populations);

/* --- which programs there are ------------------------------------------------------- */

struct survey {
    struct derived *derived;
    int count, room;
};

static void count_rows(void *context, struct tape *tape, const char *what, const char *of,
                       formula *f, int count)
{
    struct survey *survey = context;
    int *row;
    survey->derived = memory_grow(survey->derived, &survey->room, survey->count + 1,
                                  sizeof *survey->derived);
    struct derived *derived = &survey->derived[survey->count++];
    *derived = (struct derived){.rows = rows_reached(tape, f, count, &row)};
    snprintf(derived->what, sizeof derived->what, "%s", what);
    snprintf(derived->of, sizeof derived->of, "%s", of);
    free(row);
}

static void open_population(const struct population *population, const char *formulation,
                            unsigned asked, struct mutant_job *mutant_job)
{
    struct diagnosis diagnosis = {.t = NAN};
    if (mutant_job_open(mutant_job, case_find(population->case_name),
                        formulation_find(formulation), asked,
                        &diagnosis) != OK)
        slip("%s in %s: %s", population->case_name, formulation, diagnosis.place);
}

int generated_survey(const struct population *population, struct derived **derived,
                     struct diagnosis *diagnosis)
{
    struct survey survey = {0};
    struct mutant_job mutant_job;
    struct findings findings;
    const struct wrong nothing = {.derivative = {count_rows, &survey}};
    *derived = NULL;
    if (mutant_job_open(&mutant_job, case_find(population->case_name),
                        formulation_find(population->formulation), ORACLE_CERTIFIED,
                        diagnosis) != OK) {
        mutant_job_close(&mutant_job);
        return -1;
    }
    mutant_job_try(&mutant_job, &nothing, &findings);
    if (findings.effect)
        slip("%s in %s: not judged to be right", population->case_name,
             population->formulation);
    mutant_job_close(&mutant_job);
    *derived = survey.derived;
    return survey.count;
}

/* --- one mutant --------------------------------------------------------------------- */

/* A mutant in the making, while its programs are sealed. */
struct making {
    struct mutant *mutant;
    double factor;
    const struct model *model;  /* the model of the right run */
    bool made;                  /* the run has sealed such a program */
    bool equivalent;
};

static formula mutated(struct tape *tape, int row, const struct making *making)
{
    char factor[40];
    const formula right = {tape, row};
    switch (making->mutant->mutation) {
    case DROPPED: return (formula){tape, 0};
    case NEGATED: return negate(right);
    case POISONED: return apply(OP_LOG, integer(tape, -1));
    default:
        snprintf(factor, sizeof factor, "%.17g", 1 + making->factor);
        return mul(right, constant(tape, factor));
    }
}

/* A number from 1/2 to 3/2 for each input, the same in every run; 0 for the direction of
   a parameter by which nobody differentiates. */
static double sprinkle(const struct model *model, int point, int block, int index)
{
    if (block == TANGENT(BLOCK_RHO) && model->parameter[index].fixed)
        return 0;
    double phase = 12.9898 * (point + 1) + 78.233 * block + 37.719 * (index + 1);
    return 1 + 0.5 * sin(43758.5453 * sin(phase));
}

static void evaluate(const struct model *model, const struct program *program, int point,
                     double *rows)
{
    program_init(program, rows);
    for (int i = 0; i < program->inputs; i++) {
        const struct program_input *input = &program->input[i];
        rows[input->slot] = sprinkle(model, point, input->block, input->index);
    }
    program_run(program, 1, rows);
}

/*
 * The derivatives of a program that stand in one homogeneous equation share a factor that
 * nobody feels: tau = -r' / rd is the same for 2 r, and Phi_q dq = -Phi' for 2 Phi. Which
 * equation output i belongs to; -1: none.
 *
 *   guards        r' [guards], of each by itself: in a direction, and along the motion
 *   constraints   Phi' [m], Phid' [m], Phi_q [m*n]
 */
static int equation_of(const struct model *model, const struct derived *program, int i)
{
    if (strcmp(program->what, "guards") == 0)
        return i;
    if (strcmp(program->what, "constraints") != 0)
        return -1;
    int k = 0;
    while (strcmp(model->mode[k]->name, program->of) != 0)
        k++;
    int m = model->mode[k]->m;
    return i < 2 * m ? i % m : (i - 2 * m) / model->n;
}

/* Are the outputs at a point, right and wrong, equal but for the factors of their
   equations? The first output of an equation that is not zero fixes its factor [count],
   which is positive; 0: not yet. */
static bool same_outputs(const struct model *model, const struct derived *program,
                         const double *x, const double *y, int count, double *factor)
{
    for (int i = 0; i < count; i++) {
        int e = equation_of(model, program, i);
        bool blind = !isfinite(x[i]) && !isfinite(y[i]);
        if (!blind && e >= 0 && factor[e] == 0 && x[i] != 0)
            factor[e] = y[i] / x[i];
        double by = e >= 0 && factor[e] > 0 ? factor[e] : 1;
        double size = fmax(fabs(by * x[i]), fabs(y[i]));
        if (!blind && !(fabs(by * x[i] - y[i]) <= 1e-12 * size))
            return false;
    }
    return true;
}

/* Are two lists of formulas the same functions, or solutions of the same equations? They
   are compared at a few points; a point where both are not finite tells nothing. */
static bool same_functions(const struct model *model, const struct derived *program,
                           const struct tape *tape, const formula *f, const formula *g,
                           int count)
{
    enum { POINTS = 4 };
    unsigned char stage[BLOCK_LIMIT];
    memset(stage, 1, sizeof stage);
    struct program *one = program_seal(tape, f, count, stage);
    struct program *other = program_seal(tape, g, count, stage);
    double *a = memory_new(one->slots, sizeof *a);
    double *b = memory_new(other->slots, sizeof *b);
    double *x = memory_new(3 * count, sizeof *x), *y = x + count, *factor = y + count;
    bool same = true;
    for (int point = 0; same && point < POINTS; point++) {
        evaluate(model, one, point, a);
        evaluate(model, other, point, b);
        for (int i = 0; i < count; i++) {
            x[i] = a[one->output[i]];
            y[i] = b[other->output[i]];
        }
        same = same_outputs(model, program, x, y, count, factor);
    }
    free(x);
    program_free(one);
    program_free(other);
    free(a);
    free(b);
    return same;
}

static void make_mutant(void *context, struct tape *tape, const char *what,
                        const char *of, formula *f, int count)
{
    struct making *making = context;
    struct mutant *mutant = making->mutant;
    if (strcmp(what, mutant->program->what) != 0 || strcmp(of, mutant->program->of) != 0)
        return;
    making->made = true;
    int *row, rows = rows_reached(tape, f, count, &row);
    if (mutant->row >= rows)
        slip("mutant of row %d of %d", mutant->row, rows);
    formula *right = memory_new(count, sizeof *right);
    memory_copy(right, f, count, sizeof *f);
    formula_print((formula){tape, row[mutant->row]}, NULL, mutant->text,
                  sizeof mutant->text);
    formula replaced = {tape, row[mutant->row]};
    formula by = mutated(tape, row[mutant->row], making);
    substitute_rows(tape, f, count, &replaced, 1, &by, f);
    making->equivalent = same_functions(making->model, mutant->program, tape, right, f,
                                        count);
    free(right);
    free(row);
}

static enum fate fate_of(const struct findings *findings, bool equivalent)
{
    if (findings->refused)
        return FATE_REFUSED;
    for (int k = 0; k < MUTANT_JOB_ORACLES; k++)
        if (findings->by[k].caught)
            return FATE_CAUGHT;
    if (equivalent)
        return FATE_EQUIVALENT;
    return findings->agreed >= double_digits ? FATE_UNFELT : FATE_BELOW;
}

/* Is the run the same when the row is not a number, and nobody checks the constraints
   after events? A check compares and lets small differences pass; no number of the run
   comes of one. */
static bool unread(const struct mutant_job *mutant_job, const struct mutant *mutant)
{
    struct mutant poisoned = *mutant;
    struct making making = {.mutant = &poisoned, .model = mutant_job->work.model};
    struct findings findings;
    const struct wrong wrong = {.faults = FAULT_UNCHECKED,
                                .derivative = {make_mutant, &making}};
    poisoned.mutation = POISONED;
    mutant_job_try(mutant_job, &wrong, &findings);
    return !findings.effect && findings.agreed >= double_digits;
}

/* Judges the mutant in one formulation; false: that has no such program. */
static bool judge_in(const struct mutant_job *mutant_job, double factor,
                     struct mutant *mutant)
{
    struct making making = {.mutant = mutant, .factor = factor,
                            .model = mutant_job->work.model};
    struct findings findings;
    const struct wrong wrong = {.derivative = {make_mutant, &making}};
    mutant_job_try(mutant_job, &wrong, &findings);
    mutant->fate = fate_of(&findings, making.equivalent);
    if (mutant->fate == FATE_UNFELT && unread(mutant_job, mutant))
        mutant->fate = FATE_UNREAD;
    mutant->seen = 0;
    for (int k = 0; k < mutant_job->wants; k++)
        if (findings.refused || findings.by[k].caught)
            mutant->seen |= 1u << oracle_find(mutant_job->want[k].oracle);
    mutant->agreed = findings.agreed;
    return making.made;
}

static bool survives(const struct mutant *mutant)
{
    return mutant->fate == FATE_UNFELT || mutant->fate == FATE_BELOW;
}

/* Judges the survivors in the further formulation; a mutant that is not felt there either
   stays as it is. */
static void judge_further(struct generated_task *task)
{
    struct mutant_job mutant_job;
    open_population(task->population, task->population->further, task->oracles,
                    &mutant_job);
    for (int k = 0; k < task->mutants; k++) {
        struct mutant again = task->mutant[k];
        if (survives(&again) && strcmp(again.program->what, "motion") != 0 &&
            judge_in(&mutant_job, task->factor, &again) &&
            (again.fate == FATE_CAUGHT || again.fate == FATE_REFUSED))
            task->mutant[k] = again;
    }
    mutant_job_close(&mutant_job);
}

void generated_run(struct task *work)
{
    struct generated_task *task = (struct generated_task *)work;
    struct mutant_job mutant_job;
    open_population(task->population, task->population->formulation, task->oracles,
                    &mutant_job);
    for (int k = 0; k < task->mutants; k++) {
        judge_in(&mutant_job, task->factor, &task->mutant[k]);
        task_progress(work, (k + 1.0) / task->mutants);
    }
    mutant_job_close(&mutant_job);
    if (task->population->further)
        judge_further(task);
}
