/*
 * test_model_file_command.c - a mechanism of one's own, from `saltus new` to a verified
 * one with a figure and a table of times, as README.md has it.
 */
#include "file/keys.h"
#include "parsing.h"

TestSuite(model_file_command, .init = make_folder_with_code, .fini = remove_folder,
          .timeout = 300);

static bool is_there(const char *name)
{
    char *text = contents(name);
    free(text);
    return text != NULL;
}

Test(model_file_command, from_nothing_to_a_verified_mechanism)
{
    unsetenv("SALTUS_VALUES");
    expect_run("new bead", HELD, "out", "bead.yaml: a bead that bounces");
    expect_run("show bead.yaml", HELD, "out", "when x - wall = 0, rising");
    expect_run("verify bead.yaml", HELD, "out", "0 failed");
    char *out = contents("out");
    cr_expect_not_null(strstr(out, "no certified values: saltus certify bead.yaml"), "%s",
                       out);
    free(out);
    expect_run("certify bead.yaml --digits 20", HELD, "out", "./bead.ref: 2");
    cr_expect(is_there("bead.ref"));
    expect_run("verify bead.yaml --formulation index1", HELD, "out", "certified");
    out = contents("out");
    cr_expect_null(strstr(out, "no certified values"), "%s", out);
    free(out);
    expect_run("run bead.yaml -n 5 -o x.csv --plot x.svg", HELD, "err", "");
    cr_expect(is_there("x.csv") && is_there("x.events.csv") && is_there("x.svg"));
    expect_run("bench bead.yaml index1 --quick -o bench.csv", HELD, "out", "index1");
    cr_expect(is_there("bench.csv"));
}

Test(model_file_command, every_beginning_is_judged_at_its_events)
{
    static const char *const kind[] = {"equations", "lagrangian", "elements"};
    char text[100];
    for (int k = 0; k < 3; k++) {
        snprintf(text, sizeof text, "new %s --from %s", kind[k], kind[k]);
        expect_run(text, HELD, "out", "edit it");
        snprintf(text, sizeof text, "verify %s.yaml", kind[k]);
        expect_run(text, HELD, "out", "0 failed");
        snprintf(text, sizeof text, "run %s.yaml -o x.csv", kind[k]);
        expect_run(text, HELD, "err", " events, ");
    }
    expect_complaint("new other --from lagrange", USAGE, "did you mean lagrangian?");
}

/* A warning, whatever the command then does; the catalogue is its author's business. */
Test(model_file_command, units_that_do_not_fit_are_a_warning)
{
    static const char *const warning =
        "bead.yaml:41:10: units: mode slide: F.y: m/s^2, but M.y.y*ay is kg m/s^2\n";
    expect_run("new bead", HELD, "out", "bead.yaml");
    expect_run("show bead.yaml", HELD, "out", "units fit together\n  x, y: m\n");
    cr_assert_eq(shell("sed -i 's/y: -m\\*g/y: -g/' bead.yaml"), 0);
    expect_run("show bead.yaml", HELD, "out", "F.y: m/s^2, but M.y.y*ay is kg m/s^2");
    expect_run("run bead.yaml -n 3 --brief", HELD, "err", warning);
    expect_run("verify bead.yaml --formulation index1", HELD, "err", warning);
    expect_run("certify bead.yaml --digits 12", HELD, "err", warning);
    expect_run("run compass-gait-pushed -n 3 --brief", HELD, "err", "");
    char *err = contents("err");
    cr_expect_null(strstr(err, "units"), "%s", err);
    free(err);
    cr_assert_eq(shell("sed -i 's/unit: kg,/unit: stone,/' bead.yaml"), 0);
    expect_run("show bead.yaml", HELD, "out",
               "not checked: unit 'stone' of parameter m is not known");
}

