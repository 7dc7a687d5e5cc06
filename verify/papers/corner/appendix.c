/*
 * appendix.c - the penalty formulation, its tangent linear model and the appendix
 * of Corner, Sandu, Sandu 2019, tried: (64)-(69), (A.1)-(A.11) (formulas.h).
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "linear/dense_lu.h"
#include "papers/corner/multipliers.h"

/* Evaluates the printed sums at a sample, by parameter j, into `column`. */
static void evaluate_printed(struct penalty_formulas *formulas,
                             const struct run_point *point, int j)
{
    static const int block[] = {BLOCK_Q, BLOCK_V, BLOCK_S, BLOCK_A, BLOCK_LAMBDA,
                                BLOCK_RHO};
    static const double still;
    const struct columns *columns = &formulas->tried->exact->columns;
    struct probe *probe = &formulas->printed;
    probe_by(probe, columns, point, j);
    for (size_t k = 0; k < sizeof block / sizeof *block; k++)
        probe->value[TANGENT(block[k])] = probe->along[block[k]];
    probe->value[TANGENT(BLOCK_T)] = &still;
    probe_at(probe, columns, point);
    probe_evaluate(probe, formulas->column, NULL);
}

/* --- trials ------------------------------------------------------------------------- */

/* Evaluates the derivatives of the functions when one block alone moves. */
static const double *true_part(struct penalty_formulas *formulas,
                               const struct run_point *point, int j, int part)
{
    const struct columns *columns = &formulas->tried->exact->columns;
    struct probe *probe = &formulas->function;
    probe_at(probe, columns, point);
    probe_by(probe, columns, point, j);
    probe_only(probe, (int)differentiated[part].block);
    probe_evaluate(probe, NULL, formulas->derivative);
    return formulas->derivative + function_begin(formulas, differentiated[part].of);
}

/* Sets the digits of one part over all samples, with the printed sum from output `from`
   of `column`. */
static void try_part(struct penalty_formulas *formulas, int part, int from,
                     struct least *least)
{
    const struct trajectory *exact = formulas->tried->exact;
    int size = formulas->part[part + 1] - formulas->part[part];
    for (int j = 0; j < exact->columns.p; j++) {
        struct match match = {0};
        for (int k = 1; k < exact->samples; k++) {
            const double *want = true_part(formulas, &exact->sample[k], j, part);
            evaluate_printed(formulas, &exact->sample[k], j);
            match_add(&match, formulas->column + from, want, size);
        }
        least_add(least, match_digits(&match), "%s by %s",
                  formulas->tried->run.model->desc->name,
                  column_parameter(&exact->columns, j));
    }
}

void try_appendix(const void *study, const struct printed_formula *row,
                  struct trial *trial)
{
    const struct ledger *ledger = study;
    struct penalty_formulas *const both[] = {ledger->car, ledger->arm};
    struct least printed = {INFINITY, ""}, corrected = {INFINITY, ""};
    for (int k = 0; k < 2; k++) {
        int part = both[k]->part[row->subject], by_tape = both[k]->part[PARTS] + part;
        bool wrong = row->subject == PART_LAMBDA_Q;
        try_part(both[k], row->subject, wrong ? both[k]->own : part, &printed);
        try_part(both[k], row->subject, wrong ? part : by_tape, &corrected);
    }
    trial->printed = printed.digits;
    trial->corrected = corrected.digits;
    trial_judge(trial, "complex step of the function that is differentiated");
    trial_tell(trial, "The sums are evaluated along the derivatives of the motions of "
               "car-axis and two-link-driven in penalty: fewest digits %.1f (%s).",
               printed.digits, printed.where);
    trial_tell(trial, "%s, they have %.1f (%s).",
               *row->corrected ? "Corrected" : "Differentiated on the tape",
               corrected.digits, corrected.where);
}

