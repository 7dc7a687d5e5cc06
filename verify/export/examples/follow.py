#!/usr/bin/env python3
"""Follows the motion of an exported mechanism through its events, by what the header of
the exported text says and nothing else:

    saltus export pendulum-wall --to python -o pendulum_wall.py
    ./follow.py pendulum_wall.py 4000

The classical Runge-Kutta method with so many steps, constraints at the level of
accelerations (index 1), events by bisection; the constraints of a mode must be
independent. The answer is the end of the motion, a line for each of t, q, v, s and z.
"""
import importlib.util
import sys


def load(path):
    spec = importlib.util.spec_from_file_location("mechanism", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def solve(A, b):
    """x with A x = b, by elimination with pivots; more rows than unknowns may depend."""
    rows, n = [row[:] + [r] for row, r in zip(A, b)], len(A[0])
    for k in range(n):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(len(rows)):
            factor = rows[i][k] / rows[k][k] if i != k else 0.0
            if factor != 0.0:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    return [rows[k][n] / rows[k][k] for k in range(n)]


class Motion:
    def __init__(self, mechanism):
        self.m = mechanism
        self.rho = mechanism.nominal()
        self.n, self.ns = mechanism.COORDINATE_COUNT, mechanism.STATE_COUNT
        self.nz = mechanism.COST_COUNT

    def call(self, name, *arguments):
        """A function by its name; where it has no entries there is none."""
        function = self.m.FUNCTIONS.get(name)
        return function(*arguments, self.rho) if function else []

    def parts(self, y):
        n, ns = self.n, self.ns
        return y[:n], y[n:2 * n], y[2 * n:2 * n + ns], y[2 * n + ns:]

    def accelerations(self, mode, t, q, v, s):
        """a and lambda of M a + Phi_q' lambda = F(lambda) and Phid_v a + gamma = 0. F is
        linear in lambda here: F = F(0) + F_lambda lambda."""
        name, n, m = self.m.MODES[mode], self.n, self.m.MODE_CONSTRAINTS[mode]
        M, F = self.call(name + "_M", t, q, s), self.call(name + "_F", t, q, v, s, [0.0] * m)
        Phi_q = self.call(name + "_Phi_q", t, q, s)
        Phid_v = self.call(name + "_Phid_v", t, q, v, s) if m else []
        F_lambda = self.call(name + "_F_lambda", t, q, v, s, [0.0] * m) or [[0.0] * m] * n
        A = [M[i] + [Phi_q[k][i] - F_lambda[i][k] for k in range(m)] for i in range(n)]
        A += [Phid_v[k] + [0.0] * m for k in range(m)]
        x = solve(A, F + [-x for x in self.call(name + "_gamma", t, q, v, s)]) if n else []
        return x[:n], x[n:]

    def slope(self, mode, t, y):
        q, v, s, _ = self.parts(y)
        name = self.m.MODES[mode]
        a, lam = self.accelerations(mode, t, q, v, s)
        return (v + a + self.call(name + "_f_s", t, q, v, s, a, lam)
                + self.call(name + "_g", t, q, v, s, a, lam))

    def step(self, mode, t, y, h):
        def moved(k, factor):
            return [x + factor * d for x, d in zip(y, k)]
        k1 = self.slope(mode, t, y)
        k2 = self.slope(mode, t + h / 2, moved(k1, h / 2))
        k3 = self.slope(mode, t + h / 2, moved(k2, h / 2))
        k4 = self.slope(mode, t + h, moved(k3, h))
        return [x + h / 6 * (a + 2 * b + 2 * c + d)
                for x, a, b, c, d in zip(y, k1, k2, k3, k4)]

    def at_event(self, what, event, t, y, *more):
        q, v, s, _ = self.parts(y)
        a, lam = self.accelerations(self.m.EVENT_FROM[event], t, q, v, s)
        name = self.m.EVENTS[event] + "_" + what
        function = self.m.FUNCTIONS.get(name)
        if not function:
            return []
        after = {"q_plus": 0, "v_plus": 1, "s_plus": 2, "impulse": 3}
        wanted = function.__code__.co_varnames[7:function.__code__.co_argcount]
        return function(t, q, v, s, a, lam, self.rho, *(more[after[w]] for w in wanted))

    def passes(self, event, before, after):
        direction = self.m.EVENT_DIRECTION[event]
        return (direction >= 0 and before < 0 <= after) or (
            direction <= 0 and before > 0 >= after)

    def reset(self, event, t, y):
        n, z = self.n, self.parts(y)[3]
        s_plus = self.at_event("s_plus", event, t, y, [], [], [], [])
        q_plus = self.at_event("q_plus", event, t, y, [], [], s_plus, [])
        impulse = []
        v_plus = self.at_event("v_plus", event, t, y, q_plus, [], s_plus, [])
        if n and not v_plus:
            A = self.at_event("reset_A", event, t, y, q_plus, [], s_plus, [])
            b = self.at_event("reset_b", event, t, y, q_plus, [], s_plus, [])
            x = solve(A, b)
            v_plus, impulse = x[:n], x[n:]
        cost = self.at_event("cost", event, t, y, q_plus, v_plus, s_plus, impulse)
        return q_plus + v_plus + s_plus + [x + c for x, c in zip(z, cost)]

    def start(self):
        """Components that are not given, by Newton's method for Phi = 0 and Phid = 0."""
        m, mode = self.m, self.m.START_MODE
        name, t = m.MODES[mode], self.call("start_time")
        q, v, s = (self.call("start_" + x) for x in "qvs")
        if self.m.MODE_CONSTRAINTS[mode]:
            free = [j for j in range(self.n) if not m.START_Q[j]]
            for _ in range(30 if free else 0):
                J = self.call(name + "_Phi_q", t, q, s)
                d = solve([[row[j] for j in free] for row in J],
                          self.call(name + "_Phi", t, q, v, s))
                for j, x in zip(free, d):
                    q[j] -= x
            free = [j for j in range(self.n) if not m.START_V[j]]
            if free:
                J = self.call(name + "_Phid_v", t, q, v, s)
                d = solve([[row[j] for j in free] for row in J],
                          self.call(name + "_Phid", t, q, v, s))
                for j, x in zip(free, d):
                    v[j] -= x
        return t, mode, q + v + s + [0.0] * self.nz

    def run(self, steps):
        t, mode, y = self.start()
        end = self.call("end_time")
        h = (end - t) / steps
        leaving = range(self.m.EVENT_COUNT)
        while t < end - 1e-12 * h:
            step = min(h, end - t)
            y_next = self.step(mode, t, y, step)
            fired = [k for k in leaving if self.m.EVENT_FROM[k] == mode and self.passes(
                k, self.at_event("guard", k, t, y), self.at_event("guard", k, t + step, y_next))]
            if not fired:
                t, y = t + step, y_next
                continue
            low, high = 0.0, step
            while high - low > 1e-15 * max(abs(t), step) and low < (low + high) / 2 < high:
                middle = (low + high) / 2
                y_middle = self.step(mode, t, y, middle)
                hit = [k for k in fired if self.passes(
                    k, self.at_event("guard", k, t, y),
                    self.at_event("guard", k, t + middle, y_middle))]
                if hit:
                    high, fired = middle, hit
                else:
                    low = middle
            t, y = t + high, self.step(mode, t, y, high)
            happens = [k for k in fired if all(
                c > 0 for c in self.at_event("condition", k, t, y) or [1.0])]
            if not happens:
                continue
            y, event = self.reset(happens[0], t, y), happens[0]
            mode = self.m.EVENT_TO[event]
            if self.m.EVENT_TERMINAL[event]:
                break
        q, v, s, z = self.parts(y)
        w = self.call("terminal_cost", t, q, v, s)
        return t, q, v, s, [x + c for x, c in zip(z, w)]


def main():
    mechanism = load(sys.argv[1])
    t, q, v, s, z = Motion(mechanism).run(int(sys.argv[2]))
    print("t %.15g" % t)
    for kind, names, values in (("q", mechanism.COORDINATES, q),
                                ("v", mechanism.COORDINATES, v),
                                ("s", mechanism.STATES, s), ("z", mechanism.COSTS, z)):
        for name, value in zip(names, values):
            print("%s.%s %.15g" % (kind, name, value))


if __name__ == "__main__":
    main()
