/*
 * formula_dae.c - a case as an implicit DAE of index 1, by generated C (formula_dae.h).
 */
#include "peers/formula_dae.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "codegen/tier_up.h"
#include "formula/diff.h"
#include "program/stages.h"
#include "run.h"

/* A program with its compiled code. */
struct compiled {
    struct program *program;
    double *w;                      /* [slots] work of program; constants and parameters
                                       are set */
    struct tiered_program code;
};

/* A place in the Jacobian. */
struct place {
    int row, column;
    bool of_rate;                   /* entry of r_y', not of r_y */
};

struct formula_dae {
    const struct workload *workload;
    struct model *model;
    struct model *branch;           /* of the model, with the tape of all programs */
    const struct formulation *formulation;
    const struct mode *mode;        /* the only one, of the branch */
    int n, ns, m, unknowns;
    int parameters, parameter[WORKLOAD_PARAMETERS];
    double *rho;                    /* [model->p] nominal values */
    int rows;                       /* formulas: f_s [ns], then R [n + m] */
    formula *R;                     /* [rows] */
    struct compiled residual, jacobian, tangent;
    int places;                     /* outputs of `jacobian` */
    struct place *place;            /* [places] */
    struct trajectory *start;       /* the start is its first sample */
    int block[MOST_ANSWERS];        /* [answers] -1: the answer is a value; else a
                                       derivative by this parameter */
    int index[MOST_ANSWERS];        /* [answers] index in y, or in s[block] */
    struct arena arena;             /* of all arrays */
};

/* --- compiling ---------------------------------------------------------------------- */

static void compile(struct formula_dae *dae, const formula *f, int count,
                    struct compiled *out)
{
    unsigned char stage[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE | BLOCKS_OF_UNKNOWNS, 0, stage);
    out->program = program_seal(dae->branch->tape, f, count, stage);
    program_balance(out->program, false);
    out->w = arena_new(&dae->arena, out->program->slots, sizeof *out->w);
    program_init(out->program, out->w);
    program_set_parameters(out->program, dae->rho, out->w);
    tiered_program_init(&out->code, out->program, out->w);
    tiered_program_use_code(&out->code, CODE_ALWAYS);
}

static void compiled_clear(struct compiled *compiled)
{
    if (!compiled->program)
        return;
    tiered_program_clear(&compiled->code);
    program_free(compiled->program);
}

/* Row of formula i in the residual, behind the rows of q' - v. */
static int row_of(const struct formula_dae *dae, int i)
{
    return dae->n + i;
}

/* Blocks that the formulas depend on, and the unknowns that stand for them. */
enum { PARTS = 5 };
struct part { int block, size, first; bool of_rate; };

static void parts_of(const struct formula_dae *dae, struct part *part)
{
    int n = dae->n, ns = dae->ns;
    part[0] = (struct part){BLOCK_Q, n, 0, false};
    part[1] = (struct part){BLOCK_V, n, n, false};
    part[2] = (struct part){BLOCK_S, ns, 2*n, false};
    part[3] = (struct part){BLOCK_LAMBDA, dae->m, 2*n + ns, false};
    part[4] = (struct part){BLOCK_A, n, n, true};
}

/* The derivatives that are not zero, by reverse sweeps. */
static void compile_jacobian(struct formula_dae *dae)
{
    int most = dae->rows*(dae->unknowns + dae->n);
    struct part part[PARTS];
    formula *entry = memory_new(most, sizeof *entry);
    formula *gradient = memory_new(dae->unknowns, sizeof *gradient);
    int *index = memory_new(dae->unknowns, sizeof *index);
    dae->place = arena_new(&dae->arena, most, sizeof *dae->place);
    parts_of(dae, part);
    for (int i = 0; i < dae->rows; i++)
        for (int b = 0; b < PARTS; b++) {
            int found = gradient_entries(dae->R[i], part[b].block, part[b].size, gradient,
                                         index);
            for (int k = 0; k < found; k++) {
                entry[dae->places] = gradient[index[k]];
                dae->place[dae->places++] = (struct place){
                    row_of(dae, i), part[b].first + index[k], part[b].of_rate};
            }
        }
    compile(dae, entry, dae->places, &dae->jacobian);
    free(entry);
    free(gradient);
    free(index);
}

static void compile_tangent(struct formula_dae *dae)
{
    bool moves[BLOCKS] = {[BLOCK_RHO] = true};
    struct part part[PARTS];
    formula *along = memory_new(dae->rows, sizeof *along);
    parts_of(dae, part);
    for (int b = 0; b < PARTS; b++)
        moves[part[b].block] = true;
    tangent(dae->branch->tape, dae->R, dae->rows, moves, 1, along);
    compile(dae, along, dae->rows, &dae->tangent);
    free(along);
}

