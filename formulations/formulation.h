/*
 * formulation.h - how the equations of motion of a mode are posed.
 *
 * A formulation turns M, F, Phi into a residual R, and its table says which models the
 * formulation takes. R is written as formulas, so every arithmetic and every derivative
 * of R exists at once. A new formulation is a const table in a file of its own and a line
 * in catalogue.def.
 */
#ifndef SALTUS_FORMULATION_H
#define SALTUS_FORMULATION_H

#include "base/api.h"
#include "model.h"

SALTUS_API_BEGIN

/* An option: its name, its nominal value as exact text, its meaning for the user. Options
   that are matrices are read by option_matrix(). */
struct formulation_option {
    const char *name, *nominal, *meaning;
};

enum capability {
    TAKES_CONSTRAINTS  = 1 << 0,    /* modes with m > 0 are accepted */
    TAKES_UNCONSTRAINED = 1 << 1,   /* models without any constraint are accepted */
    TAKES_VELOCITY_LEVEL = 1 << 2,  /* nonholonomic rows are accepted */
    TAKES_CONSTRAINT_CHANGE = 1 << 3,   /* events may add or drop constraints */
    KEEPS_CONSTRAINTS  = 1 << 4,    /* Phi_q Q + Phi_rho = 0 holds: the exact motion */
    DRIFTS_OFF         = 1 << 5     /* no term takes back the rounding of Phidd */
};

struct linear_method;       /* linear/linear.h */
struct projection;          /* projection/projection.h */

struct formulation {
    const char *name, *title, *source;
    enum residual_kind kind;
    int index;                  /* differential index of a DAE; 0: ALGEBRAIC */
    unsigned capabilities;      /* enum capability, or-ed */
    const struct formulation_option *options;   /* ends with a NULL name; may be NULL */
    /* Residual of one mode; `value` holds the options in the order of `options`. NULL and
       a diagnosis (BAD_INPUT: an option; NOT_SPD: a matrix) if there is no residual.
       `model` is a branch (model.h), the caller's own: formulas may be written on its
       tape. Several threads may be in here at once, each with a branch of its own. */
    struct residual *(*residual)(const struct model *model, const struct mode *mode,
                                 const char *const *value, struct diagnosis *diagnosis);
    /* ALGEBRAIC: the linear solver of systems with R_u. A pointer that is NULL, and a
       result of NULL without diagnosis, mean LU. An option with an unknown value gives
       NULL and a diagnosis. */
    const struct linear_method *(*linear)(const char *const *value,
                                          struct diagnosis *diagnosis);
    /* Projection of the state after each step; of the state of a DAE only at events,
       where guards, jumps and the next arc need a state and derivatives that are
       consistent to rounding. NULL: none. */
    const struct projection *projection;
    /* DAE: the ALGEBRAIC formulation, without options, of the same motion. This one gives
       a and lambda at the start and at events (the consistent restart), and to guards
       that depend on a or lambda between steps. ALGEBRAIC: the formulation, without
       options, whose residual this one solves in another way; NULL: none. */
    const struct formulation *reduced;
};

/* The formulations, NULL-terminated; plug-ins add to the list before the first run
   (registry.h). */
extern const struct formulation *formulations[] SALTUS_WORD(formulations);
/* NULL: there is no formulation of this name. */
const struct formulation *formulation_find(const char *name);

/* The plainest that follows the exact motion: ode without constraints, else index1. */
const struct formulation *formulation_default(const struct model *model);

/* True if the formulation applies to the model. `why` (may be NULL) gets the reason in
   words if not, else NULL. */
bool formulation_applies(const struct formulation *formulation, const struct model *model,
                         const char **why);

/* Options filled up with nominal values: each that is NULL, or all if `value` is NULL.
   The result is the array `filled`, padded with NULL. */
enum { MOST_OPTIONS = 16 };
const char *const *options_filled(const struct formulation *formulation,
                                  const char *const *value,
                                  const char *filled[MOST_OPTIONS]);

/* Writes the rows that most residuals begin with: M a + Phi_q' lambda - F = 0 in rows
   [0, n), and the unknowns a [n], then lambda [m]. */
void residual_balance(const struct model *model, const struct mode *mode,
                      struct residual *residual);

/* formulation->residual with its result checked: kind and number of rows, every unknown
   at most once, all of a among them. Options that are NULL are nominal. NULL and a
   diagnosis on a fault (BAD_INPUT), and on a refusal of the formulation. */
struct residual *formulation_residual(const struct formulation *formulation,
                                      const struct model *model, const struct mode *mode,
                                      const char *const *value,
                                      struct diagnosis *diagnosis);

/* Reads the exact matrix of an option text: "x" (x times identity), "x,y,.." (m numbers:
   diagonal) or m*m numbers by rows, which semicolons may end: "x,y;y,z". out [m*m] gets
   formulas. OK; BAD_INPUT names the option and its text. */
enum status option_matrix(const struct model *model, const char *name, const char *text,
                          int m, formula *out, struct diagnosis *diagnosis);

SALTUS_API_END

#endif
