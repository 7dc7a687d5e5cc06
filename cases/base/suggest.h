/*
 * suggest.h - a wrong name is answered with the right one.
 */
#ifndef SALTUS_SUGGEST_H
#define SALTUS_SUGGEST_H

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b; only
   the first 63 characters count. */
int edit_distance(const char *a, const char *b);

/*
 * "did you mean five-bar or five-bar-nine?" when names are near (a distance of at most a
 * third of the length, or one contains the other), else "known: ode, index1, ...", cut
 * with "..." where it is longer than `size`. count < 0: the list ends with NULL.
 */
void offer_names(const char *wrong, const char *const *name, int count, char *text,
                 int size);

#endif
