/*
 * radau_order.c - the order of Radau IIA: 5, 9 or 13, by the tolerance.
 *
 * The estimate of s stages is about (h/T)^(s + 1), T being a time of the motion, so that
 * at a tolerance the length of a step is T rtol^(1/(s + 1)). The work of a step is about
 * in proportion to s, or to a power of s a little above one.
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
