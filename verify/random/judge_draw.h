/*
 * judge_draw.h - one random mechanism in every formulation, by complex step, by the
 * reference: do they agree?
 *
 * The plainest formulation of the exact motion is what the others are compared with. A
 * penalty formulation has a motion of its own, and is compared with complex step through
 * its own equations; where it refuses, with the reference of that motion, since complex
 * step knows few refusals. Where two disagree the reference is asked who is right.
 */
#ifndef SALTUS_JUDGE_DRAW_H
#define SALTUS_JUDGE_DRAW_H

#include "events/jump.h"
#include "random/agreement.h"
#include "random/draw.h"

struct draw_request {
    const struct formulation *only;     /* NULL: every one that applies */
    const struct jump_rule *rule;       /* NULL; else one more solver jumps by it: `only`,
                                           or the plainest formulation */
    bool complex_step;                  /* ask it, too */
    bool penalty;                       /* and the penalty family */
    bool reference;                     /* ask it even where all agree; it always is
                                           where the plainest formulation refuses */
    bool in_short;                      /* nobody wants to know who is right */
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
    char who[48], other[48];            /* solutions; `who` is the wrong one where
                                           that is known */
    enum status status, other_status;
    struct difference difference;       /* DISAGREE_NUMBER */
    double t;
    char why[480];                      /* DISAGREE_REFUSAL, _REASON: what `who` says */
    char arbiter[160];                  /* what the reference says of it; "": nothing */
    const char *known;                  /* a cause that is known (known.def), or NULL */
};

enum { MOST_DISAGREEMENTS = 12 };
struct draw_verdict {
    enum status status;                 /* of the plainest formulation */
    struct diagnosis diagnosis;
    int events, solutions;
    int late, unanswered;               /* solutions that were stopped; those that nothing
                                           could be compared with */
    long judged, weak;
    int count;
    struct disagreement disagreement[MOST_DISAGREEMENTS];
};

void judge_draw(const struct draw *draw, const struct draw_request *request,
                struct draw_verdict *verdict);
/* What is enough to see a disagreement again. */
struct draw_request draw_request_for(const struct draw_request *request,
                                     const struct disagreement *disagreement);
/* The first that is not known, or NULL. */
const struct disagreement *first_finding(const struct draw_verdict *verdict);

/* known.c: the cause of a disagreement, if it is a known one. */
const char *known_cause(const struct draw *draw, const struct disagreement *disagreement);

#endif
