/*
 * test_cache_faults.c - what is in the cache of compiled code is used only where it is
 * what was made, by this compiler, and nobody else could write to it; a compiler that
 * prints, reads, or hangs harms nobody.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "codegen/code_cache.h"
#include "running.h"

/* The compiler is a program of the folder, and code is made at once. */
static void begin(void)
{
    char path[PATH_MAX];
    make_folder_with_cache();
    setenv("SALTUS_CODE", "always", 1);
    snprintf(path, sizeof path, "%s/compiler", folder);
    setenv("SALTUS_CC", path, 1);
    unsetenv("SALTUS_CACHE_MIB");
    unsetenv("SALTUS_CC_TIMEOUT");
}

TestSuite(cache_faults, .init = begin, .fini = remove_folder, .timeout = 60);

/* --- helpers ------------------------------------------------------------------------ */

/* A compiler that does this first. */
static void put_compiler(const char *first)
{
    char text[600], path[PATH_MAX];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\nexec cc \"$@\"\n", first);
    write_file("compiler", text);
    snprintf(path, sizeof path, "%s/compiler", folder);
    cr_assert_eq(chmod(path, 0700), 0);
}

static const char text[] = "int saltus_number(void) { return 3; }\n";

/* What the compiled function returns; -1: there is none. */
static int number(bool made)
{
    struct code_cache_entry *code = code_cache_open(text, "saltus_number", made);
    int got = -1, (*function)(void);
    void *address = code_cache_symbol(code);
    memcpy(&function, &address, sizeof address);
    if (code)
        got = function();
    code_cache_close(code);
    return got;
}

/* The only file of the cache whose name ends so. */
static const char *entry(const char *end)
{
    static char path[PATH_MAX];
    cr_assert_eq(shell("ls cache/*%s", end), 0);
    char *out = contents("out");
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(out, "\n"), out);
    free(out);
    return path;
}

/* Changes `length` bytes of the object: a bit of them, or all to zero. */
static void damage(off_t at, size_t length, bool zero)
{
    unsigned char bytes[4096];
    int file = open(entry(".so"), O_RDWR);
    cr_assert_geq(file, 0);
    cr_assert_eq(pread(file, bytes, length, at), (ssize_t)length);
    if (zero)
        memset(bytes, 0, length);
    else
        bytes[0] ^= (unsigned char)(1 << at % 8);
    cr_assert_eq(pwrite(file, bytes, length, at), (ssize_t)length);
    close(file);
}

/* The text and the object of the same entry, looked for by something else than
   code_cache.c. */
static void expect_unused(const char *why)
{
    cr_expect_eq(number(false), -1, "used: %s", why);
    cr_expect_eq(number(true), 3, "not made again: %s", why);
    cr_expect_eq(number(false), 3, "%s", why);
}

/* --- what is there is what was made ------------------------------------------------- */

Test(cache_faults, with_a_bit_flipped_anywhere_is_made_again)
{
    struct stat known;
    put_compiler("");
    cr_assert_eq(number(true), 3);
    cr_assert_eq(stat(entry(".so"), &known), 0);
    for (off_t at = 5; at < known.st_size; at += known.st_size / 25) {
        damage(at, 1, false);
        expect_unused("a bit");
    }
    for (off_t at = 0; at + 4096 <= known.st_size; at += 4096) {
        char zeros[4096] = {0}, there[4096];
        int file = open(entry(".so"), O_RDONLY);
        cr_assert_eq(pread(file, there, sizeof there, at), (ssize_t)sizeof there);
        close(file);
        if (memcmp(there, zeros, sizeof there) == 0)
            continue;
        damage(at, 4096, true);
        expect_unused("a page of zeros");
    }
}

Test(cache_faults, with_another_checksum_is_made_again)
{
    put_compiler("");
    cr_assert_eq(number(true), 3);
    cr_assert_eq(shell("sed -i '$s/, ./, g/' '%s'", entry(".c")), 0);
    expect_unused("checksum");
    cr_assert_eq(shell("sed -i '$d' '%s'", entry(".c")), 0);
    expect_unused("no checksum");
}

/* --- whose it is -------------------------------------------------------------------- */

Test(cache_faults, is_for_its_owner_alone_whatever_the_umask)
{
    static const char *const ends[] = {".so", ".c"};
    struct stat known;
    put_compiler("stat -c %a \"$(dirname \"$0\")\"/cache/making.* > seen");
    cr_assert_eq(chdir(folder), 0);
    umask(0);
    cr_assert_eq(number(true), 3);
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(stat(entry(ends[k]), &known), 0);
        cr_expect_eq(known.st_mode & 0777, 0600, "%s: %o", ends[k], known.st_mode);
    }
    cr_assert_eq(stat("cache", &known), 0);
    cr_expect_eq(known.st_mode & 0777, 0700);
    char *seen = contents("seen");
    cr_expect_str_eq(seen, "700\n", "while it is made: %s", seen);
    free(seen);
}

Test(cache_faults, that_others_may_write_to_is_not_loaded)
{
    static const char *const ends[] = {".so", ".c"};
    put_compiler("");
    cr_assert_eq(number(true), 3);
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(chmod(entry(ends[k]), 0620), 0);
        expect_unused("its group may write");
        cr_assert_eq(chmod(entry(ends[k]), 0602), 0);
        expect_unused("all may write");
        cr_assert_eq(shell("mv '%s' kept && ln -s ../kept '%s'", entry(ends[k]),
                           entry(ends[k])), 0);
        expect_unused("a link");
        if (geteuid() == 0) {
            cr_assert_eq(chown(entry(ends[k]), 4321, (gid_t)-1), 0);
            expect_unused("another owner");
        }
    }
}

