/*
 * cvodes.c - two mechanisms of the catalogue as a user of CVODES would solve them:
 * forward sensitivities, root finding, and the jump of both at an event written out.
 *
 *     cc -O2 cvodes.c -o cvodes -lsundials_cvodes -lsundials_nvecserial -lm
 *     saltus problem pendulum-stop | ./cvodes > answer.csv
 *     saltus verify pendulum-stop --solver ./cvodes
 *
 * Equations and parameters stand below, as `saltus problem` prints them; of its JSON only
 * the name and the samples are read. Derivatives are those of a complex step of 1e-30,
 * which are exact to the last digits of a double.
 *
 *     ./cvodes --wrong no-dte     leaves dt_e/drho out of the jump
 *     ./cvodes --wrong sign       has f- - f+ instead of h_x f- - f+
 */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { MOST = 8, MOST_SAMPLES = 100 };
typedef double complex number;

/* y' = rates(t, y, rho); an event where the guard falls through zero: y+ = reset(y-). */
struct mechanism {
    const char *name, *event;
    int n, p;
    const char *state[MOST], *parameter[MOST];
    double start[MOST];
    double start_by_rho[MOST][MOST];        /* [parameter][state], where it is not 0 */
    double rho[MOST];
    void (*rates)(number t, const number *y, const number *rho, number *f);
    number (*guard)(number t, const number *y, const number *rho);
    void (*reset)(number t, const number *y, const number *rho, number *plus);
};

/* --- pendulum-stop: th, vth, swing; g, L, e, a, th0 ------------------------------------ */

static void pendulum_rates(number t, const number *y, const number *rho, number *f)
{
    (void)t;
    f[0] = y[1];
    f[1] = -rho[0] / rho[1] * csin(y[0]);
    f[2] = y[1] * y[1];
}

static number pendulum_guard(number t, const number *y, const number *rho)
{
    (void)t;
    return y[0] + rho[3];
}

static void pendulum_reset(number t, const number *y, const number *rho, number *plus)
{
    (void)t;
    plus[0] = y[0];
    plus[1] = -rho[2] * y[1];
    plus[2] = y[2];
}

/* --- bouncing-ball: y, vy, height, speed; g, e, h0, y_ground, u ------------------------ */

static void ball_rates(number t, const number *y, const number *rho, number *f)
{
    (void)t;
    f[0] = y[1];
    f[1] = -rho[0];
    f[2] = y[0];
    f[3] = y[1] * y[1] / 2;
}

static number ball_guard(number t, const number *y, const number *rho)
{
    return y[0] - rho[3] - rho[4] * t;
}

static void ball_reset(number t, const number *y, const number *rho, number *plus)
{
    (void)t;
    plus[0] = y[0];
    plus[1] = rho[4] - rho[1] * (y[1] - rho[4]);
    plus[2] = y[2];
    plus[3] = y[3];
}

static const struct mechanism mechanisms[] = {
    {
        .name = "pendulum-stop", .event = "stop", .n = 3, .p = 5,
        .state = {"q.th", "v.th", "z.swing"},
        .parameter = {"g", "L", "e", "a", "th0"},
        .rho = {9.81, 1, 0.8, 0.2, 1},
        .start = {1}, .start_by_rho = {[4] = {1}},
        .rates = pendulum_rates, .guard = pendulum_guard, .reset = pendulum_reset,
    },
    {
        .name = "bouncing-ball", .event = "impact", .n = 4, .p = 5,
        .state = {"q.y", "v.y", "z.height", "z.speed"},
        .parameter = {"g", "e", "h0", "y_ground", "u"},
        .rho = {9.8, 0.8, 50, 0, 0},
        .start = {50}, .start_by_rho = {[2] = {1}},
        .rates = ball_rates, .guard = ball_guard, .reset = ball_reset,
    },
};

/* --- derivatives ----------------------------------------------------------------------- */

static const double h = 1e-30;

/* t, y and rho moved along (dt, dy, e_j) by ih; dy may be NULL, j -1. */
struct moved {
    number t, y[MOST], rho[MOST];
};

static struct moved moved_along(const struct mechanism *m, double t, const double *y,
                                double dt, const double *dy, int j)
{
    struct moved moved = {.t = t + I * h * dt};
    for (int i = 0; i < m->n; i++)
        moved.y[i] = y[i] + (dy ? I * h * dy[i] : 0);
    for (int k = 0; k < m->p; k++)
        moved.rho[k] = m->rho[k] + (k == j ? I * h : 0);
    return moved;
}

static void rates_of(const struct mechanism *m, double t, const double *y, double *f)
{
    struct moved at = moved_along(m, t, y, 0, NULL, -1);
    number value[MOST];
    m->rates(at.t, at.y, at.rho, value);
    for (int i = 0; i < m->n; i++)
        f[i] = creal(value[i]);
}

static double guard_along(const struct mechanism *m, double t, const double *y, double dt,
                          const double *dy, int j)
{
    struct moved at = moved_along(m, t, y, dt, dy, j);
    return cimag(m->guard(at.t, at.y, at.rho)) / h;
}

