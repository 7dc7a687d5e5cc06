/*
 * test_code_cache.c - formulations/codegen/code_cache.c: what is compiled is kept, found
 * again, and made anew where it is not what it should be; without a compiler or a folder
 * nothing is lost but time.
 */
#include <sys/stat.h>

#include "codegen/code_cache.h"
#include "running.h"

/* A compiler that notes every call, and a cache, both in the folder of the test. */
static void begin(void)
{
    char path[PATH_MAX];
    make_folder();
    write_file("compiler", "#!/bin/sh\necho called >> \"$(dirname \"$0\")/calls\"\n"
               "exec cc \"$@\"\n");
    cr_assert_eq(shell("chmod 700 compiler"), 0);
    snprintf(path, sizeof path, "%s/compiler", folder);
    setenv("SALTUS_CC", path, 1);
    snprintf(path, sizeof path, "%s/cache", folder);
    setenv("SALTUS_CACHE", path, 1);
    unsetenv("SALTUS_CACHE_MIB");
    unsetenv("SALTUS_CODE");
}

TestSuite(code, .init = begin, .fini = remove_folder, .timeout = 120);

/* --- helpers ------------------------------------------------------------------------ */

static int calls(void)
{
    char *text = contents("calls");
    int count = 0;
    for (const char *c = text; c && *c; c++)
        count += *c == '\n';
    free(text);
    return count;
}

static const char *text_of(int number)
{
    static char text[100];
    snprintf(text, sizeof text, "int saltus_number(void) { return %d; }\n", number);
    return text;
}

/* What the function of the code returns; -1: there is none. */
static int number_of(const struct code_cache_entry *code)
{
    int (*function)(void);
    if (!code)
        return -1;
    void *address = code_cache_symbol(code);
    memcpy(&function, &address, sizeof address);
    return function();
}

/* Opened, asked and closed. */
static int number(int number_there, bool made)
{
    struct code_cache_entry *code = code_cache_open(text_of(number_there),
                                                    "saltus_number", made);
    int got = number_of(code);
    code_cache_close(code);
    return got;
}

/* How many files of the cache have names that end so. */
static int files(const char *end)
{
    cr_assert_eq(shell("ls cache | grep -c '%s$'", end) & ~1, 0);
    char *out = contents("out");
    int count = atoi(out);
    free(out);
    return count;
}

/* One entry and its lock, and nothing else. */
static void expect_entries(int count)
{
    cr_expect_eq(files("\\.so"), count);
    cr_expect_eq(files("\\.c"), count);
    cr_expect_eq(files(""), 2 * count + 1);
}

static int lines_of_err(void)
{
    char *err = contents("err");
    int lines = 0;
    for (const char *c = err; *c; c++)
        lines += *c == '\n';
    free(err);
    return lines;
}

/* --- made once ---------------------------------------------------------------------- */

Test(code, is_not_made_where_it_is_only_looked_for)
{
    cr_expect_eq(number(1, false), -1);
    cr_expect_eq(calls(), 0);
}

Test(code, is_made_once_and_found_again)
{
    struct stat first, second;
    char path[PATH_MAX];
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(calls(), 1);
    expect_entries(1);
    cr_assert_eq(shell("ls cache/*.so"), 0);
    char *name = contents("out");
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(name, "\n"), name);
    free(name);
    cr_assert_eq(stat(path, &first), 0);
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(number(1, false), 1);
    cr_assert_eq(stat(path, &second), 0);
    cr_expect_eq(first.st_ino, second.st_ino);
    cr_expect_eq(calls(), 1);
    expect_entries(1);
}

Test(code, of_another_text_or_compiler_is_another_entry)
{
    char path[PATH_MAX];
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(number(2, true), 2);
    cr_expect_eq(calls(), 2);
    cr_assert_eq(shell("cp compiler other"), 0);
    snprintf(path, sizeof path, "%s/other", folder);
    setenv("SALTUS_CC", path, 1);
    cr_expect_eq(number(1, false), -1);
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(calls(), 3);
    expect_entries(3);
}

