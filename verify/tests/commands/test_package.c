/*
 * test_package.c - .debian/ follows the Makefile, and the packages hold what matters.
 */
#include "running.h"
#include "sampling.h"

TestSuite(package, .init = make_folder, .fini = remove_folder, .timeout = 3600);

static char *file_of_tree(const char *name)
{
    char path[PATH_MAX + 60];
    snprintf(path, sizeof path, "%s/%s", top(), name);
    char *text = contents(path);
    cr_assert_not_null(text, "no %s", name);
    return text;
}

/* --- what it is built with ---------------------------------------------------------- */

/* Does the list "NAME, NAME (= 3), ..." have the name? */
static bool has_name(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && strchr(", \n", at[length]))
            return true;
    return false;
}

/* Cuts the text after "BEGIN" and before "END" out of a text. */
static char *between(char *text, const char *begin, const char *end)
{
    char *first = strstr(text, begin);
    cr_assert_not_null(first, "no '%s'", begin);
    first += strlen(begin);
    char *last = strstr(first, end);
    cr_assert_not_null(last, "no '%s' after '%s'", end, begin);
    *last = '\0';
    return first;
}

/* Libraries of which the Makefile looks for a header, but not a package: the C library is
   there wherever something is built, and tests are not run. */
static bool is_no_dependency(const char *library)
{
    return strcmp(library, "libc6-dev") == 0 || strcmp(library, "libcriterion-dev") == 0;
}

/* How many of the libraries in the Makefile's MISSING the list does not have; `first` is
   the first of them. */
static int not_named(const char *missing, const char *list, int *libraries,
                     char first[60])
{
    static const char word[] = "$(call header,";
    int count = 0;
    char library[60];
    *libraries = 0;
    for (const char *at = missing; (at = strstr(at, word)) != NULL; at++) {
        cr_assert_eq(sscanf(at + strlen(word), "%59[^,]", library), 1);
        ++*libraries;
        if (!is_no_dependency(library) && !has_name(list, library) && count++ == 0)
            strcpy(first, library);
    }
    return count;
}

Test(package, every_library_that_the_makefile_looks_for_is_a_build_dependency)
{
    char *makefile = file_of_tree("Makefile"), *control = file_of_tree(".debian/control");
    char *missing = between(makefile, "\nMISSING := ", "\nMISSING_DEV :=");
    char *list = between(control, "\nBuild-Depends: ", "\n\n"), first[60] = "";
    int libraries, count = not_named(missing, list, &libraries, first);
    cr_expect_eq(count, 0, ".debian/control has no Build-Depends on %s", first);
    cr_expect_geq(libraries, 11);
    free(control);
    free(makefile);
}

Test(package, a_library_that_was_forgotten_is_noticed)
{
    static const char missing[] =
        "$(call header,libc6-dev,stdlib.h) $(call program,gcc,gcc) \\\n"
        "$(call header,libnew-dev,new.h) $(call header,libold-dev,old.h)";
    char first[60] = "";
    int libraries;
    const char *named = "libold-dev,\n libnew-dev (>= 2)";
    cr_expect_eq(not_named(missing, named, &libraries, first), 0);
    cr_expect_eq(libraries, 3);
    cr_expect_eq(not_named(missing, "libold-dev, libnew-dev-doc", &libraries, first), 1);
    cr_expect_str_eq(first, "libnew-dev");
    cr_expect_eq(not_named(missing, "xlibnew-dev, libold-dev", &libraries, first), 1);
}

Test(package, its_version_is_that_of_the_makefile)
{
    char *makefile = file_of_tree("Makefile"), begin[100];
    char *changelog = file_of_tree(".debian/changelog");
    const char *version = between(makefile, "\nVERSION := ", "\n");
    snprintf(begin, sizeof begin, "saltus (%s-", version);
    cr_expect_eq(strncmp(changelog, begin, strlen(begin)), 0,
                 "VERSION is %s, .debian/changelog begins: %.40s", version, changelog);
    free(changelog);
    free(makefile);
}

/* --- what is in it ------------------------------------------------------------------ */

/* NULL, or why there are no packages here. */
static const char *cannot_build(void)
{
    if (!in_test_all())
        return "slow";
    if (shell("command -v dpkg-buildpackage") != 0)
        return "without dpkg-buildpackage: make deps-deb";
    if (shell("dpkg-checkbuilddeps '%s/.debian/control'", top()) != 0)
        return "what the packages are built with is not installed: make deps deps-deb";
    if (shell("git -C '%s' rev-parse --verify HEAD", top()) != 0)
        return "this is no clone";
    return NULL;
}

