/*
 * mechanisms.h - three cases of the catalogue, written by hand from what `saltus problem`
 * prints: formulas in complex numbers, so that a complex step differentiates them.
 */
#include <complex.h>
#include <stddef.h>

enum { MOST = 8 };
typedef double complex number;

/* y' = rates(t, y, rho); an event where the guard falls through zero: y+ = reset(y-).
   What is observed is in the answer, too. */
struct mechanism {
    const char *name, *event;
    int n, p, observed;
    const char *state[MOST], *observed_name[MOST], *parameter[MOST];
    double rho[MOST];
    void (*start)(const number *rho, number *y);
    void (*rates)(number t, const number *y, const number *rho, number *f);
    number (*guard)(number t, const number *y, const number *rho);
    void (*reset)(number t, const number *y, const number *rho, number *plus);
    void (*observe)(number t, const number *y, const number *rho, number *value);
};

/* --- pendulum-stop ------------------------------------------------------------------ */

enum { STOP_G, STOP_L, STOP_E, STOP_A, STOP_TH0 };
enum { TH, VTH, SWING };

static void stop_start(const number *rho, number *y)
{
    y[TH] = rho[STOP_TH0];
    y[VTH] = y[SWING] = 0;
}

static void stop_rates(number t, const number *y, const number *rho, number *f)
{
    (void)t;
    f[TH] = y[VTH];
    f[VTH] = -rho[STOP_G] / rho[STOP_L] * csin(y[TH]);
    f[SWING] = y[VTH] * y[VTH];
}

static number stop_guard(number t, const number *y, const number *rho)
{
    (void)t;
    return y[TH] + rho[STOP_A];
}

static void stop_reset(number t, const number *y, const number *rho, number *plus)
{
    (void)t;
    plus[TH] = y[TH];
    plus[VTH] = -rho[STOP_E] * y[VTH];
    plus[SWING] = y[SWING];
}

static void stop_observe(number t, const number *y, const number *rho, number *value)
{
    (void)t;
    value[0] = -rho[STOP_G] / rho[STOP_L] * csin(y[TH]);
}

/* --- bouncing-ball ------------------------------------------------------------------ */

enum { BALL_G, BALL_E, BALL_H0, BALL_GROUND, BALL_U };
enum { Y, VY, HEIGHT, SPEED };

static void ball_start(const number *rho, number *y)
{
    y[Y] = rho[BALL_H0];
    y[VY] = y[HEIGHT] = y[SPEED] = 0;
}

static void ball_rates(number t, const number *y, const number *rho, number *f)
{
    (void)t;
    f[Y] = y[VY];
    f[VY] = -rho[BALL_G];
    f[HEIGHT] = y[Y];
    f[SPEED] = y[VY] * y[VY] / 2;
}

static number ball_guard(number t, const number *y, const number *rho)
{
    return y[Y] - rho[BALL_GROUND] - rho[BALL_U] * t;
}

static void ball_reset(number t, const number *y, const number *rho, number *plus)
{
    (void)t;
    plus[Y] = y[Y];
    plus[VY] = rho[BALL_U] - rho[BALL_E] * (y[VY] - rho[BALL_U]);
    plus[HEIGHT] = y[HEIGHT];
    plus[SPEED] = y[SPEED];
}

static void ball_observe(number t, const number *y, const number *rho, number *value)
{
    (void)t, (void)y;
    value[0] = -rho[BALL_G];
}

/* --- pendulum-wall: a constraint, at the level of accelerations (index 1) ----------- */

enum { WALL_G, WALL_L, WALL_E, WALL_A, WALL_TH0, WALL_M };
enum { PX, PY, PVX, PVY, PSWING, PPULL };

static void wall_start(const number *rho, number *y)
{
    y[PX] = rho[WALL_L] * csin(rho[WALL_TH0]);
    y[PY] = -rho[WALL_L] * ccos(rho[WALL_TH0]);
    y[PVX] = y[PVY] = y[PSWING] = y[PPULL] = 0;
}

/* ax, ay and the multiplier: m ax + x lambda = 0, m ay + y lambda = -m g, and
   x ax + y ay + vx^2 + vy^2 = 0. */
static void wall_observe(number t, const number *y, const number *rho, number *value)
{
    number speed = y[PVX] * y[PVX] + y[PVY] * y[PVY];
    number square = y[PX] * y[PX] + y[PY] * y[PY];
    number lambda = rho[WALL_M] * (speed - rho[WALL_G] * y[PY]) / square;
    (void)t;
    value[0] = -y[PX] * lambda / rho[WALL_M];
    value[1] = -y[PY] * lambda / rho[WALL_M] - rho[WALL_G];
    value[2] = lambda;
}

static void wall_rates(number t, const number *y, const number *rho, number *f)
{
    number value[3];
    wall_observe(t, y, rho, value);
    f[PX] = y[PVX];
    f[PY] = y[PVY];
    f[PVX] = value[0];
    f[PVY] = value[1];
    f[PSWING] = (y[PVX] * y[PVX] + y[PVY] * y[PVY]) / (rho[WALL_L] * rho[WALL_L]);
    f[PPULL] = value[2] * value[2];
}

static number wall_guard(number t, const number *y, const number *rho)
{
    (void)t;
    return y[PX] * ccos(rho[WALL_A]) - y[PY] * csin(rho[WALL_A]);
}

/* vy+ such that x+ vx+ + y+ vy+ = 0. */
static void wall_reset(number t, const number *y, const number *rho, number *plus)
{
    (void)t;
    plus[PX] = y[PX];
    plus[PY] = y[PY];
    plus[PVX] = -rho[WALL_E] * y[PVX];
    plus[PVY] = -plus[PX] * plus[PVX] / plus[PY];
    plus[PSWING] = y[PSWING];
    plus[PPULL] = y[PPULL];
}

/* --- all of them -------------------------------------------------------------------- */

static const struct mechanism mechanisms[] = {
    {
        .name = "pendulum-stop", .event = "stop", .n = 3, .p = 5, .observed = 1,
        .state = {"q.th", "v.th", "z.swing"}, .observed_name = {"a.th"},
        .parameter = {"g", "L", "e", "a", "th0"}, .rho = {9.81, 1, 0.8, 0.2, 1},
        .start = stop_start, .rates = stop_rates, .guard = stop_guard,
        .reset = stop_reset, .observe = stop_observe,
    },
    {
        .name = "bouncing-ball", .event = "impact", .n = 4, .p = 5, .observed = 1,
        .state = {"q.y", "v.y", "z.height", "z.speed"}, .observed_name = {"a.y"},
        .parameter = {"g", "e", "h0", "y_ground", "u"}, .rho = {9.8, 0.8, 50, 0, 0},
        .start = ball_start, .rates = ball_rates, .guard = ball_guard,
        .reset = ball_reset, .observe = ball_observe,
    },
    {
        .name = "pendulum-wall", .event = "wall", .n = 6, .p = 6, .observed = 3,
        .state = {"q.x", "q.y", "v.x", "v.y", "z.swing", "z.pull"},
        .observed_name = {"a.x", "a.y", "lambda.1"},
        .parameter = {"g", "l", "e", "a", "th0", "m"}, .rho = {9.81, 1, 0.8, 0.2, 1, 1},
        .start = wall_start, .rates = wall_rates, .guard = wall_guard,
        .reset = wall_reset, .observe = wall_observe,
    },
};
