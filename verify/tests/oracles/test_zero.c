/*
 * test_zero.c - motions with coordinates that are zero in a mode, in units that are tiny,
 * huge and mixed: they are certified, judged right, and a wrong number is seen all the
 * same. The values are those of closed forms.
 */
#include "falsifying.h"

#include <math.h>

#include "base/splitmix.h"

TestSuite(zero, .init = make_folder_with_code, .fini = remove_folder);

/* --- read from a certified file ----------------------------------------------------- */

/* The number of a line, after other lines (find_line). */
static double certified(const char *file, const char *after, const char *line)
{
    char *text = contents(file);
    cr_assert_not_null(text, "%s", file);
    const char *at = find_line(text, after, line);
    double number = strtod(at + strlen(line), NULL);
    free(text);
    return number;
}

static void expect_near(double got, double want, const char *what)
{
    cr_expect(fabs(got - want) <= 1e-14 * fabs(want), "%s: %.17g, not %.17g", what, got,
              want);
}

/* Is certified, and all that verify compares holds. */
static void certify_and_verify(const char *name)
{
    char command[100];
    snprintf(command, sizeof command, "certify %s.yaml -j 1", name);
    expect_run(command, HELD, "out", "digits agreed");
    snprintf(command, sizeof command, "verify %s.yaml -j 1", name);
    expect_run(command, HELD, "out", "MPFR exact");
}

/* --- models that were refused ------------------------------------------------------- */

static const char swings_and_is_held[] =
    "parameters: {k: {nominal: 2}, u: {nominal: 3}}\n"
    "coordinates: [x]\n"
    "modes:\n"
    "  slip: {M: {x: {x: 1}}, F: {x: -k*x}}\n"
    "  rest: {M: {x: {x: 1}}, Phi: [vx], velocity_level: [true]}\n"
    "events:\n"
    "  stop: {from: slip, to: rest, guard: vx, direction: falling}\n"
    "initial: {state: {x: 0, vx: u}}\n"
    "end: 2.5\n";

Test(zero, a_body_that_is_held_at_its_turning_point)
{
    write_file("held.yaml", swings_and_is_held);
    certify_and_verify("held");
    expect_near(certified("held.ref", "", "event 1 stop "), M_PI / 2 / sqrt(2), "t");
    expect_near(certified("held.ref", "sample 9", "q.x "), 3 / sqrt(2), "q.x");
    expect_near(certified("held.ref", "sample 9", "dq.x/dk "), -3 / pow(2, 2.5), "dq/dk");
}

static const char sticks_and_slips[] =
    "time: t\n"
    "parameters: {m: {nominal: 10}, k: {nominal: 4000}, vd: {nominal: 0.01},\n"
    "  mus: {nominal: 0.3}, muc: {nominal: 0.2}, g: {nominal: 9.81}}\n"
    "coordinates: [x]\n"
    "modes:\n"
    "  stick: {M: {x: {x: m}}, F: {x: k*(vd*t - x)}, Phi: [vx], velocity_level: [true]}\n"
    "  slip: {M: {x: {x: m}}, F: {x: k*(vd*t - x) - muc*m*g}}\n"
    "events:\n"
    "  break: {from: stick, to: slip, guard: k*(vd*t - x) - mus*m*g, direction: rising}\n"
    "  stop: {from: slip, to: stick, guard: vx, direction: falling}\n"
    "initial: {state: {x: 0, vx: 0}}\n"
    "end: 3\n";

Test(zero, a_block_that_sticks_before_it_slips)
{
    write_file("block.yaml", sticks_and_slips);
    certify_and_verify("block");
    expect_near(certified("block.ref", "", "event 1 break "), 0.73575, "t");
    cr_expect_eq(certified("block.ref", "sample 2", "q.x "), 0);
}

static const char cam[] =
    "time: t\n"
    "parameters: {m: {nominal: 0.5}, k: {nominal: 200}, y0: {nominal: -0.02},\n"
    "  a: {nominal: 0.02}, R: {nominal: 0.05}, w: {nominal: 60}, g: {nominal: 9.81}}\n"
    "coordinates: [u]\n"
    "multipliers: [N]\n"
    "costs: [work]\n"
    "definitions: {force: -m*g - k*(u + R + a*sin(w*t) - y0) + m*a*w*w*sin(w*t)}\n"
    "modes:\n"
    "  contact: {M: {u: {u: m}}, F: {u: force}, Phi: [u], g: {work: N*N}}\n"
    "  free: {M: {u: {u: m}}, F: {u: force}}\n"
    "events:\n"
    "  separate: {from: contact, to: free, guard: -N, direction: falling}\n"
    "  land: {from: free, to: contact, guard: u, direction: falling,\n"
    "    velocity: constrained}\n"
    "initial: {state: {}}\n"
    "end: 0.1\n";

/* That the contact opens with its rate zero is refused by some formulations; here it is
   about the values of the others. */
Test(zero, a_follower_that_is_on_its_cam_at_first)
{
    write_file("cam.yaml", cam);
    expect_run("certify cam.yaml -j 1", HELD, "out", "digits agreed");
    expect_run("verify cam.yaml -f ode -j 1", HELD, "out", "PASS");
    expect_near(certified("cam.ref", "", "event 1 separate "), asin(18.905 / 32) / 60,
                "t");
}

