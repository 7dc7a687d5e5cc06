/*
 * args.c - getopt_long by the table options.def, and checks of all values (args.h)
 */
#include "options/args.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/whole_file.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "base/suggest.h"

static const struct option_info info[] = {
#define OPTION(ID, name, letter, argument, help) {name, letter, argument, help},
#include "options/options.def"
#undef OPTION
};

/* getopt_long returns an id as a number that is no letter */
enum { FIRST_ID = 1000 };

/* Contents of files that options name, as texts; args_clear frees them. */
struct owned_texts { int count, room; char **text; };

enum exit_status complain(const struct args *args, const char *format, ...)
{
    va_list list;
    char *text;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0)
        memory_exhausted();
    flockfile(stderr);          /* the line stays whole, whatever other threads say */
    fprintf(stderr, "saltus %s: ", args->command->name);
    print_printable(stderr, text);
    fputc('\n', stderr);
    funlockfile(stderr);
    free(text);
    return EXIT_USAGE;
}

const struct option_info *option_info(enum option_id id)
{
    return &info[id];
}

/* Prints names from a table, at column 28 and on as many lines as they need. */
static void print_names(enum option_id id)
{
    enum { MANY = 256, LEFT = 28, RIGHT = 80 };
    const char *name[MANY];
    int count = setup_names(id, name, MANY), column = LEFT;
    for (int k = 0; k < count; k++) {
        int length = (int)strlen(name[k]) + 2;
        bool next_line = column + length > RIGHT;
        if (next_line) {
            printf("\n%*s", LEFT, "");
            column = LEFT;
        }
        printf("%s%s%s", k == 0 || next_line ? "" : " ", name[k],
               k < count - 1 ? "," : "");
        column += length;
    }
    putchar('\n');
}

void print_help(const struct command *command)
{
    size_t length = strlen(command->summary);
    printf("usage: saltus %s %s\n\n%s%s\n\n", command->name, command->synopsis,
           command->summary, command->summary[length - 1] == '?' ? "" : ".");
    for (const enum option_id *id = command->option;; id++) {
        const struct option_info *option = &info[*id == OPTIONS ? OPTION_HELP : *id];
        char left[60], letter[8] = "    ";
        if (option->letter)
            snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name,
                 option->argument ? " " : "", option->argument ? option->argument : "");
        printf("  %-25s %s%s", left, option->help ? option->help : "",
               option->help ? "\n" : "");
        if (!option->help)
            print_names(*id);
        if (*id == OPTIONS)
            break;
    }
    if (command->text)
        printf("\n%s", command->text);
}

/* --- parsing ------------------------------------------------------------------------ */

/* Makes the tables of getopt_long for one command: long options, then letters behind a
   ':' that asks getopt_long to tell missing arguments from unknown options. */
static int build_tables(const struct command *command, struct option *table,
                        char *letters)
{
    int count = 0, used = 0;
    letters[used++] = ':';
    for (const enum option_id *id = command->option;; id++) {
        int which = *id == OPTIONS ? OPTION_HELP : (int)*id;
        table[count++] = (struct option){
            info[which].name, info[which].argument ? required_argument : no_argument,
            NULL, FIRST_ID + which};
        if (info[which].letter) {
            letters[used++] = info[which].letter;
            if (info[which].argument)
                letters[used++] = ':';
        }
        if (*id == OPTIONS)
            break;
    }
    letters[used] = '\0';
    table[count] = (struct option){0};
    return count;
}

static int id_of_letter(const struct command *command, int letter)
{
    if (letter == info[OPTION_HELP].letter)
        return OPTION_HELP;
    for (const enum option_id *id = command->option; *id != OPTIONS; id++)
        if (info[*id].letter == letter)
            return (int)*id;
    return -1;
}

static enum exit_status unknown_option(const struct args *args,
                                       const struct option *table, int count,
                                       const char *given)
{
    const char *name[OPTIONS + 1];
    char dashed[OPTIONS + 1][32], wrong[64], offer[300];
    for (int k = 0; k < count; k++) {
        snprintf(dashed[k], sizeof dashed[k], "--%s", table[k].name);
        name[k] = dashed[k];
    }
    snprintf(wrong, sizeof wrong, "%.*s", (int)strcspn(given, "="), given);
    offer_names(wrong, name, count, offer, sizeof offer);
    return complain(args, "no option %s; %s", wrong, offer);
}

static void keep(struct args *args, int id, const char *value)
{
    const char ***list = &args->option[id].value;
    *list = realloc(*list, ((size_t)args->option[id].count + 1) * sizeof **list);
    if (!*list)
        memory_exhausted();
    (*list)[args->option[id].count++] = value;
}

