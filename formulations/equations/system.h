/*
 * system.h - the equations of motion of a model in one formulation, and their tangent
 * linear model, sealed into programs in double.
 *
 * Every mode has one program for the motion (R, its matrix R_u, s', z', and their
 * derivatives in a direction) and one for the guards of the events that leave it; every
 * event has one for its reset. One factorisation of R_u serves u, all tangents and u'.
 *
 * State vector of a run: x = (q, v, s, z), then (Q, V, S, Z) for each parameter.
 */
#ifndef SALTUS_SYSTEM_H
#define SALTUS_SYSTEM_H

#include "base/arena.h"
#include "explicit/explicit_rhs.h"
#include "formulation.h"
#include "integrators/integrator.h"
#include "linear/linear.h"
#include "linear/rank.h"
#include "model.h"
#include "monitors/constraints.h"
#include "monitors/edge_monitors.h"
#include "monitors/guard_bounds.h"
#include "monitors/sharp_terms.h"
#include "monitors/guard_rates.h"
#include "monitors/solved_point.h"
#include "monitors/step_monitors.h"
#include "program/stages.h"
#include "projection/projection.h"

/* First outputs of each kind in the motion program. R_u_dot_y: (dR_u)' y along a
   direction, only for linear methods that ask for it. */
struct motion_outputs {
    int R, R_u, f_s, g, R_dot, f_s_dot, g_dot, R_u_dot_y;
};

/* Iterates of an iterated residual: iterate i solves R(a_i, lambda_i; mu_i) = 0 with
   mu_i = lambda_(i-1). All are kept, because the derivative of the last is the derivative
   of the whole iteration. */
enum { MOST_ITERATES = 40 };
struct iterates {
    int count;
    double softness;                /* factor of alpha^-1: 1, or less where the iteration
                                       would be slow */
    struct rank_qr C;               /* shows whether the constraints are dependent */
    double *u;                      /* [MOST_ITERATES + 1][unknowns]; the first is zero */
};

struct mode_system {
    const struct mode *mode;
    int unknowns;                   /* n + m, or n */
    struct unknown *unknown;
    bool affine;                    /* R_u does not depend on u: no Newton iteration */
    bool iterated;                  /* see struct residual */
    struct iterates iterates;
    struct program *motion;
    struct motion_outputs at;
    double *w;                      /* work of motion */
    struct tiered_program motion_code;  /* of motion, unless that may be too large to
                                       compile: large systems that explicit_rhs does not
                                       solve */
    int *unknown_slot;              /* [unknowns] slots of the unknowns in w; 0: unused */
    struct entries entries;         /* of R_u, where linear->alloc_sparse asks for them */
    double *R_u;                    /* [unknowns * unknowns] or [entries.count] */
    double *unit, *scaled;          /* [unknowns] units (linear/units.h); R_u in these
                                       units [unknowns * unknowns], NULL if R_u has
                                       entries only */
    double *delta;                  /* [unknowns] */
    const struct linear_method *linear;
    void *factors;                  /* of `scaled`, or of the entries of R_u, at the last
                                       point solved */
    struct explicit_rhs *explicit_rhs; /* for the right-hand side, or NULL: one of */
    struct explicit_rhs *independent, *dependent;   /* made when it is needed */
    int dependents, *constraint; /* dependent constraints of `dependent`; [m] its
                                    constraints, these last */
    formula *formulas;          /* outputs of `motion` as formulas, in its order */
    bool beside;                /* runs are evaluated beside each other */
    struct solved_point solved;     /* point last solved, to which w and factors belong */
    double *y, *kernel;             /* [unknowns] scratch of minimum-norm tangents */
    struct constraints constraints;
    void *projecting;               /* work of the formulation's projection, or NULL */
    struct stage_equations *stage;  /* for implicit integrators, or NULL */
    struct motion_series *series;   /* made at first use */
    bool series_set;                /* `series` has the parameters of the run */
    struct explicit_series *explicit_series; /* series of `explicit_rhs`, at first use */
    bool explicit_series_set;       /* `explicit_series` has the parameters of the run */
    int guards;                     /* events that leave this mode, in declared order */
    const struct event **event;
    struct program *guard;          /* outputs: r [guards], r' [guards] */
    double *guard_w;                /* work of guard */
    struct tiered_program guard_code;
    bool guards_use_unknowns;
    int seen_first, seen;           /* guards depend on [seen_first, seen_first + seen) of
                                       (q, v, s); on all of it, if they use unknowns */
    struct guard_rates rates;       /* unless guards use unknowns */
    struct guard_bounds bounds;     /* of guards faster than the motion */
    struct sharp_terms sharp;       /* of R, f_s and g */
    struct edge_monitors edges;     /* moving ones of the mode */
    struct step_monitors monitors;  /* at the end of a step */
    struct arena arena;             /* all arrays, those of monitors, too, except the
                                       columns of `entries`, which grow */
};

