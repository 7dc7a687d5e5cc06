/*
 * reference_values.c - parameters in double as decimal text (reference_values.h)
 */
#include "motion/reference_values.h"

#include <stdlib.h>

#include "base/memory.h"

enum status reference_values_of(const struct model *model, const double *value,
                                struct reference_values *own,
                                struct diagnosis *diagnosis)
{
    int p = model->p;
    double *nominal = memory_new(p, sizeof *nominal);
    own->value = memory_new(p, sizeof *own->value);
    own->text = memory_new(p, sizeof *own->text);
    enum status status = model_nominal_values(model, nominal, diagnosis);
    for (int j = 0; status == OK && j < p; j++) {
        number_text(own->text[j], value[j]);
        own->value[j] = value[j] == nominal[j] ? NULL : own->text[j];
    }
    free(nominal);
    return status;
}

void reference_values_clear(struct reference_values *own)
{
    free(own->value);
    free(own->text);
}
