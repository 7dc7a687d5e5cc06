/*
 * test_proof_lemmas.c - the lemmas of reference/enclosure/README.md: for each hypothesis
 * a model that breaks it alone, by 1e-60, and whose motion is known in closed form. What
 * is proved of it must be so; else the proof is refused.
 *
 * Each model has an event at once after the first one, at a distance of about 1e-60,
 * which the argument without the hypothesis would not see.
 */
#include "cases/model_texts.h"
#include "proving.h"

TestSuite(proof_lemmas, .timeout = 600);

/* A model that breaks one hypothesis, its events, and the velocity of its first
   coordinate after the last of them (at the last sample, without events). */
struct broken {
    const char *hypothesis;
    const char *text;
    int events;
    const char *velocity;       /* as Arb reads it, with an error */
};

static arb_srcptr last_velocity(const struct enclosed_motion *motion)
{
    const struct enclosed_point *point =
        motion->events > 0 ? &motion->event[motion->events - 1].after
                           : &motion->sample[motion->samples - 1];
    return point->x + column(&motion->columns, GROUP_V, 0, -1);
}

static void expect_motion(const struct broken *model,
                          const struct enclosed_motion *motion)
{
    arb_t truth;
    arb_init(truth);
    cr_assert_eq(arb_set_str(truth, model->velocity, 1000), 0);
    cr_expect_eq(motion->events, model->events, "%s: %d events are proved, not %d",
                 model->hypothesis, motion->events, model->events);
    cr_expect(arb_overlaps(last_velocity(motion), truth),
              "%s: the velocity is not %s", model->hypothesis, model->velocity);
    arb_clear(truth);
}

/* Returns: it is proved. */
static bool right_or_refused(const struct broken *model)
{
    struct proving p;
    struct proof *proof = NULL;
    struct diagnosis diagnosis;
    struct model *own = model_of_text(model->text, &diagnosis);
    cr_assert_not_null(own, "%s: %s", model->hypothesis, diagnosis.place);
    referring_of_model(&p.of, own, 0);
    p.of.request.parameters = 0;
    proving_samples(&p);
    enum status status = prove(&p.of.request, 12, &proof, &p.of.diagnosis);
    if (status == OK)
        expect_motion(model, proof->motion);
    else
        cr_expect(p.of.diagnosis.place[0] != '\0', "%s: refused without a reason",
                  model->hypothesis);
    cr_log_info("%s: %s", model->hypothesis,
                status == OK ? "proved, rightly" : p.of.diagnosis.place);
    proof_free(proof);
    proving_end(&p);
    return status == OK;
}

static void all_right_or_refused(const struct broken *model, size_t count)
{
    for (size_t k = 0; k < count; k++)
        right_or_refused(&model[k]);
}

#define MODES_M(F, more) \
    "time: t\ncoordinates: [y]\nauxiliary: [s, n]\nmodes:\n" \
    "  m: {M: {y: {y: 1}}, F: {y: " F "}, f_s: {" more "}}\n"

/* --- lemma 1: the guard of the event, which depends on nothing that is reset ------ */

#define FIRST_THEN_AGAIN(guard, reset) \
    "events:\n" \
    "  first: {from: m, guard: " guard ", direction: either, conditions: [0.5 - n],\n" \
    "          reset: {" reset ", n_plus: n + 1}}\n" \
    "  again: {from: m, guard: " guard ", direction: either, conditions: [n - 0.5],\n" \
    "          reset: {vy_plus: vy + 5, n_plus: n + 1}}\n"

static const struct broken own_guard[] = {
    {"1: a position in the guard is reset",
     MODES_M("0", "s: 0") FIRST_THEN_AGAIN("y - 1", "y_plus: y - 1e-60")
     "initial: {state: {y: 0, vy: 1, s: 0, n: 0}}\nend: 2\n", 2, "6 +/- 1e-40"},
    {"1: a velocity in the guard is reset",
     MODES_M("-1", "s: 0") FIRST_THEN_AGAIN("vy + 1", "vy_plus: vy + 1e-60")
     "initial: {state: {y: 0, vy: 0, s: 0, n: 0}}\nend: 2\n", 2, "4 +/- 1e-40"},
    {"1: a state in the guard is reset",
     MODES_M("0", "s: 1") FIRST_THEN_AGAIN("s - 1", "s_plus: s - 1e-60")
     "initial: {state: {y: 0, vy: 1, s: 0, n: 0}}\nend: 2\n", 2, "6 +/- 1e-40"},
    {"1: the guard is a multiplier, which jumps",
     "time: t\ncoordinates: [y]\nmultipliers: [pull]\nmodes:\n"
     "  a: {M: {y: {y: 1}}, F: {y: t}, Phi: [y]}\n"
     "  b: {M: {y: {y: 1}}, F: {y: t - 1e-60}, Phi: [y]}\n"
     "  c: {M: {y: {y: 1}}, F: {y: 0}}\n"
     "events:\n"
     "  first: {from: a, to: b, guard: pull - 1, direction: either}\n"
     "  again: {from: b, to: c, guard: pull - 1, direction: either,\n"
     "          reset: {vy_plus: vy + 5}}\n"
     "end: 2\n", 2, "5 +/- 1e-40"},
};

