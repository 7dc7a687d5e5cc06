/*
 * reference_values.h - parameters of a run in double as the reference takes them: as
 * decimal text.
 */
#ifndef SALTUS_REFERENCE_VALUES_H
#define SALTUS_REFERENCE_VALUES_H

#include "base/number_text.h"
#include "run.h"

struct reference_values {
    const char **value;         /* [model->p] as in reference_request */
    char (*text)[NUMBER_TEXT_ROOM];     /* [model->p] */
};

/* A nominal value is a decimal number, of which the double is a rounding: NULL. Statuses
   of model_nominal_values. To be cleared in any case. */
enum status reference_values_of(const struct model *model, const double *value,
                                struct reference_values *own,
                                struct diagnosis *diagnosis);
void reference_values_clear(struct reference_values *own);

#endif
