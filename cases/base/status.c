/*
 * status.c - result codes: their texts, and how a diagnosis is filled in.
 */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    const char *text, *meaning;
} statuses[STATUSES] = {
#define STATUS(NAME, text, meaning) [NAME] = {text, meaning},
#include "status.def"
#undef STATUS
};

const char *status_text(enum status status)
{
    return (unsigned)status < STATUSES ? statuses[status].text : "unknown status";
}

const char *status_meaning(enum status status)
{
    return (unsigned)status < STATUSES ? statuses[status].meaning : "not a status";
}

enum status diagnose(struct diagnosis *diagnosis, enum status status, double t,
                     const char *format, ...)
{
    if (diagnosis) {
        va_list arguments;
        diagnosis->status = status;
        diagnosis->t = t;
        va_start(arguments, format);
        vsnprintf(diagnosis->place, sizeof diagnosis->place, format, arguments);
        va_end(arguments);
    }
    return status;
}