/* An edited file is another case: certified values of the old one are refused. */
Test(model_file_command, values_belong_to_the_formulas_of_the_file)
{
    unsetenv("SALTUS_VALUES");
    expect_run("new bead", HELD, "out", "bead.yaml");
    expect_run("certify bead.yaml --digits 15", HELD, "out", "bead.ref");
    cr_assert_eq(shell("sed -i 's/y: -m\\*g/y: -2*m*g/' bead.yaml"), 0);
    expect_run("verify bead.yaml --formulation index1 --oracle certified", SHORT, "out",
               "the model has changed since this was made: saltus certify bead.yaml");
}

Test(model_file_command, every_command_takes_a_path)
{
    static const char *const words[] = {
        "gradient bead.yaml", "sweep bead.yaml --grid e=0.5:0.9:2",
        "optimise bead.yaml --cost work --over e --bounds e=0.1:0.9 --max-evaluations 3",
        "problem bead.yaml", "show bead.yaml --json", "show bead.yaml --yaml",
        "show bead.yaml --plot bead.svg",
    };
    expect_run("new bead", HELD, "out", "bead.yaml");
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        int status = run_command(words[k]);
        char *err = contents("err");
        cr_expect(status == HELD || (k == 2 && status == SHORT), "%s: exit %d\n%s",
                  words[k], status, err);
        free(err);
    }
}

/* A hopper that penalties hold up for a moment only: its penalty motion is refused, and
   that is certified. */
static const char hopper[] =
    "parameters: {g: 9.81}\ncoordinates: [y, f]\nmultipliers: [N]\n"
    "modes:\n  flight: &flight\n    T: vy*vy + vf*vf*3/20\n"
    "    V: 2*g*y + g*f*3/10 + 200*pow(y - f - 1/2, 2)\n"
    "  stance: {<<: *flight, Phi: [f]}\nevents:\n"
    "  touchdown:\n"
    "    {from: flight, to: stance, guard: f, direction: falling, joints: true}\n"
    "  liftoff: {from: stance, to: flight, guard: N, direction: rising}\n"
    "initial: {state: {y: 1, f: 1/2}}\nend: 1\n";

Test(model_file_command, a_motion_that_is_refused_is_not_measured)
{
    write_file("hopper.yaml", hopper);
    expect_run("certify hopper.yaml --digits 15", HELD, "out", "refused, and that is");
    expect_run("bench hopper.yaml penalty --quick", SHORT, "out",
               "the motion is certified to be refused");
    expect_run("bench hopper.yaml augmentd --quick", USAGE, "err",
               "did you mean augmented");
    write_file("ball.yaml", "coordinates: [x]\nmodes: {m: {M: [[1]], F: [-x]}}\n"
               "initial: {state: {x: 1}}\nend: 1\n");
    expect_run("certify ball.yaml --digits 12", HELD, "out", "ball.ref");
    expect_run("bench ball.yaml augmented --quick", USAGE, "err",
               "formulation augmented does not apply to ball");
}

Test(model_file_command, a_guard_that_is_no_number_is_said_to_be_none)
{
    write_file("asin.yaml", "parameters: {a: 0.9}\ncoordinates: [x]\n"
               "modes: {m: {M: [[1]], F: [-x]}}\n"
               "events: {e: {guard: asin(2*a*x), direction: rising}}\n"
               "initial: {state: {x: 1, vx: 0}}\nend: 1\n");
    expect_run("run asin.yaml", NO_ANSWER, "err",
               "the guard of e of mode m: asin(2*a*x) has no value");
    expect_run("certify asin.yaml --digits 10", NO_ANSWER, "err",
               "the guard of e of mode m: asin(2*a*x) has no value");
}

