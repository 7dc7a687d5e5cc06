/*
 * test_report_command.c - `saltus report`: what the page says, what it says of parts that
 * are missing, and that it holds in a browser.
 */
#include "running.h"

TestSuite(report_command, .init = make_folder_with_code, .fini = remove_folder);

static void expect_on_page(const char *page, const char *text)
{
    char *html = contents(page);
    cr_assert_not_null(html, "%s is not there", page);
    cr_expect_not_null(strstr(html, text), "no '%s' on %s", text, page);
    free(html);
}

static void expect_not_on_page(const char *page, const char *text)
{
    char *html = contents(page);
    cr_assert_not_null(html, "%s is not there", page);
    cr_expect_null(strstr(html, text), "'%s' on %s", text, page);
    free(html);
}

/* Puts a part into r/data, as if `command` had made it. */
static void put_part(const char *name, const char *file, const char *command,
                     const char *json)
{
    char path[100];
    shell("mkdir -p r/data");
    snprintf(path, sizeof path, "r/data/%s", file);
    write_file(path, json);
    snprintf(path, sizeof path, "r/data/%s.command", name);
    char text[300];
    snprintf(text, sizeof text, "%s saltus %s", SALTUS_VERSION, command);
    write_file(path, text);
}

Test(report_command, a_page_is_one_file_and_another_run_gives_the_same_bytes)
{
    cr_assert_eq(run_command("report five-bar bouncing-ball -o r --parts "
                             "catalogue,matrix"),
                 HELD);
    expect_on_page("r/index.html", "On 2 mechanisms, in 9 formulations");
    expect_on_page("r/index.html", "id=\"case-five-bar\"");
    expect_on_page("r/index.html", "bouncing-ball: y over time; 3 events are marked");
    expect_on_page("r/index.html", "This part was left out of the report (--parts).");
    expect_not_on_page("r/index.html", "could not be made");
    expect_not_on_page("r/index.html", "src=\"http");
    expect_not_on_page("r/index.html", "href=\"http");
    cr_assert_eq(shell("cp r/index.html first.html && cp r/data/matrix.json "
                       "first.json"), 0);
    expect_run("report five-bar bouncing-ball -o r --parts catalogue,matrix", HELD, "err",
               "matrix is there");
    expect_same_files("first.html", "r/index.html", "with the same data");
    expect_run("report five-bar bouncing-ball -o r --parts catalogue,matrix --restart "
               "-j 1",
               HELD, "err", "matrix, about");
    expect_same_files("first.json", "r/data/matrix.json", "made again");
    expect_same_files("first.html", "r/index.html", "made again");
}

/* Data of other cases, or of an older executable, are made again. */
Test(report_command, takes_no_data_that_another_command_has_made)
{
    const char *json = "{\"matrix\":[]}";
    put_part("matrix", "matrix.json", "verify --matrix --json matrix.json "
             "rope-catch", json);
    expect_run("report bouncing-ball -o r --parts matrix", HELD, "err", "matrix, about");
    put_part("matrix", "matrix.json", "verify --matrix --json matrix.json bouncing-ball",
             json);
    expect_run("report bouncing-ball -o r --parts matrix", HELD, "err", "matrix is "
               "there");
    cr_assert_eq(shell("touch -d 2001-01-01 r/data/matrix.json"), 0);
    expect_run("report bouncing-ball -o r --parts matrix", HELD, "err", "matrix, about");
    setenv("SALTUS_VALUES", "elsewhere", 1);
    expect_run("report bouncing-ball -o r --parts matrix", HELD, "err", "matrix, about");
}

Test(report_command, makes_damaged_data_again)
{
    static const char *const damaged[] = {"{\"matrix\":[{\"case\":", "", "[]"};
    for (int k = 0; k < 3; k++) {
        put_part("matrix", "matrix.json", "verify --matrix --json matrix.json "
                 "bouncing-ball", damaged[k]);
        expect_run("report bouncing-ball -o r --parts matrix", HELD, "err",
                   "matrix, about");
        expect_on_page("r/index.html", "On 1 mechanism, in 9 formulations");
    }
}

Test(report_command, what_fell_short_is_said_first)
{
    put_part("verify", "verify.json", "verify --save verify.json bouncing-ball",
             "{\"records\":[{\"case\":\"bouncing-ball\",\"solution\":\"ode\",\"oracle\":"
             "\"certified\",\"verdict\":\"FAIL\",\"numbers\":10,\"spare\":-3.5},"
             "{\"case\":\"bouncing-ball\",\"solution\":\"ode\",\"oracle\":\"native\","
             "\"verdict\":\"PASS\",\"numbers\":20,\"spare\":1}]}");
    put_part("matrix", "matrix.json", "verify --matrix --json matrix.json bouncing-ball",
             "{\"matrix\":[{\"case\":\"bouncing-ball\",\"formulation\":\"<ode>\","
             "\"digits\":4.25,\"pass\":false,\"least\":{\"quantity\":\"q.y\",\"t\":1,"
             "\"got\":\"1\",\"want\":\"2\",\"digits\":4.25,\"bar\":9}}]}");
    put_part("mutants", "mutants.json",
             "mutants --every 50 --json mutants.json bouncing-ball",
             "{\"held\":false,\"every\":50,\"seeded\":[{\"number\":1,\"fault\":\"no "
             "sign\","
             "\"cases\":[{\"case\":\"bouncing-ball\",\"outcome\":\"missed\"}]}],"
             "\"generated\":[]}");
    cr_assert_eq(run_command("report bouncing-ball -o r --parts verify,matrix,mutants"),
                 SHORT);
    expect_on_page("r/index.html", "30 numbers were compared with independent judges, "
                   "and "
                   "<strong>1 of 2 verdicts failed</strong>; 0 of 1 fault");
    expect_on_page("r/index.html", "<td class=\"d0 below\">");
    expect_on_page("r/index.html", "&lt;ode&gt;");
    expect_on_page("r/index.html", "<tr class=\"missed\">");
    expect_not_on_page("r/index.html", "<ode>");
}

