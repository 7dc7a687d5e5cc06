/*
 * remarks.h - remarks on a row beside its verdicts (struct remark).
 */
#ifndef SALTUS_REMARKS_H
#define SALTUS_REMARKS_H

#include "verdict/verdict_rows.h"

/* Appends a remark; its text is cut to the room there is. */
void remark_add(struct row *row, enum remark_kind kind, int at, double value,
                const char *text);
/* Appends the outcome of each order of events that come together (run.h). */
void remark_together(struct row *row, const struct columns *columns,
                     const struct together *together);

#endif
