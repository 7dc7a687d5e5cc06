/*
 * peers.c - peers by name, and the certified answers that they are compared with.
 */
#include "peers/peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "motion/reference_motion.h"
#include "peers/saltus.h"
#include "run.h"

#define PEER(name) extern const struct peer peer_##name;
#define CASE_PEER PEER
#define GRADIENT_PEER PEER
#include "peers/peers.def"
#undef GRADIENT_PEER
#undef CASE_PEER
#undef PEER

#define PEER(name) &peer_##name,
#define CASE_PEER(name)
#define GRADIENT_PEER(name)
const struct peer *const peer_list[] = {
#include "peers/peers.def"
    NULL,
};
#undef GRADIENT_PEER
#undef CASE_PEER
#undef PEER

#define PEER(name)
#define CASE_PEER(name) &peer_##name,
#define GRADIENT_PEER(name)
const struct peer *const case_peer_list[] = {
#include "peers/peers.def"
    NULL,
};
#undef GRADIENT_PEER
#undef CASE_PEER
#undef PEER

#define PEER(name)
#define CASE_PEER(name)
#define GRADIENT_PEER(name) &peer_##name,
const struct peer *const gradient_peer_list[] = {
#include "peers/peers.def"
    NULL,
};
#undef GRADIENT_PEER
#undef CASE_PEER
#undef PEER

/* --- peers by name ------------------------------------------------------------------ */

/* The lists that peers are added to. */
struct adding {
    const struct workload *workload;
    struct peer *made;
    const struct peer **list;
    int count, room;
};

static void add_made(struct adding *to, const struct formulation *formulation,
                     const char *option, const struct integrator *integrator, bool all)
{
    struct peer *made = to->made + to->count;
    if (to->count == to->room)
        return;
    *made = (struct peer){.workload = to->workload, .formulation = formulation,
                          .integrator = integrator};
    snprintf(made->option, sizeof made->option, "%s", option);
    if (saltus_peer(made, all))
        to->list[to->count++] = made;
}

/* All formulations that apply to the case. */
static void add_formulations(struct adding *to, const struct model *model)
{
    for (int k = 0; formulations[k]; k++)
        if (formulation_applies(formulations[k], model, NULL))
            add_made(to, formulations[k], "", integrator_default(formulations[k]), false);
}

/* W is measured in the formulation of its paper, any other case in its own. */
static void add_integrators(struct adding *to, const struct model *model)
{
    const struct formulation *formulation = to->workload == workloads[0]
        ? formulation_find("penalty") : workload_formulation(model);
    for (int k = 0; integrators[k]; k++)
        add_made(to, formulation, "", integrators[k], false);
}

static void add_all(struct adding *to,
                    void (*add_them)(struct adding *to, const struct model *model))
{
    struct diagnosis diagnosis;
    struct model *model = workload_model(to->workload, &diagnosis);
    if (model)
        add_them(to, model);
    model_free(model);
}

/* Adds the peer of this list that has the name, for any case. Its answer is compared with
   the exact motion, that of the usual formulation. */
static void add_listed(struct adding *to, const struct peer *const *peer,
                       const char *name)
{
    struct diagnosis diagnosis;
    for (int k = 0; peer[k] && to->room > 0; k++) {
        if (strcmp(peer[k]->name, name) != 0)
            continue;
        struct model *model = workload_model(to->workload, &diagnosis);
        if (!model)
            return;
        to->made[0] = *peer[k];
        to->made[0].workload = to->workload;
        to->made[0].formulation = workload_formulation(model);
        to->list[to->count++] = to->made;
        model_free(model);
        return;
    }
}

/* Adds the peer FORMULATION[:OPTION=VALUE][/INTEGRATOR][/run]. */
static void add_solver(struct adding *to, const char *name)
{
    char part[3][80] = {"", "", ""};
    int parts = sscanf(name, "%79[^/]/%79[^/]/%79s", part[0], part[1], part[2]);
    bool all = parts > 1 && strcmp(part[parts - 1], "run") == 0;
    char *option = strchr(part[0], ':');
    if (option)
        *option++ = '\0';
    const struct formulation *formulation = formulation_find(part[0]);
    if (!formulation || (parts == 3 && !all) || strchr(":/", name[strlen(name) - 1]))
        return;
    const struct integrator *integrator = integrator_default(formulation);
    if (parts - all > 1)
        integrator = integrator_find(part[1]);
    if (integrator)
        add_made(to, formulation, option ? option : "", integrator, all);
}

