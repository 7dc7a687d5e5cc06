/*
 * closed_condition.c - how much a closed form magnifies the errors of its parameters.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/memory.h"
#include "oracles/oracle.h"

/* A step of 2^-30 and 16 digits leave about six digits of the difference. */
enum { STEP = -30, STEP_DIGITS = 16 };

static bool same_entries(const struct ledger *a, const struct ledger *b)
{
    if (a->count != b->count)
        return false;
    for (int k = 0; k < a->count; k++)
        if (strcmp(a->entry[k].name, b->entry[k].name) != 0)
            return false;
    return true;
}

/* Adds |rho_j d value/drho_j| for the parameter that was moved. */
static void add_spread(const struct ledger *moved, const struct ledger *ledger,
                       double *spread)
{
    mpfr_t change;
    mpfr_init2(change, ledger->precision);
    for (int k = 0; k < ledger->count; k++) {
        mpfr_sub(change, moved->entry[k].value, ledger->entry[k].value, MPFR_RNDN);
        spread[k] += ldexp(fabs(mpfr_get_d(change, MPFR_RNDN)), -STEP);
    }
    mpfr_clear(change);
}

/* One answer, at value[j] moved by a part of its size. */
static bool move(const struct closed_form *form, const struct run_request *request,
                 double *value, int j, const struct ledger *ledger, double *spread)
{
    struct run_request moved = *request;
    struct diagnosis ignored;
    struct ledger *there;
    double here = value[j];
    moved.value = value;
    value[j] += ldexp(here != 0 ? fabs(here) : 1, STEP);
    bool same = closed_form_evaluate(form, &moved, STEP_DIGITS, &there, &ignored) == OK &&
                same_entries(there, ledger);
    value[j] = here;
    if (same)
        add_spread(there, ledger, spread);
    ledger_free(there);
    return same;
}

void closed_form_condition(const struct closed_form *form,
                           const struct run_request *request, struct ledger *ledger)
{
    int p = request->model->p;
    double *value = memory_new(p, sizeof *value);
    double *spread = memory_new(ledger->count, sizeof *spread);
    struct diagnosis ignored;
    bool known = nominal_values(request->model, value, &ignored) == OK;
    if (request->value)
        memory_copy(value, request->value, p, sizeof *value);
    for (int j = 0; known && j < p; j++)
        known = move(form, request, value, j, ledger, spread);
    for (int k = 0; known && k < ledger->count; k++)
        ledger->entry[k].spread = spread[k];
    free(value);
    free(spread);
}
