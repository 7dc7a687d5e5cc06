/*
 * judge_draw.c - the solvers of a random mechanism beside each other.
 */
#include "random/judge_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "random/solvers.h"
#include "refusals/refusal.h"

/* --- disagreements ------------------------------------------------------------------ */

static struct disagreement *note(struct solvers *solvers, enum disagreement_kind kind,
                                 const struct solution *who, const struct solution *other)
{
    struct draw_verdict *verdict = solvers->verdict;
    int k = verdict->count < MOST_DISAGREEMENTS ? verdict->count++
                                                : MOST_DISAGREEMENTS - 1;
    struct disagreement *d = &verdict->disagreement[k];
    *d = (struct disagreement){.kind = kind, .status = who->status,
                               .other_status = other->status,
                               .t = who->status != OK ? who->diagnosis.t
                                                      : other->diagnosis.t};
    snprintf(d->who, sizeof d->who, "%s", who->name);
    snprintf(d->other, sizeof d->other, "%s", other->name);
    snprintf(d->why, sizeof d->why, "%s",
             who->status != OK ? who->diagnosis.place : other->diagnosis.place);
    return d;
}

/* Is it a refusal for dependent rows, by a formulation that does not claim to take
   them? */
static bool cannot_take(const struct solvers *solvers, const struct solution *solution)
{
    return solution->status == RANK_LOSS && solution->formulation &&
           draw_is_redundant(solvers->draw) &&
           option_index(solution->formulation, "redundant") < 0;
}

/* Has the formulation met a singular configuration? Branches of the motion cross there: a
   formulation may end by name, and others go through (formulations/README.md). It is not
   judged if the motion in MPFR crosses one there. */
static bool met_singular(struct solvers *solvers, const struct solution *solution)
{
    static const struct truth exact = {.variant = "exact"};
    struct diagnosis diagnosis = solution->diagnosis;
    bool right = solution->status == RANK_LOSS &&
                 refusal_of_equations_is_right(solvers->model, &exact, &diagnosis);
    solvers->verdict->unanswered += right;
    return right;
}

/* Was the coarser run refused? It must be there as well, unless it had too few digits:
   its refusal is noted. */
static bool is_refused_coarsely(struct solvers *solvers, const struct solution *got)
{
    if (got->coarse_status == OK || solvers_lacks_digits(got))
        return false;
    struct solution coarse = *got;
    coarse.status = got->coarse_status;
    snprintf(coarse.name, sizeof coarse.name, "coarse %.40s", got->name);
    note(solvers, DISAGREE_REFUSAL, &coarse, got);
    return true;
}

/* Are both solutions to be compared number by number? A refusal, or another number of
   events, is noted. */
static bool same_outcome(struct solvers *solvers, const struct solution *got,
                         const struct solution *want)
{
    if (got->status == OK && want->status == OK) {
        if (got->events != want->events)
            note(solvers, DISAGREE_EVENTS, got, want);
        return got->events == want->events && !is_refused_coarsely(solvers, got) &&
               !is_refused_coarsely(solvers, want);
    }
    if (cannot_take(solvers, got) || met_singular(solvers, got) ||
        met_singular(solvers, want)) return false;
    if (got->status == OK || want->status == OK)
        note(solvers, DISAGREE_REFUSAL, got, want);
    else if (got->status != want->status ||
             fabs(got->diagnosis.t - want->diagnosis.t) > 1e-3 * solvers->span)
        note(solvers, DISAGREE_REASON, got, want);
    return false;
}

/* Is there a coarser run on both sides, where there should be one? The coarser run of
   complex step takes as long as the finer one: it is made only where it is missed. */
static bool is_measured(const struct solvers *solvers, struct solution *got,
                        struct solution *want)
{
    bool expected = got->coarse_status != OK || want->coarse_status != OK;
    return !expected || got->coarse || want->coarse ||
           solvers_complex_step_coarse(solvers, got) ||
           solvers_complex_step_coarse(solvers, want);
}

