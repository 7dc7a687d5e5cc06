/*
 * test_units_of_models.c - dimensional analysis of models: units as text, equations
 * between dimensions, slips found at their formula, and no finding in a right model.
 */
#include <stdlib.h>

#include "file/model_file.h"
#include "mechanisms/catalogue.h"
#include "running.h"
#include "sanitized.h"
#include "units/dimension_equations.h"
#include "units/model_units.h"

TestSuite(units_of_models, .init = make_folder, .fini = remove_folder, .timeout = 300);

/* --- units as text ------------------------------------------------------------------ */

static const char *text_of(const struct dimension *dimension)
{
    static char text[200];
    powers_text(base_unit_name, dimension->of, BASE_UNITS, text, sizeof text);
    return text;
}

Test(units_of_models, units_are_read)
{
    static const char *const unit[][2] = {
        {"1", "1"}, {"rad", "1"}, {"-", "1"}, {"%", "1"}, {"kg", "kg"}, {"um", "m"},
        {"N/m", "kg/s^2"}, {"N m s/rad", "kg m^2/s"}, {"kg m^2", "kg m^2"},
        {"kg*m^2/s", "kg m^2/s"}, {"N s/m", "kg/s"}, {"N/(m s)", "kg/s^3"},
        {"mg/l", "kg/m^3"}, {"kN", "kg m/s^2"}, {"MPa", "kg/(m s^2)"}, {"mm^2", "m^2"},
        {"min", "s"}, {"h", "s"}, {"Hz", "1/s"}, {"V", "kg m^2/(s^3 A)"}, {"1/s", "1/s"},
        {"Ohm A/V", "1"}, {"m/s^2", "m/s^2"}, {"m/s/s", "m/s^2"}, {"m^-1", "1/m"},
        {"m^(1/2)", "m^(1/2)"}, {"N/m*s", "kg/s"},
        {"(m/s)^2", "m^2/s^2"}, {" kg  m ", "kg m"}, {"J/(kg K)", "m^2/(s^2 K)"},
        {"m\u00b2", "m^2"}, {"N\u00b7m", "kg m^2/s^2"}, {"\u00b5m", "m"}, {"mol", "mol"},
        {"cd", "cd"}, {"T", "kg/(s^2 A)"}, {"m/um", "1"},
    };
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
        struct dimension dimension;
        cr_expect(unit_read(unit[k][0], &dimension), "'%s' is not read", unit[k][0]);
        cr_expect_str_eq(text_of(&dimension), unit[k][1], "'%s' is read as %s",
                         unit[k][0], text_of(&dimension));
    }
}

Test(units_of_models, texts_that_are_no_units_are_not_read)
{
    static const char *const text[] = {
        "", " ", "foo", "N/m s", "m^", "m^x", "m^(1/0)", "m^(1", "(m", "m)", "/s", "m/",
        "m//s", "2 m", "kgm", "mkg", "m^999", "m^1.5", "m s/", "\xff",
        "((((((((((((((((((((((((m))))))))))))))))))))))))",
    };
    struct dimension dimension;
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        cr_expect_not(unit_read(text[k], &dimension), "'%s' is read", text[k]);
}

/* --- equations ---------------------------------------------------------------------- */

static struct form known(const char *unit)
{
    struct dimension dimension;
    cr_assert(unit_read(unit, &dimension));
    return form_known(&dimension);
}

Test(units_of_models, equations_are_solved_and_contradictions_left_out)
{
    const struct rational one = {1, 1}, two = {2, 1};
    struct equations equations;
    equations_begin(&equations);
    int x = equations_unknown(&equations), y = equations_unknown(&equations);
    struct form fx = form_of(&equations, x), fy = form_of(&equations, y);
    struct form xy = form_combine(&equations, &fx, one, &fy, two);
    struct form area = known("m^2 s"), second = known("s"), metre = known("m");
    cr_expect(equations_equal(&equations, &xy, &area));
    cr_expect_eq(form_of(&equations, y).count, 1);
    cr_expect(equations_equal(&equations, &fx, &second));
    fy = form_of(&equations, y);
    cr_expect_eq(fy.count, 0);
    cr_expect_str_eq(text_of(&fy.known), "m");
    cr_expect_not(equations_equal(&equations, &fy, &second));
    cr_expect(equations_equal(&equations, &fy, &metre));
    equations_clear(&equations);
}

/* x_k = x_(k-1)^2: the exponents leave an int, and such an equation says nothing. */
Test(units_of_models, exponents_that_no_int_holds_say_nothing)
{
    const struct rational two = {2, 1};
    struct equations equations;
    equations_begin(&equations);
    struct form form = known("m");
    for (int k = 0; k < 100; k++)
        form = form_combine(&equations, &form, two, NULL, two);
    struct form second = known("s");
    cr_expect(equations_equal(&equations, &form, &second));
    equations_clear(&equations);
}

