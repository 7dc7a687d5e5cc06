/*
 * case.h - the words that a case file is written with (an embedded language).
 *
 * A case file is read twice: here every EQ(...) is recorded as text and becomes a
 * formula; verify/oracles/native/case.h defines the same words as plain complex
 * __float128 C, so that a trajectory can be checked without reader, tape or
 * differentiation. In both, the C compiler resolves every name: a misspelt name is a
 * compile error at its column.
 */
#ifndef SALTUS_CASE_H
#define SALTUS_CASE_H

#include <math.h>

#include "for_each.h"
#include "model.h"

/* pi for the compiler; the reader knows it to every digit. */
static const double pi __attribute__((unused)) = M_PI;

/* CASE(five_bar, .name = "five-bar", ..., .record = record); defines case_five_bar. */
#define CASE(id, ...) \
    extern const struct case_desc case_##id; \
    const struct case_desc case_##id = {__VA_ARGS__}

/* A formula of the declared names. sizeof is compiled, but evaluates nothing. */
#define EQ(...) \
    ((void)sizeof(__VA_ARGS__), model_read(model, #__VA_ARGS__, __FILE__, __LINE__))

/* Notes the line of the case file, before a word that may be refused. */
#define HERE_ model_at(model, __FILE__, __LINE__)

/* Declares coordinates, by doubles that nobody reads, so that the compiler knows the
   names. COORDINATES(x) declares x, its velocity vx, its acceleration ax, and x_plus,
   vx_plus after an event. */
#define COORDINATES(...) FOR_EACH(DECLARE_COORDINATE_, __VA_ARGS__) \
    (HERE_, model_coordinates(model, #__VA_ARGS__))
/* Declares parameters. */
#define PARAMETERS(...) FOR_EACH(DECLARE_, __VA_ARGS__) \
    (HERE_, model_parameters(model, #__VA_ARGS__))
/* Declares auxiliary states: AUXILIARY(s) declares s and s_plus. */
#define AUXILIARY(...) FOR_EACH(DECLARE_STATE_, __VA_ARGS__) \
    (HERE_, model_auxiliary(model, #__VA_ARGS__))
/* Declares costs. */
#define COSTS(...) (HERE_, model_costs(model, #__VA_ARGS__))
/* Declares names of multipliers, in the order of the constraints. */
#define MULTIPLIERS(...) FOR_EACH(DECLARE_, __VA_ARGS__) \
    (HERE_, model_multipliers(model, #__VA_ARGS__))
/* Declares names of impulses, in the order of the rows of an event. */
#define IMPULSES(...) FOR_EACH(DECLARE_, __VA_ARGS__) \
    (HERE_, model_impulses(model, #__VA_ARGS__))
/* Declares the name of time. */
#define TIME(t) DECLARE_(t) (HERE_, model_time(model, #t))
/* Declares an abbreviation: LET(dx, x2 - x1); */
#define LET(name, ...) DECLARE_(name) ((void)sizeof(__VA_ARGS__), \
    model_define(model, #name, #__VA_ARGS__, __FILE__, __LINE__))
/* States the nominal value of a parameter, a constant formula: NOMINAL(L01, sqrt(5),
   "m", "natural length of spring 1"); */
#define NOMINAL(name, value, unit, meaning) ((void)sizeof(value), (void)name, \
    model_nominal(model, #name, #value, unit, meaning, false, __FILE__, __LINE__))
/* States the nominal value of a parameter that is not differentiated unless asked for
   by name. */
#define FIXED(name, value, unit, meaning) ((void)sizeof(value), (void)name, \
    model_nominal(model, #name, #value, unit, meaning, true, __FILE__, __LINE__))

#define model_mode(model, name) (HERE_, model_mode(model, name))
#define model_event(model, ...) (HERE_, model_event(model, __VA_ARGS__))
#define event_constrain_velocity(event) (HERE_, event_constrain_velocity(event))
#define event_impulse_joints(event) (HERE_, event_impulse_joints(event))

/* States a printed number, as text with every printed digit; `quantity` as in struct
   published. */
#define PUBLISHED(quantity, value, source) \
    model_published(model, quantity, value, source, NULL)
/* States a printed number that does not hold; `why` is the known reason. */
#define DISPUTED(quantity, value, source, why) \
    model_published(model, quantity, value, source, why)
/* Draws a line in the plane. */
#define DRAW_LINE(x1, y1, x2, y2) \
    model_draw(model, (formula[3]){EQ(x1), EQ(y1)}, (formula[3]){EQ(x2), EQ(y2)})
/* Draws a mark. */
#define DRAW_POINT(x, y) DRAW_LINE(x, y, x, y)
/* States another case with equal motion, and names of its coordinates:
   TWIN("pendulum-stop", th); */
#define TWIN(case_name, ...) FOR_EACH(DECLARE_, __VA_ARGS__) \
    (HERE_, model_twin(model, case_name, #__VA_ARGS__))
/* States a quantity of both: EQUAL("x of the bob", x, l*sin(th)); quantities "x of .."
   and "y of .." with one ending are components of a vector and share a scale. */
#define EQUAL(name, own, twin) model_equal(model, name, EQ(own), EQ(twin))

#define DECLARE_(x) double x = 0; (void)x;
#define DECLARE_STATE_(x) DECLARE_(x) DECLARE_(x##_plus)
#define DECLARE_COORDINATE_(x) DECLARE_STATE_(x) DECLARE_STATE_(v##x) DECLARE_(a##x)

#endif
