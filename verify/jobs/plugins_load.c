/*
 * plugins_load.c - shared objects of --plugin, first tried in a child (plugins_load.h)
 */
#include "jobs/plugins_load.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/rules.h"
#include "jobs/child.h"
#include "plugins/registry.h"

enum { MOST_PLUGINS = 64 };
static const double load_limit = 10;        /* seconds that loading may take */

static struct {
    const struct saltus_plugin *plugin;
    const char *path;
} loaded[MOST_PLUGINS];
static int count;

/* A name without a slash would be searched for in the folders of libraries. */
static void path_of(const char *given, char *path, int size)
{
    snprintf(path, (size_t)size, "%s%s", strchr(given, '/') ? "" : "./", given);
}

/* dlerror begins with the path, which the complaint has already. */
static const char *loader_error(const char *path)
{
    const char *error = dlerror();
    size_t length = strlen(path);
    if (!error)
        return "it cannot be loaded";
    if (strncmp(error, path, length) == 0 && strncmp(error + length, ": ", 2) == 0)
        error += length + 2;
    return error;
}

/* Rules that are only judged have names that a plug-in must not take, too. */
static enum status check_rules(const struct saltus_plugin *plugin,
                               struct diagnosis *diagnosis)
{
    for (int k = 0; plugin->jump_rules && plugin->jump_rules[k]; k++) {
        const char *name = plugin->jump_rules[k]->name;
        if (judged_rule_find(name))
            return diagnose(diagnosis, BAD_INPUT, NAN, "there is a jump rule %s already; "
                            "give it another name", name);
    }
    return OK;
}

static enum status load(const char *given, const struct saltus_plugin **plugin,
                        struct diagnosis *diagnosis)
{
    char path[PATH_MAX];
    path_of(given, path, sizeof path);
    if (access(path, R_OK) != 0)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%s", strerror(errno));
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return diagnose(diagnosis, BAD_INPUT, NAN, "%s", loader_error(path));
    *plugin = dlsym(object, "saltus_plugin");
    if (!*plugin)
        return diagnose(diagnosis, BAD_INPUT, NAN,
                        "it exports no saltus_plugin; see formulations/README.md");
    enum status status = registry_add(*plugin, diagnosis);
    return status == OK ? check_rules(*plugin, diagnosis) : status;
}

static void try_to_load(void *context, FILE *answer)
{
    const struct saltus_plugin *plugin;
    struct diagnosis diagnosis = {.t = NAN};
    if (load(context, &plugin, &diagnosis) != OK)
        fputs(diagnosis.place, answer);
}

/* Loads the plug-in in a child; its complaint, or how the child ended, goes into
   `diagnosis`. */
static enum status probe(const char *given, struct diagnosis *diagnosis)
{
    struct child *child = child_new(try_to_load, (void *)given);
    const struct child_request request = {.who = "loading it", .timeout = load_limit};
    char *text;
    size_t length;
    if (!child)
        return diagnose(diagnosis, BAD_INPUT, NAN, "no process to try it in: %s",
                        strerror(errno));
    enum status status = child_finish(child, &request, &text, &length, diagnosis);
    if (status == OK && length > 0)
        status = diagnose(diagnosis, BAD_INPUT, NAN, "%s", text);
    free(text);
    return status;
}

bool plugins_load(const struct args *args)
{
    for (int k = 0; k < args->option[OPTION_PLUGIN].count; k++) {
        const char *given = args->option[OPTION_PLUGIN].value[k];
        struct diagnosis diagnosis = {.t = NAN};
        enum status status = count < MOST_PLUGINS
                                 ? probe(given, &diagnosis)
                                 : diagnose(&diagnosis, BAD_INPUT, NAN,
                                            "more than %d plug-ins", MOST_PLUGINS);
        if (status == OK)
            status = load(given, &loaded[count].plugin, &diagnosis);
        if (status != OK) {
            complain(args, "--plugin %s: %s", given, diagnosis.place);
            return false;
        }
        loaded[count++].path = given;
    }
    return true;
}

int plugins_loaded(void)
{
    return count;
}

/* --- what they bring ---------------------------------------------------------------- */

static void print_entry(FILE *stream, const char *kind, const char *name,
                        const char *title, const char *source)
{
    fprintf(stream, "  %-12s %-16s %s | %s\n", kind, name, title, source);
}

void plugins_print(FILE *stream)
{
    for (int k = 0; k < count; k++) {
        const struct saltus_plugin *plugin = loaded[k].plugin;
        fprintf(stream, "plug-in %s (%s)\n", plugin->name, loaded[k].path);
        const struct formulation *const *f = plugin->formulations;
        for (; f && *f; f++)
            print_entry(stream, "formulation", (*f)->name, (*f)->title, (*f)->source);
        const struct integrator *const *i = plugin->integrators;
        for (; i && *i; i++)
            print_entry(stream, "integrator", (*i)->name, (*i)->title, (*i)->source);
        const struct jump_rule *const *r = plugin->jump_rules;
        for (; r && *r; r++)
            print_entry(stream, "jump rule", (*r)->name, (*r)->title, (*r)->source);
        const struct case_desc *const *c = plugin->cases;
        for (; c && *c; c++)
            print_entry(stream, "case", (*c)->name, (*c)->title, (*c)->source);
    }
}
