/*
 * setup.c - options and operands looked up, with complaints (setup.h)
 */
#include "commands/setup.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "commands/matrix_file.h"
#include "faults/rules.h"
#include "file/model_file.h"
#include "formula/read.h"
#include "forms/constants.h"
#include "gradients/cost_gradient.h"
#include "integrators/methods.h"
#include "jobs/judge.h"
#include "mechanisms/catalogue.h"
#include "motion/reference_motion.h"
#include "optimise/minimiser.h"

enum { MANY = 256, OFFER = 400 };

/* --- the environment ---------------------------------------------------------------- */

bool setup_environment(const struct args *args)
{
    const char *text = getenv("SALTUS_CODE");
    char offer[OFFER];
    for (int k = 0; text && *text && run_code_names[k]; k++)
        if (strcmp(text, run_code_names[k]) == 0)
            return true;
    if (!text || !*text)
        return true;
    offer_names(text, run_code_names, -1, offer, sizeof offer);
    complain(args, "the environment variable SALTUS_CODE: there is no %s; %s", text,
             offer);
    return false;
}

/* --- names -------------------------------------------------------------------------- */

static const struct case_desc *open_case(const struct args *args, const char *path)
{
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = case_open(path, &diagnosis);
    if (!desc && !complain_source(args, &diagnosis))
        complain(args, "%s", diagnosis.place);
    return desc;
}

const struct case_desc *setup_case(const struct args *args, const char *name)
{
    if (case_is_path(name))
        return open_case(args, name);
    const struct case_desc *desc = case_find(name);
    if (desc)
        return desc;
    const char *known[MANY];
    char offer[OFFER];
    int count = 0, size;
    const struct case_desc *like = case_family(name, &size);
    if (like) {
        complain(args, "no case %s; the sizes of %s-N are 1 to %d", name, like->family,
                 CASE_LARGEST);
        return NULL;
    }
    for (; catalogue[count] && count < MANY; count++)
        known[count] = catalogue[count]->name;
    offer_names(name, known, count, offer, sizeof offer);
    complain(args, "no case %s; %s", name, offer);
    return NULL;
}

const struct case_desc **setup_cases(const struct args *args, int *cases)
{
    *cases = args->operands;
    while (args->operands == 0 && catalogue[*cases])
        ++*cases;
    const struct case_desc **desc = memory_new(*cases, sizeof *desc);
    for (int k = 0; k < *cases; k++) {
        desc[k] = args->operands ? setup_case(args, args->operand[k]) : catalogue[k];
        if (!desc[k]) {
            free(desc);
            return NULL;
        }
    }
    return desc;
}

/* Complains; always false. */
static bool complain_folder(const struct args *args, const char *folder, const char *why)
{
    complain(args, "%s: nothing can be written there: %s; give another --directory",
             folder, why);
    return false;
}

bool setup_folder(const struct args *args, const char *folder, bool may_be_made)
{
    struct stat to;
    bool there = stat(folder, &to) == 0;
    if (!there && errno == ENOENT && may_be_made)
        return true;
    if (there && !S_ISDIR(to.st_mode))
        return complain_folder(args, folder, strerror(ENOTDIR));
    return (there && access(folder, W_OK | X_OK) == 0) ||
           complain_folder(args, folder, strerror(errno));
}

bool setup_folder_made(const struct args *args, const char *folder)
{
    return folder_make(folder) || complain_folder(args, folder, strerror(errno));
}

enum status setup_destination(const char *path, struct destination *destination,
                              struct diagnosis *diagnosis)
{
    return destination_find(destination, path)
         ? OK : diagnose(diagnosis, BAD_INPUT, NAN, "cannot write %s: %s", path,
                         strerror(errno));
}

struct model *setup_model(const struct args *args, const char *name)
{
    struct diagnosis diagnosis = {.t = NAN};
    enum reset_policy reset;
    const struct case_desc *desc = setup_reset(args, &reset) ? setup_case(args, name)
                                                             : NULL;
    struct model *model = desc ? model_new_with(desc, reset, &diagnosis) : NULL;
    if (desc && !model)
        complain_refusal(args, name, &diagnosis);
    return model;
}

int setup_names(enum option_id id, const char **name, int room)
{
    int count = 0;
    if (id == OPTION_FORMULATION)
        for (; formulations[count] && count < room; count++)
            name[count] = formulations[count]->name;
    if (id == OPTION_INTEGRATOR)
        for (; integrators[count] && count < room; count++)
            name[count] = integrators[count]->name;
    if (id == OPTION_ORACLE)
        for (; count < ORACLE_COUNT && count < room; count++)
            name[count] = oracles[count].name;
    if (id == OPTION_METHOD)
        for (; cost_gradient_methods[count].name && count < room; count++)
            name[count] = cost_gradient_methods[count].name;
    if (id == OPTION_ALGORITHM)
        for (const struct algorithm *a = algorithms; a->name && count < room; a++)
            if (algorithm_available(a))
                name[count++] = a->name;
    if (id == OPTION_LANGUAGE)
        for (; languages[count] && count < room; count++)
            name[count] = languages[count]->name;
    return id == OPTION_RULE ? rule_patterns(name, room) : count;
}