static void compare(struct solvers *solvers, struct solution *got, struct solution *want)
{
    bool late = got->late || want->late;
    bool unanswered = !late && (got->unanswered || want->unanswered);
    solvers->verdict->solutions++;
    solvers->verdict->late += late;
    solvers->verdict->unanswered += unanswered;
    if (late || unanswered || !same_outcome(solvers, got, want))
        return;
    if (!is_measured(solvers, got, want)) {
        solvers->verdict->unanswered++;
        return;
    }
    struct difference difference = solutions_differ(got, want);
    if (difference.found && (solvers_complex_step_coarse(solvers, got) ||
                             solvers_complex_step_coarse(solvers, want)))
        difference = solutions_differ(got, want);
    solvers->verdict->judged += difference.judged;
    solvers->verdict->weak += difference.weak;
    if (difference.found) {
        struct disagreement *d = note(solvers, DISAGREE_NUMBER, got, want);
        d->difference = difference;
        d->t = difference.t;
    }
}

/* Does a solution agree with the reference? 1 yes, 0 no, -1 nobody knows. */
static int is_right(const struct solvers *solvers, const struct solution *solution)
{
    const struct solution *reference = &solvers->reference;
    if (reference->late || solution->unanswered || solvers_lacks_digits(solution))
        return -1;
    if (reference->status != OK || solution->status != OK)
        return reference->status == solution->status;
    return solution->events == reference->events &&
           !solutions_differ(solution, reference).found;
}

/* Says who is right, by the reference; a wrong base is named in place of the other
   solution. */
static void arbitrate(struct solvers *solvers, const struct solution *got)
{
    struct disagreement *d = &solvers->verdict->disagreement[solvers->verdict->count - 1];
    if (got->formulation && !(got->formulation->capabilities & KEEPS_CONSTRAINTS))
        return;
    solvers_ask_reference(solvers);
    const struct solution *reference = &solvers->reference;
    int got_right = is_right(solvers, got), base_right = is_right(solvers,
                                                                  &solvers->base);
    snprintf(d->arbiter, sizeof d->arbiter, "reference (%s): %s is %s, %s is %s",
             reference->late ? "no time" : status_text(reference->status), got->name,
             got_right > 0 ? "right" : got_right < 0 ? "?" : "wrong", solvers->base.name,
             base_right > 0 ? "right" : base_right < 0 ? "?" : "wrong");
    if (got_right == 1 && base_right == 0) {
        snprintf(d->who, sizeof d->who, "%s", solvers->base.name);
        snprintf(d->other, sizeof d->other, "%s", got->name);
        enum status status = d->status;
        d->status = d->other_status;
        d->other_status = status;
    }
}

/* Compares with the plainest formulation. */
static void judge_solution_of(struct solvers *solvers, struct solution *got)
{
    int before = solvers->verdict->count;
    compare(solvers, got, &solvers->base);
    if (solvers->verdict->count > before && !solvers->request->in_short)
        arbitrate(solvers, got);
    solution_clear(got);
}

/* Judges a motion of its own: complex step through its equations judges the numbers, the
   reference of that motion a refusal. */
static void judge_penalty(struct solvers *solvers, const struct formulation *formulation)
{
    struct solution got = solvers_solve(solvers, formulation, NULL);
    bool refused = got.status != OK && !got.late && !got.unanswered;
    struct solution want = refused ? solvers_variant(solvers, formulation)
                                   : solvers_complex_step(solvers, formulation);
    compare(solvers, &got, &want);
    solution_clear(&got);
    solution_clear(&want);
}

/* --- a draw ------------------------------------------------------------------------- */

