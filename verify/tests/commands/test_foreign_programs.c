/*
 * test_foreign_programs.c - programs run by `saltus verify --solver`, right, wrong and
 * broken.
 */
#include "checking.h"

TestSuite(foreign_programs, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* The two tables of `saltus run` as an answer in the file answer. */
static void write_program_answer(const char *rule)
{
    write_tables(rule);
    cr_assert_eq(shell("{ cat x.csv; echo '# events'; cat x.events.csv; } > answer"), 0);
}

static void expect_solver(const char *command, int status, const char *text)
{
    char arguments[600];
    snprintf(arguments, sizeof arguments,
             "verify bouncing-ball --timeout 1 --json x.json --solver '%s'", command);
    expect_run(arguments, status, "out", text);
}

Test(foreign_programs, a_program_that_answers_right_is_judged_and_held)
{
    write_program_answer("saltation");
    expect_solver("cat > question.json; cat answer", HELD,
                  "2 rows passed, 0 failed, 0 skipped; 936 numbers compared");
    char *question = contents("question.json");
    cr_assert_not_null(strstr(question, "\"bouncing-ball\""));
    free(question);
    expect_solver("cat answer", HELD, "closed-form");     /* it need not read */
    expect_solver("  /bin/cat  answer", HELD, "bouncing-ball  cat ");
}

Test(foreign_programs, a_program_with_one_wrong_sign_is_found_out)
{
    write_program_answer("saltation");
    cr_assert_eq(shell("awk -F, -v OFS=, '/^event,/ { for (i = 1; i <= NF; i++) "
                       "if ($i == \"dv.y/dg\") c = i } "
                       "c && $1 == 2 && /after/ { $c = -$c } { print }' answer > wrong"),
                 0);
    expect_solver("cat wrong", SHORT, "1 of 468 numbers short; first at event 2: dv.y/dg "
                                      "after, 0.0 digits");
    expect_solver("cat wrong", SHORT, "\n  sign of dv.y/dg after event 2\n");
}

Test(foreign_programs, the_term_that_a_program_forgets_is_named)
{
    write_program_answer("no-J-v");
    expect_solver("cat answer", SHORT, "\n  events 1, 2: J_v dv missing in the reset "
                                       "(all parameters)\n");
    /* printed with nine digits, and without derivatives of accelerations */
    cr_assert_eq(shell("awk -F, -v OFS=, '{ for (i = 1; i <= NF; i++) { "
                       "if ($i ~ /^da/) $i = \"ignored\" i; "
                       "if (FNR > 10 && i > 3 && $i ~ /[0-9][.][0-9]/) "
                       "$i = sprintf(\"%%.8e\", $i) } print }' answer > rounded"), 0);
    expect_solver("cat rounded", SHORT, "\n  events 1, 2: J_v dv missing in the reset "
                                        "(all parameters)\n");
}

Test(foreign_programs, whatever_a_program_does_it_costs_its_row)
{
    static const struct { const char *command, *says; } programs[] = {
        {"sleep 30.718", "timed-out: sleep was killed: no answer in 1 s (--timeout)"},
        {"sleep 30.718 & wait", "timed-out: sleep was killed"},
        {"cat answer; sleep 30.718", "timed-out: cat was killed"},
        {"kill -SEGV $$", "crashed: kill was ended by signal 11"},
        {"echo went wrong >&2; exit 3", "bad-answer: echo ended with exit status 3; it "
                                        "said: went wrong"},
        {"nonesuch --fast", "bad-answer: nonesuch ended with exit status 127; it said: "},
        {"true", "bad-input: true: it is empty"},
        {"echo hello", "bad-input: echo: line 1: there is no column t"},
        {"head -c 5000 /dev/urandom", "bad-input: head: line "},
        {"head -n 5 answer", "head: line 6: the samples end after 4 of 9 times"},
        {"head -c 1000 answer", "cut off"},
        {"sed s:dv.y/dg:dq.y/dg: answer", "column 'dq.y/dg' is there twice"},
    };
    write_program_answer("saltation");
    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++)
        expect_solver(programs[k].command, SHORT, programs[k].says);
    /* How long 64 MB take is up to the machine. */
    expect_run("verify bouncing-ball --timeout 60 --solver 'yes'", SHORT, "out",
               "bad-answer: yes was killed: its answer is longer than 64 MB");
    /* A length that nobody else on this machine will think of. */
    cr_assert_neq(shell("ps -eo args | grep -q '^sleep 30[.]718'"), 0,
                  "one is still there");
}

/* In a session of its own, and one whose parent has ended, while the program itself ends,
   hangs, or saltus is ended in whatever way. */
Test(foreign_programs, nothing_that_a_program_has_started_outlives_it)
{
    static const char *const way[][2] = {
        {"exit 3", "'%s' verify bouncing-ball --solver ./program; [ $? -eq 1 ]"},
        {"sleep 45.25", "'%s' verify bouncing-ball --solver ./program --timeout 1; "
                        "[ $? -eq 1 ]"},
        {"sleep 45.25", "'%s' verify bouncing-ball --solver ./program & p=$!; "
                        "while [ ! -e begun ]; do sleep 0.05; done; kill $p; wait $p; "
                        "[ $? -eq 143 ]"},
        {"sleep 45.25", "'%s' verify bouncing-ball --solver ./program & p=$!; "
                        "while [ ! -e begun ]; do sleep 0.05; done; kill -9 $p; wait $p; "
                        "[ $? -eq 137 ]"},
    };
    for (size_t k = 0; k < sizeof way / sizeof *way; k++) {
        char program[300], command[PATH_MAX + 400];
        snprintf(program, sizeof program, "#!/bin/sh\nsetsid sleep 45.25 &\n"
                 "(sleep 45.25 &)\nsetsid sh -c 'sleep 45.25 & sleep 45.25' &\n"
                 "sleep 0.2; : > begun\n%s\n", way[k][0]);
        write_file("program", program);
        snprintf(command, sizeof command, way[k][1], command_path());
        cr_assert_eq(shell("rm -f begun; chmod 700 program; %s", command), 0, "%s",
                     command);
        cr_expect_not(process_left("4[5].25"), "a process is left by %s and %s",
                      way[k][0], command);
    }
}

Test(foreign_programs, several_programs_are_judged_side_by_side)
{
    write_program_answer("saltation");
    expect_run("verify bouncing-ball --timeout 1 --solver 'cat answer' "
               "--solver 'sleep 9' --solver 'tail -n +1 answer'", SHORT, "out",
               "4 rows passed, 1 failed");
    expect_complaint("verify bouncing-ball --solver x --rule no-dte", USAGE, "--solver");
    expect_complaint("verify bouncing-ball --solver x --timeout 0", USAGE, "above zero");
}