/* Each line: a package, and the end of a line of `dpkg-deb -c` of it. */
static const char *const held[][2] = {
    {"saltus", " ./usr/bin/saltus"},
    {"saltus", " ./usr/share/man/man1/saltus.1.gz"},
    {"saltus", " ./usr/share/man/man5/saltus-model.5.gz"},
    {"saltus", " ./usr/share/bash-completion/completions/saltus"},
    {"saltus", " ./usr/share/zsh/vendor-completions/_saltus"},
    {"saltus", " ./usr/share/saltus/values/five-bar.ref"},
    {"saltus", " ./usr/share/doc/saltus/copyright"},
    {"libsaltus0", "/libsaltus.so.0 -> libsaltus.so.*"},
    {"libsaltus-dev", "/libsaltus.so -> libsaltus.so.0"},
    {"libsaltus-dev", "/libsaltus.a"},
    {"libsaltus-dev", "/pkgconfig/saltus.pc"},
    {"libsaltus-dev", "/pkgconfig/saltus-plugin.pc"},
    {"libsaltus-dev", " ./usr/include/saltus/saltus.h"},
    {"libsaltus-dev", " ./usr/include/saltus/formulations/plugin.h"},
    {"libsaltus-dev", " ./usr/include/saltus/cases/elements/body.h"},
    {"python3-saltus", " ./usr/lib/python3/dist-packages/saltus.py"},
};

static void expect_lists(void)
{
    for (size_t k = 0; k < sizeof held / sizeof *held; k++)
        cr_expect_eq(shell("dpkg-deb -c debs/%s_*.deb | grep -q -e '%s$'", held[k][0],
                           held[k][1]), 0, "%s has no%s", held[k][0], held[k][1]);
    cr_expect_eq(shell("[ $(ls debs/*.deb | wc -l) = 4 ] && "
                       "[ $(dpkg-deb -c debs/saltus_*.deb | grep -c '\\.ref$') = "
                       "$(cd '%s' && git ls-files 'reference/values/*.ref' | wc -l) ]",
                       top()), 0, "not four packages, or not all certified values");
    cr_expect_eq(shell("for deb in debs/*.deb; do dpkg-deb -c $deb; done | "
                       "grep -e /local/ -e __pycache__"), 1, "no part of a package");
    cr_expect_eq(shell("dpkg-deb -f debs/python3-saltus_*.deb Depends | "
                       "grep libsaltus0 | grep python3-numpy"), 0);
    cr_expect_eq(shell("dpkg-deb -f debs/saltus_*.deb Recommends | "
                       "grep -e 'gcc | c-compiler' | grep gnuplot-nox"), 0);
}

/* It has been compiled for every processor of the architecture, with the flags on which
   digits depend, and no path of the tree is left in it. */
static void expect_flags(void)
{
    cr_expect_eq(shell("grep -q -e ' -ffp-contract=off .* -O2 "
                       ".*-o build/cases/model/model.o' debs/log"), 0);
    cr_expect_eq(shell("grep -e -march= -e -ffast-math -e -Ofast debs/log"), 1);
    cr_expect_eq(shell("for deb in debs/*.deb; do "
                       "dpkg-deb -x $deb root || exit; done"), 0);
    cr_expect_eq(shell("grep -rlF '%s' root", top()), 1, "paths of the tree");
}

/* The command as unpacked lists the same mechanisms, and judges one by the values that
   came with it. */
static void expect_command(void)
{
    cr_expect_eq(shell("root/usr/bin/saltus list --names > names && "
                       "'%s' list --names | cmp - names", command_path()), 0);
    cr_expect_eq(shell("SALTUS_VALUES=$PWD/root/usr/share/saltus/values "
                       "root/usr/bin/saltus verify bouncing-ball --oracle certified | "
                       "grep ' certified .* PASS '"), 0);
}

Test(package, packages_hold_what_is_installed)
{
    const char *why = cannot_build();
    if (why)
        cr_skip_test("%s", why);
    int status = shell("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS flock '%s/Makefile' "
                       "make -s -C '%s' SKIP_DEPS=1 deb", top(), top());
    char *err = contents("err");
    cr_assert_eq(status, 0, "make deb: %s", err);
    free(err);
    cr_assert_eq(shell("ln -s '%s/build/deb' debs", top()), 0);
    expect_lists();
    expect_flags();
    expect_command();
}
