/*
 * paper_run.h - one run of a case of the catalogue, as studies need them: set up in a few
 * lines, judged by complex step, looked at by names of columns.
 */
#ifndef SALTUS_PAPER_RUN_H
#define SALTUS_PAPER_RUN_H

#include "adjoint/adjoint.h"
#include "motion/reference_motion.h"
#include "quantity/results.h"
#include "run.h"

/* A run with what its request points at. Between _init and _go a caller may change the
   request as he likes. */
struct paper_run {
    struct model *model;
    struct run_request request;         /* rtol 1e-12, atol 1e-15, nominal values */
    const char *option[MAX_OPTIONS];    /* nominal, but for paper_run_option */
    double *value;                      /* [model->p] */
    int *parameter;                     /* [request.parameters] */
    double *sample;                     /* [request.samples] */
    struct trajectory *trajectory;      /* set by paper_run_go; NULL before */
    struct diagnosis diagnosis;
    enum status status;                 /* of the first step that failed, OK: none; those
                                           after it do nothing */
};

/* Sets up a case in a formulation, with `points` times behind the start, evenly to the
   end, and the derivatives by a list of parameters "L01,L02"; NULL: by all, "": none. */
enum status paper_run_init(struct paper_run *run, const char *name,
                           const char *formulation, int points, const char *sens);
/* Likewise a case that is in no catalogue: a variant that a paper needs. */
enum status paper_run_of(struct paper_run *run, const struct case_desc *desc,
                         const char *formulation, int points, const char *sens);
/* Sets an option of the formulation; the text must outlive the run. */
void paper_run_option(struct paper_run *run, const char *name, const char *value);
/* Sets a parameter. */
void paper_run_set(struct paper_run *run, const char *parameter, double value);
/* Sets the relative tolerance, and the absolute one a thousand times smaller. */
void paper_run_tolerance(struct paper_run *run, double rtol);
/* Ends the run at another time; its samples are spread anew. */
void paper_run_until(struct paper_run *run, double t_end);
/* Gives it sample times of its own: time [count], behind the start, increasing. */
void paper_run_times(struct paper_run *run, const double *time, int count);
/* Makes events that add constraints follow another policy (model.h). */
enum status paper_run_reset(struct paper_run *run, enum reset_policy reset);
/* Runs, once. */
enum status paper_run_go(struct paper_run *run);
/* Runs the request by complex step: the caller frees *out. */
enum status paper_run_complex(struct paper_run *run, struct trajectory **out);
/* The gradient of a cost of the request by the adjoint equations, with its weights at
   the samples: the caller frees *out by gradient_free. */
enum status paper_run_back(struct paper_run *run, const char *cost,
                           struct gradient **out);
void paper_run_clear(struct paper_run *run);

/* Writes what was refused, for struct study. Returns run->status. */
enum status paper_run_why(const struct paper_run *run, char *why, int size);

/* The value of a parameter of the run. A name that is none is a programming error. */
double paper_value(const struct paper_run *run, const char *parameter);
/* The last sample of a trajectory. */
const struct run_point *paper_end(const struct trajectory *trajectory);
/* The index of the column of this name in run_point.x: "dq.y2/dL01". A name that is none
   is a programming error. */
int paper_column(const struct trajectory *trajectory, const char *name);
/* The index of a cost in its model. A name that is none is a programming error. */
int paper_cost(const struct model *model, const char *cost);
/* A cost at the end; `by`: its derivative by that parameter; NULL: itself. */
double paper_psi(const struct trajectory *trajectory, const char *cost, const char *by);

/* The fewest digits on which all numbers of two trajectories of one request agree
   (results.h), and the name and time of that number. Condition numbers do not count. */
double paper_digits(const struct trajectory *got, const struct trajectory *want,
                    char *worst, int size);
/* Likewise of the numbers whose names begin so, "after.1.dlambda."; NAN: none does. */
double paper_digits_like(const struct trajectory *got, const struct trajectory *want,
                         const char *begins, char *worst, int size);

#endif
