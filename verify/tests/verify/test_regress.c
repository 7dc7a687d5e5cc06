/*
 * test_regress.c - tables of verdicts kept, read again and compared.
 */
#include <math.h>

#include "parsing.h"
#include "tables/regress.h"

TestSuite(regress, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* --- rows of our own ---------------------------------------------------------------- */

static struct row *numbers(struct rows *rows, const char *oracle, bool held,
                           double digits)
{
    struct row *row = rows_add(rows, ROW_JUDGED, "five-bar", "index3", oracle);
    row->held = held;
    row->numbers = 480;
    row->short_of_bar = held ? 0 : 3;
    row->kinds = 1;
    row->by_kind[0] = (struct kind_digits){"dlambda", digits, "dlambda.1/dL01", 3.2};
    return row;
}

static struct row *refusal(struct rows *rows, const char *oracle, bool held,
                           enum status status, double t)
{
    struct row *row = rows_add(rows, ROW_REFUSED, "five-bar", "index3", oracle);
    row->held = held;
    diagnose(&row->refusal, status, t, "guard of impact");
    return row;
}

static struct regression compared(const struct rows *before, const struct rows *after,
                                  double tolerance)
{
    static const struct regress_scope all = {NULL, NULL};
    struct regression regression;
    regress_compare(before, &after, 1, &all, tolerance, &regression);
    return regression;
}

/* One row before and one after make this change and no other (CHANGES: none), and the
   sentence on it contains the text. */
static void expect_change(struct rows *before, struct rows *after, enum change change,
                          const char *says)
{
    struct regression c = compared(before, after, 0.5);
    int expected = change != CHANGES;
    char text[2400] = "";
    cr_assert_eq(c.findings, expected, "%d findings, not %d: %s", c.findings, expected,
                 says);
    if (expected) {
        finding_text(&c.finding[0], text, sizeof text);
        cr_expect_eq(c.finding[0].change, change, "%s, not %s: %s",
                     change_info[c.finding[0].change].name, change_info[change].name,
                     text);
        cr_expect_eq(regression_held(&c), !change_info[change].fails, "%s", text);
        cr_expect_not_null(strstr(text, says), "no '%s' in '%s'", says, text);
    } else {
        cr_expect(regression_held(&c));
    }
    regression_clear(&c);
    rows_clear(before);
    rows_clear(after);
}

Test(regress, digits_that_are_lost_are_named_with_kind_quantity_and_time)
{
    struct rows before = {0}, after = {0};
    numbers(&before, "certified", true, 9.81);
    numbers(&after, "certified", true, 7.02);
    expect_change(&before, &after, CHANGE_WORSE, "five-bar index3 certified dlambda: "
                  "9.81 -> 7.02 (dlambda.1/dL01 at t = 3.2)");
    numbers(&before, "certified", true, 7.02);
    numbers(&after, "certified", true, 9.81);
    expect_change(&before, &after, CHANGE_BETTER, "7.02 -> 9.81");
}

/* 0.4 of the tolerance, 0.5: four kinds that lose 0.3 are within it, five are not. */
Test(regress, a_row_that_is_worse_on_average_is_named)
{
    static const char *const name[] = {"q", "v", "a", "lambda", "t"};
    for (int kinds = 4; kinds <= 5; kinds++) {
        struct rows before = {0}, after = {0};
        struct row *old = numbers(&before, "certified", true, 9);
        struct row *now = numbers(&after, "certified", true, 9);
        old->kinds = now->kinds = kinds;
        for (int k = 0; k < kinds; k++) {
            snprintf(old->by_kind[k].name, sizeof old->by_kind[k].name, "%s", name[k]);
            now->by_kind[k] = old->by_kind[k];
            old->by_kind[k].digits = 9.0 + 0.1 * k;
            now->by_kind[k].digits = 8.7 + 0.1 * k;
        }
        expect_change(&before, &after, kinds < FEWEST_KINDS ? CHANGES : CHANGE_AVERAGE,
                      "five-bar index3 certified: 0.30 digits fewer on average over 5 "
                      "kinds");
    }
}

/* To two decimals, as they are told: 0.5 is not more than 0.5. */
Test(regress, what_is_lost_within_the_tolerance_is_not_told)
{
    static const double lost[] = {-0.5, -0.2, 0.0, 0.3, 0.496, 0.5};
    struct rows before = {0}, after = {0};
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++) {
        numbers(&before, "certified", true, 9.8);
        numbers(&after, "certified", true, 9.8 - lost[k]);
        expect_change(&before, &after, CHANGES, "");
    }
    numbers(&before, "certified", true, 9.8);
    numbers(&after, "certified", true, 9.8 - 0.51);
    expect_change(&before, &after, CHANGE_WORSE, "9.80 -> 9.29");
}

