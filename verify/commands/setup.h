/*
 * setup.h - names and values on the command line become cases, formulations and numbers.
 *
 * Every function that can fail has complained on standard error, in one line, when it
 * returns NULL or false.
 */
#ifndef SALTUS_SETUP_H
#define SALTUS_SETUP_H

#include "base/outfile.h"
#include "events/jump.h"
#include "export/language.h"
#include "motion/reference_motion.h"
#include "options/args.h"
#include "run.h"

/* Checks the environment: SALTUS_CODE has one of its values, or none. */
bool setup_environment(const struct args *args);
const struct case_desc *setup_case(const struct args *args, const char *name);
/* The cases that the operands name, in their order, or the whole catalogue: an array of
   *cases, to be freed. NULL: a name is no case. */
const struct case_desc **setup_cases(const struct args *args, int *cases);
/* Can files be written to the folder? Or, if it may be made, is there none yet? */
bool setup_folder(const struct args *args, const char *folder, bool may_be_made);
/* Makes the folder unless it is there. */
bool setup_folder_made(const struct args *args, const char *folder);
/* The file to write for a path: a symbolic link stays, the file that it leads to is
   written. BAD_INPUT: it leads nowhere. No complaint: the diagnosis says it. */
enum status setup_destination(const char *path, struct destination *destination,
                              struct diagnosis *diagnosis);
/* The model of a case, with the reset policy of --reset. */
struct model *setup_model(const struct args *args, const char *name);

/* The formulation of --formulation; NULL and true when it is not given. */
bool setup_formulation(const struct args *args, const struct formulation **formulation);
/* The formulation of --formulation, or the default of the model, which applies to it,
   with its --opt in option[MAX_OPTIONS]. */
bool setup_method(const struct args *args, const struct model *model,
                  const struct formulation **formulation, const char **option);
/* The solver of a run: the formulation and its options as by setup_method, --integrator
   and --rule. option[MAX_OPTIONS] becomes the request's. */
bool setup_solver(const struct args *args, const struct model *model, const char **option,
                  struct run_request *request);
/* How exactly and how far it runs: --rtol, 1e-10 when it is not given, --atol, rtol/1000,
   --max-steps and --max-events; what is not given of these stays 0, the default of
   run.h. */
bool setup_limits(const struct args *args, struct run_request *request);
/* The integrator of --integrator; NULL when it is not given. */
bool setup_integrator(const struct args *args, const struct integrator **integrator);
/* The policy of --reset, impulsive when it is not given. */
bool setup_reset(const struct args *args, enum reset_policy *reset);
/* The rule of --rule; NULL when it is not given. */
bool setup_rule(const struct args *args, const struct jump_rule **rule);
/* The language of --to, which must be given. */
bool setup_language(const struct args *args, const struct language **language);
/* The options: --opt NAME=X over the nominal texts, X=@FILE: a matrix from a file;
   value[MAX_OPTIONS], which args owns. */
bool setup_options(const struct args *args, const struct formulation *formulation,
                   const char **value);
/* The motion that --formulation with its --opt follows, the exact one without it; the
   texts in option[MAX_OPTIONS] must outlive *own. */
bool setup_motion(const struct args *args, const struct model *model, const char **option,
                  struct reference_motion *own);
/* The parameter of this name, or -1 after a complaint of the option "--set". */
int setup_parameter(const struct args *args, const struct model *model, const char *name,
                    const char *option);
/* Has NAME=X this name? */
bool setup_is_named(const char *text, const char *name);
/* Splits NAME=X: name[size], and where X begins in `text`. `form` says what X should be:
   "VALUE", "LO:HI". */
bool setup_split(const struct args *args, const char *option, const char *form,
                 const char *text, char *name, int size, const char **value);
/* Nominal values, and those of --set RHO=X, X a number or a formula of numbers;
   value[model->p]. */
bool setup_values(const struct args *args, const struct model *model, double *value);
/* The parameters of --sens; parameter[model->p]. */
bool setup_parameters(const struct args *args, const struct model *model, int *count,
                      int *parameter);

#endif
