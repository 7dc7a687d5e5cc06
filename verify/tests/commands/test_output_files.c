/*
 * test_output_files.c - where output goes: through symbolic links, to what is no plain
 * file, to descriptors, and that nothing else is written over or left behind.
 */
#include "running.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

static const char *in_folder(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A file of the folder is a table of the bouncing ball. */
static void expect_table(const char *name)
{
    char *text = contents(name);
    cr_assert_not_null(text, "%s is not there", name);
    cr_expect(strncmp(text, "t,", 2) == 0 && count_lines(text) >= 3, "%s: %.60s", name,
              text);
    free(text);
}

static bool is_link(const char *name)
{
    struct stat known;
    return lstat(in_folder(name), &known) == 0 && S_ISLNK(known.st_mode);
}

TestSuite(output_files, .init = make_folder, .fini = remove_folder, .timeout = 60);

/* --- links -------------------------------------------------------------------------- */

Test(output_files, are_written_through_symbolic_links)
{
    cr_assert_eq(mkdir(in_folder("there"), 0777), 0);
    cr_assert_eq(symlink("there/b", in_folder("a.csv")), 0);
    cr_assert_eq(symlink("x.csv", in_folder("there/b")), 0);
    cr_assert_eq(run_command("run bouncing-ball --points 3 -o a.csv"), HELD);
    cr_expect(is_link("a.csv") && is_link("there/b"));
    expect_table("there/x.csv");
    cr_assert_eq(run_command("sweep bouncing-ball --grid e=0.5:0.6:2 -o a.csv --restart"),
                 HELD);
    cr_expect(is_link("a.csv"));
    char *text = contents("there/x.csv");
    cr_expect(strncmp(text, "# saltus ", 9) == 0, "%.40s", text);
    free(text);
    cr_expect_eq(run_command("verify bouncing-ball -f ode --oracle certified "
                             "--json a.csv"), HELD);
    cr_expect(is_link("a.csv"));
}

Test(output_files, of_certify_are_written_through_symbolic_links)
{
    cr_assert_eq(symlink("kept", in_folder("bouncing-ball.ref")), 0);
    cr_assert_eq(run_command("certify bouncing-ball --digits 12 --directory ."), HELD);
    cr_expect(is_link("bouncing-ball.ref"));
    cr_expect(file_is_there("kept"));
}

/* One level, and not where nothing comes of it. */
Test(output_files, of_certify_make_their_folder)
{
    cr_assert_eq(run_command("certify bouncing-ball --digits 12 --directory new"), HELD);
    cr_expect(file_is_there("new/bouncing-ball.ref"));
    cr_expect_eq(run_command("certify bouncing-bal --digits 12 --directory none"), USAGE);
    cr_expect_neq(access(in_folder("none"), F_OK), 0);
}

Test(output_files, refuses_links_that_go_in_circles)
{
    cr_assert_eq(symlink("b", in_folder("a")), 0);
    cr_assert_eq(symlink("a", in_folder("b")), 0);
    expect_complaint("run bouncing-ball -o a", USAGE, "Too many levels of symbolic");
    expect_complaint("sweep bouncing-ball --grid e=0.5:0.6:2 -o a", USAGE,
                     "Too many levels of symbolic");
}

/* --- descriptors -------------------------------------------------------------------- */

/* What stands before and behind it in the same file stays. The links stand in a folder of
   the test: a command that fails here replaces them, and root would lose /dev/stdout. */
Test(output_files, are_written_to_descriptors_without_replacing_what_is_open)
{
    static const char *const commands[] = {
        "run bouncing-ball --points 3", "sweep bouncing-ball --grid e=0.5:0.6:2"};
    static const char *const names[] = {"stdout", "fd/1", "/proc/self/fd/1", "link"};
    cr_assert_eq(symlink("/proc/self/fd/1", in_folder("stdout")), 0);
    cr_assert_eq(symlink("/proc/self/fd", in_folder("fd")), 0);
    cr_assert_eq(symlink("stdout", in_folder("link")), 0);
    for (size_t c = 0; c < 2; c++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            cr_assert_eq(shell("{ echo before; '%s' %s -o %s; echo behind; } > f",
                               command_path(), commands[c], names[k]), HELD);
            char *text = contents("f");
            cr_expect(strncmp(text, "before\n", 7) == 0, "%s: %.40s", names[k], text);
            cr_expect(strstr(text, "\nbehind\n"), "%s: %s", names[k], text);
            cr_expect_geq(count_lines(text), 5, "%s: %s", names[k], text);
            free(text);
            cr_expect(is_link("link") && is_link("stdout"), "%s", names[k]);
        }
    cr_expect_eq(files_besides_output(), 4);
}

/* The file holds the results alone: each is read back as such. */
Test(output_files, have_standard_output_for_themselves)
{
    static const char *const outputs[] = {"-", "link", "/proc/self/fd/1", "f"};
    static const char *const judge = "bouncing-ball -f ode --oracle certified";
    cr_assert_eq(symlink("/proc/self/fd/1", in_folder("link")), 0);
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
        const char *to = outputs[k];
        cr_assert_eq(shell("'%s' run bouncing-ball --points 9 -o %s > f", command_path(),
                           to), HELD, "%s", to);
        cr_expect_eq(shell("'%s' check bouncing-ball - < f", command_path()), HELD,
                     "%s", to);
        cr_assert_eq(shell("'%s' regress --save %s %s > f", command_path(), to, judge),
                     HELD, "%s", to);
        cr_expect_eq(shell("'%s' regress --against f %s", command_path(), judge), HELD,
                     "%s", to);
        cr_assert_eq(shell("'%s' verify --json %s %s > f", command_path(), to, judge),
                     HELD, "%s", to);
        char *text = contents("f");
        cr_expect(text[0] == '{' && strcmp(text + strlen(text) - 4, "\n]}\n") == 0,
                  "%s: %s", to, text);
        free(text);
    }
    cr_assert_eq(shell("'%s' problem bouncing-ball -o - > f", command_path()), HELD);
    cr_assert_eq(shell("'%s' sweep bouncing-ball --grid e=0.5:0.6:2 -o - > f",
                       command_path()), HELD);
    char *text = contents("f");
    cr_expect(strncmp(text, "# saltus ", 9) == 0, "%s", text);
    free(text);
    cr_expect_not(file_is_there("-"));
    expect_complaint("run bouncing-ball -o - --plot -", USAGE, "--output - and --plot - "
                     "want standard output alone");
}