int peers_named(const struct workload *workload, const char *name, struct peer *made,
                const struct peer **list, int room)
{
    struct adding to = {workload, made, list, 0, room};
    for (int k = 0; peer_list[k] && workload == workloads[0] && room > 0; k++)
        if (strcmp(peer_list[k]->name, name) == 0) {
            list[0] = peer_list[k];
            return 1;
        }
    add_listed(&to, workload->by > 0 ? gradient_peer_list : case_peer_list, name);
    if (to.count > 0 || workload->by > 0)
        return to.count;
    if (strcmp(name, "formulations") == 0)
        add_all(&to, add_formulations);
    else if (strcmp(name, "integrators") == 0)
        add_all(&to, add_integrators);
    else
        add_solver(&to, name);
    return to.count;
}

bool peer_options(const struct peer *peer, const char **value)
{
    char name[80] = "";
    options_nominal(peer->formulation, value);
    if (!*peer->option)
        return true;
    sscanf(peer->option, "%79[^=]", name);
    int index = option_index(peer->formulation, name);
    if (index < 0 || peer->option[strlen(name)] != '=')
        return false;
    value[index] = peer->option + strlen(name) + 1;
    return true;
}

const struct workload *peer_workload(const struct peer *peer)
{
    return peer->workload ? peer->workload : workloads[0];
}

/* --- the truth ---------------------------------------------------------------------- */

static void read_answer(const struct workload *workload,
                        const struct certificate *certificate, struct answer *answer)
{
    const struct mp_trajectory *trajectory = certificate->trajectory;
    for (int j = 0; j < workload->by; j++)
        answer->value[j] = workload_gradient(trajectory, j);
    if (workload->by > 0)
        return;
    const struct mp_point *end = &trajectory->sample[trajectory->samples - 1];
    int column[MOST_ANSWERS];
    if (fabs(mpfr_get_d(end->t, MPFR_RNDN) - workload->t_end) > 0)
        slip("%s is not certified at its end", workload->name);
    workload_columns(workload, &trajectory->columns, column);
    for (int k = 0; k < workload->answers; k++)
        answer->value[k] = mpfr_get_d(end->x[column[k]], MPFR_RNDN);
}

enum status peer_truth(const struct peer *peer, struct answer *answer,
                       struct diagnosis *diagnosis)
{
    char path[600];
    const char *option[MAX_OPTIONS];
    struct reference_motion own;
    struct certificate *certificate = NULL;
    const struct workload *workload = peer_workload(peer);
    struct peer follows = *peer;
    if (!peer->formulation)
        follows.formulation = formulation_find("penalty");
    struct model *model = workload_model(workload, diagnosis);
    if (!model)
        return diagnosis->status;
    peer_options(&follows, option);
    enum status status = reference_motion_of(follows.formulation, model, option, &own,
                                             diagnosis);
    if (status == OK && !certified_path(model, &own.truth, path, sizeof path))
        status = diagnose(diagnosis, BAD_INPUT, NAN, "no certified values of %s, %s; "
                          "saltus certify %s -f %s%s%s makes them", workload->name,
                          peer->name, workload->name, follows.formulation->name,
                          *peer->option ? " --opt " : "", peer->option);
    if (status == OK)
        status = certificate_read(path, model, &certificate, diagnosis);
    if (status == OK && certificate->refusal.status != OK)
        status = diagnose(diagnosis, certificate->refusal.status, certificate->refusal.t,
                          "the motion is certified to be refused: %.300s",
                          certificate->refusal.place);
    if (status == OK)
        read_answer(workload, certificate, answer);
    certificate_free(certificate);
    model_free(model);
    return status;
}
