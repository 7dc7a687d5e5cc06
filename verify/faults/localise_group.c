/*
 * localise_group.c - jumps that have one explanation: a fault is the same at every event
 * and for every parameter.
 */
#include "faults/localise_parts.h"

#include <math.h>

/* A factor must be found in so many numbers: any term fits a single one. */
enum { SEVERAL = 2 };
/* Factors whose difference from one agrees to this part of it are the same. */
static const double same_factor = 1e-3;

/* Do both suspects have the explanation? A factor that was fitted must be the same at
   both. */
static bool is_same(const struct localise_work *work, int which, int one, int other)
{
    int term = which - localise_rules();
    if (term < 0)
        return true;
    double a = work->suspect[one].factor[term], b = work->suspect[other].factor[term];
    return fabs(a - b) <= same_factor * fabs(a - 1);
}

/* The suspects that are left and explained as the first of them is; returns how many. */
static int explained_by(const struct localise_work *work, int which, const bool *left,
                        int *suspect)
{
    int count = 0, wrong = 0;
    for (int k = 0; k < work->suspects; k++)
        if (left[k] && work->suspect[k].score[which] >= 0 &&
            (count == 0 || is_same(work, which, suspect[0], k))) {
            suspect[count++] = k;
            wrong += work->suspect[k].wrong;
        }
    return which < localise_rules() || wrong >= SEVERAL ? count : 0;
}

/* How well an explanation explains a whole group; < 0: not all of the group. */
static double score_of(const struct localise_work *work, int which,
                       const struct group *group)
{
    double least = INFINITY;
    for (int k = 0; k < group->suspects; k++) {
        double score = work->suspect[group->suspect[k]].score[which];
        bool same = is_same(work, which, group->suspect[0], group->suspect[k]);
        least = fmin(least, same ? score : -1);
    }
    return least;
}

bool localise_largest_group(const struct localise_work *work, bool *left,
                            struct group *group)
{
    int best = -1, all = localise_explanations();
    group->suspects = 0;
    for (int e = 0; e < all; e++) {
        int count = explained_by(work, e, left, group->suspect);
        if (count > group->suspects) {
            group->suspects = count;
            best = e;
        }
    }
    if (best < 0)
        return false;
    explained_by(work, best, left, group->suspect);
    for (int e = 0; e < all; e++)
        group->score[e] = score_of(work, e, group);
    for (int k = 0; k < group->suspects; k++)
        left[group->suspect[k]] = false;
    return true;
}