Test(report_command, claims_and_formulas_are_counted_by_their_verdicts)
{
    shell("mkdir -p r/data/papers");
    put_part("papers", "papers/papers.json", "reproduce -o papers",
             "{\"papers\":[{\"name\":\"a\",\"authors\":\"A & "
             "B\",\"year\":\"2020\",\"title\":"
             "\"T\",\"journal\":\"J\",\"claims\":[{\"where\":\"Fig. 1\",\"claim\":\"c\","
             "\"printed\":\"1.5\",\"unit\":null,\"ours\":\"1.51\","
             "\"verdict\":\"refuted\",\"agreed\":1,\"evidence\":\"e\"},"
             "{\"where\":\"Fig. 2\",\"claim\":\"d\","
             "\"printed\":null,\"verdict\":\"confirmed\",\"agreed\":null}],\"formulas\":"
             "[{\"where\":\"(9)\",\"printed\":\"a<b\",\"corrected\":\"a>b\","
             "\"printed_digits\":0.5,\"corrected_digits\":12.25,\"verdict\":\"wrong\","
             "\"judge\":\"complex "
             "step\",\"evidence\":\"f\"}],\"figures\":[{\"name\":\"none\","
             "\"where\":\"Fig. 3\",\"title\":\"t\",\"alt\":\"curves\"}],"
             "\"refused\":[{\"third\":\"why not\"}]}]}");
    cr_assert_eq(run_command("report bouncing-ball -o r --parts papers"), SHORT,
                 "a study was refused");
    expect_on_page("r/index.html", "of 2 printed claims of 1 paper, 1 is confirmed, 1 "
                   "refuted "
                   "and 0 not reproducible");
    expect_on_page("r/index.html", "of 1 printed formula that was tried, 1 is wrong");
    expect_on_page("r/index.html", "<code>a&lt;b</code>");
    expect_on_page("r/index.html", "A &amp; B");
    expect_on_page("r/index.html", "papers/none.svg is missing");
    expect_on_page("r/index.html", "third was refused: why not");
}

Test(report_command, a_part_that_cannot_be_made_is_said_on_the_page)
{
    cr_assert_eq(shell("PATH=/nowhere '%s' report bouncing-ball -o r "
                       "--parts catalogue,papers --pdf", command_path()), USAGE);
    expect_on_page("r/index.html", "This part could not be made: exit status 2: saltus "
                   "reproduce: figures need gnuplot");
    char *err = contents("err");
    cr_expect_not_null(strstr(err, "--pdf needs chromium"));
    free(err);
    cr_assert_eq(shell("PATH=/nowhere '%s' report bouncing-ball -o r "
                       "--parts catalogue,papers", command_path()), SHORT);
}

Test(report_command, a_signal_ends_the_command_of_a_part_too)
{
    shell("'%s' report -o r --parts verify & p=$!; "
          "for k in $(seq 200); do [ -e r/data/verify.txt ] && break; sleep 0.05; "
          "done; sleep 0.5; kill -TERM $p; wait $p", command_path());
    cr_expect(file_is_there("r/data/verify.txt"), "it had not begun");
    cr_expect(!process_left("r/data/verify.jso[n]"));
    cr_expect_eq(shell("ls -A r/data | grep -v '^verify\\.[lt]'"), 1,
                 "files are left");
    cr_expect(!file_is_there("r/index.html"));
}

Test(report_command, wrong_requests_are_one_line)
{
    expect_complaint("report", USAGE, "-o DIR is the folder");
    expect_complaint("report -o r --parts matrx", USAGE, "did you mean matrix?");
    expect_complaint("report five-bar rope-catch five-bar -o r", USAGE, "named twice");
    expect_complaint("report five-bra -o r", USAGE, "did you mean five-bar");
    write_file("r", "a file");
    expect_complaint("report five-bar -o r", USAGE, "no folder");
}

/* In the browser: no message, nothing too wide, every motion moves (browse.py). */
Test(report_command, the_page_holds_in_a_browser, .timeout = 300)
{
    if (shell("command -v python3 && { command -v chromium || command -v "
              "chromium-browser "
              "|| command -v google-chrome; }") != 0)
        cr_skip_test("without chromium and python3: make deps-report");
    cr_assert_eq(run_command("report five-bar rope-catch pwlin bricard-one-bar cradle "
                             "-o 'r #1%20' --parts catalogue,matrix --pdf && mv "
                             "'r #1%20' r"), HELD);
    cr_expect_eq(shell("head -c 5 r/report.pdf | grep -q %%PDF"), 0);
    cr_expect_eq(shell("ls r/data | grep -q chromium"), 1, "settings are left");
    int status = shell("python3 '%s/verify/tests/report/browse.py' r/index.html", top());
    char *out = contents("out"), *err = contents("err");
    cr_expect_eq(status, 0, "%s%s", out, err);
    free(out);
    free(err);
    cr_assert_eq(shell("sed 's/requestAnimationFrame(tick);/0;/; s/max-width: 100%%;/"
                       "width: 3000px;/' r/index.html > r/broken.html"), 0);
    status = shell("python3 '%s/verify/tests/report/browse.py' r/broken.html "
                   "--size phone", top());
    out = contents("out");
    cr_expect_eq(status, 1, "a page that is broken holds");
    cr_expect_not_null(strstr(out, "does not move"), "%s", out);
    cr_expect_not_null(strstr(out, "wide"), "%s", out);
    free(out);
}
