/*
 * test_contact.c - guards that are zero exactly where an arc begins, as texts of formulas
 * show (enclosure/contact.c): proved where they were constraints, and only then.
 */
#include "proving.h"

TestSuite(contact, .timeout = 600);

/* Proves the motion; numbers of a run with more digits lie in their balls. */
static void expect_proved(const char *name, void (*record)(struct model *), int events)
{
    struct proving p;
    proving_of_record(&p, name, record);
    struct proof *proof = proved(&p, 30);
    p.of.request.digits = proof->carried + 20;
    struct mp_trajectory *run = refer(&p.of);
    struct beside_balls b = look_at_all(proof->motion, run, proof->carried);
    cr_expect_str_empty(b.outside, "%s: %s", name, b.outside);
    cr_expect_eq(run->events, events, "%s: %d events", name, run->events);
    mp_trajectory_free(run);
    proof_free(proof);
    proving_end(&p);
}

/* --- a block that sticks to a belt -------------------------------------------------- */

static bool opposite;                   /* the guard is the opposite of the constraint */

/* It slips, sticks, and slips again; each time it begins to slip, the relative velocity
   at which it will stick is zero, being the constraint until then. */
static void record_belt(struct model *model)
{
    COORDINATES(x);
    PARAMETERS(k, vb, Fs, Fd);
    MULTIPLIERS(friction);
    NOMINAL(k, 10, "N/m", "spring");
    NOMINAL(vb, 0.5, "m/s", "velocity of the belt");
    NOMINAL(Fs, 3, "N", "static friction");
    NOMINAL(Fd, 2, "N", "sliding friction");
    struct mode *slip = model_mode(model, "slip");
    struct mode *stick = model_mode(model, "stick");
    slip->M[0][0] = stick->M[0][0] = EQ(1);
    slip->F[0] = EQ(-k*x + Fd);
    stick->F[0] = EQ(-k*x);
    stick->Phi[0] = EQ(vx - vb);
    stick->velocity_level[0] = true;
    formula sticks = opposite ? EQ(vb - vx) : EQ(vx - vb);
    struct event *caught = model_event(model, "caught", slip, stick, sticks,
                                       opposite ? FALLING : RISING);
    event_impulse_joints(caught);
    model_event(model, "slides", stick, slip, EQ(-friction - Fs), RISING);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(6);
}

Test(contact, the_relative_velocity_of_what_has_stuck_is_zero)
{
    opposite = false;
    expect_proved("belt", record_belt, 6);
    opposite = true;
    expect_proved("belt, opposite", record_belt, 6);
}

/* --- a mass that thrust lifts off its pad ------------------------------------------- */

enum moved { NOTHING, POSITION, VELOCITY };
static enum moved moved;                /* by the release, by 1e-8686 */
static enum direction watched;

/* The pad holds it until t = 0.3; where it is released its height and velocity are zero,
   and the acceleration decides to which side it goes. */
static void record_pad(struct model *model)
{
    TIME(t);
    COORDINATES(y);
    PARAMETERS(thrust, less, e);
    MULTIPLIERS(pad);
    (void)pad;
    NOMINAL(thrust, 30, "N", "thrust");
    NOMINAL(less, 9, "N/s", "what is lost of it");
    NOMINAL(e, 0.7, "1", "coefficient of restitution");
    struct mode *held = model_mode(model, "held"), *free = model_mode(model, "free");
    held->M[0][0] = free->M[0][0] = EQ(2);
    held->F[0] = free->F[0] = EQ(thrust - less*t - 19.62);
    held->Phi[0] = EQ(y);
    struct event *release = model_event(model, "release", held, free, EQ(t - 0.3),
                                        RISING);
    if (moved == POSITION) {
        release->q_plus[0] = EQ(y - exp(-20000));
        release->v_plus[0] = EQ(vy + 1);
    } else if (moved == VELOCITY) {
        release->v_plus[0] = EQ(vy - exp(-20000));
    }
    struct event *bounce = model_event(model, "bounce", free, free, EQ(y), watched);
    bounce->v_plus[0] = EQ(-e*vy);
    model->q0[0] = EQ(0);
    model->v0[0] = EQ(0);
    model->t_end = EQ(4);
}

static void expect_pad(enum moved moves, enum direction direction)
{
    moved = moves;
    watched = direction;
    if (moves == NOTHING) {
        expect_proved("pad", record_pad, 3);
        return;
    }
    struct proving p;
    struct proof *proof = NULL;
    proving_of_record(&p, "pad", record_pad);
    enum status status = prove(&p.of.request, 30, &proof, &p.of.diagnosis);
    cr_expect(status == PRECISION || status == GUARD_VIOLATED, "%s: %s",
              status_text(status), p.of.diagnosis.place);
    proof_free(proof);
    proving_end(&p);
}

Test(contact, the_height_above_what_has_held_is_zero_with_its_rate)
{
    expect_pad(NOTHING, FALLING);
    expect_pad(NOTHING, EITHER);
}

/* A reset that moves it by less than the digits of any ball leaves it below the pad, or
   sends it there: it comes back through the guard, which is an event. */
Test(contact, what_a_reset_has_moved_is_not_zero)
{
    expect_pad(POSITION, EITHER);
    expect_pad(POSITION, FALLING);
    expect_pad(VELOCITY, EITHER);
}
