/*
 * test_resources.c - too little memory, and no threads: fewer threads do the same, and
 * without memory a line says so.
 */
#include "running.h"
#include "sanitized.h"

/* The shadow of a sanitizer takes more address space than any limit here. */
static void begin(void)
{
    if (SANITIZED)
        cr_skip_test("memory cannot be limited under a sanitizer");
    make_folder_with_cache();
    setenv("SALTUS_CODE", "never", 1);
}

TestSuite(resources, .init = begin, .fini = remove_folder, .timeout = 300);

/* Ends by itself, with a line where it has no result, and leaves no temporary file. True:
   it has a result. */
static bool ends_well(const char *arguments, int kilobytes)
{
    int status = shell("rm -f x.*; ulimit -v %d; exec '%s' %s", kilobytes,
                       command_path(), arguments);
    char *err = contents("err");
    cr_expect_lt(status, 128, "%s with %d kB: %d %s", arguments, kilobytes, status, err);
    cr_expect_null(strstr(err, "programming error"), "%s: %s", arguments, err);
    if (status != HELD && status != 127)
        cr_expect_gt(strlen(err), 0, "%s with %d kB: %d", arguments, kilobytes, status);
    if (status == 4)
        cr_expect_not_null(strstr(err, "out of memory"), "%s", err);
    free(err);
    cr_expect_eq(shell("ls -A | grep saltus"), 1, "%s with %d kB", arguments, kilobytes);
    return status == HELD;
}

/* From what is not enough to begin with, to what is enough. */
Test(resources, of_any_size_are_enough_or_are_said_to_be_too_small)
{
    static const char *const commands[] = {
        "run five-bar --points 2000 -o x.csv", "sweep five-bar --grid e=0.5:0.6:9 -j 2",
        "certify bouncing-ball --digits 15 --directory .",
        "verify bouncing-ball --json x.json -j 2", "list --json"};
    int ended_short = 0;
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        int kilobytes = 16000;
        while (!ends_well(commands[k], kilobytes) && kilobytes < 2000000) {
            kilobytes += kilobytes / 16;
            ended_short++;
        }
        cr_expect_lt(kilobytes, 2000000, "%s", commands[k]);
    }
    cr_expect_gt(ended_short, 5);
}

/* 200 threads have stacks of 8 MB each. */
Test(resources, for_fewer_threads_than_were_asked_for_give_the_same)
{
    cr_assert_eq(run_command("sweep bouncing-ball --grid e=0.5:0.6:50 -j 1 -o one.csv"),
                 HELD);
    cr_assert_eq(shell("ulimit -s 8192; ulimit -v 600000; '%s' sweep bouncing-ball "
                       "--grid e=0.5:0.6:50 -j 200 -o few.csv", command_path()), HELD);
    expect_same_files("one.csv", "few.csv", "with few threads");
    cr_assert_eq(shell("ulimit -s 4000000; ulimit -v 4000000; '%s' sweep bouncing-ball "
                       "--grid e=0.5:0.6:50 -j 200 -o none.csv", command_path()), HELD);
    expect_same_files("one.csv", "none.csv", "without a thread");
}
