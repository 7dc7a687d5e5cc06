/*
 * seeded.c - faults that solvers have had, one after the other on a case (seeded.h)
 */
#include "mutants/seeded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "faults/rules.h"
#include "formula/diff.h"
#include "formula/substitute.h"
#include "mutants/second_judge.h"

/* --- another model ------------------------------------------------------------------ */

/* The first event that does not end the run never happens: its guard never crosses. */
static void event_ignored(void *context, struct model *model)
{
    (void)context;
    int k = 0;
    while (k < model->events && model->event[k]->terminal)
        k++;
    if (k < model->events)
        model->event[k]->guard = integer(model->tape, 1);
}

static formula time_alone(void *tape, int block, int index)
{
    (void)index;
    return block == BLOCK_T ? integer(tape, 1) : (formula){NULL, 0};
}

static formula coordinates_alone(void *tape, int block, int index)
{
    return block == BLOCK_Q ? variable(tape, BLOCK_V, index) : (formula){NULL, 0};
}

static void single_Phi_tq(void *context, struct model *model)
{
    (void)context;
    for (int k = 0; k < model->modes; k++) {
        struct mode *mode = model->mode[k];
        for (int i = 0; i < mode->m; i++) {
            formula Phi_t, Phi_tq_v;
            if (mode->velocity_level[i])
                continue;
            tangent_along(&mode->Phi[i], 1, time_alone, model->tape, &Phi_t);
            tangent_along(&Phi_t, 1, coordinates_alone, model->tape, &Phi_tq_v);
            mode->Phidd[i] = sub(mode->Phidd[i], Phi_tq_v);
        }
    }
}

/* --- another derivative ------------------------------------------------------------- */

struct held {
    struct tape *tape;
    int block;
};

static formula without_held(void *context, int block, int index)
{
    const struct held *held = context;
    return block == held->block ? (formula){NULL, 0}
                                : variable(held->tape, block, index);
}

/* Sets the components of a direction in a block to zero. */
static void hold(struct tape *tape, formula *f, int count, int block)
{
    struct held held = {tape, TANGENT(block)};
    substitute(tape, f, count, without_held, &held, f);
}

static void start_without_Phi_rho(void *context, struct tape *tape, const char *what,
                                  const char *of, formula *f, int count)
{
    const struct model *model = context;
    if (strcmp(what, "constraints") == 0 && strcmp(of, model->start->name) == 0)
        hold(tape, f, count, BLOCK_RHO);
}

static void terminal_without_w_t(void *context, struct tape *tape, const char *what,
                                 const char *of, formula *f, int count)
{
    (void)context;
    (void)of;
    if (strcmp(what, "end") == 0)
        hold(tape, f, count, BLOCK_T);
}

/* R_u comes first: its block that multiplies lambda becomes Phi_q' alone. A trace of the
   rest stays, so that R is not taken for affine and Newton still finds lambda. Where the
   equations are torn the derivatives of the normal forces go. */
static void friction_without_lambda(void *context, struct tape *tape, const char *what,
                                    const char *of, formula *f, int count)
{
    const struct model *model = context;
    int n = model->n, k = 0;
    if (strcmp(what, "tearing") == 0)
        memset(f, 0, (size_t)count * sizeof *f);
    while (k < model->modes && strcmp(model->mode[k]->name, of) != 0)
        k++;
    if (strcmp(what, "motion") != 0 || k == model->modes)
        return;
    const struct mode *mode = model->mode[k];
    int rows = n + mode->m;
    formula trace = constant(tape, "1e-30");
    for (int i = 0; rows * rows <= count && i < n; i++)
        for (int j = 0; j < mode->m; j++)
            f[i * rows + n + j] = add(mode->Phi_q[j * n + i],
                                      mul(trace, f[i * rows + n + j]));
}

/* --- another result ----------------------------------------------------------------- */

/* Phi_q of every mode at a point of the run, for no_acceleration_term. */
struct jacobians {
    const struct trajectory *trajectory;
    struct program **program;       /* [modes] */
    double **rows;
    double alpha;
};

