/*
 * test_public_face.c - an installed saltus: programs in C, C++ and Python and a plug-in
 * need its public headers and symbols and nothing else; the checks of the build see what
 * is wrong.
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

/* The text between "```LANGUAGE" and "```" after a line of a README. */
static void write_example(const char *readme, const char *after, const char *language,
                          const char *name)
{
    char path[PATH_MAX + 60], fence[40];
    snprintf(path, sizeof path, "%s/%s", top(), readme);
    snprintf(fence, sizeof fence, "```%s\n", language);
    char *text = contents(path), *begin = strstr(text, after);
    cr_assert_not_null(begin);
    begin = strstr(begin, fence);
    cr_assert_not_null(begin);
    begin += strlen(fence);
    char *end = strstr(begin, "```\n");
    cr_assert_not_null(end);
    *end = '\0';
    write_file(name, begin);
    free(text);
}

/* The program of README.md, beside functions of its own under names that saltus uses
   inside, and under words of formulas. */
static const char mine[] =
    "double add(double a, double b);\n"
    "double add(double a, double b) { return a + b; }\n"
    "void *memory_new(int count);\n"
    "void *memory_new(int count) { (void)count; return 0; }\n"
    "int model_new(void);\n"
    "int model_new(void) { return 3; }\n"
    "int system_new(void);\n"
    "int system_new(void) { return model_new(); }\n";

/* Three impacts of the five-bar mechanism, the first at 0.3118 s, later for a longer
   spring. */
static void expect_impacts(const char *how, const char *command)
{
    double t = NAN, slope = NAN;
    int impacts = 0;
    expect_shell(how, command);
    char *out = contents("out");
    for (char *at = strstr(out, "ground at"); at; at = strstr(at + 1, "ground at"))
        impacts++;
    cr_expect_eq(impacts, 3, "%s: %s", how, out);
    cr_assert_eq(sscanf(out, "ground at t = %lf, dt/dL01 = %lf", &t, &slope), 2, "%s: %s",
                 how, out);
    cr_expect_float_eq(t, 0.311827604186878, 1e-12, "%s: %s", how, out);
    cr_expect_float_eq(slope, 0.372364561719, 1e-10, "%s: %s", how, out);
    free(out);
}

Test(public_face, a_program_needs_one_header_and_one_library)
{
    if (cannot_install())
        return;
    install();
    write_example("README.md", "## From C and Python", "c", "events.c");
    write_file("mine.c", mine);
    expect_shell("shared", "sh -c 'cc -std=c11 -Wall -Wextra -Werror -pedantic "
                 "events.c mine.c $(pkg-config --cflags --libs saltus) "
                 "-Wl,-rpath,$PWD/root/usr/lib -o events'");
    expect_impacts("shared", "./events");
    expect_shell("static", "sh -c 'cc -std=c11 events.c mine.c "
                 "$(pkg-config --cflags saltus) $(pkg-config --static --libs saltus | "
                 "sed s/-lsaltus/-l:libsaltus.a/) -o events'");
    expect_impacts("static", "./events");
    expect_shell("C++", "sh -c 'sed s/{.rtol.*}/{}/ events.c > events.cc && "
                 "c++ -std=c++17 -Wall -Werror events.cc $(pkg-config --cflags --libs "
                 "saltus) -Wl,-rpath,$PWD/root/usr/lib -o events'");
    expect_impacts("C++", "./events");
    cr_expect_eq(shell("./events nosuch"), 1);
    char *err = contents("err");
    cr_expect_not_null(strstr(err, "bad-input: no case nosuch; known:"), "%s", err);
    free(err);
}

/* A motion that ends at 0 unless it is told to. */
static const char late[] =
    "parameters: {a: 2, tau: -1}\n"
    "coordinates: [x]\n"
    "modes: {m: {M: {x: {x: 1}}, F: {x: a}}}\n"
    "initial: {t: tau, state: {x: 0, vx: 0}}\n"
    "end: 3\n";

/* Objects of the module are copied and go to other processes, no setting is ignored, and
   Ctrl-C ends a run. */
