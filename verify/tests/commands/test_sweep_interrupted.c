/*
 * test_sweep_interrupted.c - `saltus sweep` that is cut off, killed, out of room or not
 * alone.
 *
 * Whatever happens on the way, the table is the same to the byte; what is compared with
 * is a sweep that nothing happened to.
 */
#include <sys/stat.h>

#include "sanitized.h"
#include "sweeping.h"

TestSuite(sweep_interrupted, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* The table of BALLS, and the same as it grows, in the files whole.csv and part. */
static char *make_whole(void)
{
    cr_assert_eq(run_command(BALLS " -o whole.csv"), HELD);
    char *whole = contents("whole.csv");
    write_part("part", whole);
    return whole;
}

/* A file cut anywhere, as by a crash of the machine: what was not on the disk is missing,
   or is zeros. */
Test(sweep_interrupted, a_file_cut_anywhere_is_completed)
{
    struct random random = random_start();
    char *whole = make_whole(), *part = contents("part");
    int length = (int)strlen(part);
    for (int k = 0; k < 25; k++) {
        int cut = random_below(&random, k < 5 ? 300 : length);      /* in the heading */
        int zeros = 100 * random_below(&random, 3);
        expect_completed(BALLS, cut, zeros, &random);
    }
    free(whole);
    free(part);
}

/* The table, made from the file part with one bit changed. */
Test(sweep_interrupted, a_row_with_another_bit_is_computed_again)
{
    struct random random = random_start();
    char *whole = make_whole(), *part = contents("part");
    int heading = (int)(strstr(part, "\n0,") + 1 - part), length = (int)strlen(part);
    for (int k = 0; k < (SANITIZED ? 30 : 120); k++) {
        int at = heading + random_below(&random, length - heading);
        int bit = random_below(&random, 7);
        char when[100], was = part[at];
        snprintf(when, sizeof when, "bit %d at %d, seed %llu", bit, at, random.seed);
        part[at] = (char)(was ^ (1 << bit));
        if (part[at] == '\0')
            part[at] = ' ';
        write_file("x.csv.part", part);
        part[at] = was;
        cr_assert_eq(run_command(BALLS " -o x.csv"), HELD, "%s", when);
        expect_same_files("whole.csv", "x.csv", when);
        shell("rm x.csv");
    }
    free(whole);
    free(part);
}

/* A row that is taken up stays as it stands there. */
Test(sweep_interrupted, a_row_with_its_checksum_is_taken_up)
{
    char *whole = make_whole();
    char *row = strstr(whole, "\n3,"), *end = strchr(row + 1, '\n');
    end[-1] = end[-1] == '7' ? '8' : '7';
    write_part("x.csv.part", whole);
    write_file("other.csv", whole);
    cr_assert_eq(run_command(BALLS " -o x.csv"), HELD);
    expect_same_files("other.csv", "x.csv", "with another digit");
    cr_assert_eq(run_command(BALLS " -o x.csv --restart"), HELD);
    expect_same_files("whole.csv", "x.csv", "from the beginning");
    free(whole);
}

/* The fourth row of the table, as a disk or an editor may leave it: it and what follows
   is computed again. */
Test(sweep_interrupted, a_row_with_other_digits_is_computed_again)
{
    static const char *const damage[] = {
        "s/^3,\\([^,]*\\),/3,\\19,/",             /* a digit more in a parameter */
        "s/^3,[^,]*,/3,0.75,/",                     /* another parameter */
        "s/^\\(3,.*\\).$/\\1x/",                    /* no number */
        "s/^\\(3,.*\\)$/\\100000/",                /* digits more than are printed */
        "s/^\\(3,.*\\),[^,]*$/\\1,/",              /* an empty field */
        "s/^3,/03,/",
    };
    free(make_whole());
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
        cr_assert_eq(shell("sed '%s' part > x.csv.part && ! cmp part x.csv.part && "
                           "rm -f x.csv", damage[k]), 0, "%s", damage[k]);
        cr_assert_eq(run_command(BALLS " -o x.csv"), HELD, "%s", damage[k]);
        expect_same_files("whole.csv", "x.csv", damage[k]);
    }
}

Test(sweep_interrupted, killed_at_any_time_it_goes_on_and_nothing_is_lost_or_there_twice)
{
    struct random random = random_start();
    int kills = 0, status = -1;
    cr_assert_eq(run_command(BALLS " -o whole.csv"), HELD);
    for (int k = 0; k < 1000 && status != HELD; k++) {
        /* longer and longer, for a build that hardly begins in a tenth of a second */
        double wait = random_between(&random, 0.02, 0.12) * (1 + 0.05 * k);
        status = shell("timeout -s KILL %.3f '%s' " BALLS " -o x.csv", wait,
                       command_path());
        kills += status != HELD;
        cr_assert(status == HELD || status == 128 + 9, "exit %d", status);
    }
    cr_assert_eq(status, HELD, "it never came to its end, %d kills, seed %llu", kills,
                 random.seed);
    expect_same_files("whole.csv", "x.csv", "killed");
}

Test(sweep_interrupted, ctrl_c_leaves_the_rows_and_says_how_to_go_on)
{
    int status = shell("'%s' sweep five-bar --grid L01=2:2.5:1000000 -o x.csv &\n"
                       WHEN_IT_HAS_BEGUN "kill -INT $!; wait $!", command_path());
    char *err = contents("err"), *part = contents("x.csv.part");
    cr_assert_eq(status, INTERRUPTED, "exit %d: %s", status, err);
    cr_expect_not_null(strstr(err, "the same command goes on from x.csv.part"), "%s",
                       err);
    cr_expect_not(file_is_there("x.csv"));
    char said[60];
    snprintf(said, sizeof said, "after %d of 1000000", count_lines(part) - 6);
    cr_expect_not_null(strstr(err, said), "not %s: %s", said, err);
    free(err);
    free(part);
}

