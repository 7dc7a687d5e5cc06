/*
 * test_prove_again.c - stored proofs are what this build proves: every arc of a few of
 * them, each with another derivative; and one that has been changed is refused by name.
 */
#include <string.h>

#include "motion/known_values.h"
#include "proving.h"

TestSuite(again, .timeout = 600);

/* The stored proof of a case; it must be there. */
static struct proof *stored(const struct proving *p)
{
    struct proof *proof;
    struct diagnosis diagnosis = {.t = NAN};
    char path[1200];
    cr_assert(proved_path(p->of.model->desc, path, sizeof path), "%s", path);
    cr_assert_eq(proof_read(path, p->of.model, &proof, &diagnosis), OK, "%s",
                 diagnosis.place);
    return proof;
}

static void prove_all_arcs(const char *name)
{
    struct proving p;
    proving_of_case(&p, name);
    struct proof *proof = stored(&p);
    int arcs = proof->motion->samples + proof->motion->events;
    for (int k = 0; k < arcs; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        enum status status = prove_again(proof, &p.of.request, (unsigned long)k,
                                         (unsigned long)k, &diagnosis);
        cr_expect_eq(status, OK, "%s, arc %d: %s: %s", name, k, status_text(status),
                     diagnosis.place);
    }
    proof_free(proof);
    proving_end(&p);
}

Test(again, every_arc_of_a_proof_is_proved_anew)
{
    static const char *const quick[] = {
        "bouncing-ball", "pendulum-stop", "slack-rope", "chaplygin-sleigh",
        "clocked-oscillator", "event-near-ends", "rimless-foothold", "stone-throw", NULL};
    for (int k = 0; quick[k]; k++)
        prove_all_arcs(quick[k]);
}

/* Moves a ball of a proof by so much; the arc that ends there must tell. */
static void expect_told(struct proving *p, struct proof *proof, arb_ptr ball,
                        unsigned long arc, unsigned long parameter, const char *name)
{
    arb_t kept, change;
    struct diagnosis diagnosis = {.t = NAN};
    arb_init(kept);
    arb_init(change);
    arb_set(kept, ball);
    arb_one(change);
    arb_mul_2exp_si(change, change, -100);
    arb_add(ball, ball, change, 400);
    enum status status = prove_again(proof, &p->of.request, arc, parameter, &diagnosis);
    cr_expect_eq(status, BAD_ANSWER, "%s: %s", status_text(status), diagnosis.place);
    cr_expect(strstr(diagnosis.place, name), "%s in: %s", name, diagnosis.place);
    arb_set(ball, kept);
    arb_clear(kept);
    arb_clear(change);
}

/* bouncing-ball: samples 1 and 2 at 0 and 1.875, event 1 at 3.19, sample 3 at 3.75. */
Test(again, a_ball_that_has_moved_is_named)
{
    struct proving p;
    proving_of_case(&p, "bouncing-ball");
    struct proof *proof = stored(&p);
    const struct columns *columns = &proof->motion->columns;
    struct enclosed_event *event = &proof->motion->event[0];
    int h0 = 2, q = column(columns, GROUP_Q, 0, -1), dq = column(columns, GROUP_Q, 0, h0);
    expect_told(&p, proof, proof->motion->sample[1].x + q, 1, 0, "sample 2: q.y");
    expect_told(&p, proof, proof->motion->sample[1].x + dq, 1, 2, "sample 2: dq.y/dh0");
    expect_told(&p, proof, event->before.t, 2, 0, "event 1: its time");
    expect_told(&p, proof, event->tau + h0, 2, 2, "event 1: the derivative of its time");
    expect_told(&p, proof, event->after.x + dq, 2, 2, "event 1: dq.y/dh0");
    proof_free(proof);
    proving_end(&p);
}

/* What a proof says beside its numbers is compared, too. */
Test(again, another_mode_event_or_time_is_named)
{
    struct proving p;
    struct diagnosis diagnosis = {.t = NAN};
    proving_of_case(&p, "bouncing-ball");
    struct proof *proof = stored(&p);
    struct enclosed_motion *motion = proof->motion;
    arb_ptr last = motion->sample[motion->samples - 1].t;
    unsigned long points = (unsigned long)(motion->samples + motion->events);
    arb_add_ui(last, last, 5, 400);
    enum status status = prove_again(proof, &p.of.request, points - 1, 0, &diagnosis);
    cr_expect_eq(status, BAD_ANSWER);
    cr_expect(strstr(diagnosis.place, "another time"), "%s", diagnosis.place);
    arb_sub_ui(last, last, 5, 400);
    motion->events--;
    bool told = false;
    for (unsigned long k = 0; k < points - 1; k++)
        told = told || prove_again(proof, &p.of.request, k, 0, &diagnosis) == BAD_ANSWER;
    cr_expect(told, "the last event is not missed");
    motion->events++;
    proof_free(proof);
    proving_end(&p);
}