static void jacobians_init(struct jacobians *jacobians,
                           const struct trajectory *trajectory)
{
    static const unsigned char stage[BLOCK_LIMIT] = {
        [BLOCK_RHO] = 1, [BLOCK_T] = 1, [BLOCK_Q] = 1, [BLOCK_V] = 1, [BLOCK_S] = 1};
    const struct model *model = trajectory->columns.model;
    const struct formulation_option *option = formulation_find("penalty")->options;
    double *rho = memory_new(model->p, sizeof *rho);
    model_nominal_values(model, rho, NULL);
    while (strcmp(option->name, "alpha") != 0)
        option++;
    *jacobians = (struct jacobians){
        .trajectory = trajectory, .alpha = strtod(option->nominal, NULL),
        .program = memory_new(model->modes, sizeof *jacobians->program),
        .rows = memory_new(model->modes, sizeof *jacobians->rows)};
    for (int k = 0; k < model->modes; k++) {
        const struct mode *mode = model->mode[k];
        struct program *program = program_seal(model->tape, mode->Phi_q,
                                               mode->m * model->n, stage);
        jacobians->program[k] = program;
        jacobians->rows[k] = memory_new(program->slots, sizeof(double));
        program_init(program, jacobians->rows[k]);
        program_load(program, BLOCK_RHO, rho, jacobians->rows[k]);
    }
    free(rho);
}

static void jacobians_clear(struct jacobians *jacobians)
{
    for (int k = 0; k < jacobians->trajectory->columns.model->modes; k++) {
        program_free(jacobians->program[k]);
        free(jacobians->rows[k]);
    }
    free(jacobians->program);
    free(jacobians->rows);
}

/* Subtracts alpha Phi_q da from dlambda at a point, for every parameter. */
static void without_acceleration(const struct jacobians *jacobians,
                                 const struct run_point *point)
{
    const struct columns *columns = &jacobians->trajectory->columns;
    const struct program *program = jacobians->program[point->mode->index];
    double *rows = jacobians->rows[point->mode->index];
    int n = columns->model->n;
    program_load(program, BLOCK_T, &point->t, rows);
    program_load(program, BLOCK_Q, point->x + column(columns, GROUP_Q, 0, -1), rows);
    program_load(program, BLOCK_V, point->x + column(columns, GROUP_V, 0, -1), rows);
    if (columns->model->ns > 0)
        program_load(program, BLOCK_S, point->x + column(columns, GROUP_S, 0, -1), rows);
    program_run(program, 1, rows);
    for (int j = 0; j < columns->p; j++)
        for (int i = 0; i < point->mode->m; i++)
            for (int k = 0; k < n; k++)
                point->x[column(columns, GROUP_LAMBDA, i, j)] -=
                    jacobians->alpha * rows[program->output[i * n + k]] *
                    point->x[column(columns, GROUP_A, k, j)];
}

static void no_acceleration_term(void *context, struct trajectory *trajectory)
{
    (void)context;
    struct jacobians jacobians;
    jacobians_init(&jacobians, trajectory);
    for (int k = 0; k < trajectory->samples; k++)
        without_acceleration(&jacobians, &trajectory->sample[k]);
    for (int k = 0; k < trajectory->events; k++) {
        without_acceleration(&jacobians, &trajectory->event[k].before);
        without_acceleration(&jacobians, &trajectory->event[k].after);
    }
    jacobians_clear(&jacobians);
}

/* --- the table ---------------------------------------------------------------------- */

#define BY_RULE(k, name, text) {.number = k, .title = text, .rule = name},
#define BY_RUN(k, set, events, text) \
    {.number = k, .title = text, .wrong = {.faults = set, .at_events = events}},
#define BY_SWEEP(k, set, text) {.number = k, .title = text, .wrong = {.sweep = set}},
#define BY_SECOND(k, set, text) {.number = k, .title = text, .second = set},
#define BY_MODEL(k, function, text) \
    {.number = k, .title = text, .wrong = {.alter = function}},
#define BY_DERIVATIVE(k, function, text) \
    {.number = k, .title = text, .wrong = {.derivative = {.alter = function}}},
#define BY_RESULT(k, function, name, text) \
    {.number = k, .title = text, .formulation = name, .wrong = {.corrupt = function}},
const struct seeded seeded[] = {
#include "mutants/seeded.def"
};
const int seeded_count = (int)(sizeof seeded / sizeof *seeded);

/* --- on a case ---------------------------------------------------------------------- */

