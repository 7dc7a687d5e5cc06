/*
 * gate.h - the gate through which every number of a run goes before it leaves: one that
 * is not finite is refused by name.
 *
 * What is not a number because a formula is evaluated outside its domain is refused
 * before (formula/domain_edges.h), at the place where the formula stands. What comes to
 * this gate has overflowed, or is the derivative of a formula that has a value and no
 * derivative, as sqrt(x) at x = 0. Each arithmetic asks at the same places: the start,
 * the rates where an arc begins, both sides of an event, samples, the costs at the end.
 */
#ifndef SALTUS_GATE_H
#define SALTUS_GATE_H

#include "base/status.h"
#include "model.h"

/* A number that is not finite. */
struct gate {
    double t;                       /* time; NAN: none */
    double value;
    const char *parameter;          /* the number is the derivative by this parameter;
                                       NULL: it is a value */
    const char *reason;             /* the operation that overflows, in words; "" where it
                                       is not known */
};

/* Refuses a number, whose name is printed like printf does. Returns NOT_FINITE. */
enum status gate_refuse(const struct gate *gate, struct diagnosis *diagnosis,
                        const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Refuses a model with a number that double takes as zero, as 1e-400: NOT_APPLICABLE.
   What evaluates in double asks before it runs. */
enum status gate_constants(const struct model *model, struct diagnosis *diagnosis);

/* Writes the name of component i of the state (q, v, s, z), like "v.y". */
void gate_component(const struct model *model, int i, char *name, int size);

#endif