Test(regress, every_way_in_which_an_outcome_changes_has_its_name)
{
    struct rows before = {0}, after = {0};
    numbers(&before, "certified", true, 9);
    numbers(&after, "certified", false, 9);
    expect_change(&before, &after, CHANGE_LOST, "PASS, 480 numbers -> FAIL, 3 of");

    numbers(&before, "certified", false, 9);
    numbers(&after, "certified", true, 9);
    expect_change(&before, &after, CHANGE_WON, "-> PASS");

    numbers(&before, "certified", false, 9);
    refusal(&after, "certified", false, GRAZING, 3.2);
    expect_change(&before, &after, CHANGE_REFUSED,
                  "-> FAIL: refused, grazing at t = 3.2: guard");

    refusal(&before, "certified", false, GRAZING, 3.2);
    numbers(&after, "certified", true, 9);
    expect_change(&before, &after, CHANGE_ANSWERED, "refused, grazing at t = 3.2: guard");

    refusal(&before, "certified", true, GRAZING, 3.2);      /* the refusal is certified */
    numbers(&after, "certified", false, 0);
    expect_change(&before, &after, CHANGE_LOST,
                  "refused as certified, grazing at t = 3.2");

    refusal(&before, "certified", true, GRAZING, 3.2);
    refusal(&after, "certified", false, NOT_FINITE, 3.2);
    expect_change(&before, &after, CHANGE_REFUSED, "refused as certified, grazing");

    refusal(&before, "certified", false, GRAZING, 3.2);
    refusal(&after, "certified", false, NOT_FINITE, 3.2);
    expect_change(&before, &after, CHANGE_OTHER_REFUSAL, "grazing at t = 3.2");

    refusal(&before, "certified", false, GRAZING, 3.2);
    refusal(&after, "certified", false, GRAZING, 3.1);
    expect_change(&before, &after, CHANGE_MOVED, "at t = 3.1");

    refusal(&before, "certified", false, GRAZING, 3.2);
    refusal(&after, "certified", false, GRAZING, 3.2 + 1e-9);
    expect_change(&before, &after, CHANGES, "");
}

Test(regress, rows_kinds_and_numbers_that_vanish_are_missed)
{
    struct rows before = {0}, after = {0};
    numbers(&before, "certified", true, 9);
    expect_change(&before, &after, CHANGE_VANISHED, "PASS, 480 numbers -> not there");
    numbers(&after, "certified", true, 9);
    expect_change(&before, &after, CHANGE_NEW, "not there -> PASS, 480 numbers");

    numbers(&before, "certified", true, 9);
    numbers(&after, "certified", true, 9)->kinds = 0;
    expect_change(&before, &after, CHANGE_VANISHED, "dlambda: 9.00 -> not there");
    numbers(&before, "certified", true, 9)->kinds = 0;
    numbers(&after, "certified", true, 9);
    expect_change(&before, &after, CHANGE_NEW, "dlambda: not there -> 9.00");

    numbers(&before, "certified", true, 9);
    numbers(&after, "certified", true, 9)->numbers = 479;
    expect_change(&before, &after, CHANGE_FEWER,
                  "PASS, 480 numbers -> PASS, 479 numbers");
}

