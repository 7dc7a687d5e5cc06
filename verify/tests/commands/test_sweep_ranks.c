/*
 * test_sweep_ranks.c - `saltus sweep` under mpirun: the bytes of one process. Without
 * MPI=1 the command has nothing of it.
 */
#include "sweeping.h"

TestSuite(sweep_ranks, .init = make_folder, .fini = remove_folder, .timeout = 120);

static bool has_mpi(void)
{
    return shell("ldd '%s' | grep -q libmpi", command_path()) == 0;
}

/* More ranks than processors, as root in a container: neither matters here. */
static int ranks(int count, const char *arguments)
{
    return shell("mpirun --allow-run-as-root --oversubscribe -np %d '%s' %s", count,
                 command_path(), arguments);
}

Test(sweep_ranks, without_mpi_there_is_no_symbol_of_it)
{
    if (!has_mpi())
        cr_expect_neq(shell("grep -q MPI_Init '%s'", command_path()), 0);
}

Test(sweep_ranks, any_number_of_ranks_makes_the_same_bytes)
{
    if (!has_mpi())
        cr_skip_test("built without MPI=1");
    cr_assert_eq(run_command(BALLS " -o one.csv -j 1"), HELD);
    cr_assert_eq(ranks(1, BALLS " -o r1.csv"), HELD);
    cr_assert_eq(ranks(2, BALLS " -o r2.csv -j 2"), HELD);
    cr_assert_eq(ranks(3, BALLS " -o r3.csv"), HELD);
    expect_same_files("one.csv", "r1.csv", "one rank");
    expect_same_files("one.csv", "r2.csv", "two ranks");
    expect_same_files("one.csv", "r3.csv", "three ranks");
}

Test(sweep_ranks, ranks_go_on_where_one_process_was_killed)
{
    if (!has_mpi())
        cr_skip_test("built without MPI=1");
    cr_assert_eq(run_command(BALLS " -o one.csv"), HELD);
    shell("head -c 9000 one.csv > r.csv.part");
    cr_assert_eq(ranks(3, BALLS " -o r.csv"), HELD);
    expect_same_files("one.csv", "r.csv", "gone on");
}

Test(sweep_ranks, what_is_wrong_is_said_once)
{
    if (!has_mpi())
        cr_skip_test("built without MPI=1");
    cr_assert_eq(ranks(3, "sweep bouncing-ball --grid e=2:1:3"), USAGE);
    char *err = contents("err"), *first = strstr(err, "saltus sweep: ");
    cr_assert_not_null(first, "%s", err);
    cr_expect_null(strstr(first + 1, "saltus sweep: "), "%s", err);
    free(err);
}
