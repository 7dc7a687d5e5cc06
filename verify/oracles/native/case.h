/*
 * native/case.h - the words of cases/model/case.h as plain complex __float128 C.
 *
 * A case file compiled with this header is an oracle without reader, tape or
 * differentiation: EQ(x) is just x. record() is called once per evaluation, and writes
 * the values of M, F, Phi, guards and resets at the point where the model stands.
 *
 * The structures have the names that case files use, and only what they touch; the rest
 * of the project never sees this header (native_model.h is the door).
 *
 * A decimal literal in EQ is a double here, exact only when it is dyadic (0.5, 4.25).
 * Numbers that are not should be parameters, which are passed in; the nominal values
 * below them are not evaluated.
 */
#ifndef SALTUS_CASE_H
#define SALTUS_CASE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "for_each.h"
#include "native_model.h"

/* A value that was never set is not a number; see native_is_set. */
typedef quad_complex formula;

struct model;

/* The fields of struct case_desc. */
struct native_case {
    const char *name, *title, *source, *declared, *classes;
    void (*record)(struct model *model);
};

enum { WRITTEN_ROWS = NATIVE_ROWS };
enum direction { FALLING = -1, EITHER = 0, RISING = +1 };
enum velocity_reset { VELOCITY_EXPLICIT, VELOCITY_CONSTRAINED, VELOCITY_IMPULSIVE };

struct mode {
    int index, m;
    formula **M, *F, *Phi, *f_s, *g, power;
    bool velocity_level[NATIVE_ROWS];
};

struct event {
    const char *name;
    struct mode *from, *to;
    enum direction direction;
    bool terminal;
    int conditions;
    formula condition[NATIVE_ROWS];
    formula guard, *q_plus, *v_plus, *s_plus, *cost;
    enum velocity_reset velocity;
    int impulses;
    formula Psi[NATIVE_ROWS], E[NATIVE_ROWS];
    bool Psi_velocity_level[NATIVE_ROWS];
    bool joints;
};

struct model {
    const struct native_case *desc;
    int n, ns, p, nz;
    int modes, events;
    struct mode **mode;
    struct event **event;
    struct mode *start, *pen;
    formula t0, t_end, *q0, *q_guess, *v0, *v_guess, *s0, *s_guess, *w, energy;
    enum { AT_ENDS_REFUSED, AT_ENDS_SKIPPED, AT_ENDS_HAPPEN } at_ends;
    int start_rows;
    formula Gamma[NATIVE_ROWS];
    formula **M, *F, *Phi, *f_s, *g;

    const quad_complex *value[NATIVE_BLOCKS];   /* values of each block at the point;
                                                   NULL: zeros */
    int next[NATIVE_BLOCKS];                    /* number of variables declared so far */
    bool named;                                 /* the first mode has its name */
};

/* The functions behind the words stand in native_words.c. */
void native_declare(struct model *model, enum native_block block, const char *names);
formula native_next(struct model *model, enum native_block block);
struct mode *native_mode(struct model *model, const char *name);
int native_constraint(struct model *model, formula Phi);
struct event *native_event(struct model *model, const char *name, struct mode *from,
                           struct mode *to, formula guard, enum direction direction);
void native_impulse(struct event *event, formula Psi, formula E);
void native_impulse_joints(struct event *event);
void native_constrain_velocity(struct event *event);
void native_require(struct event *event, formula condition);
void native_start_row(struct model *model, formula Gamma);
bool native_is_set(formula value);

/* The names of the recorded words are taken by libcases. */
#define model_mode native_mode
#define model_constraint native_constraint
#define model_event native_event
#define event_impulse native_impulse
#define event_impulse_joints native_impulse_joints
#define event_constrain_velocity native_constrain_velocity
#define event_require native_require
#define model_start_row native_start_row
#define model_stop(model, t) ((void)(model), (void)(t))     /* no part of the motion */

/* --- words -------------------------------------------------------------------------- */

#define CASE(id, ...) \
    extern const struct native_case native_##id; \
    const struct native_case native_##id = {__VA_ARGS__}

