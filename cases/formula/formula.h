/*
 * formula.h - expression graphs: formulas recorded on a tape in which equal rows are
 * stored once (hash-consing, common subexpressions).
 *
 * A formula is a row of a tape, which is a straight-line program. Writing a formula
 * evaluates nothing; program.h seals rows into a program that every arithmetic can run,
 * diff.h writes derivatives as further rows.
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

/* A row of a tape, copied like a value. tape == NULL is the exact zero. */
typedef struct {
    struct tape *tape;
    int row;
} formula;

/* Kinds of variables. After the meaning stands the number of variables of the block. */
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
    BLOCK_ITERATED, /* variables that a right-hand side iterates
                       (explicit/explicit_iterate.h): tearing variables, then mu */
    BLOCK_FOUND,    /* these variables, where the iteration has ended */
    BLOCK_TWIN,     /* coordinates of another case with the same motion (model.h) */
    BLOCK_WEIGHT,   /* weights of a sum of formulas whose gradient is taken */
    BLOCK_ADJOINT,  /* solution of the transposed equations with such weights */
    BLOCKS,
    BLOCK_COPIES = 4,                     /* values, two directions, and the product of
                                             both */
    BLOCK_LIMIT = BLOCKS * BLOCK_COPIES
};

/* The block that holds the components of a direction (dt, dq, dv, ...); copy 1, 2 or
   3. */
#define DIRECTION(block, copy) ((int)(block) + (copy) * (int)BLOCKS)
#define TANGENT(block) DIRECTION(block, 1)

/* Operations of rows; below them, the members a, b of struct tape_row. */
enum op {
    OP_CONSTANT,    /* a: index of the constant */
    OP_PI,
    OP_VARIABLE,    /* a: block, b: index in the block */
    OP_POWI,        /* a: row, b: integer exponent, neither 0 nor 1 */
#define OP(NAME, ...) OP_##NAME,
#include "formula/ops.def"
#undef OP
    OPS
};

/* One line of ops.def as data. The four operations before those of ops.def have no
   partials, and arity 0 (leaves) or -1 (POWI). */
struct op_info {
    const char *text;           /* spelling in formulas */
    int arity;                  /* number of operands */
    const char *partial[2];     /* partial derivatives, as text in a, b, f */
    const char *domain;         /* domain in which it is analytic, in words */
};
/* All operations, by enum op. */
extern const struct op_info op_info[OPS] SALTUS_WORD(op_info);

/* A tape whose row 0 is the constant 0. Free by tape_free. */
struct tape *tape_new(void);
void tape_free(struct tape *tape);

/* Leaf: variable `index` of `block`. */
formula variable(struct tape *tape, int block, int index) SALTUS_WORD(variable);
/* Leaf: a constant from decimal text ("0.1", "-3", "6.02e23"), read without regard to
   locale and kept exactly. A text that is no number aborts, as a slip of the caller. */
formula constant(struct tape *tape, const char *decimal) SALTUS_WORD(constant);
/* Leaf: an integer constant. */
formula integer(struct tape *tape, long value) SALTUS_WORD(integer);
/* Leaf: pi. */
formula pi_formula(struct tape *tape) SALTUS_WORD(pi_formula);

/* a + b. In this and the following words an operand that was never set counts as zero.
   Trivial cases (0 + a, 1 a, a/1, integer constants) are folded, so that sparse
   derivatives stay sparse. */
formula add(formula a, formula b) SALTUS_WORD(add);
/* a - b */
formula sub(formula a, formula b) SALTUS_WORD(sub);
/* a b */
formula mul(formula a, formula b) SALTUS_WORD(mul);
/* a/b; aborts if b was never set. */
formula quotient(formula a, formula b) SALTUS_WORD(quotient);
/* -a */
formula negate(formula a) SALTUS_WORD(negate);
/* a^exponent, by multiplication; aborts if a was never set and the exponent is not
   positive. */
formula power(formula a, int exponent) SALTUS_WORD(power);
/* An operation of ops.def with one operand. */
formula apply(enum op op, formula a) SALTUS_WORD(apply);
/* An operation of ops.def with two operands. */
formula apply2(enum op op, formula a, formula b) SALTUS_WORD(apply2);
/* a[0] + ... + a[count - 1] */
formula sum(const formula *a, int count) SALTUS_WORD(sum);
/* a[0] b[0] + ... + a[count - 1] b[count - 1] */
formula dot(const formula *a, const formula *b, int count) SALTUS_WORD(dot);

/* True: the formula was never set, or is the constant 0. */
bool is_zero(formula a) SALTUS_WORD(is_zero);
/* True: both are one row, or both are zero. */
bool same_formula(formula a, formula b) SALTUS_WORD(same_formula);
/* True: the formula depends on no variable but rho and drho. */
bool is_steady(formula a) SALTUS_WORD(is_steady);

/* A row of a tape: an operation and its operands, rows of the same tape (enum op). */
struct tape_row {
    enum op op;
    int a, b;
};
/* The number of rows of a tape. */
int tape_rows(const struct tape *tape);
/* Row number `row` of a tape; aborts if there is none. */
struct tape_row tape_row(const struct tape *tape, int row);
/* The canonical text of constant `index` of a tape (decimal.h), like "981e-2". */
const char *tape_constant(const struct tape *tape, int index);

struct names;
/* Writes the formula as infix text of at most `size` bytes, cut with "..." if it is
   longer. Variables are written by their names, else as q[0], v[1]; names may be NULL. */
void formula_print(formula a, const struct names *names, char *text, int size);
/* The whole formula as infix text, malloc'ed. Rows that are used twice are written
   twice, so that the length may grow like 2^rows. A row other than a itself that has a
   name in given[row] is written by that name; `given` may be NULL. */
char *formula_text(formula a, const struct names *names, const char *const *given);

SALTUS_API_END

#endif
