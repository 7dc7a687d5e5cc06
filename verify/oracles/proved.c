/*
 * proved.c - the oracle of what is proved: balls that contain the exact numbers (`saltus
 * prove`).
 *
 * Certified values must lie in their balls, give or take the digits that they claim; runs
 * are judged by the middles, whose digits are those of the widest ball.
 */
#include <math.h>

#include "certificates/proof.h"
#include "motion/proved_values.h"
#include "oracles/oracle.h"

static bool applies(const struct model *model, const struct truth *truth)
{
    char path[1200];
    return is_exact(truth) && proved_path(model->desc, path, sizeof path);
}

static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    const struct model *model = inquiry->run->model;
    struct proof *proof;
    char path[1200], outside[300];
    proved_path(model->desc, path, sizeof path);
    answer->kind = ANSWER_REFUSED;
    if (proof_read(path, model, &proof, &answer->diagnosis) != OK)
        return;
    const struct certificate *certified = inquiry->certified;
    if (certified && certified->refusal.status == OK &&
        !proof_contains(proof, certified, outside, sizeof outside)) {
        diagnose(&answer->diagnosis, BAD_ANSWER, NAN, "a certified value lies outside of "
                 "its ball: %s", outside);
    } else {
        struct mp_trajectory *middles = proof_middles(proof);
        answer->kind = ANSWER_NUMBERS;
        answer->want = results_of_reference(middles);
        answer->want->digits = proof->digits;
        answer->cap = inquiry->cap > 0 ? fmin(inquiry->cap, proof->digits) : proof->digits;
        mp_trajectory_free(middles);
    }
    proof_free(proof);
}

const struct oracle_calls proved_calls = {.applies = applies, .ask = ask};