static enum status compile_all(struct formula_dae *dae, struct diagnosis *diagnosis)
{
    struct residual *residual = formulation_residual(dae->formulation, dae->branch,
                                                     dae->mode, NULL, diagnosis);
    if (!residual)
        return diagnosis->status;
    dae->rows = dae->ns + residual->rows;
    dae->R = arena_new(&dae->arena, dae->rows, sizeof *dae->R);
    memory_copy(dae->R, dae->mode->f_s, dae->ns, sizeof *dae->R);
    memory_copy(dae->R + dae->ns, residual->R, residual->rows, sizeof *dae->R);
    residual_free(residual);
    compile(dae, dae->R, dae->rows, &dae->residual);
    compile_jacobian(dae);
    compile_tangent(dae);
    return OK;
}

/* --- the start and the answers ------------------------------------------------------ */

/* The first point of a run of this project is the start, with accelerations, multipliers
   and all derivatives. */
static enum status find_start(struct formula_dae *dae, struct diagnosis *diagnosis)
{
    struct run_request request = {
        .model = dae->model, .formulation = dae->formulation,
        .parameters = dae->parameters, .parameter = dae->parameter, .value = dae->rho,
        .t_end = dae->workload->t_end, .without_costs = true, .rtol = 1e-3, .atol = 1e-6,
    };
    return run_once(&request, &dae->start, diagnosis);
}

static void place_answers(struct formula_dae *dae)
{
    const struct columns *columns = &dae->start->columns;
    int first[GROUPS] = {[GROUP_V] = dae->n, [GROUP_S] = 2*dae->n}, at[MOST_ANSWERS];
    workload_columns(dae->workload, columns, at);
    for (int k = 0; k < dae->workload->answers; k++) {
        enum column_group group;
        int i;
        column_parts(columns, at[k], &group, &i, &dae->block[k]);
        if (group > GROUP_S)
            slip("answer %s is no state", dae->workload->answer[k]);
        dae->index[k] = first[group] + i;
    }
}

/* y, yd [unknowns] from the columns of the start, values (j = -1) or derivatives. */
static void take_columns(const struct formula_dae *dae, int j, double *y, double *yd)
{
    const struct columns *columns = &dae->start->columns;
    const double *x = dae->start->sample[0].x;
    int n = dae->n, ns = dae->ns;
    for (int i = 0; i < n; i++) {
        y[i] = x[column(columns, GROUP_Q, i, j)];
        y[n + i] = yd[i] = x[column(columns, GROUP_V, i, j)];
        yd[n + i] = x[column(columns, GROUP_A, i, j)];
    }
    for (int i = 0; i < ns; i++) {
        y[2*n + i] = x[column(columns, GROUP_S, i, j)];
        yd[2*n + i] = 0;
    }
    for (int i = 0; i < dae->m; i++) {
        y[2*n + ns + i] = x[column(columns, GROUP_LAMBDA, i, j)];
        yd[2*n + ns + i] = 0;
    }
}

/* The rows of s' - f_s are r = -f_s where s' is zero. */
double formula_dae_start(struct formula_dae *dae, double *y, double *yd,
                         double *const *s, double *const *sd)
{
    double *r = memory_new(dae->unknowns, sizeof *r), t = dae->start->sample[0].t;
    take_columns(dae, -1, y, yd);
    formula_dae_residual(dae, t, y, yd, r);
    for (int i = 0; i < dae->ns; i++)
        yd[2*dae->n + i] = -r[dae->n + i];
    formula_dae_point(dae, t, y, yd);
    for (int j = 0; j < dae->parameters; j++) {
        take_columns(dae, j, s[j], sd[j]);
        formula_dae_tangent(dae, j, s[j], sd[j], r);
        for (int i = 0; i < dae->ns; i++)
            sd[j][2*dae->n + i] = -r[dae->n + i];
    }
    free(r);
    return t;
}

void formula_dae_answer(const struct formula_dae *dae, const double *y,
                        double *const *s, struct answer *answer)
{
    for (int k = 0; k < dae->workload->answers; k++)
        answer->value[k] = (dae->block[k] < 0 ? y : s[dae->block[k]])[dae->index[k]];
}

/* --- open and close ----------------------------------------------------------------- */

static enum status fill(struct formula_dae *dae, struct diagnosis *diagnosis)
{
    const struct model *model = dae->model;
    if (model->events > 0 || model->modes > 1)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s has events, which only peers "
                        "of one workload handle", model->desc->name);
    dae->branch = model_branch(model);
    dae->mode = dae->branch->start;
    dae->formulation = workload_formulation(model);
    dae->n = model->n;
    dae->ns = model->ns;
    dae->m = dae->mode->m;
    dae->unknowns = 2*dae->n + dae->ns + dae->m;
    dae->parameters = workload_parameters(dae->workload, model, dae->parameter);
    dae->rho = arena_new(&dae->arena, model->p, sizeof *dae->rho);
    enum status status = model_nominal_values(model, dae->rho, diagnosis);
    if (status == OK)
        status = find_start(dae, diagnosis);
    if (status == OK)
        status = compile_all(dae, diagnosis);
    if (status == OK)
        place_answers(dae);
    return status;
}