#define EQ(...) ((quad_complex)(__VA_ARGS__))

/* All names are declared before the first variable is: then arrays can be sized. */
#define COORDINATES(...) native_declare(model, NATIVE_Q, #__VA_ARGS__); \
    FOR_EACH(NATIVE_COORDINATE_, __VA_ARGS__) NATIVE_END_
#define PARAMETERS(...) native_declare(model, NATIVE_RHO, #__VA_ARGS__); \
    FOR_EACH(NATIVE_PARAMETER_, __VA_ARGS__) NATIVE_END_
#define AUXILIARY(...) native_declare(model, NATIVE_S, #__VA_ARGS__); \
    FOR_EACH(NATIVE_AUXILIARY_, __VA_ARGS__) NATIVE_END_
#define COSTS(...) native_declare(model, NATIVE_BLOCKS, #__VA_ARGS__)
#define MULTIPLIERS(...) native_declare(model, NATIVE_LAMBDA, #__VA_ARGS__); \
    FOR_EACH(NATIVE_MULTIPLIER_, __VA_ARGS__) NATIVE_END_
#define IMPULSES(...) native_declare(model, NATIVE_IMPULSE, #__VA_ARGS__); \
    FOR_EACH(NATIVE_IMPULSE_, __VA_ARGS__) NATIVE_END_
#define TIME(t) native_declare(model, NATIVE_T, #t); \
    NATIVE_VARIABLE_(t, NATIVE_T) NATIVE_END_
#define LET(name, ...) quad_complex name = EQ(__VA_ARGS__); (void)name
#define NOMINAL(name, value, unit, meaning) ((void)sizeof(value), (void)name)
#define FIXED(name, value, unit, meaning) NOMINAL(name, value, unit, meaning)

/* Words about a mechanism beyond its equations do nothing here. */
#define PUBLISHED(quantity, value, source) (void)0
#define DISPUTED(quantity, value, source, why) (void)0
#define DRAW_LINE(x1, y1, x2, y2) (void)0
#define DRAW_POINT(x, y) (void)0
#define TWIN(case_name, ...) (void)0
#define EQUAL(name, own, twin) (void)0
#define event_balance(event, name, left, right) \
    ((void)(event), (void)sizeof(left), (void)sizeof(right))

#define NATIVE_END_ (void)0
#define NATIVE_VARIABLE_(x, block) quad_complex x = native_next(model, block); (void)x;
#define NATIVE_PARAMETER_(x) NATIVE_VARIABLE_(x, NATIVE_RHO)
#define NATIVE_MULTIPLIER_(x) NATIVE_VARIABLE_(x, NATIVE_LAMBDA)
#define NATIVE_IMPULSE_(x) NATIVE_VARIABLE_(x, NATIVE_IMPULSE)
#define NATIVE_AUXILIARY_(x) NATIVE_VARIABLE_(x, NATIVE_S) \
    NATIVE_VARIABLE_(x##_plus, NATIVE_S_PLUS)
#define NATIVE_COORDINATE_(x) \
    NATIVE_VARIABLE_(x, NATIVE_Q) NATIVE_VARIABLE_(x##_plus, NATIVE_Q_PLUS) \
    NATIVE_VARIABLE_(v##x, NATIVE_V) NATIVE_VARIABLE_(v##x##_plus, NATIVE_V_PLUS) \
    NATIVE_VARIABLE_(a##x, NATIVE_A)

/* --- functions in EQ ---------------------------------------------------------------- */

#define pi QUAD_PI
#define pow(a, b) quad_pow(a, b)
#define atan2(a, b) quad_atan2(a, b)
#define sqrt(a) csqrtf128(a)
#define exp(a) cexpf128(a)
#define log(a) clogf128(a)
#define sin(a) csinf128(a)
#define cos(a) ccosf128(a)
#define tan(a) ctanf128(a)
#define asin(a) casinf128(a)
#define acos(a) cacosf128(a)
#define atan(a) catanf128(a)
#define sinh(a) csinhf128(a)
#define cosh(a) ccoshf128(a)
#define tanh(a) ctanhf128(a)

#endif
