/*
 * bvp_write.c - the formulas of a case as C texts for a boundary value problem (bvp.h): a
 * file for each mode and each event, and one with the tables and what AUTO calls.
 */
#include "bvp/bvp.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "emit/emit_stages.h"
#include "formula/diff.h"
#include "program/stages.h"

/* Formulas of a mode or an event: `values` that depend on the state, then directional
   derivatives. */
struct equations {
    formula *f;                     /* [count] */
    int count, values;
};

/* --- formulas ----------------------------------------------------------------------- */

static void add_along(struct tape *tape, const formula *f, int count, const bool *moves,
                      struct equations *out)
{
    tangent(tape, f, count, moves, 1, out->f + out->count);
    out->count += count;
}

/* M, F, f_s; derivatives of M a - F at fixed a, and of f_s, along the state and by
   parameters. */
static struct equations equations_of_mode(const struct model *branch,
                                          const struct mode *mode)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true, [BLOCK_RHO] = true};
    int n = branch->n, ns = branch->ns;
    struct tape *tape = branch->tape;
    struct equations e = {memory_new(n*n + 3*n + 2*ns, sizeof(formula)), 0, 0};
    formula *R = memory_new(n, sizeof *R);
    for (int i = 0; i < n; i++) {
        R[i] = sub(R[i], mode->F[i]);
        for (int j = 0; j < n; j++) {
            e.f[i*n + j] = mode->M[i][j];
            R[i] = add(R[i], mul(mode->M[i][j], variable(tape, BLOCK_A, j)));
        }
    }
    memory_copy(e.f + n*n, mode->F, n, sizeof *e.f);
    memory_copy(e.f + n*n + n, mode->f_s, ns, sizeof *e.f);
    e.count = e.values = n*n + n + ns;
    add_along(tape, R, n, moves, &e);
    add_along(tape, mode->f_s, ns, moves, &e);
    free(R);
    return e;
}

/* Guard and reset, and their derivatives along the states before and after
   and by parameters. */
static struct equations equations_of_event(const struct model *branch,
                                           const struct event *event)
{
    static const bool moves[BLOCKS] = {
        [BLOCK_Q] = true, [BLOCK_V] = true, [BLOCK_S] = true, [BLOCK_RHO] = true,
        [BLOCK_Q_PLUS] = true, [BLOCK_V_PLUS] = true, [BLOCK_S_PLUS] = true};
    struct equations e = {memory_new(2*(1 + event->rows), sizeof(formula)), 0, 0};
    e.f[0] = event->guard;
    memory_copy(e.f + 1, event->J, event->rows, sizeof *e.f);
    e.count = e.values = 1 + event->rows;
    add_along(branch->tape, e.f, e.values, moves, &e);
    return e;
}

/* --- a program as a file ------------------------------------------------------------ */

/* The place of an input in z of the driver; -1: nowhere, it has no business here. */
static int place_of(const struct model *model, const struct program_input *input)
{
    int n = model->n, width = 2*n + model->ns;
    int plus = width + n, rho = plus + width, along = rho + model->p;
    int first[BLOCK_LIMIT];
    for (int b = 0; b < BLOCK_LIMIT; b++)
        first[b] = -1;
    first[BLOCK_Q] = 0;
    first[BLOCK_A] = width;
    first[BLOCK_Q_PLUS] = plus;
    first[BLOCK_RHO] = rho;
    first[TANGENT(BLOCK_Q)] = along;
    first[TANGENT(BLOCK_Q_PLUS)] = along + width;
    first[TANGENT(BLOCK_RHO)] = along + 2*width;
    for (int copy = 0; copy < 2; copy++)
        for (int after = 0; after < 2; after++) {
            int of_q = DIRECTION(after ? BLOCK_Q_PLUS : BLOCK_Q, copy);
            first[DIRECTION(after ? BLOCK_V_PLUS : BLOCK_V, copy)] = first[of_q] + n;
            first[DIRECTION(after ? BLOCK_S_PLUS : BLOCK_S, copy)] = first[of_q] + 2*n;
        }
    return first[input->block] < 0 ? -1 : first[input->block] + input->index;
}