/* --- small parameters and times ----------------------------------------------------- */

static const char driven[] =
    "parameters: {m: {nominal: 1e-31}, F: {nominal: 1e-31}, d: {nominal: 1}}\n"
    "coordinates: [x]\n"
    "modes: {go: {M: {x: {x: m}}, F: {x: F}}}\n"
    "events:\n"
    "  hit: {guard: x - d, direction: rising, reset: {vx_plus: -vx/2}}\n"
    "initial: {state: {x: 0, vx: 0}}\n"
    "end: 2\n";

/* By a step that is relative to the parameter no digit is lost: 69 were always enough. */
Test(zero, parameters_of_1e_31_are_moved_relatively)
{
    write_file("driven.yaml", driven);
    certify_and_verify("driven");
    expect_near(certified("driven.ref", "event 1", "dt/dm "), sqrt(2) / 2e-31, "dt/dm");
    cr_expect_eq(certified("driven.ref", "", "digits "), 69);
}

static const char electron[] =
    "parameters: {q: {nominal: 1.602176634e-19}, me: {nominal: 9.1093837015e-31},\n"
    "  E: {nominal: 1e9}, d: {nominal: 1e-6}}\n"
    "coordinates: [x]\n"
    "modes: {go: {M: {x: {x: me}}, F: {x: q*E}}}\n"
    "events:\n"
    "  hit: {guard: x - d, direction: rising, reset: {vx_plus: -vx/2}}\n"
    "initial: {state: {x: 0, vx: 0}}\n"
    "end: 1.51*sqrt(2*1e-6*9.1093837015e-31/(1.602176634e-19*1e9))\n";

Test(zero, values_at_times_of_1e_13_are_those_that_are_asked_for)
{
    write_file("electron.yaml", electron);
    certify_and_verify("electron");
    expect_near(certified("electron.ref", "", "event 1 hit "),
                sqrt(2e-6 * 9.1093837015e-31 / 1.602176634e-10), "t");
}

static const char pulse[] =
    "parameters: {p: {nominal: 1}}\n"
    "time: t\n"
    "coordinates: [y]\n"
    "modes: {m: {M: {y: {y: 1}}, F: {y: \"p*exp(-pow(3e1*(t-1.2345),2))\"}}}\n"
    "initial: {state: {y: 0, vy: 1}}\n"
    "end: 3\n";

/* At the end the force is 4.8e-1219, and counts by what it has been, in the certificate
   as in what judges it. */
Test(zero, a_force_that_is_nearly_gone_counts_by_what_it_has_been)
{
    write_file("pulse.yaml", pulse);
    certify_and_verify("pulse");
    expect_near(certified("pulse.ref", "sample 9", "v.y "), 1.0590817950301839, "v.y");
}

/* --- drawn models ------------------------------------------------------------------- */

/* Coordinates of all units, each in an equation by itself. Some are held from the start
   until 0.5, and from 1.3 on; these are zero in their first mode. */
enum motion { DRIVEN, SWINGS, CANCELS, RESTS, MOTIONS };
enum { COORDINATES = 4, UNITS = 4, DRAWN = 6 };

struct drawn {
    enum motion motion[COORDINATES];
    double unit[COORDINATES], mass[COORDINATES];
};

static const double unit[UNITS][COORDINATES] = {
    {1e-12, 1, 1e9, 1e-12}, {1e-9, 1, 1e9, 1e-12}, {1e-12, 1e-6, 1e12, 1}, {1, 1, 1, 1}};

static bool is_held(const struct drawn *drawn, int i)
{
    return drawn->motion[i] == DRIVEN || drawn->motion[i] == RESTS;
}

/* Every kind of motion once, in an order by the seed. */
static void draw(int seed, struct drawn *drawn)
{
    static const double mass[] = {1, 1e-6, 1e6};
    for (int i = 0; i < COORDINATES; i++) {
        uint64_t bits = splitmix64((uint64_t)seed + splitmix64_gamma * (uint64_t)(i + 1));
        drawn->motion[i] = (enum motion)((i + seed / UNITS) % MOTIONS);
        drawn->unit[i] = unit[seed % UNITS][i];
        drawn->mass[i] = mass[bits % 3];
    }
}

static void write_forces(FILE *file, const struct drawn *drawn)
{
    fputs("M: {", file);
    for (int i = 0; i < COORDINATES; i++)
        fprintf(file, "%sx%d: {x%d: %g}", i ? ", " : "", i, i, drawn->mass[i]);
    fputs("}, F: {", file);
    for (int i = 0; i < COORDINATES; i++) {
        fprintf(file, "%sx%d: ", i ? ", " : "", i);
        switch (drawn->motion[i]) {
        case DRIVEN: case SWINGS:
            fprintf(file, drawn->motion[i] == DRIVEN ? "%g*U%d*(1 + t)" : "-4*%g*x%d",
                    drawn->mass[i], i);
            break;
        case CANCELS:
            fprintf(file, "%g*(c*U%d - d*U%d)", drawn->mass[i], i, i);
            break;
        default:
            fputs("0", file);
        }
    }
    fputs("}", file);
}

