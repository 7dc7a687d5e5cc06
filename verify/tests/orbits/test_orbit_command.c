/*
 * test_orbit_command.c - `saltus orbit`: what it prints, as a table and as JSON, to the
 * byte; wrong requests and refusals.
 */
#include <math.h>

#include "parsing.h"

TestSuite(orbit_command, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define OSCILLATOR "orbit impact-oscillator --t-end 200"
#define WALKER "orbit compass-gait-absolute --t-end 12 --advance xh,xl,xr,px " \
               "--advance yh,yl,yr,py --sens slope"

/* --- what is printed ---------------------------------------------------------------- */

Test(orbit_command, table_says_all_of_an_orbit)
{
    static const char *const text[] = {
        "impact-oscillator, ode: periodic motion, period 6.28318530717",
        "3 events, 2 nodes", "states after the events of a period", "\nimpact ",
        "derivatives of the period, and of the state after", "\nq_c ", "multiplier",
        "trivial: 1, off by", "\nstable: all others are inside of the unit circle",
        "Newton's method, by the size of the orbit"};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++)
        expect_run(OSCILLATOR, HELD, "out", text[k]);
    expect_run("orbit simplest-walker --set th0=0.19393737 --set w0=-0.20386693 "
               "--set phi_s=-0.1 --t-end 10", HELD, "out",
               "\nunstable: the largest is outside of the unit circle, by 3.004");
}

static double number(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    cr_assert(cJSON_IsNumber(item), "no number %s", name);
    return item->valuedouble;
}

/* The item at a path of names: "after.q.x". */
static const cJSON *item_at(const cJSON *object, const char *path)
{
    char name[60];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = cJSON_GetObjectItem(object, name);
        path += length + (path[length] == '.');
    }
    cr_assert_not_null(object, "nothing at %s", path);
    return object;
}

Test(orbit_command, json_has_the_numbers)
{
    cr_assert_eq(run_command(OSCILLATOR " --sens A,q_c --json -o orbit.json"), HELD);
    cJSON *root = json_of("orbit.json");
    cr_expect_str_eq(cJSON_GetObjectItem(root, "case")->valuestring, "impact-oscillator");
    cr_expect_float_eq(number(root, "period"), 2 * M_PI, 1e-12);
    cr_expect_float_eq(number(item_at(root, "period_derivatives"), "A"), 0, 1e-10);
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(root, "stable")));
    const cJSON *events = item_at(root, "events"), *event;
    cr_expect_eq(cJSON_GetArraySize(events), 3);
    cJSON_ArrayForEach(event, events) {
        double x = item_at(event, "after.q.x")->valuedouble;
        double by_A = item_at(event, "derivatives.A.q.x")->valuedouble;
        double by_q_c = item_at(event, "derivatives.q_c.q.x")->valuedouble;
        cr_expect_float_eq(by_A + by_q_c, x, 1e-9);     /* A = q_c = 1 */
    }
    const cJSON *multipliers = item_at(root, "multipliers"), *each;
    double product = 1;
    int trivial = 0;
    cJSON_ArrayForEach(each, multipliers) {
        bool one = cJSON_IsTrue(cJSON_GetObjectItem(each, "trivial"));
        trivial += one;
        product *= one ? 1 : hypot(number(each, "re"), number(each, "im"));
    }
    cr_expect_eq(trivial, 1);
    cr_expect_float_eq(product, 0.64 * exp(-0.2 * M_PI), 1e-10);
    cr_expect_eq(cJSON_GetArraySize(item_at(root, "nodes")), 2);
    cr_expect_geq(cJSON_GetArraySize(item_at(root, "newton")), 2);
    cJSON_Delete(root);
}

/* The same bytes each time, in another language of the system and by a file, too. */
Test(orbit_command, output_is_the_same_to_the_byte)
{
    static const char *const what[] = {
        OSCILLATOR, OSCILLATOR " --json", "orbit five-bar-forced -f index1", WALKER};
    for (int k = 0; k < 4; k++) {
        cr_assert_eq(shell("'%s' %s > first", command_path(), what[k]), HELD);
        cr_assert_eq(shell("LC_ALL=de_DE.UTF-8 '%s' %s -o again", command_path(),
                           what[k]), HELD);
        expect_same_files("first", "again", what[k]);
    }
}

/* A signature may begin with any of its events. */
Test(orbit_command, signatures)
{
    expect_run(OSCILLATOR " --signature impact,turning,phase", HELD, "out", "3 events");
    expect_run(OSCILLATOR " --signature turning,phase,impact", HELD, "out", "3 events");
    expect_run("orbit five-bar-forced --signature ground,phase", HELD, "out", "2 events");
}

/* --- the least period --------------------------------------------------------------- */

