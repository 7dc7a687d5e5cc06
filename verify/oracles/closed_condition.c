/*
 * closed_condition.c - how much a closed form magnifies the errors of its parameters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "oracles/oracle.h"

/* Powers of two of the step. 2^-30 and 16 digits leave about six digits of the
   difference. A step that changes the sequence of events is made shorter; 2^-10 takes
   three digits more. */
enum { LONGEST = -30, SHORTEST = -50, SHORTER = -10 };

static int digits_for(int step)
{
    return 16 + 3 * (step - LONGEST) / SHORTER;
}

static bool same_entries(const struct results *a, const struct results *b)
{
    if (a->count != b->count)
        return false;
    for (int k = 0; k < a->count; k++)
        if (strcmp(a->entry[k].name, b->entry[k].name) != 0)
            return false;
    return true;
}

/* Adds |rho_j d value/drho_j| for the parameter that was moved. */
static void add_spread(const struct results *moved, const struct results *results,
                       int step, double *spread)
{
    mpfr_t change;
    mpfr_init2(change, results->precision);
    for (int k = 0; k < results->count; k++) {
        mpfr_sub(change, moved->entry[k].value, results->entry[k].value, MPFR_RNDN);
        spread[k] += ldexp(fabs(mpfr_get_d(change, MPFR_RNDN)), -step);
    }
    mpfr_clear(change);
}

/* Evaluates the form with value[j] moved by a part of its size. */
static bool move(const struct closed_form *form, const struct run_request *request,
                 double *value, int j, int step, const struct results *results,
                 double *spread)
{
    struct run_request moved = *request;
    struct diagnosis ignored;
    struct results *there;
    double here = value[j];
    moved.value = value;
    value[j] += ldexp(here != 0 ? fabs(here) : 1, step);
    bool same = closed_form_evaluate(form, &moved, digits_for(step), &there,
                                     &ignored) == OK &&
                same_entries(there, results);
    value[j] = here;
    if (same)
        add_spread(there, results, step, spread);
    results_free(there);
    return same;
}

/* Moves by the longest step that leaves the events as they are. */
static bool move_little(const struct closed_form *form, const struct run_request *request,
                        double *value, int j, const struct results *results,
                        double *spread)
{
    for (int step = LONGEST; step >= SHORTEST; step += SHORTER)
        if (move(form, request, value, j, step, results, spread))
            return true;
    return false;
}

void closed_form_condition(const struct closed_form *form,
                           const struct run_request *request, struct results *results)
{
    int p = request->model->p;
    double *value = memory_new(p, sizeof *value);
    double *spread = memory_new(results->count, sizeof *spread);
    struct diagnosis ignored;
    bool known = model_nominal_values(request->model, value, &ignored) == OK;
    if (request->value)
        memory_copy(value, request->value, p, sizeof *value);
    for (int j = 0; known && j < p; j++)
        known = move_little(form, request, value, j, results, spread);
    for (int k = 0; known && k < results->count; k++)
        results->entry[k].spread = spread[k];
    free(value);
    free(spread);
}
