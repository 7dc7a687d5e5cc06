/*
 * proved.c - the oracle of what is proved: balls that contain the exact numbers (`saltus
 * prove`).
 *
 * Certified values must lie in their balls, give or take the digits that they claim; with
 * them an arc of the proof and a derivative, chosen at random, are proved anew. Runs are
 * judged by the middles, whose digits are those of the widest ball.
 */
#include <math.h>
#include <sys/random.h>

#include "certificates/proof.h"
#include "motion/known_values.h"
#include "motion/samples.h"
#include "oracles/oracle.h"

static bool applies(const struct model *model, const struct truth *truth)
{
    char path[1200];
    return is_exact(truth) && proved_path(model->desc, path, sizeof path);
}

/* Is the proof what this build proves? */
static enum status holds_today(const struct proof *proof, const struct model *model,
                               struct diagnosis *diagnosis)
{
    unsigned long random[2] = {0, 0};
    struct samples samples;
    enum status status = choose_samples(model, &samples, diagnosis);
    if (status != OK)
        return status;
    if (getrandom(random, sizeof random, 0) < 0)
        random[0] = 0;
    const struct reference_request motion = {
        .model = model, .truth = {.variant = "exact"},
        .samples = samples.reference_count, .sample = samples.reference};
    return prove_again(proof, &motion, random[0], random[1], diagnosis);
}

static bool judged(const struct proof *proof, const struct certificate *certified,
                   const struct model *model, struct diagnosis *diagnosis)
{
    char outside[300];
    if (certified->refusal.status == OK &&
        !proof_contains(proof, certified, outside, sizeof outside)) {
        diagnose(diagnosis, BAD_ANSWER, NAN,
                 "a certified value lies outside of its ball: %s", outside);
        return false;
    }
    return holds_today(proof, model, diagnosis) == OK;
}

static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    const struct model *model = inquiry->run->model;
    struct proof *proof;
    char path[1200];
    proved_path(model->desc, path, sizeof path);
    answer->kind = ANSWER_REFUSED;
    if (proof_read(path, model, &proof, &answer->diagnosis) != OK)
        return;
    bool asked = inquiry->trajectory == NULL && inquiry->certified;
    if (!asked || judged(proof, inquiry->certified, model, &answer->diagnosis)) {
        struct mp_trajectory *middles = proof_middles(proof);
        answer->kind = ANSWER_NUMBERS;
        answer->want = results_of_reference(middles);
        answer->want->digits = proof->digits;
        answer->cap = inquiry->cap > 0 ? fmin(inquiry->cap, proof->digits)
                                       : proof->digits;
        mp_trajectory_free(middles);
    }
    proof_free(proof);
}

const struct oracle_calls proved_calls = {.applies = applies, .ask = ask};
