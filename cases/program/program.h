/*
 * program.h - straight-line programs: formulas sealed for evaluation, in stages.
 *
 * Sealing numbers the rows that the outputs reach in post-order from the outputs (so the
 * numbers do not depend on the order of recording), and sorts them by stage:
 *
 *   stage 0  constants only           evaluated once, by *_init
 *   stage k  depends on a variable whose block was given stage k, and on none higher
 *
 * A solver runs the stages one by one: load the blocks of stage k, run stage k.
 */
#ifndef SALTUS_PROGRAM_H
#define SALTUS_PROGRAM_H

#include <complex.h>
#undef I    /* the letter is for an inertia */

#include "formula/formula.h"

/* Number of stages of every program; some may be empty. */
enum { PROGRAM_STAGES = 8 };

/* Fused multiply-add operations of balanced programs only (program_balance), rounded
   once. */
enum fused_op {
    OP_MULADD = OPS,                /* a*b + c */
    OP_MULSUB,                      /* a*b - c */
    OP_SUBMUL,                      /* c - a*b */
    OP_NEGMULADD                    /* -a*b - c */
};

/* One operation of a program. */
struct program_row {
    unsigned op;    /* enum op, or enum fused_op */
    int a, b, c;    /* slots of the operands; POWI: b is the exponent */
};

/* Slots of the operands of a row, in order. Returns their number. */
int program_operands(const struct program_row *row, int operand[3]);

/* A sealed program; constant after it was made. */
struct program {
    const struct tape *tape;        /* the tape of the formulas, which must outlive the
                                       program */
    int slots;                      /* number of rows, length of a work array */
    struct program_row *row;        /* [slots] rows, leaves included */
    int *origin;                    /* [slots] row of the tape, to name it in messages */
    bool *steady;                   /* [slots] depends on no block but rho and drho */
    bool *pair;                     /* [slots] this row and the next are one operation,
                                       and independent; NULL: not balanced */
    int stage_begin[PROGRAM_STAGES + 1];    /* rows of stage k are [stage_begin[k],
                                       stage_begin[k+1]) */

    int inputs;                     /* number of variables, sorted by block and index */
    struct program_input { int block, index, slot; } *input;    /* [inputs] in order */
    int block_begin[BLOCK_LIMIT + 1];   /* [block_begin[b], block_begin[b + 1]) are the
                                           inputs of block b */

    int outputs;                    /* number of outputs */
    int *output;                    /* [outputs] slot; slot 0 always holds 0 */
    int *output_stage;              /* [outputs] stage after which the output is final */
};

/* Seals output [outputs]. stage [BLOCK_LIMIT] is in 1 .. PROGRAM_STAGES - 1 for every
   block that occurs; aborts on a block without a stage (stage[b] = 0). Free by
   program_free. */
struct program *program_seal(const struct tape *tape, const formula *output, int outputs,
                             const unsigned char *stage);
/* Rearranges sums so that the longest chain of operations is short, and makes one row
   of a product and the sum that alone uses it (fused multiply-add): the values change
   by rounding. Such a program is evaluated in double only, and not explained by
   program_blame. `pairs`: sums are arranged so that many rows are alike two by two
   (superword.h), which then follow each other. */
void program_balance(struct program *program, bool pairs);
void program_free(struct program *program);
/* The stage of a row. */
int program_stage(const struct program *program, int slot);
/* The number of rows that do arithmetic. */
int program_operations(const struct program *program);
/* True: an output depends on a variable of this block. */
bool program_uses(const struct program *program, int block);

/* Begins an evaluation in double: sets w [slots] to zero, sets the constants, runs
   stage 0. */
void program_init(const struct program *program, double *w);
/* Copies x[index] into the inputs of a block; x must cover the highest index used. */
static inline void program_load(const struct program *program, int block, const double *x,
                                double *w)
{
    for (int i = program->block_begin[block]; i < program->block_begin[block + 1]; i++)
        w[program->input[i].slot] = x[program->input[i].index];
}
/* Loads t, q, v, s of one copy of the blocks (formula.h) in one pass; NULL: zeros. */
void program_load_point(const struct program *program, int copy, double t,
                        const double *q, const double *v, const double *s, double *w);
/* Runs the rows of one stage. */
void program_run(const struct program *program, int stage, double *w);

/* The largest magnitude of an output, a derivative along a direction, when every
   quantity of the direction is at most size[block][index] (zero if the block has no
   array), or at most its own value (size NULL): the sum of the magnitudes for one
   quantity at a time. The values are loaded and run already; `first` to `last` are the
   stages of the direction. */
double program_spread(const struct program *program, int output, int first, int last,
                      const double *const *size, double *w);

/* Running error analysis of the rows of a stage that has been run: a bound of first
   order on the rounding error (Wilkinson 1986; Higham 2002, section 3.3). error
   [slots]: the caller sets it for constants and variables; other rows have the errors
   passed on by their operands and half a unit of their own last place. `w` is left as
   it was. */
void program_rounding(const struct program *program, int stage, double *w, double *error);

/* program_init in double complex. */
void program_init_complex(const struct program *program, double complex *w);
/* program_load in double complex. */
void program_load_complex(const struct program *program, int block,
                          const double complex *x, double complex *w);
/* program_run in double complex. */
void program_run_complex(const struct program *program, int stage, double complex *w);

/* Explains a result that is not finite: writes into text [size] the first row of
   stages <= stage whose value is not finite or whose operands are outside the
   operation's domain. False: every row is finite and inside. */
bool program_blame(const struct program *program, const struct names *names, int stage,
                   const double *w, char *text, int size);
/* The same of the rows that one output reaches, all of which have been run. */
bool program_blame_output(const struct program *program, const struct names *names,
                          int output, const double *w, char *text, int size);

#endif
