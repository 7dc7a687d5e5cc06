/*
 * simplest_walker.c - the simplest walking model (simplest-walker; Garcia, Chatterjee,
 * Ruina, Coleman 1998): a point mass at the hip on two massless legs with point feet of
 * vanishing mass, down a slope gam. Lengths are in legs, times in sqrt(l/g).
 *
 *     th''  = sin(th - gam)
 *     phi'' = sin(th - gam) + sin phi (th'^2 - cos(th - gam))
 *
 * th is the angle of the stance leg from the normal of the slope, phi the angle between
 * the legs. At phi = 2 th the swing foot meets the ground: the leg that swung stands,
 *
 *     th+ = -th         th'+ = c th'
 *     phi+ = -2 th      phi'+ = c (1 - c) th'         c = cos 2th
 *
 * The foot passes the ground once more in the middle of the step, where a real walker
 * bends its knee. So strikes count only after phi = phi_s: two modes, `early` and `late`,
 * with an event between them at which nothing jumps; no later result depends on phi_s.
 *
 * The run starts on the long periodic step at gam = 0.009, just after a strike, as it is
 * published.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(th, phi);
    PARAMETERS(gam, th0, w0, phi_s);
    COSTS(effort);

    NOMINAL(gam, 0.009, "rad", "slope");
    NOMINAL(th0, 0.20031090, "rad", "initial angle of the stance leg");
    NOMINAL(w0, -0.19983247, "1", "initial rate of the stance leg");
    NOMINAL(phi_s, -0.05, "rad", "angle between the legs from which strikes count");

    struct mode *early = model_mode(model, "early");
    struct mode *late = NULL;
    for (int i = 0; i < 2; i++) {
        model->M[0][0] = EQ(1);
        model->M[1][1] = EQ(1);
        model->F[0] = EQ(sin(th - gam));
        model->F[1] = EQ(sin(th - gam) + sin(phi)*(vth*vth - cos(th - gam)));
        model->g[0] = EQ(vphi*vphi);
        if (i == 0)
            late = model_mode(model, "late");
    }
    model->energy = EQ(vth*vth/2 + cos(th - gam));

    model_event(model, "swing-past", early, late, EQ(phi - phi_s), FALLING);
    struct event *strike = model_event(model, "strike", late, early, EQ(phi - 2*th),
                                       RISING);
    LET(c, cos(2*th));
    strike->q_plus[0] = EQ(-th);
    strike->q_plus[1] = EQ(-2*th);
    strike->v_plus[0] = EQ(c*vth);
    strike->v_plus[1] = EQ(c*(1 - c)*vth);

    model->q0[0] = EQ(th0);
    model->q0[1] = EQ(2*th0);
    model->v0[0] = EQ(w0);
    model->v0[1] = EQ((1 - cos(2*th0))*w0);
    model->t_end = EQ(13);

    DRAW_LINE(0, 0, -sin(th), cos(th));
    DRAW_LINE(-sin(th), cos(th), sin(th - phi) - sin(th), cos(th) - cos(th - phi));

    PUBLISHED("after.6.q.th", "0.20031090", "Garcia et al. 1998, long periodic step");
    PUBLISHED("after.6.v.th", "-0.19983247", "Garcia et al. 1998, long periodic step");
}

CASE(simplest_walker,
    .name = "simplest-walker",
    .title = "the simplest walking model, three steps from its long periodic motion",
    .source = "Garcia, Chatterjee, Ruina, Coleman 1998; fixed point also Bhounsule 2014",
    .declared = "phi_s = -0.05, from which strikes count; the cost",
    .classes = "velocity-jump, position-jump, state-dependent-guard, "
               "parameter-dependent-guard, unconstrained, walking",
    .record = record);
