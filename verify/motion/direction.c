/*
 * direction.c - a seeded random direction in the space of parameters (direction.h)
 */
#include "motion/direction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/splitmix.h"
#include "run.h"
#include "size.h"

/* A factor from 1/2 to 1, of either sign. */
static double random_factor(int k)
{
    uint64_t bits = splitmix64(DIRECTION_SEED + splitmix64_gamma * (uint64_t)k);
    double u = 0.5 + ldexp((double)(bits >> 11), -54);
    return bits & 1 ? -u : u;
}

static void direction_new(struct parameter_direction *direction, int parameters)
{
    direction->parameters = parameters;
    direction->w = memory_new(parameters, sizeof *direction->w);
}

static void set(struct parameter_direction *direction, int k, double w)
{
    char text[40];
    int length = snprintf(text, sizeof text, "%.17g", w);
    direction->w[k] = memory_text(text, (size_t)length);
}

enum status direction_random(const struct model *model, int parameters,
                             const int *parameter, struct parameter_direction *direction,
                             struct diagnosis *diagnosis)
{
    double *value = memory_new(model->p, sizeof *value);
    enum status status = model_nominal_values(model, value, diagnosis);
    direction_new(direction, parameters);
    for (int k = 0; status == OK && k < parameters; k++)
        set(direction, k, random_factor(k) * parameter_size(value[parameter[k]]));
    free(value);
    return status;
}

void direction_unit(int parameters, int k, struct parameter_direction *direction)
{
    direction_new(direction, parameters);
    for (int i = 0; i < parameters; i++)
        set(direction, i, i == k);
}

void direction_clear(struct parameter_direction *direction)
{
    for (int k = 0; k < direction->parameters; k++)
        free(direction->w[k]);
    free(direction->w);
    *direction = (struct parameter_direction){0};
}