/* --- models ------------------------------------------------------------------------- */

static const char *const bead =
    "name: bead\n"
    "time: t\n"
    "coordinates: [x, y]\n"
    "parameters:\n"
    "  m:    {nominal: 1, unit: kg}\n"
    "  g:    {nominal: 9.81, unit: m/s^2}\n"
    "  k:    {nominal: 1.4, unit: 1/m}\n"
    "  c:    {nominal: 3, unit: N/m}\n"
    "  wall: {nominal: 0.4, unit: m}\n"
    "  e:    {nominal: 0.9, unit: 1}\n"
    "  x0:   {nominal: -0.8, unit: m}\n"
    "auxiliary: [s]\n"
    "multipliers: [lambda]\n"
    "costs: [work]\n"
    "modes:\n"
    "  slide:\n"
    "    M: {x: {x: m}, y: {y: m}}\n"
    "    F: {x: -c*x, y: -m*g}\n"
    "    Phi: [y - k*x*x]\n"
    "    f_s: {s: vx}\n"
    "    g: {work: lambda*lambda}\n"
    "  free:\n"
    "    M: {x: {x: m}, y: {y: m}}\n"
    "    V: m*g*y + c*x*x/2\n"
    "events:\n"
    "  bounce:\n"
    "    from: slide\n"
    "    guard: x - wall\n"
    "    direction: rising\n"
    "    velocity: constrained\n"
    "    reset: {vx_plus: -e*vx}\n"
    "  leave:\n"
    "    from: slide\n"
    "    to: free\n"
    "    guard: t - 3\n"
    "    direction: rising\n"
    "    impulses: [{Psi: y, E: e}]\n"
    "initial:\n"
    "  state: {x: x0, vx: 0, s: 0}\n"
    "  guess: {y: 1}\n"
    "energy: m*(vx*vx + vy*vy)/2 + m*g*y + c*x*x/2\n"
    "end: 2\n";

/* The analysis of a text as model file. To be freed. */
static struct model_units *units_of_text(const char *text)
{
    char path[PATH_MAX];
    struct diagnosis diagnosis;
    write_file("bead.yaml", text);
    snprintf(path, sizeof path, "%s/bead.yaml", folder);
    const struct case_desc *desc = case_open(path, &diagnosis);
    cr_assert_not_null(desc, "%s", diagnosis.place);
    struct model *model = model_new(desc, &diagnosis);
    cr_assert_not_null(model, "%s", diagnosis.place);
    model_free(model);
    return model_units_new(desc);
}

/* The bead with `from` replaced by `to`. To be freed. */
static struct model_units *units_of_bead(const char *from, const char *to)
{
    char text[4000];
    const char *at = strstr(bead, from);
    cr_assert_not_null(at, "%s", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - bead), bead, to,
             at + strlen(from));
    return units_of_text(text);
}

Test(units_of_models, of_coordinates_states_and_costs_follow)
{
    struct model_units *units = units_of_text(bead);
    cr_expect(units->given);
    cr_expect_eq(units->findings, 0, "%s", units->findings ? units->finding[0].text : "");
    cr_expect_eq(units->unreads, 0);
    cr_expect_null(units->remedy);
    cr_expect_str_eq(units->coordinate[0], "m");
    cr_expect_str_eq(units->coordinate[1], "m");
    cr_expect_str_eq(units->auxiliary[0], "m");
    cr_expect_str_eq(units->cost[0], "kg^2 m^2/s^3");
    model_units_free(units);
}

/* Each of these changes leaves a right model. Constants hide units: 0.4 may be a length,
   9.81 gravity, 1 a frequency. A unit that is left out or unknown is solved for. */
Test(units_of_models, right_ones_are_silent)
{
    static const char *const change[][2] = {
        {"x - wall", "x - 0.4"},           {"x: -c*x", "x: -3*x*c/2"},
        {"y: -m*g", "y: -9.81*m"},         {"y: -m*g", "y: -m*g + 3"},
        {"y: -m*g", "y: -m*g*sin(k*x)"},   {"y: -m*g", "y: -m*g*sin(2*t + 1)"},
        {"y: -m*g", "y: -m*g*cos(t)"},     {"unit: N/m", "unit: bananas"},
        {", unit: N/m", ""},               {", unit: kg", ""},
        {"M: {x: {x: m}, y: {y: m}}", "M: {x: {x: 1}, y: {y: 1}}"},
        {"vx: 0", "vx: sqrt(g*wall)"},     {"vx: 0", "vx: 'pow(g*wall, 0.5)'"},
        {"vx: 0", "vx: 'wall*pow(c/m, 1/2)'"}, {"end: 2", "end: sqrt(m/c)"},
        {"s: vx", "s: x*t"},               {"-e*vx", "-vx*exp(-k*x)"},
        {"t - 3", "t - sqrt(2*wall/g)"},   {"t - 3", "atan2(y, x) - 1"},
        {"unit: 1/m", "unit: 1/mm"},       {"x: x0", "x: 2*x0 - wall"},
    };
    for (size_t k = 0; k < sizeof change / sizeof *change; k++) {
        struct model_units *units = units_of_bead(change[k][0], change[k][1]);
        cr_expect_eq(units->findings, 0, "%s instead of %s: %s", change[k][1],
                     change[k][0], units->findings ? units->finding[0].text : "");
        model_units_free(units);
    }
}