Test(regress, rows_are_found_in_any_order_and_each_once)
{
    struct rows before = {0}, after = {0};
    static const char *const oracle[] = {"native", "certified", "certified", "twin"};
    for (int k = 0; k < 4; k++) {
        numbers(&before, oracle[k], true, 9);
        numbers(&after, oracle[3 - k], true, 9);
    }
    expect_change(&before, &after, CHANGES, "");
    for (int k = 0; k < 4; k++)
        numbers(&before, oracle[k], true, 9);
    for (int k = 0; k < 4; k++)
        if (k != 1)
            numbers(&after, oracle[k], true, 9);
    expect_change(&before, &after, CHANGE_VANISHED, "five-bar index3 certified: PASS");
}

/* --- tables ------------------------------------------------------------------------- */

Test(regress, the_same_build_writes_the_same_bytes_and_is_not_worse_than_itself)
{
    const char *both = "bouncing-ball cradle";
    char arguments[200];
    static const char *const again[] = {"--save one --jobs 1", "--save two --jobs 3"};
    for (int k = 0; k < 2; k++) {
        snprintf(arguments, sizeof arguments, "regress %s %s", again[k], both);
        cr_assert_eq(run_command(arguments), HELD);
    }
    expect_same_files("one", "two", "three threads");
    expect_run("regress --against one --tolerance 0 --save three", HELD, "out",
               "26 rows, 134 kinds of quantity compared with one: nothing is worse by "
               "more than 0 digits.");
    expect_same_files("one", "three", "compared");
    expect_run("regress --against one bouncing-ball -f implicit", HELD, "out",
               "nothing is worse");
}

Test(regress, a_table_has_a_row_or_a_kind_a_line_and_is_json)
{
    cr_assert_eq(run_command("regress --save x bouncing-ball --jobs 1"), HELD);
    char *text = contents("x");
    cJSON *root = json_of("x"), *record;
    int lines = 2;
    cJSON_ArrayForEach(record, cJSON_GetObjectItem(root, "records"))
        lines += 1 + cJSON_GetArraySize(cJSON_GetObjectItem(record, "kinds"));
    cr_assert_gt(lines, 30);
    cr_assert_eq(count_lines(text), lines);
    cJSON_Delete(root);
    free(text);
}

/* What is read is what was written: written again, it is the same, except for what only
   the numbers themselves tell. */
Test(regress, a_table_that_is_read_holds_the_rows_with_their_kinds_and_refusals)
{
    char error[600], path[300];
    struct table table;
    cr_assert_eq(run_command("regress --save x bouncing-ball cradle --rtol 1e-12"), HELD);
    snprintf(path, sizeof path, "%s/x", folder);
    cr_assert(table_read(path, &table, error, sizeof error), "%s", error);
    cr_assert_eq(table.rows.count, 26);
    cr_assert_eq(table.cases, 2);
    cr_assert_str_eq(table.setting[0], "rtol");
    cr_assert_eq(strtod(table.setting[1], NULL), 1e-12);
    const struct row *first = &table.rows.row[0], *last = &table.rows.row[25];
    cr_assert_eq(first->kind, ROW_JUDGED);
    cr_assert_eq(first->numbers, 480);
    cr_assert_gt(first->kinds, 5);
    cr_assert_str_eq(first->by_kind[0].quantity, "q.y");
    cr_assert_eq(last->kind, ROW_REFUSED);
    cr_assert(last->held);
    cr_assert_neq(last->refusal.status, OK);
    table_clear(&table);
}

/* --- another build ------------------------------------------------------------------ */

/* As if another build had had other digits: the table is edited. */
static void edit(const char *script)
{
    cr_assert_eq(shell("sed -e '%s' x > y && ! cmp -s x y", script), 0, "%s", script);
}

