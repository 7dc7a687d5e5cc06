/*
 * test_manual.c - the manual page and the completion of shells (verify/manual/), by the
 * programs that read them.
 */
#include "file/keys.h"
#include "options/command.h"
#include "running.h"

TestSuite(manual, .init = make_folder, .fini = remove_folder);

static bool is_program(const char *name)
{
    return shell("command -v %s", name) == 0;
}

/* --- the page ----------------------------------------------------------------------- */

Test(manual, the_pages_are_formatted_without_a_warning)
{
    static const char *const page[] = {"page", "model"};
    if (!is_program("groff"))
        cr_skip_test("no groff");
    for (int k = 0; k < 2; k++) {
        cr_assert_eq(shell("'%s' manual %s > page && groff -man -Tutf8 -ww page > text",
                           command_path(), page[k]), HELD);
        char *told = contents("err");
        cr_expect_str_empty(told, "%s", told);
        free(told);
    }
}

Test(manual, the_page_of_model_files_has_every_key)
{
    if (!is_program("groff"))
        cr_skip_test("no groff");
    cr_assert_eq(shell("'%s' manual model | groff -man -Tascii -P-cbou > page",
                       command_path()), HELD);
    char *page = contents("page"), text[100];
    for (const struct key_info *key = key_info; key->name; key++) {
        snprintf(text, sizeof text, "\n       %s: ", key->name);
        cr_expect(key->shape == IS_DERIVED || strstr(page, text), "no %s", key->name);
    }
    cr_expect_not_null(strstr(page, "atan2(a, b)"));
    free(page);
}

/* The page is read as plain text. */
Test(manual, the_page_has_every_command_with_every_option)
{
    if (!is_program("groff"))
        cr_skip_test("no groff");
    cr_assert_eq(shell("'%s' manual | groff -man -Tascii -P-cbou > page", command_path()),
                 HELD);
    char *page = contents("page");
    for (int k = 0; commands[k]; k++) {
        char heading[100];
        snprintf(heading, sizeof heading, "\n   saltus %s ", commands[k]->name);
        cr_expect_not_null(strstr(page, heading), "%s", heading);
        cr_assert_eq(shell("'%s' %s --help | grep -o -e '^  .*--[a-z-]*' | "
                           "sed 's/.* //' > words; [ -s words ] && "
                           "while read -r w; do grep -q -e \"$w\" page || "
                           "{ echo \"no $w\"; exit 1; }; done < words", command_path(),
                           commands[k]->name), HELD, "%s", commands[k]->name);
    }
    cr_expect_not_null(strstr(page, "--against FILE"));
    cr_expect_not_null(strstr(page, "\nEXIT STATUS\n"));
    cr_expect_not_null(strstr(page, "SALTUS_CACHE_MIB\n"));
    cr_expect_not_null(strstr(page, "`saltus problem CASE`"));
    free(page);
}

Test(manual, is_of_a_page_or_a_shell)
{
    cr_assert_eq(shell("'%s' manual > a; '%s' manual page > b; cmp a b", command_path(),
                       command_path()), HELD);
    expect_complaint("manual bsh", USAGE, "no manual of bsh; did you mean bash or zsh?");
}

/* --- completion --------------------------------------------------------------------- */

/* Completes the words of an array of bash at its last one. The file out has what is
   offered, a word a line. */
static void complete_words(const char *words)
{
    cr_assert_eq(shell("'%s' manual bash > function && bash -c '. ./function\n"
                       "COMP_WORDS=(%s)\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                       "_saltus\nprintf \"%%s\\n\" \"${COMPREPLY[@]}\"'",
                       command_path(), words), HELD, "%s", words);
    char *told = contents("err");
    cr_expect_str_empty(told, "%s: %s", words, told);
    free(told);
}

static void expect_words(const char *words, const char *offered)
{
    complete_words(words);
    char *out = contents("out");
    cr_expect_str_eq(out, offered, "%s: %s", words, out);
    free(out);
}

static void expect_among(const char *words, const char *word)
{
    char line[100];
    complete_words(words);
    char *out = contents("out");
    snprintf(line, sizeof line, "\n%s\n", word);
    cr_expect_not_null(strstr(out, line), "%s: %s", words, out);
    free(out);
}

Test(manual, bash_completes_commands_options_and_values)
{
    if (!is_program("bash"))
        cr_skip_test("no bash");
    expect_words("saltus gr", "gradient\n");
    expect_words("saltus be", "bench\n");
    expect_words("saltus help swe", "sweep\n");
    expect_words("saltus --v", "--version\n");
    expect_words("saltus run five-bar --col", "--columns\n");
    expect_words("saltus list --col", "\n");
    expect_words("saltus run --formulation pen", "penalty\n");
    expect_words("saltus run --formulation = pen", "penalty\n");
    expect_words("saltus run -f inde", "index1\nindex3\n");
    expect_words("saltus run -i dop", "dop853\n");
    expect_words("saltus verify --rule corner-9",
                 "corner-91-printed\ncorner-94-printed\n");
    expect_words("saltus verify --oracle native,tw", "native,twin\n");
    expect_words("saltus list --class imp", "impulse\n");
    expect_words("saltus run --reset c", "continuous\n");
    expect_words("saltus reproduce cor", "corner\n");
    expect_among("saltus run \"\"", "five-bar");
    expect_among("saltus verify five-bar \"\"", "slack-rope");
}

/* Readline completes by names of files where nothing else is offered. */
Test(manual, bash_leaves_files_to_readline)
{
    if (!is_program("bash"))
        cr_skip_test("no bash");
    expect_words("saltus run five-bar -o fi", "\n");
    expect_words("saltus check bouncing-ball bounc", "\n");
    expect_words("saltus run five-bar --set L", "\n");
    cr_assert_eq(shell("'%s' manual bash | grep -e '-o default'", command_path()), HELD);
}

Test(manual, zsh_has_every_command_with_its_options)
{
    cr_assert_eq(shell("'%s' manual zsh > _saltus", command_path()), HELD);
    cr_assert_eq(shell("! command -v zsh || zsh -n _saltus"), HELD);
    char *text = contents("_saltus");
    cr_expect_eq(strncmp(text, "#compdef saltus\n", 16), 0);
    for (int k = 0; commands[k]; k++) {
        char line[60];
        snprintf(line, sizeof line, "\n    %s) _arguments -s \\\n", commands[k]->name);
        cr_expect_not_null(strstr(text, line), "%s", line);
    }
    cr_expect_not_null(strstr(text, "'(-o --output)'{-o,--output}'[results"));
    cr_expect_not_null(strstr(text, "--oracle[a name]:A,B:_values -s , name complex-"));
    free(text);
}