struct system {
    const struct model *model;
    const struct formulation *formulation;
    int p;
    const int *parameter;           /* [p] index in the model; owned by the caller */
    double *rho;                    /* [model->p] */
    int state;                      /* 2n + ns + nz */
    int dim;                        /* state * (1 + p) */
    struct mode_system *mode;       /* [model->modes] */
    struct mode_system *now;        /* mode of the arc that is being integrated */
    double *a, *lambda;             /* [n] [m] at the last point solved */
    double *a_dot, *lambda_dot;     /* [n] [m] scratch of tangents */
    double *Lambda;                 /* [p][m] of the right-hand side last solved */
    double *zeros;                  /* [n + ns + m + 1] */
    double *projected;              /* [dim] scratch of the right-hand side */
    double *compared, *compared_dx; /* [dim] scratch of the comparison of solvers */
    struct implicit_equations implicit;     /* of the mode `now`, if asked for */
    long evaluations;               /* solutions since system_set */
    long compiled;                  /* those of them by generated code alone */
    enum code_use use;
    struct diagnosis *diagnosis;
    struct arena arena;             /* of all arrays */
};

/* A direction in (t, q, v, s, rho); NULL parts are zero; parameter -1: none. */
struct state_direction {
    double t;
    const double *q, *v, *s;
    int parameter;
};

/* Column j of the state x [dim], as a direction along its parameter. */
static inline struct state_direction system_column(const struct system *system,
                                                   const double *x, int j)
{
    const double *X = x + (j + 1) * system->state, *V = X + system->model->n;
    return (struct state_direction){.q = X, .v = V, .s = V + system->model->n,
                                    .parameter = system->parameter[j]};
}

/* The needs of integrators: rates alone, of one run, or of many beside each other; the
   equations themselves, for implicit methods (integrator.h); rates, and the equations
   where these can be had. */
enum system_use { SYSTEM_RATES, SYSTEM_RATES_BESIDE, SYSTEM_EQUATIONS, SYSTEM_BOTH };

/* Compiles all modes with values rho [model->p]; parameter [p] outlives the system.
   BAD_INPUT, NOT_SPD: an option; NOT_APPLICABLE. */
enum status system_new(const struct model *model, const struct formulation *formulation,
                       const char *const *option, const double *rho, int p,
                       const int *parameter, enum system_use use, struct system **out,
                       struct diagnosis *diagnosis);
/* Compiles the programs of mode k, for system_new alone; with the statuses of
   system_new. */
enum status system_compile_mode(struct system *system, int k, const char *const *option,
                                enum system_use use, struct diagnosis *diagnosis);
/* Solves the equations of a mode beforehand, if they can be, for system_compile_mode
   alone. */
void system_compile_explicit(const struct system *system, struct mode_system *ms);
/* Takes the program solved beforehand for the rank that the constraints had where they
   were last factorised. False: there is none. */
bool system_select_explicit(const struct system *system, struct mode_system *ms);
/* Gradients f [count] that depend on the unknowns and on eta of R_u' eta = c [unknowns]
   with both solved beforehand (explicit/explicit_pullback.h), for pullback.c alone.
   False: they cannot be. */
bool system_pullback_formulas(const struct system *system, const struct mode_system *ms,
                              const formula *c, const formula *f, int count,
                              formula *out);
/* Gives a row of R_u, the derivatives of R by the unknowns [rows]. R may name multipliers
   that other modes have: they are no unknowns, and zero. */
void system_row_of_matrix(const struct model *model, const struct unknown *unknown,
                          int rows, formula R, formula *row);
/* The formulation whose residual gives a and lambda at a point: a DAE's reduced one. */
const struct formulation *system_algebraic(const struct system *system);
void system_free(struct system *system);
/* Loads other values of the parameters, rho [model->p], and counts evaluations from 0. */
void system_set(struct system *system, const double *rho);
void system_use_code(struct system *system, enum code_use use);
/* Makes this mode that of the motion. */
void system_enter(struct system *system, struct mode_system *ms);

/* Solves R(u) = 0 at (t, q, v, s): fills a [n], lambda [m] and leaves in `ms` the rows
   and factors that rates and tangents there need. The program solved beforehand
   (explicit_rhs.h) is used where it can be trusted, else the pivoting solver. SINGULAR,
   RANK_LOSS, NOT_FINITE, NO_CONVERGENCE. */
enum status system_solve(struct system *system, struct mode_system *ms, double t,
                         const double *q, const double *v, const double *s, double *a,
                         double *lambda);
/* Solves by the pivoting solver in any case, and leaves the factorisation of R_u and the
   rows of `motion`; with the statuses of system_solve. */
enum status system_factor(struct system *system, struct mode_system *ms, double t,
                          const double *q, const double *v, const double *s, double *a,
                          double *lambda);
/* The factorisation and the rows at the point last solved by system_solve, with the
   solution that this gave; with the statuses of system_factor. */
enum status system_factor_solved(struct system *system, struct mode_system *ms);
/* Gives s' [ns] and z' [nz] at the point last solved; either may be NULL. */
void system_rates(const struct mode_system *ms, double *f_s, double *g);
/* Gives da [n], dlambda [m] along a direction at the point last solved, and ds' [ns],
   dz' [nz], which may be NULL. */
