/*
 * certified.c - the oracle of certified values: two routes in MPFR that agree, stored.
 *
 * The job that asks has read the values, and knows that they are at the times of the run
 * and by its parameters.
 */
#include <math.h>

#include "file/model_file.h"
#include "motion/reference_motion.h"
#include "oracles/oracle.h"
#include "plugins/registry.h"

static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    const struct certificate *certified = inquiry->certified;
    answer->kind = ANSWER_NUMBERS;
    if (!is_known(inquiry->truth)) {
        answer->kind = ANSWER_EMPTY;
        diagnose(&answer->diagnosis, NOT_APPLICABLE, NAN,
                 "a motion of its own that nobody else knows");
    } else if (inquiry->unreadable) {
        answer->kind = ANSWER_NONE;
    } else if (!certified) {
        /* the catalogue comes with its values; those of a model file or a plug-in are
           made when its owner asks for them */
        const struct case_desc *desc = inquiry->run->model->desc;
        bool own = desc->path || registry_owner(desc);
        answer->kind = own ? ANSWER_EMPTY : ANSWER_ABSENT;
        diagnose(&answer->diagnosis, NOT_APPLICABLE, NAN,
                 "no certified values: saltus certify %s",
                 case_word(inquiry->run->model->desc));
    } else if (certified->refusal.status != OK) {
        answer->kind = ANSWER_REFUSED;
        diagnose(&answer->diagnosis, certified->refusal.status, certified->refusal.t,
                 "an answer, but a refusal is certified (%s)", certified->refusal.place);
    } else {
        answer->want = results_of_reference(certified->trajectory);
        answer->want->digits = answer->cap = certified->agreed;
        answer->motion = certified->trajectory;
    }
}

const struct oracle_calls certified_calls = {.ask = ask};
