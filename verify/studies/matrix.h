/*
 * matrix.h - `saltus verify --matrix`: every formulation on every case in one table.
 *
 * A cell is one run in double against the certified values of the motion that its
 * formulation follows: the numerical error. A formulation with a motion of its own has a
 * modelling gap to the exact one besides; both stand side by side. A cell without numbers
 * says why it has none.
 */
#ifndef SALTUS_MATRIX_H
#define SALTUS_MATRIX_H

#include "jobs/judge.h"
#include "options/args.h"

struct cell {
    const struct case_desc *desc;
    const struct formulation *formulation;
    bool constrained;               /* the case has constraints */
    struct job *job;                /* the job of the run; NULL: the formulation does not
                                       apply */
    const struct row *error, *gap;  /* rows of the job; NULL: there is none */
    char why_empty[600];            /* why there is no error; "" where there is one */
};

struct matrix {
    struct judge_settings settings;  /* as asked for, but with certified values as the
                                        only oracle */
    int cases, formulations;
    struct cell *cell;              /* [cases][formulations] */
    struct job **job;
    int jobs;
};

/* Makes the cells and their jobs, which refer to the matrix: it must stay in its place.
   BAD_INPUT: a malformed model. */
enum status matrix_schedule(struct matrix *matrix, const struct judge_settings *settings,
                            const struct case_desc *const *desc, int cases,
                            struct diagnosis *diagnosis);
void matrix_run(struct matrix *matrix, int threads);
void matrix_free(struct matrix *matrix);

/* Did nothing that was judged fall short, and was something judged? */
bool matrix_held(const struct matrix *matrix);
/* The largest |got - want| / max(|want|, scale) of a cell's gap. */
double cell_gap(const struct cell *cell);
/*
 * The orders of a DAE method in q, v and lambda. A collocation method of order 2s - 1
 * that ends with a stage (Radau IIA) has in index 2 the orders 2s - 1, 2s - 1, s and in
 * index 3 the orders 2s - 1, s, s - 1 (Hairer, Lubich, Roche 1989). False: no DAE.
 */
struct orders {
    int q, v, lambda;
};
bool cell_orders(const struct cell *cell, struct orders *orders);

/* The limit of the digits of a cell that has an error: the orders of a DAE, the condition
   of the number with the least digits, or the tolerance. */
void cell_explain(const struct cell *cell, char *text, int size);

enum exit_status verify_matrix(const struct args *args,
                               const struct judge_settings *settings,
                               const struct case_desc *const *desc, int cases,
                               int threads);

#endif
