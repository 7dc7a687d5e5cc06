/*
 * asked.c - the workload and the peers that a command line of `saltus bench` asks for.
 */
#include "asked.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "file/model_file.h"
#include "foreign/foreign.h"
#include "mechanisms/catalogue.h"
#include "peers/foreign.h"

/* Names of peers of a gradient. */
static int known_gradient_peers(const char **known)
{
    int count = 0;
    for (; gradient_peer_list[count]; count++)
        known[count] = gradient_peer_list[count]->name;
    return count;
}

/* Names of peers of any other workload. */
static int known_peers(const struct bench *bench, const char **known)
{
    int count = 0;
    for (; bench->workload == workloads[0] && peer_list[count]; count++)
        known[count] = peer_list[count]->name;
    for (int k = 0; case_peer_list[k]; k++)
        known[count++] = case_peer_list[k]->name;
    for (int k = 0; formulations[k] && count < MOST_PEERS - 2; k++)
        known[count++] = formulations[k]->name;
    known[count++] = "formulations";
    known[count++] = "integrators";
    return count;
}

/* Complains of a formulation that does not apply to the case; false: the name is none of
   one. */
static bool complain_of_formulation(const struct bench *bench, const char *name)
{
    char part[80];
    const char *why = NULL;
    struct diagnosis diagnosis;
    snprintf(part, sizeof part, "%.*s", (int)strcspn(name, ":/"), name);
    const struct formulation *formulation = formulation_find(part);
    struct model *model = formulation ? workload_model(bench->workload, &diagnosis)
                                      : NULL;
    bool applies = !model || formulation_applies(formulation, model, &why);
    if (!applies)
        complain(bench->args, "%s: formulation %s does not apply to %s: %s", name, part,
                 bench->workload->name, why);
    model_free(model);
    return !applies;
}

static enum exit_status unknown_peer(const struct bench *bench, const char *name)
{
    const char *known[MOST_PEERS] = {NULL};
    char offer[300];
    bool gradient = bench->workload->by > 0;
    if (!gradient && complain_of_formulation(bench, name))
        return EXIT_USAGE;
    int count = gradient ? known_gradient_peers(known) : known_peers(bench, known);
    offer_names(name, known, count, offer, sizeof offer);
    return complain(bench->args, "no peer %s%s; %s", name,
                    gradient ? " of gradients" : "", offer);
}

/* NAME? is a peer that may be missing: that of a library which this build does not have
   is left out, and it is said. */
static bool add_named(struct bench *bench, const char *name)
{
    char plain[200];
    size_t length = strlen(name);
    bool optional = length > 1 && length < sizeof plain && name[length - 1] == '?';
    snprintf(plain, sizeof plain, "%.*s", (int)length - optional, name);
    int count = peers_named(bench->workload, optional ? plain : name,
                            bench->made + bench->peers, bench->peer + bench->peers,
                            MOST_PEERS - bench->peers);
    bench->peers += count;
    if (count == 0 && optional)
        complain(bench->args, "%s is not in this build: left out", plain);
    else if (count == 0)
        unknown_peer(bench, name);
    return count > 0 || optional;
}

/* Adds all peers of a gradient. */
static bool add_gradients(struct bench *bench)
{
    bool good = true;
    for (int k = 0; good && gradient_peer_list[k]; k++)
        good = add_named(bench, gradient_peer_list[k]->name);
    return good;
}

/* Adds the peers of a case that is not in workloads[]. */
static bool add_usual(struct bench *bench)
{
    static const char *const integrator[] = {"dop853", "automatic"};
    struct diagnosis diagnosis;
    struct model *model = workload_model(bench->workload, &diagnosis);
    bool good = model != NULL;
    for (int k = 0; good && k < 2; k++) {
        char name[100];
        snprintf(name, sizeof name, "%s/%s", workload_formulation(model)->name,
                 integrator[k]);
        good = add_named(bench, name);
    }
    model_free(model);
    return good;
}

