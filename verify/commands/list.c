/*
 * list.c - `saltus list`: the catalogue.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "commands/picture.h"
#include "commands/setup.h"
#include "coverage/classes.h"
#include "coverage/coverage.h"
#include "faults/rules.h"
#include "jobs/plugins_load.h"
#include "jobs/pool.h"
#include "mechanisms/catalogue.h"
#include "motion/known_values.h"
#include "oracles/cross_checks.h"
#include "report/sheet.h"
#include "tables/json_parts.h"
#include "tables/report.h"

enum { MOST_RULES = 256, MOST_WORDS = 64 };

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

static bool check_classes(const struct args *args, const char *wanted)
{
    char class[80];
    while (wanted && next_in_list(&wanted, class, sizeof class)) {
        if (class_exists(class))
            continue;
        char offer[600];
        const char *name[MOST_WORDS];
        int count = case_class_words(name, MOST_WORDS);
        offer_names(class, name, count, offer, sizeof offer);
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
    const struct known known = what_is_known(model);
    cJSON_AddStringToObject(object, "known", knowledge_text(known.what));
    cJSON_AddNumberToObject(object, "digits", known.digits);
    cJSON_AddStringToObject(object, "classes", desc->classes ? desc->classes : "");
    cJSON_AddStringToObject(object, "source", desc->source ? desc->source : "");
    cJSON_AddItemToArray(array, object);
}

/* --- the cases ---------------------------------------------------------------------- */

/* A case of the list. */
struct listed {
    const struct case_desc *desc;
    struct model *model;            /* NULL: it cannot be recorded */
    struct diagnosis diagnosis;     /* the reason */
};

/* The cases of the list, in the order of the catalogue. */
struct listing {
    struct listed *listed;          /* [count] */
    int count;
};

static struct listing listing_new(const char *wanted)
{
    struct listing listing = {0};
    int cases = 0;
    while (catalogue[cases])
        cases++;
    listing.listed = memory_new(cases, sizeof *listing.listed);
    for (int k = 0; k < cases; k++) {
        if (!has_any_class(catalogue[k], wanted))
            continue;
        struct listed *listed = &listing.listed[listing.count++];
        *listed = (struct listed){.desc = catalogue[k], .diagnosis = {.t = NAN}};
        listed->model = model_new(catalogue[k], &listed->diagnosis);
    }
    return listing;
}

static void listing_free(struct listing *listing)
{
    for (int k = 0; k < listing->count; k++)
        if (listing->listed[k].model)
            model_free(listing->listed[k].model);
    free(listing->listed);
}

/* Lines of the short list fit into the window of the terminal, or one of 80 columns. */
static int line_length(void)
{
    enum { LINE = 80 };
    struct winsize window;
    bool known = isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0;
    return known && window.ws_col > LINE ? window.ws_col : LINE;
}

enum list_place {
    LIST_CASE, LIST_MODES, LIST_N, LIST_M, LIST_P, LIST_EVENTS, LIST_KNOWN, LIST_TITLE,
    LIST_COLUMNS
};
enum { NUMBERS = LIST_KNOWN - LIST_MODES };

struct list_layout {
    struct text_column column[LIST_COLUMNS];
};

static void numbers_of(const struct model *model, int number[NUMBERS])
{
    const int all[NUMBERS] = {model->modes, model->n, model->m, model->p, model->events};
    memcpy(number, all, sizeof all);
}

static struct list_layout lay_out(const struct listing *listing, bool more)
{
    struct list_layout layout = {
        {{"case", TEXT_LEFT, 0, 4},
         {"modes", TEXT_RIGHT, 1, 5},
         {"n", TEXT_RIGHT, 1, 1},
         {"m", TEXT_RIGHT, 1, 1},
         {"p", TEXT_RIGHT, 1, 1},
         {"ev.", TEXT_RIGHT, 1, 3},
         {"known", TEXT_LEFT, 2, 9},
         {more ? "title; event classes | source" : "title", TEXT_LEFT, 2, 0}}};
    for (int k = 0; k < listing->count; k++) {
        const struct listed *listed = &listing->listed[k];
        int number[NUMBERS];
        text_column_fit(&layout.column[LIST_CASE], listed->desc->name);
        if (!listed->model)
            continue;
        numbers_of(listed->model, number);
        for (int i = 0; i < NUMBERS; i++) {
            char text[20];
            snprintf(text, sizeof text, "%d", number[i]);
            text_column_fit(&layout.column[LIST_MODES + i], text);
        }
    }
    return layout;
}

/* The part of a line that the title is left. */
static int room_for_title(const struct list_layout *layout)
{
    int room = line_length();
    for (int k = 0; k < LIST_TITLE; k++)
        room -= layout->column[k].gap + layout->column[k].width;
    return room - layout->column[LIST_TITLE].gap;
}

