/*
 * dankowicz.h - the zero problem of multiple shooting, Dankowicz (12)-(24), for the files
 * of this paper.
 *
 * Segment i begins in x_i, just after an event, and ends at the next event e_i, which
 * alone is watched: the index vector (m_i, e_i). Its derivatives come three times: by the
 * printed formulas from the partial derivatives at its end, by the jump rule of a run,
 * and by complex step.
 */
#ifndef SALTUS_PAPERS_DANKOWICZ_H
#define SALTUS_PAPERS_DANKOWICZ_H

#include "orbits/segment_oracle.h"
#include "papers/paper.h"
#include "papers/paper_run.h"
#include "papers/probe.h"

enum {
    DK_WIDTH = 3, DK_PARAMETERS = 6, DK_SEGMENTS = 3,
    DK_UNKNOWNS = DK_WIDTH * DK_SEGMENTS, DK_STEPS = 12
};

/* --- one segment, segment.c --------------------------------------------------------- */

/* A case of which one event alone is watched; event -1: none is. */
struct lone_case {
    struct case_desc desc;      /* first member: a model's desc is its lone case */
    const struct case_desc *of;
    int event;
};

/* Partial derivatives at the end of a segment, and of the motion to it. Rows and columns
   are as long as the segment has states and parameters. */
struct terminal {
    double t, h;
    double f[DK_WIDTH], h_x[DK_WIDTH], h_p[DK_PARAMETERS];
    double g[DK_WIDTH], g_x[DK_WIDTH][DK_WIDTH], g_p[DK_WIDTH][DK_PARAMETERS];
    double Phi_x[DK_WIDTH][DK_WIDTH], Phi_p[DK_WIDTH][DK_PARAMETERS];
};

/* Derivatives of a segment, by whichever route. */
struct blocks {
    double Phi_x[DK_WIDTH][DK_WIDTH], Phi_p[DK_WIDTH][DK_PARAMETERS];   /* (15)-(18) */
    double t_x[DK_WIDTH], t_p[DK_PARAMETERS];                           /* (20), (21) */
    double Lambda[DK_WIDTH][DK_WIDTH];                                  /* (23) */
    double F_p[DK_WIDTH][DK_PARAMETERS];                                /* (24) */
};

/* Sets of variants of the formulas. */
enum {
    DK_CORRECTED = 0,
    DK_PRINTED = 1 << 0,        /* h_p with the sign of (21), (24) */
    DK_FIXED_TIME = 1 << 1      /* without the moving end, as (25), (26) */
};

struct index_segment {
    struct lone_case lone;
    struct model *model;
    struct orbit_request request;
    struct orbit_segment segment;
    struct model *branch;       /* the formulas of the end stand here; NULL: no event */
    struct probe probe;         /* h, then g */
};

/* Makes the segment of a run's case that begins near x in a mode, and ends at an event.
   To be cleared in any case. */
enum status index_segment_init(struct index_segment *own, const struct paper_run *run,
                               int mode, int event, const double *x,
                               struct diagnosis *diagnosis);
void index_segment_clear(struct index_segment *own);
/* Runs from x, no longer than `length`; NO_ORBIT: the event does not happen. */
enum status index_segment_run(struct index_segment *own, const double *x, double length,
                              struct terminal *terminal, struct diagnosis *diagnosis);
/* Sets the blocks by (15)-(24) in a set of variants. */
void blocks_by_formulas(const struct index_segment *own, const struct terminal *terminal,
                        unsigned variants, struct blocks *blocks);
/* Sets the blocks from a run of the segment, by its rule or by complex step. */
void blocks_of_run(struct index_segment *own, const struct trajectory *run,
                   struct blocks *blocks);
/* Both run from the node of the last run. */
enum status blocks_by_complex_step(struct index_segment *own, struct blocks *blocks,
                                   struct diagnosis *diagnosis);
enum status blocks_by_rule(struct index_segment *own, const struct jump_rule *rule,
                           struct blocks *blocks, struct diagnosis *diagnosis);

/* The fewest digits of a column of got [rows][columns], by the largest magnitude of the
   column of want; both lie in rows of the length `stride`. */
double digits_of_columns(const double *got, const double *want, int rows, int columns,
                         int stride);

/* --- the zero problem, newton.c ----------------------------------------------------- */

/* Newton's method: the largest |F| before each step. */
struct newton_history {
    int points;
    double residual[DK_STEPS + 1];
    enum status status;         /* of the last step */
};

