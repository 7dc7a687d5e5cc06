/*
 * mass_drop.c - a mass that changes at events (mass-drop; Corner, Sandu, Sandu 2019,
 * Theorem 4): a cart on a spring takes a load on its way right and drops it on its way
 * left.
 *
 *     (m + load) x'' = -k x - c x'  (loaded)        m x'' = -k x - c x'  (empty)
 *
 *     take  x = x_take rising, empty -> loaded: the load was at rest, so the momentum is
 *           kept, (m + load) x'+ = m x'
 *     drop  x = -x_drop falling, loaded -> empty: the load leaves with the velocity of
 *           the cart, which therefore is kept, x'+ = x' (Corner et al. 2019, Theorem 4)
 *
 * The two ways in which a mass may change stand side by side. The first is the impulsive
 * reset without any impulse: M+ v+ = M- v-.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, c, m, load, x_take, x_drop, x0);
    COSTS(heat, way);

    NOMINAL(k, 20, "N/m", "stiffness");
    NOMINAL(c, 0.3, "N s/m", "damping");
    NOMINAL(m, 2, "kg", "mass of the empty cart");
    NOMINAL(load, 0.5, "kg", "mass of the load");
    NOMINAL(x_take, 0.25, "m", "where the load is taken");
    NOMINAL(x_drop, 0.1, "m", "where the load is dropped, on the negative side");
    NOMINAL(x0, -1, "m", "initial position, at rest");

    struct mode *empty = model_mode(model, "empty");
    struct mode *loaded = NULL;
    for (int i = 0; i < 2; i++) {
        model->M[0][0] = loaded ? EQ(m + load) : EQ(m);
        model->F[0] = EQ(-k*x - c*vx);
        model->g[0] = EQ(c*vx*vx);
        model->g[1] = EQ(vx*vx);
        if (!loaded)
            loaded = model_mode(model, "loaded");
    }

    struct event *take = model_event(model, "take", empty, loaded, EQ(x - x_take),
                                     RISING);
    event_impulse_joints(take);
    model_event(model, "drop", loaded, empty, EQ(x + x_drop), FALLING);

    model->q0[0] = EQ(x0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(6);

    DRAW_POINT(x, 0);
}

CASE(mass_drop,
    .name = "mass-drop",
    .title = "cart on a spring that takes and drops a load",
    .source = "textbook; Corner, Sandu, Sandu 2019, Theorem 4 and Remark 20",
    .declared = "the mechanism and all its values; a load taken was at rest (momentum "
                "is kept), a load dropped keeps its velocity (so does the cart)",
    .classes = "mass-change, impulse, velocity-jump, identity-reset, "
               "state-dependent-guard, parameter-dependent-guard, unconstrained",
    .record = record);