static struct program *sealed(const struct model *branch, const struct equations *e)
{
    unsigned char stage[BLOCK_LIMIT];
    program_stages(BLOCKS_OF_STATE | BLOCK_SET(BLOCK_RHO) | BLOCK_SET(BLOCK_Q_PLUS) |
                       BLOCK_SET(BLOCK_V_PLUS) | BLOCK_SET(BLOCK_S_PLUS),
                   BLOCKS_OF_UNKNOWNS, stage);
    /* Rows of parameters alone are computed with the others: one of them is continued. */
    stage[BLOCK_RHO] = STAGE_STATE;
    return program_seal(branch->tape, e->f, e->count, stage);
}

static bool answers_to(const struct model *model, const struct program *program,
                       const struct equations *e)
{
    bool good = true;
    for (int k = 0; k < e->values; k++)
        good = good && program->output_stage[k] <= STAGE_STATE;
    for (int k = 0; k < program->inputs; k++)
        good = good && place_of(model, &program->input[k]) >= 0;
    return good;
}

static void put_program(FILE *file, const struct model *model, const char *name,
                        const struct program *program)
{
    double *w = memory_new(program->slots, sizeof *w);
    program_init(program, w);
    char stages[60];
    snprintf(stages, sizeof stages, "%s_stages", name);
    char *text = program_emit_stages(program, stages, 0, w);
    fprintf(file, "%s\nstatic double own_w[%d] = {", text, program->slots);
    for (int k = 0; k < program->stage_begin[STAGE_STATE]; k++)
        fprintf(file, "%a,%s", w[k], k % 6 == 5 ? "\n" : " ");
    fputs("};\nstatic const int own_input[][2] = {", file);
    for (int k = 0; k < program->inputs; k++)
        fprintf(file, "{%d, %d}, ", place_of(model, &program->input[k]),
                program->input[k].slot);
    fputs("{0, 0}};\nstatic const int own_output[] = {", file);
    for (int k = 0; k < program->outputs; k++)
        fprintf(file, "%d, ", program->output[k]);
    fprintf(file, "0};\nconst struct {\n    double *w;\n"
            "    void (*const *stage)(double *);\n    int inputs;\n"
            "    const int (*input)[2];\n    const int *output;\n} %s = {own_w, "
            "%s.stage, %d, own_input, own_output};\n", name, stages, program->inputs);
    free(text);
    free(w);
}

/* --- files -------------------------------------------------------------------------- */

static FILE *open_file(const char *folder, const char *name, struct diagnosis *diagnosis)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.c", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        diagnose(diagnosis, BAD_ANSWER, NAN, "%s cannot be written", path);
    return file;
}

static enum status close_file(FILE *file, struct diagnosis *diagnosis)
{
    bool good = !ferror(file);
    good = fclose(file) == 0 && good;
    return good ? OK : diagnose(diagnosis, BAD_ANSWER, NAN, "a file of the boundary "
                                "value problem cannot be written");
}

/* The file of a mode or an event, with the equations, which are freed. */
static enum status write_equations(const struct model *branch, struct equations e,
                                   const char *name, const char *of, const char *folder,
                                   struct diagnosis *diagnosis)
{
    struct program *program = sealed(branch, &e);
    enum status status = OK;
    FILE *file = NULL;
    if (!answers_to(branch, program, &e))
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s of %s depends on time, "
                          "accelerations or multipliers, which no boundary value problem "
                          "is made of here", of, branch->desc->name);
    else if (!(file = open_file(folder, name, diagnosis)))
        status = BAD_ANSWER;
    if (file) {
        put_program(file, branch, name, program);
        status = close_file(file, diagnosis);
    }
    program_free(program);
    free(e.f);
    return status;
}

static enum status write_parts(const struct bvp *bvp, const struct model *branch,
                               const char *folder, struct diagnosis *diagnosis)
{
    enum status status = OK;
    char name[40];
    for (int k = 0; k < branch->modes && status == OK; k++) {
        snprintf(name, sizeof name, "bvp_mode_%d", k);
        status = write_equations(branch, equations_of_mode(branch, branch->mode[k]), name,
                                 branch->mode[k]->name, folder, diagnosis);
    }
    for (int k = 0; k < bvp->orbit->events && status == OK; k++) {
        const struct event *event = branch->event[bvp->orbit->event[k].event->index];
        snprintf(name, sizeof name, "bvp_event_%d", k);
        status = write_equations(branch, equations_of_event(branch, event), name,
                                 event->name, folder, diagnosis);
    }
    return status;
}