Test(proof_lemmas, the_guard_of_an_event_is_zero_only_where_nothing_in_it_is_reset)
{
    all_right_or_refused(own_guard, sizeof own_guard / sizeof *own_guard);
}

/* --- lemma 2: a constraint of the mode left, of nothing that is reset ------------- */

#define HOLD_FREE(Phi, held_F, held_rates, free_F, free_rates) \
    "time: t\ncoordinates: [y]\nauxiliary: [s, n]\nmultipliers: [pull]\nmodes:\n" \
    "  hold: {M: {y: {y: 1}}, F: {y: " held_F "}, " Phi ", f_s: {" held_rates "}}\n" \
    "  free: {M: {y: {y: 1}}, F: {y: " free_F "}, f_s: {" free_rates "}}\n"
#define RELEASE(reset) \
    "  rel: {from: hold, to: free, guard: t - 1, direction: rising" reset "}\n"
#define HIT(guard) "  hit: {from: free, to: free, guard: " guard ", direction: either, " \
    "reset: {vy_plus: vy + 5}}\n"

static const struct broken was_constraint[] = {
    {"2: a state in the constraint is reset",
     HOLD_FREE("Phi: [y - s]", "0", "s: 0", "0", "s: 0")
     "events:\n" RELEASE(", reset: {s_plus: s + 1e-60, vy_plus: vy + 1}") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 2\n", 2, "6 +/- 1e-40"},
    {"2: a position in the constraint is reset",
     HOLD_FREE("Phi: [y - s]", "0", "s: 0", "0", "s: 0")
     "events:\n" RELEASE(", reset: {y_plus: y - 1e-60, vy_plus: vy + 1}") HIT("s - y")
     "initial: {state: {s: 0, n: 0}}\nend: 2\n", 2, "6 +/- 1e-40"},
    {"2: a velocity in the constraint is reset",
     HOLD_FREE("Phi: [vy - s], velocity_level: [true]", "0", "s: 0", "1", "s: 0")
     "events:\n" RELEASE(", reset: {vy_plus: vy - 1e-60}") HIT("vy - s")
     "initial: {state: {y: 0, s: 0, n: 0}}\nend: 2\n", 2, "5 +/- 1e-40"},
};

Test(proof_lemmas, a_constraint_that_becomes_a_guard_is_zero_where_nothing_in_it_is_reset)
{
    all_right_or_refused(was_constraint, sizeof was_constraint / sizeof *was_constraint);
}

/* --- lemma 3: with its rate ------------------------------------------------------- */

static const struct broken with_its_rate[] = {
    {"3: a state in the constraint has another rate",
     HOLD_FREE("Phi: [y - s]", "0", "s: 1", "2", "s: \"1 + 1e-60\"")
     "events:\n" RELEASE("") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 1.9\n", 2, "6 +/- 1e-40"},
    {"3: its rate is one formula, of a state that is reset",
     HOLD_FREE("Phi: [y - s]", "0", "s: 1 + n", "2", "s: 1 + n")
     "events:\n" RELEASE(", reset: {n_plus: 1e-60}") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 1.9\n", 2, "6 +/- 1e-40"},
    {"3: its rate depends on accelerations after the event",
     HOLD_FREE("Phi: [y - s]", "0", "s: 1", "2", "s: 1 + (ay - 1)*1e-60")
     "events:\n" RELEASE("") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 1.9\n", 2, "6 +/- 1e-40"},
    {"3: a velocity is reset",
     HOLD_FREE("Phi: [y - s]", "0", "s: 0", "2", "s: 0")
     "events:\n" RELEASE(", reset: {vy_plus: vy - 1e-60}") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 1.9\n", 2, "5 +/- 1e-40"},
    {"3: the constraint is one of velocities",
     HOLD_FREE("Phi: [vy - s], velocity_level: [true]", "0", "s: 0",
               "\"2*(t - 1) - 1e-60\"", "s: 0")
     "events:\n" RELEASE("") HIT("vy - s")
     "initial: {state: {y: 0, s: 0, n: 0}}\nend: 1.9\n", 2, "5 +/- 1e-40"},
};

Test(proof_lemmas, it_is_zero_with_its_rate_where_the_states_in_it_go_on)
{
    all_right_or_refused(with_its_rate, sizeof with_its_rate / sizeof *with_its_rate);
}

/* The guard of the first one is crossed at a rate of 1e-60, which is grazing to the
   digits of the first runs: more of them tell. */
Test(proof_lemmas, a_slow_crossing_is_proved_by_more_digits)
{
    cr_expect(right_or_refused(&with_its_rate[0]));
}

/* --- lemma 4: with two derivatives ------------------------------------------------ */

/* The pad lets go where its pull is zero, at t = 1; thrust goes on rising. */
#define PULLED "  rel: {from: hold, to: free, guard: pull, direction: either"
#define TWO_MODES(states, held, free) \
    "time: t\ncoordinates: [y, x]\n" states "multipliers: [pull, side]\nmodes:\n" \
    "  hold: {" held "}\n  free: {" free "}\nevents:\n"
#define UNIT_M "M: {y: {y: 1}, x: {x: 1}}, "
#define JOINED_M "M: {y: {y: 1, x: 0.5}, x: {y: 0.5, x: 1}}, "
#define REST "initial: {state: {y: 0, vy: 0, x: 0, vx: 0}}\nend: 1.9\n"

static const struct broken with_two_derivatives[] = {
    {"4: a force is another",
     TWO_MODES("", UNIT_M "F: {y: t - 1}, Phi: [y, x]",
               UNIT_M "F: {y: t - 1 - 1e-60}, Phi: [x]")
     PULLED "}\n" HIT("y") REST, 2, "5 +/- 1e-40"},
    {"4: a mass is another",
     TWO_MODES("", UNIT_M "F: {y: t - 1, x: 1}, Phi: [y, x - (t - 1)*(t - 1)/2]",
               "M: {y: {y: 1, x: 1e-60}, x: {y: 1e-60, x: 1}}, F: {y: t - 1, x: 1}, "
               "Phi: [x - (t - 1)*(t - 1)/2]")
     PULLED "}\n" HIT("y")
     "initial: {state: {y: 0, vy: 0, x: 0.5, vx: -1}}\nend: 1.9\n", 2, "5 +/- 1e-40"},
    {"4: another constraint is another",
     TWO_MODES("", JOINED_M "F: {y: t - 1}, Phi: [y, x]",
               JOINED_M "F: {y: t - 1}, Phi: [x - 1e-60*(t - 1)*(t - 1)]")
     PULLED "}\n" HIT("y") REST, 2, "5 +/- 1e-40"},
    {"4: the multiplier is that of another constraint",
     TWO_MODES("", UNIT_M "F: {y: (t - 1)*(t - 1) - 1e-60, x: t - 1}, Phi: [x, y]",
               UNIT_M "F: {y: (t - 1) - 1e-60, x: t - 1}, Phi: [x]")
     PULLED "}\n" HIT("y") REST, 2, "5 +/- 1e-40"},
    {"4: a velocity is reset",
     TWO_MODES("", UNIT_M "F: {y: t - 1}, Phi: [y, x]", UNIT_M "F: {y: t - 1}, Phi: [x]")
     PULLED ", reset: {vy_plus: vy - 1e-60}}\n" HIT("y") REST, 2, "5 +/- 1e-25"},
    {"4: the rate of the rate of a state in the constraint is another",
     TWO_MODES("auxiliary: [s, w]\n",
               UNIT_M "F: {y: t - 1}, Phi: [y - s, x], f_s: {s: w, w: 0}",
               UNIT_M "F: {y: t - 1}, Phi: [x], f_s: {s: w, w: 1e-60}")
     PULLED "}\n" HIT("y - s")
     "initial: {state: {s: 0, w: 0, x: 0, vx: 0}}\nend: 1.9\n", 2, "5 +/- 1e-40"},
    {"4: it is a multiplier, which has another number after the event",
     TWO_MODES("auxiliary: [s, w]\n",
               UNIT_M "F: {y: t - 1, x: 1e-60}, Phi: [y - s, x], f_s: {s: w, w: pull}",
               UNIT_M "F: {y: t - 1, x: 1e-60}, Phi: [x], f_s: {s: w, w: pull}")
     PULLED "}\n" HIT("y - s")
     "initial: {state: {s: 0, w: 0, x: 0, vx: 0}}\nend: 1.9\n", 2, "4.75 +/- 1e-40"},
    {"4: a force is a multiplier, which has another number after the event",
     TWO_MODES("", UNIT_M "F: {y: t - 1 - pull/2, x: 1e-60}, Phi: [y, x]",
               UNIT_M "F: {y: t - 1 - pull/2, x: 1e-60}, Phi: [x]")
     PULLED "}\n" HIT("y") REST, 2, "5 +/- 1e-40"},
};

Test(proof_lemmas, a_constraint_that_lets_go_without_pull_is_zero_with_two_derivatives)
{
    all_right_or_refused(with_two_derivatives,
                         sizeof with_two_derivatives / sizeof *with_two_derivatives);
}

/* With all hypotheses the four are proved: they are not idle. */
static const struct broken unbroken[] = {
    {"1", MODES_M("0", "s: 0") FIRST_THEN_AGAIN("y - 1", "s_plus: s - 1e-60")
     "initial: {state: {y: 0, vy: 1, s: 0, n: 0}}\nend: 2\n", 1, "1 +/- 1e-40"},
    {"2", HOLD_FREE("Phi: [y - s]", "0", "s: 0", "0", "s: 0")
     "events:\n" RELEASE(", reset: {vy_plus: vy + 1}") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 2\n", 1, "1 +/- 1e-40"},
    {"3", HOLD_FREE("Phi: [y - s]", "0", "s: 1", "2", "s: 1, n: 1e-60")
     "events:\n" RELEASE("") HIT("y - s")
     "initial: {state: {s: 0, n: 0}}\nend: 1.9\n", 1, "1 +/- 1e-40"},
    {"4", TWO_MODES("", UNIT_M "F: {y: t - 1, x: 1e-60}, Phi: [y, x]",
                    UNIT_M "F: {y: t - 1, x: 1e-60}, Phi: [x]")
     PULLED "}\n" HIT("y") REST, 1, "0 +/- 1e-40"},
};

Test(proof_lemmas, with_all_hypotheses_these_motions_are_proved)
{
    for (size_t k = 0; k < sizeof unbroken / sizeof *unbroken; k++)
        cr_expect(right_or_refused(&unbroken[k]), "lemma %s", unbroken[k].hypothesis);
}

/* --- lemma 6: accelerations and multipliers of a linear system -------------------- */

/* a = a^2 + 1/8 by way of s'' = w': of two solutions the run is on (2 - sqrt 2)/4. */
static const struct broken linear[] = {
    {"6: the rate of a rate in a constraint is not linear in accelerations",
     HOLD_FREE("Phi: [y - s]", "0", "s: n, n: ay*ay + 1/8", "0", "s: 0")
     "initial: {state: {s: 0, n: 0}}\nend: 1\n", 0,
     "0.14644660940672623779957781894757548 +/- 1e-30"},
};

Test(proof_lemmas, accelerations_are_those_of_a_system_that_is_not_linear)
{
    cr_expect(right_or_refused(&linear[0]));
}

/* --- premises --------------------------------------------------------------------- */

static const char rows_of_rank[] =
    "time: t\ncoordinates: [y, x]\nmodes:\n"
    "  m: {M: {y: {y: 1}, x: {x: 1}}, F: {x: 1}, Phi: [y - sin(t + 1), %s]}\n"
    "initial: {state: {y: sin(1), vy: cos(1), x: 0, vx: 0}}\nend: 1\n";

/* The number of constraints that a proof of the model assumes to depend on others. */
static int assumed(const char *second)
{
    char text[400], path[] = "/tmp/saltus-premise-XXXXXX";
    struct proving p;
    struct diagnosis diagnosis;
    struct proof *stored;
    snprintf(text, sizeof text, rows_of_rank, second);
    referring_of_model(&p.of, model_of_text(text, &diagnosis), 0);
    p.of.request.parameters = 0;
    proving_samples(&p);
    struct proof *proof = proved(&p, 12);
    close(mkstemp(path));
    cr_assert_eq(proof_write(proof, path, &diagnosis), OK);
    cr_assert_eq(proof_read(path, p.of.model, &stored, &diagnosis), OK, "%s",
                 diagnosis.place);
    int count = stored->motion->assumed;
    cr_expect_eq(proof->motion->assumed, count);
    unlink(path);
    proof_free(proof);
    proof_free(stored);
    proving_end(&p);
    return count;
}

/* Of the last, x is zero in truth, which no ball of the digits carried can see. */
Test(proof_lemmas, that_constraints_depend_on_others_is_a_premise_unless_stated_twice)
{
    cr_expect_eq(assumed("sin(t + 1) - y"), 0);
    cr_expect_eq(assumed("2*(y - sin(t + 1))"), 1);
    cr_expect_eq(assumed("y - sin(t + 1) + 1e-100*x"), 1);
}
