/*
 * norms.c - maximum norms by groups, and the error of a step, in SIMD packs of four.
 */
#include "norms.h"

#include <math.h>

#include "base/largest.h"
#include "simd/simd.h"

#define SHUFFLED __builtin_shufflevector

/* The words of error_kernel.h are defined for packs of four groups. */
#define NAME(x) pack_##x
#define TARGET
#define WHERE SIMD_WHERE
typedef pack pack_row;
#include "integrators/error_kernel.h"

/* --- sizes and levels --------------------------------------------------------------- */

void norms_sizes(const struct control *control, const double *x, double *size)
{
    for (int g = 0; g < control->groups; g++) {
        double most = 0;
        bool finite = true;

        for (int n = control->begin[g]; n < control->begin[g + 1]; n++) {
            double here = fabs(x[n]);

            finite &= here < INFINITY;
            most = here > most ? here : most;
        }
        size[g] = finite ? most : INFINITY;
    }
}

/* Sets control->size of four groups from g on to the larger of `size` and the amplitude,
   and *own to their levels without floors. */
INLINE void own_levels(const struct control *control, int g, const pack *size, pack *own)
{
    pack before = *(const pack *)(control->amplitude + g), most = before;

    SIMD_ENLARGE(most, *size);
    *(pack *)(control->size + g) = most;
    *own = pack_level(most, before);
}

/* Sets the level of group g: the larger of its own and its floor. Without a floor `least`
   is 0, or not a number if the level of group 0 is infinite, and is not taken. */
INLINE double level(const struct control *control, int g, double own)
{
    const struct floor *floor = &control->floor[g];
    double least = floor->share*control->level[floor->of];

    return control->level[g] = least > own ? least : own;
}

void norms_levels(const struct control *control, const double *x_new)
{
    norms_sizes(control, x_new, control->size);
    for (int g = 0; g < control->groups; g += PACK) {
        pack own;

        own_levels(control, g, (const pack *)(control->size + g), &own);
        for (int l = 0; l < PACK; l++)
            level(control, g + l, own[l]);
    }
}

/* --- the error of a step ------------------------------------------------------------ */

/* Three vectors whose norms are taken together. */
struct three {
    const double *x, *y, *z;
};

#define WHOLE(x) SIMD_ABS(*(const pack *)(x))
#define FEW(x, count) SIMD_ABS(pack_within(x, count, 0))

/* Four magnitudes of components [begin, end) of each vector, the largest among them. The
   last pack of many may overlap the one before. `sum` grows by all magnitudes read: if
   the sum is finite, so are they. */
INLINE void largest_of(const struct three *of, int begin, int end, pack *most_x,
                       pack *most_y, pack *most_z, pack *sum)
{
    int last = end - PACK;
    pack x = { 0 }, y = { 0 }, z = { 0 };

    if (last >= begin) {
        x = WHOLE(of->x + last);
        y = WHOLE(of->y + last);
        z = WHOLE(of->z + last);
    } else if (end > begin) {
        x = FEW(of->x + begin, end - begin);
        y = FEW(of->y + begin, end - begin);
        z = FEW(of->z + begin, end - begin);
    }
    *sum += x + y + z;
    for (int n = begin; n < last; n += PACK) {
        pack in_x = WHOLE(of->x + n), in_y = WHOLE(of->y + n), in_z = WHOLE(of->z + n);

        *sum += in_x + in_y + in_z;
        SIMD_ENLARGE(x, in_x);
        SIMD_ENLARGE(y, in_y);
        SIMD_ENLARGE(z, in_z);
    }
    *most_x = x;
    *most_y = y;
    *most_z = z;
}

/* most[l] = the largest number of of[l], for four packs. */
INLINE void largest_of_each(const pack of[PACK], pack *most)
{
    pack ab = SHUFFLED(of[0], of[1], 0, 5, 2, 7), cd = SHUFFLED(of[2], of[3], 0, 5, 2, 7);

    SIMD_ENLARGE(ab, SHUFFLED(of[0], of[1], 1, 4, 3, 6));
    SIMD_ENLARGE(cd, SHUFFLED(of[2], of[3], 1, 4, 3, 6));
    *most = SHUFFLED(ab, cd, 0, 1, 6, 7);
    SIMD_ENLARGE(*most, SHUFFLED(ab, cd, 2, 3, 4, 5));
}

/* size[i] = the largest magnitudes of four groups from g on, in vector i. */
INLINE void sizes(const struct control *control, int g, const struct three *of,
                  pack size[3], pack *sum)
{
    const int *begin = control->begin + g;
    pack most[3][PACK];

    UNROLL for (int l = 0; l < PACK; l++)
        largest_of(of, begin[l], begin[l + 1], &most[0][l], &most[1][l], &most[2][l],
                   sum);
    UNROLL for (int i = 0; i < 3; i++)
        largest_of_each(most[i], &size[i]);
}

/* The largest error of a group, as in control_combined, four groups at a time: groups
   after the last are empty. A level that is infinite makes the error infinite, since an
   infinite unit would excuse every error. */
INLINE void find_worst(const struct control *control, double second,
                       const struct three *all, double *worst, double *sum)
{
    const struct three of = *all;
    const pack zero = { 0 }, infinite = zero + INFINITY;
    pack most = zero, total = zero;
    bits finite = ~(bits){ 0 };

    for (int g = 0; g < control->groups; g += PACK) {
        pack size[3], levels;

        sizes(control, g, &of, size, &total);
        own_levels(control, g, &size[0], &levels);
        UNROLL for (int l = 0; l < PACK; l++)
            levels[l] = level(control, g + l, levels[l]);
        pack unit = control->rtol*levels + control->atol;
        pack here = pack_error_square(unit, size[1], size[2], second);

        finite &= here + unit < infinite;
        SIMD_ENLARGE(most, here);
    }
    *worst = finite[0] & finite[1] & finite[2] & finite[3] ? sqrt(pack_largest(most))
                                                           : INFINITY;
    *sum = total[0] + total[1] + total[2] + total[3];
}

SIMD_WIDEST(widest_worst, find_worst,
            (const struct control *control, double second, const struct three *all,
             double *worst, double *sum),
            (control, second, all, worst, sum))

double norms_worst(const struct control *control, int errors, double second,
                   const double *x_new, double *const *err)
{
    const struct three all = { x_new, err[0], err[errors - 1] };
    int dim = control->begin[control->groups];
    double worst, sum;

    widest_worst(control, second, &all, &worst, &sum);
    bool finite = sum < INFINITY || (all_finite(all.x, dim) && all_finite(all.y, dim) &&
                                     all_finite(all.z, dim));
    return finite ? worst : INFINITY;
}