/* Prints the title as far as there is room, cut between words. */
static void print_title(const char *title, int room)
{
    int length = (int)strlen(title);
    if (length > room) {
        length = room - 4;
        while (length > 0 && title[length] != ' ')
            length--;
        printf("%.*s ...\n", length, title);
    } else {
        puts(title);
    }
}

static void print_line(const struct model *model, const struct list_layout *layout,
                       bool more)
{
    const struct case_desc *desc = model->desc;
    int number[NUMBERS], width = layout->column[LIST_CASE].width;
    numbers_of(model, number);
    text_cell_in(stdout, &layout->column[LIST_CASE], BOLD, "%s", desc->name);
    for (int k = 0; k < NUMBERS; k++)
        text_cell(stdout, &layout->column[LIST_MODES + k], "%d", number[k]);
    text_cell(stdout, &layout->column[LIST_KNOWN], "%s",
              knowledge_text(what_is_known(model).what));
    fputs("  ", stdout);
    print_title(desc->title, more ? (int)strlen(desc->title) : room_for_title(layout));
    if (more)
        printf("%*s%s%s | %s%s\n", width + 1, "", colour_on(stdout, FAINT),
               desc->classes ? desc->classes : "", desc->source ? desc->source : "",
               colour_off(stdout));
}

/* A case that cannot be recorded is one line of the list, and hides no other. */
static void add_malformed(cJSON *array, const struct case_desc *desc,
                          const struct diagnosis *diagnosis)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "name", desc->name);
    cJSON_AddStringToObject(object, "title", desc->title ? desc->title : "");
    cJSON_AddStringToObject(object, "error", diagnosis->place);
    cJSON_AddItemToArray(array, object);
}

static void print_malformed(const struct case_desc *desc,
                            const struct diagnosis *diagnosis)
{
    static const struct text_column name = {"", TEXT_LEFT, 0, 16};
    text_cell_in(stdout, &name, BOLD, "%s", desc->name);
    printf(" %s%s%s\n", colour_on(stdout, RED), diagnosis->place, colour_off(stdout));
}

/* Marks the case of the catalogue that `desc` names as its twin. */
static void note_twin(const struct case_desc *desc, bool *is_twin)
{
    struct diagnosis diagnosis = {.t = NAN};
    struct model *model = model_new(desc, &diagnosis);
    for (int k = 0; model && model->twin && catalogue[k]; k++)
        if (strcmp(catalogue[k]->name, model->twin) == 0)
            is_twin[k] = true;
    if (model)
        model_free(model);
}

static void print_checks(const char *name, const char *force, const char *inertia,
                         const char *reset)
{
    static const struct text_column column[] = {{"", TEXT_LEFT, 0, 32},
                                                {"", TEXT_LEFT, 1, 26}};
    text_cell(stdout, &column[0], "%s", name);
    text_cell(stdout, &column[1], "%s", force);
    text_cell(stdout, &column[1], "%s", inertia);
    printf(" %s\n", reset);
}

/* Lists who would see a wrong force, inertia or reset of each case; EXIT_SHORT: nobody
   would, of one. */
static enum exit_status list_witnesses(const struct args *args)
{
    enum { FORCE, INERTIA, RESET, KINDS, MOST_CASES = 500 };
    bool nobody = false, is_twin[MOST_CASES] = {false};
    for (int k = 0; catalogue[k] && k < MOST_CASES; k++)
        note_twin(catalogue[k], is_twin);
    printf("A mistyped force, inertia or reset would be seen, even by certified values\n"
           "made from it, by (-: there is none to state; refused: of a case without\n"
           "numbers only the refusal is certified):\n\n");
    print_checks("case", "force", "inertia", "reset");
    for (int k = 0; catalogue[k]; k++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_new(catalogue[k], &diagnosis);
        if (!model)
            return complain_refusal(args, catalogue[k]->name, &diagnosis);
        struct cross_checks found = cross_checks_of(model, k < MOST_CASES && is_twin[k]);
        const int set[KINDS] = {found.force, found.inertia, found.reset};
        char text[KINDS][80];
        bool refused = case_is_refused(catalogue[k]);
        for (int i = 0; i < KINDS; i++) {
            cross_checks_text(set[i], text[i], sizeof text[i]);
            if (set[i] == 0 && refused)
                snprintf(text[i], sizeof text[i], "refused");
            nobody = nobody || (set[i] == 0 && !refused);
        }
        print_checks(catalogue[k]->name, text[FORCE], text[INERTIA], text[RESET]);
        model_free(model);
    }
    return nobody ? EXIT_SHORT : EXIT_HELD;
}

/* Prints what the catalogue covers; an empty cell is a hole in it. */
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

/* Draws the mechanisms. */
static enum exit_status list_sheet(const struct args *args)
{
    const char *path = args_text(args, OPTION_SHEET, NULL);
    int cases = 0;
    while (catalogue[cases])
        cases++;
    if (!file_possible(args, path))
        return EXIT_USAGE;
    struct sheet *sheet = sheet_new(catalogue, cases, processors());
    bool written = file_print(args, path, sheet_draw, sheet);
    sheet_free(sheet);
    return written ? EXIT_HELD : EXIT_USAGE;
}

