/*
 * test_ci.c - verdicts as JUnit XML and TAP: what a CI reads is what the table says.
 */
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "running.h"
#include "tables/checks.h"

TestSuite(ci, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* --- XML ---------------------------------------------------------------------------- */

static int attribute_of(const xmlNode *node, const char *name)
{
    xmlChar *text = xmlGetProp((xmlNode *)node, (const xmlChar *)name);
    cr_assert_not_null(text, "no %s", name);
    int number = atoi((char *)text);
    xmlFree(text);
    return number;
}

/* Elements of this name below a node. */
static int elements(const xmlNode *node, const char *name)
{
    int count = 0;
    for (const xmlNode *child = node->children; child; child = child->next)
        if (child->type == XML_ELEMENT_NODE)
            count += (strcmp((const char *)child->name, name) == 0) +
                     elements(child, name);
    return count;
}

/* The document, once what it says of itself has been counted again. */
static xmlDoc *read_junit(const char *text)
{
    xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "x.xml", NULL,
                                     XML_PARSE_NONET);
    cr_assert_not_null(document, "not well formed:\n%s", text);
    const xmlNode *root = xmlDocGetRootElement(document);
    int tests = 0;
    cr_assert_str_eq((const char *)root->name, "testsuites");
    cr_expect_eq(attribute_of(root, "tests"), elements(root, "testcase"));
    cr_expect_eq(attribute_of(root, "failures"), elements(root, "failure"));
    cr_expect_eq(attribute_of(root, "skipped"), elements(root, "skipped"));
    for (const xmlNode *suite = root->children; suite; suite = suite->next)
        if (suite->type == XML_ELEMENT_NODE)
            tests += attribute_of(suite, "tests");
    cr_expect_eq(tests, attribute_of(root, "tests"));
    return document;
}

/* --- TAP ---------------------------------------------------------------------------- */

struct tap {
    int plan, ok, not_ok, skip;
};

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A reader as strict as the protocol: version, plan, checks numbered from 1, each failed
   one with a block from --- to ..., and nothing else. */
static struct tap read_tap(char *text)
{
    struct tap tap = {.plan = -1};
    int line = 0;
    bool in_block = false;
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"), line++) {
        const char *rest = begins(at, "not ok ") ? at + 7 : begins(at, "ok ") ? at + 3
                                                                             : NULL;
        if (line == 0) {
            cr_assert_str_eq(at, "TAP version 13");
        } else if (line == 1) {
            cr_assert_eq(sscanf(at, "1..%d", &tap.plan), 1);
        } else if (at[0] == ' ') {
            bool fence = strcmp(at, "  ---") == 0 || strcmp(at, "  ...") == 0;
            cr_assert(fence || (in_block && strchr(at, ':')), "%s", at);
            in_block = fence ? !in_block : in_block;
        } else {
            cr_assert(rest && !in_block, "%s", at);
            tap.ok += at[0] == 'o';
            tap.not_ok += at[0] == 'n';
            tap.skip += strstr(at, " # SKIP ") != NULL;
            cr_assert_eq(atoi(rest), tap.ok + tap.not_ok, "%s", at);
        }
    }
    cr_assert_eq(tap.plan, tap.ok + tap.not_ok);
    return tap;
}

/* --- what the command writes -------------------------------------------------------- */

/* Of "17 rows passed (8: refusal certified), 3 failed, 1 skipped". */
static void counts_of_table(int *held, int *fell_short)
{
    char *out = contents("out"), *found = strstr(out, " passed");
    cr_assert_not_null(found, "%s", out);
    while (found > out && found[-1] != '\n')
        found--;
    cr_assert_eq(sscanf(found, "%d row", held), 1);
    found = strstr(found, " failed");
    cr_assert_not_null(found, "%s", out);
    while (found[-1] >= '0' && found[-1] <= '9')
        found--;
    *fell_short = atoi(found);
    free(out);
}

static void expect_same_counts(const char *arguments, int status)
{
    char command[300];
    int held, fell_short;
    snprintf(command, sizeof command, "verify %s --junit x.xml --tap x.tap", arguments);
    cr_assert_eq(run_command(command), status, "%s", command);
    counts_of_table(&held, &fell_short);
    char *xml = contents("x.xml"), *text = contents("x.tap");
    xmlDoc *document = read_junit(xml);
    const xmlNode *root = xmlDocGetRootElement(document);
    int skipped = attribute_of(root, "skipped");
    struct tap tap = read_tap(text);
    cr_expect_eq(attribute_of(root, "failures"), fell_short);
    cr_expect_eq(attribute_of(root, "tests"), held + fell_short + skipped);
    cr_expect_eq(tap.not_ok, fell_short);
    cr_expect_eq(tap.skip, skipped);
    cr_expect_eq(tap.plan, held + fell_short + skipped);
    xmlFreeDoc(document);
    free(text);
    free(xml);
}

Test(ci, junit_and_tap_have_as_many_failures_as_the_table)
{
    expect_same_counts("bouncing-ball", HELD);
    expect_same_counts("bouncing-ball --digits 14.5", SHORT);
    expect_same_counts("cradle", HELD);                         /* certified refusals */
    expect_same_counts("rope-catch -f penalty", HELD);          /* a gap: skipped */
    expect_same_counts("five-bar --rule corner-94-printed -f ode --oracle certified",
                       SHORT);
}

Test(ci, failure_names_the_place_with_both_numbers)
{
    cr_assert_eq(run_command("verify bouncing-ball --digits 14.5 --junit x.xml"), SHORT);
    char *xml = contents("x.xml");
    char *message = strstr(xml, "<failure message=\"");
    cr_assert_not_null(message);
    cr_expect_not_null(strstr(message, " of 480 numbers short; first at "));
    cr_expect_not_null(strstr(message, " digits (bar 14.5); got "));
    cr_expect_not_null(strstr(xml, "\nbar: 14.5\n"));
    cr_expect_not_null(strstr(xml, "got: "));
    free(xml);
}

