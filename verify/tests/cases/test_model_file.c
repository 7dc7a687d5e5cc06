/*
 * test_model_file.c - model files: every case of the catalogue from its own text, loops,
 * anchors, and refusals at their line and column.
 */
#include <math.h>

#include "file/model_file.h"
#include "file/write.h"
#include "mechanisms/catalogue.h"
#include "running.h"

TestSuite(model_file, .init = make_folder, .fini = remove_folder, .timeout = 120);

/* --- files -------------------------------------------------------------------------- */

/* Writes a file of the folder; its path is kept in a buffer of this function. */
static const char *write_model(const char *name, const char *text)
{
    static char path[PATH_MAX];
    write_file(name, text);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static struct model *opened(const char *name, const char *text)
{
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = case_open(write_model(name, text), &diagnosis);
    cr_assert_not_null(desc, "%s", diagnosis.place);
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    return model;
}

/* --- the catalogue ------------------------------------------------------------------ */

static void expect_same_model(const struct model *a, const struct model *b)
{
    const char *name = a->desc->name;
    cr_expect_eq(a->fingerprint, b->fingerprint, "%s: other formulas", name);
    cr_expect_str_eq(a->desc->name, b->desc->name);
    cr_expect_str_eq(a->desc->title, b->desc->title, "%s", name);
    cr_expect_str_eq(a->desc->classes ? a->desc->classes : "", b->desc->classes);
    cr_assert_eq(a->p, b->p);
    for (int j = 0; j < a->p; j++) {
        const struct parameter *p = &a->parameter[j], *q = &b->parameter[j];
        cr_expect_str_eq(p->name, q->name);
        cr_expect_str_eq(p->unit, q->unit);
        cr_expect_str_eq(p->meaning, q->meaning);
        cr_expect_eq(p->fixed, q->fixed, "%s: %s", name, p->name);
    }
    cr_expect_eq(a->segments, b->segments, "%s", name);
    cr_expect_eq(a->publisheds, b->publisheds, "%s", name);
    cr_expect_eq(a->equalities, b->equalities, "%s", name);
    cr_expect_eq(is_zero(a->energy), is_zero(b->energy), "%s", name);
    for (int k = 0; k < a->events; k++) {
        cr_expect_eq(a->event[k]->balances, b->event[k]->balances, "%s", name);
        cr_expect_eq(a->event[k]->conditions, b->event[k]->conditions, "%s", name);
    }
}

Test(model_file, every_case_is_read_back_from_its_own_text)
{
    int cases = 0;
    for (int k = 0; catalogue[k]; k++, cases++) {
        struct diagnosis diagnosis = {.t = NAN};
        struct model *model = model_new(catalogue[k], &diagnosis);
        char *text = model_file_text(catalogue[k], &diagnosis), name[100];
        cr_assert(model && text, "%s", diagnosis.place);
        snprintf(name, sizeof name, "%s.yaml", catalogue[k]->name);
        struct model *again = opened(name, text);
        expect_same_model(model, again);
        char *text_again = model_file_text(again->desc, &diagnosis);
        cr_expect_str_eq(text, text_again, "%s: another text", name);
        free(text);
        free(text_again);
        model_free(model);
        model_free(again);
    }
    cr_expect_geq(cases, 90);
}

Test(model_file, one_other_formula_is_another_fingerprint)
{
    struct diagnosis diagnosis;
    char *text = model_file_text(case_find("five-bar"), &diagnosis);
    char *sign = strstr(text, "-stretch1B*dx1");
    cr_assert_not_null(sign);
    struct model *model = opened("five-bar.yaml", text);
    *sign = ' ';
    struct model *other = opened("other.yaml", text);
    cr_expect_neq(model->fingerprint, other->fingerprint);
    free(text);
    model_free(model);
    model_free(other);
}

/* --- the language ------------------------------------------------------------------- */

static const char *const chain =
    "name: chain\n"
    "sizes: {N: 3}\n"
    "coordinates:\n"
    "  - for k in 1..N: [x<k>, y<k>]\n"
    "parameters: {L: 1, m: 1, g: 9.81}\n"
    "definitions: {x0: 0, y0: 0}\n"
    "modes:\n"
    "  fall:\n"
    "    M:\n"
    "      for k in 1..N: {x<k>: {x<k>: m}, y<k>: {y<k>: m}}\n"
    "    F:\n"
    "      for k in 1..N: {y<k>: -m*g}\n"
    "    Phi:\n"
    "      - for k in 1..N:\n"
    "          - pow(x<k> - x<k-1>, 2) + pow(y<k> - y<k - 1>, 2) - L*L\n"
    "initial:\n"
    "  state:\n"
    "    for k in 1..N: {y<k>: 0, vy<k>: 0}\n"
    "  guess:\n"
    "    for k in 1..N: {x<k>: <k>*L}\n"
    "end: N/3\n";

static const char *const unrolled =
    "name: chain\n"
    "coordinates: [x1, y1, x2, y2, x3, y3]\n"
    "parameters: {L: 1, m: 1, g: 9.81}\n"
    "modes:\n"
    "  - name: fall\n"
    "    M: [[m, null, 0, 0, 0, 0], [~, m], [0, 0, m], [0, 0, 0, m], [0, 0, 0, 0, m],\n"
    "        [0, 0, 0, 0, 0, m]]\n"
    "    F: [0, -m*g, 0, -m*g, 0, -m*g]\n"
    "    Phi: [\"pow(x1 - 0, 2) + pow(y1 - 0, 2) - L*L\",\n"
    "          \"pow(x2 - x1, 2) + pow(y2 - y1, 2) - L*L\",\n"
    "          \"pow(x3 - x2, 2) + pow(y3 - y2, 2) - L*L\"]\n"
    "initial:\n"
    "  state: {y1: 0, vy1: 0, y2: 0, vy2: 0, y3: 0, vy3: 0}\n"
    "  guess: {x1: 1*L, x2: 2*L, x3: 3*L}\n"
    "end: 3/3\n";

Test(model_file, loops_are_their_turns)
{
    struct model *a = opened("chain.yaml", chain), *b = opened("other.yaml", unrolled);
    cr_expect_eq(a->n, 6);
    cr_expect_eq(a->mode[0]->m, 3);
    cr_expect_eq(a->fingerprint, b->fingerprint);
    model_free(a);
    model_free(b);
}

static const char *const two_modes =
    "coordinates: [y]\n"
    "parameters: {g: {nominal: 1/2, fixed: true}}\n"
    "modes:\n"
    "  up: &up\n"
    "    M: {y: {y: 1}}\n"
    "    F: {y: -g}\n"
    "    V: [g*y, g*y]\n"
    "  down:\n"
    "    <<: *up\n"
    "    F: {y: -g - vy}\n"
    "events:\n"
    "  turn: {from: up, to: down, guard: vy, direction: falling}\n"
    "initial: {state: {y: 0, vy: 1}}\n"
    "end: 1\n";

Test(model_file, a_mode_may_be_like_another)
{
    struct model *model = opened("ball.yaml", two_modes);
    cr_assert_eq(model->modes, 2);
    cr_expect(same_formula(model->mode[0]->M[0][0], model->mode[1]->M[0][0]));
    cr_expect_not(same_formula(model->mode[0]->F[0], model->mode[1]->F[0]));
    cr_expect_str_eq(model->desc->name, "ball");
    cr_expect(model->parameter[0].fixed);
    char text[100];
    formula_print(model->mode[0]->V, model->names, text, sizeof text);
    cr_expect_str_eq(text, "g*y + g*y");
    model_free(model);
}

Test(model_file, the_same_file_is_one_case)
{
    struct diagnosis diagnosis;
    const char *path = write_model("ball.yaml", two_modes);
    const struct case_desc *first = case_open(path, &diagnosis);
    cr_expect_eq(case_open(path, &diagnosis), first);
    write_model("ball.yaml", chain);
    cr_expect_neq(case_open(path, &diagnosis), first);
}

/* --- refusals ----------------------------------------------------------------------- */

static const char *const bead =
    "parameters:\n"
    "  m: {nominal: 1, unit: kg, meaning: mass of the bead}\n"
    "  g: {nominal: 9.81, unit: m/s^2}\n"
    "  k: {nominal: sqrt(2), unit: 1/m}\n"
    "  e: 0.9\n"
    "coordinates: [x, y]\n"
    "multipliers: lambda\n"
    "costs: [work]\n"
    "modes:\n"
    "  slide:\n"
    "    M: {x: {x: m}, y: {y: m}}\n"
    "    F: {y: -m*g}\n"
    "    Phi: [y - k*x*x]\n"
    "    g: {work: lambda*lambda}\n"
    "events:\n"
    "  bounce:\n"
    "    guard: x - 0.4\n"
    "    direction: rising\n"
    "    velocity: constrained\n"
    "    reset: {vx_plus: -e*vx}\n"
    "initial:\n"
    "  state: {x: -0.8, vx: 0}\n"
    "  guess: {y: 1}\n"
    "end: 2\n";

/* One text in place of another, and the refusal that follows. */
static const struct slip_in_file {
    const char *right, *wrong, *refusal;
} slips[] = {
    {"guard:", "gaurd:", "17:5: an event has no key 'gaurd'; did you mean guard?"},
    {"    guard: x - 0.4\n", "", "16:3: event bounce has no guard"},
    {"    direction: rising\n", "", "16:3: event bounce has no direction"},
    {"-m*g}", "-m*gg}", "12:15: unknown name 'gg': did you mean 'g'?"},
    {"rising", "risng", "18:16: direction: there is no 'risng'; did you mean rising?"},
    {"k*x*x", "k*x*", "13:19: the formula ends too early"},
    {"[x, y]", "[x, x]", "6:14: the name 'x' is declared twice"},
    {"{vx_plus:", "{vx:", "20:13: a reset: there is no 'vx'; known: x_plus"},
    {"guess: {y:", "guess: {w:", "23:11: the guess: there is no 'w'"},
    {"end: 2", "", "1:1: the file has no `end`"},
    {"{nominal: 1,", "{nomnal: 1,",
     "2:7: a parameter has no key 'nomnal'; did you mean nominal?"},
    {"{nominal: 1,", "{", "2:6: parameter m has no nominal value"},
    {"nominal: 1,", "nominal: 2*k,", "2:16: a nominal value is a constant formula"},
    {"k*x*x", "k*x^2", "13:18: '^' is not a power"},
    {"modes:", "modes: [", ":6: this is no YAML"},
    {"initial:", "intial:",
     "21:1: a model file has no key 'intial'; did you mean initial?"},
    {"slide:\n", "slide: 3\n  rest:\n",
     "10:10: a mode: here stands a text, expected is a table"},
    {"constrained", "constrain", "19:15: velocity: there is no 'constrain'"},
    {"-e*vx}", "-e*vx, vx_plus: 0}",
     "20:29: the key vx_plus is there twice, first in line 20"},
    {"F: {y: -m*g}", "F: [0, -m*g, 3]", "12:18: F has 3 entries, and only 2"},
    {"M: {x: {x: m}, y: {y: m}}", "M: [[m, 0], [0, m], [0]]", "11:25: M has 3 rows"},
    {"guard: x - 0.4", "guard: {x: 0.4}", "17:12: a formula is expected here"},
    {"[x, y]", "\n  - for k in 1..N: [x<k>]", "7:5: in 'N': unknown name 'N'"},
    {"[x, y]", "\n  - for k in 1..2: [x<k]", "7:21: '<' begins an index"},
    {"[x, y]", "\n  - for in 1..2: [x]", "7:5: a loop is `for k in 1..N`"},
    {"[x, y]", "\n  - for k in 1..2: {x: 1}", "7:20: under this loop stands a table"},
    {"-m*g}", "*g}", "12:"},
    {"0.9", "1/0", "5:7: division by zero"},
    {"    direction", "    from: slyde\n    direction",
     "18:11: modes: there is no 'slyde'; did you mean slide?"},
    {"k*x*x", "k*sine(x)", "13:17: unknown function 'sine'"},
    {"[y - k*x*x]", "y - k*x*x", "13:10: Phi: here stands a text, expected is a list"},
    {"initial:\n", "initial:\n  mode: fall\n", "22:9: modes: there is no 'fall'"},
    {"{work: lambda", "{wrk: lambda", "14:9: costs: there is no 'wrk'"},
    {"end: 2", "end: x", "24:6: case bead: t_end must not depend on coordinates"},
    {"-m*g}", "-m*g + ax}",
     "12:12: case bead, slide: F must not depend on accelerations"},
    {"k*x*x]", "k*x*x + vx]",
     "13:11: case bead, slide: Phi must not depend on velocities"},
    {"costs: [work]", "costs: [work]\ndefinitions: {x: y}",
     "9:15: the name 'x' is declared twice"},
    {"end: 2", "end: 2\n---\nend: 3", "25:1: a model file is one document"},
    {"costs:", "sizes: {N: 2.5}\ncosts:", "8:12: '2.5' is no integer"},
    {"costs:", "name: my bead\ncosts:", "8:7: 'my bead' is no name for a case"},
    {"    reset", "    impulses: [{E: e}]\n    reset",
     "20:16: an impulse has a row `Psi`"},
    {"[y - k*x*x]", "\n      - \"y -\n         k*x*z\"", "15:14: unknown name 'z'"},
    {"e: 0.9", "e: 0.9\n  e: 1", "6:3: the key e is there twice, first in line 5"},
    {"velocity: constrained", "velocity: impulsive",
     "case bead: event bounce gives velocities and impulses"},
    {"costs:", "format: 2\ncosts:",
     "8:9: format of this version of saltus: there is no '2'"},
    {"y: -m*g", "z: -m*g", "12:9: F: there is no 'z'"},
    {"    F: {", "    V: m*g*vy\n    F: {",
     "12:8: case bead, slide: V must not depend on velocities"},
    {"    F: {", "    forces: [{along: vx, force: -e}]\n    F: {",
     "12:22: case bead, slide: the place of a force must not depend on velocities"},
    {"    F: {", "    forces: [{rate: vx*vx, force: -e}]\n    F: {",
     "12:21: case bead, slide: the rate of a force must be linear in the velocities"},
    {"k*x*x", "k*abs(x)", "13:17: there is no function 'abs': a corner is the guard"},
    {"k*x*x", "k*x*x*t", "13:21: time has no name here: add `time: t`"},
    {"[x, y]", "[x, pi]", "6:14: the name 'pi' is that of the constant"},
    {"[x, y]", "[x, 2y]", "6:14: the name '2y' is no name"},
    {"costs:", "title: [a]\ncosts:", "8:8: title is a text"},
    {"slide:\n", "\"slide, then\":\n", "10:3: 'slide, then' is no name for a mode"},
    {"bounce:", "\"a\\nbounce\":", "16:3: 'a?bounce' is no name for an event: letters"},
    {"-e*vx}", "-e*vx}\n    terminal: yes", "21:15: terminal: there is no 'yes'"},
};

/* *place: what model_new or case_open say of the text. */
static bool is_refused(const char *text, char *place, int size)
{
    struct diagnosis diagnosis = {.t = NAN};
    const struct case_desc *desc = case_open(write_model("bead.yaml", text), &diagnosis);
    struct model *model = desc ? model_new(desc, &diagnosis) : NULL;
    snprintf(place, (size_t)size, "%s", model ? "" : diagnosis.place);
    bool refused = !model && diagnosis.status == BAD_INPUT;
    model_free(model);
    return refused;
}

Test(model_file, slips_are_refused_at_their_place)
{
    enum { SLIPS = sizeof slips / sizeof *slips };
    char text[4000], place[600];
    cr_assert_not(is_refused(bead, place, sizeof place), "%s", place);
    cr_expect_geq((int)SLIPS, 40);
    for (int k = 0; k < SLIPS; k++) {
        const char *at = strstr(bead, slips[k].right);
        cr_assert_not_null(at, "%s", slips[k].right);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - bead), bead, slips[k].wrong,
                 at + strlen(slips[k].right));
        cr_expect(is_refused(text, place, sizeof place), "%s is taken", slips[k].wrong);
        cr_expect_not_null(strstr(place, slips[k].refusal), "%s: expected is %s, and not "
                           "%s", slips[k].wrong, slips[k].refusal, place);
        cr_expect_null(strchr(place, '\n'));
    }
}

