/*
 * list.c - `saltus list`: the catalogue.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "commands/setup.h"
#include "coverage.h"
#include "nearest.h"
#include "plugins/load.h"
#include "report/report.h"
#include "rules.h"

enum { MOST_RULES = 256 };

static bool has_class(const struct case_desc *desc, const char *wanted)
{
    const char *list = desc->classes ? desc->classes : "";
    char class[80];
    while (next_in_list(&list, class, sizeof class))
        if (strcmp(class + strspn(class, " "), wanted) == 0)
            return true;
    return false;
}

static bool has_any_class(const struct case_desc *desc, const char *wanted)
{
    char class[80];
    if (!wanted)
        return true;
    while (next_in_list(&wanted, class, sizeof class))
        if (has_class(desc, class))
            return true;
    return false;
}

static bool class_exists(const char *class)
{
    for (int k = 0; catalogue[k]; k++)
        if (has_class(catalogue[k], class))
            return true;
    return false;
}

/* All classes once, as pointers into `store`. */
static int all_classes(char store[][80], const char **name, int room)
{
    int count = 0;
    for (int k = 0; catalogue[k]; k++) {
        const char *list = catalogue[k]->classes ? catalogue[k]->classes : "";
        char class[80];
        while (next_in_list(&list, class, sizeof class) && count < room) {
            bool known = false;
            for (int i = 0; i < count; i++)
                known = known || strcmp(name[i], class + strspn(class, " ")) == 0;
            if (known)
                continue;
            snprintf(store[count], sizeof store[count], "%s", class + strspn(class, " "));
            name[count] = store[count];
            count++;
        }
    }
    return count;
}

static bool check_classes(const struct args *args, const char *wanted)
{
    char class[80];
    while (wanted && next_in_list(&wanted, class, sizeof class)) {
        if (class_exists(class))
            continue;
        char store[64][80], offer[600];
        const char *name[64];
        offer_names(class, name, all_classes(store, name, 64), offer, sizeof offer);
        complain(args, "--class: no event class %s; %s", class, offer);
        return false;
    }
    return true;
}

static void add_json(cJSON *array, const struct model *model)
{
    const struct case_desc *desc = model->desc;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", desc->name);
    cJSON_AddStringToObject(object, "title", desc->title);
    cJSON_AddNumberToObject(object, "modes", model->modes);
    cJSON_AddNumberToObject(object, "n", model->n);
    cJSON_AddNumberToObject(object, "m", model->m);
    cJSON_AddNumberToObject(object, "p", model->p);
    cJSON_AddNumberToObject(object, "events", model->events);
    cJSON_AddStringToObject(object, "classes", desc->classes ? desc->classes : "");
    cJSON_AddStringToObject(object, "source", desc->source ? desc->source : "");
    cJSON_AddItemToArray(array, object);
}

static void print_line(const struct model *model)
{
    const struct case_desc *desc = model->desc;
    printf("%s%-16s%s %5d %3d %3d %3d %6d  %s\n", colour_on(stdout, BOLD), desc->name,
           colour_off(stdout), model->modes, model->n, model->m, model->p, model->events,
           desc->title);
    printf("%17s%s%s | %s%s\n", "", colour_on(stdout, FAINT),
           desc->classes ? desc->classes : "", desc->source ? desc->source : "",
           colour_off(stdout));
}

/* An empty cell is a hole in the catalogue. */
static enum exit_status list_coverage(const struct args *args)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct coverage *coverage = coverage_new(catalogue, &diagnosis);
    if (!coverage) {
        complain_refusal(args, "the catalogue", &diagnosis);
        return EXIT_SHORT;
    }
    if (args_has(args, OPTION_JSON))
        report_coverage_json(stdout, coverage);
    else
        report_coverage(stdout, coverage);
    report_coverage_gaps(stderr, coverage);
    int empty = coverage->empty;
    coverage_free(coverage);
    return empty ? EXIT_SHORT : EXIT_HELD;
}

static void list_rules(void)
{
    const char *name[MOST_RULES];
    int count = any_rule_names(name, MOST_RULES);
    for (int k = 0; k < count; k++) {
        const struct jump_rule *rule = any_rule_find(name[k]);
        printf("%s%-18s%s %s%s%s%s\n", colour_on(stdout, BOLD), rule->name,
               colour_off(stdout), rule->title, colour_on(stdout, FAINT),
               rule->source ? " | " : "", rule->source ? rule->source : "");
        fputs(colour_off(stdout), stdout);
    }
}

static enum exit_status list(const struct args *args)
{
    if (args_has(args, OPTION_RULES) + args_has(args, OPTION_COVERAGE) +
            args_has(args, OPTION_CLASS) > 1)
        return complain(args, "--class, --coverage and --rules are three tables; ask for "
                        "one");
    if (args_has(args, OPTION_RULES) && args_has(args, OPTION_JSON))
        return complain(args, "--rules has no JSON; leave out --json");
    if (args_has(args, OPTION_RULES)) {
        list_rules();
        return EXIT_HELD;
    }
    if (args_has(args, OPTION_COVERAGE))
        return list_coverage(args);
    const char *wanted = args_text(args, OPTION_CLASS, NULL);
    bool json = args_has(args, OPTION_JSON);
    if (!check_classes(args, wanted))
        return EXIT_USAGE;
    cJSON *array = cJSON_CreateArray();
    if (!json)
        printf("%-16s %5s %3s %3s %3s %6s  %s\n", "case", "modes", "n", "m", "p",
               "events", "title; event classes | source");
    enum exit_status status = EXIT_HELD;
    for (int k = 0; catalogue[k] && status == EXIT_HELD; k++) {
        if (!has_any_class(catalogue[k], wanted))
            continue;
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_new(catalogue[k], &diagnosis);
        if (!model)
            status = complain_refusal(args, catalogue[k]->name, &diagnosis);
        else if (json)
            add_json(array, model);
        else
            print_line(model);
        if (model)
            model_free(model);
    }
    if (json) {
        char *text = cJSON_Print(array);
        puts(text);
        cJSON_free(text);
    }
    cJSON_Delete(array);
    if (!json)
        plugins_print(stdout);
    return status;
}

static const enum option_id options[] = {OPTION_CLASS, OPTION_COVERAGE, OPTION_RULES,
                                         OPTION_PLUGIN, OPTION_JSON, OPTIONS};

extern const struct command command_list;
const struct command command_list = {
    .name = "list", .synopsis = "[OPTION...]", .summary = "The catalogue of mechanisms",
    .text = "n coordinates, m constraints (the most of any mode), p parameters. "
            "What plug-ins\nbring stands below.\n",
    .option = options, .least = 0, .most = 0, .run = list,
};
