/*
 * exclusion_kernel.h - guard exclusion by cubic Hermite bounds: the cubic polynomial H of
 * a guard on a step, and whether it excludes roots (guard_exclusion.c). One text serves
 * one run (one_row.h) and runs in lanes (lane_rows.h, batch_accept_kernel.h), to the same
 * bits.
 *
 * Divisions are the dearest part of a step without an event: only `height` has one.
 */

/* The Bernstein coefficients b of H. The guard has the values r0, r1 and the rates rd0,
   rd1 at the ends of the step h. Where the step begins at a `root`, theta has been
   divided out: the guard is H theta, `leading` is H(0) / h, the rate of H at 0 is not
   known, and H is quadratic. */
TARGET INLINE void NAME(shape)(NAME(row) h, NAME(row) r0, NAME(row) rd0,
                                      NAME(row) r1, NAME(row) rd1, NAME(mask) root,
                                      NAME(row) leading, NAME(row) b[4])
{
    const double third = 1 / 3.0;
    NAME(row) rise0 = h * rd0, rise1 = h * rd1, start = h * leading;
    NAME(row) middle = r1 - (rise1 - r1) * 0.5;
    b[0] = WHERE(root, start, r0);
    b[1] = WHERE(root, (start + 2.0 * middle) * third, r0 + rise0 * third);
    b[2] = WHERE(root, (r1 + 2.0 * middle) * third, r1 - rise1 * third);
    b[3] = r1;
}

/* H at theta, with back = 1 - theta. */
#define SHAPE_VALUE(b, theta, back) \
    ((back) * (back) * ((back) * (b)[0] + 3.0 * (theta) * (b)[1]) + \
     (theta) * (theta) * (3.0 * (back) * (b)[2] + (theta) * (b)[3]))

/* A lower bound of the distance of a polynomial with these coefficients from zero; 0 if
   the polynomial may reach zero, or so small a part of its coefficients that rounding
   hides it. */
TARGET INLINE NAME(row) NAME(distance)(const NAME(row) *b, int count)
{
    const NAME(row) zero = {0};
    NAME(row) low = b[0], high = b[0];
    UNROLL
    for (int i = 1; i < count; i++) {
        low = WHERE(b[i] < low, b[i], low);
        high = WHERE(b[i] > high, b[i], high);
    }
    NAME(row) nearest = WHERE(low > -high, low, -high);
    NAME(row) farthest = WHERE(high > -low, high, -low);
    return WHERE(nearest > excluded_near_zero * farthest, nearest, zero);
}

/* The difference of guard and H at theta, as a part of its maximum. At a root the guard
   is divided by theta. */
TARGET INLINE NAME(row) NAME(share)(NAME(mask) root, double theta)
{
    const NAME(row) zero = {0};
    double back = 1 - theta;
    return WHERE(root, zero + 6.75 * theta * back * back,
                 zero + 16.0 * theta * theta * back * back);
}

/* Is the guard, with the value r at theta, so near to H there that it is within `room` of
   H on all of the step? A root is excluded when the distance of H from zero is that many
   times the possible distance of the guard from H. */
TARGET INLINE NAME(mask) NAME(is_near)(const NAME(row) b[4], NAME(mask) root,
                                              NAME(row) room, double theta, NAME(row) r)
{
    const NAME(row) one = (NAME(row)){0} + 1;
    NAME(row) part = WHERE(root, one * theta, one);
    NAME(row) H = SHAPE_VALUE(b, theta, 1 - theta), apart = r - part * H;
    return exclusion_margin * MAGNITUDE(apart) < part * room * NAME(share)(root, theta);
}

/* The largest |r| of a guard on the step: at an end, or about where its rate is zero. */
TARGET INLINE NAME(row) NAME(height)(NAME(row) h, NAME(row) r0, NAME(row) rd0,
                                            NAME(row) r1, NAME(row) rd1)
{
    NAME(row) at_ends = LARGER_ROW(MAGNITUDE(r0), MAGNITUDE(r1)), b[4];
    const NAME(mask) turns = rd0 * rd1 < 0, no_root = {0};
    if (NOWHERE(turns))
        return at_ends;
    NAME(row) theta = rd0 / (rd0 - rd1), back = 1 - theta;
    NAME(shape)(h, r0, rd0, r1, rd1, no_root, r0, b);
    NAME(row) there = MAGNITUDE(SHAPE_VALUE(b, theta, back));
    return WHERE(turns, LARGER_ROW(at_ends, there), at_ends);
}
