#include "motion/direction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix.h"
#include "run.h"

/* From 1/2 to 1, of either sign. */
static double random_factor(int k)
{
    uint64_t bits = splitmix64(DIRECTION_SEED + splitmix64_gamma * (uint64_t)k);
    double u = 0.5 + ldexp((double)(bits >> 11), -54);
    return bits & 1 ? -u : u;
}

static void weights_new(struct weights *weights, int parameters)
{
    weights->parameters = parameters;
    weights->w = memory_new(parameters, sizeof *weights->w);
}

static void set(struct weights *weights, int k, double w)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%.17g", w);
    weights->w[k] = memory_text(text, (size_t)length);
}

enum status weights_random(const struct model *model, int parameters,
                             const int *parameter, struct weights *weights,
                             struct diagnosis *diagnosis)
{
    double *value = memory_new(model->p, sizeof *value);
    enum status status = model_nominal_values(model, value, diagnosis);
    weights_new(weights, parameters);
    for (int k = 0; status == OK && k < parameters; k++) {
        double size = fabs(value[parameter[k]]);
        set(weights, k, random_factor(k) * (size > 0 ? size : 1));
    }
    free(value);
    return status;
}

void weights_unit(int parameters, int k, struct weights *weights)
{
    weights_new(weights, parameters);
    for (int i = 0; i < parameters; i++)
        set(weights, i, i == k);
}

void weights_clear(struct weights *weights)
{
    for (int k = 0; k < weights->parameters; k++)
        free(weights->w[k]);
    free(weights->w);
    *weights = (struct weights){0};
}