static const char objects[] =
    "import copy, multiprocessing, os, pickle, signal, threading, time\n"
    "import numpy, saltus\n"
    "def end(pair):\n"
    "    model, a = pair\n"
    "    return float(model.solve({'a': a})['q.x'][-1])\n"
    "def refused(model):\n"
    "    return model.solve(t_end=-2)\n"
    "def raises(kind, call):\n"
    "    try:\n"
    "        call()\n"
    "    except kind as error:\n"
    "        return error\n"
    "    raise SystemExit(f'no {kind}')\n"
    "def main():\n"
    "    model = saltus.Model('late.yaml')\n"
    "    model.parameters['a'] = 4.0\n"
    "    for other in (copy.copy(model), copy.deepcopy(model),\n"
    "                  pickle.loads(pickle.dumps(model))):\n"
    "        assert other.solve()['q.x'][-1] == model.solve()['q.x'][-1]\n"
    "        other.parameters['a'] = 5.0\n"
    "        assert model.parameters['a'] == 4.0 and other.events == model.events\n"
    "    first = saltus.Model('five-bar')\n"
    "    second = copy.copy(first)\n"
    "    del first\n"
    "    assert second.solve(points=2).events\n"
    "    motion = pickle.loads(pickle.dumps(model.solve()))\n"
    "    assert motion.t[-1] == 3\n"
    "    refusal = raises(saltus.Error, lambda: refused(model))\n"
    "    again = pickle.loads(pickle.dumps(refusal))\n"
    "    assert (again.status, str(again)) == ('bad-input', str(refusal))\n"
    "    for method in ('fork', 'spawn'):\n"
    "        with multiprocessing.get_context(method).Pool(2) as pool:\n"
    "            ends = pool.map(end, [(model, a) for a in (1, 2, 3)])\n"
    "            assert numpy.allclose(ends, [8, 16, 24], rtol=1e-12), ends\n"
    "            raises(saltus.Error, lambda: pool.map(refused, [model]))\n"
    "    assert model.solve(t_end=0.0).t[-1] == 0\n"
    "    assert abs(model.solve(t_end=0.0)['q.x'][-1] - 2) < 1e-12\n"
    "    assert model.solve().t[-1] == 3\n"
    "    raises(ValueError, lambda: model.solve(t=[[0, 1]]))\n"
    "    raises(ValueError, lambda: model.solve(t=[]))\n"
    "    raises(ValueError, lambda: model.solve(rtol=0.0))\n"
    "    raises(ValueError, lambda: model.solve(max_steps=0))\n"
    "    assert len(model.solve(t=[-1, 0, 1]).t) == 3\n"
    "    chain = saltus.Model('pendulum-chain-1000')\n"
    "    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
    "    raises(KeyboardInterrupt, lambda: chain.solve(t_end=1e6, by=[], points=2))\n"
    "    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
    "if __name__ == '__main__':\n"
    "    main()\n";

Test(public_face, the_python_module_needs_the_library_and_numpy)
{
    if (cannot_install() || shell("python3 -c 'import numpy'") != 0)
        return;
    install();
    write_example("README.md", "## From C and Python", "python", "example.py");
    write_file("more.py",
               "import saltus\n"
               "model = saltus.Model('five-bar')\n"
               "motion = model.solve(rtol=1e-12, points=2)\n"
               "for e in motion.events:\n"
               "    slope = float(e.slope['L01'])\n"
               "    print(f'{e.name} at t = {e.t!r}, dt/dL01 = {slope!r}')\n"
               "psi, slope = model.gradient('path', rtol=1e-12)\n"
               "for name, direct in motion.gradients['path'].items():\n"
               "    assert abs(slope[name] - direct) < 1e-9*max(1, abs(direct)), name\n"
               "assert abs(psi - motion.costs['path']) < 1e-10\n"
               "assert model.solve(by=[], points=5).x.shape[0] == 5\n"
               "try:\n"
               "    saltus.Model('zeno-approached').solve(t_end=100)\n"
               "    raise SystemExit('a refusal is no error')\n"
               "except saltus.Error as refusal:\n"
               "    assert refusal.status == 'zeno' and 38.9 < refusal.t < 39.1\n"
               "    assert refusal.motion.events\n"
               "    assert all(z != z for z in refusal.motion.costs.values())\n"
               "for wrong in (lambda: saltus.Model('nosuch'),\n"
               "              lambda: model.solve(formulation='nosuch'),\n"
               "              lambda: model.solve(options={'alpha': 1}),\n"
               "              lambda: model.solve(rtol=-1),\n"
               "              lambda: model.solve(t=[3, 2])):\n"
               "    try:\n"
               "        wrong()\n"
               "        raise SystemExit('a wrong request is no error')\n"
               "    except saltus.Error as refusal:\n"
               "        assert refusal.status == 'bad-input', refusal\n");
    static const char with_module[] = "SALTUS_LIBRARY=$PWD/root/usr/lib/libsaltus.so "
        "PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages ";
    char text[400];
    snprintf(text, sizeof text, "%s python3 example.py", with_module);
    expect_shell("the example", text);
    char *out = contents("out");
    cr_expect_not_null(strstr(out, "ground"), "%s", out);
    free(out);
    snprintf(text, sizeof text, "%s python3 more.py", with_module);
    expect_impacts("the module", text);
    write_file("late.yaml", late);
    write_file("objects.py", objects);
    snprintf(text, sizeof text, "%s timeout 100 python3 objects.py", with_module);
    expect_shell("copies, workers, times, Ctrl-C", text);
}

