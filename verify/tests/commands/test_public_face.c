/*
 * test_public_face.c - an installed saltus: a program, a case file and a plug-in need its
 * public headers and symbols and nothing else; the checks of the build see what is wrong.
 */
#include <math.h>

#include "running.h"

TestSuite(public_face, .init = make_folder, .fini = remove_folder, .timeout = 900);

static const char with_pkg_config[] =
    "PKG_CONFIG_PATH=$PWD/root/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$PWD/root ";

/* The build folder of the command under test, which was made with these flags. */
static bool is_built_with(const char *flag)
{
    return shell("grep -q -e '%s' \"$(dirname '%s')/flags\"", flag, command_path()) == 0;
}

/* Makes a target with the folder root for its DESTDIR, by the compiler and flags of this
   build: others would make everything anew. One test at a time. */
static void make_in_root(const char *target)
{
    const char *compiler = is_built_with("^clang") ? "clang" : "gcc";
    const char *strict = is_built_with(" -Werror") ? "1" : "";
    int status = shell("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS flock '%s/Makefile' "
                       "make -s -j2 -C '%s' SKIP_DEPS=1 CC=%s WERROR=%s %s "
                       "DESTDIR=$PWD/root PREFIX=/usr", top(), top(), compiler, strict,
                       target);
    char *err = contents("err");
    cr_assert_eq(status, 0, "make %s: %s", target, err);
    free(err);
}

static void install(void)
{
    make_in_root("install");
}

/* Sanitizers ask for their flags in whatever is linked; with Open MPI the build has
   another name. */
static bool cannot_install(void)
{
    return is_built_with("-fsanitize") || is_built_with("^mpicc");
}

static void expect_shell(const char *what, const char *text)
{
    int status = shell("%s%s", with_pkg_config, text);
    char *err = contents("err");
    cr_assert_eq(status, 0, "%s: %s", what, err);
    free(err);
}

/* The C between "```c" and "```" after a line of a README. */
static void write_example(const char *readme, const char *after, const char *name)
{
    char path[PATH_MAX + 60];
    snprintf(path, sizeof path, "%s/%s", top(), readme);
    char *text = contents(path), *begin = strstr(text, after);
    cr_assert_not_null(begin);
    begin = strstr(begin, "```c\n");
    cr_assert_not_null(begin);
    begin += strlen("```c\n");
    char *end = strstr(begin, "```\n");
    cr_assert_not_null(end);
    *end = '\0';
    write_file(name, begin);
    free(text);
}

/* The bead of cases/README.md, in a program that has functions of its own under names
   that saltus uses inside, and under words of formulas. */
static const char program[] =
    "#include <math.h>\n"
    "#include <stdio.h>\n"
    "#include \"run.h\"\n"
    "extern const struct case_desc case_bead;\n"
    "int mine(void);\n"
    "int main(void)\n"
    "{\n"
    "    struct diagnosis diagnosis;\n"
    "    struct trajectory *trajectory = NULL;\n"
    "    struct model *model = model_new(&case_bead, &diagnosis);\n"
    "    if (!model || mine() != 7)\n"
    "        return 1;\n"
    "    struct run_request request = {.model = model, .rtol = 1e-9, .atol = 1e-12,\n"
    "        .formulation = formulation_find(\"index1\"), .t_end = NAN,\n"
    "        .parameters = 1,\n"
    "        .parameter = (int[]){model_parameter_index(model, \"e\")}};\n"
    "    if (run_once(&request, &trajectory, &diagnosis) != OK)\n"
    "        return 2;\n"
    "    struct run_point *after = &trajectory->event[0].after;\n"
    "    printf(\"%d %.12g %.12g\\n\", trajectory->events, after->t,\n"
    "           after->x[column(&trajectory->columns, GROUP_V, 0, 0)]);\n"
    "    trajectory_free(trajectory);\n"
    "    model_free(model);\n"
    "    return 0;\n"
    "}\n";
static const char mine[] =
    "double add(double a, double b);\n"
    "double add(double a, double b) { return a + b; }\n"
    "double spring(double k, double x);\n"
    "double spring(double k, double x) { return k * x; }\n"
    "void *memory_new(int count);\n"
    "void *memory_new(int count) { (void)count; return 0; }\n"
    "int tape_record(int a);\n"
    "int tape_record(int a) { return a; }\n"
    "int system_new(void);\n"
    "int system_new(void) { return tape_record(3); }\n"
    "int mine(void);\n"
    "int mine(void)\n"
    "{\n"
    "    return memory_new(1) ? 0 : (int)add(spring(2, 2), system_new());\n"
    "}\n";

