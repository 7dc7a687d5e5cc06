/*
 * oracles.c - the table of oracles (oracles.def).
 */
#include <string.h>

#include "oracles/oracle.h"

const double double_digits = 15.95;

#define ORACLE(ID, NAME, WAY, STAGE, TRAITS, CALLS, ...) \
    extern const struct oracle_calls CALLS;
#include "oracles/oracles.def"
#undef ORACLE

const struct oracle_calls no_calls = {0};

const struct oracle oracles[ORACLE_COUNT] = {
#define ORACLE(ID, NAME, WAY, STAGE, TRAITS, CALLS, SHARED, APART, MORE) \
    [PLACE_##ID] = {NAME, WAY, STAGE, TRAITS, &CALLS, SHARED, APART, MORE},
#include "oracles/oracles.def"
#undef ORACLE
};

int oracle_find(const char *name)
{
    for (int k = 0; k < ORACLE_COUNT; k++)
        if (strcmp(oracles[k].name, name) == 0)
            return k;
    return -1;
}

unsigned oracles_with(enum oracle_trait trait)
{
    unsigned set = 0;
    for (int k = 0; k < ORACLE_COUNT; k++)
        if (oracles[k].traits & trait)
            set |= 1u << k;
    return set;
}

bool oracle_applies(const struct oracle *oracle, const struct model *model,
                    const struct truth *truth)
{
    return !oracle->calls->applies || oracle->calls->applies(model, truth);
}

bool same_key(const struct answer_key *a, const struct answer_key *b)
{
    return a->formulation == b->formulation && a->integrator == b->integrator &&
           a->rtol == b->rtol;
}

void answer_clear(struct oracle_answer *answer)
{
    results_free(answer->want);
    results_free(answer->got);
    answer->want = answer->got = NULL;
}