Test(regress, names_of_before_are_read_with_one_line_of_warning)
{
    cr_assert_eq(run_command("regress --save x slack-rope -f index1"), HELD);
    edit("s/\"after\\.\\([0-9]\\)/\"jump.\\1/; s/\"PASS\"/\"held\"/");
    expect_run("regress --against y -f index1 --tolerance 0 --save z", HELD, "err",
               "warning: y has names from before 0.2");
    expect_same_files("x", "z", "from old names");
    char *text = contents("err");
    cr_expect_null(strstr(strstr(text, "warning") + 1, "warning"), "%s", text);
    free(text);
    cr_assert_eq(run_command("regress --against x -f index1"), HELD);
    text = contents("err");
    cr_expect_null(strstr(text, "warning"), "%s", text);
    free(text);
}

Test(regress, another_build_that_is_worse_is_found_out)
{
    cr_assert_eq(run_command("regress --save x bouncing-ball"), HELD);
    edit("/\"ode\",\"oracle\":\"certified\"/,/\"dv\"/ s/\"dv\":.[0-9.]*/\"dv\":[18/");
    expect_run("regress --against y", SHORT, "out",
               "worse                 bouncing-ball ode certified dv: 18.00 -> 1");
    expect_run("regress --against y --tolerance 5", HELD, "out",
               "nothing is worse by more than 5 digits");
    edit("/\"oracle\":\"native\"/ s/\"native\"/\"elsewhere\"/");
    expect_run("regress --against y", SHORT, "out",
               "vanished              bouncing-ball ode elsewhere: PASS, 36");
    edit("/bouncing-ball/ s/\"bouncing-ball\"/\"bouncing-cube\"/");
    expect_complaint("regress --against y", USAGE,
                     "there is no case bouncing-cube any more");
    edit("2,12 s/\"numbers\":480/\"numbers\":481/");
    expect_run("regress --against y", SHORT, "out",
               "fewer numbers         bouncing-ball ode certified: PASS, 481 numbers");
}

Test(regress, what_may_be_lost_without_a_word_depends_on_the_arithmetic)
{
    cr_assert_eq(run_command("regress --save x grazing bouncing-ball"), HELD);
    expect_run("regress --against x", HELD, "out", "by more than 0.3 digits");
    edit("s/\"arithmetic\":\"/\"arithmetic\":\"1/");
    expect_run("regress --against y", HELD, "out", "by more than 1.5 digits");
    expect_run("regress --against y", HELD, "out", "with another arithmetic");
}

Test(regress, rows_of_a_case_that_is_gone_vanish)
{
    cr_assert_eq(run_command("regress --save x bouncing-ball cradle --oracle native,"
                             "certified"), HELD);
    edit("s/\"cradle\"/\"cradle-of-old\"/");
    expect_run("regress --against y --oracle native,certified", SHORT, "out",
               "vanished              cradle-of-old index1 certified: PASS: refused as "
               "certified, ");
    expect_run("regress --against y --oracle native,certified bouncing-ball", HELD, "out",
               "nothing is worse");
}

Test(regress, a_solver_that_turns_wrong_is_found_out_at_its_event)
{
    cr_assert_eq(run_command("run bouncing-ball --rtol 1e-12 --points 9 -o x.csv"), HELD);
    cr_assert_eq(shell("{ cat x.csv; echo '# events'; cat x.events.csv; } > answer"), 0);
    const char *solver = "bouncing-ball --timeout 5 --solver 'cat answer'";
    char arguments[300];
    snprintf(arguments, sizeof arguments, "regress --save x %s", solver);
    cr_assert_eq(run_command(arguments), HELD);
    cr_assert_eq(shell("awk -F, -v OFS=, '/^event,/ { for (i = 1; i <= NF; i++) "
                       "if ($i == \"dv.y/dg\") c = i } c && $1 == 2 && /after/ "
                       "{ $c *= 1 + 1e-9 } { print }' answer > wrong; mv wrong answer"),
                 0);
    snprintf(arguments, sizeof arguments, "regress --against x --junit x.xml %s", solver);
    expect_run(arguments, SHORT, "out", "(event 2: dv.y/dg after at t = ");
    char *xml = contents("x.xml");
    cr_expect_not_null(strstr(xml, "tests=\"2\" failures=\"2\""), "%s", xml);
    free(xml);
}