/* Complains of a name, and offers those that there are; always false. */
static bool unknown_name(const struct args *args, enum option_id id, const char *what)
{
    const char *known[MANY], *name = args_text(args, id, "");
    char offer[OFFER];
    int count = id == OPTION_RULE ? any_rule_names(known, MANY)
                                  : setup_names(id, known, MANY);
    offer_names(name, known, count, offer, sizeof offer);
    complain(args, "no %s %s; %s", what, name, offer);
    return false;
}

bool setup_formulation(const struct args *args, const struct formulation **formulation)
{
    const char *name = args_text(args, OPTION_FORMULATION, NULL);
    *formulation = name ? formulation_find(name) : NULL;
    return !name || *formulation ||
           unknown_name(args, OPTION_FORMULATION, "formulation");
}

bool setup_integrator(const struct args *args, const struct integrator **integrator)
{
    const char *name = args_text(args, OPTION_INTEGRATOR, NULL);
    char offer[OFFER];
    *integrator = name ? integrator_find(name) : NULL;
    if (!name || *integrator)
        return true;
    integrator_offer(name, offer, sizeof offer);
    complain(args, "no integrator %s; %s", name, offer);
    return false;
}

bool setup_reset(const struct args *args, enum reset_policy *reset)
{
    const char *const *name = reset_policy_text;
    const char *text = args_text(args, OPTION_RESET, name[RESET_IMPULSIVE]);
    char offer[OFFER];
    for (int k = 0; name[k]; k++)
        if (strcmp(name[k], text) == 0) {
            *reset = (enum reset_policy)k;
            return true;
        }
    offer_names(text, name, -1, offer, sizeof offer);
    complain(args, "--reset: no policy %s; %s", text, offer);
    return false;
}

bool setup_rule(const struct args *args, const struct jump_rule **rule)
{
    const char *name = args_text(args, OPTION_RULE, NULL);
    *rule = name ? any_rule_find(name) : NULL;
    return !name || *rule || unknown_name(args, OPTION_RULE, "jump rule");
}

bool setup_language(const struct args *args, const struct language **language)
{
    *language = language_find(args_text(args, OPTION_LANGUAGE, ""));
    if (*language || args_has(args, OPTION_LANGUAGE))
        return *language || unknown_name(args, OPTION_LANGUAGE, "language");
    const char *known[MANY];
    char offer[OFFER];
    offer_names("", known, setup_names(OPTION_LANGUAGE, known, MANY), offer,
                sizeof offer);
    complain(args, "--to is missing, the language; %s", offer);
    return false;
}

int setup_parameter(const struct args *args, const struct model *model, const char *name,
                    const char *option)
{
    int index = model_parameter_index(model, name);
    if (index >= 0)
        return index;
    const char *known[MANY];
    char offer[OFFER];
    int count = 0;
    for (; count < model->p && count < MANY; count++)
        known[count] = model->parameter[count].name;
    offer_names(name, known, count, offer, sizeof offer);
    complain(args, "%s: %s has no parameter %s; %s", option, model->desc->name, name,
             offer);
    return -1;
}

/* --- values ------------------------------------------------------------------------- */

bool setup_is_named(const char *text, const char *name)
{
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == '=';
}

bool setup_split(const struct args *args, const char *option, const char *form,
                 const char *text, char *name, int size, const char **value)
{
    const char *equals = strchr(text, '=');
    if (equals && equals > text && equals[1]) {
        snprintf(name, (size_t)size, "%.*s", (int)(equals - text), text);
        *value = equals + 1;
        return true;
    }
    complain(args, "%s: '%s' is not of the form NAME=%s", option, text, form);
    return false;
}

/* The matrix in the file of NAME=@FILE as text; NULL after a complaint. */
static const char *text_of_file(const struct args *args, const char *name,
                                const char *path)
{
    char error[400] = "'@' stands before the name of a file; there is none";
    char *text = *path ? matrix_file_read(path, error, sizeof error) : NULL;
    if (!text)
        complain(args, "--opt %s: %s", name, error);
    return text ? args_own(args, text) : NULL;
}

bool setup_options(const struct args *args, const struct formulation *formulation,
                   const char **value)
{
    options_nominal(formulation, value);
    for (int k = 0; k < args->option[OPTION_OPT].count; k++) {
        char name[80];
        const char *text;
        if (!setup_split(args, "--opt", "VALUE", args->option[OPTION_OPT].value[k], name,
                         sizeof name, &text))
            return false;
        int index = option_index(formulation, name);
        if (index >= 0) {
            value[index] = *text == '@' ? text_of_file(args, name, text + 1) : text;
            if (!value[index])
                return false;
            continue;
        }
        const char *known[MAX_OPTIONS];
        char offer[OFFER];
        int count = option_count(formulation);
        for (int i = 0; i < count; i++)
            known[i] = formulation->options[i].name;
        offer_names(name, known, count, offer, sizeof offer);
        complain(args, "--opt: %s has no option %s; %s", formulation->name, name, offer);
        return false;
    }
    return true;
}

