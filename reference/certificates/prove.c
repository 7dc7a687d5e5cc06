/*
 * prove.c - a motion proved: an approximate motion in MPFR, and balls about it that
 * contain the exact one (enclosure/).
 *
 * The run in MPFR says where to look, step by step; the enclosure takes none of it on
 * trust. Its digits are raised until the proof holds and is as sharp as is asked for.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "enclosure/enclosure.h"
#include "proof.h"
#include "step_as_candidate.h"

enum {
    RAISES = 6,                 /* attempts with more and more digits */
    MARGIN = 12                 /* digits that an attempt has in hand */
};

/* The work of the observer of a run. */
struct proving {
    const struct model *model;
    struct enclosure *enclosure;
};

static enum status on_step(void *context, const struct taylor *taylor, mpfr_srcptr t,
                           mpfr_srcptr length, struct diagnosis *diagnosis)
{
    struct proving *proving = context;
    return enclosure_step(proving->enclosure,
                          step_as_candidate(proving->model, taylor, t, length),
                          diagnosis);
}

static enum status on_event(void *context, const struct mp_event *event,
                            struct diagnosis *diagnosis)
{
    struct proving *proving = context;
    return event_of_run(proving->enclosure, proving->model, event, diagnosis);
}

/* One attempt with a number of digits. */
static enum status attempt(const struct reference_request *asked, int digits,
                           struct enclosed_motion **out, struct diagnosis *diagnosis)
{
    struct reference_request request = *asked;
    const struct enclosure_request enclosed = {
        .model = asked->model, .parameters = asked->parameters,
        .parameter = asked->parameter, .value = asked->value, .samples = asked->samples,
        .sample = asked->sample, .t_end = asked->t_end, .digits = digits};
    struct proving proving = {.model = asked->model};
    const struct mp_observer observer = {.context = &proving, .step = on_step,
                                         .event = on_event};
    struct mp_trajectory *trajectory = NULL;
    request.digits = digits;
    request.observer = &observer;
    enum status status = enclosure_new(&enclosed, &proving.enclosure, diagnosis);
    if (status == OK)
        status = reference_run(&request, &trajectory, diagnosis);
    if (status == OK)
        status = enclosure_finish(proving.enclosure, out, diagnosis);
    mp_trajectory_free(trajectory);
    enclosure_free(proving.enclosure);
    return status;
}

/* A refusal that stays where it is: more digits do not help. */
struct standstill {
    struct diagnosis last;
    int times;                  /* that it was met */
};
enum { PATIENCE = 3 };

static bool stands_still(struct standstill *still, const struct diagnosis *diagnosis)
{
    bool same = strcmp(still->last.place, diagnosis->place) == 0 &&
                fabs(still->last.t - diagnosis->t) <= 1e-12 * fabs(diagnosis->t);
    still->times = same ? still->times + 1 : 1;
    still->last = *diagnosis;
    return still->times >= PATIENCE;
}

/* May another attempt lead on after a refusal? A grazing is one to the digits of its run;
   about a step that is too long formulas may not be analytic. */
static bool is_doubtful(enum status status, bool strict)
{
    return status == PRECISION || status == GRAZING || (status == SINGULAR && !strict);
}

/* Attempts with more and more digits until the widest ball has those asked for, as long
   as that helps. The first run is followed by strict ones, whose steps do not go over
   what their series do not show: a narrow pulse. *carried: digits to begin with, then
   those that led there. *out: the sharpest. */
static enum status attempts(const struct reference_request *asked, int digits,
                            int *carried, struct enclosed_motion **out,
                            struct diagnosis *diagnosis)
{
    struct reference_request request = *asked;
    enum status status = PRECISION;
    int next = *carried;
    bool sharp = false;
    struct standstill still = {.times = 0};
    struct diagnosis own = {.t = NAN};
    *out = NULL;
    for (int raise = 0; raise < RAISES && !sharp && next <= MOST_CARRIED; raise++) {
        struct enclosed_motion *motion = NULL;
        status = attempt(&request, next, &motion, &own);
        if (diagnosis)
            *diagnosis = own;
        if (status != OK && !is_doubtful(status, request.strict)) {
            enclosed_motion_free(*out);
            *out = NULL;
            return status;
        }
        if (status == OK) {
            double widest = proof_extent(motion).widest;
            enclosed_motion_free(*out);
            *out = motion;
            *carried = next;
            sharp = widest >= digits;
            next += (int)ceil(fmin(fmax(digits - widest, 0), next)) + MARGIN;
        } else if (stands_still(&still, &own)) {
            break;
        } else {
            request.strict = true;
            next += next / 2;
        }
    }
    return *out ? OK : status;
}

