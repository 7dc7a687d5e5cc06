/* unseen.c - what no stage of a step has seen (unseen.h). */
#include "unseen.h"

#include <float.h>
#include <math.h>

#include "integrators/norms.h"

void unseen_init(struct unseen *unseen, struct arena *arena, int dim, int states)
{
    double **const part[] = {&unseen->x, &unseen->rate, &unseen->before, &unseen->behind,
                             &unseen->apart};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        *part[k] = arena_new(arena, dim, sizeof(double));
    unseen->y = arena_new(arena, states, sizeof *unseen->y);
    unseen->y_new = arena_new(arena, states, sizeof *unseen->y_new);
}

/* The shortest part of a step on which terms are looked at: half of the widest stretch
   between two points at which the step evaluates, or less. A bell that is settled on
   such parts is seen at its beyond. */
static double finest(const struct integrator *integrator)
{
    static const double unknown = 1.0 / 8;
    double widest = integrator->nodes > 0 ? 0 : unknown, part = 1;
    for (int i = 0; i < integrator->nodes; i++) {
        double from = integrator->node[i], to = 1;
        for (int k = 0; k < integrator->nodes; k++)
            if (integrator->node[k] > from)
                to = fmin(to, integrator->node[k]);
        widest = fmax(widest, to - from);
    }
    while (part > widest / 2)
        part /= 2;
    return part;
}

/* --- a place ------------------------------------------------------------------------ */

/* A part of the step. */
struct step_part {
    double begin, width;
};

/* States between the points of a part may lie beyond them by this part of the width. */
static const double beyond = 0.25;

/* The first components [count] of the cubic Hermite polynomial of the step. */
static void hermite(const struct seen_step *step, double theta, int count, double *x)
{
    double back = 1 - theta, h = step->h;
    double at_end = theta * theta * (3 - 2 * theta), up = theta * back * back * h;
    double down = -theta * theta * back * h;
    for (int n = 0; n < count; n++)
        x[n] = step->x[n] + at_end * (step->x_new[n] - step->x[n]) + up * step->dx[n] +
               down * step->dx_new[n];
}

/* The state of the model at a place, into y [2n + ns]. */
static void model_state(const struct seen_step *step, double theta, int states, double *y)
{
    if (step->state)
        step->state(step->context, step->t + theta * step->h, y);
    else
        hermite(step, theta, states, y);
}

/* Sets the box of the terms to a part of the step: the states at some points of it,
   widened by a part of their widths. */
static void set_box(struct unseen *unseen, struct sharp_terms *terms,
                    const struct seen_step *step, struct step_part part, double between)
{
    enum { POINTS = 3 };
    struct state_box *box = sharp_terms_box(terms);
    double t = step->t + part.begin * step->h, end = t + part.width * step->h;
    state_box_begin(box);
    for (int i = 0; i < POINTS && terms->of_states; i++) {
        double theta = part.begin + i * part.width / (POINTS - 1);
        model_state(step, theta, box->dim, unseen->y);
        state_box_add(box, step->sign * t, unseen->y);
    }
    if (terms->of_states)
        state_box_widen(box, between);
    box->t.low = fmin(step->sign * t, step->sign * end);
    box->t.high = fmax(step->sign * t, step->sign * end);
}

static void look(struct unseen *unseen, struct sharp_terms *terms,
                 const struct seen_step *step, struct step_part part, double between)
{
    set_box(unseen, terms, step, part, between);
    sharp_terms_look(terms);
}

/* Halves a part on which term i is not settled until it is, going where its values have
   the wider range; or until times cannot be told apart. A place is in one of two halves:
   boxes that overlap would lose it. */
static struct step_part narrow(struct unseen *unseen, struct sharp_terms *terms,
                               const struct seen_step *step, int i,
                               struct step_part part)
{
    double resolved = 4 * DBL_EPSILON * fmax(fabs(step->t), fabs(step->t + step->h));
    bool settled = false;
    while (!settled && part.width * fabs(step->h) > resolved) {
        struct step_part half = {part.begin, part.width / 2};
        look(unseen, terms, step, half, 0);
        double range = sharp_term_range(terms, i);
        settled = sharp_term_settled(terms, i);
        half.begin += half.width;
        look(unseen, terms, step, half, 0);
        bool behind = sharp_term_range(terms, i) > range;
        if (behind)
            settled = sharp_term_settled(terms, i);
        part = (struct step_part){behind ? half.begin : part.begin, half.width};
    }
    return part;
}

