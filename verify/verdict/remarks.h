/*
 * remarks.h - what is said of a row beside its verdicts (struct remark).
 */
#ifndef SALTUS_REMARKS_H
#define SALTUS_REMARKS_H

#include "verdict/verdict_rows.h"

/* Appends; the text is cut to the room of a remark. */
void remark_add(struct row *row, enum remark_kind kind, int at, double value,
                const char *text);
/* What each order of events that come together leads to (run.h). */
void remark_together(struct row *row, const struct columns *columns,
                     const struct together *together);

#endif
