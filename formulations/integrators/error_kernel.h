/*
 * error_kernel.h - the error of a group of components in units of the tolerance (HNW
 * II.4, II.10): one text for four groups of one run (norms.c) and for one group of runs
 * in lanes (control_lanes_kernel.h), to the same bits. NAME(row), WHERE:
 * simd/lane_rows.h.
 */

/* The level at which a group is measured: its size at the end of the step counts, for a
   sensitivity that starts at zero has its first amplitude there. But no more than
   NORMS_GROWTH times its amplitude `before`: a step that ends in nonsense would excuse
   its own errors. */
TARGET INLINE NAME(row) NAME(level)(NAME(row) size, NAME(row) before)
{
    NAME(row) most = NORMS_GROWTH*before;
    return WHERE((before > 0) & (size > most), most, size);
}

/* The square of the error, from the largest components `first` and `other` of two error
   vectors: that of the first times its ratio to the hypotenuse of both, which raises the
   order (HNW II.10). second: the weight of the other; 0: there is none. An error whose
   square underflows is none: there the ratio is 0/0. */
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