/* Both want it at once: one makes it, the other waits and loads the same. */
Test(code, is_made_once_by_two_processes_at_once)
{
    enum { PROCESSES = 4 };
    pid_t child[PROCESSES];
    for (int k = 0; k < PROCESSES; k++) {
        child[k] = fork();
        cr_assert_geq(child[k], 0);
        if (child[k] == 0)
            _exit(number(7, true) == 7 ? 0 : 1);
    }
    for (int k = 0; k < PROCESSES; k++) {
        int result;
        cr_assert_eq(waitpid(child[k], &result, 0), child[k]);
        cr_expect(WIFEXITED(result) && WEXITSTATUS(result) == 0, "process %d: %d", k,
                  result);
    }
    cr_expect_eq(calls(), 1);
    expect_entries(1);
}

Test(code, without_the_symbol_that_was_asked_for_is_none)
{
    cr_expect_null(code_cache_open(text_of(1), "another", true));
}

/* --- what is not what it should be -------------------------------------------------- */

/* After damage done by a shell command in the cache the entry is made anew. */
static void expect_made_anew(const char *damage)
{
    int before = calls();
    cr_expect_eq(number(3, true), 3);
    cr_assert_eq(shell("cd cache && %s", damage), 0, "%s", damage);
    cr_expect_eq(number(3, false), -1, "used after: %s", damage);
    cr_expect_eq(number(3, true), 3, "not made anew after: %s", damage);
    cr_expect_eq(calls(), before + 1 + (before == 0), "%s", damage);
    cr_expect_eq(number(3, false), 3);
    expect_entries(1);
}

Test(code, of_which_a_part_is_missing_is_made_anew)
{
    static const char *const size[] = {"0", "1", "63", "64", "1000", "4096", "8192",
                                       "12288", "-4096", "-1000", "-64", "-1"};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        char damage[100];
        snprintf(damage, sizeof damage, "truncate -s '%s' *.so", size[k]);
        expect_made_anew(damage);
    }
    expect_made_anew("rm *.so");
    expect_made_anew("rm *.c");
}

Test(code, of_which_the_object_is_something_else_is_made_anew)
{
    expect_made_anew("echo this is no library > $(ls *.so)");
    expect_made_anew("head -c 20000 /dev/zero > $(ls *.so)");
}

/* As where two texts have one hash. */
Test(code, of_another_text_under_the_same_name_is_not_used)
{
    expect_made_anew("sed -i s/3/4/ *.c");
    expect_made_anew("printf ' ' >> $(ls *.c)");
    expect_made_anew("truncate -s -1 *.c");
    expect_made_anew("truncate -s 0 *.c");
}

/* --- the folder --------------------------------------------------------------------- */

static void expect_no_folder(void)
{
    cr_expect_eq(number(1, true), -1);
    cr_expect_eq(calls(), 0);
}

Test(code, is_not_kept_where_others_may_write)
{
    static const char *const mode[] = {"777", "702", "720"};
    for (size_t k = 0; k < sizeof mode / sizeof *mode; k++) {
        cr_assert_eq(shell("mkdir -p cache && chmod %s cache", mode[k]), 0);
        expect_no_folder();
    }
    cr_assert_eq(shell("chmod 755 cache"), 0);
    cr_expect_eq(number(1, true), 1);
}

Test(code, is_not_kept_where_no_folder_can_be)
{
    write_file("cache", "a file");
    expect_no_folder();
    setenv("SALTUS_CACHE", "/proc/saltus", 1);
    expect_no_folder();
}

/* Nobody is kept from writing who may do everything. */
Test(code, is_not_kept_in_a_folder_that_cannot_be_written)
{
    if (geteuid() == 0)
        cr_skip_test("for this user every folder can be written");
    cr_assert_eq(shell("mkdir cache && chmod 500 cache"), 0);
    expect_no_folder();
    cr_assert_eq(shell("chmod 700 cache"), 0);
}

Test(code, has_a_folder_beside_other_caches_of_the_user)
{
    unsetenv("SALTUS_CACHE");
    setenv("XDG_CACHE_HOME", folder, 1);
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(shell("ls saltus/*.so"), 0);
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", folder, 1);
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(shell("ls .cache/saltus/*.so"), 0);
    cr_expect_eq(calls(), 2);
}

/* Three old entries of 600 KiB: two have to go for a new one. */
Test(code, of_the_longest_ago_goes_when_there_is_too_much)
{
    setenv("SALTUS_CACHE_MIB", "1", 1);
    cr_assert_eq(shell("mkdir -m 700 cache && cd cache && for k in 1 2 3; do\n"
                       "f=000000000000000$k; head -c 614400 /dev/zero > $f.so\n"
                       "touch -d 200${k}-01-01 $f.c; touch -d 200${k}-01-02 $f.so\n"
                       "done"), 0);
    cr_expect_eq(number(1, true), 1);
    expect_entries(2);
    cr_expect_eq(shell("ls cache/0000000000000003.so && ! ls cache/0000000000000002.so"),
                 0);
    cr_expect_eq(number(1, false), 1);
}

