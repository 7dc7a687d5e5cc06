/*
 * localise_group.c - jumps that have one explanation: a fault is the same at every event
 * and for every parameter.
 */
#include "faults/localise_parts.h"

#include <math.h>

/* A factor is found in so many numbers at least: one is fitted by any term. */
enum { SEVERAL = 2 };
/* Factors whose difference from one agrees to this part of it are the same. */
static const double same_factor = 1e-3;

/* Is it the same explanation at both spots? A factor that was fitted must be the same. */
static bool is_same(const struct blame *blame, int which, int one, int other)
{
    int term = which - blame_rules();
    if (term < 0)
        return true;
    double a = blame->spot[one].factor[term], b = blame->spot[other].factor[term];
    return fabs(a - b) <= same_factor * fabs(a - 1);
}

/* The spots that are left and explained as the first of them is; returns how many. */
static int explained_by(const struct blame *blame, int which, const bool *left, int *spot)
{
    int count = 0, numbers = 0;
    for (int k = 0; k < blame->spots; k++)
        if (left[k] && blame->spot[k].score[which] >= 0 &&
            (count == 0 || is_same(blame, which, spot[0], k))) {
            spot[count++] = k;
            numbers += blame->spot[k].numbers;
        }
    return which < blame_rules() || numbers >= SEVERAL ? count : 0;
}

/* How well something explains a whole group; < 0: not all of it. */
static double score_of(const struct blame *blame, int which, const struct group *group)
{
    double least = INFINITY;
    for (int k = 0; k < group->spots; k++) {
        double score = blame->spot[group->spot[k]].score[which];
        bool same = is_same(blame, which, group->spot[0], group->spot[k]);
        least = fmin(least, same ? score : -1);
    }
    return least;
}

bool blame_largest_group(const struct blame *blame, bool *left, struct group *group)
{
    int best = -1, all = blame_explanations();
    group->spots = 0;
    for (int e = 0; e < all; e++) {
        int count = explained_by(blame, e, left, group->spot);
        if (count > group->spots) {
            group->spots = count;
            best = e;
        }
    }
    if (best < 0)
        return false;
    explained_by(blame, best, left, group->spot);
    for (int e = 0; e < all; e++)
        group->score[e] = score_of(blame, e, group);
    for (int k = 0; k < group->spots; k++)
        left[group->spot[k]] = false;
    return true;
}
