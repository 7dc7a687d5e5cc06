/*
 * test_sweep_ranks.c - `saltus sweep` under mpirun: the bytes of one process. Without
 * MPI=1 the command has nothing of it.
 */
#include "running.h"

TestSuite(sweep_ranks, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define BALLS "sweep bouncing-ball --grid e=0.5:0.9:20 --grid g=5:10:7 --sens e,g"

static const char *command(void)
{
    static char path[PATH_MAX];
    const char *named = getenv("SALTUS_COMMAND");
    cr_assert(realpath(named ? named : "build/saltus", path));
    return path;
}

static bool has_mpi(void)
{
    return shell("ldd '%s' | grep -q libmpi", command()) == 0;
}

/* More ranks than processors, as root in a container: neither matters here. */
static int ranks(int count, const char *arguments)
{
    return shell("mpirun --allow-run-as-root --oversubscribe -np %d '%s' %s", count,
                 command(), arguments);
}

static void expect_same(const char *one, const char *other)
{
    char *a = contents(one), *b = contents(other);
    cr_assert(a && b, "%s or %s is not there", one, other);
    cr_assert_str_eq(a, b, "%s and %s differ", one, other);
    free(a);
    free(b);
}

Test(sweep_ranks, without_mpi_there_is_no_symbol_of_it)
{
    if (!has_mpi())
        cr_expect_neq(shell("grep -q MPI_Init '%s'", command()), 0);
}

Test(sweep_ranks, any_number_of_ranks_makes_the_same_bytes)
{
    if (!has_mpi())
        cr_skip_test("built without MPI=1");
    cr_assert_eq(run_command(BALLS " -o one.csv -j 1"), HELD);
    cr_assert_eq(ranks(1, BALLS " -o r1.csv"), HELD);
    cr_assert_eq(ranks(2, BALLS " -o r2.csv -j 2"), HELD);
    cr_assert_eq(ranks(3, BALLS " -o r3.csv"), HELD);
    expect_same("one.csv", "r1.csv");
    expect_same("one.csv", "r2.csv");
    expect_same("one.csv", "r3.csv");
}

Test(sweep_ranks, ranks_go_on_where_one_process_was_killed)
{
    if (!has_mpi())
        cr_skip_test("built without MPI=1");
    cr_assert_eq(run_command(BALLS " -o one.csv"), HELD);
    shell("head -c 9000 one.csv > r.csv.part");
    cr_assert_eq(ranks(3, BALLS " -o r.csv"), HELD);
    expect_same("one.csv", "r.csv");
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