static void reset_along(const struct mechanism *m, double t, const double *y, double dt,
                        const double *dy, int j, double *value, double *derivative)
{
    struct moved at = moved_along(m, t, y, dt, dy, j);
    number plus[MOST];
    m->reset(at.t, at.y, at.rho, plus);
    for (int i = 0; i < m->n; i++) {
        value[i] = creal(plus[i]);
        derivative[i] = cimag(plus[i]) / h;
    }
}

/* --- what CVODES asks for -------------------------------------------------------------- */

static int right_side(realtype t, N_Vector y, N_Vector f, void *data)
{
    rates_of(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static int sensitivity(int p, realtype t, N_Vector y, N_Vector f, int j, N_Vector s,
                       N_Vector ds, void *data, N_Vector work1, N_Vector work2)
{
    const struct mechanism *m = data;
    struct moved at = moved_along(m, t, N_VGetArrayPointer(y), 0, N_VGetArrayPointer(s), j);
    number value[MOST];
    (void)p, (void)f, (void)work1, (void)work2;
    m->rates(at.t, at.y, at.rho, value);
    for (int i = 0; i < m->n; i++)
        NV_Ith_S(ds, i) = cimag(value[i]) / h;
    return 0;
}

static int guard(realtype t, N_Vector y, realtype *value, void *data)
{
    const struct mechanism *m = data;
    struct moved at = moved_along(m, t, N_VGetArrayPointer(y), 0, NULL, -1);
    *value = creal(m->guard(at.t, at.y, at.rho));
    return 0;
}

/* --- the jump -------------------------------------------------------------------------- */

enum wrong { RIGHT, NO_DTE, SIGN };

struct motion {
    const struct mechanism *m;
    enum wrong wrong;
    void *cvode;
    N_Vector y, *s;             /* the state, and dy/drho_j [p] */
    FILE *events;
    int count;
};

static void print_line(FILE *stream, const struct motion *motion)
{
    for (int i = 0; i < motion->m->n; i++)
        fprintf(stream, ",%.17g", NV_Ith_S(motion->y, i));
    for (int j = 0; j < motion->m->p; j++)
        for (int i = 0; i < motion->m->n; i++)
            fprintf(stream, ",%.17g", NV_Ith_S(motion->s[j], i));
    fputc('\n', stream);
}

static void print_event(const struct motion *motion, double t, const double *tau,
                        const char *side)
{
    fprintf(motion->events, "%d,%s,%.17g", motion->count, motion->m->event, t);
    for (int j = 0; j < motion->m->p; j++)
        fprintf(motion->events, ",%.17g", tau[j]);
    fprintf(motion->events, ",%s", side);
    print_line(motion->events, motion);
}

/* y+ = h(y-), s+ = h_y s- + h_rho + (h_y f- + h_t - f+) dt_e/drho. */
static void jump(struct motion *motion, double t)
{
    const struct mechanism *m = motion->m;
    const double *y = N_VGetArrayPointer(motion->y);
    double f[MOST], f_plus[MOST], plus[MOST], moving[MOST], tau[MOST];
    rates_of(m, t, y, f);
    double along = guard_along(m, t, y, 1, f, -1);
    for (int j = 0; j < m->p; j++)
        tau[j] = -guard_along(m, t, y, 0, N_VGetArrayPointer(motion->s[j]), j) / along;
    motion->count++;
    print_event(motion, t, tau, "before");

    reset_along(m, t, y, 1, f, -1, plus, moving);
    rates_of(m, t, plus, f_plus);
    for (int j = 0; j < m->p; j++) {
        double fixed[MOST], *s = N_VGetArrayPointer(motion->s[j]);
        reset_along(m, t, y, 0, s, j, plus, fixed);
        for (int i = 0; i < m->n; i++) {
            double change = motion->wrong == NO_DTE ? 0
                            : (motion->wrong == SIGN ? f[i] : moving[i]) - f_plus[i];
            s[i] = fixed[i] + change * tau[j];
        }
    }
    memcpy(N_VGetArrayPointer(motion->y), plus, (size_t)m->n * sizeof *plus);
    print_event(motion, t, tau, "after");
}

/* --- the motion ------------------------------------------------------------------------ */

static void check(int flag, const char *what)
{
    if (flag >= 0)
        return;
    fprintf(stderr, "cvodes: %s failed (%d)\n", what, flag);
    exit(1);
}

static void set_up(struct motion *motion, SUNContext context, double rtol)
{
    const struct mechanism *m = motion->m;
    double atol_of_s[MOST];
    motion->y = N_VNew_Serial(m->n, context);
    motion->s = N_VCloneVectorArray(m->p, motion->y);
    for (int i = 0; i < m->n; i++)
        NV_Ith_S(motion->y, i) = m->start[i];
    for (int j = 0; j < m->p; j++) {
        atol_of_s[j] = 1e-2 * rtol;
        for (int i = 0; i < m->n; i++)
            NV_Ith_S(motion->s[j], i) = m->start_by_rho[j][i];
    }
    void *cvode = motion->cvode = CVodeCreate(CV_ADAMS, context);
    SUNMatrix jacobian = SUNDenseMatrix(m->n, m->n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(motion->y, jacobian, context);
    check(CVodeInit(cvode, right_side, 0, motion->y), "CVodeInit");
    check(CVodeSStolerances(cvode, rtol, 1e-2 * rtol), "CVodeSStolerances");
    check(CVodeSetUserData(cvode, (void *)m), "CVodeSetUserData");
    check(CVodeSetLinearSolver(cvode, solver, jacobian), "CVodeSetLinearSolver");
    check(CVodeSetMaxNumSteps(cvode, 1000000), "CVodeSetMaxNumSteps");
    check(CVodeSensInit1(cvode, m->p, CV_STAGGERED, sensitivity, motion->s),
          "CVodeSensInit1");
    check(CVodeSensSStolerances(cvode, rtol, atol_of_s), "CVodeSensSStolerances");
    check(CVodeSetSensErrCon(cvode, SUNTRUE), "CVodeSetSensErrCon");
    check(CVodeRootInit(cvode, 1, guard), "CVodeRootInit");
    check(CVodeSetRootDirection(cvode, (int[]){-1}), "CVodeSetRootDirection");
}

/* To time `end`, through every event before it. */
static void advance(struct motion *motion, double end)
{
    realtype t;
    for (;;) {
        int flag = CVode(motion->cvode, end, motion->y, &t, CV_NORMAL);
        check(flag, "CVode");
        check(CVodeGetSens(motion->cvode, &t, motion->s), "CVodeGetSens");
        if (flag != CV_ROOT_RETURN)
            return;
        jump(motion, t);
        check(CVodeReInit(motion->cvode, t, motion->y), "CVodeReInit");
        check(CVodeSensReInit(motion->cvode, CV_STAGGERED, motion->s), "CVodeSensReInit");
    }
}

static void print_columns(FILE *stream, const struct mechanism *m)
{
    for (int i = 0; i < m->n; i++)
        fprintf(stream, ",%s", m->state[i]);
    for (int j = 0; j < m->p; j++)
        for (int i = 0; i < m->n; i++)
            fprintf(stream, ",d%s/d%s", m->state[i], m->parameter[j]);
    fputc('\n', stream);
}

static void print_event_columns(FILE *stream, const struct mechanism *m)
{
    fputs("event,name,t", stream);
    for (int j = 0; j < m->p; j++)
        fprintf(stream, ",dt/d%s", m->parameter[j]);
    fputs(",side", stream);
    print_columns(stream, m);
}

static void solve(const struct mechanism *m, const double *t, int samples, double rtol,
                  enum wrong wrong)
{
    SUNContext context;
    char *events;
    size_t size;
    check(SUNContext_Create(NULL, &context), "SUNContext_Create");
    struct motion motion = {.m = m, .wrong = wrong, .events = open_memstream(&events, &size)};
    set_up(&motion, context, rtol);
    printf("t");
    print_columns(stdout, m);
    print_event_columns(motion.events, m);
    for (int k = 0; k < samples; k++) {
        if (k > 0)
            advance(&motion, t[k]);
        printf("%.17g", t[k]);
        print_line(stdout, &motion);
    }
    fclose(motion.events);
    printf("# events\n%s", events);
    free(events);
}

/* --- the question ---------------------------------------------------------------------- */

static char *read_all(FILE *stream)
{
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', stream) < 0) {
        fputs("cvodes: nothing on standard input; pipe `saltus problem CASE` into it\n",
              stderr);
        exit(1);
    }
    return text;
}

/* What stands behind "key": in the text. */
static const char *value_of(const char *text, const char *key)
{
    char quoted[40];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(text, quoted);
    return found ? found + strlen(quoted) + strspn(found + strlen(quoted), " \t\n[\"") : "";
}

static int read_samples(const char *text, double *t)
{
    int count = 0;
    char *end = (char *)value_of(text, "samples");
    while (count < MOST_SAMPLES) {
        const char *at = end + strspn(end, ", \t\n");
        t[count] = strtod(at, &end);
        if (end == at)
            break;
        count++;
    }
    return count;
}

static const struct mechanism *find_mechanism(const char *text)
{
    for (size_t k = 0; k < sizeof mechanisms / sizeof *mechanisms; k++) {
        const char *name = value_of(text, "name");
        size_t length = strlen(mechanisms[k].name);
        if (strncmp(name, mechanisms[k].name, length) == 0 && name[length] == '"')
            return &mechanisms[k];
    }
    fputs("cvodes: solves pendulum-stop and bouncing-ball only\n", stderr);
    exit(1);
}

int main(int argc, char **argv)
{
    enum wrong wrong = RIGHT;
    double t[MOST_SAMPLES];
    if (argc == 3 && strcmp(argv[1], "--wrong") == 0)
        wrong = strcmp(argv[2], "sign") == 0 ? SIGN : NO_DTE;
    char *text = read_all(stdin);
    solve(find_mechanism(text), t, read_samples(text, t), 1e-11, wrong);
    free(text);
    return 0;
}