/* The program answers what saltus runs, and then with another velocity. */
Test(model_file_command, a_program_is_measured_by_its_true_error)
{
    static const char *const change[] = {"", " | sed '3s/,[^,]*,/,9,/'"};
    char text[PATH_MAX + 300], *end, *out;
    double error[2];
    expect_run("new bead", HELD, "out", "bead.yaml");
    expect_run("certify bead.yaml --digits 15", HELD, "out", "bead.ref");
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, "bench bead.yaml --name own --rtol 1e-9 --rounds 1 "
                 "--solver \"cat > /dev/null; '%s' run bead.yaml -n 2 --brief%s\"",
                 command_path(), change[k]);
        expect_run(text, HELD, "out", "own");
        out = contents("out");
        end = strstr(out, "1.0e-09 ");
        cr_assert_not_null(end, "%s", out);
        error[k] = strtod(end + strlen("1.0e-09 "), NULL);
        free(out);
    }
    cr_expect_lt(error[0], 1e-7);
    cr_expect_gt(error[1], 1);
    expect_run("bench bead.yaml --rtol 1e-9 --rounds 1 "
               "--solver 'cat > /dev/null; exit 3'", HELD, "out", "bad-answer");
}

Test(model_file_command, a_case_of_the_catalogue_is_judged_from_its_own_text)
{
    char text[PATH_MAX + 100];
    expect_run("show bouncing-ball --yaml", HELD, "out", "name: bouncing-ball");
    cr_assert_eq(shell("'%s' show bouncing-ball --yaml > ball.yaml", command_path()), 0);
    snprintf(text, sizeof text, "%s/reference/values", top());
    setenv("SALTUS_VALUES", text, 1);
    expect_run("verify ball.yaml", HELD, "out", "0 failed");
    char *out = contents("out");
    cr_expect_not_null(strstr(out, "certified"));
    cr_expect_null(strstr(out, "closed-form"), "a closed form is known by the name of a "
                   "case, and a file may have any name: %s", out);
    free(out);
    unsetenv("SALTUS_VALUES");
}

Test(model_file_command, what_is_wrong_is_shown_with_its_line)
{
    expect_run("new bead", HELD, "out", "bead.yaml");
    cr_assert_eq(shell("sed -i 's/guard: x/gaurd: x/' bead.yaml"), 0);
    expect_run("verify bead.yaml", USAGE, "err",
               ": an event has no key 'gaurd'; did you mean guard?\n"
               "        gaurd: x - wall\n"
               "        ^\n");
    expect_complaint("show nosuch.yaml", USAGE, "nosuch.yaml: cannot be read");
    expect_complaint("new bead", USAGE, "bead.yaml is there already");
    expect_complaint("new", USAGE, "a name is missing");
    expect_complaint("bench ./bead.yaml --workload five-bar", USAGE, "two workloads");
}

Test(model_file_command, the_schema_has_every_key)
{
    expect_run("new --schema -o schema.json", HELD, "out", "");
    cJSON *schema = json_of("schema.json");
    const cJSON *defs = cJSON_GetObjectItem(schema, "$defs");
    cr_assert_not_null(defs);
    int keys = 0, found = 0;
    for (const struct key_info *key = key_info; key->name; key++, keys++) {
        const cJSON *section = schema;
        bool here = cJSON_GetObjectItem(cJSON_GetObjectItem(section, "properties"),
                                        key->name);
        for (section = defs->child; section && !here; section = section->next)
            here = cJSON_GetObjectItem(cJSON_GetObjectItem(section, "properties"),
                                       key->name);
        found += here;
        cr_expect(here, "no key %s", key->name);
    }
    cr_expect_eq(found, keys);
    cr_expect_geq(keys, 60);
    cJSON_Delete(schema);
}

/* The examples of the pages are run as they stand. */
Test(model_file_command, the_example_of_the_page_is_judged)
{
    char path[PATH_MAX + 60];
    snprintf(path, sizeof path, "%s/cases/file/README.md", top());
    char *text = contents(path), *begin = strstr(text, "```yaml\n");
    cr_assert_not_null(begin);
    begin += strlen("```yaml\n");
    *strstr(begin, "```") = '\0';
    write_file("ball.yaml", begin);
    free(text);
    expect_run("verify ball.yaml", HELD, "out", "0 failed");
}
