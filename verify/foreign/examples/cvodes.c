/*
 * cvodes.c - three mechanisms of the catalogue as a user of CVODES would solve them:
 * forward sensitivities, root finding, and the jump of both at an event written out.
 *
 *     cc -O2 cvodes.c -o cvodes -lsundials_cvodes -lsundials_nvecserial -lm
 *     saltus problem pendulum-stop | ./cvodes > answer.csv
 *     saltus verify pendulum-stop --solver ./cvodes
 *
 * Equations and parameters stand in mechanisms.h; of the JSON only the name and the
 * samples are read. Derivatives are those of a complex step of 1e-30, which are exact to
 * the last digits of a double.
 *
 *     ./cvodes --wrong no-dte     leaves dt_e/drho out of the jump
 *     ./cvodes --wrong no-reset   has f- - f+ instead of h_x f- - f+
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

#include "mechanisms.h"

enum { MOST_SAMPLES = 100 };

/* --- derivatives -------------------------------------------------------------------- */

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

/* --- what CVODES asks for ----------------------------------------------------------- */

static int right_side(realtype t, N_Vector y, N_Vector f, void *data)
{
    rates_of(data, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static int sensitivity(int p, realtype t, N_Vector y, N_Vector f, int j, N_Vector s,
                       N_Vector ds, void *data, N_Vector work1, N_Vector work2)
{
    const struct mechanism *m = data;
    const double *dy = N_VGetArrayPointer(s);
    struct moved at = moved_along(m, t, N_VGetArrayPointer(y), 0, dy, j);
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

/* --- the jump ----------------------------------------------------------------------- */

enum wrong { RIGHT, NO_DTE, NO_RESET };

struct motion {
    const struct mechanism *m;
    enum wrong wrong;
    void *cvode;
    N_Vector y, *s;             /* the state, and dy/drho_j [p] */
    FILE *events;
    int count;
};

/* The state and what is observed, and their derivatives. */
static void print_line(FILE *stream, const struct motion *motion, double t)
{
    const struct mechanism *m = motion->m;
    const double *y = N_VGetArrayPointer(motion->y);
    for (int j = -1; j < m->p; j++) {
        const double *s = j < 0 ? NULL : N_VGetArrayPointer(motion->s[j]);
        struct moved at = moved_along(m, t, y, 0, s, j);
        number value[MOST];
        m->observe(at.t, at.y, at.rho, value);
        for (int i = 0; i < m->n; i++)
            fprintf(stream, ",%.17g", s ? s[i] : y[i]);
        for (int i = 0; i < m->observed; i++)
            fprintf(stream, ",%.17g", s ? cimag(value[i]) / h : creal(value[i]));
    }
    fputc('\n', stream);
}

static void print_event(const struct motion *motion, double t, const double *tau,
                        const char *side)
{
    fprintf(motion->events, "%d,%s,%.17g", motion->count, motion->m->event, t);
    for (int j = 0; j < motion->m->p; j++)
        fprintf(motion->events, ",%.17g", tau[j]);
    fprintf(motion->events, ",%s", side);
    print_line(motion->events, motion, t);
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
                            : (motion->wrong == NO_RESET ? f[i] : moving[i]) - f_plus[i];
            s[i] = fixed[i] + change * tau[j];
        }
    }
    memcpy(N_VGetArrayPointer(motion->y), plus, (size_t)m->n * sizeof *plus);
    print_event(motion, t, tau, "after");
}

/* --- the motion --------------------------------------------------------------------- */

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
    for (int j = -1; j < m->p; j++) {
        const double zero[MOST] = {0};
        struct moved at = moved_along(m, 0, zero, 0, NULL, j);
        number start[MOST];
        m->start(at.rho, start);
        for (int i = 0; i < m->n; i++)
            if (j < 0)
                NV_Ith_S(motion->y, i) = creal(start[i]);
            else
                NV_Ith_S(motion->s[j], i) = cimag(start[i]) / h;
        if (j >= 0)
            atol_of_s[j] = 1e-2 * rtol;
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
    for (int j = -1; j < m->p; j++)
        for (int i = 0; i < m->n + m->observed; i++) {
            const char *name = i < m->n ? m->state[i] : m->observed_name[i - m->n];
            if (j < 0)
                fprintf(stream, ",%s", name);
            else
                fprintf(stream, ",d%s/d%s", name, m->parameter[j]);
        }
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
    struct motion motion = {.m = m, .wrong = wrong};
    motion.events = open_memstream(&events, &size);
    set_up(&motion, context, rtol);
    printf("t");
    print_columns(stdout, m);
    print_event_columns(motion.events, m);
    for (int k = 0; k < samples; k++) {
        if (k > 0)
            advance(&motion, t[k]);
        printf("%.17g", t[k]);
        print_line(stdout, &motion, t[k]);
    }
    fclose(motion.events);
    printf("# events\n%s", events);
    free(events);
}

/* --- the question ------------------------------------------------------------------- */

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
    if (!found)
        return "";
    found += strlen(quoted);
    return found + strspn(found, " \t\n[\"");
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
    fputs("cvodes: this mechanism is not in mechanisms.h\n", stderr);
    exit(1);
}

int main(int argc, char **argv)
{
    enum wrong wrong = RIGHT;
    double t[MOST_SAMPLES];
    if (argc == 3 && strcmp(argv[1], "--wrong") == 0)
        wrong = strcmp(argv[2], "no-reset") == 0 ? NO_RESET : NO_DTE;
    char *text = read_all(stdin);
    solve(find_mechanism(text), t, read_samples(text, t), 1e-11, wrong);
    free(text);
    return 0;
}
