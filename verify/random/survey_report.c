/*
 * survey_report.c - the outcome of many random mechanisms (survey.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/survey.h"

static void print_disagreement(FILE *stream, const struct disagreement *d)
{
    const struct difference *difference = &d->difference;
    switch (d->kind) {
    case DISAGREE_NUMBER:
        fprintf(stream, "%s is %.12g in %s, %.12g in %s, at t = %.6g; it may differ by "
                "%.2g of %.2g", difference->name, difference->got, d->who,
                difference->want, d->other, d->t, difference->allowed,
                difference->scale);
        break;
    case DISAGREE_EVENTS:
        fprintf(stream, "%s and %s have another number of events", d->who, d->other);
        break;
    default:
        fprintf(stream, "%s: %s, %s: %s, t = %.6g: %.200s", d->who,
                status_text(d->status), d->other, status_text(d->other_status), d->t,
                d->why);
    }
}

static void print_refusals(FILE *stream, const struct survey_request *request,
                           const struct survey_draw *draw)
{
    for (int status = OK + 1; status < STATUSES; status++) {
        int count = 0;
        for (int k = 0; k < request->count; k++)
            count += draw[k].refused && (int)draw[k].status == status;
        if (count > 0)
            fprintf(stream, "  %5d  %s\n", count, status_text((enum status)status));
    }
}

static void print_known(FILE *stream, const struct survey_request *request,
                        const struct survey_draw *draw)
{
    for (int k = 0; k < request->count; k++) {
        int count = 0;
        for (int e = 0; e < request->count; e++) {
            bool same = draw[k].known && draw[e].known == draw[k].known;
            if (same && e < k)
                break;
            count += same;
        }
        if (count > 0)
            fprintf(stream, "  %5d  %s\n", count, draw[k].known);
    }
}

void survey_report(FILE *stream, const struct survey_request *request,
                   const struct survey_draw *draw)
{
    int refused = 0, known = 0, found = 0, events = 0, solutions = 0, late = 0;
    int unanswered = 0;
    long judged = 0, weak = 0;
    for (int k = 0; k < request->count; k++) {
        refused += draw[k].refused;
        found += draw[k].found;
        known += draw[k].known != NULL;
        events += draw[k].events;
        solutions += draw[k].solutions;
        late += draw[k].late;
        unanswered += draw[k].unanswered;
        judged += draw[k].judged;
        weak += draw[k].weak;
    }
    fprintf(stream, "%d random mechanisms, seeds %llu to %llu: %d events, %d solutions "
            "compared in %ld numbers", request->count,
            (unsigned long long)request->seed,
            (unsigned long long)request->seed + (unsigned)request->count - 1, events,
            solutions, judged);
    if (weak > 0)
        fprintf(stream, ", %ld of them with less than two digits", weak);
    if (late > 0)
        fprintf(stream, "\n%d solutions stopped because they took too long", late);
    if (unanswered > 0)
        fprintf(stream, "\n%d solutions not judged: they ask for a lower rtol, or "
                "nothing says how exact they are", unanswered);
    fprintf(stream, "\n%d refused by all", refused);
    fprintf(stream, refused > 0 ? ":\n" : "\n");
    print_refusals(stream, request, draw);
    if (known > 0)
        fprintf(stream, "%d with a disagreement of a known cause:\n", known);
    print_known(stream, request, draw);
    fprintf(stream, "%d with a disagreement that has no known cause\n", found);
    for (int k = 0; k < request->count; k++) {
        if (!draw[k].found)
            continue;
        fprintf(stream, "  seed %llu: ", (unsigned long long)draw[k].seed);
        print_disagreement(stream, &draw[k].finding);
        fprintf(stream, "\n");
    }
}

void survey_show(FILE *stream, const struct draw *draw,
                 const struct disagreement *disagreement)
{
    if (disagreement) {
        fprintf(stream, "/* ");
        print_disagreement(stream, disagreement);
        if (disagreement->arbiter[0])
            fprintf(stream, "\n   %s", disagreement->arbiter);
        fprintf(stream, " */\n");
    }
    draw_print(stream, draw);
}
