/*
 * error_growth.c - how far errors have grown on a certified motion (error_growth.h)
 */
#include "refusals/error_growth.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "run.h"
#include "size.h"

static const double natural = 1e3;

/* Components that share a scale: their largest size, and the largest size of their
   derivatives. */
struct part {
    enum column_group group;
    int first, count;
    double size, early;
    double *moved;              /* [p] largest |dx/drho_j| */
};

static double time_of(const struct mp_point *point)
{
    return mpfr_get_d(point->t, MPFR_RNDN);
}

static double largest(const struct part *part, const struct columns *columns,
                      const struct mp_point *point, int by)
{
    double most = 0;
    for (int i = part->first; i < part->first + part->count; i++) {
        int c = column(columns, part->group, i, by);
        most = fmax(most, fabs(mpfr_get_d(point->x[c], MPFR_RNDN)));
    }
    return most;
}

static void look_at(struct part *part, const struct columns *columns,
                    const struct mp_point *point)
{
    part->size = fmax(part->size, largest(part, columns, point, -1));
    for (int j = 0; j < columns->p; j++)
        part->moved[j] = fmax(part->moved[j], largest(part, columns, point, j));
}

static double ratio_of(const struct part *part, const struct columns *columns,
                       const double *rho)
{
    double most = 0;
    for (int j = 0; part->size > 0 && j < columns->p; j++)
        most = fmax(most, parameter_size(rho[columns->parameter[j]]) * part->moved[j] /
                              part->size);
    return most;
}

static double growth_of(struct part *part, const struct mp_trajectory *motion,
                        const double *rho, double t)
{
    const struct columns *columns = &motion->columns;
    double before = motion->events > 0 ? time_of(&motion->event[0].before) : INFINITY;
    part->moved = memory_new(columns->p, sizeof *part->moved);
    for (int k = 0; k < motion->samples; k++) {
        const struct mp_point *point = &motion->sample[k];
        if (time_of(point) > t)
            break;
        look_at(part, columns, point);
        if (k == 1 && time_of(point) < before)
            part->early = ratio_of(part, columns, rho) / natural;
    }
    for (int k = 0; k < motion->events; k++) {
        const struct mp_event *event = &motion->event[k];
        if (time_of(&event->before) > t)
            break;
        look_at(part, columns, &event->before);
        look_at(part, columns, &event->after);
    }
    double growth = ratio_of(part, columns, rho) / fmax(1, part->early);
    free(part->moved);
    return growth;
}

double growth_on(const struct model *model, const struct mp_trajectory *motion, double t)
{
    int by;
    double most = 0;
    double *rho = memory_new(model->p, sizeof *rho);
    int *begin = memory_new(2 * model->n + model->ns + model->nz + 1, sizeof *begin);
    int states = 2 * model_groups(model, begin) + model->ns;
    if (model_nominal_values(model, rho, NULL) == OK)
        for (int g = 0; g < states; g++) {
            struct part part = {.count = begin[g + 1] - begin[g]};
            column_parts(&motion->columns, begin[g], &part.group, &part.first, &by);
            most = fmax(most, growth_of(&part, motion, rho, t));
        }
    free(rho);
    free(begin);
    return most;
}
