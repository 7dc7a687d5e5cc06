/*
 * moved_runs.c - values and derivatives of a motion on a line in the space of parameters
 * (moved_runs.h)
 */
#include "motion/moved_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "run.h"

/* Bits of moved parameters, and their decimal text, which no run rounds further. */
enum { MOVED_BITS = 400, MOVED_TEXT = 120, NOMINAL_TEXT = 80 };

static void print_values(struct moved_runs *runs, int p)
{
    for (int j = 0; j < p; j++) {
        char text[NOMINAL_TEXT];
        int length = snprintf(text, sizeof text, "%.40g", runs->rho[j]);
        runs->value[j] = memory_text(text, (size_t)length);
    }
}

enum status moved_runs_open(struct moved_runs *runs, const struct model *model,
                            const struct truth *truth, int digits,
                            struct diagnosis *diagnosis)
{
    int p = model->p;
    *runs = (struct moved_runs){.request = {.model = model, .truth = *truth,
                                            .digits = digits},
                                .parameter = memory_new(p, sizeof *runs->parameter),
                                .rho = memory_new(p, sizeof *runs->rho),
                                .value = memory_new(p, sizeof *runs->value)};
    struct reference_request *request = &runs->request;
    request->parameters = model_sensitivities(model, runs->parameter);
    request->parameter = runs->parameter;
    request->value = runs->value;
    enum status status = model_nominal_values(model, runs->rho, diagnosis);
    if (status == OK)
        status = direction_random(model, request->parameters, runs->parameter,
                                  &runs->direction, diagnosis);
    print_values(runs, p);
    request->direction = (const char *const *)runs->direction.w;
    if (status == OK && request->parameters == 0)
        status = diagnose(diagnosis, NOT_APPLICABLE, NAN, "no parameters");
    return status;
}

void moved_runs_close(struct moved_runs *runs)
{
    for (int j = 0; j < runs->request.model->p; j++)
        free((char *)runs->value[j]);
    free(runs->value);
    free(runs->rho);
    free(runs->parameter);
    direction_clear(&runs->direction);
}

enum status moved_runs_at(const struct moved_runs *runs, double h, bool derivative,
                          struct mp_trajectory **out, struct diagnosis *diagnosis)
{
    struct reference_request request = runs->request;
    int p = request.model->p;
    const char **value = memory_new(p, sizeof *value);
    char (*text)[MOVED_TEXT] = memory_new(request.parameters, sizeof *text);
    mpfr_t rho, w;
    mpfr_inits2(MOVED_BITS, rho, w, (mpfr_ptr)0);
    memory_copy(value, runs->value, p, sizeof *value);
    for (int k = 0; k < request.parameters; k++) {
        int j = runs->parameter[k];
        mpfr_set_str(rho, runs->value[j], 10, MPFR_RNDN);
        mpfr_set_str(w, runs->direction.w[k], 10, MPFR_RNDN);
        mpfr_mul_d(w, w, h, MPFR_RNDN);
        mpfr_add(rho, rho, w, MPFR_RNDN);
        mpfr_snprintf(text[k], sizeof *text, "%.100Rg", rho);
        value[j] = text[k];
    }
    if (!derivative) {
        request.direction = NULL;
        request.parameters = 0;
    }
    request.value = value;
    enum status status = reference_run(&request, out, diagnosis);
    mpfr_clears(rho, w, (mpfr_ptr)0);
    free(text);
    free(value);
    return status;
}

enum status moved_runs_alike(const struct mp_trajectory *a, const struct mp_trajectory *b,
                             struct diagnosis *diagnosis)
{
    return a->events == b->events ? OK
                                  : diagnose(diagnosis, NOT_APPLICABLE, NAN,
                                             "a run at moved parameters has other "
                                             "events");
}

double moved_runs_step(double digits)
{
    return ldexp(1, -(int)ceil(digits * log2(10)));
}