static const char *penalty_factor(const struct penalty_formulas *formulas)
{
    const struct run_request *request = &formulas->tried->run.request;
    return request->option[option_index(request->formulation, "alpha")];
}

/* (64d): lambda* from positions, velocities and accelerations. */
void try_64(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    struct penalty_formulas *const both[] = {ledger->car, ledger->arm};
    struct least printed = {INFINITY, ""}, motion = {INFINITY, ""};
    (void)row;
    for (int k = 0; k < 2; k++) {
        const struct trajectory *exact = both[k]->tried->exact;
        const char *name = both[k]->tried->run.model->desc->name;
        struct match lambda = {0}, balance = {0};
        int n = both[k]->n;
        for (int i = 1; i < exact->samples; i++) {
            probe_at(&both[k]->function, &exact->columns, &exact->sample[i]);
            probe_evaluate(&both[k]->function, both[k]->value, NULL);
            match_add(&lambda, both[k]->value + 2 * n,
                      exact->sample[i].x + exact->columns.begin[GROUP_LAMBDA],
                      both[k]->m);
            match_add(&balance, both[k]->value + n, both[k]->value, n);
        }
        least_add(&printed, match_digits(&lambda), "%s: lambda*", name);
        least_add(&printed, match_digits(&balance), "%s: M v' = F", name);
        char worst[100];
        least_add(&motion, paper_digits_like(both[k]->tried->run.trajectory, exact,
                                             "lambda.", worst, sizeof worst), "%s", name);
    }
    trial->printed = printed.digits;
    trial->corrected = motion.digits;
    trial_judge(trial, "complex step of the saddle point form");
    trial_tell(trial, "Along the motions of car-axis and two-link-driven by the saddle "
               "point form, alpha = %s, (64a)-(64d) hold to %.1f digits at least (%s); "
               "the solver has %.1f in lambda*.", penalty_factor(ledger->car),
               printed.digits, printed.where, motion.digits);
}

/* Sets V' [n] from (65) with (A.1)-(A.5), at a sample by parameter j. */
static void solve_65(struct penalty_formulas *formulas, const struct run_point *point,
                     int j, struct dense_lu *lu, double *x)
{
    int n = formulas->n;
    const int *part = formulas->part;
    probe_at(&formulas->function, &formulas->tried->exact->columns, point);
    probe_evaluate(&formulas->function, formulas->value, NULL);
    evaluate_printed(formulas, point, j);
    const double *c = formulas->column;
    for (int i = 0; i < n; i++)
        x[i] = c[part[PART_F_Q] + i] - c[part[PART_M_Q] + i] + c[part[PART_F_V] + i] +
               c[part[PART_F_RHO] + i] - c[part[PART_M_RHO] + i];
    if (!dense_lu_matrix(lu, formulas->value + 2 * n + formulas->m))
        slip("corner (65): singular");
    dense_lu_solve(lu, x);
}

void try_65(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    struct penalty_formulas *const both[] = {ledger->car, ledger->arm};
    struct least printed = {INFINITY, ""}, solver = {INFINITY, ""};
    (void)row;
    for (int k = 0; k < 2; k++) {
        const struct trajectory *exact = both[k]->tried->exact;
        const char *name = both[k]->tried->run.model->desc->name;
        double *x = memory_new(both[k]->n, sizeof *x);
        struct dense_lu lu;
        dense_lu_init(&lu, both[k]->n);
        for (int j = 0; j < exact->columns.p; j++) {
            struct match match = {0};
            for (int i = 1; i < exact->samples; i++) {
                solve_65(both[k], &exact->sample[i], j, &lu, x);
                match_add(&match, x, exact->sample[i].x +
                                         column(&exact->columns, GROUP_A, 0, j),
                          both[k]->n);
            }
            least_add(&printed, match_digits(&match), "%s by %s", name,
                      column_parameter(&exact->columns, j));
        }
        char worst[100];
        least_add(&solver, paper_digits_like(both[k]->tried->run.trajectory, exact, "da.",
                                             worst, sizeof worst), "%s", name);
        dense_lu_clear(&lu);
        free(x);
    }
    trial->printed = printed.digits;
    trial->corrected = solver.digits;
    trial_judge(trial, "complex step of the motion");
    trial_tell(trial, "V' from (65) along the motions of car-axis and two-link-driven: "
               "fewest digits %.1f (%s); the solver has %.1f.", printed.digits,
               printed.where, solver.digits);
}

