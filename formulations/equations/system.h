/*
 * system.h - a model in one formulation, sealed into programs: the equations in double.
 *
 * Of every mode there is one program for the motion (R, its matrix R_u, s', z', and their
 * derivatives in a direction) and one for the guards of the events that leave it; of
 * every event one for its reset. One factorisation of R_u serves u, all tangents and u'.
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
#include "monitors/guard_rates.h"
#include "monitors/solved_point.h"
#include "monitors/step_monitors.h"
#include "program/stages.h"
#include "projection/projection.h"

/* Where to find what among the outputs of the motion program. R_u_dot_y: (dR_u)' y along
   a direction, only for linear methods that ask for it. */
struct motion_outputs {
    int R, R_u, f_s, g, R_dot, f_s_dot, g_dot, R_u_dot_y;
};

/* Multipliers of an iterated residual: iterate i solves R(a_i, lambda_i; mu_i) = 0 with
   mu_i = lambda_(i-1). All are kept, because the derivative of the last is the derivative
   of the whole iteration. */
enum { MOST_ITERATES = 40 };
struct iterates {
    int count;
    double softness;                /* by which alpha^-1 is multiplied: 1, or less where
                                       the iteration would be slow */
    struct rank_qr C;               /* are the constraints dependent? */
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
    struct tiered_program motion_code; /* unless explicit_rhs is NULL */
    int *unknown_slot;              /* [unknowns] where w holds the unknowns */
    struct entries entries;         /* of R_u, where linear->alloc_sparse asks for them */
    double *R_u;                    /* [unknowns * unknowns] or [entries.count] */
    double *unit, *scaled;          /* [unknowns] of them (linear/units.h); and R_u in
                                       these units [unknowns * unknowns], NULL where it
                                       has entries only */
    double *delta;                  /* [unknowns] */
    const struct linear_method *linear;
    void *factors;                  /* of `scaled`, or of the entries of R_u, at the last
                                       point solved */
    struct explicit_rhs *explicit_rhs; /* for the right-hand side, or NULL */
    struct solved_point solved;     /* the point last solved: w and factors are of it */
    double *y, *kernel;             /* [unknowns] scratch of minimum-norm tangents */
    struct constraints constraints;
    void *projecting;               /* work of the formulation's projection, or NULL */
    struct stage_equations *stage;  /* for implicit integrators, or NULL */
    struct motion_series *series;   /* made when it is first wanted */
    bool series_set;                /* to the parameters of the run */
    struct explicit_series *explicit_series; /* the series of `explicit_rhs` */
    bool explicit_series_set;

    int guards;                     /* events that leave this mode, in declared order */
    const struct event **event;
    struct program *guard;          /* outputs: r [guards], r' [guards] */
    double *guard_w;
    struct tiered_program guard_code;
    bool guards_use_unknowns;
    int seen_first, seen;           /* of (q, v, s), what they are evaluated from lies in
                                       [seen_first, seen_first + seen); all of it, if they
                                       use unknowns */
    struct guard_rates rates;       /* unless they do */
    struct guard_bounds bounds;     /* of guards faster than the motion */
    struct edge_monitors edges;     /* moving ones of the mode */
    struct step_monitors monitors;  /* at the end of a step */
    struct arena arena;             /* of all arrays, those of monitors, too; but of the
                                       columns of `entries`, which grow */
};

struct system {
    const struct model *model;
    const struct formulation *formulation;
    int p;
    const int *parameter;
    double *rho;                    /* [model->p] */
    int state;                      /* 2n + ns + nz */
    int dim;                        /* state * (1 + p) */
    struct mode_system *mode;       /* [model->modes] */
    struct mode_system *now;        /* the mode of the arc that is being integrated */
    double *a, *lambda;             /* [n] [m] at the last point solved */
    double *a_dot, *lambda_dot;     /* [n] [m] scratch of tangents */
    double *Lambda;                 /* [p][m] of the right-hand side last solved */
    double *zeros;                  /* [n + ns + m + 1] */
    double *projected;              /* [dim] scratch of the right-hand side */
    double *compared, *compared_dx; /* [dim] and of what decides how it is evaluated */
    struct implicit_equations implicit;     /* of the mode `now`, if it was asked for */
    long evaluations;
    struct diagnosis *diagnosis;
    struct arena arena;             /* of all arrays */
};

/* A direction in (t, q, v, s, rho); NULL parts are zero; parameter -1: none. */
struct state_direction {
    double t;
    const double *q, *v, *s;
    int parameter;
};

/* Column j of the state x [dim]: along the parameter that it belongs to. */
static inline struct state_direction system_column(const struct system *system,
                                                   const double *x, int j)
{
    const double *X = x + (j + 1) * system->state, *V = X + system->model->n;
    return (struct state_direction){.q = X, .v = V, .s = V + system->model->n,
                                    .parameter = system->parameter[j]};
}

/* What integrators ask of the equations: rates alone, of one run, or of many beside each
   other; the equations themselves, that are solved for them together with their own
   (integrator.h); one, and the other where these can be had. */
enum system_use { SYSTEM_RATES, SYSTEM_RATES_BESIDE, SYSTEM_EQUATIONS, SYSTEM_BOTH };

/* Compiles. `rho` [model->p] values. BAD_INPUT, NOT_SPD: an option; NOT_APPLICABLE. */
enum status system_new(const struct model *model, const struct formulation *formulation,
                       const char *const *option, const double *rho, int p,
                       const int *parameter, enum system_use use, struct system **out,
                       struct diagnosis *diagnosis);
