#!/usr/bin/python3
"""Solves what `saltus problem CASE` prints, as a user of SciPy would: solve_ivp with its
events, state and sensitivities side by side, and the jump of both written out below.

    saltus problem pendulum-wall | ./saltation.py > answer.csv
    saltus verify pendulum-wall --solver ./saltation.py

Formulas are read from the JSON and differentiated by SymPy; constraints are used at the
level of accelerations (index 1). Nothing here is part of saltus: it sees the JSON alone.

    --rtol R        tolerance of solve_ivp (default: a hundredth of what the problem says)
    --wrong TERM    leaves the jump wrong, to see it found: see WRONG
"""
import argparse
import json
import keyword
import re
import sys

import numpy
import sympy
from scipy.integrate import solve_ivp

WRONG = {
    "no-dte": "dt_e/drho is left out of the jump: as if the event did not move",
    "sign": "the change of rates, h' - f+, enters with the wrong sign",
    "side": "the rates before the event are taken for those after it",
    "no-rho": "the guard's own derivative by the parameters is left out of dt_e/drho",
}


# --- formulas ---------------------------------------------------------------------------

FUNCTIONS = {name: getattr(sympy, name) for name in (
    "sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh pi").split()}
KEYWORDS = re.compile(r"\b(%s)\b" % "|".join(keyword.kwlist))


class Formulas:
    """The names of a problem, and its texts as expressions in them."""

    def __init__(self, problem):
        self.names = dict(FUNCTIONS)
        for name, text in problem["definitions"]:
            self.names[name] = text     # replaced by its expression when it is read
        self.definitions = {name for name, _ in problem["definitions"]}

    def symbol(self, name):
        return self.names.setdefault(name, sympy.Symbol(name.replace(".", "_")))

    def read(self, text):
        for name in re.findall(r"[A-Za-z_]\w*", text):
            if name in self.definitions and isinstance(self.names[name], str):
                self.names[name] = self.read(self.names[name])
        names = {KEYWORDS.sub(r"\1_", name): value for name, value in self.names.items()}
        return sympy.sympify(eval(KEYWORDS.sub(r"\1_", text),
                                  {"__builtins__": {}, "pow": pow}, names))


class Compiled:
    """A vector of expressions y(t, x, u, rho, p) and its derivatives, in double. x: the
    state, u: accelerations and multipliers, p: what a reset leaves."""

    def __init__(self, system, expressions, plus=()):
        self.rows = len(expressions)
        y = sympy.Matrix(len(expressions), 1, list(expressions))
        groups = [[system.t], system.x, system.u, system.rho, list(plus)]
        every = [symbol for group in groups for symbol in group]
        blocks = [y] + [y.jacobian(group) if group and self.rows else
                        sympy.zeros(self.rows, len(group)) for group in groups]
        self.shapes = [block.shape for block in blocks]
        self.call = sympy.lambdify(every + system.fixed, [e for b in blocks for e in b],
                                   modules="math", cse=True)
        self.fixed = system.fixed_values
        self.rho = system.rho_values

    def __call__(self, t, x, u, plus=()):
        """y, y_t, y_x, y_u, y_rho, y_p."""
        flat = numpy.array(self.call(t, *x, *u, *self.rho, *plus, *self.fixed), float)
        parts, used = [], 0
        for rows, columns in self.shapes:
            parts.append(flat[used:used + rows * columns].reshape(rows, columns))
            used += rows * columns
        parts[0] = parts[0][:, 0]
        return parts


# --- the equations ----------------------------------------------------------------------

