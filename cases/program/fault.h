/*
 * fault.h - derivatives made wrong on purpose.
 *
 * Whether a judge sees a wrong derivative is found out by making one. A tape that has
 * been given a fault shows it the derivatives of each program that is going to be sealed,
 * and the fault may put other formulas in their place. Values are not touched, nor
 * anything but the copy of the model that the tape belongs to. A tape has no fault unless
 * verify/ gives it one.
 */
#ifndef SALTUS_FAULT_H
#define SALTUS_FAULT_H

#include "program/program.h"

struct fault {
    /* The derivatives `f` [count] of a program of kind `what` ("motion", "guards",
       "reset", "constraints", "start", "end", "stages") of a mode or an event `of`. */
    void (*alter)(void *context, struct tape *tape, const char *what, const char *of,
                  formula *f, int count);
    void *context;
};

/* Every program sealed from now on; NULL: none. `fault` is kept. */
void tape_set_fault(struct tape *tape, const struct fault *fault);

/*
 * program_seal of formulas of which those from `values` on are derivatives of other ones:
 * these are shown to the fault of the tape, if it has one.
 */
struct program *program_seal_derivatives(struct tape *tape, formula *f, int count,
                                         int values, const unsigned char *stage,
                                         const char *what, const char *of);

/* The rows that formulas reach, leaves included, the constant 0 not, operands first;
   malloc'ed into *row. Returns how many. */
int rows_reached(const struct tape *tape, const formula *f, int count, int **row);

#endif
