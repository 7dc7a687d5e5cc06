/*
 * test_model_file_element_refusals.c - elements in model files that are wrong are refused
 * at their place, with the reason and the remedy.
 */
#include "model_texts.h"

TestSuite(model_file_element_refusals, .timeout = 300);

/* Elements begin in line 9. */
#define HEAD \
    NOMINAL_TEXT \
    "points: {P: plane, Q: space}\n" \
    "bodies: {rod: planar, bar: planar, crank: euler}\n" \
    "modes:\n" \
    "  motion:\n" \
    "    elements:\n"
#define AT "      - "

static const struct { const char *text, *place, *why; } refused[] = {
    {HEAD AT "spring: {from: ground, to: P, stiffness: k}\n", "9:17:",
     "a spring has no `length`: natural length, m"},
    {HEAD AT "spring: {from: ground, to: p, stiffness: k, length: L}\n", "9:36:",
     "there is no place 'p'; did you mean P or Q?"},
    {HEAD AT "sprung: {from: ground, to: P}\n", "9:9:",
     "an element has no key 'sprung'; did you mean spring"},
    {HEAD AT "spring: {from: ground, to: P, stiffnes: k, length: L}\n", "9:39:",
     "a spring has no key 'stiffnes'; did you mean stiffness"},
    {HEAD AT "spring: {from: P, to: Q, stiffness: k, length: L}\n", "9:31:",
     "`from` is a place in the plane, and `to` one in space"},
    {HEAD AT "spring: {from: P, to: P, stiffness: k, length: L}\n", "9:31:",
     "`from` and `to` are one place"},
    {HEAD AT "spring: {from: ground, to: P, stiffness: kk, length: L}\n", "9:50:", "kk"},
    {HEAD AT "spring\n", "9:9:", "an element is a table with one key"},
    {HEAD AT "mass: {at: P, mass: m}\n        bar: {}\n", "9:9:",
     "an element is a table with one key"},
    {HEAD AT "mass: {at: [1], mass: m}\n", "9:20:", "a list of two or three formulas"},
    {HEAD AT "mass: {at: {body: rods}, mass: m}\n", "9:27:",
     "there is no body 'rods'; did you mean rod?"},
    {HEAD AT "mass: {at: {body: rod, at: [1, 2, 3]}, mass: m}\n", "9:36:",
     "a place on rod has 2 components"},
    {HEAD AT "mass: {at: {between: [P]}, mass: m}\n", "9:30:",
     "a place in between has two places and a weight"},
    {HEAD AT "force: {at: Q, force: [1, 2]}\n", "9:31:",
     "a force at a place in space has 3 components"},
    {HEAD AT "inertia: {body: crank, mass: m, moments: J}\n", "9:50:",
     "crank is a body in space: it has three principal moments"},
    {HEAD AT "inertia: {body: ground, mass: m, moments: J}\n", "9:25:",
     "the ground does not move"},
    {HEAD AT "inertia: {body: rod, mass: m, moments: J}\n"
          AT "inertia: {body: rod, mass: m, moments: J}\n", "10:25:",
     "rod has an inertia in this mode already"},
    {HEAD AT "inertia: {body: rod, mass: m, moments: J}\n", "9:7:",
     "the body crank has no inertia in this mode"},
    {HEAD AT "revolute: {a: rod, b: crank}\n", "9:31:",
     "the body of `a` is in the plane, that of `b` in space"},
    {HEAD AT "revolute: {a: rod, b: {body: rod, at: [L, 0]}}\n", "9:31:",
     "`a` and `b` are on one body"},
    {HEAD AT "revolute: {a: ground, b: P}\n", "9:34:",
     "a joint holds bodies, and P is on none"},
    {HEAD AT "revolute: {a: {body: ground, axis: z}, b: crank}\n", "9:51:",
     "a revolute joint needs the axis of its frame"},
    {HEAD AT "revolute: {a: {body: rod, axis: z}, b: ground}\n", "9:41:",
     "`axis` tells frames in space, and this joint is in the plane"},
    {HEAD AT "revolute: {a: {body: ground, axis: w}, b: {body: crank, axis: z}}\n",
     "9:44:", "axis: there is no 'w'; did you mean x, y or z?"},
    {HEAD AT "revolute: {a: {body: ground, x: [1, 0, 0]}, b: {body: crank, axis: z}}\n",
     "9:23:", "a frame along directions has `x`, `y` and `z`"},
    {HEAD AT "revolute: {a: {at: [0, 0]}, b: rod}\n", "9:23:", "a frame has no `body`"},
    {HEAD AT "universal: {a: rod, b: ground}\n", "9:20:",
     "a universal joint holds bodies in space together"},
    {HEAD AT "revolute: {a: rod, b: ground, friction: {mu_s: 0.3}}\n", "9:49:",
     "a joint in the plane has no `friction`"},
    {HEAD AT "driven_angle: {a: rod, b: ground, angle: t, friction: {mu_s: 0.3}}\n",
     "9:53:", "a driven angle has no key 'friction'"},
    {HEAD AT "spherical: {a: crank, b: ground, friction: {mu_s: 1, mu_d: 1, v_t: 1, "
     "N_0: 1, radius: 1}}\n", "9:52:", "friction has no `v_0`: small speed"},
    {HEAD AT "spherical: {a: crank, b: ground, friction: {mu_s: 1, mu_d: 1, v_t: 1, "
     "N_0: 1, radius: 1, v_0: 1, sigma: 1}}\n", "9:52:", "friction has no `N_t`"},
    {HEAD AT "revolute: {name: pin, a: rod, b: ground}\n"
          AT "driven_angle: {name: pin, a: rod, b: ground, angle: t}\n", "10:30:",
     "brings the name Fx_pin, which is taken"},
    {HEAD AT "driven_distance: {a: rod, b: ground, distance: t}\n", "9:26:",
     "state a `distance` whose `length` is a formula of time"},
    {HEAD AT "torque: {a: crank, b: ground, torque: k}\n", "9:21:",
     "a torque acts between bodies in the plane"},
    {HEAD AT "torque: {a: rod, b: rod, torque: k}\n", "9:29:",
     "`a` and `b` are one body"},
    {NOMINAL_TEXT "points: [P]\ngravity: [0, 0, -g]\nmodes:\n  a:\n    elements:\n"
     AT "mass: {at: P, mass: m}\n", "9:15:", "gravity has 3 components: give it 2"},
    {NOMINAL_TEXT "points: {P: line}\nmodes: {a: {}}\n", "4:13:",
     "a point: there is no 'line'; did you mean plane?"},
    {NOMINAL_TEXT "bodies: {rod: planer}\nmodes: {a: {}}\n", "4:15:",
     "a body: there is no 'planer'; did you mean planar?"},
    {NOMINAL_TEXT "points: [P]\nplaces: {P: [0, 0]}\nmodes: {a: {}}\n", "5:10:",
     "P is there twice among points, bodies and places"},
    {NOMINAL_TEXT "points: [P]\nplaces: {ground: [0, 0]}\nmodes: {a: {}}\n", "5:10:",
     "ground is there twice"},
    {NOMINAL_TEXT "coordinates: [x_A]\nplaces: {A: [0, 0]}\nmodes: {a: {}}\n", "5:10:",
     "has the component x_A, and this name is taken"},
    {NOMINAL_TEXT "coordinates: [x]\nplaces: {A: [vx, 0]}\nmodes: {a: {}}\n", "5:13:",
     "a place depends on time, coordinates, states and parameters alone"},
    {NOMINAL_TEXT "coordinates: [x]\nbodies: {rod: planar}\nplaces: {A: {body: rod, at: "
     "[vx, 0]}}\nmodes: {a: {}}\n", "6:29:", "a place depends on time"},
    {NOMINAL_TEXT "coordinates: [x]\nauxiliary: [s]\nplaces: {A: [s, x]}\n"
     "modes: {a: {F: [vx_A]}}\n", "7:17:", "vx_A"},
    {NOMINAL_TEXT "points: [P, P]\nmodes: {a: {}}\ninitial: {state: {y: 1}}\n", "4:13:",
     "'x_P' is declared twice"},
    {NOMINAL_TEXT "points: [P-1]\nmodes: {a: {}}\n", "4:10:", "x_P-1"},
    {NOMINAL_TEXT "bodies: {rod: planar}\nmodes: {a: {}}\ninitial: {bodies: {rod: "
     "{centre: [0, 0], orientation: [1, 0, 0, 0]}}}\n", "6:55:",
     "rod is a body in the plane"},
    {NOMINAL_TEXT "bodies: {rod: euler}\nmodes: {a: {}}\ninitial: {bodies: {rod: "
     "{centre: [0, 0, 0], orientation: [1, 0, 0]}}}\n", "6:58:",
     "orientation: a list of 4 formulas"},
    {NOMINAL_TEXT "points: [P]\nmodes: {a: {}}\ndraw: [[P, S]]\n", "6:12:",
     "there is no place 'S'"},
};