/* The names of those who judged a bug, in the order of findings.by; returns how many. */
static int name_judges(const struct mutant_job *mutant_job, const struct seeded *bug,
                       const char **name)
{
    int judges = 0;
    if (bug->second)
        name[judges++] = second_judge_name;
    for (int k = 0; !bug->second && k < mutant_job->wants; k++)
        name[judges++] = mutant_job->want[k].oracle;
    if (bug->wrong.sweep)
        name[judges++] = oracles[PLACE_ADJOINT_IDENTITY].name;
    return judges;
}

static void note(const struct mutant_job *mutant_job, const struct seeded *bug,
                 struct seeded_result *result)
{
    const struct findings *found = &result->findings;
    int judges = name_judges(mutant_job, bug, result->oracle);
    bool caught = found->refused;
    for (int k = 0; k < judges; k++)
        caught = caught || found->by[k].caught;
    result->outcome = caught ? OUTCOME_CAUGHT : found->effect ? OUTCOME_MISSED
                                                              : OUTCOME_SAME;
}

static void try_on(const struct mutant_job *mutant_job, struct second_judge *second,
                   const struct seeded *bug, struct seeded_result *result)
{
    struct wrong wrong = bug->wrong;
    const char *why;
    if (bug->rule) {
        wrong.rule = any_rule_find(bug->rule);
        if (!wrong.rule)
            slip("seeded.def: no rule %s", bug->rule);
        if (!rule_applies(wrong.rule, mutant_job->work.model, &why))
            return;
    }
    if (wrong.sweep && !(mutant_job->sweep_cap > 0))
        return;
    if (bug->second && !second_judge_try(second, bug->second, &result->findings))
        return;
    if (!bug->second)
        mutant_job_try(mutant_job, &wrong, &result->findings);
    note(mutant_job, bug, result);
}

/* Opens the case in the formulation asked for; NULL: in the default one, or in the first
   of two others where the default refuses (redundant constraints, a singular
   configuration). */
static enum status open_case(struct mutant_job *mutant_job, struct seeded_task *task,
                             const char *formulation)
{
    static const char *const other[] = {"baumgarte", "augmented"};
    enum { ORACLES = ORACLE_CERTIFIED | ORACLE_COMPLEX_STEP | ORACLE_CLOSED_FORM |
                   ORACLE_ADJOINT_IDENTITY };
    struct diagnosis why = {.t = NAN};
    if (formulation)
        return mutant_job_open(mutant_job, task->desc, formulation_find(formulation),
                               ORACLES, &why);
    enum status status = mutant_job_open(mutant_job, task->desc, NULL, ORACLES,
                                         &task->why);
    for (size_t k = 0; status != OK && k < sizeof other / sizeof *other; k++) {
        mutant_job_close(mutant_job);
        status = mutant_job_open(mutant_job, task->desc, formulation_find(other[k]),
                                 ORACLES, &why);
    }
    return status;
}

/* Tries the bugs of one formulation (NULL: the default one). */
static enum status try_all(struct seeded_task *task, const char *formulation)
{
    struct mutant_job mutant_job;
    struct second_judge second = {.job = &mutant_job};
    enum status status = open_case(&mutant_job, task, formulation);
    for (int k = 0; status == OK && k < seeded_count; k++) {
        const struct seeded *bug = &seeded[k];
        bool same = formulation ? bug->formulation &&
                                      strcmp(bug->formulation, formulation) == 0
                                : !bug->formulation;
        if (same)
            try_on(&mutant_job, &second, bug, &task->result[k]);
        task_progress(&task->task, (k + 1.0) / seeded_count);
    }
    task->missing = task->missing || mutant_job.missing;
    second_judge_close(&second);
    mutant_job_close(&mutant_job);
    return status;
}

void seeded_run(struct task *work)
{
    struct seeded_task *task = (struct seeded_task *)work;
    task->why.t = NAN;
    task->result = memory_new(seeded_count, sizeof *task->result);
    task_part(work, 0.1, 0.8);
    task->skipped = try_all(task, NULL) != OK;
    task_part(work, 0.8, 1.0);
    for (int k = 0; k < seeded_count; k++) {
        int first = 0;
        while (seeded[k].formulation &&
               (!seeded[first].formulation ||
                strcmp(seeded[first].formulation, seeded[k].formulation) != 0))
            first++;
        if (seeded[k].formulation && first == k)
            try_all(task, seeded[k].formulation);
    }
}
