/*
 * gate.c - the refusal of numbers that are not finite (gate.h).
 */
#include "gate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char *in_words(double value)
{
    return isnan(value) ? "not a number" : "infinite";
}

enum status gate_refuse(const struct gate *gate, struct diagnosis *diagnosis,
                        const char *format, ...)
{
    char what[200];
    bool known = gate->reason && *gate->reason;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (gate->parameter)
        return diagnose(diagnosis, NOT_FINITE, gate->t,
                        "the derivative of %s by %s is %s, though there is a value; "
                        "change the formula, or leave the derivatives out",
                        what, gate->parameter, in_words(gate->value));
    return diagnose(diagnosis, NOT_FINITE, gate->t,
                    "%s is %s: %.200s; change the formula, the parameters or the units",
                    what, in_words(gate->value),
                    known ? gate->reason
                          : "a formula in it overflows, or has no value here");
}

void gate_component(const struct model *model, int i, char *name, int size)
{
    int n = model->n, ns = model->ns;
    if (i < 2 * n)
        snprintf(name, (size_t)size, "%c.%s", i < n ? 'q' : 'v',
                 model->coordinate[i % n]);
    else if (i < 2 * n + ns)
        snprintf(name, (size_t)size, "s.%s", model->auxiliary[i - 2 * n]);
    else
        snprintf(name, (size_t)size, "z.%s", model->cost[i - 2 * n - ns]);
}
