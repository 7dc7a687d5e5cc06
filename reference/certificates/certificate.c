/* certificate.c - certified values in memory, and the names of their files. */
#include "certificate.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arithmetic/series.h"
#include "base/memory.h"
#include "runs/orbit_numbers.h"

const char certificate_title[] = "saltus certified values";
const char certificate_how[] =
    "variational equations with saltation against central differences of whole "
    "trajectories, both by Taylor series in MPFR; they share M, F, Phi and the "
    "arithmetic";
const char certificate_how_refused[] =
    "refused by the variational equations, with two numbers of digits, and by central "
    "differences of whole trajectories, both by Taylor series in MPFR; they share M, F, "
    "Phi and the arithmetic";

const char certificate_how_orbit[] =
    "an orbit by multiple shooting; variational equations with saltation against central "
    "differences of segments and of whole orbits, all by Taylor series in MPFR; they "
    "share M, F, Phi and the arithmetic";

char *certificate_text(const char *text)
{
    return text == NULL ? NULL : memory_text(text, strlen(text));
}

struct certificate *certificate_new(const struct model *model)
{
    struct certificate *certificate = memory_new(1, sizeof *certificate);
    certificate->model = model;
    certificate->value = memory_new(model->p, sizeof *certificate->value);
    certificate->parameter = memory_new(model->p, sizeof *certificate->parameter);
    return certificate;
}

struct certificate *certificate_of_request(const struct reference_request *request)
{
    const struct truth *truth = &request->truth;
    const struct model *model = request->model;
    struct certificate *out = certificate_new(model);
    out->case_name = certificate_text(model->desc->name);
    out->variant = certificate_text(truth->variant ? truth->variant : "exact");
    out->alpha = certificate_text(truth->alpha);
    out->K_D = certificate_text(truth->K_D);
    out->K_P = certificate_text(truth->K_P);
    out->reset = certificate_text(reset_policy_text[model->reset]);
    for (int j = 0; request->value != NULL && j < model->p; j++)
        out->value[j] = certificate_text(request->value[j]);
    for (int j = 0; j < request->parameters; j++)
        out->parameter[j] = request->parameter[j];
    out->parameters = request->parameters;
    out->digits = request->digits;
    out->precision = mp_precision(request->digits);
    return out;
}

void certificate_free(struct certificate *certificate)
{
    if (certificate == NULL)
        return;
    char *const text[] = {certificate->case_name, certificate->variant,
                          certificate->alpha,     certificate->K_D,
                          certificate->K_P,       certificate->reset};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        free(text[i]);
    for (int j = 0; j < certificate->model->p; j++)
        free(certificate->value[j]);
    free(certificate->value);
    free(certificate->parameter);
    mp_vector_free(certificate->refused_at);
    mp_trajectory_free(certificate->trajectory);
    mp_trajectory_free(certificate->agreement);
    orbit_numbers_free(certificate->orbit);
    free(certificate);
}

mpfr_ptr certificate_nominal(const struct model *model, int digits)
{
    static const unsigned char no_stage[BLOCK_LIMIT];
    mpfr_prec_t precision = mp_precision(digits);
    formula *f = memory_new(model->p, sizeof *f);
    for (int j = 0; j < model->p; j++)
        f[j] = model->parameter[j].nominal;
    struct program *program = program_seal(model->tape, f, model->p, no_stage);
    struct mp_series *series = mp_series_new(program, 0, precision, 1, PROGRAM_STAGES);
    mpfr_ptr rho = mp_vector_new((size_t)model->p, precision);
    for (int j = 0; j < model->p; j++)
        mpfr_set(rho + j, mp_series_output(series, 0, j), MPFR_RNDN);
    mp_series_free(series);
    program_free(program);
    free(f);
    return rho;
}

void certificate_cost_name(const struct columns *columns, int i, char *name, int size)
{
    int nz = columns->model->nz, j = i / nz - 1;
    const char *cost = columns->model->cost[i % nz];
    if (j < 0)
        snprintf(name, (size_t)size, "psi.%s", cost);
    else
        snprintf(name, (size_t)size, "dpsi.%s/d%s", cost,
                 column_parameter(columns, j));
}

/* FNV-1a over the numbers of an option, each printed in one way: 1e5 like 100000. */
static uint32_t hash_option(uint32_t hash, const char *text)
{
    for (const char *rest = text ? text : "0"; *rest != '\0';) {
        char *end, *digits;
        mpfr_exp_t e;
        mpfr_t value;
        mpfr_init2(value, 256);
        mpfr_strtofr(value, rest, &end, 10, MPFR_RNDN);
        digits = mpfr_get_str(NULL, &e, 10, 60, value, MPFR_RNDN);
        for (const char *c = digits; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619u;
        hash = (hash ^ (uint32_t)e) * 16777619u;
        mpfr_free_str(digits);
        mpfr_clear(value);
        rest = end + strspn(end, ", \t");
        if (end == rest && *rest != '\0')
            rest++;     /* not a number, which plan_new refuses */
    }
    return (hash ^ (unsigned char)';') * 16777619u;
}

void certificate_name(const struct model *model, const struct truth *truth, char *name,
                      int size)
{
    const char *variant = truth->variant ? truth->variant : "exact";
    uint32_t hash = 2166136261u;
    const char *const option[] = {truth->alpha, truth->K_D, truth->K_P};
    for (int i = 0; i < 3; i++)
        hash = hash_option(hash, option[i]);
    if (truth->reset && strcmp(truth->reset, reset_policy_text[RESET_IMPULSIVE]) != 0)
        for (const char *c = truth->reset; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * 16777619u;
    if (strcmp(variant, "exact") == 0)
        snprintf(name, (size_t)size, "%s.ref", model->desc->name);
    else
        snprintf(name, (size_t)size, "%s.%s-%08lx.ref", model->desc->name, variant,
                 (unsigned long)hash);
}
