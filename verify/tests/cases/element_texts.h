/*
 * element_texts.h - model files with every element.
 */
#ifndef SALTUS_TEST_ELEMENT_TEXTS_H
#define SALTUS_TEST_ELEMENT_TEXTS_H

#include "model_texts.h"

static const char plane[] = NOMINAL_TEXT
    "costs: speed\n"
    "points: {P: plane}\n"
    "bodies: {rod: planar, cart: planar}\n"
    "gravity: [0, -g]\n"
    "places:\n"
    "  A: [L, 0]\n"
    "  tip: {body: rod, at: [L/2, 0.1]}\n"
    "  middle: {between: [A, tip], weight: 1/4}\n"
    "modes:\n"
    "  motion:\n"
    "    T: m*vx_P*vx_P/2\n"
    "    g: {speed: vx_tip + vy_middle}\n"
    "    elements:\n"
    "      - inertia: {body: rod, mass: m, moments: J}\n"
    "      - inertia: {body: cart, mass: 2*m, moments: J}\n"
    "      - mass: {at: P, mass: m}\n"
    "      - mass: {at: middle, mass: m/2}\n"
    "      - spring: {from: P, to: tip, stiffness: k, length: L}\n"
    "      - damper: {from: P, to: cart, damping: c}\n"
    "      - force: {at: tip, force: [w*t, k]}\n"
    "      - revolute: {a: ground, b: tip}\n"
    "      - prismatic:\n"
    "          a: {body: ground, at: [0, L], angle: w}\n"
    "          b: {body: cart, at: [0.2, 0], angle: 0.3}\n"
    "      - distance: {from: A, to: P, length: L + w*t}\n"
    "      - coincidence: {a: P, b: {body: cart, at: [0.2, 0]}}\n"
    "      - driven_angle: {a: rod, b: cart, angle: w*t}\n"
    "      - torsion_spring: {a: ground, b: rod, stiffness: k, angle: 0.4}\n"
    "      - torsion_damper: {a: rod, b: cart, damping: c}\n"
    "      - torque: {a: ground, b: cart, torque: k*t}\n";

static const char space[] = NOMINAL_TEXT
    "points: {Q: space}\n"
    "bodies: {crank: euler, rod: natural}\n"
    "places: {head: {body: rod, at: [L, 0, w]}}\n"
    "modes:\n"
    "  motion:\n"
    "    elements:\n"
    "      - inertia: {body: crank, mass: m, moments: [J, 2*J, 3*J]}\n"
    "      - inertia: {body: rod, mass: m, moments: [J, 2*J, 3*J]}\n"
    "      - cylindrical:\n"
    "          a: &base {body: ground, at: [L, 0, w], axis: y}\n"
    "          b: &foot\n"
    "            {body: crank, at: [L, 0, w], x: [0, 1, 0], y: [0, 0, 1], z: [1, 0, 0]}\n"
    "          friction: &friction\n"
    "            {mu_s: 0.3, mu_d: 0.2, v_t: 0.01, sigma: c, N_t: k, radius: 0.1,\n"
    "             N_0: 0.001, v_0: 0.0001}\n"
    "      - driven_angle: {a: *base, b: *foot, angle: w*t}\n"
    "      - driven_distance: {a: *base, b: *foot, distance: L*t}\n"
    "      - spherical: {a: crank, b: head, friction: *friction}\n"
    "      - mass: {at: Q, mass: m}\n"
    "      - spring: {from: Q, to: head, stiffness: k, length: L}\n"
    "initial:\n"
    "  bodies:\n"
    "    rod: {centre: [1, 2, 3], orientation: [0.8, 0, 0.6, 0]}\n";

#endif
