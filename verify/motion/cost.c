/*
 * cost.c - operations of a Taylor method, from the header of certified values (cost.h)
 */
#include "motion/cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "program/program.h"

/* product: CPU seconds of one product of coefficients, with its share of everything
   around it. double: of one operation in a run in double and its judges, over all the
   steps that these take where the series take one. matrix: likewise, of the cube of a
   matrix's rows. */
static const double product_seconds = 3e-9, double_seconds = 1.5e-6,
                    matrix_seconds = 2e-7;

/* --- operations of the equations ---------------------------------------------------- */

/* All that a step evaluates in one mode: rows of its formulas, the products of solving
   for a and lambda by factors, and the products of the state. */
static double operations_of(const struct model *model, const struct mode *mode)
{
    unsigned char stage[BLOCK_LIMIT];
    int n = model->n, unknowns = n + mode->m, used = 0;
    int most = n * n + n + mode->m * (n + 1) + model->ns + model->nz + model->events;
    formula *f = memory_new(most, sizeof *f);
    for (int i = 0; i < n; i++, used += n)
        memory_copy(f + used, mode->M[i], n, sizeof *f);
    const struct { const formula *f; int count; } part[] = {
        {mode->F, n}, {mode->Phidd, mode->m}, {mode->Phi_q, mode->m * n},
        {mode->f_s, model->ns}, {mode->g, model->nz}};
    for (size_t k = 0; k < sizeof part / sizeof part[0]; used += part[k++].count)
        memory_copy(f + used, part[k].f, part[k].count, sizeof *f);
    for (int k = 0; k < model->events; k++)
        if (model->event[k]->from == mode)
            f[used++] = model->event[k]->guard;
    memset(stage, 1, sizeof stage);
    struct program *program = program_seal(model->tape, f, used, stage);
    double operations = program_operations(program) + (double)unknowns * unknowns +
                        4.0 * (2 * n + model->ns + model->nz);
    program_free(program);
    free(f);
    return operations;
}

/* --- the header of a certified file ------------------------------------------------- */

/* Reads only what is asked for; certificate_read says whether the file is right. */
static bool read_header(const char *path, struct effort *effort)
{
    char line[200];
    int found = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (found < 3 && fgets(line, sizeof line, file))
        found += sscanf(line, "steps %ld", &effort->steps) == 1 ||
                 sscanf(line, "order %lf", &effort->order) == 1 ||
                 sscanf(line, "digits %lf", &effort->digits) == 1;
    fclose(file);
    return found == 3;
}

bool effort_of(const struct model *model, const struct truth *truth,
               struct effort *effort)
{
    static const struct effort usual = {.steps = 50, .order = 87, .digits = 69};
    char path[600];
    *effort = usual;
    bool known = is_known(truth) && certified_path(model, truth, path, sizeof path) &&
                 read_header(path, effort);
    if (!known)
        *effort = usual;
    for (int k = 0; k < model->modes; k++) {
        effort->operations = fmax(effort->operations,
                                  operations_of(model, model->mode[k]));
        effort->unknowns = fmax(effort->unknowns, model->n + model->mode[k]->m);
    }
    return known;
}

double effort_of_run(const struct effort *effort, int digits)
{
    double order = effort->order * digits / effort->digits;
    return product_seconds * order * order * (double)effort->steps * effort->operations;
}

/* 2p + 1 trajectories, and about as much for the variational equations. */
double effort_of_both(const struct effort *effort, int parameters, int digits)
{
    return 2 * (2 * parameters + 1) * effort_of_run(effort, digits);
}

/* With either step 2p runs have derivatives, each at half the price of the values, and
   p(p - 1) have none. */
double effort_of_hessian(const struct effort *effort, int parameters, int digits)
{
    double p = parameters;
    return (4 * p * (1 + p / 2) + 2 * p * (p - 1)) * effort_of_run(effort, digits);
}

double effort_of_direction(const struct effort *effort, int digits)
{
    return 2 * effort_of_run(effort, digits);
}

double effort_in_double(const struct effort *effort, int parameters)
{
    return double_seconds * (double)effort->steps * effort->operations *
           (parameters + 1);
}

double effort_of_matrices(const struct effort *effort)
{
    return matrix_seconds * (double)effort->steps * pow(effort->unknowns, 3);
}

void duration_text(double seconds, char *text, int size)
{
    if (seconds < 100)
        snprintf(text, (size_t)size, "%.0f s", fmax(1, seconds));
    else if (seconds < 6000)
        snprintf(text, (size_t)size, "%.0f min", seconds / 60);
    else
        snprintf(text, (size_t)size, "%.0f h", seconds / 3600);
}