void try_69(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    struct penalty_formulas *const both[] = {ledger->car, ledger->arm};
    struct least printed = {INFINITY, ""}, corrected = {INFINITY, ""};
    (void)row;
    for (int k = 0; k < 2; k++) {
        const struct trajectory *exact = both[k]->tried->exact;
        int m = both[k]->m;
        const int *part = both[k]->part;
        double *x = memory_new(m, sizeof *x);
        for (int j = 0; j < exact->columns.p; j++) {
            struct match without = {0}, with = {0};
            for (int i = 1; i < exact->samples; i++) {
                const double *want = exact->sample[i].x +
                                     column(&exact->columns, GROUP_LAMBDA, 0, j);
                evaluate_printed(both[k], &exact->sample[i], j);
                const double *c = both[k]->column;
                for (int r = 0; r < m; r++)
                    x[r] = c[part[PART_LAMBDA_Q] + r] + c[part[PART_LAMBDA_V] + r] +
                           c[part[PART_LAMBDA_RHO] + r];
                match_add(&without, x, want, m);
                for (int r = 0; r < m; r++)
                    x[r] += c[part[PART_LAMBDA_A] + r];
                match_add(&with, x, want, m);
            }
            const char *by = column_parameter(&exact->columns, j);
            least_add(&printed, match_digits(&without), "by %s", by);
            least_add(&corrected, match_digits(&with), "by %s", by);
            if (j == 0)
                trial_tell(trial, "On %s by %s (69) is wrong by up to %.3g without "
                           "lambda*_v' V', by %.1e with it; the largest is %.3g.",
                           both[k]->tried->run.model->desc->name, by, without.error,
                           with.error, with.size);
        }
        free(x);
    }
    trial->printed = printed.digits;
    trial->corrected = corrected.digits;
    trial_judge(trial, "complex step");
}

/* The arm has as many multipliers as coordinates, so that the printed product exists. */
void try_66(const void *study, const struct printed_formula *row, struct trial *trial)
{
    const struct ledger *ledger = study;
    struct penalty_formulas *formulas = ledger->arm;
    const struct trajectory *exact = formulas->tried->exact;
    int n = formulas->n, m = formulas->m, nz = formulas->nz;
    struct match match[3] = {{0}};
    (void)row;
    for (int j = 0; j < exact->columns.p; j++)
        for (int i = 1; i < exact->samples; i++) {
            probe_at(&formulas->function, &exact->columns, &exact->sample[i]);
            probe_by(&formulas->function, &exact->columns, &exact->sample[i], j);
            probe_evaluate(&formulas->function, NULL, formulas->derivative);
            evaluate_printed(formulas, &exact->sample[i], j);
            for (int k = 0; k < 3; k++)
                match_add(&match[k],
                          formulas->column + formulas->own + m + k * nz,
                          formulas->derivative + 2 * n + m + n * n, nz);
        }
    trial->printed = match_digits(&match[0]);
    trial->corrected = match_digits(&match[2]);
    trial_judge(trial, "complex step");
    trial_tell(trial, "The rates of both costs of two-link-driven in penalty are wrong "
               "by up to %.3g with g_v' (of %d components) times lambda*_rho (of %d), by "
               "%.3g with g_lambda lambda*_rho alone, by %.1e with lambda*_v' V', too; "
               "the largest is %.3g.", match[0].error, n, m, match[1].error,
               match[2].error, match[2].size);
}
