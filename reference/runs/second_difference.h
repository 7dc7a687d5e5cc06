/*
 * second_difference.h - second derivatives of a cost by central differences, in two ways.
 *
 * Both ways share the runs at rho +- h s_j e_j, s_j the largest power of two that is not
 * above |rho_j|, 1 where that is zero:
 *
 *   of gradients   [psi_k(rho + h s_j e_j) - psi_k(rho - h s_j e_j)] / (2 h s_j), with
 *                  psi_k by the variational equations and saltation: row j, column k
 *   of values      [psi(rho + h s_j e_j) - 2 psi(rho) + psi(rho - h s_j e_j)]/(h s_j)^2
 *                  and, with one more pair of runs for each pair of parameters, psi_jk:
 *                  no derivative row and no jump formula is in them
 *
 * Either has an expansion in even powers of h.
 */
#ifndef SALTUS_SECOND_DIFFERENCE_H
#define SALTUS_SECOND_DIFFERENCE_H

#include "events/mp_run.h"

struct second_difference {
    int p;                      /* parameters that are differentiated by */
    mpfr_ptr of_gradients;      /* [p][p] row j by moving parameter j */
    mpfr_ptr of_values;         /* [p][p] symmetric */
};

/*
 * Makes the runs, `threads` at a time, with h the largest power of two that is not above
 * 10^(-digits/6) (`halved`: half of that), for which the errors of h^4 that an
 * extrapolation leaves and the rounding of second differences are about the same.
 * `cost`: the index of a cost of the model. The caller clears *out, on a refusal, too.
 *
 * The first run that is refused, with the parameters that were moved; or, as of
 * difference_runs(), a run whose events are not those of the nominal run in their order,
 * events of one time, too.
 */
enum status second_difference_make(const struct reference_request *request, int cost,
                                   bool halved, int threads,
                                   struct second_difference *out,
                                   struct diagnosis *diagnosis);
void second_difference_clear(struct second_difference *difference);

#endif