/* Progress of a part of all that is done. */
struct part {
    const struct reference_request *asked;
    double from, to;
};

static bool on_progress(void *context, double done)
{
    const struct part *part = context;
    return part->asked->progress == NULL ||
           part->asked->progress(part->asked->progress_context,
                                 part->from + (part->to - part->from) * done);
}

/* A start that does not exist can be proved not to. */
static void confirm_refusal(const struct reference_request *request, enum status status,
                            struct diagnosis *diagnosis)
{
    const double reach = START_REACH;
    const struct enclosure_request enclosed = {.model = request->model, .digits = 20,
                                               .value = request->value};
    long boxes;
    char place[sizeof diagnosis->place];
    static const char at_start[] = "start: ";
    bool start = status == UNREACHABLE || status == INCONSISTENT || status == RANK_LOSS;
    if (!diagnosis || !start ||
        strncmp(diagnosis->place, at_start, sizeof at_start - 1) != 0 ||
        !enclosure_start_excluded(&enclosed, reach, &boxes))
        return;
    snprintf(place, sizeof place, "%s", diagnosis->place);
    if (boxes == 1)
        diagnose(diagnosis, status, diagnosis->t, "%.300s; proved: a ball of Phi or Phid "
                 "is without zero", place);
    else
        diagnose(diagnosis, status, diagnosis->t,
                 "%.300s; proved: with coordinates within "
                 "%g max(1, |guess|) of their guesses there is no configuration (%ld "
                 "boxes)",
                 place, reach, boxes);
}

/* A proof that finds no solution does not say which formula has no value or derivative: a
   run does, where the motion ends by such a refusal. */
static void name_refusal(const struct reference_request *request, enum status *status,
                         struct diagnosis *diagnosis)
{
    struct mp_trajectory *trajectory = NULL;
    struct reference_request plain = *request;
    struct diagnosis own = {.t = NAN};
    if (*status != NOT_FINITE && *status != SINGULAR && *status != PRECISION)
        return;
    plain.digits = 3 * LEAST_CARRIED;
    plain.observer = NULL;
    enum status run = reference_run(&plain, &trajectory, &own);
    mp_trajectory_free(trajectory);
    if (run != NOT_FINITE && run != POLE && run != DOMAIN_EDGE && run != BRANCH_CUT)
        return;
    *status = run;
    if (diagnosis)
        *diagnosis = own;
}

/* The motion without derivatives, which costs little, tells the digits to begin with. */
enum status prove(const struct reference_request *request, int digits,
                  struct proof **out, struct diagnosis *diagnosis)
{
    struct reference_request asked = *request;
    struct part part = {.asked = request, .to = request->parameters > 0 ? 0.1 : 1};
    struct enclosed_motion *motion = NULL;
    int carried = digits + 2 * MARGIN;
    *out = NULL;
    if (strcmp(request->truth.variant, "exact") != 0 || request->direction)
        return diagnose(diagnosis, NOT_APPLICABLE, NAN,
                        "balls are for the exact motion and "
                        "derivatives by single parameters");
    asked.progress = on_progress;
    asked.progress_context = &part;
    asked.parameters = 0;
    enum status status = attempts(&asked, digits, &carried, &motion, diagnosis);
    if (status == OK && request->parameters > 0) {
        enclosed_motion_free(motion);
        part = (struct part){.asked = request, .from = 0.1, .to = 1};
        asked.parameters = request->parameters;
        status = attempts(&asked, digits, &carried, &motion, diagnosis);
    }
    else if (status != OK)
        confirm_refusal(request, status, diagnosis);
    name_refusal(request, &status, diagnosis);
    if (status == OK) {
        double widest = proof_extent(motion).widest;
        *out = memory_new(1, sizeof **out);
        **out = (struct proof){.motion = motion, .carried = carried,
                               .digits = isinf(widest) ? carried : widest};
    }
    return status;
}

void proof_free(struct proof *proof)
{
    if (proof == NULL)
        return;
    enclosed_motion_free(proof->motion);
    free(proof);
}