/* A relay, of which x comes to rest: T = log 4. */
static const char relay[] =
    "parameters: {a: 1, b: 2, r: 3}\n"
    "coordinates: [x]\n"
    "auxiliary: [s]\n"
    "modes:\n"
    "  on: {M: {x: {x: 1}}, F: {x: -x - vx}, f_s: {s: r - s}}\n"
    "  off: {M: {x: {x: 1}}, F: {x: -x - vx}, f_s: {s: 0 - s}}\n"
    "events:\n"
    "  top: {from: on, to: off, guard: s - b, direction: rising}\n"
    "  low: {from: off, to: on, guard: s - a, direction: falling}\n"
    "initial: {state: {x: 1, vx: 0, s: 1.5}}\n"
    "end: 60\n";

Test(orbit_command, says_how_often_a_signature_goes_round)
{
    write_file("relay.yaml", relay);
    const char *more = "orbit relay.yaml --signature top,low,top,low,top,low";
    expect_run(more, HELD, "out", "2 events, 2 nodes\n\nthe run comes back after 3 of "
               "these periods: the 2 events repeat themselves\n");
    cr_assert_eq(shell("'%s' %s --json -o orbit.json", command_path(), more), HELD);
    cJSON *root = json_of("orbit.json");
    cr_expect_eq(number(root, "rounds"), 3);
    cr_expect_float_eq(number(root, "period"), log(4), 1e-13);
    cJSON_Delete(root);
    expect_run("orbit relay.yaml --signature top,low,top,low --continue r --to 4", HELD,
               "out", "the run comes back after 2 periods of the first orbit\n");
}

Test(orbit_command, certifies_the_least_period)
{
    write_file("relay.yaml", relay);
    expect_run("orbit relay.yaml --certify --digits 20", HELD, "out",
               "the period is the least: in no part of it are the events the same again");
    expect_run("orbit relay.yaml --certify --digits 20", HELD, "out",
               "1.3862943611198906188");
    expect_run("orbit relay.yaml", HELD, "out", "states 16.0");
}

/* --- what is refused ---------------------------------------------------------------- */

/* A ball on a table that vibrates, once a period: with flights of 2 pi/w and
   cos(phase) = 1 at the impact the amplitude is least, (1 - e) g pi / ((1 + e) w^2). */
Test(orbit_command, finds_the_fold_of_a_ball_on_a_table)
{
    write_file("table.yaml",
               "parameters: {A: {nominal: 0.0025}, w: {nominal: 60}, g: {nominal: 9.81}, "
               "e: {nominal: 0.8}}\ncoordinates: [y]\nauxiliary: [ph]\n"
               "modes: {fly: {M: {y: {y: 1}}, F: {y: -g}, f_s: {ph: w}}}\nevents:\n"
               "  hit: {guard: y - A*sin(ph), direction: falling, reset: {vy_plus: "
               "-e*vy + (1 + e)*A*w*cos(ph)}}\n"
               "  turn: {guard: ph - 2*pi, direction: rising, reset: {ph_plus: "
               "ph - 2*pi}}\ninitial: {state: {y: 0.0088984213, vy: 0.36699314204, "
               "ph: 2.07807702805}}\nend: 3\n");
    char wanted[60];
    snprintf(wanted, sizeof wanted, "fold at A = %.11g",
             0.2 * 9.81 * M_PI / (1.8 * 3600));
    wanted[strlen(wanted) - 1] = '\0';
    expect_run("orbit table.yaml --continue A --from 0.0025 --to 0.0008", HELD, "out",
               wanted);
}

Test(orbit_command, wrong_requests)
{
    static const struct { const char *arguments, *word; } wrong[] = {
        {"orbit", "usage"},
        {"orbit nobody", "nobody"},
        {"orbit impact-oscillator pwlin", "one argument too many"},
        {OSCILLATOR " --signature impcat", "impact"},
        {OSCILLATOR " --advance y", "no coordinate or state y"},
        {OSCILLATOR " --advance x,x", "named twice"},
        {OSCILLATOR " --sens Z", "Z"},
        {OSCILLATOR " --rtol no", "rtol"},
        {OSCILLATOR " --points 9", "points"},
        {"orbit andrews", "has no events"},
        {"orbit bouncing-ball", "event impact of bouncing-ball depends on time"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        expect_complaint(wrong[k].arguments, USAGE, wrong[k].word);
}

Test(orbit_command, refusals)
{
    static const struct { const char *arguments, *word; } refused[] = {
        {"orbit impact-oscillator --t-end 2", "run longer"},
        {OSCILLATOR " --signature impact,impact", "never comes round"},
        {OSCILLATOR " --max-steps 5", "too-many-steps"},
        {"orbit simplest-walker --set th0=0.19393737 --set w0=-0.20386693",
         "guard-violated"},
        {"orbit compass-gait-absolute --t-end 12", "compass-gait-absolute"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        expect_complaint(refused[k].arguments, NO_ANSWER, refused[k].word);
}

/* A file that was asked for is not there after a refusal. */
Test(orbit_command, a_refusal_leaves_no_file)
{
    expect_complaint("orbit impact-oscillator --t-end 2 --json -o orbit.json", NO_ANSWER,
                     "run longer");
    cr_expect_not(file_is_there("orbit.json"));
}
