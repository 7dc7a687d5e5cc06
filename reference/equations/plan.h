/*
 * plan.h - equations of motion of the reference, their variational equations and resets,
 * sealed into programs.
 *
 * The equations are built here from M, F, Phi, with derivatives of derive.h. Exact motion
 * (index 1), unknowns u = (a, lambda):
 *
 *     M a + Phi_q' lambda - F = 0,      Phidd = 0
 *
 * If constraints depend on others, Phi_q' lambda is determined but lambda is not; lambda
 * of minimum norm is taken, the one in the range of Phi_q. Unknowns (a, lambda, mu):
 *
 *     M a + Phi_q' lambda - F = 0,      lambda - Phi_q Phi_q' mu = 0
 *     Phidd_i = 0 of independent constraints i,  mu_i = 0 of those that depend on them
 *
 * Impulses through rows Psi that depend on others are treated alike: impulse - Psi_q
 * Psi_q' mu = 0, at q+, with the velocity conditions of the independent rows.
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
 * There lambda is determined, whether or not constraints depend on others.
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
#include "program/stages.h"
#include "reference.h"

/* The equations of motion of a mode. Outputs of `program` are

       R [rows]  f_s [ns]  g [nz]  guard [guards]

   from `tangent` on their derivatives along (q, v, s, u, rho) at fixed t, and from
   `edges` on monitors of the edges and domains of the mode (formula/domain_edges.h):

       zero [count]  beside [count]  inside [domains] */
struct motion_plan {
    int unknowns;                   /* n + m; with mu, n + 2m */
    int rows;                       /* As many as unknowns; with mu, n + 3m in the
                                       order Newton [n] range [m] Phidd [m] mu [m]. The
                                       solver takes Phidd_i or mu_i for each i. */
    int f_s, g, guard, tangent;     /* first output of each kind; R begins at 0 */
    int edges, inside;              /* first output of the edges, of the domains */
    struct program *program;        /* NULL: the mode has no such equations */
    struct program *matrix;         /* R_u [rows * unknowns] */
    bool affine;                    /* R_u does not depend on u */
};

/* The programs of a mode. */
struct mode_plan {
    const struct mode *mode;
    int guards;
    const struct event **event;     /* [guards] events that leave this mode */
    struct motion_plan motion;      /* equations with the unknowns a, lambda */
    struct motion_plan dependent;   /* equations with the unknowns a, lambda, mu; of an
                                       exact motion with constraints only */
    /* Outputs: Phi [m] Phid [m] energy, Phi_q [m*n] Phid_v [m*n], then the derivatives
       of Phi and Phid along (t, q, v, s, rho). */
    struct program *constraint;
};

/* A reset. Outputs of `program`: J [rows], cost [nz], then their derivatives along all
   blocks. */
struct reset_plan {
    int unknowns;                   /* length of w = (q+, v+, s+, impulse); with mu, of
                                       w and mu [impulses] */
    int rows;                       /* as many as unknowns, or more, of which the
                                       solver takes some */
    struct program *program;        /* NULL: the event has no such equations */
    struct program *matrix;         /* Outputs: J_w [rows * unknowns], then three
                                       formulas of energy: its imbalance, the energy
                                       before, and the work of the impulse. */
};

/* The programs of an event. */
struct event_plan {
    const struct event *event;
    struct program *guard;          /* the guard r; with tangents, its derivative along
                                       all blocks, too */
    struct program *terms;          /* x dr/dx of all quantities x that r depends on */
    /* Edges of the reset, and of the conditions (edges_formulas). */
    struct program *edges, *condition_edges;
    struct program *condition;      /* [conditions], then their derivatives along all
                                       blocks; NULL: the event has none */
    struct reset_plan independent;  /* the residual J of derive_reset */
    struct reset_plan dependent;    /* the residual with mu; rows q+ [n] momentum [n]
                                       s+ [ns] range [impulses] velocity [impulses] mu
                                       [impulses] */
};

/* All programs of a model, for one motion. */
struct plan {
    const struct model *model;      /* the branch; results are of the request's model */
    struct model *branch;
    bool exact, tangents;
    struct mode_plan *mode;         /* [modes] */
    struct event_plan *event;       /* [events] */
    struct program *nominal;        /* nominal parameters [p] */
    /* Outputs: t0 t_end q0 [n] v0 [n] s0 [ns], guesses of q [n] v [n] s [ns], then
       derivatives of all by rho. */
    struct program *start;
    /* Phi at position level, Phid and Gamma, of a case with start rows. Outputs: the
       rows, their matrix by (q, v, s), row by row, then the derivatives of the rows along
       (t, q, v, s, rho). NULL: there are no start rows. */
    struct program *joint;
    int joint_rows;
    struct program *end;            /* w [nz], then its derivatives along (t, q, v, s,
                                       rho) */
    /* Edges of start rows, of terminal costs, and of formulas of parameters alone: zero,
       beside, then inside. */
    struct program *start_edges, *end_edges, *steady_edges;
};

/* Builds all programs of a model; `tangents`: with derivatives along directions. NULL,
   with the status in the diagnosis, when the variant or its matrices do not fit the
   model: BAD_INPUT or NOT_SPD (plan_matrices). Free by plan_free. */
struct plan *plan_new(const struct model *model, const struct truth *truth, bool tangents,
                      struct diagnosis *diagnosis);
void plan_free(struct plan *plan);

/* OK if the truth fits the model. BAD_INPUT: the variant is not known, or the policy
   is not that of the model, or the motion does not have it (options.c). */
enum status plan_check_truth(const struct model *model, const struct truth *truth,
                             struct diagnosis *diagnosis);
/* The three matrices of the penalty family, [m * m] formulas each (options.c).
   BAD_INPUT: alpha is missing, or a text is not a matrix. NOT_SPD: a matrix is not
   symmetric, or alpha not positive definite. */
enum status plan_matrices(const struct model *model, int m, const struct truth *truth,
                          formula *alpha, formula *K_D, formula *K_P,
                          struct diagnosis *diagnosis);

#endif
