/*
 * registry.c - entries of plug-ins, checked and put behind those of the .def lists.
 */
#include "registry.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/plugged.h"
#include "mechanisms/catalogue.h"

enum { LONGEST_NAME = 40 };

/* The plug-in of each entry added, in the order of addition. */
static struct {
    const void *table;
    const char *plugin;
} owner[3 * PLUGGED_ROOM + CASE_ROOM];
static int owners;

const char *registry_owner(const void *table)
{
    for (int k = 0; k < owners; k++)
        if (owner[k].table == table)
            return owner[k].plugin;
    return NULL;
}

/* --- compiled for these headers? ---------------------------------------------------- */

static const struct {
    const char *name;
    size_t size;
} structs[] = {
#define STRUCT(type) {#type, sizeof(type)},
    SALTUS_PLUGIN_STRUCTS(STRUCT)
#undef STRUCT
};
enum { STRUCTS = sizeof structs / sizeof structs[0] };

static enum status check_abi(const struct saltus_plugin *plugin,
                             struct diagnosis *diagnosis)
{
    if (plugin->abi != SALTUS_PLUGIN_ABI)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "it was built for plug-in interface %d, this is %d; compile it "
                        "again with the headers of this version",
                        plugin->abi, SALTUS_PLUGIN_ABI);
    if (plugin->structs != STRUCTS || !plugin->size)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "it was built for an interface of %d structs, this one has %d; "
                        "compile it again with the headers of this version",
                        plugin->structs, STRUCTS);
    for (int k = 0; k < STRUCTS; k++)
        if (plugin->size[k] != structs[k].size)
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "it was built for a %s of %zu bytes, here it has %zu; "
                            "compile it again with the headers of this version",
                            structs[k].name, plugin->size[k], structs[k].size);
    return OK;
}

/* --- complete? ---------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    const char *const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-_.";
    return name && name[0] && strlen(name) <= LONGEST_NAME &&
           name[strspn(name, allowed)] == '\0';
}

static enum status check_name(const char *kind, const char *name, const char *title,
                              const char *source, bool taken,
                              struct diagnosis *diagnosis)
{
    if (!is_name(name))
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "the name of a %s must be of letters, digits, '-', '_', '.', at "
                        "most %d of them", kind, LONGEST_NAME);
    if (!title || !source)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%s %s has no %s", kind, name,
                        title ? "source" : "title");
    if (taken)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "there is a %s %s already; give it another name", kind, name);
    return OK;
}

static enum status lacks(const char *kind, const char *name, const char *what,
                         struct diagnosis *diagnosis)
{
    return diagnose(diagnosis, BAD_INPUT, NAN, "%s %s has no %s", kind, name, what);
}

static enum status check_formulation(const void *entry, struct diagnosis *diagnosis)
{
    const struct formulation *f = entry;
    enum status status = check_name("formulation", f->name, f->title, f->source,
                                    formulation_find(f->name ? f->name : "") != NULL,
                                    diagnosis);
    if (status != OK)
        return status;
    if (!f->residual)
        return lacks("formulation", f->name, "residual", diagnosis);
    if (f->kind != ALGEBRAIC && f->kind != DAE)
        return lacks("formulation", f->name, "kind (ALGEBRAIC or DAE)", diagnosis);
    if (f->kind == DAE && !f->reduced)
        return lacks("formulation", f->name, "reduced formulation, which a DAE needs",
                     diagnosis);
    int options = 0;
    while (f->options && f->options[options].name) {
        if (!f->options[options].nominal || !f->options[options].meaning)
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "formulation %s: option %s has no nominal value or meaning",
                            f->name, f->options[options].name);
        if (++options > MOST_OPTIONS)
            return diagnose(diagnosis, BAD_INPUT, NAN,
                            "formulation %s has more than %d options, or its list does "
                            "not end with a NULL name", f->name, MOST_OPTIONS);
    }
    return OK;
}

static enum status check_integrator(const void *entry, struct diagnosis *diagnosis)
{
    const struct integrator *integrator = entry;
    const char *name = integrator->name;
    enum status status = check_name("integrator", name, integrator->title,
                                    integrator->source,
                                    integrator_find(name ? name : "") != NULL, diagnosis);
    if (status != OK)
        return status;
    const struct { bool there; const char *what; } part[] = {
        {integrator->order > 0, "order"},
        {integrator->errors == 1 || integrator->errors == 2, "errors (1 or 2)"},
        {!!integrator->alloc + !!integrator->alloc_implicit +
             !!integrator->alloc_series == 1,
         "alloc, alloc_implicit or alloc_series, or has several"},
        {integrator->release, "release"},
        {integrator->step, "step"},
        {integrator->combine || integrator->errors == 1 || integrator->second > 0,
         "combine or second, which two error vectors need"},
        {integrator->prepare, "prepare"},
        {integrator->dense, "dense"},
        {!integrator->alloc_implicit || integrator->unknowns, "unknowns"},
        {!integrator->stiff || (integrator->stiff->alloc_implicit &&
                                integrator->stiffness && integrator->stable > 0),
         "stiffness, stable or an implicit method, which stiff needs"},
    };
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        if (!part[k].there)
            return lacks("integrator", name, part[k].what, diagnosis);
    return OK;
}

static enum status check_rule(const void *entry, struct diagnosis *diagnosis)
{
    const struct jump_rule *rule = entry;
    enum status status = check_name("jump rule", rule->name, rule->title, rule->source,
                                    jump_rule_find(rule->name ? rule->name : "") != NULL,
                                    diagnosis);
    if (status == OK && !rule->tau)
        status = lacks("jump rule", rule->name, "tau", diagnosis);
    if (status == OK && !rule->apply)
        status = lacks("jump rule", rule->name, "apply", diagnosis);
    return status;
}

static enum status check_case(const void *entry, struct diagnosis *diagnosis)
{
    const struct case_desc *desc = entry;
    enum status status = check_name("case", desc->name, desc->title, desc->source,
                                    case_find(desc->name ? desc->name : "") != NULL,
                                    diagnosis);
    if (status == OK && strchr(desc->name, '.'))
        status = diagnose(diagnosis, BAD_INPUT, NAN, "case %s: a name with a '.' is a "
                          "path on the command line", desc->name);
    if (status == OK && !desc->record)
        status = lacks("case", desc->name, "record", diagnosis);
    if (status == OK && (desc->path || desc->folder))
        status = diagnose(diagnosis, BAD_INPUT, NAN, "case %s has a path; that is for "
                          "model files", desc->name);
    return status;
}

/* --- adding ------------------------------------------------------------------------- */

