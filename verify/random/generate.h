/*
 * generate.h - random hybrid mechanisms, by construction well-posed.
 *
 * Everything follows from the seed. Masses are positive definite, every coordinate has a
 * spring and a damper, every constraint row determines a coordinate of its own. Guards
 * stand where the motion gets to: the mechanism drawn so far is run, and the constant of
 * the guard is the value of its formula at a random time.
 */
#ifndef SALTUS_GENERATE_H
#define SALTUS_GENERATE_H

#include "random/draw.h"

enum kind {
#define KIND(ID, ...) KIND_##ID,
#include "random/kinds.def"
#undef KIND
    KINDS
};
struct kind_info {
    const char *name, *what;
};
extern const struct kind_info kind_info[KINDS];
enum { ALL_KINDS = (1 << KINDS) - 1 };
/* The kind of this name; -1: there is none. */
int kind_find(const char *name);

/* Draws the mechanism of a seed with nothing but these kinds, a set of 1 << enum kind. */
void generate(struct draw *draw, uint64_t seed, unsigned kinds);

#endif
