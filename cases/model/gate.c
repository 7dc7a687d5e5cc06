/*
 * gate.c - the refusal of numbers that are not finite (gate.h).
 */
#include "gate.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Is this canonical text (decimal.h) of a number that is not zero, smaller than the least
   normal double? */
static bool underflows(const char *text)
{
    size_t digits = strcspn(text, "e");
    return strcspn(text, "123456789") < digits && fabs(strtod(text, NULL)) < DBL_MIN;
}

enum status gate_constants(const struct model *model, struct diagnosis *diagnosis)
{
    const struct tape *tape = model->tape;
    for (int row = 0; row < tape_rows(tape); row++) {
        struct tape_row constant = tape_row(tape, row);
        if (constant.op != OP_CONSTANT)
            continue;
        const char *text = tape_constant(tape, constant.a);
        if (underflows(text))
            return diagnose(
                diagnosis, NOT_APPLICABLE, NAN,
                "the number %.60s of the model is zero in double, whose least "
                "is 2e-308; choose other units, or certify the model: MPFR "
                "has the number",
                text);
    }
    return OK;
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
