/*
 * error_kernel.h - the error of a group of components in units of the tolerance (HNW
 * II.4, II.10). One text serves four groups of one run (norms.c) and one group of runs in
 * lanes (control_lanes_kernel.h), to the same bits. simd/lane_rows.h has the words
 * NAME(row) and WHERE.
 */

/* The level of a group, its scale of rtol. The level is the size at the end of the step,
   for a sensitivity that starts at zero has its first amplitude there; but at most
   NORMS_GROWTH times the amplitude `before`, for a step that ends in nonsense would
   excuse its own errors. */
TARGET INLINE NAME(row) NAME(level)(NAME(row) size, NAME(row) before)
{
    NAME(row) most = NORMS_GROWTH*before;
    return WHERE((before > 0) & (size > most), most, size);
}

/* The square of the error, from the norms `first` and `other` of two error vectors: the
   first times its ratio to the hypotenuse of both, which raises the order (HNW II.10).
   second: the weight of `other`; 0: there is no other. An error whose square underflows
   is zero, as the ratio is 0/0 there. */
TARGET INLINE NAME(row) NAME(error_square)(NAME(row) unit, NAME(row) first,
                                           NAME(row) other, double second)
{
    const NAME(row) zero = {0};
    NAME(row) norm = first/unit, square = norm*norm, error = square;
    if (second != 0) {
        NAME(row) share = second*(other/unit);
        error = ERROR_SQUARE(square, share*share);
    }
    return WHERE(square > 0, error, zero);
}
