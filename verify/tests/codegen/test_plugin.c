/*
 * test_plugin.c - formulations, integrators and jump rules of others: the example of
 * formulations/README.md is compiled and judged; what is wrong with a plug-in is said,
 * and costs its own row only.
 */
#include "parsing.h"
#include "sampling.h"

TestSuite(plugin, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* Compiles a file (of the folder, or with a whole path) to NAME.so in the folder. */
static void compile(const char *file, const char *name, const char *flags)
{
    int status = shell("cc -Wall -Wextra -Werror -O1 -shared -fPIC %s '%s' -o %s.so",
                       flags, file, name);
    char *err = contents("err");
    cr_assert_eq(status, 0, "cc %s %s: %s", flags, file, err);
    free(err);
}

/* NAME.c in the folder, whatever the compiler thinks of it. */
static void compile_loosely(const char *name)
{
    cr_assert_eq(shell("cc -w -shared -fPIC -I'%s/cases' -I'%s/cases/model' "
                       "-I'%s/formulations' %s.c -o %s.so", top(), top(), top(), name,
                       name), 0);
}

/* A target of the Makefile, installed into the folder root. */
static int make(const char *target)
{
    return shell("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C '%s' SKIP_DEPS=1 %s "
                 "DESTDIR=$PWD/root PREFIX=/usr", top(), target);
}

static void compile_test_plugin_with(const char *name, const char *more)
{
    char file[PATH_MAX + 100], flags[3 * PATH_MAX + 200];
    snprintf(file, sizeof file, "%s/verify/tests/plugins/%s.c", top(), name);
    snprintf(flags, sizeof flags, "%s -I'%s/cases' -I'%s/cases/model' "
             "-I'%s/formulations'", more, top(), top(), top());
    compile(file, name, flags);
}

static void compile_test_plugin(const char *name)
{
    compile_test_plugin_with(name, "");
}

/* The C of the README's example, with the last line replaced if `end` is given. */
static void write_example(const char *name, const char *end)
{
    char path[PATH_MAX + 60];
    snprintf(path, sizeof path, "%s/formulations/README.md", top());
    char *text = contents(path);
    char *begin = strstr(text, "## A formulation of your own, as a plug-in");
    cr_assert_not_null(begin);
    begin = strstr(begin, "```c\n") + strlen("```c\n");
    char *stop = strstr(begin, "```\n");
    cr_assert_not_null(stop);
    *stop = '\0';
    int lines = 0;
    for (const char *c = begin; *c; c++)
        lines += *c == '\n';
    cr_assert_leq(lines, 60);
    char *last = strstr(begin, "SALTUS_PLUGIN(");
    cr_assert_not_null(last);
    char all[6000];
    snprintf(all, sizeof all, "%.*s%s", (int)(last - begin), begin, end ? end : last);
    write_file(name, all);
    free(text);
}

static void compile_example(const char *name, const char *end)
{
    char file[80], flags[3 * PATH_MAX + 100];
    snprintf(file, sizeof file, "%s.c", name);
    snprintf(flags, sizeof flags, "-I'%s/cases' -I'%s/cases/model' -I'%s/formulations'",
             top(), top(), top());
    write_example(file, end);
    compile(file, name, flags);
}

static const char one_formulation[] =
    ".formulations = (const struct formulation *const []){&critical, NULL});\n";

/* The lines of the last output that contain `word`, one after the other. */
static char *lines_with(const char *word)
{
    char *out = contents("out"), *kept = NULL, *rest = out, *line;
    size_t size = 0;
    FILE *memory = open_memstream(&kept, &size);
    while ((line = strsep(&rest, "\n")))
        if (strstr(line, word))
            fprintf(memory, "%s\n", line);
    fclose(memory);
    free(out);
    return kept;
}

/* --- the example -------------------------------------------------------------------- */

Test(plugin, the_example_of_the_readme_is_compiled_with_installed_headers_and_judged)
{
    int status = make("install-headers");
    char *err = contents("err");
    cr_assert_eq(status, 0, "make install-headers: %s", err);
    free(err);
    write_example("critical.c", NULL);
    compile("critical.c", "critical",
            "-std=c11 -pedantic $(PKG_CONFIG_PATH=root/usr/lib/pkgconfig "
            "PKG_CONFIG_SYSROOT_DIR=$PWD/root pkg-config --cflags saltus-plugin)");
    /* Of a closed form it gets as near as index1 does, at the rtol of that
       (tolerances.def). */
    expect_run("verify five-bar pendulum-wall --plugin critical.so -f critical "
               "--oracle complex-step,certified,closed-form --rtol 5e-14", HELD, "out",
               "5 rows passed, 0 failed");
    char *rows = lines_with("critical ");
    cr_assert_not_null(strstr(rows, "certified"));
    cr_assert_not_null(strstr(rows, "closed-form"));
    free(rows);
}

Test(plugin, its_names_are_known_to_list_help_and_did_you_mean)
{
    compile_example("critical", NULL);
    expect_run("list --plugin critical.so", HELD, "out",
               "plug-in critical (critical.so)");
    expect_run("run --plugin critical.so --help", HELD, "out", "critical\n");
    expect_run("show pendulum-wall --plugin critical.so", HELD, "out", "  critical ");
    expect_complaint("run pendulum-wall --plugin critical.so -f critcal", USAGE,
                    "did you mean critical?");
    expect_complaint("run pendulum-wall --plugin critical.so -f critical --opt omga=1",
                    USAGE, "did you mean omega?");
    expect_complaint("run pendulum-wall --plugin critical.so -f critical --opt omega=a",
                    USAGE, "omega=a");
    expect_run("run pendulum-wall --plugin critical.so -f critical --points 2 "
               "--sens none", HELD, "out", "t,q.x,q.y,");
}

Test(plugin, gives_the_same_bytes_with_any_number_of_threads)
{
    char *table[2], *json[2];
    compile_example("critical", NULL);
    for (int k = 0; k < 2; k++) {
        expect_run(k ? "verify pendulum-wall --plugin critical.so -f critical "
                       "--oracle complex-step --json x.json --jobs 3"
                     : "verify pendulum-wall --plugin critical.so -f critical "
                       "--oracle complex-step --json x.json --jobs 1",
                   HELD, "out", "PASS");
        table[k] = contents("out");
        json[k] = contents("x.json");
    }
    cr_assert_str_eq(table[0], table[1]);
    cr_assert_str_eq(json[0], json[1]);
    cJSON *all = json_of("x.json");
    cr_assert_eq(cJSON_GetArraySize(cJSON_GetObjectItem(all, "verdicts")), 1113);
    cJSON_Delete(all);
    for (int k = 0; k < 2; k++) {
        free(table[k]);
        free(json[k]);
    }
}

/* --- integrators and rules ---------------------------------------------------------- */

Test(plugin, an_integrator_runs_and_is_judged)
{
    compile_test_plugin("kutta");
    expect_run("verify bouncing-ball pendulum-stop --plugin kutta.so --integrator kutta4 "
               "-f ode --rtol 1e-11 --digits 8 --oracle complex-step,certified",
               HELD, "out", "4 rows passed, 0 failed");
}

Test(plugin, a_jump_rule_with_a_wrong_sign_is_caught_at_its_event_and_named)
{
    compile_test_plugin("turned");
    expect_run("verify pendulum-wall --plugin turned.so --rule turned -f index1 "
               "--oracle complex-step", SHORT, "out",
               "rule turned: caught at event 1: dq.x/dg after, 0.0 digits");
    expect_run("verify pendulum-wall --plugin turned.so --rule turned -f index1 "
               "--oracle complex-step", SHORT, "out",
               "wrong sign of v+ tau in dQ+");
}

/* --- whatever it does, it costs its row --------------------------------------------- */

static void expect_row(const char *solution, const char *text)
{
    char *row = lines_with(solution);
    cr_expect_not_null(strstr(row, text), "%s: no '%s' in: %s", solution, text, row);
    free(row);
}

Test(plugin, what_crashes_hangs_or_is_nonsense_costs_its_row_and_nothing_else)
{
    compile_test_plugin("wild");
    run_command("verify pendulum-wall --oracle certified");
    char *before = lines_with("index1 ");
    expect_run("verify pendulum-wall --plugin wild.so --oracle certified --timeout 2 "
               "--json x.json", SHORT, "out", "FAIL");
    char *after = lines_with("index1 ");
    cr_assert_not_null(strstr(after, "PASS"));
    cr_assert_not_null(strstr(before, "PASS"));
    expect_row("w-crash ", "crashed: plug-in wild was ended by signal 11");
    expect_row("w-hang ", "timed-out: plug-in wild was killed: no answer in 2 s");
    expect_row("w-leave ", "bad-answer: plug-in wild ended without a complete answer; it "
                           "said: so long");
    expect_row("w-scribble ", "bad-answer: plug-in wild ended without a complete answer");
    expect_row("w-nothing ", "bad-input: formulation w-nothing");
    expect_row("w-twice ", "bad-input: formulation w-twice, mode swing: its residual has "
                           "an unknown that is there twice");
    expect_row("w-damped ", "FAIL");
    expect_row("w-undefined ", "not-finite at t = 0: mode swing: log(-pow(x, 2))");
    cJSON_Delete(json_of("x.json"));        /* it can be read */
    free(before);
    free(after);
}

Test(plugin, a_rule_that_gives_no_number_or_no_status_falls_short)
{
    static const struct { const char *rule, *text; } rules[] = {
        {"w-nan", "sensitivity jump of event wall, rule w-nan"},
        {"w-infinite", "after.1.d"},
        {"w-status", "sensitivity jump of event wall, rule w-status"},
        {"w-applies", "crashed: plug-in wild was ended by signal 6"},
    };
    compile_test_plugin("wild");
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        char arguments[200];
        snprintf(arguments, sizeof arguments, "verify pendulum-wall --plugin wild.so "
                 "--rule %s -f index1 --oracle complex-step", rules[k].rule);
        expect_run(arguments, SHORT, "out", rules[k].text);
    }
}