/* The event by which arc k begins. */
static int begin_of(const struct orbit *orbit, int k)
{
    return k > 0 ? k - 1 : orbit->events - 1;
}

static double duration_of(const struct orbit *orbit, int k)
{
    double before = k > 0 ? orbit->event[k - 1].t : orbit->event[orbit->events - 1].t -
                                                    orbit->period;
    return orbit->event[k].t - before;
}

static void put_tables(FILE *file, const struct bvp *bvp)
{
    const struct orbit *orbit = bvp->orbit;
    const struct model *model = bvp->model;
    fputs("struct equations {\n    double *w;\n    void (*const *stage)(double *);\n"
          "    int inputs;\n    const int (*input)[2];\n    const int *output;\n};\n",
          file);
    fprintf(file, "enum { N = %d, NS = %d, WIDTH = %d, PARAMETERS = %d, ARCS = %d, "
            "CONTINUED = %d };\nextern const struct equations ", model->n, model->ns,
            orbit->width, model->p, orbit->events, bvp->parameter);
    for (int k = 0; k < model->modes; k++)
        fprintf(file, "bvp_mode_%d, ", k);
    for (int k = 0; k < orbit->events; k++)
        fprintf(file, "bvp_event_%d%s", k, k + 1 < orbit->events ? ", " : ";\n");
    fputs("static const struct equations *const mode[] = {", file);
    for (int k = 0; k < orbit->events; k++)
        fprintf(file, "&bvp_mode_%d, ", orbit->event[k].event->from->index);
    fputs("};\nstatic const struct equations *const event[] = {", file);
    for (int k = 0; k < orbit->events; k++)
        fprintf(file, "&bvp_event_%d, ", k);
    fputs("};\nstatic const double duration[] = {", file);
    for (int k = 0; k < orbit->events; k++)
        fprintf(file, "%.*g, ", BVP_GUESS, duration_of(orbit, k));
    fputs("};\nstatic const double after[][WIDTH] = {", file);
    for (int k = 0; k < orbit->events; k++) {
        fputs("\n    {", file);
        for (int i = 0; i < orbit->width; i++)
            fprintf(file, "%.*g, ", BVP_GUESS,
                    orbit->event[begin_of(orbit, k)].after[i]);
        fputs("},", file);
    }
    fputs("\n};\nstatic const double value[] = {", file);
    for (int j = 0; j < model->p; j++)
        fprintf(file, "%a, ", bvp->value[j]);
    fputs("};\n\n", file);
}

static enum status write_problem(const struct bvp *bvp, const char *folder,
                                 struct diagnosis *diagnosis)
{
    FILE *file = open_file(folder, "bvp_problem", diagnosis);
    if (!file)
        return BAD_ANSWER;
    put_tables(file, bvp);
    for (int k = 0; bvp_driver[k]; k++)
        fputs(bvp_driver[k], file);
    return close_file(file, diagnosis);
}

/* --- all ---------------------------------------------------------------------------- */

static enum status applicable(const struct bvp *bvp, struct diagnosis *diagnosis)
{
    const struct orbit *orbit = bvp->orbit;
    const char *why = NULL;
    if (bvp->model->m > 0)
        why = "has constraints";
    else if (orbit->families > 0)
        why = "has a family of such motions";
    for (int k = 0; k < orbit->events; k++)
        if (orbit->event[k].event->rows != orbit->width)
            why = "has an event with impulses";
    return why ? diagnose(diagnosis, NOT_APPLICABLE, NAN, "%s %s, which no boundary "
                          "value problem is made of here", bvp->model->desc->name, why)
               : OK;
}

enum status bvp_write(const struct bvp *bvp, const char *folder,
                      struct diagnosis *diagnosis)
{
    enum status status = applicable(bvp, diagnosis);
    if (status != OK)
        return status;
    struct model *branch = model_branch(bvp->model);
    status = write_parts(bvp, branch, folder, diagnosis);
    if (status == OK)
        status = write_problem(bvp, folder, diagnosis);
    model_branch_free(branch);
    return status;
}
