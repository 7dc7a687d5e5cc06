/*
 * orbit_branch.h - `saltus orbit CASE --continue RHO`: branches of periodic motions.
 */
#ifndef SALTUS_COMMAND_ORBIT_BRANCH_H
#define SALTUS_COMMAND_ORBIT_BRANCH_H

#include "options/args.h"
#include "orbits/orbit.h"

/* Are the options of --continue given with it, and only then? False after one line of
   complaint. To be asked before anything is computed. */
bool branch_possible(const struct args *args);
/* Follows the branch, and prints it. value [model->p] are the parameters of the request,
   which --from changes; component: of the state, to be printed, -1: the first. */
enum exit_status branch_answer(const struct args *args,
                               const struct orbit_request *request, double *value,
                               int component);

#endif