static bool check_operands(struct args *args, enum exit_status *status)
{
    const struct command *command = args->command;
    bool few = args->operands < command->least;
    bool many = command->most >= 0 && args->operands > command->most;
    /* the synopsis begins with the operands, the first of which is a case */
    const char *missing = command->synopsis;
    for (int k = 0; k < args->operands && few; k++)
        missing += strcspn(missing, " ") + 1;
    if (few && args->operands == 0)
        *status = complain(args, "a case is missing; usage: saltus %s %s", command->name,
                           command->synopsis);
    else if (few)
        *status = complain(args, "%.*s is missing; usage: saltus %s %s",
                           (int)strcspn(missing, " "), missing, command->name,
                           command->synopsis);
    if (many)
        *status = complain(args, "'%s' is one argument too many; usage: saltus %s %s",
                           args->operand[command->most], command->name,
                           command->synopsis);
    return !few && !many;
}

/* Options that take a file to be written. */
static const enum option_id outputs[] = {OPTION_OUT,       OPTION_PLOT,  OPTION_SHEET,
                                         OPTION_SAVE,      OPTION_JSON_FILE,
                                         OPTION_JUNIT,     OPTION_TAP};
enum { OUTPUTS = sizeof outputs / sizeof *outputs };

/* Options that take names separated by commas. */
static const enum option_id lists[] = {OPTION_CLASS, OPTION_ORACLE, OPTION_SENS,
                                       OPTION_COLUMNS, OPTION_METHOD, OPTION_OVER,
                                       OPTION_BOUNDS, OPTION_START, OPTION_DRAWN};
enum { LISTS = sizeof lists / sizeof *lists };

/* "e,", ",e", "e,,m": a name is missing. */
static bool lists_are_whole(struct args *args, enum exit_status *status)
{
    for (int i = 0; i < LISTS; i++)
        for (int k = 0; k < args->option[lists[i]].count; k++) {
            const char *value = args->option[lists[i]].value[k];
            size_t length = strlen(value);
            if (value[0] != ',' && value[length - 1] != ',' && !strstr(value, ",,"))
                continue;
            *status = complain(args, "--%s: a name is missing beside a comma in '%s'",
                               info[lists[i]].name, value);
            return false;
        }
    return true;
}

/* The file that a value of this option is, or has behind its '@'; NULL: none. */
static const char *read_by(enum option_id id, const char *value)
{
    const char *at = strstr(value, "=@");
    if (id == OPTION_OPT)
        return at ? at + 2 : NULL;
    return id == OPTION_AGAINST || id == OPTION_PLUGIN ? value : NULL;
}

bool args_keep_input(const struct args *args, enum option_id output, const char *input)
{
    const char *path = args_text(args, output, NULL);
    if (!path || !destinations_same(path, input))
        return true;
    complain(args, "--%s %s: that is %s%s, which is read; give another",
             info[output].name, path, strcmp(path, input) == 0 ? "a file" : input,
             strcmp(path, input) == 0 ? "" : " by another name");
    return false;
}

/* No file that an option reads is written over: by `beside` or, where `beside` is NULL,
   by the output itself. */
static bool keep_inputs(const struct args *args, enum option_id output,
                        const char *beside)
{
    for (int id = 0; id < OPTIONS; id++)
        for (int k = 0; k < args->option[id].count; k++) {
            const char *input = read_by((enum option_id)id, args->option[id].value[k]);
            if (!input || (!beside && args_keep_input(args, output, input)) ||
                (beside && !destinations_same(beside, input)))
                continue;
            if (beside)
                complain(args, "--%s %s: %s is written, too, and that is %s%s, which is "
                         "read; give another", info[output].name,
                         args_text(args, output, ""), beside,
                         strcmp(beside, input) == 0 ? "a file" : input,
                         strcmp(beside, input) == 0 ? "" : " by another name");
            return false;
        }
    return true;
}

bool args_keep_inputs(const struct args *args, enum option_id output, const char *path)
{
    return keep_inputs(args, output, path);
}

/* Finds the place that an output goes to; false: no output is asked for, or its path
   leads nowhere. */
static bool find_output(const struct args *args, enum option_id id,
                        struct destination *destination)
{
    const char *path = args_text(args, id, NULL);
    return path && destination_find(destination, path);
}

/* How many outputs go to standard output, or (`there` false) elsewhere. */
static int count_outputs(const struct args *args, bool there)
{
    int count = 0;
    for (int k = 0; k < OUTPUTS; k++) {
        struct destination destination;
        count += find_output(args, outputs[k], &destination) &&
                 destination_is_output(&destination) == there;
    }
    return count;
}

bool args_take_output(const struct args *args)
{
    return count_outputs(args, true) > 0;
}

bool args_write_files(const struct args *args)
{
    return count_outputs(args, false) > 0;
}

