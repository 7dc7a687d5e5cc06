/*
 * show.h - the parts of `saltus show`.
 */
#ifndef SALTUS_SHOW_H
#define SALTUS_SHOW_H

#include "model.h"
#include "options/args.h"

enum { SHOW_TEXT = 400 };       /* most characters that are printed of one formula */

/* A direction in words: "falling", "rising", "either way" */
const char *show_direction(enum direction direction);
/* Prints everything a case states as one JSON object; value [model->p]. */
void show_json(const struct model *model, const double *value);
/* Draws the picture of --plot: the mechanism on its exact motion or, where a case draws
   none, its coordinates against time. */
enum exit_status show_plot(const struct args *args, const struct model *model,
                           const double *value);

/* Prints M, F, Phi, rates of auxiliary states and, where there are several modes,
   integrands of costs, of every mode. */
void show_equations(const struct model *model);
/* Prints whether the units of a case fit together, and those that follow. */
void show_units(const struct model *model);
/* Prints the impulse rows of an event. */
void show_impulses(const struct model *model, const struct event *event);

#endif
