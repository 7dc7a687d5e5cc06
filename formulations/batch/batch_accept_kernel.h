/*
 * batch_accept_kernel.h - what is asked of quiet steps and which step comes next, in one
 * instruction set (simd_targets.h, lane_rows.h). For batch_accept.c.
 */
LANE_ROWS
#define SMALLER(a, b) WHERE((b) < (a), b, a)

/* --- is it quiet? ------------------------------------------------------------------- */

/* As in step.c. */
TARGET static inline void NAME(note_constraints)(struct batch_accept *accept, int l)
{
    const struct monitor_lanes *monitors = accept->monitors;
    NAME(row) Phi = ROW(accept->Phi, 0), Phid = ROW(accept->Phid, 0);
    for (int i = 0; i < accept->mode->m; i++) {
        NAME(row) there = MAGNITUDE(READ_ROW(monitors->Phi, i));
        NAME(row) rate = MAGNITUDE(READ_ROW(monitors->Phid, i));
        if (!accept->mode->velocity_level[i])
            Phi = LARGER_ROW(Phi, there);
        Phid = LARGER_ROW(Phid, rate);
    }
    ROW(accept->Phi_here, 0) = Phi;
    ROW(accept->Phid_here, 0) = Phid;
}

/* As in rank_monitor.c. */
TARGET static inline void NAME(note_change)(const struct batch_accept *accept,
                                            double *moved, int l)
{
    const NAME(row) zero = {0}, one = zero + 1;
    const struct row_groups *apart = &accept->apart;
    const int *begin = accept->mode->Phi_q_entries.begin;
    NAME(row) change = {0};
    for (int p = 0; p < apart->parts; p++) {
        NAME(row) longest = {0};
        for (int i = apart->begin[p]; i < apart->begin[p + 1]; i++) {
            NAME(row) square = {0};
            for (int k = begin[apart->row[i]]; k < begin[apart->row[i] + 1]; k++) {
                NAME(row)
                by = READ_ROW(accept->monitors->Phi_q, k) - ROW(accept->Phi_q, k);
                NAME(row) d = by * ROW(accept->unit, k);
                square += d * d;
            }
            longest = WHERE(square > longest, square, longest);
        }
        change += longest;
    }
    NAME(row) reach = ROW(accept->reach, 0);
    ROW(moved, 0) = WHERE(change < reach * reach, zero, one);
}

/* It may be, and is accepted; no pivot is in doubt (explicit_rhs.c). */
TARGET static inline void NAME(judge_step)(const struct batch_accept *accept,
                                           struct accept_steps *steps, int l)
{
    const NAME(row) zero = {0}, one = zero + 1;
    NAME(mask) sure = (ROW(steps->may, 0) > 0) & (ROW(accept->can, 0) > 0);
    sure &= ROW(steps->error, 0) <= 1;
    for (int k = 0; k < accept->pivots; k++)
        sure &= MAGNITUDE(READ_ROW(steps->pivot, k)) >= ROW(accept->least, k);
    ROW(steps->is, 0) = WHERE(sure, one, zero);
}

/* Guard k is as far from zero as in guard_exclusion.c. */
TARGET static inline void NAME(judge_guard)(const struct batch_accept *accept,
                                            struct accept_steps *steps,
                                            const double *theta, int k, int l)
{
    const NAME(row) zero = {0};
    NAME(row) h = ROW(steps->h, 0), start = h * ROW(accept->leading, k);
    NAME(row)
    rise0 = h * ROW(accept->rate, k),
    rise1 = h * READ_ROW(accept->monitors->rd, k);
    NAME(row) r0 = ROW(accept->value, k), b3 = READ_ROW(accept->monitors->r, k);
    NAME(row) r1 = EXCLUSION_FIRST(r0, rise0), r2 = EXCLUSION_SECOND(b3, rise1);
    NAME(row) middle = EXCLUSION_MIDDLE(b3, rise1);
    NAME(row) left1 = EXCLUSION_THIRD(start, middle), left2 = EXCLUSION_THIRD(b3, middle);
    NAME(mask) root = start != 0;
    NAME(row) b0 = WHERE(root, start, r0);
    NAME(row) b1 = WHERE(root, left1, r1), b2 = WHERE(root, left2, r2);
    NAME(row) low0 = SMALLER(b0, b1), low1 = SMALLER(b2, b3), low = SMALLER(low0, low1);
    NAME(row) high0 = LARGER_ROW(b0, b1), high1 = LARGER_ROW(b2, b3);
    NAME(row) high = LARGER_ROW(high0, high1), from_below = -high, from_above = -low;
    NAME(row) least = LARGER_ROW(low, from_below), most = LARGER_ROW(high, from_above);
    NAME(mask) sure = least > excluded_near_zero * most;
    for (int i = 0; i < STATES_INSIDE; i++) {
        double there = theta[i], back = 1 - there;
        NAME(row) share = zero + EXCLUSION_SHARE(there, back);
        NAME(row) from_root = zero + EXCLUSION_SHARE_FROM_ROOT(there, back);
        NAME(row) part = WHERE(root, zero + there, zero + 1), room = part * least;
        NAME(row) H = EXCLUSION_VALUE(b0, b1, b2, b3, there, back);
        NAME(row) defect = MAGNITUDE(ROW(accept->inside[i], k) - part * H);
        sure &= exclusion_margin * defect < room * WHERE(root, from_root, share);
    }
    ROW(steps->is, 0) = WHERE(sure, ROW(steps->is, 0), zero);
}