class Mode:
    """In a mode: residual(u) = 0 determines u = (a, lambda), and x' = (v, a, f_s, g)."""

    def __init__(self, system, text):
        read, n = system.formulas.read, system.n
        m = self.m = len(text["Phi"])
        a, multipliers = system.u[:n], system.u[n:n + m]
        M = sympy.Matrix(n, n, [read(e) for row in text["M"] for e in row])
        Phi_q = sympy.Matrix(m, n, [read(e) for row in text["Phi_q"] for e in row])
        F = sympy.Matrix(n, 1, [read(e) for e in text["F"]])
        gamma = sympy.Matrix(m, 1, [read(e) for e in text["gamma"]])
        a, multipliers = sympy.Matrix(n, 1, a), sympy.Matrix(m, 1, multipliers)
        force = Phi_q.T * multipliers if m else sympy.zeros(n, 1)
        residual = list(M * a + force - F) + (list(Phi_q * a + gamma) if m else [])
        self.residual = Compiled(system, residual)
        self.rates = Compiled(system, list(system.x[n:2 * n]) + list(a)
                              + [read(e) for e in text["f_s"] + text["g"]])
        self.size = n + m
        self.room = len(system.u)

    def solve(self, t, x):
        """u by Newton's method (one step where F does not depend on lambda), and what its
        derivatives along any direction follow from."""
        u = numpy.zeros(self.room)
        parts = self.residual(t, x, u)
        for _ in range(20):
            step = numpy.linalg.solve(parts[3][:, :self.size], -parts[0])
            u[:self.size] += step
            parts = self.residual(t, x, u)
            size = abs(parts[3]).max(initial=0) * (1 + abs(u).max(initial=0))
            if abs(parts[0]).max(initial=0) <= 1e-13 * size:
                break
        return u, (parts, parts[3][:, :self.size])

    def along(self, solved, dx, drho, dt=0.0):
        """The derivative of u in the directions (dx, drho, dt), columns of a matrix."""
        (_, R_t, R_x, _, R_rho, _), R_u = solved
        du = numpy.zeros((self.room, dx.shape[1]))
        du[:self.size] = numpy.linalg.solve(R_u, -(R_x @ dx + R_rho @ drho + R_t * dt))
        return du

    def derivative(self, t, x, X, system):
        """x' and X' = (dx/drho)'."""
        u, solved = self.solve(t, x)
        rates, _, f_x, f_u, f_rho, _ = self.rates(t, x, u)
        U = self.along(solved, X, system.by_rho)
        return rates, f_x @ X + f_u @ U + f_rho, u, U, solved


class Event:
    def __init__(self, system, text):
        read, n = system.formulas.read, system.n
        self.name, self.source, self.target = text["name"], text["from"], text["to"]
        self.direction = {"rising": 1, "falling": -1}.get(text["direction"], 0)
        self.terminal = text["terminal"]
        self.guard = Compiled(system, [read(text["guard"])])
        reset = text["reset"]
        state = [name + "_plus" for name in system.state_names]
        plus = state + [name for name in reset.get("unknowns", []) if name not in state]
        symbols = [system.formulas.symbol(name) for name in plus]
        symbol = system.formulas.symbol
        conditions = [symbol(name) - read(e) for name, e in reset["explicit"]]
        conditions += [read(e) for e in reset.get("zero", [])]
        self.reset = Compiled(system, conditions, symbols)
        self.unknowns, self.kept = len(plus), len(state)
        self.cost = Compiled(system, [read(e) for e in text["cost"]], symbols)

    def rates_of_guard(self, mode, t, x, u, solved, dx, drho, dt=0.0):
        _, r_t, r_x, r_u, r_rho, _ = self.guard(t, x, u)
        return (r_x @ dx + r_u @ mode.along(solved, dx, drho, dt) + r_rho @ drho
                + r_t * dt)[0]

    def after(self, system, t, x, u):
        """h(x-) by Newton's method, from where the state is; z grows by the cost."""
        plus = numpy.concatenate([x[:self.kept], numpy.zeros(self.unknowns - self.kept)])
        for _ in range(20):
            parts = self.reset(t, x, u, plus)
            step = numpy.linalg.solve(parts[5], -parts[0])
            plus = plus + step
            if abs(step).max() <= 1e-14 * (1 + abs(plus).max()):
                break
        z = x[self.kept:] + self.cost(t, x, u, plus)[0]
        return numpy.concatenate([plus[:self.kept], z]), plus

    def change(self, mode, t, x, u, solved, plus, dx, drho, dt=0.0):
        """The derivative of h in the directions (dx, drho, dt)."""
        du = mode.along(solved, dx, drho, dt)
        _, H_t, H_x, H_u, H_rho, H_p = self.reset(t, x, u, plus)
        dplus = numpy.linalg.solve(H_p, -(H_x @ dx + H_u @ du + H_rho @ drho + H_t * dt))
        _, c_t, c_x, c_u, c_rho, c_p = self.cost(t, x, u, plus)
        dc = c_x @ dx + c_u @ du + c_rho @ drho + c_p @ dplus + c_t * dt
        return numpy.concatenate([dplus[:self.kept], dx[self.kept:] + dc])


