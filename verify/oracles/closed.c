/*
 * closed.c - all closed forms in one table.
 *
 * Shares with the judged run: the parameter values, and names. The equations are typed in
 * the closed_*.c files by hand, from the textbook, and not from the case file.
 */
#include "oracles/closed.h"

#include <string.h>

#include "motion/reference_motion.h"

extern const struct closed_form closed_ball_table, closed_ball_table_long,
    closed_bouncing_ball, closed_double_crossing,
    closed_event_algebra, closed_event_bolus, closed_event_chain,
    closed_event_near_ends, closed_grazing_missed, closed_impact_oscillator,
    closed_mass_drop, closed_near_grazing_3, closed_near_grazing_6,
    closed_near_grazing_9, closed_pendulum_stop, closed_pendulum_wall,
    closed_pendulum_wall_light, closed_pwlin, closed_rimless_wheel, closed_slack_rope,
    closed_switching_oscillator, closed_two_balls, closed_two_balls_close,
    closed_two_balls_unequal, closed_zeno_approached;

const struct closed_form *const closed_forms[] = {
    &closed_ball_table, &closed_ball_table_long, &closed_bouncing_ball,
    &closed_double_crossing, &closed_event_algebra,
    &closed_event_bolus, &closed_event_chain, &closed_event_near_ends,
    &closed_grazing_missed, &closed_impact_oscillator, &closed_mass_drop,
    &closed_near_grazing_3, &closed_near_grazing_6, &closed_near_grazing_9,
    &closed_pendulum_stop, &closed_pendulum_wall, &closed_pendulum_wall_light,
    &closed_pwlin, &closed_rimless_wheel, &closed_slack_rope,
    &closed_switching_oscillator, &closed_two_balls, &closed_two_balls_close,
    &closed_two_balls_unequal, &closed_zeno_approached, NULL
};

const struct closed_form *closed_form_find(const char *case_name)
{
    for (int k = 0; closed_forms[k]; k++)
        if (strcmp(closed_forms[k]->case_name, case_name) == 0)
            return closed_forms[k];
    return NULL;
}

const struct closed_form *closed_form_of(const struct case_desc *desc)
{
    return desc->path ? NULL : closed_form_find(desc->name);
}

enum status closed_form_evaluate(const struct closed_form *form,
                                 const struct run_request *request, int digits,
                                 struct results **out, struct diagnosis *diagnosis)
{
    struct mp_trajectory *trajectory;
    enum status status = closed_walk(form->rules, request, digits, &trajectory,
                                     diagnosis);
    *out = status == OK ? results_of_reference(trajectory) : NULL;
    mp_trajectory_free(trajectory);
    return status;
}

/* --- the oracle --------------------------------------------------------------------- */

static bool applies(const struct model *model, const struct truth *truth)
{
    return is_exact(truth) && closed_form_of(model->desc);
}

static void ask(const struct inquiry *inquiry, struct oracle_answer *answer)
{
    const struct run_request *run = inquiry->run;
    const struct closed_form *form = closed_form_of(run->model->desc);
    bool known = closed_form_evaluate(form, run, inquiry->digits, &answer->want,
                                      &answer->diagnosis) == OK;
    answer->kind = known ? ANSWER_NUMBERS : ANSWER_REFUSED;
    answer->cap = inquiry->cap;
    if (known && inquiry->conditions)
        closed_form_condition(form, run, answer->want);
}

/* A closed form depends on parameters and times only: most of its work is in the
   conditions, which take an answer at every moved parameter. */
static bool key(const struct inquiry *inquiry, struct answer_key *key)
{
    (void)inquiry;
    *key = (struct answer_key){0};
    return true;
}

const struct oracle_calls closed_form_calls = {applies, ask, key};