Test(ci, on_standard_output_there_is_nothing_else)
{
    cr_assert_eq(run_command("verify bouncing-ball --tap -"), HELD);
    char *text = contents("out");
    struct tap tap = read_tap(text);
    cr_assert_eq(tap.ok, 14);
    cr_assert_eq(run_command("verify bouncing-ball --junit -"), HELD);
    char *xml = contents("out");
    xmlFreeDoc(read_junit(xml));
    cr_assert_eq(run_command("verify bouncing-ball --oracle native --tap - "
                             "--rule five-94"), USAGE);
    free(text);
    free(xml);
}

/* Two kinds of one row worse, one row vanished: two checks of fifteen fail. */
Test(ci, what_regress_finds_worse_fails_its_row)
{
    cr_assert_eq(run_command("regress --save x bouncing-ball"), HELD);
    cr_assert_eq(shell("sed -e '/ode.*certified/,/}}/ s/^\\(\"d[vz]\":.\\)[0-9.]*/"
                       "\\118/' -e '2i {\"case\":\"bouncing-ball\",\"solution\":"
                       "\"lost\",\"oracle\":\"twin\",\"verdict\":\"empty\",\"rtol\":"
                       "null},' x > y"), 0);
    expect_run("regress --against y --junit x.xml --tap x.tap", SHORT, "out",
               "2 worse, 1 worse on average, 1 vanished");
    char *xml = contents("x.xml"), *text = contents("x.tap");
    cr_expect_not_null(strstr(xml, "<failure message=\"bouncing-ball ode certified dv: "
                                   "18.00 -&gt; 1"), "%s", xml);
    cr_expect_not_null(strstr(text, "verdict: \"vanished\""), "%s", text);
    struct tap tap = read_tap(text);
    cr_expect_eq(tap.plan, 15);
    cr_expect_eq(tap.not_ok, 2);
    xmlDoc *document = read_junit(xml);
    cr_expect_eq(attribute_of(xmlDocGetRootElement(document), "failures"), 2);
    xmlFreeDoc(document);
    free(text);
    free(xml);
}

Test(ci, what_cannot_be_written_is_said_before_the_work)
{
    expect_complaint("verify --junit /nonexistent/x", USAGE, "/nonexistent/x");
    expect_complaint("regress --save x --tap /nonexistent/x", USAGE, "/nonexistent/x");
    expect_complaint("verify --junit - --tap -", USAGE, "alone");
    expect_complaint("verify --study alpha five-bar --tap x", USAGE, "--tap");
}

/* --- names of others ---------------------------------------------------------------- */

static const char *const weird[] = {
    "<failure/>&amp;\"'", "]]>", "# SKIP me", "\\# TODO", "line\nok 2 - another",
    "bell \x07 and escape \x1b[31m", "cut \xe2\x82", "latin \xe9", "\xef\xbf\xbe",
    "caf\xc3\xa9 \xf0\x9f\x90\x98", "", "%s%n",
};
enum { WEIRD = sizeof weird / sizeof *weird };

/* As solution, oracle and note of rows that fall short; a command line of --solver and
   what a plug-in says end there. */
static void weird_checks(struct checks *checks, struct rows *rows)
{
    for (int k = 0; k < WEIRD; k++) {
        struct row *row = rows_add(rows, ROW_REFUSED, weird[k], weird[k],
                                   weird[WEIRD - 1 - k]);
        struct diagnosis diagnosis;
        diagnose(&diagnosis, BAD_INPUT, 1.0, "%s", weird[k]);
        row_refuse(row, &diagnosis);
        snprintf(row->note, sizeof row->note, "%s", weird[k]);
    }
    const struct rows *list[] = {rows};
    checks_of_rows(checks, list, 1);
    cr_assert_eq(checks->count, WEIRD);
}

Test(ci, names_with_any_bytes_stay_names)
{
    struct checks checks = {.title = "saltus <verify>"};
    struct rows rows = {.digits = 0};
    char *xml = NULL, *text = NULL;
    size_t size;
    weird_checks(&checks, &rows);
    FILE *stream = open_memstream(&xml, &size);
    cr_assert(report_junit(stream, &checks));
    fclose(stream);
    stream = open_memstream(&text, &size);
    report_tap(stream, &checks);
    fclose(stream);

    xmlDoc *document = read_junit(xml);
    cr_assert_eq(attribute_of(xmlDocGetRootElement(document), "failures"), WEIRD);
    struct tap tap = read_tap(text);
    cr_assert_eq(tap.not_ok, WEIRD);
    cr_assert_eq(tap.skip, 0);
    xmlFreeDoc(document);
    free(xml);
    free(text);
    checks_clear(&checks);
    rows_clear(&rows);
}

Test(ci, characters_are_kept_and_only_what_is_none_is_replaced)
{
    static const char *const pairs[][2] = {
        {"caf\xc3\xa9 \xf0\x9f\x90\x98\t\n", "caf\xc3\xa9 \xf0\x9f\x90\x98\t\n"},
        {"a\xffz", "a\xef\xbf\xbdz"}, {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\x01", "\xef\xbf\xbd"}, {"", ""},
        {"\xc1\x81\xe0\x81\x81" "b", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                                "\xef\xbf\xbd" "b"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char *clean = text_cleaned(pairs[k][0]);
        cr_expect_str_eq(clean, pairs[k][1], "pair %zu", k);
        free(clean);
    }
}