class System:
    def __init__(self, problem):
        formulas = self.formulas = Formulas(problem)
        names, velocities = problem["coordinates"], problem["velocities"]
        self.state_names = names + velocities + problem["auxiliary"]
        self.n, self.costs = len(names), len(problem["costs"])
        self.t = formulas.symbol("t")
        self.x = [formulas.symbol(name) for name in self.state_names]
        self.x += [sympy.Symbol("cost_%d" % k) for k in range(self.costs)]
        self.u = [formulas.symbol("a" + name) for name in names]
        self.u += [formulas.symbol(name) for name in problem["multipliers"]]
        chosen = [p for p in problem["parameters"] if p["differentiated"]]
        others = [p for p in problem["parameters"] if not p["differentiated"]]
        self.rho_names = [p["name"] for p in chosen]
        self.rho = [formulas.symbol(p["name"]) for p in chosen]
        self.rho_values = [p["value"] for p in chosen]
        self.fixed = [formulas.symbol(p["name"]) for p in others]
        self.fixed_values = [p["value"] for p in others]
        self.by_rho = numpy.eye(len(chosen))
        for event in problem["events"]:     # names that resets bring with them
            reset = event["reset"]
            for name in [n for n, _ in reset["explicit"]] + reset.get("unknowns", []):
                formulas.symbol(name)
        self.modes = {m["name"]: Mode(self, m) for m in problem["modes"]}
        self.events = [Event(self, e) for e in problem["events"]]
        self.x_columns = (["q." + n for n in names] + ["v." + n for n in names]
                          + ["s." + n for n in problem["auxiliary"]]
                          + ["z." + n for n in problem["costs"]])
        self.u_columns = (["a." + n for n in names]
                          + ["lambda.%d" % (k + 1) for k in range(len(self.u) - self.n)])

    def start(self, problem):
        start = problem["start"]
        x = [float(start[c]) for c in self.x_columns]
        X = [[float(start["d%s/d%s" % (c, rho)]) for rho in self.rho_names]
             for c in self.x_columns]
        return float(start["t"]), numpy.array(x), numpy.array(X).reshape(len(x), -1), \
            self.modes[start["mode"]]


# --- the motion -------------------------------------------------------------------------

