/*
 * survey.h - many random mechanisms: drawn, judged and counted.
 */
#ifndef SALTUS_SURVEY_H
#define SALTUS_SURVEY_H

#include "random/judge_draw.h"

struct survey_request {
    uint64_t seed;                      /* of the first; the others follow */
    int count;
    unsigned kinds;                     /* set of 1 << enum kind */
    const struct formulation *only;     /* NULL: every one that applies */
    const struct jump_rule *rule;       /* NULL, or one that is wrong (judge_draw.h) */
    int threads;
    const char *verb;                   /* of the line of progress; NULL: none */
};

struct survey_draw {
    uint64_t seed;
    enum status status;                 /* of the plainest formulation */
    int events, solutions, late, unanswered;
    long judged, weak;
    bool refused;                       /* and all agree on it */
    bool found;                         /* there is a disagreement that is not known */
    struct disagreement finding;        /* the first such */
    const char *known;                  /* cause of a disagreement that is, or NULL */
};

/* draw [request->count], in the order of seeds. */
void survey_run(const struct survey_request *request, struct survey_draw *draw);
/* What is asked of the draw of a seed: the penalty family and the reference, which take
   long, of some only. */
struct draw_request survey_judges(const struct survey_request *request, uint64_t seed);

/* Counts, refusals by reason, known causes, findings one a line. */
void survey_report(FILE *stream, const struct survey_request *request,
                   const struct survey_draw *draw);
/* Who disagrees with whom, in which number, by how much; and the mechanism. */
void survey_show(FILE *stream, const struct draw *draw,
                 const struct disagreement *disagreement);

#endif
