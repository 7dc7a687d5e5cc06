/*
 * gate_double.h - the gate of numbers (cases/model/gate.h) of a run in double.
 *
 * All functions return OK, or NOT_FINITE with the name of the number. They stand where
 * numbers leave a run, not in its steps.
 */
#ifndef SALTUS_GATE_DOUBLE_H
#define SALTUS_GATE_DOUBLE_H

#include "base/status.h"

struct hybrid;
struct event;
struct run_point;

/* Tests the state and its derivatives at the start, and both times. */
enum status gate_start(struct hybrid *core);
/* Tests the rates core->dx where an arc begins. */
enum status gate_rates(struct hybrid *core);
/* Tests the state core->sides.after an event, and the costs of the event. */
enum status gate_event(struct hybrid *core, const struct event *event);
/* Tests the time of an event, and the state after it, with their derivatives. */
enum status gate_event_columns(struct hybrid *core, const struct event *event);
/* Refuses the derivative of a reset by parameter number j of the run, or what the rule of
   the request has made of it. */
enum status gate_refuse_jump(struct hybrid *core, const struct event *event, int j);
/* Tests the accelerations and multipliers of a point. */
enum status gate_point(struct hybrid *core, const struct run_point *point);
/* Tests the costs in core->out at the end. */
enum status gate_costs(struct hybrid *core);

#endif