/* What is used counts as new. */
Test(code, that_was_used_lately_stays)
{
    setenv("SALTUS_CACHE_MIB", "1", 1);
    cr_expect_eq(number(1, true), 1);
    cr_assert_eq(shell("cd cache && touch -d 2001-01-01 *.c *.so"), 0);
    cr_expect_eq(number(1, false), 1);
    cr_assert_eq(shell("cd cache && head -c 1048576 /dev/zero > 0123456789abcdef.so &&"
                       "touch -d 2002-01-01 0123456789abcdef.so"), 0);
    cr_expect_eq(number(2, true), 2);
    expect_entries(2);
    cr_expect_eq(number(1, false), 1);
}

/* The folder may be one that is there for other things, too. */
Test(code, is_all_that_is_ever_taken_away)
{
    setenv("SALTUS_CACHE_MIB", "1", 1);
    cr_assert_eq(shell("mkdir -m 700 cache && cd cache && mkdir 0123456789abcdef.so\n"
                       "for f in thesis.tex main.c libx.so 0123456789abcdef.csv; do\n"
                       "head -c 1048576 /dev/zero > $f; touch -d 2001-01-01 $f\n"
                       "done"), 0);
    cr_expect_eq(number(1, true), 1);
    cr_expect_eq(shell("ls cache/thesis.tex cache/main.c cache/libx.so cache/*.csv"), 0);
}

/* --- without ------------------------------------------------------------------------ */

/* compass-gait-absolute has two modes, each with a program of its own. */
static void expect_interpreted(const char *where, const char *said)
{
    char *want, *got, text[2000];
    setenv("SALTUS_CODE", "never", 1);
    cr_assert_eq(run_command("run compass-gait-absolute --points 5 -o never.csv"), HELD);
    int usual = lines_of_err();
    setenv("SALTUS_CODE", "always", 1);
    cr_assert_eq(run_command("run compass-gait-absolute --points 5 -o x.csv"), HELD);
    char *err = contents("err");
    snprintf(text, sizeof text, "%s", err);
    free(err);
    cr_expect_eq(lines_of_err(), usual + 1, "%s: said %d lines more:\n%s", where,
                 lines_of_err() - usual, text);
    cr_expect_not_null(strstr(text, said), "%s: no '%s' in %s", where, said, text);
    want = contents("never.csv");
    got = contents("x.csv");
    cr_expect(want && got && strcmp(want, got) == 0, "%s: another result", where);
    free(want);
    free(got);
}

Test(code, is_not_needed_where_there_is_no_compiler)
{
    setenv("SALTUS_CC", "/nonexistent", 1);
    expect_interpreted("no compiler", "no compiler");
    setenv("SALTUS_CC", "false", 1);
    expect_interpreted("a compiler that fails", "cannot be compiled");
    cr_expect_eq(files("\\.so\\|\\.c"), 0);
}

/* It says that it has made something, and has not. */
Test(code, is_not_needed_where_the_compiler_makes_nothing)
{
    setenv("SALTUS_CC", "true", 1);
    expect_interpreted("a compiler that makes nothing", "cache");
    cr_expect_eq(files("\\.so\\|\\.c"), 0);
}

Test(code, is_asked_for_by_a_known_name_or_the_command_says_which_there_are)
{
    setenv("SALTUS_CODE", "alwys", 1);
    expect_complaint("run pendulum --points 2 -o x.csv", USAGE,
                     "SALTUS_CODE: there is no alwys; did you mean always?");
    setenv("SALTUS_CODE", "1", 1);
    expect_complaint("verify bouncing-ball", USAGE, "known: auto, never, always");
    cr_expect_eq(run_command("run --help"), HELD);
    setenv("SALTUS_CODE", "", 1);
    cr_expect_eq(run_command("run bouncing-ball --points 2"), HELD);
}

Test(code, is_not_needed_where_there_is_no_folder)
{
    setenv("SALTUS_CACHE", "/proc/saltus", 1);
    expect_interpreted("no folder", "SALTUS_CACHE");
}