Test(output_files, says_that_a_descriptor_cannot_be_written)
{
    cr_assert_eq(shell("'%s' run bouncing-ball -o /proc/self/fd/7 7< /dev/null",
                       command_path()), USAGE);
    char *said = contents("err");
    cr_expect(strstr(said, "/proc/self/fd/7: cannot be written"), "%s", said);
    free(said);
}

/* Complaints would follow the rows: descriptor 2 would be that of the table. */
Test(output_files, are_not_what_takes_the_place_of_a_closed_stream)
{
    setenv("SALTUS_CODE", "never", 1);
    cr_assert_eq(shell("timeout -s TERM 1 '%s' sweep five-bar --grid L01=2:2.5:1000000 "
                       "-o x.csv 2>&-; [ $? -eq 124 ]", command_path()), 0);
    char *table = contents("x.csv.part");
    cr_assert_not_null(table);
    cr_expect_geq(count_lines(table), 10);
    cr_expect_null(strstr(table, "interrupted after"));
    free(table);
    cr_expect_eq(shell("'%s' list >&-", command_path()), USAGE);
    cr_expect_eq(shell("'%s' check bouncing-ball - <&-", command_path()), USAGE);
}

/* --- what is no plain file ---------------------------------------------------------- */

/* What the reader of a FIFO gets; *status of the command. The reader waits for one
   writer: who opens it twice leaves it with nothing, and waits for ever. */
static void through_fifo(const char *command)
{
    if (access(in_folder("fifo"), F_OK) != 0)
        cr_assert_eq(mkfifo(in_folder("fifo"), 0666), 0);
    cr_assert_eq(shell("timeout 20 cat fifo > got & timeout 20 '%s' %s fifo; s=$?; "
                       "wait; exit $s", command_path(), command), HELD, "%s", command);
    struct stat known;
    cr_expect(stat(in_folder("fifo"), &known) == 0 && S_ISFIFO(known.st_mode));
    char *text = contents("got");
    cr_expect_geq(strlen(text), 100, "%s: %s", command, text);
    free(text);
}

