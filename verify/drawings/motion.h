/*
 * motion.h - a motion as curves over time, and a mechanism along its motion, as commands
 * for gnuplot (gnuplot.h).
 */
#ifndef SALTUS_MOTION_H
#define SALTUS_MOTION_H

#include <stdbool.h>
#include <stdio.h>

#include "run.h"

/* --- data --------------------------------------------------------------------------- */

/* Writes a data block $NAME: time, then columns of a trajectory [count], in order of
   time, with both sides of every event and an empty line between them: a jump is drawn as
   a gap and not as a slope. */
void motion_data(FILE *gnuplot, const char *name, const struct trajectory *trajectory,
                 int count, const int *column);
/* Likewise of a list of columns, "q.y2,dv.y2/dL01", which are columns 2, 3, ... of the
   block. A name that is none is a programming error. */
void motion_named_data(FILE *gnuplot, const char *name,
                       const struct trajectory *trajectory, const char *list);
/* Writes the name and the title of a case as a string of gnuplot. */
void motion_case_text(FILE *gnuplot, const struct model *model);
/* Draws every event as a thin line through all panels that follow. */
void motion_event_lines(FILE *gnuplot, const struct trajectory *trajectory);

/* --- curves over time --------------------------------------------------------------- */

/* The columns of a trajectory that are drawn; those of a kind stand together. */
struct motion_choice {
    int curves;
    int *column;                /* [curves] */
};

/*
 * Chooses what is drawn. `list` has names of columns ("q.y2", "dv.y2/de"), of all numbers
 * of a kind ("q", "lambda", "dq") or of a coordinate ("y2"). NULL: coordinates,
 * velocities and the derivatives of the coordinates; the first states, where there are no
 * coordinates. `parameter` is that of "dq" and the like; NULL: the first one
 * differentiated by. False: `why` says what is wrong.
 */
bool motion_choose(struct motion_choice *choice, const struct columns *columns,
                   const char *parameter, const char *list, char *why, int size);
void motion_choice_clear(struct motion_choice *choice);

/* Curves over time, a panel for each kind of number. */
struct motion_plot {
    const struct trajectory *trajectory;
    const struct motion_choice *choice;     /* columns of the trajectory */
};
/* The height that its panels take, in millimetres. */
double motion_plot_height(const struct motion_plot *plot);
/* Writes the commands (print_function). */
void motion_plot_draw(FILE *gnuplot, const void *plot);

/* --- a mechanism -------------------------------------------------------------------- */

/* Draws the mechanism itself: its segments at the start and later, the paths of their
   ends, and where these are at events. The model has segments; the trajectory has its
   start, and trajectory->value. `note` stands below the title; "": nothing; NULL:
   there is no title, since a caption says what is drawn. */
void mechanism_draw(FILE *gnuplot, const struct trajectory *trajectory, const char *note);

#endif
