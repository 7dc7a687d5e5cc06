#include "norms.h"

#include <math.h>

#include "largest.h"
#include "packs.h"

#define SHUFFLED __builtin_shufflevector

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

/* The end of a step counts, too: a sensitivity that starts at zero has its first
   amplitude there. But no more than NORMS_GROWTH times what was there before: a step that
   ends in nonsense would excuse its own errors. The level is that or, if it is more, what
   the floor of the group allows. */
INLINE void level(const struct control *control, int g, double size)
{
    const struct floor *floor = &control->floor[g];
    double before = control->amplitude[g], most = size > before ? size : before;

    control->size[g] = most;
    if (before > 0 && most > NORMS_GROWTH*before)
        most = NORMS_GROWTH*before;
    if (floor->of >= 0) {
        double least = floor->share*control->level[floor->of];
        most = least > most ? least : most;
    }
    control->level[g] = most;
}

void norms_levels(const struct control *control, const double *x_new)
{
    norms_sizes(control, x_new, control->size);
    for (int g = 0; g < control->groups; g++)
        level(control, g, control->size[g]);
}

/* --- the error of a step ------------------------------------------------------------ */

/* Three vectors of which parts are looked at. */
struct three {
    const double *x, *y, *z;
};

#define WHOLE(x) PACK_ABS(*(const pack *)(x))
#define FEW(x, count) PACK_ABS(((pack){ (x)[0], (x)[(count)/2], (x)[(count) - 1] }))

/* Of components from `begin` to `end` four magnitudes in each vector, one of them the
   largest. The last pack of many may overlap the one before. `sum` grows by all that are
   read: if it is finite, so are they. */
INLINE void largest_of(const struct three *of, int begin, int end, pack most[3],
                       pack *sum)
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
        PACK_ENLARGE(x, in_x);
        PACK_ENLARGE(y, in_y);
        PACK_ENLARGE(z, in_z);
    }
    most[0] = x;
    most[1] = y;
    most[2] = z;
}

/* The largest magnitude in each vector. */
INLINE void sizes(const struct three *of, int begin, int end, pack *size, pack *sum)
{
    pack most[3];

    largest_of(of, begin, end, most, sum);
    pack xy = SHUFFLED(most[0], most[1], 0, 4, 2, 6);
    pack zz = SHUFFLED(most[2], most[2], 0, 0, 2, 2);
    PACK_ENLARGE(xy, SHUFFLED(most[0], most[1], 1, 5, 3, 7));
    PACK_ENLARGE(zz, SHUFFLED(most[2], most[2], 1, 1, 3, 3));
    *size = SHUFFLED(xy, zz, 0, 1, 4, 5);
    PACK_ENLARGE(*size, SHUFFLED(xy, zz, 2, 3, 6, 7));
}

/* Of what control_combined has of each group the largest, squared, of four groups at
   once. With an infinite state an infinite unit would excuse every error. */
INLINE double largest_square(const struct control *control, double second)
{
    const pack zero = { 0 }, infinite = zero + INFINITY;
    pack most = zero;
    bits finite = ~(bits){ 0 };

    for (int g = 0; g < control->groups; g += PACK) {
        pack unit = control->rtol**(const pack *)(control->level + g) + control->atol;
        pack norm = *(const pack *)(control->error[0] + g)/unit;
        pack other = second*(*(const pack *)(control->error[1] + g)/unit);
        pack here = ERROR_SQUARE(norm*norm, other*other);

        here = PACK_WHERE(norm > 0, here, zero);
        finite &= here + unit < infinite;
        PACK_ENLARGE(most, here);
    }
    double one = most[0] > most[1] ? most[0] : most[1];
    double two = most[2] > most[3] ? most[2] : most[3];
    return finite[0] & finite[1] & finite[2] & finite[3] ? one > two ? one : two
                                                         : INFINITY;
}

INLINE void find_worst(const struct control *control, double second,
                       const struct three *all, double *worst, double *sum)
{
    const struct three of = *all;
    pack total = { 0 };

    for (int g = 0; g < control->groups; g++) {
        pack size;

        sizes(&of, control->begin[g], control->begin[g + 1], &size, &total);
        level(control, g, size[0]);
        control->error[0][g] = size[1];
        control->error[1][g] = size[2];
    }
    *worst = sqrt(largest_square(control, second));
    *sum = total[0] + total[1] + total[2] + total[3];
}

PACK_WIDEST(widest_worst, find_worst,
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
