/*
 * batch_accept_kernel.h - what is asked of quiet steps and which step comes next, in one
 * instruction set (simd_targets.h, lane_rows.h). For batch_accept.c.
 */
LANE_ROWS
#define SMALLER(a, b) WHERE((b) < (a), b, a)

/* --- is it quiet? ------------------------------------------------------------------- */

/* As in step.c. */
TARGET static inline void NAME(note_constraints)(struct quiet *quiet, int l)
{
    const struct look_lanes *look = quiet->look;
    NAME(row) Phi = ROW(quiet->Phi, 0), Phid = ROW(quiet->Phid, 0);
    for (int i = 0; i < quiet->mode->m; i++) {
        NAME(row) there = MAGNITUDE(READ_ROW(look->Phi, i));
        NAME(row) rate = MAGNITUDE(READ_ROW(look->Phid, i));
        if (!quiet->mode->velocity_level[i])
            Phi = LARGER_ROW(Phi, there);
        Phid = LARGER_ROW(Phid, rate);
    }
    ROW(quiet->Phi_here, 0) = Phi;
    ROW(quiet->Phid_here, 0) = Phid;
}

/* As in rank_monitor.c. */
TARGET static inline void NAME(note_change)(const struct quiet *quiet, double *moved,
                                            int l)
{
    const NAME(row) zero = {0}, one = zero + 1;
    const struct apart *apart = &quiet->apart;
    const int *begin = quiet->mode->Phi_q_entries.begin;
    NAME(row) change = {0};
    for (int p = 0; p < apart->parts; p++) {
        NAME(row) longest = {0};
        for (int i = apart->begin[p]; i < apart->begin[p + 1]; i++) {
            NAME(row) square = {0};
            for (int k = begin[apart->row[i]]; k < begin[apart->row[i] + 1]; k++) {
                NAME(row) by = READ_ROW(quiet->look->Phi_q, k) - ROW(quiet->Phi_q, k);
                NAME(row) d = by * ROW(quiet->unit, k);
                square += d * d;
            }
            longest = WHERE(square > longest, square, longest);
        }
        change += longest;
    }
    NAME(row) reach = ROW(quiet->reach, 0);
    ROW(moved, 0) = WHERE(change < reach * reach, zero, one);
}

/* It may be, and is accepted; no pivot is in doubt (explicit_rhs.c). */
TARGET static inline void NAME(judge_step)(const struct quiet *quiet,
                                           struct quiet_steps *steps, int l)
{
    const NAME(row) zero = {0}, one = zero + 1;
    NAME(mask) sure = (ROW(steps->may, 0) > 0) & (ROW(quiet->can, 0) > 0);
    sure &= ROW(steps->error, 0) <= 1;
    for (int k = 0; k < quiet->pivots; k++)
        sure &= MAGNITUDE(READ_ROW(steps->pivot, k)) >= ROW(quiet->least, k);
    ROW(steps->is, 0) = WHERE(sure, one, zero);
}

/* Guard k is as far from zero as in guard_exclusion.c. */
TARGET static inline void NAME(judge_guard)(const struct quiet *quiet,
                                            struct quiet_steps *steps,
                                            const double *theta, int k, int l)
{
    const NAME(row) zero = {0};
    NAME(row) h = ROW(steps->h, 0), start = h * ROW(quiet->leading, k);
    NAME(row) rise0 = h * ROW(quiet->rate, k), rise1 = h * READ_ROW(quiet->look->rd, k);
    NAME(row) r0 = ROW(quiet->value, k), b3 = READ_ROW(quiet->look->r, k);
    NAME(row) r1 = GLANCE_FIRST(r0, rise0), r2 = GLANCE_SECOND(b3, rise1);
    NAME(row) middle = GLANCE_MIDDLE(b3, rise1);
    NAME(row) left1 = GLANCE_THIRD(start, middle), left2 = GLANCE_THIRD(b3, middle);
    NAME(mask) root = start != 0;
    NAME(row) b0 = WHERE(root, start, r0);
    NAME(row) b1 = WHERE(root, left1, r1), b2 = WHERE(root, left2, r2);
    NAME(row) low0 = SMALLER(b0, b1), low1 = SMALLER(b2, b3), low = SMALLER(low0, low1);
    NAME(row) high0 = LARGER_ROW(b0, b1), high1 = LARGER_ROW(b2, b3);
    NAME(row) high = LARGER_ROW(high0, high1), from_below = -high, from_above = -low;
    NAME(row) least = LARGER_ROW(low, from_below), most = LARGER_ROW(high, from_above);
    NAME(mask) sure = least > glance_near_zero * most;
    for (int i = 0; i < STATES_INSIDE; i++) {
        double there = theta[i], back = 1 - there;
        NAME(row) share = zero + GLANCE_SHARE(there, back);
        NAME(row) from_root = zero + GLANCE_SHARE_FROM_ROOT(there, back);
        NAME(row) part = WHERE(root, zero + there, zero + 1), room = part * least;
        NAME(row) H = GLANCE_VALUE(b0, b1, b2, b3, there, back);
        NAME(row) defect = MAGNITUDE(ROW(quiet->inside[i], k) - part * H);
        sure &= glance_margin * defect < room * WHERE(root, from_root, share);
    }
    ROW(steps->is, 0) = WHERE(sure, ROW(steps->is, 0), zero);
}

/* The largest |H| of guard k is at an end, or where its rate is zero. */
TARGET static inline void NAME(note_height)(struct quiet *quiet, const double *h_row,
                                            int k, int l)
{
    NAME(row) h = READ_ROW(h_row, 0), b0 = ROW(quiet->value, k);
    NAME(row) b3 = READ_ROW(quiet->look->r, k), a0 = MAGNITUDE(b0), a3 = MAGNITUDE(b3);
    NAME(row) rate0 = ROW(quiet->rate, k), rate1 = READ_ROW(quiet->look->rd, k);
    NAME(row) b1 = GLANCE_FIRST(b0, h * rate0), b2 = GLANCE_SECOND(b3, h * rate1);
    NAME(row) top = rate0 / (rate0 - rate1), back = 1 - top;
    NAME(row) there = MAGNITUDE(GLANCE_VALUE(b0, b1, b2, b3, top, back));
    NAME(row) ends = LARGER_ROW(a0, a3), higher = LARGER_ROW(ends, there);
    NAME(row) height = WHERE(rate0 * rate1 < 0, higher, ends);
    NAME(row) scale = ROW(quiet->scale, k);
    ROW(quiet->taller, k) = LARGER_ROW(scale, height);
}

TARGET static void NAME(judge)(struct quiet *quiet, struct quiet_steps *steps,
                               const double *theta)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(note_constraints)(quiet, l);
        NAME(note_change)(quiet, steps->moved, l);
        NAME(judge_step)(quiet, steps, l);
        for (int k = 0; k < quiet->guards; k++) {
            NAME(judge_guard)(quiet, steps, theta, k, l);
            NAME(note_height)(quiet, steps->h, k, l);
        }
    }
}

/* --- which step comes next? --------------------------------------------------------- */

/* As in step.c. */
TARGET static void NAME(propose)(const struct quiet *quiet, struct quiet_steps *steps)
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
        for (int k = 0; k < quiet->guards; k++)
            ROW(quiet->leading, k) = WHERE(is, zero, ROW(quiet->leading, k));
    }
}

#undef SMALLER
#undef MULTIPLY_ADD
#undef SPREAD
#undef WIDTH
#undef NAME
#undef TARGET