/* What the program prints: the bounces; when the first is; dv_x/de after it. */
static void expect_bead(const char *how)
{
    int bounces = 0;
    double t = NAN, slope = NAN;
    expect_shell(how, "./program");
    char *out = contents("out");
    cr_assert_eq(sscanf(out, "%d %lf %lf", &bounces, &t, &slope), 3, "%s: %s", how, out);
    cr_expect_geq(bounces, 1, "%s: %s", how, out);
    cr_expect(t > 0 && t < 2, "%s: %s", how, out);
    cr_expect(slope < 0, "%s: v+ = -e v-, v- > 0, so dv+/de < 0: %s", how, out);
    free(out);
}

Test(public_face, a_program_a_case_file_and_a_plugin_need_what_is_installed_and_no_more)
{
    if (cannot_install())
        return;
    install();
    write_file("program.c", program);
    write_file("mine.c", mine);
    write_example("cases/README.md", "## To add a mechanism", "bead.c");
    expect_shell("shared", "sh -c 'cc -std=c11 -Wall -Wextra -Werror -pedantic "
                 "program.c bead.c mine.c $(pkg-config --cflags --libs saltus) -lm "
                 "-Wl,-rpath,$PWD/root/usr/lib -o program'");
    expect_bead("shared");
    char *shared = contents("out");
    expect_shell("static", "sh -c 'cc -std=c11 program.c bead.c mine.c "
                 "$(pkg-config --cflags saltus) $(pkg-config --static --libs saltus | "
                 "sed s/-lsaltus/-l:libsaltus.a/) -o program'");
    expect_bead("static");
    char *linked = contents("out");
    cr_expect_str_eq(shared, linked);
    free(shared);
    free(linked);
    write_example("formulations/README.md", "## A formulation of your own, as a plug-in",
                  "critical.c");
    expect_shell("plug-in", "sh -c 'cc -std=c11 -Wall -Wextra -Werror -pedantic -shared "
                 "-fPIC $(pkg-config --cflags saltus) critical.c -o critical.so'");
    expect_shell("plug-in", "root/usr/bin/saltus run pendulum-wall --plugin critical.so "
                 "-f critical -o x.csv");
}

/* A file of somebody else in a folder of saltus stays. */
Test(public_face, what_is_installed_is_there_and_uninstall_removes_it)
{
    static const char *const name[] = {
        "bin/saltus", "share/man/man1/saltus.1", "share/zsh/site-functions/_saltus",
        "share/bash-completion/completions/saltus", "share/saltus/values/five-bar.ref"};
    if (cannot_install())
        return;
    install();
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        cr_expect_eq(shell("[ -s root/usr/%s ]", name[k]), 0, "%s", name[k]);
    cr_assert_eq(shell("echo mine > root/usr/bin/mine; "
                       "echo mine > root/usr/include/saltus/mine"), 0);
    make_in_root("uninstall");
    expect_shell("what is left", "find root ! -type d | LC_ALL=C sort");
    char *left = contents("out");
    cr_expect_str_eq(left, "root/usr/bin/mine\nroot/usr/include/saltus/mine\n", "%s",
                     left);
    cr_expect_eq(shell("[ ! -d root/usr/share/saltus ]"), 0);
    free(left);
}

Test(public_face, what_is_not_public_is_not_there_for_anybody)
{
    static const char *const kind[] = {"$(pkg-config --libs saltus)",
                                       "root/usr/lib/libsaltus.a -lklu -lgsl -lgslcblas "
                                       "-lmpfr -lgmp -lm"};
    if (cannot_install())
        return;
    install();
    write_file("private.c", "void *memory_new(int, unsigned long);\n"
               "int main(void) { return memory_new(1, 8) == 0; }\n");
    write_file("public.c", "#include \"model.h\"\n"
               "int main(void) { return status_text(OK) == 0; }\n");
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        char text[300];
        snprintf(text, sizeof text, "sh -c 'cc public.c $(pkg-config --cflags saltus) "
                 "%s -o public'", kind[k]);
        expect_shell(kind[k], text);
        cr_expect_neq(shell("%s sh -c 'cc private.c %s -o private'", with_pkg_config,
                            kind[k]), 0, "%s: memory_new is there", kind[k]);
        char *err = contents("err");
        cr_expect_not_null(strstr(err, "memory_new"), "%s", err);
        free(err);
    }
}

