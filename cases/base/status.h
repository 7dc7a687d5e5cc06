/*
 * status.h - result codes: a numerical failure is a result, with its kind, time and
 * place.
 *
 * A programming error is an abort (memory.h). Both never mix.
 */
#ifndef SALTUS_STATUS_H
#define SALTUS_STATUS_H

/* All statuses, from status.def; OK is 0. */
enum status {
#define STATUS(NAME, text, meaning) NAME,
#include "status.def"
#undef STATUS
    STATUSES
};

/* A refusal: its status, time (NAN when there is none) and place in words. */
struct diagnosis {
    enum status status;
    double t;
    char place[480];
};

/* The text of a status, like "grazing". */
const char *status_text(enum status status);
/* The meaning of a status in a sentence. */
const char *status_meaning(enum status status);

/* Fills `diagnosis` (unless NULL) printf-like and returns `status`, so that a function
   can write `return diagnose(...)`. */
enum status diagnose(struct diagnosis *diagnosis, enum status status, double t,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
