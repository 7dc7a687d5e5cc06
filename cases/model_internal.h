/*
 * model_internal.h - shared by model.c (recording) and model_complete.c (completing).
 */
#ifndef SALTUS_MODEL_INTERNAL_H
#define SALTUS_MODEL_INTERNAL_H

#include "model.h"

/* Behind the end of arrays that a case fills: what it writes there is told
   (model_check_ends), not lost or written over something else. */
enum { SPARE_ROWS = 8 };

/* A model with one nameless mode under the pen and nothing declared. */
struct model *model_blank(const struct case_desc *desc);

/* The case declares things in the wrong order, or twice: aborts. */
_Noreturn void model_misuse(const struct model *model, const char *what);
/* Splits "x, y" into names. Returns how many. */
int model_split_names(const char *names, char ***list);
/* Binds <prefix>name<suffix> to variable `index` of a block. */
void model_bind(struct model *model, const char *prefix, const char *name,
                const char *suffix, int block, int index);

/* Seed of a derivative along the motion (formula/diff.h); the context is a struct
   motion. */
struct motion {
    const struct model *model;
    const struct mode *mode;
};
formula along_motion(void *context, int block, int index);

/* Adds to M and F of a mode what follows from its energies and loads. */
void mode_complete_energies(const struct model *model, struct mode *mode);

/* With RESET_CONTINUOUS, joints that are added give no impulse: v+ = v-. What a contact
   with a restitution of its own gives stays. Events that add none stay as they are. */
void event_apply_policy(const struct model *model, struct event *event);

/* BAD_INPUT when a recorded model has a row for a coordinate, state or cost that is not
   declared. */
enum status model_check_ends(const struct model *model, struct diagnosis *diagnosis);
/* BAD_INPUT when a formula of a completed model depends on what it must not. */
enum status model_check_uses(const struct model *model, struct diagnosis *diagnosis);

#endif