/* A slip, the line and column at which it is found, the finding, and the remedy. */
static const struct slip {
    const char *from, *to, *place, *text, *remedy;
} slips[] = {
    {"y: -m*g", "y: m*g + k", ":18:21: ",
     "mode slide: F.y: m*g + k: kg m/s^2 and 1/m are added", NULL},
    {"y: -m*g", "y: -g", ":18:21: ",
     "mode slide: F.y: m/s^2, but M.y.y*ay is kg m/s^2", NULL},
    {"x: -c*x", "x: -c*x*x", ":18:12: ",
     "mode slide: F.x: kg m^2/s^2, but M.x.x*ax is kg m/s^2", NULL},
    {"unit: 1/m", "unit: m", ":19:11: ",
     "mode slide: Phi.1: y - k*x*x: m and m^3 are subtracted",
     "all would fit with 1/m for k"},
    {"x - wall", "x - wall*wall", ":28:12: ",
     "event bounce: guard: x - wall*wall: m and m^2 are subtracted", NULL},
    {"wall: {nominal: 0.4, unit: m}", "wall: {nominal: 0.4, unit: s}", ":28:12: ",
     "event bounce: guard: x - wall: m and s are subtracted",
     "all would fit with m for wall"},
    {"-e*vx", "-e*x", ":31:22: ",
     "event bounce: vx_plus: m, but vx is m/s", NULL},
    {"E: e", "E: e*g", ":37:28: ",
     "event leave: E of impulse 1: m/s^2, but a ratio of velocities is 1", NULL},
    {"V: m*g*y", "V: m*y", ":24:8: ",
     "mode free: V: m*y + c*x*x/2: kg m and kg m^2/s^2 are added", NULL},
    {"s: vx", "s: s*t", ":20:14: ",
     "mode slide: f_s.s: s [s], but s per time is [s]/s",
     NULL},
    {"lambda*lambda", "lambda + m", ":21:15: ",
     "mode slide: g.work: lambda + m: kg m/s^2 and kg are added", NULL},
    {"y: -m*g", "y: -m*g*sin(x)", ":18:21: ",
     "mode slide: F.y: sin(x): sin of m, which takes a number", NULL},
    {"y: -m*g", "y: '-m*g*atan2(y, g)'", ":18:22: ",
     "mode slide: F.y: atan2(y, g): m and m/s^2 have no ratio that is a number", NULL},
    {"vx: 0", "vx: sqrt(g)", ":39:22: ",
     "initial: vx: m^(1/2)/s, but vx elsewhere is m/s", NULL},
    {"x: x0", "x: x0*k", ":39:14: ", "initial: x: 1, but x elsewhere is m",
     "all would fit with m^2 for x0"},
    {"c*x*x/2\nend", "c*x/2\nend", ":41:9: ",
     "energy: m*(vx*vx + vy*vy)/2 + m*g*y + c*x/2: kg m^2/s^2 and kg m/s^2 are added",
     NULL},
    {"end: 2", "end: wall", ":42:6: ", "end: m, but time is s", NULL},
};

Test(units_of_models, a_slip_is_found_at_its_formula_with_both_dimensions)
{
    for (size_t k = 0; k < sizeof slips / sizeof *slips; k++) {
        const struct slip *slip = &slips[k];
        struct model_units *units = units_of_bead(slip->from, slip->to);
        cr_expect_eq(units->findings, 1, "%s: %d findings", slip->to, units->findings);
        if (units->findings > 0) {
            const struct unit_finding *finding = &units->finding[0];
            cr_expect_str_eq(finding->text, slip->text);
            cr_expect_not_null(strstr(finding->place, slip->place), "%s: at %s", slip->to,
                               finding->place);
        }
        if (slip->remedy)
            cr_expect_str_eq(units->remedy ? units->remedy : "none", slip->remedy);
        model_units_free(units);
    }
}

