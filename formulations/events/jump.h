/*
 * jump.h - saltation of sensitivities at an event (Rozenvasser 1967; Hiskens, Pai 2000).
 *
 * A jump rule is a table entry, which is given everything known on both sides of the
 * event and the derivatives of guard, reset and equations of motion as services, and
 * fills the sensitivities after the event. The general rule is `saltation`: with the
 * guard r, its rate rd along the motion, u = (a, lambda), and the reset J(w; t, q-, v-,
 * s-, u-, rho) = 0 in w = (q+, v+, s+, impulse),
 *
 *     tau = dt_e/drho = -(r_q Q- + r_v V- + r_s S- + r_u U- + r_rho) / rd
 *     dq = Q- + v- tau    dv = V- + a- tau    ds = S- + f_s- tau    du = U- + u'- tau
 *     J_w dw + J_q dq + J_v dv + J_s ds + J_u du + J_t tau + J_rho = 0
 *     Q+ = dq+ - v+ tau   V+ = dv+ - a+ tau   S+ = ds+ - f_s+ tau
 *     Z+ = Z- - (g+ - g-) tau
 *
 * and A+, Lambda+ from the equations after the event alone: multipliers have no memory.
 * Threads: a rule is constant and may be asked by several threads at once; `work` is that
 * of one run.
 * The theorems of Corner, Sandu and Sandu 2019 and their printed variants are further
 * rules, so that rule and general form can be compared term by term.
 */
#ifndef SALTUS_JUMP_H
#define SALTUS_JUMP_H

#include "base/api.h"
#include "columns.h"
#include "model.h"

SALTUS_API_BEGIN

struct jump_work;       /* services: programs and factors at the event, jump_services.c */
struct jump_rule;

/* Values on one side of the event. */
struct jump_side {
    const struct mode *mode;
    const double *q, *v, *s, *a, *lambda;   /* [n] [n] [ns] [n] [m] */
    const double *f_s, *g;                  /* [ns] [nz] s' and z' on this side */
};

struct jump {
    const struct model *model;
    const struct event *event;
    double t;
    struct jump_side before, after;
    const double *impulse;                  /* [event->impulses] */
    const double *a_dot, *lambda_dot;   /* u' before the event: d/dt along the motion */
    double rate;                            /* rd */
    bool keeps_constraints;                 /* the formulation follows the exact motion */
    bool without_unknowns;                  /* A+, Lambda+ are not wanted; A-, Lambda- and
                                               u' are NAN unless guard or reset take u */
    const struct jump_rule *rule;           /* the rule in use: a rule with data of its
                                               own stands first in a struct with them */
    struct jump_work *work;
};

/* Sensitivities by one parameter on one side. */
struct jump_column {
    double *Q, *V, *S, *A, *Lambda, *Z;
};

/* A direction in which guard and reset are differentiated; NULL parts are zero. */
struct jump_direction {
    double t;
    const double *q, *v, *s, *a, *lambda;
    int parameter;                          /* index in the model of drho = 1; -1: none */
};

/* Services. */
/* Returns r' in a direction. */
double jump_guard(const struct jump *jump, const struct jump_direction *direction);
/* Sets dw [event->w] from J_w dw = -(J' in a direction). NOT_FINITE. */
enum status jump_reset(const struct jump *jump, const struct jump_direction *direction,
                       double *dw);
/* Sets A+, Lambda+ from the post-event equations alone, given Q+, V+, S+ in `after`, if
   unknowns are wanted. */
enum status jump_algebraic(const struct jump *jump, int parameter,
                           struct jump_column *after);
/* Sets Q+_dep from Phi+_q Q + Phi+_rho = 0 with Q+_dof given, (86), (88b) of Corner
   et al. 2019, and V+_dep from (87), (90c). dof[n] tells which coordinates are given.
   SINGULAR: the constraints do not determine the others. */
enum status jump_dependent(const struct jump *jump, int parameter, const bool *dof,
                           struct jump_column *after);
/* Returns the derivative of event cost k in a direction, with dw. */
double jump_cost(const struct jump *jump, int k, const struct jump_direction *direction,
                 const double *dw);

struct jump_rule {
    const char *name, *title, *source;
    /* NULL: applies to every event; else says whether, and why not. In a run, events to
       which the rule does not apply take the general one. */
    bool (*applies)(const struct event *event, const char **why);
    /* dt_e/drho_j */
    enum status (*tau)(const struct jump *jump, int parameter,
                       const struct jump_column *before, double *tau);
    /* every part of `after` */
    enum status (*apply)(const struct jump *jump, int parameter,
                         const struct jump_column *before, double tau,
                         struct jump_column *after);
};

/* NULL-terminated; first: default; plug-ins add before the first run (registry.h). */
extern const struct jump_rule *jump_rules[] SALTUS_WORD(jump_rules);
const struct jump_rule *jump_rule_find(const char *name);

/* The general rule, for others to build on. */
enum status saltation_tau(const struct jump *jump, int parameter,
                          const struct jump_column *before, double *tau);
enum status saltation_apply(const struct jump *jump, int parameter,
                            const struct jump_column *before, double tau,
                            struct jump_column *after);

SALTUS_API_END

#endif
