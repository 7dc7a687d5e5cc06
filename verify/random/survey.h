/*
 * survey.h - many random mechanisms: drawn, judged and counted.
 */
#ifndef SALTUS_SURVEY_H
#define SALTUS_SURVEY_H

#include "random/judge_draw.h"

struct survey_request {
    uint64_t seed;                      /* seed of the first mechanism; the others
                                           follow */
    int count;
    unsigned kinds;                     /* set of 1 << enum kind */
    const struct formulation *only;     /* the only formulation that is judged; NULL:
                                           every one that applies */
    const struct jump_rule *rule;       /* a rule that may be wrong (judge_draw.h), or
                                           NULL */
    int threads;
    const char *verb;                   /* first word of the progress line; NULL: none */
};

struct survey_draw {
    uint64_t seed;
    enum status status;                 /* status of the plainest formulation */
    int events, solutions, late, unanswered;
    long judged, weak;
    bool refused;                       /* the motion is refused, and all agree on it */
    bool found;                         /* there is a disagreement without a known
                                           cause */
    struct disagreement finding;        /* the first such disagreement */
    const char *known;                  /* cause of a known disagreement, or NULL */
};

/* Judges the mechanisms: draw [request->count], in the order of seeds. */
void survey_run(const struct survey_request *request, struct survey_draw *draw);
/* The request for the draw of a seed: only some are judged by the penalty family and the
   reference, which take long. */
struct draw_request survey_judges(const struct survey_request *request, uint64_t seed);

/* Prints counts, refusals by reason, known causes, and findings, one a line. */
void survey_report(FILE *stream, const struct survey_request *request,
                   const struct survey_draw *draw);
/* Prints who disagrees with whom, in which number, by how much; and the mechanism. */
void survey_show(FILE *stream, const struct draw *draw,
                 const struct disagreement *disagreement);

#endif