/* The rates at a place, with the state at another. */
static bool rates_at(struct unseen *unseen, const struct seen_step *step, double theta,
                     double state, double *rate)
{
    hermite(step, state, step->ode->dim, unseen->x);
    return step->ode->rhs(step->ode->context, step->t + theta * step->h, unseen->x,
                          rate) == OK;
}

/* Does a term that varies at this place change the state by more than the tolerance
   allows, if it does so for some time? Rates are compared with the line through those a
   little before and behind, which what is not sharp follows; the state is the same where
   time alone counts. The two lie not symmetrically: a switch is odd. */
static bool matters(struct unseen *unseen, const struct seen_step *step,
                    struct step_part place, double duration, bool of_state)
{
    static const double allowed = 0.1, widths_before = 4, widths_behind = 2;
    double theta = place.begin + place.width / 2;
    double before = fmax(theta - widths_before * place.width, 0);
    double behind = fmin(theta + widths_behind * place.width, 1);
    double part = (theta - before) / (behind - before);
    if (!rates_at(unseen, step, theta, theta, unseen->rate) ||
        !rates_at(unseen, step, before, of_state ? before : theta, unseen->before) ||
        !rates_at(unseen, step, behind, of_state ? behind : theta, unseen->behind))
        return false;
    for (int n = 0; n < step->ode->dim; n++)
        unseen->apart[n] = duration * (unseen->rate[n] - (1 - part) * unseen->before[n] -
                                       part * unseen->behind[n]);
    return norms_worst(step->control, 1, 0, step->x_new, &unseen->apart) > allowed;
}

/* --- the step ----------------------------------------------------------------------- */

/* The part of the step that is to be made, before a place within `part` where a term
   varies on `narrowed`: up to the part, or some widths of the place if it lies at the
   start. */
static double shortened(struct step_part part, struct step_part narrowed)
{
    enum { WIDTHS = 8 };
    double near = fmin(WIDTHS * narrowed.width, 0.5);
    return fmax(part.begin, near);
}

/* The part of the step that is to be made, by the terms that are not settled on one of
   its finest parts; 1: all of it. */
static double look_closely(struct unseen *unseen, struct sharp_terms *terms,
                           const struct seen_step *step, struct step_part part)
{
    for (int i = 0; i < terms->count; i++) {
        look(unseen, terms, step, part, beyond);
        if (sharp_term_settled(terms, i))
            continue;
        struct step_part place = narrow(unseen, terms, step, i, part);
        if (matters(unseen, step, place, part.width * fabs(step->h),
                    terms->of_state[i]))
            return shortened(part, place);
    }
    return 1;
}

/* Most steps are settled as a whole. */
static bool settled_as_a_whole(struct unseen *unseen, struct sharp_terms *terms,
                               const struct seen_step *step)
{
    double begin = step->sign * step->t, end = step->sign * (step->t + step->h);
    const double *x = step->x, *x_new = step->x_new;
    if (terms->of_states && step->state) {
        step->state(step->context, step->t, unseen->y);
        step->state(step->context, step->t + step->h, unseen->y_new);
        x = unseen->y;
        x_new = unseen->y_new;
    }
    return sharp_terms_settled_on_step(terms, begin, end, x, x_new);
}

double unseen_length(struct unseen *unseen, struct sharp_terms *terms,
                     const struct seen_step *step)
{
    struct step_part part = {0, 0.5};
    if (terms->count == 0 || settled_as_a_whole(unseen, terms, step))
        return step->h;
    double least = finest(step->integrator);
    while (part.begin < 1) {
        set_box(unseen, terms, step, part, beyond);
        bool settled = sharp_terms_settled(terms);
        if (!settled && part.width > least) {
            part.width /= 2;
            continue;
        }
        double made = settled ? 1 : look_closely(unseen, terms, step, part);
        if (made < 1)
            return made * step->h;
        part.begin += part.width;
        if (fmod(part.begin, 2 * part.width) == 0)
            part.width *= 2;
    }
    return step->h;
}