void system_tangent(struct system *system, struct mode_system *ms,
                    const struct state_direction *direction, double *da, double *dlambda,
                    double *df_s, double *dg);
/* Gives u' = d/dt (a, lambda) along the motion at the point last solved. */
void system_rate_of_unknowns(struct system *system, struct mode_system *ms,
                             const double *v, const double *f_s, double *a_dot,
                             double *lambda_dot);
/* x [unknowns] = R_u^-1 x, with the factors of the point last factorised. */
void system_solve_linear(const struct mode_system *ms, double *x);
/* y [unknowns] = R_u'^-1 u with these factors, by a linear method that has `transposed`;
   u is left in units of the unknowns. */
void system_solve_transposed(const struct mode_system *ms, double *u, double *y);
/* Corrects the Taylor coefficient u_k of the unknowns: u_k -= R_u^-1 R_k after
   system_factor, where R_k is the coefficient of R with the u_k given. Returns the
   largest correction, in units of the unknowns. */
double system_correct(struct mode_system *ms, const double *R_k, double *a_k,
                      double *lambda_k);

/* Projects x with all its columns onto the constraints, if the formulation has a
   projection, at the start of an arc, at an event or after a step; each status of the
   projection. */
enum status system_project(struct system *system, double t, double *x);
/* Is the state projected after each step? */
static inline bool system_projects_steps(const struct system *system)
{
    return system->now->projecting && system->formulation->kind == ALGEBRAIC;
}
/* Projects x where a new arc starts; each status of the projection. */
enum status system_project_restart(struct system *system, double t, double *x);
/* The choice that the projection of the mode `now` has in hand, in the numbers index,
   which may be NULL; returns how many. And such a choice made again at x [dim]
   (projection.h); where the projection knows of none, an arc begins there. */
int system_choice(const struct system *system, int *index);
enum status system_choose(struct system *system, const int *index, double t,
                          const double *x);
/* Lets projection and program check their choices: a step to x has been accepted. */
void system_review(struct system *system, double t, const double *x);

/* Sets seen_first, seen of a mode whose guards are compiled. */
void guards_find_seen(const struct model *model, struct mode_system *ms);
/* Evaluates the guards of a mode at a state x [2n + ns]: r [guards]; a and lambda may be
   NULL unless guards_use_unknowns. The rows stay in ms for guard_tangent. */
void system_guards(struct mode_system *ms, double t, const double *x, const double *a,
                   const double *lambda, double *r);
/* Evaluates guards that do not use unknowns, and after them the monitors of edges:
   r [monitors.rows] in the order of step_monitors.h. The rows may stay unset. */
void system_guard_values(struct mode_system *ms, double t, const double *x, double *r);

/* The right-hand side x' of a run, for an integrator; context: struct system.
   Each status of system_solve and of the projection can be returned; dx that is not
   finite can come with OK, for only the pivoting solver knows the reason. */
enum status system_rhs(void *context, double t, const double *x, double *dx);
/* Compares the program solved beforehand (explicit_rhs.h) with the pivoting solver at x,
   the start of a run, and trusts the program if both agree. dx [dim]: scratch. */
void system_trust(struct system *system, double t, const double *x, double *dx);
/* Makes the right-hand side use the pivoting solver on the rest of this arc, or stop
   using it where the program can be used; returns whether it was used. */
bool system_rhs_pivots(struct system *system, bool pivots);
/* The right-hand side where a new arc starts, which decides how the arc is evaluated;
   with the statuses of system_rhs. */
enum status system_rhs_restart(struct system *system, double t, const double *x,
                               double *dx);

/* The series of a mode, made at first use, for the system's parameters
   (motion_series.h). */
struct motion_series *system_motion_series(const struct system *system,
                                           struct mode_system *ms, int order);
/* The Taylor series of a run, for an integrator that takes them; context: struct system.
   Each status of system_factor; NOT_APPLICABLE where multipliers are not those of one
   linear system: iterated, or of redundant constraints. */
enum status system_series(void *context, double t, int order, double *const *x);

/* Compiles the equations of a mode for implicit integrators (system_stage.c). */
struct stage_equations *stage_equations_new(const struct system *system,
                                            const struct mode *mode,
                                            const struct residual *residual);
void stage_equations_free(struct stage_equations *stage);
/* Says when its programs are compiled. */
void stage_equations_use_code(struct stage_equations *stage, enum code_use use);
/* Loads the parameters rho [model->p]. */
void stage_equations_set(struct stage_equations *stage, const double *rho);
/* Points system->implicit to the equations of the mode `now`; all modes have been
   compiled. */
void stage_equations_enter(struct system *system);
/* Finds a, lambda (or da, dlambda) among the unknowns w of a step (integrator.h). */
void stage_equations_observe(const struct system *system, const double *w, double *a,
                             double *lambda);

#endif