Test(sweep_interrupted, a_full_disk_is_said_and_what_is_written_is_gone_on_from)
{
    cr_assert_eq(run_command(BALLS " -o whole.csv"), HELD);
    /* a limit of 8 x 512 bytes, and the signal of it ignored: write() fails */
    int status = shell("trap '' XFSZ; ulimit -f 8; '%s' " BALLS " -o x.csv",
                       command_path());
    char *err = contents("err");
    cr_assert_eq(status, USAGE, "exit %d: %s", status, err);
    cr_expect_not_null(strstr(err, "x.csv.part: cannot be written: File too large"), "%s",
                       err);
    cr_assert(file_is_there("x.csv.part"));
    cr_assert_eq(run_command(BALLS " -o x.csv"), HELD);
    expect_same_files("whole.csv", "x.csv", "full");
    free(err);
}

Test(sweep_interrupted, another_request_leaves_the_file_as_it_is)
{
    static const char *const other[] = {
        BALLS " --rtol 1e-9", BALLS " --set h0=40", BALLS " --columns q",
        BALLS " --t-end 3", BALLS " --rule no-tau", BALLS " -i gsl-rk8pd",
        "sweep bouncing-ball --grid e=0.5:0.9:20",
        "sweep bouncing-ball --sample 5 --range e=0.5:0.9",
    };
    cr_assert_eq(run_command(BALLS " -o whole.csv"), HELD);
    shell("cp whole.csv x.csv; head -c 5000 x.csv > y.csv.part; cp y.csv.part z");
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        char arguments[300];
        snprintf(arguments, sizeof arguments, "%s -o x.csv", other[k]);
        expect_complaint(arguments, USAGE, "is of another sweep");
        snprintf(arguments, sizeof arguments, "%s -o y.csv", other[k]);
        expect_complaint(arguments, USAGE, "--restart begins anew");
        expect_same_files("x.csv", "whole.csv", other[k]);
        expect_same_files("y.csv.part", "z", other[k]);
    }
    cr_assert_eq(run_command(BALLS " --rtol 1e-9 -o x.csv --restart"), HELD);
    char *text = contents("x.csv");
    cr_expect_not_null(strstr(text, "rtol 1e-09"));
    free(text);
}

Test(sweep_interrupted, a_file_of_something_else_is_not_replaced)
{
    write_file("x.csv", "my notes\n");
    expect_complaint(BALLS " -o x.csv", USAGE, "it says 'my notes'");
    write_file("y.csv", "");
    expect_complaint(BALLS " -o y.csv", USAGE, "not complete");
    char *text = contents("x.csv");
    cr_expect_str_eq(text, "my notes\n");
    free(text);
}

Test(sweep_interrupted, a_complete_one_is_not_computed_again)
{
    struct stat before, after;
    char path[PATH_MAX];
    cr_assert_eq(run_command(BALLS " -o x.csv"), HELD);
    char *first = last_line("err");
    snprintf(path, sizeof path, "%s/x.csv", folder);
    cr_assert_eq(stat(path, &before), 0);
    cr_assert_eq(run_command(BALLS " -o x.csv"), HELD);
    char *second = last_line("err");
    cr_assert_eq(stat(path, &after), 0);
    cr_expect_eq(before.st_ino, after.st_ino);
    cr_expect_eq(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
}

Test(sweep_interrupted, two_at_once_do_not_write_the_same_file)
{
#define MANY "sweep five-bar --grid L01=2:2.5:1000000 -o x.csv"
    int status = shell("'%s' " MANY " 2> first &\n" WHEN_IT_HAS_BEGUN "'%s' " MANY "; "
                       "second=$?; kill -INT $!; wait $!; exit $second", command_path(),
                       command_path());
    char *err = contents("err");
    cr_expect_eq(status, USAGE, "exit %d", status);
    cr_expect_not_null(strstr(err, "another sweep is writing it"), "%s", err);
    free(err);
}

/* A file that replaces another has its rights. */
Test(sweep_interrupted, begun_anew_it_keeps_the_rights_of_the_file)
{
    cr_assert_eq(run_command(BALLS " -o x.csv"), HELD);
    cr_assert_eq(shell("chmod 640 x.csv"), 0);
    cr_assert_eq(run_command(BALLS " -o x.csv --restart"), HELD);
    cr_expect_eq(shell("[ $(stat -c %%a x.csv) = 640 ] && [ ! -e x.csv.part ]"), 0);
}

/* Another process has the lock, finishes and renames: the file it leaves is complete. */
Test(sweep_interrupted, one_that_finishes_meanwhile_is_found_complete)
{
    cr_assert_eq(run_command(BALLS " -o whole.csv"), HELD);
    for (int restart = 0; restart < 2; restart++) {
        int status = shell("cp whole.csv x.csv.part\n"
                           "flock x.csv.part sh -c 'sleep 0.5; mv x.csv.part x.csv' &\n"
                           "sleep 0.2; '%s' " BALLS " -o x.csv %s", command_path(),
                           restart ? "--restart" : "");
        cr_expect_eq(status, HELD, "exit %d", status);
        expect_same_files("whole.csv", "x.csv", "finished meanwhile");
        cr_expect_not(file_is_there("x.csv.part"));
        shell("rm x.csv");
    }
}