/* Writes an item for each coordinate that is held. */
static void write_held(FILE *file, const struct drawn *drawn, const char *before,
                       const char *after)
{
    bool first = true;
    for (int i = 0; i < COORDINATES; i++)
        if (is_held(drawn, i)) {
            fprintf(file, "%s%s%d%s", first ? "" : ", ", before, i, after);
            first = false;
        }
}

static void write_held_mode(FILE *file, const struct drawn *drawn, const char *name)
{
    fprintf(file, "  %s: {", name);
    write_forces(file, drawn);
    fputs(", Phi: [", file);
    write_held(file, drawn, "vx", "");
    fputs("], velocity_level: [true, true]}\n", file);
}

static void write_model(const struct drawn *drawn)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/drawn.yaml", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs("time: t\nparameters:\n  c: {nominal: 2}\n  d: {nominal: 2}\n", file);
    for (int i = 0; i < COORDINATES; i++)
        fprintf(file, "  U%d: {nominal: %g}\n", i, drawn->unit[i]);
    fputs("coordinates: [x0, x1, x2, x3]\nmodes:\n", file);
    write_held_mode(file, drawn, "hold");
    fputs("  go: {", file);
    write_forces(file, drawn);
    fputs("}\n", file);
    write_held_mode(file, drawn, "again");
    fputs("events:\n  release: {from: hold, to: go, guard: t - 0.5, direction: rising}\n"
          "  catch: {from: go, to: again, guard: t - 1.3, direction: rising, reset: {",
          file);
    write_held(file, drawn, "vx", "_plus: 0");
    fputs("}}\ninitial: {state: {", file);
    for (int i = 0; i < COORDINATES; i++)
        fprintf(file, drawn->motion[i] == SWINGS    ? "%sx%d: U%d, vx%d: 0"
                      : drawn->motion[i] == CANCELS ? "%sx%d: 0*U%d, vx%d: U%d"
                                                    : "%sx%d: 0*U%d, vx%d: 0",
                i ? ", " : "", i, i, i, i);
    fputs("}}\nend: 2\n", file);
    fclose(file);
}

/* x at the end, t = 2. */
static double at_end(const struct drawn *drawn, int i)
{
    double from = 0.5, to = 1.3, s = to - from;
    switch (drawn->motion[i]) {
    case DRIVEN:
        return drawn->unit[i] * ((1 + from) * s * s / 2 + s * s * s / 6);
    case SWINGS:
        return drawn->unit[i] * cos(4);
    case CANCELS:
        return drawn->unit[i] * 2;
    default:
        return 0;
    }
}

/* One certified number becomes another, and something sees it. */
static void expect_seen(const char *sample, const char *line, double wrong)
{
    static const char judge[] = "verify drawn.yaml -f ode -j 1 "
                                "--oracle certified,mpfr-difference";
    char *right = contents("drawn.ref"), *at = find_line(right, sample, line);
    size_t before = (size_t)(at - right) + strlen(line), room = strlen(right) + 60;
    char *text = malloc(room);
    const char *rest = at + strlen(line) + strcspn(at + strlen(line), " ");
    snprintf(text, room, "%.*s%.17g%s", (int)before, right, wrong, rest);
    write_values("drawn.ref", text);
    cr_expect_eq(run_command(judge), SHORT, "%s, %s%.17g is not seen", sample, line,
                 wrong);
    write_file("drawn.ref", right);
    free(text);
    free(right);
}

/* A number that is zero in its mode is wrong by a millionth of what it comes to be, one
   at the end by a millionth of itself. */
static void expect_faults_seen(const struct drawn *drawn, int i)
{
    char line[20];
    double part = 1e-6 * drawn->unit[i];
    for (const char *c = drawn->motion[i] == DRIVEN ? "qva" : ""; *c; c++) {
        snprintf(line, sizeof line, "%c.x%d ", *c, i);
        expect_seen("event 1,before", line, part);
    }
    snprintf(line, sizeof line, "q.x%d ", i);
    if (drawn->motion[i] != RESTS)
        expect_seen("sample 9", line, at_end(drawn, i) * (1 + 1e-6));
    snprintf(line, sizeof line, "da.x%d/dc ", i);
    if (drawn->motion[i] == CANCELS)
        expect_seen("sample 9", line, drawn->unit[i] * (1 + 1e-6));
}

static void try_drawn(int seed)
{
    struct drawn drawn;
    draw(seed, &drawn);
    write_model(&drawn);
    certify_and_verify("drawn");
    for (int i = 0; i < COORDINATES; i++) {
        char line[20];
        snprintf(line, sizeof line, "q.x%d ", i);
        expect_near(certified("drawn.ref", "sample 9", line), at_end(&drawn, i), line);
        expect_faults_seen(&drawn, i);
    }
}

Test(zero, tiny_and_huge_units_beside_each_other)
{
    for (int seed = 0; seed < DRAWN; seed++)
        try_drawn(seed);
}