struct zero_problem {
    struct paper_run run;
    struct orbit *orbit;        /* by the project's own shooting */
    int segments, width, parameters, unknowns;
    int event[DK_SEGMENTS], mode[DK_SEGMENTS];      /* the index vectors */
    struct index_segment segment[DK_SEGMENTS];
    double length;              /* longest segment */
    double start[DK_UNKNOWNS];  /* nodes that Newton's method begins with */
    double x[DK_UNKNOWNS], F[DK_UNKNOWNS];
    struct terminal terminal[DK_SEGMENTS];
};

/* Sets up the zero problem of the periodic motion to which a case runs until t_end, with
   derivatives by the parameters named. `only`: its one segment ends at this event, and no
   other is watched; NULL: at the events of the motion. Statuses of runs. To be cleared in
   any case. */
enum status zero_problem_init(struct zero_problem *zero, const char *name,
                              const char *sens, double t_end, const char *only);
void zero_problem_clear(struct zero_problem *zero);
/* Takes the start from the run of the case, where it has the events of the problem in
   their order for the first time, or after so many returns; false: never. */
bool zero_problem_begin(struct zero_problem *zero, int returns);
/* Newton's method from zero->start, with F_x of (22), (23) in a variant. */
void zero_problem_solve(struct zero_problem *zero, unsigned variants,
                        struct newton_history *history);
/* x_p = -F_x^-1 F_p [unknowns][parameters] from blocks [segments]. */
void zero_problem_derivative(const struct zero_problem *zero, const struct blocks *blocks,
                             double *x_p);
/* The smallest singular value of F_x. */
double zero_problem_sigma(const struct zero_problem *zero, const struct blocks *blocks);
/* The eigenvalues of -Lambda_n ... -Lambda_1 by falling magnitude. */
void zero_problem_multipliers(const struct zero_problem *zero,
                              const struct blocks *blocks,
                              double complex multiplier[DK_WIDTH]);
/* The index of an event by its name. */
int event_index(const struct model *model, const char *name);
/* The number of a parameter of the problem by its name. */
int zero_problem_parameter(const struct zero_problem *zero, const char *name);
/* The node that stands after the event; -1: none. */
int zero_problem_node(const struct zero_problem *zero, const char *event);

/* --- studies ------------------------------------------------------------------------ */

/* A zero problem that has been solved, and the blocks of its segments by all routes. */
struct solved_problem {
    struct zero_problem zero;
    int returns;                /* returns of the run before the start */
    struct newton_history newton, fixed_time;   /* with F_x by (23), and without the
                                                   moving end */
    struct blocks corrected[DK_SEGMENTS], printed[DK_SEGMENTS];
    struct blocks rule[DK_SEGMENTS];            /* by the rule minus-r-rho */
    struct blocks exact[DK_SEGMENTS];           /* by complex step */
    double x_p[DK_UNKNOWNS * DK_PARAMETERS];    /* of the solution, corrected */
    double x_p_printed[DK_UNKNOWNS * DK_PARAMETERS];
};

/* Events of a run by kind, beside a closed form. */
struct event_count {
    struct paper_run run;
    int events, kinds, impacts, phases, turnings;
    int falling, rising;        /* impacts and phases with h falling; turnings with h
                                   rising */
    int closed_events;          /* events of the closed form */
    double rate, jump;          /* least transversality; largest error of (6)-(8) */
    double digits;              /* of all numbers by the closed form; NAN: it has others
                                   */
};

/* Study of the zero problem. */
enum { DK_OSCILLATOR, DK_WHEEL, DK_SYSTEMS };
struct dankowicz_study {
    struct event_count count;
    struct solved_problem system[DK_SYSTEMS];
    double complex closed[DK_WIDTH];            /* node after the impact */
    double closed_p[DK_WIDTH][DK_PARAMETERS];
    struct solved_problem drive;                /* ends at the phase, without a wall */
    struct index_segment smooth;                /* (2) over a fixed time */
    struct blocks fixed, fixed_exact;           /* of `smooth` */
    struct orbit *portrait;                     /* the motion with samples */
};
/* The name of the case of a system. */
const char *dankowicz_name(const struct dankowicz_study *study, int system);
/* Two routes that are right agree on so many digits. */
enum { DK_SURE = 12 };
/* The functions `open` and `close` of its struct study. */
enum status dankowicz_open(struct task *task, void **own, char *why, int size);
void dankowicz_close(void *own);
extern const struct claim dankowicz_claims[];
extern const struct printed_formula dankowicz_formulas[];
extern const struct figure dankowicz_figures[];
extern const struct study dankowicz_branches;

#endif