struct formula_dae *formula_dae_new(const struct workload *workload,
                                    struct diagnosis *diagnosis)
{
    struct formula_dae *dae = memory_new(1, sizeof *dae);
    dae->workload = workload;
    dae->model = workload_model(workload, diagnosis);
    if (dae->model && fill(dae, diagnosis) == OK)
        return dae;
    formula_dae_free(dae);
    return NULL;
}

void formula_dae_free(struct formula_dae *dae)
{
    compiled_clear(&dae->residual);
    compiled_clear(&dae->jacobian);
    compiled_clear(&dae->tangent);
    trajectory_free(dae->start);
    if (dae->branch)
        model_branch_free(dae->branch);
    model_free(dae->model);
    arena_free(&dae->arena);
    free(dae);
}

int formula_dae_unknowns(const struct formula_dae *dae)
{
    return dae->unknowns;
}

int formula_dae_differential(const struct formula_dae *dae)
{
    return 2*dae->n + dae->ns;
}

int formula_dae_parameters(const struct formula_dae *dae)
{
    return dae->parameters;
}

bool formula_dae_compiled(const struct formula_dae *dae)
{
    return dae->residual.code.emitted && dae->jacobian.code.emitted &&
           dae->tangent.code.emitted;
}

/* --- evaluation --------------------------------------------------------------------- */

/* Loads y and yd as values (copy 0), or as a direction (copy 1). */
static void load(const struct formula_dae *dae, const struct compiled *compiled, int copy,
                 double t, const double *y, const double *yd)
{
    int n = dae->n;
    tiered_program_load_point(&compiled->code, copy, t, y, y + n, y + 2*n, compiled->w);
    program_load(compiled->program, DIRECTION(BLOCK_LAMBDA, copy), y + 2*n + dae->ns,
                 compiled->w);
    program_load(compiled->program, DIRECTION(BLOCK_A, copy), yd + n, compiled->w);
}

static void run_point(const struct formula_dae *dae, struct compiled *compiled, double t,
                      const double *y, const double *yd)
{
    load(dae, compiled, 0, t, y, yd);
    tiered_program_run(&compiled->code, STAGE_STATE, compiled->w);
}

/* The rows of q' - v and s' - f_s, and the others, from those of the formulas. */
static void give(const struct formula_dae *dae, const struct compiled *compiled,
                 const double *y, const double *yd, double *residual)
{
    const int *output = compiled->program->output;
    int n = dae->n;
    for (int i = 0; i < n; i++)
        residual[i] = yd[i] - y[n + i];
    for (int i = 0; i < dae->ns; i++)
        residual[row_of(dae, i)] = yd[2*n + i] - compiled->w[output[i]];
    for (int i = dae->ns; i < dae->rows; i++)
        residual[row_of(dae, i)] = compiled->w[output[i]];
}

void formula_dae_residual(struct formula_dae *dae, double t, const double *y,
                          const double *yd, double *residual)
{
    run_point(dae, &dae->residual, t, y, yd);
    give(dae, &dae->residual, y, yd, residual);
}

void formula_dae_point(struct formula_dae *dae, double t, const double *y,
                       const double *yd)
{
    run_point(dae, &dae->tangent, t, y, yd);
}

void formula_dae_tangent(struct formula_dae *dae, int j, const double *s,
                         const double *sd, double *residual)
{
    struct compiled *tangent = &dae->tangent;
    load(dae, tangent, 1, 0, s, sd);
    program_seed_parameter(tangent->program, dae->parameter[j], tangent->w);
    tiered_program_run(&tangent->code, STAGE_DIRECTION, tangent->w);
    give(dae, tangent, s, sd, residual);
}

void formula_dae_jacobian(struct formula_dae *dae, double t, double c, const double *y,
                          const double *yd, double *const *column)
{
    const struct compiled *jacobian = &dae->jacobian;
    int n = dae->n;
    run_point(dae, &dae->jacobian, t, y, yd);
    for (int i = 0; i < n; i++) {
        column[i][i] = c;
        column[n + i][i] = -1;
    }
    for (int i = 0; i < dae->ns; i++)
        column[2*n + i][row_of(dae, i)] = c;
    for (int k = 0; k < dae->places; k++) {
        const struct place *place = &dae->place[k];
        double entry = jacobian->w[jacobian->program->output[k]];
        double sign = place->row < row_of(dae, dae->ns) ? -1 : 1;
        column[place->column][place->row] += sign*(place->of_rate ? c*entry : entry);
    }
}
