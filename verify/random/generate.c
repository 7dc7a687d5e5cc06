/*
 * generate.c - random numbers, and the parts of formulas (generate.h).
 */
#include "random/generate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/splitmix.h"
#include "random/maker.h"

const struct kind_info kind_info[KINDS] = {
#define KIND(ID, name_, what_) {name_, what_},
#include "random/kinds.def"
#undef KIND
};

int kind_find(const char *name)
{
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kind_info[k].name, name) == 0)
            return k;
    return -1;
}

/* --- random numbers ----------------------------------------------------------------- */

double maker_between(struct maker *maker, double low, double high)
{
    return low + (high - low) * splitmix64_unit(splitmix64_next(&maker->state));
}

int maker_below(struct maker *maker, int count)
{
    return (int)(splitmix64_next(&maker->state) % (unsigned)count);
}

bool maker_toss(struct maker *maker, double p)
{
    return maker_between(maker, 0, 1) < p;
}

bool maker_chance(struct maker *maker, enum kind kind, double p)
{
    bool toss = maker_toss(maker, p);
    return toss && (maker->kinds >> kind & 1);
}

/* --- pieces of formulas ------------------------------------------------------------- */

struct text maker_text(const char *format, ...)
{
    struct text text;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text.is, sizeof text.is, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text.is)
        slip("a piece of a formula is longer than %d", (int)sizeof text.is);
    return text;
}

/* Prints a number with a point: an operation between two integer literals is no
   formula. */
static void print_number(char *text, int size, double value)
{
    double magnitude = fabs(value);
    bool plain = magnitude == 0 || (magnitude > 1e-2 && magnitude < 1e4);
    snprintf(text, (size_t)size, plain ? "%.5f" : "%.5e", value);
    if (plain)
        for (char *end = text + strlen(text) - 1; *end == '0' && end[-1] != '.'; end--)
            *end = '\0';
}

/* Most parameters of the equations, and of equations and events: complex step has time
   for no more. */
enum { OF_EQUATIONS = 6, OF_EVENTS = 9 };

static struct text new_parameter(struct maker *maker, double value)
{
    struct draw *draw = maker->draw;
    struct drawn_parameter *parameter = &draw->parameter[draw->p];
    draw_name(parameter->name, 'p', draw->p++);
    print_number(parameter->value, sizeof parameter->value, value);
    return maker_text("%s", parameter->name);
}

/* A number of three digits, as people write them. */
static double rounded(double value)
{
    if (value == 0)
        return 0;
    double unit = pow(10, floor(log10(fabs(value))) - 2);
    return round(value / unit) * unit;
}

struct text maker_value(struct maker *maker, double value)
{
    int most = maker->draw->events > 0 ? OF_EVENTS : OF_EQUATIONS;
    if (maker->draw->p < most && maker_toss(maker, 0.7))
        return new_parameter(maker, value);
    char number[24];
    print_number(number, sizeof number, fabs(value));
    return maker_text(value < 0 ? "(-%s)" : "%s", number);
}

struct text maker_number(struct maker *maker, double low, double high)
{
    struct draw *draw = maker->draw;
    bool again = maker_toss(maker, 0.35);
    double value = rounded(maker_between(maker, low, high));
    int first = maker_below(maker, draw->p + 1);
    for (int k = 0; again && k < draw->p; k++) {
        const struct drawn_parameter *there = &draw->parameter[(first + k) % draw->p];
        double is = atof(there->value);
        if (!there->fixed && is >= low && is <= high)
            return maker_text("%s", there->name);
    }
    return maker_value(maker, value);
}

static struct text of_coordinate(const struct maker *maker, int i, const char *kind)
{
    const char *name = maker->draw->coordinate[i];
    return maker->unit[i] ? maker_text("(%s%s/u%s)", kind, name, name + 1)
                          : maker_text("%s%s", kind, name);
}

struct text maker_q(const struct maker *maker, int i)
{
    return of_coordinate(maker, i, "");
}

struct text maker_v(const struct maker *maker, int i)
{
    return of_coordinate(maker, i, "v");
}

struct text maker_a(const struct maker *maker, int i)
{
    return of_coordinate(maker, i, "a");
}

static struct text unit(const struct maker *maker, int i, const char *sign)
{
    return maker->unit[i] ? maker_text("%su%s", sign, maker->draw->coordinate[i] + 1)
                          : (struct text){""};
}

struct text maker_times(const struct maker *maker, int i)
{
    return unit(maker, i, "*");
}

struct text maker_per(const struct maker *maker, int i)
{
    return unit(maker, i, "/");
}

bool maker_is_dependent(const struct maker *maker, int mode, int i)
{
    for (int row = 0; row < maker->rows[mode]; row++)
        if (maker->pivot[mode][row] == i)
            return true;
    return false;
}

int maker_independent(struct maker *maker, int mode)
{
    int n = maker->draw->n, i = maker_below(maker, n);
    for (int k = 0; k < n && maker_is_dependent(maker, mode, i); k++)
        i = (i + 1) % n;
    return i;
}

/* --- all of it ---------------------------------------------------------------------- */

void generate(struct draw *draw, uint64_t seed, unsigned kinds)
{
    struct maker maker = {.draw = draw, .kinds = kinds, .state = splitmix64(seed)};
    memset(draw, 0, sizeof *draw);
    draw->seed = seed;
    snprintf(draw->name, sizeof draw->name, "random-%llu", (unsigned long long)seed);
    draw_settle(draw);
    maker_equations(&maker);
    maker_events(&maker, 1 + maker_below(&maker, DRAW_EVENTS - 1));
    maker_start_rows(&maker);
}
