/*
 * judge_draw.h - one random mechanism in every formulation, by complex step, by the
 * reference: do they agree?
 *
 * All others are compared with the plainest formulation of the exact motion. A penalty
 * formulation has a motion of its own, and is compared with complex step through its own
 * equations; its refusals are compared with the reference of that motion, since complex
 * step knows few refusals. The reference is asked who is right when two disagree.
 */
#ifndef SALTUS_JUDGE_DRAW_H
#define SALTUS_JUDGE_DRAW_H

#include "events/jump.h"
#include "random/agreement.h"
#include "random/draw.h"

struct draw_request {
    const struct formulation *only;     /* the only formulation that is judged; NULL:
                                           every one that applies */
    const struct jump_rule *rule;       /* rule of one more solver, `only` or the plainest
                                           formulation; NULL: there is no such solver */
    bool complex_step;                  /* complex step is asked, too */
    bool penalty;                       /* the penalty family is judged, too */
    bool reference;                     /* the reference is asked where all agree, too; it
                                           always is where the plainest formulation
                                           refuses */
    bool in_short;                      /* nobody asks the reference who is right */
    long most_steps;                    /* of a run; 0: as many as usual */
};

enum disagreement_kind {
    DISAGREE_NUMBER,                    /* a number differs */
    DISAGREE_EVENTS,                    /* another number of events */
    DISAGREE_REFUSAL,                   /* one refuses and the other does not */
    DISAGREE_REASON                     /* both refuse, for another reason or at another
                                           time */
};

struct disagreement {
    enum disagreement_kind kind;
    char who[48], other[48];            /* names of the solutions; `who` is the wrong one
                                           where that is known */
    enum status status, other_status;
    struct difference difference;       /* set for DISAGREE_NUMBER */
    double t;
    char why[480];                      /* words of `who`, for DISAGREE_REFUSAL and
                                           DISAGREE_REASON */
    char arbiter[160];                  /* words of the reference; "": it says nothing */
    const char *known;                  /* known cause (known.def), or NULL */
};

enum { MOST_DISAGREEMENTS = 12 };
struct draw_verdict {
    enum status status;                 /* status of the plainest formulation */
    struct diagnosis diagnosis;
    int events, solutions;
    int late, unanswered;               /* solutions that were stopped; solutions that
                                           nothing could be compared with */
    long judged, weak;
    int count;
    struct disagreement disagreement[MOST_DISAGREEMENTS];
};

void judge_draw(const struct draw *draw, const struct draw_request *request,
                struct draw_verdict *verdict);
/* The smallest request that shows the disagreement again. */
struct draw_request draw_request_for(const struct draw_request *request,
                                     const struct disagreement *disagreement);
/* The first disagreement without a known cause, or NULL. */
const struct disagreement *first_finding(const struct draw_verdict *verdict);

/* known.c: the cause of a disagreement, if it is a known one; else NULL. */
const char *known_cause(const struct draw *draw, const struct disagreement *disagreement);

#endif
