/*
 * formulation.h - how the equations of motion of a mode are posed.
 *
 * A formulation turns M, F, Phi into a residual R (written as formulas, so that every
 * arithmetic and every derivative of it exists at once) and says what it can do. Adding
 * one: a const table in a file of its own and a line in catalogue.def.
 */
#ifndef SALTUS_FORMULATION_H
#define SALTUS_FORMULATION_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

/* An option with its nominal value, as exact text; matrices: see truth in reference.h. */
struct formulation_option {
    const char *name, *nominal, *meaning;
};

enum capability {
    TAKES_CONSTRAINTS  = 1 << 0,    /* modes with m > 0 */
    TAKES_UNCONSTRAINED = 1 << 1,   /* models in which no mode has constraints */
    TAKES_VELOCITY_LEVEL = 1 << 2,  /* nonholonomic rows */
    TAKES_CONSTRAINT_CHANGE = 1 << 3,   /* events that add or drop constraints */
    KEEPS_CONSTRAINTS  = 1 << 4,    /* Phi_q Q + Phi_rho = 0 holds: the exact motion */
    DRIFTS_OFF         = 1 << 5     /* nothing takes back what rounding leaves of Phidd */
};

struct linear_method;       /* linear/linear.h */
struct projection;          /* projection/projection.h */

struct formulation {
    const char *name, *title, *source;
    enum residual_kind kind;
    int index;                  /* DAE: the differential index; 0: ALGEBRAIC */
    unsigned capabilities;
    const struct formulation_option *options;   /* ends with a NULL name; may be NULL */
    /* Residual of one mode; `value` holds the options in the order of `options`. NULL and
       a diagnosis when it cannot be written (BAD_INPUT: an option; NOT_SPD: a matrix).
       `model` is a branch (model.h), the caller's own: formulas may be written on its
       tape. Several threads may be in here at once, each with a branch of its own. */
    struct residual *(*residual)(const struct model *model, const struct mode *mode,
                                 const char *const *value, struct diagnosis *diagnosis);
    /* ALGEBRAIC: how systems with R_u are solved. NULL, or a result of NULL: LU. On an
       option it does not know, NULL and a diagnosis. */
    const struct linear_method *(*linear)(const char *const *value,
                                          struct diagnosis *diagnosis);
    /* What is applied to the state after each step; to that of a DAE only at events,
       where everything else that is computed there (guards, jumps, the next arc) needs a
       state and derivatives that are consistent to rounding. NULL: nothing. */
    const struct projection *projection;
    /* DAE: the ALGEBRAIC formulation, without options, of the same motion. It gives a and
       lambda where the DAE alone does not: at the start, at events (which is the
       consistent restart), and what guards on them see between steps. */
    const struct formulation *reduced;
};

/* NULL-terminated; plug-ins add to it before the first run (registry.h). */
extern const struct formulation *formulations[] SALTUS_WORD(formulations);
const struct formulation *formulation_find(const char *name);   /* NULL: no such */

/* The plainest that follows the exact motion: ode without constraints, else index1. */
const struct formulation *formulation_default(const struct model *model);

/* Does it apply to this model? If not, `why` says so in words. */
bool formulation_applies(const struct formulation *formulation, const struct model *model,
                         const char **why);

/* The options with those that are NULL as they are nominal: all where `value` is NULL.
   The array `filled` has room for them; it is returned. */
enum { MOST_OPTIONS = 16 };
const char *const *options_filled(const struct formulation *formulation,
                                  const char *const *value,
                                  const char *filled[MOST_OPTIONS]);

/* What most residuals begin with: M a + Phi_q' lambda - F = 0 in rows [0, n), and the
   unknowns a, then lambda. */
void residual_balance(const struct model *model, const struct mode *mode,
                      struct residual *residual);

/* formulation->residual, checked: of the right kind and size, every unknown once, all of
   a among them. Options that are NULL are nominal. NULL and a diagnosis as there. */
struct residual *formulation_residual(const struct formulation *formulation,
                                      const struct model *model, const struct mode *mode,
                                      const char *const *value,
                                      struct diagnosis *diagnosis);

/* Exact matrix of an option text: "x" (x times identity), "x,y,.." (m: diagonal) or m*m
   numbers by rows, which semicolons may end: "x,y;y,z". out [m*m] formulas. BAD_INPUT
   names the option and what it holds. */
enum status option_matrix(const struct model *model, const char *name, const char *text,
                          int m, formula *out, struct diagnosis *diagnosis);

SALTUS_API_END

#endif
