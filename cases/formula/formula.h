/*
 * formula.h - recorded formulas.
 *
 * A formula is a row of a tape: a straight-line program in which equal rows are stored
 * once (hash-consed). Writing a formula evaluates nothing; program.h seals rows into a
 * program that every arithmetic can run, diff.h writes derivatives as further rows.
 *
 * Threads: words that write formulas belong to the thread that owns the tape. The tape of
 * a completed model is only read, by any number of threads.
 *
 * A formula that was never set (all bytes zero) is the exact zero: sparse matrices are
 * arrays of formulas in which most were never written.
 */
#ifndef SALTUS_FORMULA_H
#define SALTUS_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/api.h"

SALTUS_API_BEGIN

struct tape;

/* A row of a tape; value-like. tape == NULL is the exact zero. */
typedef struct {
    struct tape *tape;
    int row;
} formula;

/* What a variable of a formula stands for. */
enum block {
    BLOCK_T,        /* time, 1 */
    BLOCK_Q,        /* coordinates q, n */
    BLOCK_V,        /* velocities v, n */
    BLOCK_S,        /* auxiliary and latched states s, ns */
    BLOCK_A,        /* accelerations a, n */
    BLOCK_LAMBDA,   /* multipliers lambda, m of the mode */
    BLOCK_RHO,      /* parameters rho, p */
    BLOCK_Q_PLUS,   /* after an event: q+, n */
    BLOCK_V_PLUS,   /* v+, n */
    BLOCK_S_PLUS,   /* s+, ns */
    BLOCK_IMPULSE,  /* impulses of an event, one per row of Psi */
    BLOCK_QD,       /* q' where a formulation does not take q' = v, n */
    BLOCK_SD,       /* s' as an unknown, ns */
    BLOCK_MU,       /* further multipliers of a formulation, m of the mode */
    BLOCK_TWIN,     /* coordinates of another case with the same motion (model.h) */
    BLOCKS,
    BLOCK_COPIES = 4,                     /* values, two directions, and their product */
    BLOCK_LIMIT = BLOCKS * BLOCK_COPIES
};

/* The block that holds the components of a direction (dt, dq, dv, ...), copy 1, 2
   or 3. */
#define DIRECTION(block, copy) ((int)(block) + (copy) * (int)BLOCKS)
#define TANGENT(block) DIRECTION(block, 1)

enum op {
    OP_CONSTANT,    /* a: index of the constant */
    OP_PI,
    OP_VARIABLE,    /* a: block, b: index in the block */
    OP_POWI,        /* a: row, b: integer exponent, not 0 or 1 */
#define OP(NAME, ...) OP_##NAME,
#include "formula/ops.def"
#undef OP
    OPS
};

/* One line of ops.def as data; rows of the four operations above it have arity -1 (0 for
   the leaves) and no partials. */
struct op_info {
    const char *text;
    int arity;
    const char *partial[2];
    const char *domain;
};
extern const struct op_info op_info[OPS] SALTUS_WORD(op_info);

struct tape *tape_new(void);
void tape_free(struct tape *tape);

/* Leaves. A constant is given as decimal text ("0.1", "-3", "6.02e23", read without
   regard to locale, kept exactly); text that is not a number aborts: it is the caller's
   slip. */
formula variable(struct tape *tape, int block, int index) SALTUS_WORD(variable);
formula constant(struct tape *tape, const char *decimal) SALTUS_WORD(constant);
formula integer(struct tape *tape, long value) SALTUS_WORD(integer);
formula pi_formula(struct tape *tape) SALTUS_WORD(pi_formula);

/* Words. An operand that was never set counts as zero. Trivial cases (0 + a, 1 a, a/1,
   integer constants) are folded, so that sparse derivatives stay sparse. */
formula add(formula a, formula b) SALTUS_WORD(add);
formula sub(formula a, formula b) SALTUS_WORD(sub);
formula mul(formula a, formula b) SALTUS_WORD(mul);
/* Aborts where b was never set. */
formula quotient(formula a, formula b) SALTUS_WORD(quotient);
formula negate(formula a) SALTUS_WORD(negate);
/* Integer power, by multiplication. */
formula power(formula a, int exponent) SALTUS_WORD(power);
/* Operations of ops.def, of one operand and of two. */
formula apply(enum op op, formula a) SALTUS_WORD(apply);
formula apply2(enum op op, formula a, formula b) SALTUS_WORD(apply2);
formula sum(const formula *a, int count) SALTUS_WORD(sum);
formula dot(const formula *a, const formula *b, int count) SALTUS_WORD(dot);

/* Was it never set, or is it the constant 0? */
bool is_zero(formula a) SALTUS_WORD(is_zero);
/* Are both the same row, or both zero? */
bool same_formula(formula a, formula b) SALTUS_WORD(same_formula);
/* Does it depend on no variable but rho and drho? */
bool is_steady(formula a) SALTUS_WORD(is_steady);

/* Read access to rows, for program.c, diff.c and printing. */
struct tape_row {
    enum op op;
    int a, b;
};
int tape_rows(const struct tape *tape);
struct tape_row tape_row(const struct tape *tape, int row);
const char *tape_constant(const struct tape *tape, int index);   /* "981e-2" */

/* The formula as infix text, at most `size` bytes, cut with "..." where it is longer.
   Variables print as names[...] if given by the model, else as q[0], v[1]. */
struct names;
void formula_print(formula a, const struct names *names, char *text, int size);
/* All of it, however long (rows that are used twice are written twice: it may grow like
   2^rows), malloc'ed. A row other than a itself that has a name in given[row] is written
   as that; `given` may be NULL. */
char *formula_text(formula a, const struct names *names, const char *const *given);

SALTUS_API_END

#endif
