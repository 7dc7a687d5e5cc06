/*
 * hessian_text.h - a certified second derivative as decimal text.
 */
#ifndef SALTUS_HESSIAN_TEXT_H
#define SALTUS_HESSIAN_TEXT_H

#include "gradients/cost_hessian.h"

enum { HESSIAN_TEXT_ROOM = 1100 };

/* Writes the number with the digits that were asked for, or with those that agree and its
   size leaves, if they are fewer; "0": none is left. */
void hessian_text(const struct hessian_request *request, const struct mp_hessian *hessian,
                  int j, int k, char text[HESSIAN_TEXT_ROOM]);

#endif
