/*
 * fault.h - fault injection (mutation testing): derivatives made wrong on purpose.
 *
 * A judge is tried by a wrong derivative that it must see. A tape that has been given a
 * fault shows it the derivatives of each program that is going to be sealed, and the
 * fault may put other formulas in their place. Values are not touched, nor anything but
 * the copy of the model that the tape belongs to. A tape has no fault unless verify/
 * gives it one.
 */
#ifndef SALTUS_FAULT_H
#define SALTUS_FAULT_H

#include "program/program.h"

/* A wrong derivative, as a function of the right ones. */
struct fault {
    /* Changes derivatives `f` [count] of a program of kind `what` ("motion", "tearing",
       "guards", "reset", "constraints", "start", "end", "stages"), which belongs to the
       mode or event `of`. */
    void (*alter)(void *context, struct tape *tape, const char *what, const char *of,
                  formula *f, int count);
    void *context;
};

/* Applies a fault to every program that is sealed from now on; NULL: none. `fault`
   must outlive the tape. */
void tape_set_fault(struct tape *tape, const struct fault *fault);

/* Shows derivatives f [count] to the fault of the tape, if it has one, which may change
   them. */
void fault_alter(struct tape *tape, const char *what, const char *of, formula *f,
                 int count);

/*
 * Seals f [count] like program_seal. Formulas from number `values` on are derivatives:
 * the fault of the tape, if it has one, may change them first.
 */
struct program *program_seal_derivatives(struct tape *tape, formula *f, int count,
                                         int values, const unsigned char *stage,
                                         const char *what, const char *of);

/* The rows that f [count] reach, operands first, with leaves but without the constant
   0; malloc'ed into *row. Returns their number. */
int rows_reached(const struct tape *tape, const formula *f, int count, int **row);

#endif
