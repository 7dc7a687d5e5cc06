/*
 * test_proof_pulses.c - forces that are felt for a part of a step only, and are smaller
 * than any error before and after.
 */
#include <arb_hypgeom.h>

#include "cases/model_texts.h"
#include "proving.h"

TestSuite(proof_pulses, .timeout = 600);

/* y'' = exp(-(w (t - c))^2) from velocity 1. v(3) = 1 + sqrt(pi)/(2 w) (erf(w (3 - c)) +
   erf(w c)), c = 1.2345. */
static void expect_velocity(int w, const arb_t v)
{
    arb_t truth, x;
    arb_init(truth);
    arb_init(x);
    arb_set_str(x, "1.2345", 300);
    arb_mul_ui(x, x, (ulong)w, 300);
    arb_hypgeom_erf(truth, x, 300);
    arb_sub_ui(x, x, 3 * (ulong)w, 300);
    arb_hypgeom_erf(x, x, 300);
    arb_sub(truth, truth, x, 300);
    arb_const_pi(x, 300);
    arb_sqrt(x, x, 300);
    arb_mul(truth, truth, x, 300);
    arb_div_ui(truth, truth, 2 * (ulong)w, 300);
    arb_add_ui(truth, truth, 1, 300);
    cr_expect(arb_overlaps(truth, v), "w = %d", w);
    arb_clear(truth);
    arb_clear(x);
}

Test(proof_pulses, a_narrow_pulse_is_proved_with_its_momentum)
{
    static const int w[] = {20, 30};
    for (int k = 0; k < 2; k++) {
        char text[300];
        struct proving p;
        struct diagnosis diagnosis;
        snprintf(text, sizeof text, "time: t\ncoordinates: [y]\nmodes:\n  m: {M: {y: {y: "
                 "1}}, F: {y: \"exp(-pow(%d*(t - 1.2345), 2))\"}}\ninitial: {state: {y: "
                 "0, vy: 1}}\nend: 3\n", w[k]);
        struct model *model = model_of_text(text, &diagnosis);
        cr_assert_not_null(model, "%s", diagnosis.place);
        referring_of_model(&p.of, model, 0);
        const char *sample[] = {"3"};
        p.of.request.samples = 1;
        p.of.request.sample = sample;
        struct proof *proof = proved(&p, 12);
        const struct enclosed_motion *motion = proof->motion;
        cr_assert_eq(motion->samples, 1);
        expect_velocity(w[k], motion->sample[0].x +
                              column(&motion->columns, GROUP_V, 0, -1));
        proof_free(proof);
        proving_end(&p);
    }
}
