/*
 * term_sizes.c - the terms that the values at a point are the sums of (size.h): running
 * error analysis of forces and rates (Wilkinson 1986), in double.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "columns.h"
#include "program/program.h"
#include "size.h"

/* The one stage of these programs after the constants. */
enum { ALL = 1 };

/* Formulas of a mode. Outputs: F [n], Phi_q' lambda [n], f_s [ns], g [nz], then entries
   of M and of Phi_q, row by row. */
struct mode_terms {
    struct program *program;
    int M, Phi_q; /* first output of each */
};

struct term_sizes {
    const struct model *model;
    struct mode_terms *mode; /* [modes] */
    int *part;               /* [columns.width] */
    double *most;            /* [columns.width] largest magnitude of each value so
                                   far */
};

static int append_entries(const struct entries *entries, int rows, int columns,
                          const formula *dense, formula *out)
{
    int count = 0;
    for (int i = 0; i < rows; i++)
        for (int k = entries->begin[i]; k < entries->begin[i + 1]; k++)
            out[count++] = dense[i * columns + entries->column[k]];
    return count;
}

static void seal_mode(const struct model *model, const struct mode *mode,
                      struct mode_terms *terms)
{
    int n = model->n, ns = model->ns, nz = model->nz, count = 2 * n + ns + nz;
    int M_entries = mode->M_entries.count, Phi_entries = mode->Phi_q_entries.count;
    unsigned char stage[BLOCK_LIMIT] = {0};
    formula *out = memory_new(count + M_entries + Phi_entries, sizeof *out);
    for (int block = 0; block < BLOCKS; block++)
        stage[block] = ALL;
    memory_copy(out, mode->F, n, sizeof *out);
    memory_copy(out + n, mode->lambda_force, n, sizeof *out);
    memory_copy(out + 2 * n, mode->f_s, ns, sizeof *out);
    memory_copy(out + 2 * n + ns, mode->g, nz, sizeof *out);
    terms->M = count;
    for (int i = 0; i < n; i++)
        for (int k = mode->M_entries.begin[i]; k < mode->M_entries.begin[i + 1]; k++)
            out[count++] = mode->M[i][mode->M_entries.column[k]];
    terms->Phi_q = count;
    count += append_entries(&mode->Phi_q_entries, mode->m, n, mode->Phi_q, out + count);
    terms->program = program_seal(model->tape, out, count, stage);
    free(out);
}

static int *parts_of_values(const struct columns *columns)
{
    const struct model *model = columns->model;
    int *begin = memory_new(model->n + 1, sizeof *begin), part = 0;
    int *out = memory_new(columns->width, sizeof *out);
    int parts = model_subsystems(model, begin);
    for (int c = 0; c < columns->width; c++) {
        enum column_group group;
        int i, j;
        column_parts(columns, c, &group, &i, &j);
        part = i == 0 ? 0 : part;
        if (group == GROUP_S || group == GROUP_Z)
            part = i;
        else if (group != GROUP_LAMBDA)
            while (part + 1 < parts && begin[part + 1] <= i)
                part++;
        out[c] = part;
    }
    free(begin);
    return out;
}

struct term_sizes *term_sizes_new(const struct model *model)
{
    struct columns columns;
    struct term_sizes *terms = memory_new(1, sizeof *terms);
    columns_init(&columns, model, 0, NULL);
    terms->model = model;
    terms->mode = memory_new(model->modes, sizeof *terms->mode);
    for (int k = 0; k < model->modes; k++)
        seal_mode(model, model->mode[k], &terms->mode[k]);
    terms->part = parts_of_values(&columns);
    terms->most = memory_new(columns.width, sizeof *terms->most);
    return terms;
}

const int *term_sizes_part(const struct term_sizes *terms)
{
    return terms->part;
}

void term_sizes_free(struct term_sizes *terms)
{
    if (terms == NULL)
        return;
    for (int k = 0; k < terms->model->modes; k++)
        program_free(terms->mode[k].program);
    free(terms->mode);
    free(terms->part);
    free(terms->most);
    free(terms);
}

/* Loads a block of values, and into `most` the largest that they have been. */
static void load_values(const struct program *program, int block, const double *x,
                        const double *most, double *w, double *sum)
{
    program_load(program, block, x, w);
    for (int i = program->block_begin[block]; i < program->block_begin[block + 1]; i++)
        sum[program->input[i].slot] = most[program->input[i].index];
}

/* The values of the program in w [slots], and the sizes of what they are sums of: errors
   of all operations, and of the values relative to the largest that these have been, over
   their relative size. */