/* Entry k of a table. The tables are arrays of pointers to different structs, which
   memcpy reads as pointers. */
static const void *entry_at(const void *table, int k)
{
    const void *entry;
    memcpy(&entry, (const char *)table + (size_t)k * sizeof entry, sizeof entry);
    return entry;
}

static int length(const void *table)
{
    int count = 0;
    while (table && entry_at(table, count))
        count++;
    return count;
}

static const struct kind {
    void *table;
    size_t offset;              /* place of the list in struct saltus_plugin */
    enum status (*check)(const void *entry, struct diagnosis *diagnosis);
} kinds[] = {
    {formulations, offsetof(struct saltus_plugin, formulations), check_formulation},
    {integrators, offsetof(struct saltus_plugin, integrators), check_integrator},
    {jump_rules, offsetof(struct saltus_plugin, jump_rules), check_rule},
    {case_plugged, offsetof(struct saltus_plugin, cases), check_case},
};
_Static_assert((int)CASE_ROOM >= (int)PLUGGED_ROOM, "room for cases of plug-ins");
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int added[KINDS];        /* number of plug-ins' entries in each table */

static void put(const struct kind *kind, int k, const void *entry)
{
    memcpy((char *)kind->table + (size_t)k * sizeof entry, &entry, sizeof entry);
}

static enum status add_list(int which, const struct saltus_plugin *plugin,
                            struct diagnosis *diagnosis)
{
    const struct kind *kind = &kinds[which];
    const void *list = entry_at((const char *)plugin + kind->offset, 0);
    enum status status = OK;
    for (int k = 0; status == OK && list && entry_at(list, k); k++) {
        const void *entry = entry_at(list, k);
        status = kind->check(entry, diagnosis);
        if (status == OK && added[which] == PLUGGED_ROOM)
            status = diagnose(diagnosis, BAD_INPUT, NAN,
                              "there is room for %d entries of plug-ins in each table",
                              PLUGGED_ROOM);
        if (status != OK)
            break;
        put(kind, length(kind->table), entry);
        added[which]++;
        owner[owners].table = entry;
        owner[owners++].plugin = plugin->name;
    }
    return status;
}

/* Removes the last `count` entries of a table. */
static void remove_last(int which, int count)
{
    for (; count > 0; count--, added[which]--, owners--)
        put(&kinds[which], length(kinds[which].table) - 1, NULL);
}

enum status registry_add(const struct saltus_plugin *plugin, struct diagnosis *diagnosis)
{
    int before[KINDS], whole = 0;
    enum status status = check_abi(plugin, diagnosis);
    if (status == OK && !is_name(plugin->name))
        status = diagnose(diagnosis, BAD_INPUT, NAN, "it has no name");
    memcpy(before, added, sizeof before);
    for (int which = 0; status == OK && which < KINDS; which++)
        status = add_list(which, plugin, diagnosis);
    for (int which = 0; which < KINDS; which++)
        whole += added[which] - before[which];
    if (status == OK && whole == 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN,
                          "it has no formulation, integrator, jump rule or case");
    for (int which = 0; status != OK && which < KINDS; which++)
        remove_last(which, added[which] - before[which]);
    return status;
}
