#include "peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/saltus.h"
#include "run.h"
#include "truths.h"

#define PEER(name) extern const struct peer peer_##name;
#include "peers.def"
#undef PEER

const struct peer *const peer_list[] = {
#define PEER(name) &peer_##name,
#include "peers.def"
#undef PEER
    NULL,
};

/* --- peers by name ------------------------------------------------------------------ */

static int add_made(const struct formulation *formulation,
                    const struct integrator *integrator, bool all,
                    struct peer *made, const struct peer **list, int room)
{
    if (room < 1 || !saltus_peer(formulation, integrator, all, made))
        return 0;
    list[0] = made;
    return 1;
}

static int add_formulations(struct peer *made, const struct peer **list, int room)
{
    int count = 0;
    for (int k = 0; formulations[k]; k++)
        count += add_made(formulations[k], integrator_default(formulations[k]), false,
                          made + count, list + count, room - count);
    return count;
}

static int add_integrators(struct peer *made, const struct peer **list, int room)
{
    int count = 0;
    for (int k = 0; integrators[k]; k++)
        count += add_made(formulation_find("penalty"), integrators[k], false,
                          made + count, list + count, room - count);
    return count;
}

/* FORMULATION[/INTEGRATOR][/run] */
static int add_solver(const char *name, struct peer *made, const struct peer **list,
                      int room)
{
    char part[3][80] = {"", "", ""};
    int parts = sscanf(name, "%79[^/]/%79[^/]/%79s", part[0], part[1], part[2]);
    bool all = parts > 1 && strcmp(part[parts - 1], "run") == 0;
    const struct formulation *formulation = formulation_find(part[0]);
    if (!formulation || (parts == 3 && !all))
        return 0;
    const struct integrator *integrator = integrator_default(formulation);
    if (parts - all > 1)
        integrator = integrator_find(part[1]);
    return integrator ? add_made(formulation, integrator, all, made, list, room) : 0;
}

int peers_named(const char *name, struct peer *made, const struct peer **list, int room)
{
    for (int k = 0; peer_list[k] && room > 0; k++)
        if (strcmp(peer_list[k]->name, name) == 0) {
            list[0] = peer_list[k];
            return 1;
        }
    if (strcmp(name, "formulations") == 0)
        return add_formulations(made, list, room);
    if (strcmp(name, "integrators") == 0)
        return add_integrators(made, list, room);
    return add_solver(name, made, list, room);
}

/* --- the truth ---------------------------------------------------------------------- */

static void read_answer(const struct certificate *certificate, struct answer *answer)
{
    const struct mp_trajectory *trajectory = certificate->trajectory;
    const struct mp_point *end = &trajectory->sample[trajectory->samples - 1];
    int column[ANSWERS];
    workload_columns(&trajectory->columns, column);
    for (int k = 0; k < ANSWERS; k++)
        answer->value[k] = mpfr_get_d(end->x[column[k]], MPFR_RNDN);
}

enum status workload_truth(const struct formulation *formulation, struct answer *answer,
                           struct diagnosis *diagnosis)
{
    char path[600];
    const char *option[MAX_OPTIONS];
    struct own_truth own;
    struct certificate *certificate = NULL;
    struct model *model = workload_model(diagnosis);
    if (!model)
        return diagnosis->status;
    if (!formulation)
        formulation = formulation_find("penalty");
    options_nominal(formulation, option);
    enum status status = truth_of(formulation, model, option, &own, diagnosis);
    if (status == OK && !certified_path(model, &own.truth, path, sizeof path))
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "no certified values of five-bar, %s", formulation->name);
    if (status == OK)
        status = certificate_read(path, model, &certificate, diagnosis);
    if (status == OK)
        read_answer(certificate, answer);
    certificate_free(certificate);
    model_free(model);
    return status;
}