static void run_program(const struct term_sizes *all, const struct program *program,
                        const double *rho, double t, const double *x, double *w,
                        double *sum)
{
    const struct model *model = all->model;
    const int block[] = {BLOCK_Q, BLOCK_V, BLOCK_S, BLOCK_A, BLOCK_LAMBDA};
    const int length[] = {model->n, model->n, model->ns, model->n, model->m};
    program_init(program, w);
    program_load(program, BLOCK_RHO, rho, w);
    program_load(program, BLOCK_T, &t, w);
    for (int i = 0; i < program->slots; i++)
        sum[i] = fabs(w[i]);
    for (int k = 0, first = 0; k < 5; first += length[k++])
        load_values(program, block[k], x + first, all->most + first, w, sum);
    program_run(program, ALL, w);
    for (int i = 0; i < program->slots; i++)
        sum[i] *= DBL_EPSILON / 2;
    program_rounding(program, 0, w, sum);
    program_rounding(program, ALL, w, sum);
    for (int i = 0; i < program->slots; i++)
        sum[i] /= DBL_EPSILON / 2;
}

/* A sum of zeros has size zero; one that is not finite is not known. */
static double log2_or_unknown(double x)
{
    return isfinite(x) ? log2(x) : NAN;
}

/* The forces on each coordinate [n], and the mass that they move: log2. Where there are
   constraints, a force that stops the velocity there has been within the span counts. */
static void force_sizes(const struct term_sizes *all, const struct mode *mode,
                        const double *a, double span, const double *w, const double *sum,
                        double *force, double *mass)
{
    const struct mode_terms *terms = &all->mode[mode->index];
    const int *output = terms->program->output;
    int n = all->model->n;
    for (int i = 0, k = 0; i < n; i++) {
        double forces = sum[output[i]] + sum[output[n + i]], most = 0, own = 0;
        bool held = !is_zero(mode->lambda_force[i]);
        for (; k < mode->M_entries.begin[i + 1]; k++) {
            int j = mode->M_entries.column[k];
            double M = fabs(w[output[terms->M + k]]);
            forces += M * (held ? fmax(fabs(a[j]), all->most[n + j] / span) : fabs(a[j]));
            most = fmax(most, M);
            own = i == j ? M : own;
        }
        force[i] = log2_or_unknown(forces);
        mass[i] = log2(own > 0 ? own : most);
    }
}

/* The multiplier of a constraint balances the forces on its coordinates. */
static void multiplier_sizes(const struct term_sizes *all, const struct mode *mode,
                             const double *w, const double *force, double *size)
{
    const struct mode_terms *terms = &all->mode[mode->index];
    const int *output = terms->program->output;
    for (int i = 0; i < mode->m; i++) {
        size[i] = -INFINITY;
        for (int k = mode->Phi_q_entries.begin[i]; k < mode->Phi_q_entries.begin[i + 1];
             k++) {
            double slope = fabs(w[output[terms->Phi_q + k]]);
            if (slope > 0)
                size[i] = fmax(size[i],
                               force[mode->Phi_q_entries.column[k]] - log2(slope));
        }
    }
}

void term_sizes_at(struct term_sizes *terms, const struct mode *mode, const double *rho,
                   double t, double span, const double *x, double *size)
{
    const struct model *model = terms->model;
    const struct program *program = terms->mode[mode->index].program;
    int n = model->n, ns = model->ns, nz = model->nz, slots = program->slots;
    double *w = memory_new(2 * slots + 2 * n, sizeof *w), *sum = w + slots;
    double *force = sum + slots, *mass = force + n, *q = size, *v = q + n, *s = v + n;
    double *a = s + ns, *lambda = a + n, *z = lambda + model->m;
    for (int c = 0; c < 3 * n + ns + model->m + nz; c++)
        terms->most[c] = fmax(terms->most[c], fabs(x[c]));
    run_program(terms, program, rho, t, x, w, sum);
    force_sizes(terms, mode, x + 2 * n + ns, span, w, sum, force, mass);
    for (int i = 0; i < n; i++) {
        a[i] = mass[i] > -INFINITY ? force[i] - mass[i] : NAN;
        v[i] = a[i] + log2(span);
        q[i] = v[i] + log2(span);
    }
    for (int i = 0; i < model->m; i++)
        lambda[i] = NAN;
    multiplier_sizes(terms, mode, w, force, lambda);
    for (int i = 0; i < ns; i++)
        s[i] = log2_or_unknown(sum[program->output[2 * n + i]]) + log2(span);
    for (int i = 0; i < nz; i++)
        z[i] = log2_or_unknown(sum[program->output[2 * n + ns + i]]) + log2(span);
    free(w);
}