Test(plugin, a_command_that_it_ends_says_so_in_one_line_and_leaves_no_file)
{
    compile_test_plugin("wild");
    expect_complaint("run pendulum-wall --plugin wild.so -f w-crash -o x.csv", USAGE,
                    "with these plug-ins: ended by signal 11");
    expect_complaint("run pendulum-wall --plugin wild.so -f w-hang --timeout 0.3 "
                     "-o x.csv", USAGE, "no end after 0.3 s (--timeout)");
    expect_run("run pendulum-wall --plugin wild.so -f w-leave -o x.csv", USAGE, "err",
               "ended before its end, with exit status 0");
    cr_assert_eq(shell("ls -A | grep -c x.csv"), 1, "a file was left");
}

Test(plugin, is_measured_in_a_process_of_its_own)
{
    compile_test_plugin("wild");
    expect_run("bench w-leave --plugin wild.so --quick --rtol 1e-6 -o x.csv", USAGE,
               "err", "ended before its end, with exit status 0");
    expect_complaint("bench w-hang --plugin wild.so --quick --rtol 1e-6 --timeout 0.3 "
                     "-o x.csv", USAGE, "no end after 0.3 s (--timeout)");
    cr_assert_eq(shell("ls -A | grep -c x.csv"), 1, "a file was left");
}

