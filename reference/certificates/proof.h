/*
 * proof.h - a motion that is proved: balls, and how they are stored and compared.
 */
#ifndef SALTUS_PROOF_H
#define SALTUS_PROOF_H

#include "enclosure/enclosure.h"
#include "reference.h"

/* Balls that contain the exact numbers. */
struct proof {
    struct enclosed_motion *motion;
    int carried;                /* digits of the approximate motion */
    double digits;              /* the widest ball, in digits (proof_extent); `carried` if
                                   all are exact */
};

/*
 * Proves the motion of a request, an exact one: balls that contain all numbers that
 * reference_run gives. Digits are raised until the widest ball has `digits`, as long as
 * that helps. NOT_APPLICABLE: balls cannot decide it: dependent constraints, events at
 * one instant. PRECISION: not enclosed with the digits tried. SINGULAR: the equations are
 * not shown to be regular. Else the refusal of the run. *out is NULL on failure.
 */
enum status prove(const struct reference_request *request, int digits,
                  struct proof **out, struct diagnosis *diagnosis);
void proof_free(struct proof *proof);

/*
 * One arc of a proof once more, from the start or one of its points to the next, with one
 * derivative: the balls at its end must meet those of the proof. `motion` has the
 * samples; arc and parameter are counted modulo those that there are. BAD_ANSWER: a ball
 * does not meet that of the proof; PRECISION: it does, and is much wider; else as prove.
 * The diagnosis names the number.
 */
enum status prove_again(const struct proof *proof, const struct reference_request *motion,
                        unsigned long arc, unsigned long parameter,
                        struct diagnosis *diagnosis);

/* How wide the balls are, in digits: -log10 of the radius over the number, or over the
   largest of its kind (all q, all v, ..., of one parameter) if that is larger; of the
   radius where all of the kind are zero. */
struct proof_extent {
    long numbers;
    double widest, narrowest;   /* INFINITY, -INFINITY: all are exact */
};
struct proof_extent proof_extent(const struct enclosed_motion *motion);

/* Writes a proof as text (proof_text.c), under a temporary name that is then renamed.
   BAD_INPUT: the file cannot be written. */
enum status proof_write(const struct proof *proof, const char *path,
                        struct diagnosis *diagnosis);
/* Reads a proof of a model; NULL on refusal. BAD_INPUT: the file is not as it should be,
   or belongs to other formulas; the diagnosis has file and line. */
enum status proof_read(const char *path, const struct model *model, struct proof **out,
                       struct diagnosis *diagnosis);

/* The middles of the balls, to be freed by mp_trajectory_free. */
struct mp_trajectory *proof_middles(const struct proof *proof);
/* Do all certified values lie in their balls, give or take the digits that they claim? If
   not, `outside` names the first that does not. */
bool proof_contains(const struct proof *proof, const struct certificate *certificate,
                    char *outside, int size);

#endif
