/*
 * systems.h - a system of a case in a formulation, with states to evaluate it at.
 */
#ifndef SALTUS_SYSTEMS_H
#define SALTUS_SYSTEMS_H

#include <stdlib.h>

#include "equations/system.h"
#include "random_formulas.h"
#include "solving.h"

struct opened {
    struct solving s;
    struct model *branch;           /* of s.model, on which the system derives formulas */
    struct system *system;
    int parameter[TEST_PARAMETERS];
    double *x, *dx, *other;         /* [system->dim] */
};

/* The system of b->s; the derivatives are by the first p parameters, fixed or not; p < 0:
   by those of the model. False where the formulation does not take the model. */
static inline bool open_solving(struct opened *b, int p)
{
    const char *why;
    const struct run_request *request = &b->s.request;
    if (!formulation_applies(request->formulation, b->s.model, &why)) {
        solving_end(&b->s);
        return false;
    }
    for (int j = 0; j < p; j++)
        b->parameter[j] = j;
    b->branch = model_branch(b->s.model);
    enum status status =
        system_new(b->branch, request->formulation, request->option, b->s.value,
                   p < 0 ? request->parameters : p, p < 0 ? b->s.parameter : b->parameter,
                   SYSTEM_RATES, &b->system, &b->s.diagnosis);
    cr_assert_eq(status, OK, "%s, %s: %s", b->s.model->desc->name,
                 request->formulation->name, b->s.diagnosis.place);
    int size = b->system->dim + 1;
    b->x = calloc((size_t)size, sizeof *b->x);
    b->dx = calloc((size_t)size, sizeof *b->dx);
    b->other = calloc((size_t)size, sizeof *b->other);
    return true;
}

static inline bool open_system(struct opened *b, const char *name,
                               const char *formulation, int p)
{
    solving_of_case(&b->s, name, formulation);
    return open_solving(b, p);
}

static inline void close_system(struct opened *b)
{
    system_free(b->system);
    model_branch_free(b->branch);
    free(b->x);
    free(b->dx);
    free(b->other);
    solving_end(&b->s);
}

static inline void fill(struct random *random, double *x, int count)
{
    for (int i = 0; i < count; i++)
        x[i] = random_between(random, -1.5, 1.5);
}

static inline double *put_part(double *x, const struct trajectory *trajectory,
                               const struct run_point *point, enum column_group group)
{
    const int *begin = trajectory->columns.begin + group;
    int size = begin[1] - begin[0];
    memcpy(x, point->x + begin[0], (size_t)size * sizeof *x);
    return x + size;
}

/* A state of a run, with derivatives of any kind. */
static inline void state_at(struct opened *b, const struct trajectory *trajectory,
                            const struct run_point *point, struct random *random)
{
    fill(random, b->x, b->system->dim);
    double *x = put_part(b->x, trajectory, point, GROUP_Q);
    x = put_part(x, trajectory, point, GROUP_V);
    x = put_part(x, trajectory, point, GROUP_S);
    put_part(x, trajectory, point, GROUP_Z);
}

/* Column j of a state of a run, with the derivatives of the run; j = -1: values. */
static inline void put_column(struct opened *b, const struct trajectory *trajectory,
                              const struct run_point *point, int j)
{
    static const enum column_group group[] = {GROUP_Q, GROUP_V, GROUP_S, GROUP_Z};
    const struct columns *columns = &trajectory->columns;
    double *x = b->x + (j + 1) * b->system->state;
    for (int k = 0; k < 4; k++) {
        int begin = column(columns, group[k], 0, j);
        int size = columns->begin[group[k] + 1] - columns->begin[group[k]];
        memcpy(x, point->x + begin, (size_t)size * sizeof *x);
        x += size;
    }
}

/* The same of its start, where its motion begins. */
static inline void state_at_start(struct opened *b, struct random *random)
{
    struct trajectory *trajectory = solve(&b->s);
    state_at(b, trajectory, &trajectory->sample[0], random);
    trajectory_free(trajectory);
}

/* The largest difference of two columns of rates against the largest rate. */
static inline double column_error(const double *a, const double *b, int count)
{
    double worst = 0, size = 0;
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
        size = fmax(size, fabs(b[i]));
    }
    return size > 0 ? worst / size : worst;
}

#endif