/* A wrong unit of gravity contradicts several formulas that are right. */
Test(units_of_models, a_wrong_unit_of_much_use_is_told_by_its_remedy)
{
    struct model_units *units = units_of_bead("unit: m/s^2", "unit: m/s");
    cr_expect_gt(units->findings, 1);
    cr_assert_not_null(units->remedy);
    cr_expect_str_eq(units->remedy, "all would fit with m/s^2 for g");
    model_units_free(units);
}

Test(units_of_models, an_unknown_unit_is_told_once_and_no_unit_is_no_slip)
{
    struct model_units *units = units_of_bead("unit: N/m", "unit: bananas");
    cr_expect_eq(units->unreads, 1);
    cr_expect_eq(units->unread[0], 3);
    model_units_free(units);
    units = units_of_text("parameters: {g: 9.81, L: 1}\ncoordinates: [x]\nmodes:\n"
                          "  only:\n    M: {x: {x: L}}\n    F: {x: g + L*x}\n"
                          "initial:\n  state: {x: g, vx: g}\nend: g\n");
    cr_expect_not(units->given);
    cr_expect_eq(units->findings, 0);
    model_units_free(units);
}

/* Time is a number, too, if all units are: x' = x - x^2 is no slip. */
Test(units_of_models, of_numbers_alone_time_is_a_number)
{
    static const char *const growth =
        "parameters:\n  a: {nominal: 2, unit: 1}\nauxiliary: [s]\nmodes:\n  only:\n"
        "    f_s: {s: s - a*s*s}\ninitial:\n  state: {s: a}\nend: 1\n";
    struct model_units *units = units_of_text(growth);
    cr_expect(units->given);
    cr_expect_eq(units->findings, 0);
    cr_expect_str_eq(units->auxiliary[0], "1");
    model_units_free(units);
}

/* --- the catalogue ------------------------------------------------------------------ */

/* Findings that are right, and stay: formulas belong to certified values. */
static const struct {
    const char *name;
    int findings;
    const char *why;
} remaining[] = {
    {"compass-gait-pushed", 2, "a distance in angles and rates, without weights"},
    {"five-bar-redundant", 1, "a dependent row: a length times one row, and another"},
    {"five-bar-events-redundant", 1, "the same"},
    {"latch-redundant", 1, "the same"},
};

static int findings_of(const char *name)
{
    for (size_t k = 0; k < sizeof remaining / sizeof *remaining; k++)
        if (strcmp(remaining[k].name, name) == 0)
            return remaining[k].findings;
    return 0;
}

Test(units_of_models, of_the_catalogue_fit_together)
{
    for (int k = 0; catalogue[k]; k++) {
        struct model_units *units = model_units_new(catalogue[k]);
        const char *name = catalogue[k]->name;
        cr_expect(units->given, "%s", name);
        cr_expect_eq(units->unreads, 0, "%s", name);
        cr_expect_eq(units->findings, findings_of(name), "%s: %d findings: %s", name,
                     units->findings, units->findings ? units->finding[0].text : "");
        model_units_free(units);
    }
}

/* A case with the unit of one parameter times a second. */
static const struct case_desc *original;
static int wronged;

static void record_wronged(struct model *model)
{
    original->record(model);
    struct parameter *parameter = &model->parameter[wronged];
    char unit[200];
    snprintf(unit, sizeof unit, "(%s) s", parameter->unit);
    free(parameter->unit);
    parameter->unit = strdup(unit);
}

/* A unit that is in no formula together with others, like the mass of a pendulum, may be
   any. In all other places a wrong one is found, and the remedy, where there is one, is
   of that parameter. */
Test(units_of_models, wrong_ones_are_found_all_over_the_catalogue)
{
    int all = 0, found = 0;
    for (int k = 0; catalogue[k]; k++) {
        if (LEFT_TO_PLAIN_BUILD(k))
            continue;
        struct diagnosis diagnosis;
        struct model *model = model_new(catalogue[k], &diagnosis);
        struct case_desc desc = *catalogue[k];
        original = catalogue[k];
        desc.record = record_wronged;
        for (wronged = 0; wronged < model->p && findings_of(desc.name) == 0; wronged++) {
            const struct parameter *parameter = &model->parameter[wronged];
            char want[100];
            if (!parameter->used)
                continue;
            struct model_units *units = model_units_new(&desc);
            snprintf(want, sizeof want, "for %s", parameter->name);
            cr_expect(!units->remedy || strstr(units->remedy, want), "%s: %s: %s",
                      desc.name, parameter->name, units->remedy);
            found += units->findings > 0;
            all++;
            model_units_free(units);
        }
        model_free(model);
    }
    cr_log_info("%d of %d found", found, all);
    cr_expect_gt(found, 0.95 * all, "%d of %d", found, all);
}