/* Are both outputs descriptors of standard output? The results would stand one behind the
   other. */
static bool both_output(const struct args *args, enum option_id one,
                        enum option_id other)
{
    struct destination a, b;
    return find_output(args, one, &a) && find_output(args, other, &b) &&
           a.kind == DESTINATION_DESCRIPTOR && destination_is_output(&a) &&
           b.kind == DESTINATION_DESCRIPTOR && destination_is_output(&b);
}

/* No two results go into one file, where the second would take the place of the first. A
   destination that is no plain file, /dev/null, may have both. */
static bool keep_outputs(const struct args *args)
{
    for (int i = 0; i < OUTPUTS; i++)
        for (int k = 0; k < i; k++) {
            const char *one = args_text(args, outputs[k], NULL);
            const char *other = args_text(args, outputs[i], NULL);
            if (both_output(args, outputs[k], outputs[i])) {
                complain(args, "--%s %s and --%s %s want standard output alone; give "
                         "one of them a file", info[outputs[k]].name, one,
                         info[outputs[i]].name, other);
                return false;
            }
            if (!one || !other || !destinations_same(one, other))
                continue;
            bool alike = strcmp(one, other) == 0;
            complain(args, "--%s and --%s are both %s%s%s; give each a file of its own",
                     info[outputs[k]].name, info[outputs[i]].name, one,
                     alike ? "" : ", also called ", alike ? "" : other);
            return false;
        }
    return true;
}

/* No value is empty, and no file is written twice, or read and written. */
static bool check_values(struct args *args, enum exit_status *status)
{
    for (int id = 0; id < OPTIONS; id++)
        for (int k = 0; k < args->option[id].count && info[id].argument; k++)
            if (!*args->option[id].value[k]) {
                *status = complain(args, "--%s needs a value; '' is none",
                                   info[id].name);
                return false;
            }
    bool kept = keep_outputs(args);
    for (int k = 0; k < OUTPUTS && kept; k++)
        kept = keep_inputs(args, outputs[k], NULL);
    *status = kept ? EXIT_HELD : EXIT_USAGE;
    return kept;
}

bool args_parse(struct args *args, const struct command *command, int argc, char **argv,
                enum exit_status *status)
{
    struct option table[OPTIONS + 2];
    char letters[2 * OPTIONS + 8];
    int count = build_tables(command, table, letters), found;
    *args = (struct args){.command = command,
                          .owned = memory_new(1, sizeof *args->owned)};
    *status = EXIT_HELD;
    opterr = 0;
    optind = 1;
    while ((found = getopt_long(argc, argv, letters, table, NULL)) != -1) {
        int id = found >= FIRST_ID ? found - FIRST_ID : id_of_letter(command, found);
        if (found == ':') {
            *status = complain(args, "%s needs a value", argv[optind - 1]);
            return false;
        }
        if (found == '?') {
            char letter[3] = {'-', (char)optopt, '\0'};
            bool is_letter = optopt > 0 && optopt < FIRST_ID;
            *status = unknown_option(args, table, count,
                                     is_letter ? letter : argv[optind - 1]);
            return false;
        }
        keep(args, id, optarg ? optarg : "");
    }
    args->operands = argc - optind;
    args->operand = (const char **)(argv + optind);
    return args_has(args, OPTION_HELP) ||
           (check_values(args, status) && lists_are_whole(args, status) &&
            check_operands(args, status));
}

void args_clear(struct args *args)
{
    for (int id = 0; id < OPTIONS; id++)
        free(args->option[id].value);
    for (int k = 0; k < args->owned->count; k++)
        free(args->owned->text[k]);
    free(args->owned->text);
    free(args->owned);
}

const char *args_own(const struct args *args, char *text)
{
    struct owned_texts *owned = args->owned;
    owned->text = memory_grow(owned->text, &owned->room, owned->count + 1,
                              sizeof *owned->text);
    owned->text[owned->count++] = text;
    return text;
}

/* --- values ------------------------------------------------------------------------- */

bool args_has(const struct args *args, enum option_id id)
{
    return args->option[id].count > 0;
}

const char *args_text(const struct args *args, enum option_id id, const char *otherwise)
{
    int count = args->option[id].count;
    return count > 0 ? args->option[id].value[count - 1] : otherwise;
}

bool read_number(const char *text, double *value)
{
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(number) || text[0] == ' ')
        return false;
    *value = number;
    return true;
}

/* A number that this option might have, for complaints. */
static const char *example(enum option_id id)
{
    return id == OPTION_RTOL || id == OPTION_ATOL ? "1e-10" : "6";
}

