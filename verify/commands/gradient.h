/*
 * gradient.h - the parts of `saltus gradient`: gradients (gradient.c) and, with
 * --hessian, second derivatives (hessian.c).
 */
#ifndef SALTUS_COMMAND_GRADIENT_H
#define SALTUS_COMMAND_GRADIENT_H

#include "adjoint/adjoint.h"
#include "options/args.h"

/* Complains of the refusal of the first method, which decides: that of a method which
   does not apply is an answer about the problem, unless any run would be refused. */
enum exit_status gradient_refusal(const struct args *args,
                                  const struct adjoint_request *request,
                                  const struct diagnosis *diagnosis);

/* Can second derivatives be asked for like this? False after one line of complaint; true
   without --hessian if no option belongs to it. To be asked before anything is
   computed. */
bool hessian_possible(const struct args *args);
/* Computes second derivatives by the methods asked for, and prints them. */
enum exit_status hessian_answer(const struct args *args,
                                const struct adjoint_request *request);

#endif