/* C++ gets the linkage of C, and no word of it is in the way. */
Test(public_face, each_installed_header_compiles_alone_and_in_cplusplus)
{
    cr_assert_eq(shell("make -s -C '%s' SKIP_DEPS=1 install-headers DESTDIR=$PWD/root "
                       "PREFIX=/usr", top()), 0);
    expect_shell("C", "sh -c 'for h in $(cd root/usr/include/saltus && "
                 "find . -name \"*.h\"); do echo \"#include \\\"$h\\\"\" > one.c; "
                 "cc -std=c11 -Wall -Wextra -Werror -fsyntax-only "
                 "-Iroot/usr/include/saltus $(pkg-config --cflags saltus) one.c || "
                 "exit 1; done'");
    if (shell("c++ --version") != 0)
        return;
    expect_shell("C++", "sh -c 'for h in $(cd root/usr/include/saltus && "
                 "find . -name \"*.h\"); do echo \"#include \\\"$h\\\"\" > one.cc; "
                 "c++ -std=c++17 -Wall -Werror -fsyntax-only "
                 "-Iroot/usr/include/saltus $(pkg-config --cflags saltus) one.cc || "
                 "exit 1; done'");
}

Test(public_face, the_list_of_headers_in_the_readme_is_that_of_what_is_installed)
{
    cr_assert_eq(shell("make -s -C '%s' SKIP_DEPS=1 install-headers DESTDIR=$PWD/root "
                       "PREFIX=/usr", top()), 0);
    cr_assert_eq(shell("cd root/usr/include/saltus && find . -type f | sed "
                       "'s|^./[a-z]*/||; s|^elements/.*|elements/*.h|' | "
                       "LC_ALL=C sort -u > ../../../../installed"), 0);
    cr_assert_eq(shell("sed -n '/^## Which functions a program may use/,/^    cc /p' "
                       "'%s/formulations/README.md' | grep '^|' | cut -d'|' -f2 | "
                       "grep -o '`[^`]*`' | tr -d '`' | LC_ALL=C sort -u > listed",
                       top()), 0);
    expect_same_files("listed", "installed", "README and make install");
}

/* The check of the build, on headers with one thing wrong. */
Test(public_face, a_declaration_that_is_not_public_or_has_no_prefix_is_told)
{
    static const struct { const char *header, *said; } wrong[] = {
        {"SALTUS_API_BEGIN\nint model_a(int b);\nSALTUS_API_END\nint model_c(void);\n",
         "wrong.h: declared outside of SALTUS_API_BEGIN .. SALTUS_API_END: "
         "int model_c(void)"},
        {"extern const int model_d[];\n",
         "wrong.h: declared outside of SALTUS_API_BEGIN .. SALTUS_API_END: "
         "extern const int model_d[]"},
        {"SALTUS_API_BEGIN\nint larger(int a,\n           int b);\nSALTUS_API_END\n",
         "wrong.h: symbol larger has no prefix of the list (EXPORT_PREFIXES): "
         "int larger(int a, int b)"},
        {"SALTUS_API_BEGIN\nint model_e(void);\n", "wrong.h: no SALTUS_API_END"},
    };
    static const char right[] =
        "/* int model_x(void); */\n#define Y(a) \\\n    int model_y(a);\n"
        "struct model { int (*f)(int); };\nSALTUS_API_BEGIN\n"
        "static inline int z(void)\n{\n    return 1;\n}\n"
        "struct model *model_a(int (*f)(void), int b);\nextern const int model_b[3];\n"
        "int add(int) SALTUS_WORD(add)\n    __attribute__((pure));\nSALTUS_API_END\n";
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        write_file("wrong.h", wrong[k].header);
        cr_expect_neq(shell("awk -v prefixes='model saltus' -f '%s/formulations/plugins/"
                            "exports.awk' wrong.h", top()), 0, "%s", wrong[k].header);
        char *err = contents("err");
        cr_expect_not_null(strstr(err, wrong[k].said), "%s", err);
        free(err);
    }
    write_file("right.h", right);
    cr_expect_eq(shell("awk -v prefixes='model saltus' -f '%s/formulations/plugins/"
                       "exports.awk' right.h", top()), 0);
    char *out = contents("out");
    cr_expect_str_eq(out, "model_a\nmodel_b\nsaltus_add\n");
    free(out);
}