Test(model_file, whatever_is_no_model_is_refused)
{
    static const char *const texts[] = {
        "", "- 1\n- 2\n", "just a text", "{}", "a: *b", "a: &b [*b]", "? [a]\n: b\n",
        "{\"parameters\": 5}", "modes: {}", "coordinates: []\nend: 1\nmodes: {a: {}}",
        "coordinates: [x]\nend: 1\nmodes: [{M: 3}]", "a: b: c", "\"", "\x01",
        "%YAML 9.9\n",
        "coordinates: [x]\nmodes: {a: {M: {x: {x: 1}}, Phi: [x, y]}}\nend: 1\n",
    };
    char place[600];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        cr_expect(is_refused(texts[k], place, sizeof place), "'%s' is taken", texts[k]);
}

Test(model_file, copies_and_turns_have_a_limit)
{
    char text[2000] = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n", line[200];
    char place[600];
    for (int k = 1; k < 12; k++) {
        snprintf(line, sizeof line, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", k,
                 k, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1);
        strcat(text, line);
    }
    cr_expect(is_refused(text, place, sizeof place));
    cr_expect_not_null(strstr(place, "too large"), "%s", place);
    cr_expect(is_refused("coordinates:\n  - for k in 1..1000000000000: []\n", place,
                         sizeof place));
    cr_expect_not_null(strstr(place, "too many turns"), "%s", place);
    char *deep = calloc(1, 100001);
    memset(deep, '[', 100000);
    cr_expect(is_refused(deep, place, sizeof place));
    free(deep);
}

Test(model_file, a_byte_order_mark_is_passed_over)
{
    char text[4000];
    snprintf(text, sizeof text, "\xef\xbb\xbf%s", bead);
    struct model *model = opened("bead.yaml", text), *same = opened("same.yaml", bead);
    cr_expect_eq(model->fingerprint, same->fingerprint);
    model_free(model);
    model_free(same);
}

Test(model_file, a_path_is_no_name)
{
    struct diagnosis diagnosis = {.t = NAN};
    cr_expect(case_is_path("./bead"));
    cr_expect(case_is_path("bead.yaml"));
    for (int k = 0; catalogue[k]; k++)
        cr_expect_not(case_is_path(catalogue[k]->name));
    cr_expect_null(case_open("/nonexistent/bead.yaml", &diagnosis));
    cr_expect_eq(diagnosis.status, BAD_INPUT);
    cr_expect_not_null(strstr(diagnosis.place, "No such file"), "%s", diagnosis.place);
}