static void list_rules(void)
{
    static const struct text_column rule_name = {"", TEXT_LEFT, 0, 18};
    const char *name[MOST_RULES];
    int count = any_rule_names(name, MOST_RULES);
    for (int k = 0; k < count; k++) {
        const struct jump_rule *rule = any_rule_find(name[k]);
        text_cell_in(stdout, &rule_name, BOLD, "%s", rule->name);
        printf(" %s%s%s%s\n", rule->title, colour_on(stdout, FAINT),
               rule->source ? " | " : "", rule->source ? rule->source : "");
        fputs(colour_off(stdout), stdout);
    }
}

static void print_table(const struct listing *listing, bool more)
{
    const struct list_layout layout = lay_out(listing, more);
    text_heading(stdout, layout.column, LIST_COLUMNS);
    for (int k = 0; k < listing->count; k++) {
        const struct listed *listed = &listing->listed[k];
        if (listed->model)
            print_line(listed->model, &layout, more);
        else
            print_malformed(listed->desc, &listed->diagnosis);
    }
    plugins_print(stdout);
}

static void print_json(const struct listing *listing)
{
    cJSON *array = cJSON_CreateArray();
    for (int k = 0; k < listing->count; k++) {
        const struct listed *listed = &listing->listed[k];
        if (listed->model)
            add_json(array, listed->model);
        else
            add_malformed(array, listed->desc, &listed->diagnosis);
    }
    json_print(stdout, array);
}

/* Names alone need no model: they are there at once, also of a case that is malformed. */
static void print_names(const char *wanted)
{
    for (int k = 0; catalogue[k]; k++)
        if (has_any_class(catalogue[k], wanted))
            puts(catalogue[k]->name);
}

static enum exit_status list_cases(const struct args *args)
{
    const char *wanted = args_text(args, OPTION_CLASS, NULL);
    enum exit_status status = EXIT_HELD;
    if (!check_classes(args, wanted))
        return EXIT_USAGE;
    if (args_has(args, OPTION_NAMES)) {
        print_names(wanted);
        return EXIT_HELD;
    }
    struct listing listing = listing_new(wanted);
    if (args_has(args, OPTION_JSON))
        print_json(&listing);
    else
        print_table(&listing, args_has(args, OPTION_LONG));
    for (int k = 0; k < listing.count; k++)
        if (!listing.listed[k].model)
            status = EXIT_SHORT;
    listing_free(&listing);
    return status;
}

static enum exit_status list(const struct args *args)
{
    bool json = args_has(args, OPTION_JSON);
    if (args_has(args, OPTION_RULES) + args_has(args, OPTION_COVERAGE) +
            args_has(args, OPTION_CLASS) + args_has(args, OPTION_WITNESSES) +
            args_has(args, OPTION_SHEET) > 1)
        return complain(args, "--class, --coverage, --rules, --sheet and --witnesses are "
                        "five answers; ask for one");
    if ((args_has(args, OPTION_RULES) || args_has(args, OPTION_WITNESSES)) && json)
        return complain(args, "--rules and --witnesses have no JSON; leave out --json");
    if (args_has(args, OPTION_SHEET) && (json || args_has(args, OPTION_LONG)))
        return complain(args, "--sheet is a picture; leave out --json and --long");
    if (args_has(args, OPTION_NAMES) &&
        (json || args_has(args, OPTION_LONG) || args_has(args, OPTION_RULES) ||
         args_has(args, OPTION_COVERAGE) || args_has(args, OPTION_WITNESSES) ||
         args_has(args, OPTION_SHEET)))
        return complain(args, "--names are those of cases, alone or with --class; leave "
                        "out the other options");
    if (args_has(args, OPTION_SHEET))
        return list_sheet(args);
    if (args_has(args, OPTION_WITNESSES))
        return list_witnesses(args);
    if (args_has(args, OPTION_COVERAGE))
        return list_coverage(args);
    if (!args_has(args, OPTION_RULES))
        return list_cases(args);
    list_rules();
    return EXIT_HELD;
}

static const enum option_id options[] = {
    OPTION_NAMES, OPTION_LONG, OPTION_CLASS, OPTION_COVERAGE, OPTION_RULES,
    OPTION_WITNESSES, OPTION_SHEET, OPTION_PLUGIN, OPTION_JSON, OPTIONS,
};

extern const struct command command_list;
const struct command command_list = {
    .name = "list", .synopsis = "[OPTION...]", .summary = "The catalogue of mechanisms",
    .text = "n coordinates, m constraints (the most of any mode), p parameters, ev. "
            "events; known:\nproved (balls contain the exact motion), certified (two "
            "routes agree) or refused\n(so do two refusals). What plug-ins bring stands "
            "below. --names is for other\nprograms:\n\n"
            "  saltus verify $(saltus list --names --class impulse)\n",
    .option = options, .least = 0, .most = 0, .run = list,
};