Test(model_file_element_refusals, are_told_at_their_place)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        struct diagnosis diagnosis;
        struct model *model = model_of_text(refused[k].text, &diagnosis);
        cr_expect_null(model, "read:\n%s", refused[k].text);
        const char *place = strstr(diagnosis.place, ".yaml:");
        cr_assert(model || place, "%s", diagnosis.place);
        cr_expect(model || strncmp(place + 6, refused[k].place,
                                   strlen(refused[k].place)) == 0,
                  "at %s expected: %s\n%s", refused[k].place, diagnosis.place,
                  refused[k].text);
        cr_expect(model || strstr(place, refused[k].why), "'%s' expected: %s\n%s",
                  refused[k].why, diagnosis.place, refused[k].text);
        model_free(model);
    }
}

/* The table of refusals tells a file that is right from one that is wrong. */
Test(model_file_element_refusals, are_none_where_nothing_is_wrong)
{
    struct diagnosis diagnosis;
    struct model *model = model_of_text(
        NOMINAL_TEXT "points: [P]\nmodes:\n  a:\n    elements:\n"
        AT "mass: {at: P, mass: m}\n"
        AT "spring: {from: ground, to: P, stiffness: k, length: L}\n", &diagnosis);
    cr_expect_not_null(model, "%s", diagnosis.place);
    model_free(model);
}
