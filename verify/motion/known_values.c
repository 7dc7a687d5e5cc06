/* known_values.c - where proofs are, and what is known (known_values.h) */
#include "motion/known_values.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "certificates/proof.h"

bool proved_path(const struct case_desc *desc, char *path, int size)
{
    snprintf(path, (size_t)size, "%s/%s.proved", values_folder(desc), desc->name);
    return access(path, R_OK) == 0;
}

static struct known by_proof(const struct model *model)
{
    struct known known = {KNOWN_NOT, 0};
    struct proof *proof = NULL;
    char path[1200];
    if (proved_path(model->desc, path, sizeof path) &&
        proof_read(path, model, &proof, NULL) == OK)
        known = (struct known){KNOWN_PROVED, (int)floor(proof->digits)};
    proof_free(proof);
    return known;
}

static struct known by_certificate(const struct model *model)
{
    const struct truth exact = {.variant = "exact"};
    struct known known = {KNOWN_NOT, 0};
    struct certificate *certificate = NULL;
    char path[1200];
    if (certified_path(model, &exact, path, sizeof path) &&
        certificate_read(path, model, &certificate, NULL) == OK) {
        bool refused = certificate->refusal.status != OK;
        known = (struct known){refused ? KNOWN_REFUSED : KNOWN_CERTIFIED,
                               certificate->agreed};
    }
    certificate_free(certificate);
    return known;
}

struct known what_is_known(const struct model *model)
{
    struct known known = by_proof(model);
    return known.what == KNOWN_NOT ? by_certificate(model) : known;
}

bool exact_is_answered(const struct case_desc *desc)
{
    struct model *model = model_new(desc, NULL);
    bool answered = model && by_certificate(model).what == KNOWN_CERTIFIED;
    model_free(model);
    return answered;
}

const char *knowledge_text(enum knowledge what)
{
    static const char *const text[] = {"-", "refused", "certified", "proved"};
    return text[what];
}