/* Whatever the plug-in does with signals, and however little or much time there is. */
Test(plugin, a_command_that_it_keeps_from_ending_ends_in_time)
{
    static const char *const limits[] = {"0.3", "1e-7", "1e-300"};
    compile_test_plugin("wild");
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        char arguments[200], said[80];
        snprintf(arguments, sizeof arguments, "run pendulum-wall --plugin wild.so "
                 "-f w-deaf --timeout %s -o x.csv", limits[k]);
        snprintf(said, sizeof said, "no end after %g s", atof(limits[k]));
        expect_complaint(arguments, USAGE, said);
    }
    cr_expect_eq(run_command("run pendulum-wall --plugin wild.so --timeout 1e19 "
                             "-o x.csv"), HELD);
    cr_expect_eq(run_command("run pendulum-wall --plugin wild.so --timeout 1e308 "
                             "-o x.csv"), HELD);
}

/* The parent ends it as it would end itself: the temporary file goes. */
Test(plugin, a_command_with_it_that_is_ended_leaves_nothing)
{
    compile_test_plugin("wild");
    put_program("gnuplot", "#!/bin/sh\n: > begun\nexec sleep 43.25\n");
    cr_assert_eq(shell("'%s' run pendulum-wall --plugin wild.so -o x.csv --plot x.svg & "
                       "p=$!\nwhile [ ! -e begun ]; do sleep 0.05; done\n"
                       "kill $p; wait $p; [ $? -gt 128 ]", command_path()), 0);
    cr_expect_eq(shell("ls -A | grep '[.]saltus'"), 1, "a temporary file is left");
    cr_expect_not(process_left("4[3].25"), "gnuplot is left");
}

