/*
 * index3.h - the terminal condition (18b) of Pan, Ding, Wang 2004 on equations of
 * index 3, and its projection onto the hidden constraint (Cao, Li, Petzold, Serban 2003).
 */
#ifndef SALTUS_PAPERS_PAN_INDEX3_H
#define SALTUS_PAPERS_PAN_INDEX3_H

#include "papers/pan/pan.h"

/*
 * With F = (q' - v, M v' + Phi_q' lambda - F, Phi) the column of the multipliers in (18d)
 * is Phi_q r = 0 at all times, where r weighs the equations of motion. Its derivative at
 * the end, where r = 0 for weights c = G_q' - Omega_q' eta of q alone, asks for
 *
 *     Phi_q M^-1 c = 0
 *
 * which c does not obey. c - Phi_q' kappa does, with Phi_q M^-1 Phi_q' kappa = Phi_q
 * M^-1 c, and weighs the sensitivities alike up to kappa' Phi_q Q = -kappa' Phi_b.
 */
struct pan_index3 {
    double hidden, projected;   /* |Phi_q M^-1 c| as a part of |Phi_q| |M^-1 c|, of c and
                                   of what is projected */
    double alone, moved;        /* digits of c' q_b by the projected weights, without and
                                   with the share of kappa' Phi_b */
};

/* Tries the condition at the end of a run of pan_ends, for the cost "delay". */
void pan_index3_try(struct pan_index3 *index3, const struct trajectory *run);
/* Tells it: digits to which the hidden constraint holds. */
void pan_index3_tell(const struct pan_index3 *index3, struct trial *trial);

#endif