Test(output_files, are_written_into_fifos)
{
    through_fifo("run bouncing-ball --points 30 -o");
    through_fifo("sweep bouncing-ball --grid e=0.5:0.6:2 -o");
    through_fifo("problem bouncing-ball -o");
    through_fifo("verify bouncing-ball -f ode --oracle certified --json");
    through_fifo("verify bouncing-ball -f ode --oracle certified --junit");
    through_fifo("run bouncing-ball --points 30 -o x.csv --plot");
}

/* An endless line, an endless matrix, and what is read to its end. */
Test(output_files, and_inputs_of_no_end_are_read_with_a_bound)
{
    static const char *const endless[] = {"cat /dev/zero", "yes 0.123456789012345"};
    static const char *const said[] = {"not text", "larger than"};
    for (int k = 0; k < 2; k++) {
        /* The sanitizer takes more addresses than that before anything is read. */
        cr_assert_eq(shell("grep -q __asan_init '%s' || ulimit -v 4000000\n"
                           "%s | timeout 30 '%s' run five-bar -f baumgarte "
                           "--opt kd=@/proc/self/fd/0", command_path(), endless[k],
                           command_path()), USAGE);
        char *err = contents("err");
        cr_expect(strstr(err, said[k]), "%s: %s", endless[k], err);
        free(err);
    }
}

/* --- names -------------------------------------------------------------------------- */

Test(output_files, may_have_names_as_long_as_the_file_system_takes)
{
    char name[256];
    memset(name, 'x', sizeof name - 1);
    name[255] = '\0';
    memcpy(name + 251, ".csv", 4);
    cr_assert_eq(shell("'%s' verify bouncing-ball -f ode --oracle certified --json %s",
                       command_path(), name), HELD);
    cr_expect(file_is_there(name));
    cr_expect_eq(files_besides_output(), 1);
}

/* A setting that makes every drawing fail. */
Test(output_files, are_drawn_without_settings_of_the_user)
{
    if (system("command -v gnuplot > /dev/null") != 0)
        cr_skip_test("no gnuplot");
    setenv("HOME", folder, 1);
    write_file(".gnuplot", "exit status 7\n");
    cr_expect_eq(run_command("run bouncing-ball --points 30 -o x.csv --plot x.svg"),
                 HELD);
    cr_expect(file_is_there("x.svg"));
}

/* --- what ends a command ------------------------------------------------------------ */

Test(output_files, says_that_a_file_may_not_be_that_large)
{
    cr_assert_eq(shell("ulimit -f 8; '%s' run bouncing-ball --points 2000 -o x.csv",
                       command_path()), USAGE);
    char *said = contents("err");
    cr_expect(strstr(said, "File too large"), "%s", said);
    free(said);
    cr_expect_eq(files_besides_output(), 0);
}

/* gnuplot hangs while the table is complete under its temporary name. */
Test(output_files, leaves_nothing_behind_when_it_is_ended_by_a_signal)
{
    static const char *const signals[] = {"TERM", "HUP", "XCPU"};
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
        put_program("gnuplot", "#!/bin/sh\n: > begun\nexec sleep 44.25\n");
        cr_assert_eq(shell("rm -f begun; '%s' run bouncing-ball --points 9 -o x.csv "
                           "--plot x.svg & p=$!\n"
                           "while [ ! -e begun ]; do sleep 0.05; done\n"
                           "ls -A > during; kill -%s $p; wait $p; [ $? -gt 128 ]",
                           command_path(), signals[k]), 0, "%s", signals[k]);
        char *during = contents("during");
        cr_expect(strstr(during, ".saltus."), "%s", during);
        free(during);
        cr_expect_eq(shell("ls -A | grep saltus"), 1, "%s", signals[k]);
        cr_expect_not(process_left("4[4].25"), "gnuplot is left by %s", signals[k]);
    }
}
