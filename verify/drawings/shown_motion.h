/*
 * shown_motion.h - a motion that is good enough to be looked at.
 */
#ifndef SALTUS_SHOWN_MOTION_H
#define SALTUS_SHOWN_MOTION_H

#include "run.h"

struct shown_motion {
    struct trajectory *trajectory;      /* as far as the motion has come; NULL: nowhere */
    enum status status;                 /* OK, or why it came no further */
    struct diagnosis diagnosis;
};

/* Runs the exact motion at parameters `value` [model->p], with `points` times behind the
   start, evenly to the end. Where the default formulation refuses or does not keep to the
   motion, another one runs it. */
void shown_motion_run(struct shown_motion *shown, const struct model *model,
                      const double *value, int points);
void shown_motion_clear(struct shown_motion *shown);

#endif