/* True: the word is the path of a model file. Peers have a '/' in their names, too. */
static bool is_model_file(const char *word)
{
    static const char *const endings[] = {".yaml", ".yml", ".json"};
    size_t length = strlen(word);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        size_t end = strlen(endings[k]);
        if (length > end && strcmp(word + length - end, endings[k]) == 0)
            return true;
    }
    return case_is_path(word) && access(word, F_OK) == 0;
}

const char *asked_case(const struct args *args)
{
    const char *word = args->operands > 0 ? args->operand[0] : NULL;
    return word && (is_model_file(word) || case_find(word)) ? word : NULL;
}

/* Adds program number k of --solver. */
static bool add_program(struct bench *bench, const char *command, int k)
{
    const struct args *args = bench->args;
    struct diagnosis diagnosis;
    char own[40];
    double timeout = 60;
    struct model *model = workload_model(bench->workload, &diagnosis);
    if (!model || !args_positive(args, OPTION_TIMEOUT, &timeout) ||
        bench->peers == MOST_PEERS) {
        model_free(model);
        return false;
    }
    foreign_name(command, own, sizeof own);
    foreign_peer(bench->made + bench->peers, bench->workload, workload_formulation(model),
                 command,
                 k < args->option[OPTION_NAME].count ? args->option[OPTION_NAME].value[k]
                                                     : own, timeout);
    bench->peer[bench->peers] = bench->made + bench->peers;
    bench->peers++;
    model_free(model);
    return true;
}

bool asked_peers(struct bench *bench)
{
    const struct args *args = bench->args;
    int first = asked_case(args) ? 1 : 0;
    for (int k = first; k < args->operands; k++)
        if (!add_named(bench, args->operand[k]))
            return false;
    for (int k = 0; k < args->option[OPTION_SOLVER].count; k++)
        if (!add_program(bench, args->option[OPTION_SOLVER].value[k], k))
            return false;
    if (bench->peers > 0)
        return true;
    for (int k = 0; bench->workload == workloads[0] && peer_list[k]; k++)
        bench->peer[bench->peers++] = peer_list[k];
    if (bench->workload->by > 0)
        return add_gradients(bench);
    if (!bench->workload->usual)
        return add_usual(bench);
    for (int k = 0; bench->workload->usual[k]; k++)
        if (!add_named(bench, bench->workload->usual[k]))
            return false;
    return true;
}

/* Makes the workload of a case that is not in workloads[]: of its gradient, if that is
   asked for. */
static bool make_workload(struct bench *bench, const struct case_desc *desc,
                          bool gradient)
{
    struct diagnosis diagnosis;
    bench->made_workload = gradient ? workload_of_gradient(desc, &diagnosis)
                                    : workload_of_case(desc, &diagnosis);
    bench->workload = bench->made_workload;
    if (!bench->workload)
        complain(bench->args, "%s: %s", desc->name, diagnosis.place);
    return bench->workload != NULL;
}

/* The name of a case with this behind it is the workload of its gradient. */
static const char of_gradient[] = "/gradient";

bool asked_workload(struct bench *bench)
{
    const char *known[16];
    const char *named = asked_case(bench->args);
    const char *name = named ? named : args_text(bench->args, OPTION_WORKLOAD,
                                                 workloads[0]->name);
    char offer[300], case_name[PATH_MAX];
    struct diagnosis diagnosis = {.t = NAN};
    const char *end = strstr(name, of_gradient);
    bool gradient = end && strcmp(end, of_gradient) == 0;
    int count = 0;
    snprintf(case_name, sizeof case_name, "%.*s",
             (int)(gradient ? end - name : (long)strlen(name)), name);
    for (; workloads[count]; count++)
        known[count] = workloads[count]->name;
    bench->workload = gradient ? NULL : workload_find(name);
    if (bench->workload)
        return true;
    const struct case_desc *desc = is_model_file(case_name)
        ? case_open(case_name, &diagnosis) : case_find(case_name);
    if (desc)
        return make_workload(bench, desc, gradient);
    if (is_model_file(case_name)) {
        if (!complain_source(bench->args, &diagnosis))
            complain(bench->args, "%s", diagnosis.place);
        return false;
    }
    offer_names(name, known, count, offer, sizeof offer);
    complain(bench->args, "no workload or case %s; %s", case_name, offer);
    return false;
}
