/*
 * status.h - a numerical failure is a result: what happened, when, where.
 *
 * A programming error is an abort. They never mix.
 */
#ifndef SALTUS_STATUS_H
#define SALTUS_STATUS_H

#include "base/api.h"

SALTUS_API_BEGIN

enum status {
#define STATUS(NAME, text, meaning) NAME,
#include "status.def"
#undef STATUS
    STATUSES
};

/* A refusal: named status, time (NAN when there is none), place in words. */
struct diagnosis {
    enum status status;
    double t;
    char place[480];
};

const char *status_text(enum status status);      /* "grazing" */
const char *status_meaning(enum status status);

/* Fills `diagnosis` (unless NULL) printf-like and returns `status`, so that a function
   can write `return diagnose(...)`. */
enum status diagnose(struct diagnosis *diagnosis, enum status status, double t,
                     const char *format, ...) SALTUS_WORD(diagnose)
    __attribute__((format(printf, 4, 5)));

SALTUS_API_END

#endif
