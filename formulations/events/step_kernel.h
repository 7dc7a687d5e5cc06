/*
 * step_kernel.h - step control kernel: notes on an accepted step, and the length of the
 * next one. One text serves one run (one_row.h; step.c, rank_monitor.c) and runs in lanes
 * (lane_rows.h, batch_accept_kernel.h), to the same bits.
 */

/* Raises *Phi and *Phid, the largest violations of constraints and of their rates so far,
   to those of a point, Phi_there and Phid_there [m]. Constraints at velocity level have
   no Phi. */
TARGET INLINE void NAME(note_violation)(int m, const bool *velocity_level,
                                               const double *Phi_there,
                                               const double *Phid_there, NAME(row) *Phi,
                                               NAME(row) *Phid, int l)
{
    for (int i = 0; i < m; i++) {
        NAME(row) there = MAGNITUDE(READ_ROW(Phi_there, i));
        NAME(row) rate = MAGNITUDE(READ_ROW(Phid_there, i));
        if (!velocity_level[i])
            *Phi = WHERE(there > *Phi, there, *Phi);
        *Phid = WHERE(rate > *Phid, rate, *Phid);
    }
}

/* A bound of the square of |Phi_q - before|, rows in their units (row_groups.h). Row i
   has the entries begin[i] .. begin[i + 1] of Phi_q, each times its unit. */
TARGET INLINE NAME(row) NAME(change_squared)(const struct row_groups *groups,
                                                    const int *begin,
                                                    const double *Phi_q,
                                                    const double *before,
                                                    const double *unit, int l)
{
    NAME(row) change = {0};
    for (int p = 0; p < groups->parts; p++) {
        NAME(row) longest = {0};
        for (int i = groups->begin[p]; i < groups->begin[p + 1]; i++) {
            NAME(row) square = {0};
            for (int k = begin[groups->row[i]]; k < begin[groups->row[i] + 1]; k++) {
                NAME(row) by = READ_ROW(Phi_q, k) - READ_ROW(before, k);
                NAME(row) d = by * READ_ROW(unit, k);
                square += d * d;
            }
            longest = WHERE(square > longest, square, longest);
        }
        change += longest;
    }
    return change;
}

/* The step proposed after an accepted one of length h, which was `proposed` before it was
   made to fit: `next`, but a step cut short by a sample time says little about the next
   one. */
TARGET INLINE NAME(row) NAME(proposal)(NAME(row) h, NAME(row) proposed,
                                              NAME(row) next)
{
    return WHERE(h < proposed, LARGER_ROW(next, proposed), next);
}

/* Is a step h the last one, with `left` to go? */
TARGET INLINE NAME(mask) NAME(is_last)(NAME(row) h, NAME(row) left)
{
    return h >= left * (1 - last_step);
}

/* Any other step that is more than half of the way becomes half: no last step is tiny. */
TARGET INLINE NAME(row) NAME(fitted)(NAME(row) h, NAME(row) left)
{
    NAME(row) half = left / 2;
    return WHERE(h > half, half, h);
}

/* The shortest step: a longer one at time t can be told from none. */
TARGET INLINE NAME(row) NAME(shortest)(NAME(row) t)
{
    NAME(row) size = MAGNITUDE(t), least = (NAME(row)){0} + DBL_MIN;
    return shortest_step * WHERE(size > least, size, least);
}