Test(public_face, a_plugin_needs_the_headers_that_are_installed)
{
    if (cannot_install())
        return;
    install();
    write_example("formulations/README.md", "## A formulation of your own, as a plug-in",
                  "c", "critical.c");
    expect_shell("plug-in", "sh -c 'cc -std=c11 -Wall -Wextra -Werror -pedantic -shared "
                 "-fPIC $(pkg-config --cflags saltus-plugin) critical.c -o critical.so'");
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
                                       "root/usr/lib/libsaltus.a -lyaml -lklu -lgsl "
                                       "-lgslcblas -lm"};
    if (cannot_install())
        return;
    install();
    write_file("private.c", "struct model *model_new(const void *, void *);\n"
               "int main(void) { return model_new(0, 0) == 0; }\n");
    write_file("public.c", "#include <saltus/saltus.h>\n"
               "int main(void) { return saltus_status_text(SALTUS_OK) == 0; }\n");
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++) {
        char text[300];
        snprintf(text, sizeof text, "sh -c 'cc public.c $(pkg-config --cflags saltus) "
                 "%s -o public'", kind[k]);
        expect_shell(kind[k], text);
        cr_expect_neq(shell("%s sh -c 'cc private.c %s -o private'", with_pkg_config,
                            kind[k]), 0, "%s: model_new is there", kind[k]);
        char *err = contents("err");
        cr_expect_not_null(strstr(err, "model_new"), "%s", err);
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
                 "-Iroot/usr/include/saltus $(pkg-config --cflags saltus-plugin) one.c "
                 "|| exit 1; done'");
    if (shell("c++ --version") != 0)
        return;
    expect_shell("C++", "sh -c 'for h in $(cd root/usr/include/saltus && "
                 "find . -name \"*.h\"); do echo \"#include \\\"$h\\\"\" > one.cc; "
                 "c++ -std=c++17 -Wall -Werror -fsyntax-only "
                 "-Iroot/usr/include/saltus $(pkg-config --cflags saltus-plugin) one.cc "
                 "|| exit 1; done'");
}

Test(public_face, the_list_of_headers_in_the_readme_is_that_of_what_is_installed)
{
    cr_assert_eq(shell("make -s -C '%s' SKIP_DEPS=1 install-headers DESTDIR=$PWD/root "
                       "PREFIX=/usr", top()), 0);
    cr_assert_eq(shell("cd root/usr/include/saltus && find . -mindepth 2 -type f | sed "
                       "'s|^./[a-z]*/||; s|^elements/.*|elements/*.h|' | "
                       "LC_ALL=C sort -u > ../../../../installed"), 0);
    cr_assert_eq(shell("sed -n '/^A plug-in brings formulations/,/^Each header says/p' "
                       "'%s/formulations/README.md' | grep '^|' | cut -d'|' -f2 | "
                       "grep -o '`[^`]*`' | tr -d '`' | LC_ALL=C sort -u > listed",
                       top()), 0);
    expect_same_files("listed", "installed", "README and make install");
}

/* Each function and member of the library's header has its comment. */
Test(public_face, doxygen_finds_nothing_without_a_comment)
{
    static const char run[] = "cd '%s' && { sed 's|^INPUT .*|INPUT = %s|' "
        "formulations/library/Doxyfile; echo \"OUTPUT_DIRECTORY = $OLDPWD/docs\"; } | "
        "doxygen -";
    char header[PATH_MAX];
    if (shell("doxygen --version") != 0)
        return;
    int status = shell(run, top(), "formulations/library/saltus.h");
    char *err = contents("err");
    cr_expect_eq(status, 0, "%s", err);
    free(err);
    cr_assert_eq(shell("sed '/The time of a sample/d' '%s/formulations/library/saltus.h' "
                       "> bare.h", top()), 0);
    snprintf(header, sizeof header, "%s/bare.h", folder);
    cr_expect_neq(shell(run, top(), header), 0);
    err = contents("err");
    cr_expect_not_null(strstr(err, "saltus_time"), "%s", err);
    free(err);
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
