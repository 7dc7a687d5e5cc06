/*
 * plan.h - what the reference evaluates: its own equations, sealed into programs.
 *
 * The equations are built here from M, F, Phi, with derivatives of derive.h. Exact
 * motion, unknowns u = (a, lambda):
 *
 *     M a + Phi_q' lambda - F = 0,      Phidd = 0
 *
 * Where constraints depend on others, Phi_q' lambda is determined but lambda is not, and
 * lambda of minimum norm is meant: the one in the range of Phi_q. Unknowns (a, lambda,
 * mu):
 *
 *     M a + Phi_q' lambda - F = 0,      lambda - Phi_q Phi_q' mu = 0
 *     Phidd_i = 0 of independent constraints i,  mu_i = 0 of those that depend on them
 *
 * So it is with impulses through rows Psi that depend on others:
 * impulse - Psi_q Psi_q' mu = 0, at q+, and of the velocity conditions those of
 * independent rows.
 *
 * Every unknown is a function of the state, whichever independent rows are taken, so
 * derivatives along the motion and by parameters follow as for any other residual; no
 * pseudo-inverse is formed or frozen.
 *
 * Penalty family, in the n x n form of Corner, Sandu, Sandu 2019, (64), with lambda*
 * beside it as an explicit row:
 *
 *     M a + Phi_q' y - F = 0,           y = alpha (Phidd + K_D Phid + K_P Phi)
 *     lambda - y = 0
 *
 * lambda is determined there, dependent constraints or not.
 *
 * Along directions (the variational route) rows are differentiated by formula/diff.h, as
 * in double; the route of differences, which has no such rows, judges them.
 *
 * All derivatives are rows of the tape of the plan's branch of the model (model.h),
 * written here: the model is only read. After plan_new the branch is only read, too, so
 * threads may share one plan.
 */
#ifndef SALTUS_PLAN_H
#define SALTUS_PLAN_H

#include "derive.h"
#include "program/program.h"
#include "reference.h"

/* Stages of all programs below. */
enum plan_stage {
    STAGE_RHO = 1,      /* parameters */
    STAGE_STATE,        /* t, q, v, s */
    STAGE_UNKNOWN,      /* a, lambda, mu; after an event q+, v+, s+, impulse */
    STAGE_LANE,         /* directions of all of the above but the unknowns */
    STAGE_LANE_UNKNOWN  /* directions of the unknowns */
};

/* The equations of motion of a mode. Outputs of `program` are
       R [rows]  f_s [ns]  g [nz]  guard [guards]
   from `tangent` on their derivatives along (q, v, s, u, rho) at fixed t, and from
   `edges` on monitors of the edges of the mode (formula/edges.h):
       zero [moving]  beside [moving] */
struct motion_plan {
    int unknowns;                   /* n + m, with mu n + 2m */
    int rows;                       /* as many; with mu n + 3m, of which the solver takes
                                       Phidd_i or mu_i for each i:
                                       Newton [n] range [m] Phidd [m] mu [m] */
    int f_s, g, guard, tangent;     /* first output of each kind; R is at 0 */
    int edges;
    struct program *program;        /* NULL: this mode has no such equations */
    struct program *matrix;         /* R_u [rows * unknowns] */
    bool affine;                    /* R_u does not depend on u */
};

struct mode_plan {
    const struct mode *mode;
    int guards;
    const struct event **event;     /* [guards] events that leave this mode */
    struct motion_plan motion;      /* unknowns a, lambda */
    struct motion_plan dependent;   /* a, lambda, mu: exact motion with constraints */
    /* Phi [m] Phid [m] energy, Phi_q [m*n] Phid_v [m*n], then
       Phi, Phid along (t,q,v,s,rho) */
    struct program *constraint;
};

/* A reset. `program`: J [rows], cost [nz], then their derivatives along everything. */
struct reset_plan {
    int unknowns;                   /* q+, v+, s+, impulse: w; with mu w + impulses */
    int rows;                       /* as many, or more, of which some are solved */
    struct program *program;        /* NULL: this event has no such equations */
    struct program *matrix;         /* J_w [rows * unknowns]; then the imbalance of
                                       energy, the energy before, the impulse's work */
};

struct event_plan {
    const struct event *event;
    struct program *guard;          /* r, and with derivatives its one along everything */
    struct program *terms;          /* x dr/dx of the quantities x that r depends on */
    struct program *edges;          /* zero [moving], beside [moving] of the reset */
    struct program *condition;      /* [conditions], then their derivatives along
                                       everything; NULL: it has none */
    struct reset_plan independent;  /* J of derive_reset */
    struct reset_plan dependent;    /* with mu, rows q+ [n] momentum [n] s+ [ns] range
                                       [impulses] velocity [impulses] mu [impulses] */
};

struct plan {
    const struct model *model;      /* the branch; results are of the request's model */
    struct model *branch;
    bool exact, tangents;
    struct mode_plan *mode;         /* [modes] */
    struct event_plan *event;       /* [events] */
    struct program *nominal;        /* nominal parameters [p] */
    /* t0 t_end q0 [n] q_guess [n] v0 [n] s0 [ns], then their derivatives by rho */
    struct program *start;
    struct program *end;            /* w [nz], then its derivatives along (t,q,v,s,rho) */
    struct program *end_edges, *steady_edges;       /* zero, beside of these */
};

/* `tangents`: with derivatives. NULL and BAD_INPUT, NOT_SPD or NOT_APPLICABLE when the
   variant or its matrices do not fit the model. */
struct plan *plan_new(const struct model *model, const struct truth *truth, bool tangents,
                      struct diagnosis *diagnosis);
void plan_free(struct plan *plan);

/* BAD_INPUT where the variant is not known, or the policy is not that of the model or not
   one that the motion has (options.c). */
enum status plan_check_truth(const struct model *model, const struct truth *truth,
                             struct diagnosis *diagnosis);
/* The three matrices of the penalty family, [m * m] formulas each (options.c). */
enum status plan_matrices(const struct model *model, int m, const struct truth *truth,
                          formula *alpha, formula *K_D, formula *K_P,
                          struct diagnosis *diagnosis);

#endif