bool setup_method(const struct args *args, const struct model *model,
                  const struct formulation **formulation, const char **option)
{
    const char *why = "";
    if (!setup_formulation(args, formulation))
        return false;
    if (!*formulation)
        *formulation = formulation_default(model);
    if (formulation_applies(*formulation, model, &why) &&
        policy_applies(model->reset, *formulation, model, &why))
        return setup_options(args, *formulation, option);
    complain(args, "formulation %s does not apply to %s: %s", (*formulation)->name,
             model->desc->name, why);
    return false;
}

bool setup_solver(const struct args *args, const struct model *model, const char **option,
                  struct run_request *request)
{
    request->option = option;
    return setup_method(args, model, &request->formulation, option) &&
           setup_integrator(args, &request->integrator) &&
           setup_rule(args, &request->rule);
}

bool setup_limits(const struct args *args, struct run_request *request)
{
    static const long most = 1000000000;
    request->rtol = 1e-10;
    if (!args_rtol(args, &request->rtol))
        return false;
    request->atol = request->rtol / 1000;
    return args_positive(args, OPTION_ATOL, &request->atol) &&
           args_count(args, OPTION_MAX_EVENTS, 1, most, &request->max_events) &&
           args_count(args, OPTION_MAX_STEPS, 1, most, &request->max_steps) &&
           args_positive(args, OPTION_MAX_STEP, &request->max_step);
}

bool setup_motion(const struct args *args, const struct model *model, const char **option,
                  struct reference_motion *own)
{
    const struct formulation *formulation;
    struct diagnosis diagnosis = {.t = NAN};
    if (args_has(args, OPTION_OPT) && !args_has(args, OPTION_FORMULATION)) {
        complain(args, "--opt belongs to a formulation; give --formulation, too");
        return false;
    }
    if (!setup_method(args, model, &formulation, option))
        return false;
    if (reference_motion_of(formulation, model, option, own, &diagnosis) == OK)
        return true;
    complain_refusal(args, formulation->name, &diagnosis);
    return false;
}

/* Has one of the first `count` --set this name, too? Nobody guesses which of them is
   meant. */
static bool named_before(const struct args *args, int count, const char *name)
{
    for (int k = 0; k < count; k++) {
        const char *other = args->option[OPTION_SET].value[k];
        if (setup_is_named(other, name)) {
            complain(args, "--set: %s is given twice, %s and %s; give it once", name,
                     other, args->option[OPTION_SET].value[count]);
            return true;
        }
    }
    return false;
}

/* Reads a number, or a formula of numbers alone like sqrt(5)/2. False: `why` says what is
   wrong, and where. */
static bool read_constant(const struct model *model, const char *text, double *value,
                          char *why, size_t size)
{
    struct read_error error = {.set = false};
    struct diagnosis diagnosis = {.t = NAN};
    if (read_number(text, value))
        return true;
    struct names *none = names_new();
    struct model *branch = model_branch(model);
    formula read = formula_read_exact(branch->tape, none, text, &error);
    enum status status = error.set ? BAD_INPUT
                         : constant_values(branch, &read, 1, "formula", value,
                                           &diagnosis);
    if (error.set)
        snprintf(why, size, "column %d: %s", error.column, error.message);
    else if (status != OK)
        snprintf(why, size, "%s", diagnosis.place);
    model_branch_free(branch);
    names_free(none);
    return status == OK;
}

bool setup_values(const struct args *args, const struct model *model, double *value)
{
    struct diagnosis diagnosis = {.t = NAN};
    if (model_nominal_values(model, value, &diagnosis) != OK) {
        complain_refusal(args, model->desc->name, &diagnosis);
        return false;
    }
    for (int k = 0; k < args->option[OPTION_SET].count; k++) {
        char name[80];
        const char *text;
        if (!setup_split(args, "--set", "VALUE", args->option[OPTION_SET].value[k], name,
                         sizeof name, &text))
            return false;
        int index = setup_parameter(args, model, name, "--set");
        if (index < 0 || named_before(args, k, name))
            return false;
        double nominal = value[index];
        char why[sizeof(struct diagnosis)];
        if (!read_constant(model, text, &value[index], why, sizeof why)) {
            complain(args, "--set %s: '%s' is not a number: %s; the nominal value is "
                     "%.10g %s", name, text, why, nominal, model->parameter[index].unit);
            return false;
        }
    }
    return true;
}

bool setup_parameters(const struct args *args, const struct model *model, int *count,
                      int *parameter)
{
    const char *list = args_text(args, OPTION_SENS, NULL);
    *count = 0;
    if (!list) {
        *count = model_sensitivities(model, parameter);
        return true;
    }
    if (strcmp(list, "none") == 0)
        return true;
    char name[80];
    while (next_in_list(&list, name, sizeof name)) {
        int index = setup_parameter(args, model, name, "--sens");
        for (int k = 0; k < *count && index >= 0; k++)
            if (parameter[k] == index) {
                complain(args, "--sens: %s is named twice; once is enough", name);
                return false;
            }
        if (index < 0)
            return false;
        parameter[(*count)++] = index;
    }
    return true;
}

/* --- refusals ----------------------------------------------------------------------- */