class Motion:
    """Arc after arc, with a line of the answer for every sample and both sides of every
    event."""

    def __init__(self, problem, rtol, wrong):
        self.system = System(problem)
        self.problem, self.rtol, self.wrong = problem, rtol, wrong
        self.samples, self.events, self.last = [], [], None

    def line(self, mode, t, x, X):
        """The columns of x and u, then their derivatives; nan: no such multiplier."""
        _, _, u, U, _ = mode.derivative(t, x, X, self.system)
        u, U = u.copy(), U.copy()
        u[mode.size:] = U[mode.size:] = numpy.nan
        values = numpy.concatenate([x, u])
        return numpy.concatenate([values, numpy.vstack([X, U]).T.ravel()])

    def guards(self, mode, t, x):
        """As solve_ivp wants them. One that is zero where the arc begins has the sign
        that it takes on from there; another one than that of the last event is due if
        it passes zero there in its direction."""
        found = []
        rates, _, u, _, solved = mode.derivative(t, x, self.zero, self.system)
        for event in self.system.events:
            if self.system.modes[event.source] is not mode:
                continue
            moving = event.rates_of_guard(mode, t, x, u, solved, rates[:, None],
                                          numpy.zeros((len(self.system.rho), 1)), 1.0)[0]
            at_start = event.guard(t, x, u)[0][0]

            def guard(at, y, _, event=event, moving=moving, at_start=at_start):
                if at == t and abs(at_start) < 1e-9:
                    return numpy.sign(moving) * 1e-9
                state = y[:len(x)]
                return event.guard(at, state, mode.solve(at, state)[0])[0][0]
            guard.terminal, guard.direction, guard.event = True, event.direction, event
            guard.due = (abs(at_start) < 1e-9 and event is not self.last
                         and moving * event.direction > 0)
            found.append(guard)
        return found

    def jump(self, mode, event, t, x, X):
        """The saltation: x+ = h(x-), X+ = h_x X- + h_rho + (h' - f+) dt_e/drho, where h'
        is the rate of h along the motion before the event."""
        system, wrong, self.last = self.system, self.wrong, event
        none = numpy.zeros((len(system.rho), 1))
        by_rho = system.by_rho * (wrong != "no-rho")
        f, _, u, _, solved = mode.derivative(t, x, X, system)
        along = event.rates_of_guard(mode, t, x, u, solved, f[:, None], none, 1.0)[0]
        tau = -event.rates_of_guard(mode, t, x, u, solved, X, by_rho) / along
        x_plus, plus = event.after(system, t, x, u)
        target = system.modes[event.target]
        f_plus = target.derivative(t, x_plus, self.zero, system)[0]
        if wrong == "side":
            f_plus = f
        fixed = event.change(mode, t, x, u, solved, plus, X, system.by_rho)
        moving = event.change(mode, t, x, u, solved, plus, f[:, None], none, 1.0)[:, 0]
        factor = {"no-dte": 0.0, "sign": -1.0}.get(wrong, 1.0)
        X_plus = fixed + factor * numpy.outer(moving - f_plus, tau)
        head = [len(self.events) // 2 + 1, event.name, t, *tau]
        self.events.append(head + ["before", *self.line(mode, t, x, X)])
        self.events.append(head + ["after", *self.line(target, t, x_plus, X_plus)])
        return target, x_plus, X_plus

    def run(self):
        system = self.system
        t, x, X, mode = system.start(self.problem)
        self.zero = numpy.zeros_like(X)
        times, end = self.problem["samples"], self.problem["t_end"][1]
        self.samples.append([t, *self.line(mode, t, x, X)])
        n, shape = len(x), X.shape

        def rates(at, y, mode):
            f, F = mode.derivative(at, y[:n], y[n:].reshape(shape), system)[:2]
            return numpy.concatenate([f, F.ravel()])

        while t < end:
            guards = self.guards(mode, t, x)
            due = [guard.event for guard in guards if guard.due]
            if due:
                mode, x, X = self.jump(mode, due[0], t, x, X)
                continue
            ahead = [s for s in times if s > t]
            arc = solve_ivp(rates, (t, end), numpy.concatenate([x, X.ravel()]), "DOP853",
                            args=(mode,), rtol=self.rtol, atol=1e-3 * self.rtol,
                            events=guards, dense_output=True)
            t = arc.t[-1]
            for s in [s for s in ahead if s <= t]:
                y = arc.sol(s)
                self.samples.append([s, *self.line(mode, s, y[:n], y[n:].reshape(shape))])
            x, X = arc.y[:n, -1], arc.y[n:, -1].reshape(shape)
            fired = [k for k, found in enumerate(arc.t_events or []) if len(found)]
            if not fired:
                break
            event = guards[fired[0]].event
            mode, x, X = self.jump(mode, event, t, x, X)
            if event.terminal:
                break

    def write(self, stream):
        system = self.system
        values = system.x_columns + system.u_columns
        columns = values + ["d%s/d%s" % (c, rho) for rho in system.rho_names
                            for c in values]
        taus = ["dt/d" + rho for rho in system.rho_names]
        tables = [(["t"] + columns, self.samples),
                  (["event", "name", "t"] + taus + ["side"] + columns, self.events)]
        for k, (header, lines) in enumerate(tables):
            if k == 1:
                stream.write("# events\n")
            stream.write(",".join(header) + "\n")
            for line in lines:
                cells = [e if isinstance(e, str) else "%.17g" % e for e in line]
                stream.write(",".join(cells) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rtol", type=float)
    parser.add_argument("--wrong", choices=WRONG, metavar="TERM",
                        help="; ".join("%s: %s" % item for item in WRONG.items()))
    args = parser.parse_args()
    problem = json.load(sys.stdin)
    if problem["motion"]["variant"] != "exact":
        sys.exit("only the exact motion is solved here")
    motion = Motion(problem, args.rtol or problem["tolerance"]["rtol"] / 100, args.wrong)
    motion.run()
    motion.write(sys.stdout)


if __name__ == "__main__":
    main()
