/*
 * together.h - events that fall together: what each of their orders leads to, and whether
 * that is the same.
 */
#ifndef SALTUS_TOGETHER_H
#define SALTUS_TOGETHER_H

#include "run.h"

void together_clear(struct together *together);
/* One more order: the events of `out` from `first` on; or why it was refused. */
void together_add(struct together *together, const struct trajectory *out, int first,
                  const struct diagnosis *refusal);
/* Do all orders lead to the same point and the same times, to a relative tolerance?
   Values are measured by the largest of their group, derivatives by that of theirs and at
   least by that of the values over max(1, |rho|); value [model->p]. Without `derivatives`
   only the values must agree. SIMULTANEOUS: the quantity that differs most. */
enum status together_compare(struct together *together, const struct columns *columns,
                             const double *value, bool derivatives, double tolerance,
                             struct diagnosis *diagnosis);

#endif