/* The programs of mode k, for system_new alone. */
enum status system_compile_mode(struct system *system, int k, const char *const *option,
                                enum system_use use, struct diagnosis *diagnosis);
void system_free(struct system *system);
/* Other values of the parameters; evaluations are counted from here. */
void system_set(struct system *system, const double *rho);
void system_use_code(struct system *system, enum code_use use);
/* From now on the motion is that of this mode. */
void system_enter(struct system *system, struct mode_system *ms);

/* Solves R(u) = 0 at (t, q, v, s): fills a [n], lambda [m] and leaves in `ms` what rates
   and tangents there need. By the program that does so beforehand (explicit_rhs.h) where
   it can be trusted, else with pivots. SINGULAR, NOT_FINITE, NO_CONVERGENCE. */
enum status system_solve(struct system *system, struct mode_system *ms, double t,
                         const double *q, const double *v, const double *s, double *a,
                         double *lambda);
/* With pivots in any case: leaves the factorisation of R_u and the rows of `motion`. */
enum status system_factor(struct system *system, struct mode_system *ms, double t,
                          const double *q, const double *v, const double *s, double *a,
                          double *lambda);
/* s' and z' at the point last solved; either may be NULL. */
void system_rates(const struct mode_system *ms, double *f_s, double *g);
/* da, dlambda along a direction at the point last solved, and ds', dz' (may be NULL). */
void system_tangent(struct system *system, struct mode_system *ms,
                    const struct state_direction *direction, double *da, double *dlambda,
                    double *df_s, double *dg);
/* u' = d/dt (a, lambda) along the motion at the point last solved. */
void system_rate_of_unknowns(struct system *system, struct mode_system *ms,
                             const double *v, const double *f_s, double *a_dot,
                             double *lambda_dot);
/* x [unknowns] = R_u^-1 x, with the factors of the point last factorised. */
void system_solve_linear(const struct mode_system *ms, double *x);
/* The Taylor coefficient u_k of the unknowns from what R has there with the u_k that is
   given: u_k -= R_u^-1 R_k, after system_factor. Returns the largest correction, in units
   of the unknowns. */
double system_correct(struct mode_system *ms, const double *R_k, double *a_k,
                      double *lambda_k);

/* Projection of the formulation, if it has one: x with all its columns onto the
   constraints. Wherever an arc starts or an event is; and after each step? */
enum status system_project(struct system *system, double t, double *x);
static inline bool system_projects_steps(const struct system *system)
{
    return system->now->projecting && system->formulation->kind == ALGEBRAIC;
}
/* A new arc starts at x. */
enum status system_project_restart(struct system *system, double t, double *x);
/* A step to x has been accepted. */
void system_review(struct system *system, double t, const double *x);

/* seen_first, seen of a mode whose guards are compiled. */
void guards_find_seen(const struct model *model, struct mode_system *ms);
/* Guards of a mode at a state x [2n + ns]: r [guards]; a and lambda only matter, and may
   else be NULL, if guards_use_unknowns. Leaves the rows in ms for guard_tangent. */
void system_guards(struct mode_system *ms, double t, const double *x, const double *a,
                   const double *lambda, double *r);
/* The same of guards that do not use unknowns, and after them of monitors of edges, as in
   step_monitors.h: r [look.rows]; the rows of the program are not asked for. */
void system_guard_values(struct mode_system *ms, double t, const double *x, double *r);

/* The right-hand side x' of a run, for an integrator; context: struct system. Of what is
   not finite only the solver with pivots knows the reason. */
enum status system_rhs(void *context, double t, const double *x, double *dx);
/* At the start of a run: can the equations be solved at x by the program that does so
   beforehand (explicit_rhs.h)? dx [dim]: scratch. */
void system_trust(struct system *system, double t, const double *x, double *dx);
/* From now on, on this arc, the right-hand side is solved with pivots, or is not where it
   need not be; returns how it was. */
bool system_rhs_pivots(struct system *system, bool pivots);
/* The same where a new arc starts, which decides how it is evaluated on the arc. */
enum status system_rhs_restart(struct system *system, double t, const double *x,
                               double *dx);

/* Series of that mode, for its parameters (motion_series.h). */
struct motion_series *system_motion_series(const struct system *system,
                                           struct mode_system *ms, int order);
/* The Taylor series of a run, for an integrator that takes them; context: struct system.
   What system_factor refuses; NOT_APPLICABLE where multipliers are not those of one
   linear system: iterated, or of redundant constraints. */
enum status system_series(void *context, double t, int order, double *const *x);

/* The equations of a mode for implicit integrators, system_stage.c. NULL and a diagnosis
   when the formulation has none. */
struct stage_equations *stage_equations_new(const struct system *system,
                                            const struct mode *mode,
                                            const struct residual *residual);
void stage_equations_free(struct stage_equations *stage);
/* rho [model->p] */
void stage_equations_set(struct stage_equations *stage, const double *rho);
/* system->implicit becomes that of the mode `now`; all of its modes have been
   compiled. */
void stage_equations_enter(struct system *system);
/* a, lambda (or da, dlambda) among the unknowns of a step, integrator.h `unknowns` */
void stage_equations_observe(const struct system *system, const double *w, double *a,
                             double *lambda);

#endif
