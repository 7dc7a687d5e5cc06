/*
 * test_sheet.c - the drawings of all mechanisms on one sheet: `saltus list --sheet`, and
 * the one of cases/README.md.
 */
#include "running.h"

TestSuite(sheet, .init = make_folder_with_code, .fini = remove_folder);

#define NAMES "grep -o '<text class=\"name\"[^<]*' %s | sed 's/.*>//'"

Test(sheet, the_page_of_cases_has_every_mechanism_that_is_drawn)
{
    cr_assert_eq(run_command("list --sheet sheet.svg"), HELD);
    cr_assert_eq(shell(NAMES " > drawn; " NAMES " > stored; wc -l < drawn; "
                       "diff drawn stored", "sheet.svg", "$OLDPWD/cases/gallery.svg"), 0,
                 "make gallery draws it again");
    char *drawn = contents("drawn");
    cr_expect_geq(count_lines(drawn), 70);
    cr_expect_not_null(strstr(drawn, "five-bar\n"));
    free(drawn);
}

Test(sheet, two_sheets_are_the_same_bytes)
{
    cr_assert_eq(run_command("list --sheet one.svg"), HELD);
    cr_assert_eq(run_command("list --sheet two.svg"), HELD);
    expect_same_files("one.svg", "two.svg", "drawn twice");
    cr_assert_eq(shell("xmllint --noout one.svg 2> /dev/null || "
                       "! command -v xmllint > /dev/null"), 0, "it is well-formed");
}

Test(sheet, wrong_requests_are_one_line)
{
    expect_complaint("list --sheet x.svg --rules", USAGE, "ask for one");
    expect_complaint("list --sheet x.svg --json", USAGE, "--sheet is a picture");
    expect_complaint("list --sheet no/x.svg", USAGE, "no/x.svg: cannot be written");
}
