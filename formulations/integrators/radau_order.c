/*
 * radau_order.c - the order of Radau IIA: 5, 9 or 13 (Hairer, Wanner 1999), by the
 * tolerance.
 *
 * The estimate of s stages is about (h/T)^(s + 1), T being a time of the motion, so that
 * at a tolerance a step is about T rtol^(1/(s + 1)) long. Its work is about in proportion
 * to s. So few stages win where the tolerance is loose. The limits are those at which the
 * next method takes as long on five-bar in index 1:
 *
 *     rtol      milliseconds with 3, 5, 7 stages, and true errors
 *     1e-4       2.9   3e-5       2.5   3e-7      3.5   2e-8
 *     1e-5       4.7   2e-6       3.1   1e-8      3.4   6e-10
 *     1e-6       8.0   1e-7       4.1   5e-10     4.0   3e-11
 *     1e-8      28     3e-10      8.3   5e-13     6.2   8e-15
 *
 * The order stays along a run: rounding in index 3, and steps that samples or events
 * shorten, make estimates of other orders from one step unreliable.
 */
#include "radau.h"

void radau_use_stages(struct radau *work, int stages)
{
    work->next = tableau_of(stages);
}

int radau_aim(void *memory, double rtol)
{
    static const double for_five = 2e-3, for_seven = 2e-6;

    radau_use_stages(memory, rtol < for_seven ? 7 : rtol < for_five ? 5 : 3);
    return ((struct radau *)memory)->next->stages + 1;
}

int radau_error_order(const void *memory)
{
    return ((const struct radau *)memory)->tableau->stages + 1;
}

int radau_next_nodes(const void *memory, const double **node)
{
    const struct tableau *next = ((const struct radau *)memory)->next;

    *node = next->node;
    return next->stages + 1;
}
