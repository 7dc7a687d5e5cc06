/*
 * study.h - observed orders instead of tolerances: a penalty formulation at growing
 * alpha; differences and Taylor remainders at falling steps; integrators at falling
 * tolerances.
 *
 * The array `found` receives the content of the printed table: an object for each case
 * and formulation or integrator, with the measured numbers and whether they held.
 */
#ifndef SALTUS_STUDY_H
#define SALTUS_STUDY_H

#include <cjson/cJSON.h>

#include "jobs/judge.h"
#include "options/args.h"

/*
 * For every case with constraints and every formulation with an option alpha that follows
 * a motion of its own: alpha, 10 alpha and 100 alpha. Constraint errors and the gap to
 * the exact motion, values and sensitivities, must fall with observed order 0.95 .. 1.05;
 * the numerical error (against complex step) must not grow above its bar.
 */
enum exit_status study_alpha(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found);

/*
 * For every case: central differences and Taylor remainders of whole trajectories in
 * MPFR, against the variational equations, with h and h/2. Both must fall with order 2.
 */
enum exit_status study_order(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found);

/*
 * For every case and integrator: errors of values, event times and derivatives must fall
 * with the number of steps, by the order of the method.
 */
enum exit_status study_steps(const struct args *args,
                             const struct judge_settings *settings,
                             const struct case_desc *const *desc, int cases, int threads,
                             cJSON *found);

#endif