/* --- which compiler ----------------------------------------------------------------- */

Test(cache_faults, of_another_compiler_with_the_same_name_is_another_entry)
{
    put_compiler("");
    cr_assert_eq(number(true), 3);
    put_compiler(": # a new version");
    cr_expect_eq(number(false), -1);
    cr_expect_eq(number(true), 3);
    cr_assert_eq(shell("touch -d 2001-01-01 compiler"), 0);
    cr_expect_eq(number(false), -1);
}

Test(cache_faults, of_a_compiler_behind_a_link_is_of_what_the_link_leads_to)
{
    put_compiler("");
    cr_assert_eq(shell("ln -s compiler mycc"), 0);
    look_in_folder_first();
    setenv("SALTUS_CC", "mycc", 1);
    cr_assert_eq(number(true), 3);
    cr_assert_eq(shell("cp compiler other && ln -sf other mycc"), 0);
    cr_expect_eq(number(false), -1);
}

/* ccache is one program, called by the names of compilers. */
Test(cache_faults, of_two_names_of_one_program_are_two_entries)
{
    put_compiler("");
    cr_assert_eq(shell("ln -s compiler one && ln -s compiler two"), 0);
    look_in_folder_first();
    setenv("SALTUS_CC", "one", 1);
    cr_assert_eq(number(true), 3);
    setenv("SALTUS_CC", "two", 1);
    cr_expect_eq(number(false), -1);
    setenv("SALTUS_CC", "./one", 1);
    cr_assert_eq(chdir(folder), 0);
    cr_expect_eq(number(false), 3);
}

/* --- what it prints and reads ------------------------------------------------------- */

Test(cache_faults, is_made_without_printing_into_results_or_reading_input)
{
    put_compiler("echo printed; echo complained >&2; cat > input");
    cr_assert_eq(run_command("sweep bouncing-ball --grid e=0.5:0.6:2"), HELD);
    char *out = contents("out"), *err = contents("err");
    cr_expect_null(strstr(out, "printed"), "%s", out);
    cr_expect_null(strstr(err, "complained"), "%s", err);
    free(out);
    free(err);
    cr_assert_eq(run_command("run bouncing-ball --points 9 -o x.csv"), HELD);
    cr_assert_eq(shell("rm -r cache; (cat x.csv; echo '# events'; cat x.events.csv) > y; "
                       "'%s' run bouncing-ball --points 3 < y > table; cat > rest < y; "
                       "cmp y rest && [ ! -s input ]", command_path()), 0);
}

/* Descriptor 9 is one that somebody else opened for saltus. */
Test(cache_faults, is_made_by_a_compiler_that_has_no_descriptor_of_ours)
{
    put_compiler("ls -l /proc/$$/fd > \"$(dirname \"$0\")/descriptors\"");
    cr_assert_eq(shell("'%s' sweep bouncing-ball --grid e=0.5:0.6:2 -o x.csv 9> kept",
                       command_path()), HELD);
    char *seen = contents("descriptors");
    cr_assert_not_null(seen);
    cr_expect_null(strstr(seen, "kept"), "%s", seen);
    cr_expect_null(strstr(seen, "x.csv"), "%s", seen);
    cr_expect_null(strstr(seen, "pipe"), "%s", seen);
    free(seen);
}

/* --- that hang ---------------------------------------------------------------------- */

/* Two at once: one calls the compiler, the other waits for it, both give up. */
Test(cache_faults, that_never_come_are_done_without)
{
    put_compiler("sleep 41.25 & wait");
    setenv("SALTUS_CC_TIMEOUT", "1", 1);
    cr_assert_eq(shell("for k in 1 2; do timeout 20 '%s' run bouncing-ball --points 9 "
                       "-o $k.csv & done; wait; cmp 1.csv 2.csv", command_path()), 0);
    char *err = contents("err");
    cr_expect(strstr(err, "no code in 1 s"), "%s", err);
    free(err);
    cr_expect_not(process_left("4[1].25"), "a process of the compiler is left");
    cr_expect_eq(shell("ls cache/making.*"), 2);
}

Test(cache_faults, that_are_being_made_end_with_the_command)
{
    put_compiler(": > \"$(dirname \"$0\")/begun\"; sleep 42.25");
    cr_assert_eq(shell("'%s' run bouncing-ball --points 9 -o x.csv & p=$!\n"
                       "while [ ! -e begun ]; do sleep 0.05; done; sleep 0.1\n"
                       "kill $p; wait $p; [ $? -gt 128 ]", command_path()), 0);
    cr_expect_not(process_left("4[2].25"), "a process of the compiler is left");
    /* It may have cleared up what was begun itself, before it was gone. */
    put_compiler("");
    cr_expect_eq(number(true), 3);
    cr_expect_eq(shell("ls -d cache/making.*"), 2, "what was begun is left");
}

/* --- how much ----------------------------------------------------------------------- */

Test(cache_faults, may_be_as_much_as_can_be_said)
{
    put_compiler("");
    setenv("SALTUS_CACHE_MIB", "9223372036854775807", 1);
    cr_assert_eq(number(true), 3);
    cr_expect_eq(number(false), 3, "taken away at once");
    setenv("SALTUS_CACHE_MIB", "17592186044416", 1);
    cr_assert_eq(shell("rm -r cache"), 0);
    cr_assert_eq(number(true), 3);
    cr_expect_eq(number(false), 3, "taken away at once");
}
