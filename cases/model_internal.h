/*
 * model_internal.h - shared by model.c (recording) and model_complete.c (completing).
 */
#ifndef SALTUS_MODEL_INTERNAL_H
#define SALTUS_MODEL_INTERNAL_H

#include "model.h"

/* A model with one nameless mode under the pen and nothing declared. */
struct model *model_blank(const struct case_desc *desc);

/* With RESET_CONTINUOUS, joints that are added give no impulse: v+ = v-. What a contact
   with a restitution of its own gives stays. Events that add none stay as they are. */
void event_apply_policy(const struct model *model, struct event *event);

/* BAD_INPUT when a formula of a completed model depends on what it must not. */
enum status model_check_uses(const struct model *model, struct diagnosis *diagnosis);

#endif
