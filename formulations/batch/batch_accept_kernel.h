/*
 * batch_accept_kernel.h - kernel of batch_accept.c: acceptance of steps in SIMD lanes and
 * the choice of the next ones, in one instruction set (simd_targets.h, lane_rows.h).
 *
 * The formulas are those of a single run: exclusion_kernel.h, step_kernel.h.
 */
LANE_ROWS
#include "events/exclusion_kernel.h"
#include "events/step_kernel.h"

/* --- acceptance --------------------------------------------------------------------- */

TARGET INLINE void NAME(judge_constraints)(struct batch_accept *accept,
                                           struct accept_steps *steps, int l)
{
    const struct monitor_lanes *monitors = accept->monitors;
    const struct mode *mode = accept->mode;
    const NAME(row) zero = {0}, one = zero + 1;
    NAME(row) Phi = ROW(accept->Phi, 0), Phid = ROW(accept->Phid, 0);
    NAME(note_violation)(mode->m, mode->velocity_level, monitors->Phi, monitors->Phid,
                         &Phi, &Phid, l);
    ROW(accept->Phi_here, 0) = Phi;
    ROW(accept->Phid_here, 0) = Phid;

    NAME(row) reach = ROW(accept->reach, 0);
    NAME(row) change = NAME(change_squared)(&accept->apart, mode->Phi_q_entries.begin,
                                            monitors->Phi_q, accept->Phi_q, accept->unit,
                                            l);
    ROW(steps->moved, 0) = WHERE(change < reach * reach, zero, one);
}

/* A step passes if it and its lane are eligible, its error is small, and no pivot of the
   program is in doubt (explicit_rhs.c). */
TARGET INLINE void NAME(judge_step)(const struct batch_accept *accept,
                                    struct accept_steps *steps, int l)
{
    const NAME(row) zero = {0}, one = zero + 1;
    NAME(mask) sure = (ROW(steps->eligible, 0) > 0) & (ROW(accept->eligible, 0) > 0);
    sure &= ROW(steps->error, 0) <= 1;
    for (int k = 0; k < accept->pivots; k++)
        sure &= MAGNITUDE(READ_ROW(steps->pivot, k)) >= ROW(accept->least, k);
    ROW(steps->accepted, 0) = WHERE(sure, one, zero);
}

/* A step passes if roots of guard k are excluded; the size of the guard is noted. */
TARGET INLINE void NAME(judge_guard)(struct batch_accept *accept,
                                     struct accept_steps *steps, const double *theta,
                                     int k, int l)
{
    const NAME(row) zero = {0};
    NAME(row) h = ROW(steps->h, 0), leading = ROW(accept->leading, k), b[4];
    NAME(row) r0 = ROW(accept->value, k), rd0 = ROW(accept->rate, k);
    NAME(row) r1 = READ_ROW(accept->monitors->r, k);
    NAME(row) rd1 = READ_ROW(accept->monitors->rd, k);
    NAME(mask) root = leading != 0;
    NAME(shape)(h, r0, rd0, r1, rd1, root, leading, b);
    NAME(row) room = NAME(distance)(b, 4);
    NAME(mask) sure = room > 0;
    for (int i = 0; i < STATES_INSIDE; i++)
        sure &= NAME(is_near)(b, root, room, theta[i], ROW(accept->inside[i], k));
    ROW(steps->accepted, 0) = WHERE(sure, ROW(steps->accepted, 0), zero);

    NAME(row) height = NAME(height)(h, r0, rd0, r1, rd1), scale = ROW(accept->scale, k);
    ROW(accept->taller, k) = WHERE(height > scale, height, scale);
}

TARGET static void NAME(judge)(struct batch_accept *accept, struct accept_steps *steps,
                               const double *theta)
{
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(judge_constraints)(accept, steps, l);
        NAME(judge_step)(accept, steps, l);
        for (int k = 0; k < accept->guards; k++)
            NAME(judge_guard)(accept, steps, theta, k, l);
    }
}

/* --- the next step ------------------------------------------------------------------ */

/* The next step is eligible if it is not the last one before `stop`, and can be told from
   none. */
TARGET static void NAME(propose)(const struct batch_accept *accept,
                                 struct accept_steps *steps)
{
    const NAME(row) zero = {0}, one = zero + 1;
    for (int l = 0; l < LANES; l += WIDTH) {
        NAME(mask) accepted = ROW(steps->accepted, 0) > 0;
        NAME(row) t = ROW(steps->t, 0), h = ROW(steps->h, 0), end = t + h;
        NAME(row) proposed = ROW(steps->proposed, 0), stop = ROW(steps->stop, 0);
        NAME(row) next = NAME(proposal)(h, proposed, ROW(steps->next, 0));
        NAME(row) left = stop - end, fits = NAME(fitted)(next, left);
        NAME(mask) eligible = NOT(NAME(is_last)(next, left));
        eligible &= (fits > NAME(shortest)(end)) & (fits < left) & (end + fits < stop);
        ROW(steps->t, 0) = WHERE(accepted, end, t);
        ROW(steps->h, 0) = WHERE(accepted, fits, h);
        ROW(steps->proposed, 0) = WHERE(accepted, next, proposed);
        ROW(steps->eligible, 0) = WHERE(eligible, one, zero);
        for (int k = 0; k < accept->guards; k++)
            ROW(accept->leading, k) = WHERE(accepted, zero, ROW(accept->leading, k));
    }
}

#undef SHAPE_VALUE
#undef MULTIPLY_ADD
#undef SPREAD
#undef WIDTH
#undef NAME
#undef TARGET
