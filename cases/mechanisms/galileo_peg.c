/*
 * galileo_peg.c - Galileo's interrupted pendulum (Two New Sciences, 1638), with latched
 * states in a constraint: galileo-peg, galileo-peg-modes. The rope of a pendulum meets a
 * peg below its hook, and the bob goes on about the peg.
 *
 *     Phi = ((x - u)^2 + (y - w)^2 - l^2)/2        m (x, y)'' = (0, -m g) - Phi_q' pull
 *
 *     catch    whole -> caught  the rope lies on the peg: what holds the bob, (u, w), is
 *              the peg from now on, and l+ is its distance from there
 *     let_go   caught -> whole  the rope leaves the peg: (u, w) is the hook again
 *
 * Anchor and length are states that nothing but an event changes. The new length is
 * measured, not computed from the old one, so that the constraint holds after each event
 * for all parameters. The speed stays the same, and the bob comes to the height at which
 * it was let go, on both sides (Galileo).
 *
 * The second case has anchors and lengths typed for each mode, and no such states.
 */
#include "case.h"

static void record(struct model *model)
{
    COORDINATES(x, y);
    AUXILIARY(u, w, l);
    PARAMETERS(g, m, L, px, py, th0);
    MULTIPLIERS(pull);
    COSTS(way, strain);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(m, 0.8, "kg", "mass of the bob");
    NOMINAL(L, 1.3, "m", "length of the rope");
    NOMINAL(px, 0.05, "m", "the peg");
    NOMINAL(py, -0.6, "m", "the peg, below the hook");
    NOMINAL(th0, -0.7, "rad", "initial angle, at rest");

    struct mode *whole = model_mode(model, "whole");
    struct mode *caught = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->F[1] = EQ(-m*g);
        model->Phi[0] = EQ(((x - u)*(x - u) + (y - w)*(y - w) - l*l)/2);
        model->g[0] = EQ(vx*vx + vy*vy);
        model->g[1] = EQ(pull*l);
        if (k == 0)
            caught = model_mode(model, "caught");
    }
    model->energy = EQ(m*(vx*vx + vy*vy)/2 + m*g*y);

    struct event *catch = model_event(model, "catch", whole, caught, EQ(y*px - x*py),
                                      RISING);
    catch->s_plus[0] = EQ(px);
    catch->s_plus[1] = EQ(py);
    catch->s_plus[2] = EQ(sqrt((x - px)*(x - px) + (y - py)*(y - py)));
    struct event *let_go = model_event(model, "let-go", caught, whole, EQ(y*px - x*py),
                                       FALLING);
    let_go->s_plus[0] = EQ(0*m);
    let_go->s_plus[1] = EQ(0*m);
    let_go->s_plus[2] = EQ(sqrt(x*x + y*y));

    model->q0[0] = EQ(L*sin(th0));
    model->q_guess[1] = EQ(-L);
    model->v0[0] = EQ(0);
    model->s0[0] = EQ(0*m);
    model->s0[1] = EQ(0*m);
    model->s0[2] = EQ(L);
    model->t_end = EQ(3);

    TWIN("galileo-peg-modes", X, Y);
    EQUAL("x of the bob", x, X);
    EQUAL("y of the bob", y, Y);
    DRAW_LINE(u, w, x, y);
    DRAW_POINT(px, py);
}

CASE(galileo_peg,
    .name = "galileo-peg",
    .title = "a pendulum whose rope is caught by a peg: anchor and length are latched",
    .source = "Galilei, Two New Sciences (1638), third day: the nail in the wall",
    .declared = "nominal values; the peg is beside the middle",
    .classes = "position-jump, state-dependent-guard, parameter-dependent-guard, "
               "constrained",
    .record = record);

static void record_modes(struct model *model)
{
    COORDINATES(X, Y);
    PARAMETERS(g, m, L, px, py, th0);
    MULTIPLIERS(pull);
    COSTS(way, strain);

    NOMINAL(g, 9.81, "m/s^2", "gravity");
    NOMINAL(m, 0.8, "kg", "mass of the bob");
    NOMINAL(L, 1.3, "m", "length of the rope");
    NOMINAL(px, 0.05, "m", "the peg");
    NOMINAL(py, -0.6, "m", "the peg, below the hook");
    NOMINAL(th0, -0.7, "rad", "initial angle, at rest");

    LET(rest, L - sqrt(px*px + py*py));
    struct mode *whole = model_mode(model, "whole");
    struct mode *caught = NULL;
    for (int k = 0; k < 2; k++) {
        model->M[0][0] = EQ(m);
        model->M[1][1] = EQ(m);
        model->F[1] = EQ(-m*g);
        model->g[0] = EQ(vX*vX + vY*vY);
        if (k > 0)
            break;
        model->Phi[0] = EQ((X*X + Y*Y - L*L)/2);
        model->g[1] = EQ(pull*L);
        caught = model_mode(model, "caught");
    }
    model->Phi[0] = EQ(((X - px)*(X - px) + (Y - py)*(Y - py) - rest*rest)/2);
    model->g[1] = EQ(pull*rest);
    model->energy = EQ(m*(vX*vX + vY*vY)/2 + m*g*Y);

    model_event(model, "catch", whole, caught, EQ(X/px - Y/py), RISING);
    model_event(model, "let-go", caught, whole, EQ(X/px - Y/py), FALLING);

    model->q0[0] = EQ(L*sin(th0));
    model->q0[1] = EQ(-L*cos(th0));
    model->v0[0] = EQ(0);
    model->v0[1] = EQ(0);
    model->t_end = EQ(3);

    TWIN("galileo-peg", x, y);
    EQUAL("x of the bob", X, x);
    EQUAL("y of the bob", Y, y);
    DRAW_LINE(0, 0, X, Y);
    DRAW_POINT(px, py);
}

CASE(galileo_peg_modes,
    .name = "galileo-peg-modes",
    .title = "the same with a constraint for each mode and nothing latched",
    .source = "Galilei, Two New Sciences (1638), third day: the nail in the wall",
    .declared = "nominal values; the peg is beside the middle",
    .classes = "identity-reset, constraint-change, state-dependent-guard, "
               "parameter-dependent-guard, constrained",
    .record = record_modes);
