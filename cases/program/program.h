/*
 * program.h - formulas sealed into a program, ready to be evaluated.
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
#undef I    /* an inertia is a better use of the letter */

#include "formula/formula.h"

enum { PROGRAM_STAGES = 6 };

/* Operations of balanced programs only (see program_balance), rounded once. */
enum fused_op {
    OP_MULADD = OPS,                /* a*b + c */
    OP_MULSUB,                      /* a*b - c */
    OP_SUBMUL,                      /* c - a*b */
    OP_NEGMULADD                    /* -a*b - c */
};

struct program_row {
    unsigned op;    /* enum op, or enum fused_op */
    int a, b, c;    /* slots of the operands; POWI: b is the exponent */
};

/* Slots of its operands, in order; how many. */
int program_operands(const struct program_row *row, int operand[3]);

struct program {
    const struct tape *tape;
    int slots;                      /* length of a work array */
    struct program_row *row;        /* [slots]; leaves included */
    int *origin;                    /* [slots] row of the tape, to name it in messages */
    bool *steady;                   /* [slots] depends on no block but rho and drho */
    bool *pair;                     /* [slots] this row and the next are one operation,
                                       and independent; NULL: not balanced */
    int stage_begin[PROGRAM_STAGES + 1];    /* rows of stage k are [stage_begin[k],
                                       stage_begin[k+1]) */

    int inputs;                     /* variables, sorted by block and index */
    struct program_input { int block, index, slot; } *input;
    int block_begin[BLOCK_LIMIT + 1];   /* inputs of block b are [block_begin[b],
                                           block_begin[b+1]) */

    int outputs;
    int *output;                    /* [outputs] slot; slot 0 always holds 0 */
    int *output_stage;              /* [outputs] the stage after which it is final */
};

/* Seals `outputs` formulas; stage[b] in 1..PROGRAM_STAGES-1 for every block
   b < BLOCK_LIMIT that occurs. Aborts on a block without a stage (stage[b] = 0). */
struct program *program_seal(const struct tape *tape, const formula *output, int outputs,
                             const unsigned char *stage);
/* Rearranges sums so that the longest chain of operations is short, and makes one row of
   a product and the sum that alone uses it: the values change by rounding. Such a program
   is evaluated in double only, and not explained by program_blame. `pairs`: sums are
   arranged so that many rows are alike two by two (superword.h), which then follow each
   other. */
void program_balance(struct program *program, bool pairs);
void program_free(struct program *program);
/* The stage of a row. */
int program_stage(const struct program *program, int slot);
/* Number of rows that do arithmetic (for `show`). */
int program_operations(const struct program *program);
/* true if any output depends on a variable of this block */
bool program_uses(const struct program *program, int block);

/* Evaluation in double and in double complex. `w` has `slots` entries.
   init: constants and stage 0. load: copies x[index] into the inputs of a block; x must
   cover the highest index used. load_point: t, q, v, s of a copy, in one pass; NULL:
   zero. run: the rows of one stage. */
void program_init(const struct program *program, double *w);
static inline void program_load(const struct program *program, int block, const double *x,
                                double *w)
{
    for (int i = program->block_begin[block]; i < program->block_begin[block + 1]; i++)
        w[program->input[i].slot] = x[program->input[i].index];
}
void program_load_point(const struct program *program, int copy, double t,
                        const double *q, const double *v, const double *s, double *w);
void program_run(const struct program *program, int stage, double *w);

/* How much an output, a derivative along a direction, is at most, when every quantity of
   that direction is size[block][index] (zero where the block has no array), or the value
   itself (size NULL): the sum over one at a time. Values are loaded and run; `first` to
   `last` are the stages of the direction. */
double program_spread(const struct program *program, int output, int first, int last,
                      const double *const *size, double *w);

/* How far rounding may take the rows of a stage that has been run: a running error bound
   of first order (Wilkinson 1986; Higham 2002, section 3.3). error [slots] is the
   caller's to fill where constants and variables are; what other rows have comes from
   their operands and from half a unit of their own last place. `w` is left as it was. */
void program_rounding(const struct program *program, int stage, double *w, double *error);

void program_init_complex(const struct program *program, double complex *w);
void program_load_complex(const struct program *program, int block,
                          const double complex *x, double complex *w);
void program_run_complex(const struct program *program, int stage, double complex *w);

/* Explains a result that is not finite: names the first row of stages <= stage whose
   value is not finite or whose operands are outside the operation's domain.
   Returns false when every row is finite and inside. */
bool program_blame(const struct program *program, const struct names *names, int stage,
                   const double *w, char *text, int size);

#endif