/* --- input -------------------------------------------------------------------------- */

#define HEAD                                                                          \
    "{\"saltus-regress\":2,\"settings\":{},\"cases\":[],\"saltus\":\"0\","               \
    "\"compiler\":\"c\",\"arithmetic\":\"0\",\"records\":"
#define ROW                                                                           \
    "[{\"case\":\"x\",\"solution\":\"ode\",\"oracle\":\"certified\","               \
    "\"verdict\":\"PASS\",\"rtol\":1,\"numbers\":1,\"short\":0,\"missing\":0,"

Test(regress, what_is_no_table_is_one_line_with_its_remedy)
{
    expect_complaint("regress", USAGE, "give --save FILE, --against FILE, or both");
    expect_complaint("regress --against none", USAGE,
                     "none: cannot be read: No such file");
    expect_complaint("regress --against /tmp", USAGE, "directory");
    expect_complaint("regress --save x --tolerance -1", USAGE, "give 0 or more");
    expect_complaint("regress --save /nonexistent/x", USAGE, "/nonexistent/x");
    static const char *const junk[][2] = {
        {"", "line 1: the file ends too early"},
        {"[]", "this is not a table of verdicts"},
        {"{\"a\":1}", "this is not a table of verdicts"},
        {"\x7f" "ELF\x02\x01", "line 1: this is not JSON"},
        {"{\"saltus-regress\":1}", "its format is 1, this saltus reads 2"},
        {"{\"saltus-regress\":2}", "it does not say what was asked for"},
        {HEAD "[]}", "there are no records in it"},
        {HEAD "[{\"case\":\"five-bar\"}]}",
         "junk, record 1: there is no text of \"solution\""},
        {HEAD ROW "\"kinds\":7}]}", "junk, record 1: \"kinds\" is no object"},
        {HEAD ROW "\"kinds\":{\"dq\":[9,\"dq.x\"]}}]}",
         "junk, record 1: the kind \"dq\" is not [digits, quantity, t]"},
    };
    for (size_t k = 0; k < sizeof junk / sizeof *junk; k++) {
        write_file("junk", junk[k][0]);
        expect_complaint("regress --against junk", USAGE, junk[k][1]);
    }
}

Test(regress, a_table_that_is_cut_off_anywhere_is_refused)
{
    cr_assert_eq(run_command("regress --save x bouncing-ball -f ode --oracle certified"),
                 HELD);
    char *text = contents("x");
    int length = (int)strlen(text);
    for (int k = 1; k < length - 2; k += 1 + length / 40) {
        char *cut = strndup(text, (size_t)k);
        write_file("cut", cut);
        expect_complaint("regress --against cut -f ode --oracle certified", USAGE,
                         "saltus regress --save makes a table anew");
        free(cut);
    }
    free(text);
}

Test(regress, tables_of_other_settings_are_not_compared)
{
    cr_assert_eq(run_command("regress --save x bouncing-ball --rtol 1e-12"), HELD);
    expect_complaint("regress --against x", USAGE, "give --rtol '1e-12'");
    expect_complaint("regress --against x --rtol 1e-12 --digits 9", USAGE,
                     "leave out --digits");
    expect_complaint("regress --against x --rtol 1e-12 --thorough", USAGE,
                     "--thorough must be given to both");
    expect_complaint("regress --against x --rtol 1e-12 five-bar", USAGE,
                     "no row of five-bar");
    expect_run("regress --against x --rtol 1e-12", HELD, "out", "nothing is worse");
    cr_assert_eq(run_command("regress --save x bouncing-ball -f ode"), HELD);
    expect_complaint("regress --against x", USAGE, "give --formulation 'ode'");
    edit("s/\"seed\":\"1\"/\"seed\":\"2\"/");
    expect_complaint("regress --against y -f ode", USAGE, "another random direction");
}
