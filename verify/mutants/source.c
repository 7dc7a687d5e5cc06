/* source.c - faults made in a copy of the source, compiled and judged; see source.h. */
#include "mutants/source.h"

#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"

const struct source_fault source_faults[] = {
#define SOURCE(NAME, PART, VALUES, CASES, OPTIONS, SEEN_BY, WHAT, ...) \
    {NAME, PART, VALUES, CASES, OPTIONS, SEEN_BY, WHAT, {__VA_ARGS__}},
#include "mutants/source.def"
#undef SOURCE
};
const int source_fault_count = sizeof source_faults / sizeof *source_faults;

/* --- files -------------------------------------------------------------------------- */

/* The text of a file, to be freed; NULL: it cannot be read. */
static char *read_whole(const char *folder, const char *name)
{
    char path[2 * SOURCE_TEXT];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return whole_file(path);
}

static bool write_whole(const char *folder, const char *name, const char *text)
{
    char path[2 * SOURCE_TEXT];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool good = fputs(text, file) >= 0;
    return fclose(file) == 0 && good;
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* The next name of a list after `at`. */
static const char *next_name(const char *at)
{
    at += strcspn(at, ",");
    return *at == ',' ? at + 1 : at;
}

/* "tests/PROGRAM:SUITE" in a list: tests that must fail. */
struct test_suite {
    char program[100], name[100];
};

static bool take_suite(const char *at, struct test_suite *suite)
{
    return sscanf(at, "tests/%99[a-z_]:%99[a-z_]", suite->program, suite->name) == 2;
}

static bool suite_is_there(const char *tree, const struct test_suite *suite)
{
    char pattern[2 * SOURCE_TEXT], test[120];
    glob_t files;
    bool there = false;
    snprintf(pattern, sizeof pattern, "%s/verify/tests/%s/*.c", tree, suite->program);
    snprintf(test, sizeof test, "\nTest(%s,", suite->name);
    if (glob(pattern, 0, NULL, &files) != 0)
        return false;
    for (size_t i = 0; i < files.gl_pathc && !there; i++) {
        char *text = read_whole(tree, files.gl_pathv[i] + strlen(tree) + 1);
        there = text && strstr(text, test);
        free(text);
    }
    globfree(&files);
    return there;
}

/* The number of suites in the list of a fault that are not in the tree; each is said. */
static int check_suites(const char *tree, const struct source_fault *fault, FILE *stream)
{
    int bad = 0;
    for (const char *at = fault->seen_by; *at; at = next_name(at)) {
        struct test_suite suite;
        if (strncmp(at, "tests/", 6) != 0 ||
            (take_suite(at, &suite) && suite_is_there(tree, &suite)))
            continue;
        fprintf(stream, "source.def: %s: there are no tests %.*s: mend the line\n",
                fault->name, (int)strcspn(at, ","), at);
        bad++;
    }
    return bad;
}

int source_check(const char *tree, FILE *stream)
{
    int bad = 0;
    for (int k = 0; k < source_fault_count; k++)
        bad += check_suites(tree, &source_faults[k], stream);
    for (int k = 0; k < source_fault_count; k++)
        for (int i = 0; i < SOURCE_EDITS && source_faults[k].edit[i].file; i++) {
            const struct source_edit *edit = &source_faults[k].edit[i];
            char *text = read_whole(tree, edit->file);
            int found = text ? occurrences(text, edit->text) : 0;
            if (found != 1) {
                fprintf(stream, "source.def: %s: '%s' is %s in %s: mend the line\n",
                        source_faults[k].name, edit->text,
                        found ? "there more than once" : "not there", edit->file);
                bad++;
            }
            free(text);
        }
    return bad;
}

/* --- commands ----------------------------------------------------------------------- */

/* Runs a command of the shell in the folder of the copy, its output into `log` there.
   Returns its exit status; 255: it has none. */
__attribute__((format(printf, 2, 3)))
static int shell(const struct source_copy *copy, const char *format, ...)
{
    char command[8 * SOURCE_TEXT];
    int used = snprintf(command, sizeof command,
                        "cd '%s' && export SALTUS_CACHE='%s/cache' && { ", copy->folder,
                        copy->folder);
    va_list list;
    va_start(list, format);
    used += vsnprintf(command + used, sizeof command - (size_t)used, format, list);
    va_end(list);
    if ((size_t)used + 40 > sizeof command)
        return 255;
    snprintf(command + used, sizeof command - (size_t)used, "; } </dev/null >log 2>&1");
    fflush(NULL);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

/* The copy holds the plain build: the variables of a make around this one (SAN=1,
   CC=clang) must not reach its make. */
static bool build(const struct source_copy *copy, const char *target)
{
    return shell(copy, "unset MAKEFLAGS MFLAGS SAN CC MPI; "
                 "make -j%d 'build/%s' SKIP_DEPS=1", copy->threads, target) == 0;
}

bool source_tree(const char *tree)
{
    char *list = read_whole(tree, "verify/mutants/source.def");
    free(list);
    return list != NULL;
}

bool source_copy_make(struct source_copy *copy, const char *tree, const char *folder,
                      int threads, char *why)
{
    *copy = (struct source_copy){.tree = tree, .threads = threads};
    snprintf(copy->folder, sizeof copy->folder, "%s", folder);
    if (!source_tree(tree) || strchr(folder, '\'') || strchr(tree, '\'')) {
        snprintf(why, SOURCE_TEXT, "%.200s is not the source tree of saltus", tree);
        return false;
    }
    char command[8 * SOURCE_TEXT];
    snprintf(command, sizeof command,
             "rm -rf '%s' && mkdir -p '%s/build' && cd '%s' && cp -a Makefile cases "
             "formulations reference verify bench '%s' && for f in build/*; do "
             "case $f in *mutants*|build/tests|build/saltus*|build/*.so|build/install|"
             "build/arrows|'build/*') ;; *) cp -a $f '%s/build';; esac; done",
             folder, folder, tree, folder, folder);
    if (system(command) != 0) {
        snprintf(why, SOURCE_TEXT, "%.200s cannot be copied to %.200s", tree, folder);
        return false;
    }
    if (!build(copy, "saltus") ||
        shell(copy, "cp build/saltus saltus-without-fault") != 0) {
        snprintf(why, SOURCE_TEXT, "the copy in %.200s does not build (no compiler?): "
                 "see log there", folder);
        return false;
    }
    return true;
}

void source_copy_remove(const struct source_copy *copy)
{
    char command[2 * SOURCE_TEXT];
    snprintf(command, sizeof command, "rm -rf '%s'", copy->folder);
    if (system(command) != 0)
        fprintf(stderr, "saltus: %s is left behind\n", copy->folder);
}

/* --- who sees ----------------------------------------------------------------------- */

/* Is `name`, of this length, in a comma separated list? */
static bool in_list(const char *list, const char *name, size_t length)
{
    for (const char *at = list; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

static void add_to_list(char *list, const char *name, size_t length)
{
    size_t used = strlen(list);
    if (length == 0 || in_list(list, name, length) || used + length + 2 > SOURCE_TEXT)
        return;
    snprintf(list + used, SOURCE_TEXT - used, "%s%.*s", used > 0 ? "," : "", (int)length,
             name);
}

static void add_name(char *list, const char *name)
{
    add_to_list(list, name, strlen(name));
}

/* "not ok 1 - five-bar: ode by certified"; "by -" is a refusal nobody shares. */
static bool read_verdicts(const struct source_copy *copy, char *seen)
{
    char *tap = read_whole(copy->folder, "verdicts.tap"), *rest = NULL;
    long rows = 0;
    for (char *line = tap ? strtok_r(tap, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *by = strstr(line, " by ");
        rows += by != NULL && !strstr(line, "# SKIP");
        if (!by || strncmp(line, "not ok", 6) != 0)
            continue;
        by += 4;
        size_t length = strcspn(by, " ");
        if (length == 1 && *by == '-')
            add_name(seen, "refused");
        else
            add_to_list(seen, by, length);
    }
    free(tap);
    return rows > 0;
}

/* Certifies by the build under test, into the folder `values`, beside the old proofs. */
static bool certify(const struct source_copy *copy, const struct source_fault *fault,
                    const char *saltus)
{
    return shell(copy,
                 "rm -rf values; mkdir values; cp reference/values/*.proved values; "
                 "for c in %s; do %s certify $c --variant exact --jobs %d "
                 "--directory values || exit 1; done",
                 fault->cases, saltus, copy->threads) == 0;
}

/* Does anyone of the list read the table of verdicts? Then option [SOURCE_TEXT] asks for
   the oracles of the list alone; for all oracles where a refusal may come from any, or
   where the values are remade and may be refusals. */
static bool asks_oracles(const struct source_fault *fault, char *option)
{
    static const char *const other[] = {"regress", "mutants", "certify"};
    static const char *const of_motions[] = {"invariant", "double-series"};
    char oracles[SOURCE_TEXT] = "";
    const char *list = fault->seen_by;
    bool any = false, all = fault->values == REMADE;
    for (const char *at = list; *at; at = next_name(at)) {
        size_t length = strcspn(at, ",");
        bool oracle = strncmp(at, "tests/", 6) != 0;
        for (size_t k = 0; k < sizeof other / sizeof *other; k++)
            oracle = oracle && !in_list(other[k], at, length);
        any = any || oracle;
        all = all || in_list("refused", at, length);
        for (size_t k = 0; oracle && k < sizeof of_motions / sizeof *of_motions; k++)
            if (in_list(of_motions[k], at, length)) {
                add_name(oracles, "mpfr-difference");
                oracle = false;
            }
        if (oracle)
            add_to_list(oracles, at, length);
    }
    snprintf(option, SOURCE_TEXT, "%s%.*s", all ? "" : "--oracle ", SOURCE_TEXT - 16,
             all ? "" : oracles);
    return any;
}

/* Adds the suites of the list of which a test fails. Below a test, which Criterion runs
   in a process of its own, a program would take itself for that process by BXFI_MAP, and
   succeed without a test. */
static void run_tests(const struct source_copy *copy, const char *list, char *seen)
{
    for (const char *at = list; *at; at = next_name(at)) {
        struct test_suite suite;
        char target[120], name[SOURCE_TEXT];
        if (!take_suite(at, &suite))
            continue;
        snprintf(target, sizeof target, "tests/%s", suite.program);
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (build(copy, target) &&
            shell(copy, "unset BXFI_MAP; SALTUS_COMMAND=build/saltus build/%s --filter "
                  "'%s/*'", target, suite.name) != 0)
            add_name(seen, name);
    }
}

/* Lists everyone who falls short in the build of the copy, among those that the fault
   names and all oracles. false: nothing could be judged. */
static bool observe(const struct source_copy *copy, const struct source_fault *fault,
                    bool faulty, char *seen)
{
    const char *by = fault->seen_by;
    char oracles[SOURCE_TEXT];
    const char *values = fault->values == REMADE ? "values" : "reference/values";
    const char *saltus = faulty ? "build/saltus" : "./saltus-without-fault";
    bool judged = true;
    *seen = '\0';
    shell(copy, "rm -rf cache verdicts.tap");
    if (fault->values == REMADE && !certify(copy, fault, saltus))
        add_name(seen, "certify");
    if (asks_oracles(fault, oracles)) {
        int status = shell(copy, "SALTUS_VALUES='%s/%s' %s verify %s %s %s -j%d "
                           "--tap verdicts.tap", copy->folder, values, saltus,
                           fault->cases, fault->options, oracles, copy->threads);
        judged = read_verdicts(copy, seen) || (status != 0 && *seen);
    }
    if (in_list(by, "regress", 7) && faulty &&
        shell(copy, "SALTUS_VALUES='%s/%s' %s regress %s %s -j%d --against base",
              copy->folder, values, saltus, fault->cases, fault->options,
              copy->threads) != 0)
        add_name(seen, "regress");
    if (in_list(by, "regress", 7) && !faulty)
        judged = shell(copy, "rm -f base; SALTUS_VALUES='%s/%s' %s regress %s %s "
                       "-j%d --save base", copy->folder, values, saltus, fault->cases,
                       fault->options, copy->threads) == 0 && judged;
    if (in_list(by, "mutants", 7) &&
        shell(copy, "SALTUS_VALUES='%s/%s' %s mutants %s -j%d", copy->folder,
              values, saltus, fault->cases, copy->threads) != 0)
        add_name(seen, "mutants");
    run_tests(copy, by, seen);
    return judged;
}

/* --- a fault ------------------------------------------------------------------------ */

/* Replaces the text in the file, whose original is kept under the name original.N. */
static bool make_edit(const struct source_copy *copy, const struct source_edit *edit,
                      int number)
{
    char name[40];
    snprintf(name, sizeof name, "original.%d", number);
    char *text = read_whole(copy->folder, edit->file), *out = NULL;
    size_t size = 0;
    const char *at = text ? strstr(text, edit->text) : NULL;
    if (!at || occurrences(text, edit->text) != 1) {
        free(text);
        return false;
    }
    FILE *memory = open_memstream(&out, &size);
    fprintf(memory, "%.*s%s%s", (int)(at - text), text, edit->replacement,
            at + strlen(edit->text));
    fclose(memory);
    bool good = write_whole(copy->folder, name, text) &&
                write_whole(copy->folder, edit->file, out);
    free(out);
    free(text);
    return good;
}

/* Takes back the first `edits` of a fault: files are written anew, so that make compiles
   them. */
static bool take_back(const struct source_copy *copy, const struct source_fault *fault,
                      int edits)
{
    bool good = true;
    for (int i = edits - 1; i >= 0; i--) {
        char name[40];
        snprintf(name, sizeof name, "original.%d", i);
        char *text = read_whole(copy->folder, name);
        good = text && write_whole(copy->folder, fault->edit[i].file, text) && good;
        free(text);
    }
    return good;
}

static void not_judged(struct source_result *result, const char *why)
{
    result->fate = SOURCE_NOT_JUDGED;
    snprintf(result->why, sizeof result->why, "%s", why);
}

/* Lists those who see the fault now and did not before. Are all that must see it among
   them? */
static void compare_lists(const struct source_fault *fault, const char *before,
                          const char *now, struct source_result *result)
{
    bool all = true;
    for (const char *at = now; *at; at += strcspn(at, ",") + (strchr(at, ',') != NULL))
        if (!in_list(before, at, strcspn(at, ",")))
            add_to_list(result->seen, at, strcspn(at, ","));
    for (const char *at = fault->seen_by; *at;
         at += strcspn(at, ",") + (strchr(at, ',') != NULL))
        all = all && in_list(result->seen, at, strcspn(at, ","));
    result->fate = all ? SOURCE_SEEN : SOURCE_UNSEEN;
}

/* Lists who falls short without the fault; faults in a row that ask the same ask once. */
static bool observe_before(struct source_copy *copy, const struct source_fault *fault)
{
    const struct source_fault *last = copy->asked;
    if (last && strcmp(last->cases, fault->cases) == 0 && last->values == fault->values &&
        strcmp(last->options, fault->options) == 0 &&
        strcmp(last->seen_by, fault->seen_by) == 0)
        return true;
    copy->asked = observe(copy, fault, false, copy->before) ? fault : NULL;
    return copy->asked != NULL;
}

void source_judge(struct source_copy *copy, const struct source_fault *fault,
                  struct source_result *result)
{
    char now[SOURCE_TEXT];
    int edits = 0;
    *result = (struct source_result){.fate = SOURCE_NOT_JUDGED};
    if (!observe_before(copy, fault)) {
        not_judged(result, "without the fault nothing is judged");
        return;
    }
    while (edits < SOURCE_EDITS && fault->edit[edits].file &&
           make_edit(copy, &fault->edit[edits], edits))
        edits++;
    if (edits < SOURCE_EDITS && fault->edit[edits].file)
        not_judged(result, "its text is not in the file exactly once");
    else if (!build(copy, "saltus"))
        not_judged(result, "the faulty source does not compile");
    else if (!observe(copy, fault, true, now))
        not_judged(result, "with the fault nothing is judged");
    else
        compare_lists(fault, copy->before, now, result);
    if (!take_back(copy, fault, edits))
        not_judged(result, "the copy is not what it was any more");
}