bool args_number(const struct args *args, enum option_id id, double *value)
{
    const char *text = args_text(args, id, NULL);
    if (!text || read_number(text, value))
        return true;
    complain(args, "--%s: '%s' is not a number; give one like %s", info[id].name, text,
             example(id));
    return false;
}

bool args_positive(const struct args *args, enum option_id id, double *value)
{
    if (!args_number(args, id, value))
        return false;
    if (!args_has(args, id) || *value > 0.0)
        return true;
    complain(args, "--%s: %s is not above zero; give one like %s", info[id].name,
             args_text(args, id, ""), example(id));
    return false;
}

bool args_rtol(const struct args *args, double *rtol)
{
    if (!args_positive(args, OPTION_RTOL, rtol))
        return false;
    if (!args_has(args, OPTION_RTOL) || *rtol < 1.0)
        return true;
    complain(args, "--rtol: %s leaves no digit; give one below 1, like %s",
             args_text(args, OPTION_RTOL, ""), example(OPTION_RTOL));
    return false;
}

bool args_count(const struct args *args, enum option_id id, long least, long most,
                long *value)
{
    const char *text = args_text(args, id, NULL);
    if (!text)
        return true;
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno || number < least || number > most) {
        complain(args, "--%s: '%s' is not a whole number from %ld to %ld", info[id].name,
                 text, least, most);
        return false;
    }
    *value = number;
    return true;
}

bool next_in_list(const char **list, char *piece, int size)
{
    if (!**list)
        return false;
    int length = (int)strcspn(*list, ",");
    snprintf(piece, (size_t)size, "%.*s", length, *list);
    *list += length;
    if (**list == ',')
        ++*list;
    return true;
}

bool is_wrong_request(const struct diagnosis *diagnosis)
{
    /* a refusal without a time is one of an option: a matrix of the formulation that is
       not SPD */
    return diagnosis->status == BAD_INPUT || diagnosis->status == NOT_APPLICABLE ||
           (diagnosis->status == NOT_SPD && isnan(diagnosis->t));
}

/* Finds "path:line:column: " at the beginning of a text: the length of the path; -1:
   there is none. */
static int find_source(const char *text, int *line, int *column)
{
    for (const char *c = strchr(text, ':'); c; c = strchr(c + 1, ':')) {
        int length = 0;
        if (sscanf(c, ":%d:%d:%n", line, column, &length) == 2 && length > 0
            && c[length] == ' ')
            return (int)(c - text);
    }
    return -1;
}

/* Shows the line of a file, and a caret under the column. */
static void show_source(const char *path, int line, int column)
{
    enum { WIDTH = 160, BEFORE = 100 };
    char *text = whole_file(path), *at = text;
    for (int k = 1; at && k < line; k++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    int length = at ? (int)strcspn(at, "\r\n") : 0;
    int begin = column > WIDTH ? column - BEFORE : 0;
    if (length > begin) {
        /* control characters would command the terminal */
        for (int k = begin; k < length && k < begin + WIDTH; k++)
            if ((unsigned char)at[k] < ' ' || at[k] == 0x7f)
                at[k] = at[k] == '\t' ? '\t' : '?';
        fprintf(stderr, "    %.*s\n    ", length - begin < WIDTH ? length - begin : WIDTH,
                at + begin);
        for (int k = begin; k < column - 1 && k < length; k++)
            fputc(at[k] == '\t' ? '\t' : ' ', stderr);
        fputs("^\n", stderr);
    }
    free(text);
}

bool complain_source(const struct args *args, const struct diagnosis *diagnosis)
{
    int line, column, length = find_source(diagnosis->place, &line, &column);
    if (diagnosis->status != BAD_INPUT || length < 0)
        return false;
    char path[sizeof diagnosis->place];
    snprintf(path, sizeof path, "%.*s", length, diagnosis->place);
    char message[sizeof diagnosis->place];
    snprintf(message, sizeof message, "%s", diagnosis->place);
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    complain(args, "%s", message);
    show_source(path, line, column);
    return true;
}

enum exit_status complain_refusal(const struct args *args, const char *subject,
                                  const struct diagnosis *diagnosis)
{
    if (complain_source(args, diagnosis))
        return EXIT_USAGE;
    char place[sizeof diagnosis->place], when[40] = "";
    snprintf(place, sizeof place, "%s", diagnosis->place);
    for (char *c = place; *c; c++)
        if (*c == '\n')
            *c = ' ';
    if (!isnan(diagnosis->t))
        snprintf(when, sizeof when, " at t = %.9g", diagnosis->t);
    complain(args, "%s: %s%s: %s%s(%s)", subject, status_text(diagnosis->status), when,
             place, place[0] ? " " : "", status_meaning(diagnosis->status));
    return is_wrong_request(diagnosis) ? EXIT_USAGE : EXIT_NO_ANSWER;
}