static void judge_all(struct solvers *solvers)
{
    const struct draw_request *request = solvers->request;
    const struct formulation *plain = formulation_default(solvers->model);
    struct solution got;
    solvers->base = solvers_solve(solvers, plain, NULL);
    solvers->verdict->status = solvers->base.status;
    solvers->verdict->diagnosis = solvers->base.diagnosis;
    solvers->verdict->events = solvers->base.events;
    for (int k = 0; formulations[k]; k++) {
        const struct formulation *f = formulations[k];
        if (f == plain || (request->only && f != request->only) || request->rule ||
            !formulation_applies(f, solvers->model, NULL))
            continue;
        if (f->capabilities & KEEPS_CONSTRAINTS) {
            got = solvers_solve(solvers, f, NULL);
            judge_solution_of(solvers, &got);
        } else if (request->penalty) {
            judge_penalty(solvers, f);
        }
    }
    if (request->rule) {
        got = solvers_solve(solvers, request->only ? request->only : plain,
                            request->rule);
        judge_solution_of(solvers, &got);
    }
    /* complex step does not look at which side of a guard the motion starts */
    if (request->complex_step && !request->rule && solvers->base.status == OK) {
        got = solvers_complex_step(solvers, plain);
        judge_solution_of(solvers, &got);
    }
    bool refused = solvers->base.status != OK && !request->in_short && !request->rule;
    if ((request->reference || refused) && !solvers->asked) {
        solvers_ask_reference(solvers);
        compare(solvers, &solvers->base, &solvers->reference);
    }
    if (request->reference && solvers->reference.status == OK &&
        solvers->parameters > 0) {
        struct solution variational, differences;
        if (solvers_two_routes(solvers, &variational, &differences))
            compare(solvers, &differences, &variational);
        solution_clear(&variational);
        solution_clear(&differences);
    }
}

void judge_draw(const struct draw *draw, const struct draw_request *request,
                struct draw_verdict *verdict)
{
    struct solvers solvers = {.draw = draw, .request = request, .verdict = verdict};
    *verdict = (struct draw_verdict){.diagnosis = {.t = NAN}};
    verdict->status = solvers_open(&solvers, &verdict->diagnosis);
    if (verdict->status == OK)
        judge_all(&solvers);
    for (int k = 0; k < verdict->count; k++)
        verdict->disagreement[k].known = known_cause(draw, &verdict->disagreement[k]);
    solvers_close(&solvers);
}

/* The formulation of a solution that is not the base; NULL: it is the base. */
static const struct formulation *named_in(const char *who)
{
    for (int k = 0; formulations[k]; k++) {
        size_t length = strlen(formulations[k]->name);
        const char *found = strstr(who, formulations[k]->name);
        if (found && (found == who || found[-1] == ' ') &&
            (found[length] == '\0' || found[length] == ' '))
            return formulations[k];
    }
    return NULL;
}

struct draw_request draw_request_for(const struct draw_request *request,
                                     const struct disagreement *disagreement)
{
    const char *const who[] = {disagreement->who, disagreement->other};
    struct draw_request narrow = {.rule = request->rule, .only = request->only,
                                  .in_short = true};
    for (int k = 0; k < 2; k++) {
        const struct formulation *f = named_in(who[k]);
        narrow.penalty |= f && !(f->capabilities & KEEPS_CONSTRAINTS);
        narrow.reference |= strcmp(who[k], "reference") == 0;
        narrow.complex_step |= strncmp(who[k], "complex-step", 12) == 0;
        if (f && (!narrow.only || strcmp(f->name, "index1") != 0) &&
            strcmp(f->name, "index1") != 0)
            narrow.only = f;
    }
    narrow.complex_step &= !narrow.penalty;
    narrow.only = narrow.only ? narrow.only : formulations[0];
    return narrow;
}

const struct disagreement *first_finding(const struct draw_verdict *verdict)
{
    for (int k = 0; k < verdict->count; k++)
        if (!verdict->disagreement[k].known)
            return &verdict->disagreement[k];
    return NULL;
}