/* Also in a session of its own, and when the command is killed. */
Test(plugin, what_it_starts_ends_with_the_command)
{
    compile_test_plugin("wild");
    cr_assert_eq(run_command("run pendulum-wall --plugin wild.so -f w-session -o x.csv"),
                 HELD);
    cr_expect_not(process_left("4[7].25"), "run has left it");
    cr_assert_eq(run_command("bench w-session --plugin wild.so --quick --rtol 1e-6"),
                 HELD);
    cr_expect_not(process_left("4[7].25"), "bench has left it");
    put_program("gnuplot", "#!/bin/sh\n: > begun\nexec sleep 47.25\n");
    cr_assert_eq(shell("'%s' run pendulum-wall --plugin wild.so -f w-session -o x.csv "
                       "--plot x.svg & p=$!\nwhile [ ! -e begun ]; do sleep 0.05; done\n"
                       "kill -KILL $p; wait $p; sleep 1", command_path()),
                 0);
    cr_expect_not(process_left("4[7].25"), "the killed command has left it");
}

/* It is loaded in every process of the command. */
Test(plugin, its_destructors_do_not_run)
{
    compile_test_plugin_with("wild", "-DCRASH_AT_THE_END");
    cr_expect_eq(run_command("list --plugin wild.so"), HELD);
    cr_expect_eq(run_command("run pendulum-wall --plugin wild.so -o x.csv"), HELD);
    cr_expect_eq(run_command("verify bouncing-ball -f ode --oracle certified "
                             "--plugin wild.so"), HELD);
}

/* --- what is not loaded ------------------------------------------------------------- */

static void expect_refused(const char *file, const char *text)
{
    char arguments[200];
    snprintf(arguments, sizeof arguments, "verify pendulum-wall --plugin %s", file);
    expect_complaint(arguments, USAGE, text);
}

Test(plugin, what_was_built_for_another_interface_is_refused_with_both_numbers)
{
    char end[300];
    snprintf(end, sizeof end, "SALTUS_PLUGIN(old, .abi = 7, %s", one_formulation);
    write_example("abi.c", end);
    compile_loosely("abi");
    expect_refused("abi.so", "it was built for plug-in interface 7, this is 3");
    snprintf(end, sizeof end, "SALTUS_PLUGIN(old, .size = (const size_t[99]){7}, %s",
             one_formulation);
    write_example("size.c", end);
    compile_loosely("size");
    expect_refused("size.so", "it was built for a formula of 7 bytes, here it has 16");
}

Test(plugin, names_that_are_taken_and_tables_that_are_incomplete_are_refused)
{
    static const struct { const char *expression, *text; } changes[] = {
        {"s/\"critical\"/\"penalty\"/", "there is a formulation penalty already"},
        {"s/\"critical\"/\"two words\"/", "the name of a formulation must be of letters"},
        {"s/\\.residual = residual,//", "formulation critical has no residual"},
        {"s/&critical, NULL/NULL/",
         "it has no formulation, integrator, jump rule or case"},
        {"s/&critical, NULL/\\&critical, \\&critical, NULL/",
         "there is a formulation critical already"},
    };
    write_example("critical.c", NULL);
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        cr_assert_eq(shell("sed '%s' critical.c > changed.c", changes[k].expression), 0);
        compile_loosely("changed");
        expect_refused("changed.so", changes[k].text);
    }
    compile_example("critical", NULL);
    expect_refused("critical.so --plugin critical.so",
                   "there is a formulation critical already");
    write_file("rule.c", "#include \"plugin.h\"\n"
               "static const struct jump_rule rule = {.name = \"no-dte\", .title = \"\", "
               ".source = \"\", .tau = saltation_tau, .apply = saltation_apply};\n"
               "SALTUS_PLUGIN(rule, .jump_rules = (const struct jump_rule *const []){"
               "&rule, NULL});\n");
    compile_loosely("rule");
    expect_refused("rule.so", "there is a jump rule no-dte already");
}

