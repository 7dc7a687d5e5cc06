/*
 * reference_motion.c - from the options of a formulation to its motion
 * (reference_motion.h)
 */
#include "motion/reference_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SALTUS_VALUES_DIR
#define SALTUS_VALUES_DIR "reference/values"
#endif

int option_count(const struct formulation *formulation)
{
    int count = 0;
    while (formulation->options && formulation->options[count].name)
        count++;
    return count;
}

int option_index(const struct formulation *formulation, const char *name)
{
    for (int k = 0; k < option_count(formulation); k++)
        if (strcmp(formulation->options[k].name, name) == 0)
            return k;
    return -1;
}

void options_nominal(const struct formulation *formulation, const char **value)
{
    for (int k = 0; k < option_count(formulation); k++)
        value[k] = formulation->options[k].nominal;
}

static const char *text_of(const struct formulation *formulation, const char *name,
                           const char *const *option)
{
    int k = option_index(formulation, name);
    return k < 0 ? NULL : option[k];
}

bool is_exact(const struct truth *truth)
{
    return strcmp(truth->variant, "exact") == 0;
}

const struct truth reference_motion_unknown = {.variant = "unknown"};

bool is_known(const struct truth *truth)
{
    return strcmp(truth->variant, reference_motion_unknown.variant) != 0;
}

/* factor * a * b as decimal text. The numbers are short decimals, so their product is,
   too: 50 digits of a 400-bit product are the product. */
static enum status product(int factor, const char *a, const char *b, char *text, int size,
                           struct diagnosis *diagnosis)
{
    enum status status = OK;
    mpfr_t x, y;
    mpfr_init2(x, 400);
    mpfr_init2(y, 400);
    if (mpfr_set_str(x, a, 10, MPFR_RNDN) != 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "option '%s' is not a decimal number", a);
    else if (mpfr_set_str(y, b, 10, MPFR_RNDN) != 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "option '%s' is not a decimal number", b);
    else {
        mpfr_mul(x, x, y, MPFR_RNDN);
        mpfr_mul_si(x, x, factor, MPFR_RNDN);
        mpfr_snprintf(text, (size_t)size, "%.50Rg", x);
    }
    mpfr_clear(x);
    mpfr_clear(y);
    return status;
}

enum status reference_motion_of(const struct formulation *formulation,
                                const struct model *model, const char *const *option,
                                struct reference_motion *own, struct diagnosis *diagnosis)
{
    *own = (struct reference_motion){.truth = {.variant = "exact",
                                               .reset = reset_policy_text[model->reset]}};
    if (model->m == 0 || (formulation->capabilities & KEEPS_CONSTRAINTS))
        return OK;

    struct truth *truth = &own->truth;
    truth->variant = "penalty";
    truth->alpha = text_of(formulation, "alpha", option);
    truth->K_D = text_of(formulation, "kd", option);
    truth->K_P = text_of(formulation, "kp", option);
    const char *xi = text_of(formulation, "xi", option);
    const char *omega = text_of(formulation, "omega", option);
    enum status status = OK;
    if (!truth->K_D && xi && omega) {       /* K_D = 2 xi omega, K_P = omega^2 */
        status = product(2, xi, omega, own->K_D, sizeof own->K_D, diagnosis);
        if (status == OK)
            status = product(1, omega, omega, own->K_P, sizeof own->K_P, diagnosis);
        truth->K_D = own->K_D;
        truth->K_P = own->K_P;
    }
    if (!truth->alpha || !truth->K_D || !truth->K_P)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN,
                        "%s has no options alpha and kd, kp (or xi, omega): its exact "
                        "motion is not known", formulation->name);
    return status;
}

const char *values_folder(const struct case_desc *desc)
{
    const char *folder = getenv("SALTUS_VALUES");
    if (folder && *folder)
        return folder;
    return desc->folder ? desc->folder : SALTUS_VALUES_DIR;
}

bool certified_path(const struct model *model, const struct truth *truth, char *path,
                    int size)
{
    char name[160];
    certificate_name(model, truth, name, sizeof name);
    snprintf(path, (size_t)size, "%s/%s", values_folder(model->desc), name);
    return access(path, R_OK) == 0;
}