/* The largest |H| of guard k is at an end, or where its rate is zero. */
TARGET static inline void NAME(note_height)(struct batch_accept *accept,
                                            const double *h_row, int k, int l)
{
    NAME(row) h = READ_ROW(h_row, 0), b0 = ROW(accept->value, k);
    NAME(row)
    b3 = READ_ROW(accept->monitors->r, k),
    a0 = MAGNITUDE(b0), a3 = MAGNITUDE(b3);
    NAME(row) rate0 = ROW(accept->rate, k), rate1 = READ_ROW(accept->monitors->rd, k);
    NAME(row) b1 = EXCLUSION_FIRST(b0, h * rate0), b2 = EXCLUSION_SECOND(b3, h * rate1);
    NAME(row) top = rate0 / (rate0 - rate1), back = 1 - top;
    NAME(row) there = MAGNITUDE(EXCLUSION_VALUE(b0, b1, b2, b3, top, back));
    NAME(row) ends = LARGER_ROW(a0, a3), higher = LARGER_ROW(ends, there);
    NAME(row) height = WHERE(rate0 * rate1 < 0, higher, ends);
    NAME(row) scale = ROW(accept->scale, k);
    ROW(accept->taller, k) = LARGER_ROW(scale, height);
}

TARGET static void NAME(judge)(struct batch_accept *accept, struct accept_steps *steps,
                               const double *theta)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(note_constraints)(accept, l);
        NAME(note_change)(accept, steps->moved, l);
        NAME(judge_step)(accept, steps, l);
        for (int k = 0; k < accept->guards; k++) {
            NAME(judge_guard)(accept, steps, theta, k, l);
            NAME(note_height)(accept, steps->h, k, l);
        }
    }
}

/* --- which step comes next? --------------------------------------------------------- */

/* As in step.c. */
TARGET static void NAME(propose)(const struct batch_accept *accept,
                                 struct accept_steps *steps)
{
    const NAME(row) zero = {0}, one = zero + 1;
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(row) t = ROW(steps->t, 0), h = ROW(steps->h, 0);
        NAME(row) proposed = ROW(steps->proposed, 0);
        NAME(row) next = ROW(steps->next, 0), stop = ROW(steps->stop, 0), end = t + h;
        NAME(row) longer = LARGER_ROW(next, proposed), size = MAGNITUDE(end);
        next = WHERE(h < proposed, longer, next);
        NAME(row) left = stop - end, half = left / 2;
        NAME(row) fits = WHERE(next > half, half, next);
        size = WHERE(size > DBL_MIN, size, zero + DBL_MIN);
        NAME(mask) is = ROW(steps->is, 0) > 0, plain = ~STEP_IS_LAST(next, left);
        plain &= (fits > STEP_SHORTEST(size)) & (fits < left) & (end + fits < stop);
        ROW(steps->t, 0) = WHERE(is, end, t);
        ROW(steps->h, 0) = WHERE(is, fits, h);
        ROW(steps->proposed, 0) = WHERE(is, next, proposed);
        ROW(steps->may, 0) = WHERE(plain, one, zero);
        for (int k = 0; k < accept->guards; k++)
            ROW(accept->leading, k) = WHERE(is, zero, ROW(accept->leading, k));
    }
}

#undef SMALLER
#undef MULTIPLY_ADD
#undef SPREAD
#undef WIDTH
#undef NAME
#undef TARGET