static const char pendulum_case[] =
    "#include \"plugin.h\"\n#include \"case.h\"\n"
    "static void record(struct model *model)\n{\n"
    "    COORDINATES(th);\n    PARAMETERS(g, l);\n"
    "    NOMINAL(g, 9.81, \"m/s^2\", \"gravity\");\n"
    "    NOMINAL(l, 1, \"m\", \"length\");\n"
    "    model->M[0][0] = EQ(l);\n    model->F[0] = EQ(-g*sin(th));\n"
    "    model->q0[0] = EQ(1);\n    model->v0[0] = EQ(0);\n"
    "    model->t_end = EQ(1);\n}\n"
    "CASE(mine, .name = \"mine\", .title = \"a pendulum\", .source = \"this file\",\n"
    "     .record = record);\n"
    "SALTUS_PLUGIN(mine,\n"
    "    .cases = (const struct case_desc *const []){&case_mine, NULL});\n";

Test(plugin, a_case_is_found_by_its_name)
{
    char flags[3 * PATH_MAX + 100];
    snprintf(flags, sizeof flags, "-I'%s/cases' -I'%s/cases/model' -I'%s/formulations'",
             top(), top(), top());
    write_file("mine.c", pendulum_case);
    compile("mine.c", "mine", flags);
    expect_run("list --plugin ./mine.so", HELD, "out", "case         mine");
    expect_run("verify mine --plugin ./mine.so", HELD, "out", "0 failed");
    expect_run("show mine --plugin ./mine.so", HELD, "out", "a pendulum");
    expect_run("show mine", USAGE, "err", "no case mine");
    cr_assert_eq(shell("sed 's/\"mine\"/\"five-bar\"/' mine.c > taken.c"), 0);
    compile_loosely("taken");
    expect_refused("taken.so", "there is a case five-bar already");
}

/* --timeout is not the limit of that. */
Test(plugin, what_hangs_while_it_is_loaded_is_refused)
{
    compile_test_plugin_with("wild", "-DHANG_WHEN_LOADED");
    expect_refused("wild.so", "loading it was killed: no answer in 10 s\n");
}

Test(plugin, what_is_no_plugin_is_refused_in_one_line)
{
    write_file("none.c", "int nothing;\n");
    compile("none.c", "none", "");
    expect_refused("none.so", "it exports no saltus_plugin");
    write_example("critical.c", NULL);
    expect_refused("critical.c", "invalid ELF header");
    expect_refused("nonesuch.so", "No such file");
    write_file("trap.c", "#include <stdlib.h>\n__attribute__((constructor)) static void "
               "now(void)\n{\n    abort();\n}\n");
    compile("trap.c", "trap", "");
    expect_refused("trap.so", "loading it was ended by signal 6");
    write_file("missing.c", "extern int nobody_has_this(void);\n"
               "int f(void);\nint f(void)\n{\n    return nobody_has_this();\n}\n");
    compile("missing.c", "missing", "");
    expect_refused("missing.so", "undefined symbol: nobody_has_this");
}

/* Slow: the installed command with the installed headers. */
Test(plugin, the_installed_command_loads_it)
{
    if (!in_test_all())
        return;
    cr_assert_eq(make("install"), 0);
    write_example("critical.c", NULL);
    compile("critical.c", "critical",
            "$(PKG_CONFIG_PATH=root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/root "
            "pkg-config --cflags saltus-plugin)");
    cr_assert_eq(shell("SALTUS_VALUES='%s/reference/values' root/usr/bin/saltus verify "
                       "pendulum-wall --plugin critical.so -f critical "
                       "--oracle complex-step,certified", top()), HELD);
}
