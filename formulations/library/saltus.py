"""saltus - motions of hybrid mechanisms, and their derivatives through all events.

    import saltus

    model = saltus.Model("five-bar")            # or the path of a model file
    motion = model.solve(points=101)
    motion["q.y2"], motion["dq.y2/dL01"]        # NumPy arrays over motion.t
    for event in motion.events:
        print(event.name, event.t, event.slope["L01"], event.after["dv.y2/dL01"])
    psi, gradient = model.gradient("path", values={"L01": 2.3})

One file over libsaltus by ctypes: no build step. It needs NumPy and the shared library, at
the path in SALTUS_LIBRARY or where the system finds it. A failure is a saltus.Error with
`status`, `t` and, for a refused run, the part that was reached in `motion`.
"""
import ctypes
import ctypes.util
import os
import signal
import threading

import numpy

__all__ = ["Model", "Motion", "Event", "Error", "version"]

_PARAMETERS, _COORDINATES, _AUXILIARY, _COSTS, _MODES, _EVENTS = range(6)


class _Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("t", ctypes.c_double),
                ("message", ctypes.c_char * 480)]


_Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double)


class _Settings(ctypes.Structure):
    _fields_ = [("formulation", ctypes.c_char_p),
                ("option", ctypes.POINTER(ctypes.c_char_p)),
                ("integrator", ctypes.c_char_p),
                ("rtol", ctypes.c_double), ("atol", ctypes.c_double),
                ("parameter", ctypes.POINTER(ctypes.c_int)),
                ("parameters", ctypes.c_int), ("plain", ctypes.c_int),
                ("t_end", ctypes.c_double),
                ("sample", ctypes.POINTER(ctypes.c_double)), ("samples", ctypes.c_int),
                ("max_step", ctypes.c_double),
                ("stop", ctypes.POINTER(ctypes.c_double)), ("stops", ctypes.c_int),
                ("ends", ctypes.c_int),
                ("max_steps", ctypes.c_long), ("max_events", ctypes.c_long),
                ("progress", _Progress), ("context", ctypes.c_void_p)]


class _Statistics(ctypes.Structure):
    _fields_ = [("steps", ctypes.c_long), ("refused", ctypes.c_long),
                ("evaluations", ctypes.c_long), ("worst_Phi", ctypes.c_double),
                ("worst_Phid", ctypes.c_double), ("digits", ctypes.c_double)]


_handle, _text, _int = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
_double, _doubles = ctypes.c_double, ctypes.POINTER(ctypes.c_double)
_error = ctypes.POINTER(_Error)
_SIGNATURES = {
    "version": (_text,), "status_text": (_text, _int), "status_meaning": (_text, _int),
    "open": (_handle, _text, _error), "close": (None, _handle),
    "title": (_text, _handle), "count": (_int, _handle, _int),
    "name": (_text, _handle, _int, _int), "index": (_int, _handle, _int, _text),
    "unit": (_text, _handle, _int), "meaning": (_text, _handle, _int),
    "fixed": (_int, _handle, _int),
    "nominal": (_int, _handle, _doubles, _error),
    "times": (_int, _handle, _doubles, _doubles, _error),
    "solver_new": (_handle, _handle, ctypes.POINTER(_Settings), _error),
    "solver_free": (None, _handle),
    "solve": (_int, _handle, _doubles, ctypes.POINTER(_handle), _error),
    "cost_gradient": (_int, _handle, _doubles, _int, _doubles, _doubles, _error),
    "result_free": (None, _handle),
    "columns": (_int, _handle), "column_name": (_text, _handle, _int),
    "samples": (_int, _handle), "time": (_double, _handle, _int),
    "mode": (_int, _handle, _int), "row": (_doubles, _handle, _int),
    "events": (_int, _handle), "event": (_int, _handle, _int),
    "event_time": (_double, _handle, _int), "event_slope": (_doubles, _handle, _int),
    "event_before": (_doubles, _handle, _int), "event_after": (_doubles, _handle, _int),
    "parameters": (_int, _handle), "parameter": (_int, _handle, _int),
    "cost": (_double, _handle, _int), "cost_slope": (_doubles, _handle, _int),
    "statistics": (None, _handle, ctypes.POINTER(_Statistics)),
}


class _Library:
    """libsaltus, loaded when it is first needed: _library.open is saltus_open."""

    def __getattr__(self, name):
        path = (os.environ.get("SALTUS_LIBRARY") or ctypes.util.find_library("saltus")
                or "libsaltus.so.0")
        library = ctypes.CDLL(path)
        for word, (result, *arguments) in _SIGNATURES.items():
            function = getattr(library, "saltus_" + word)
            function.restype, function.argtypes = result, arguments
            setattr(self, word, function)
        return self.__dict__[name]


_library = _Library()


def version():
    """The version of libsaltus."""
    return _library.version().decode()


class Error(Exception):
    """A refusal: `status` ("grazing"), `t` (None: no time), `motion` (what was reached)."""

    def __init__(self, error, motion=None):
        self.status = _library.status_text(error.status).decode()
        self.t = None if error.t != error.t else error.t
        self.motion = motion
        place = error.message.decode(errors="replace")
        when = "" if self.t is None else f" at t = {self.t:.9g}"
        super().__init__(f"{self.status}{when}: {place}")

    def __reduce__(self):       # a worker's refusal comes back to its parent
        return (_refusal, self.args, self.__dict__)


def _refusal(*args):
    """An Error before its attributes are set."""
    error = Error.__new__(Error)
    error.args = args
    return error


class _Handle:
    """Keeps a model open as long as anything refers to it; a model is constant, so that
    copies share one."""

    def __init__(self, name_or_path):
        error = _Error()
        self.pointer = _library.open(os.fsencode(name_or_path), ctypes.byref(error))
        if not self.pointer:
            raise Error(error)

    def __del__(self):
        if getattr(self, "pointer", None):
            _library.close(self.pointer)


class _Watch:
    """Lets Ctrl-C end a run: the library asks after each step. What is raised meanwhile
    cannot go through it, and is raised after it."""

    def __init__(self):
        self.call = _Progress(self._look)
        self.before = self.caught = None
        self.interrupted = False

    def _look(self, _context, _done):
        try:
            return not self.interrupted
        except BaseException as caught:     # of another signal
            self.caught = caught
            return False

    def _note(self, _signal, _frame):
        self.interrupted = True

    def __enter__(self):
        main = threading.current_thread() is threading.main_thread()
        if main and callable(signal.getsignal(signal.SIGINT)):
            self.before = signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *_):
        if self.before:
            signal.signal(signal.SIGINT, self.before)
        if self.interrupted:
            self.before(signal.SIGINT, None)
        if self.caught is not None:
            raise self.caught


def _array(pointer, count):
    """A copy: results go when their motion is made."""
    if count == 0 or not pointer:
        return numpy.empty(count)
    return numpy.ctypeslib.as_array(pointer, (count,)).copy()


def _times(name, values):
    """A row of times; an array of more dimensions is none."""
    times = numpy.array(values, dtype=float)
    if times.ndim != 1:
        raise ValueError(f"{name} has {times.ndim} dimensions: it is one row of times")
    return times


class Event:
    """An event of a motion: `name`, `t`, `slope` {parameter: dt/drho}, and `before` and
    `after`, {column: number} on both sides of it."""

    def __init__(self, name, t, slope, before, after):
        self.name, self.t, self.slope, self.before, self.after = (name, t, slope, before,
                                                                  after)

    def __repr__(self):
        return f"<saltus.Event {self.name} at {self.t:.9g}>"


class Motion:
    """A result: `t` [samples], `x` [samples, columns], `columns`, `modes` [samples],
    `events`, `costs` {name: psi}, `gradients` {name: {parameter: dpsi/drho}}, `statistics`.
    motion["q.x"] is a column."""

    def __init__(self, model, result):
        library = _library
        count = library.columns(result)
        self.columns = [library.column_name(result, c).decode() for c in range(count)]
        samples = range(library.samples(result))
        self.t = numpy.array([library.time(result, k) for k in samples])
        rows = [_array(library.row(result, k), count) for k in samples]
        self.x = numpy.array(rows).reshape(len(rows), count)
        self.modes = [model.modes[library.mode(result, k)] for k in samples]
        names = list(model.parameters)
        self.parameters = [names[library.parameter(result, k)]
                           for k in range(library.parameters(result))]
        p = len(self.parameters)
        self.events = []
        for k in range(library.events(result)):
            sides = [dict(zip(self.columns, _array(side(result, k), count)))
                     for side in (library.event_before, library.event_after)]
            slope = dict(zip(self.parameters, _array(library.event_slope(result, k), p)))
            self.events.append(Event(model.events[library.event(result, k)],
                                     library.event_time(result, k), slope, *sides))
        self.costs = {z: library.cost(result, k) for k, z in enumerate(model.costs)}
        self.gradients = {
            z: dict(zip(self.parameters, _array(library.cost_slope(result, k), p)))
            for k, z in enumerate(model.costs)}
        work = _Statistics()
        library.statistics(result, ctypes.byref(work))
        self.statistics = {field: getattr(work, field) for field, _ in work._fields_}

    def __repr__(self):
        end = f"to {self.t[-1]:.9g}" if len(self.t) else "empty"
        return f"<saltus.Motion {end}, {len(self.t)} samples, {len(self.events)} events>"

    def __getitem__(self, column):
        try:
            return self.x[:, self.columns.index(column)]
        except ValueError:
            known = ", ".join(self.columns[:12])
            raise KeyError(f"no column {column}; known: {known}, ...") from None


class Model:
    """A mechanism by its name in the catalogue, or the path of a model file.

    title; parameters {name: nominal value}, units {name: unit}, free [names that are
    differentiated by]; coordinates, auxiliary, costs, modes, events [names]."""

    def __init__(self, name_or_path):
        self._open(name_or_path)
        error = _Error()
        self.title = _library.title(self._model).decode()
        kinds = [self._names(kind) for kind in range(6)]
        (parameters, self.coordinates, self.auxiliary, self.costs, self.modes,
         self.events) = kinds
        value = (ctypes.c_double * max(1, len(parameters)))()
        if _library.nominal(self._model, value, ctypes.byref(error)):
            raise Error(error)
        self.parameters = dict(zip(parameters, value))      # nominal values
        self.units = {name: _library.unit(self._model, j).decode()
                      for j, name in enumerate(parameters)}
        self.free = [name for j, name in enumerate(parameters)
                     if not _library.fixed(self._model, j)]

    def _open(self, name_or_path):
        name = os.fspath(name_or_path)
        self._handle = _Handle(name)
        self._model = self._handle.pointer
        word = os.fsdecode(name)
        self._name = os.path.abspath(word) if "/" in word or "." in word else word

    def __copy__(self):
        return self.__deepcopy__(None)

    def __deepcopy__(self, _memo):
        new = Model.__new__(Model)
        new.__dict__.update({name: value.copy() if isinstance(value, (dict, list))
                             else value for name, value in self.__dict__.items()})
        return new

    def __getstate__(self):
        return {name: value for name, value in self.__dict__.items()
                if name not in ("_handle", "_model")}

    def __setstate__(self, state):
        """Opens the model again, from its file, which must have the same names."""
        self._open(state["_name"])
        self.__dict__.update(state)
        kinds = [list(self.parameters), self.coordinates, self.auxiliary, self.costs,
                 self.modes, self.events]
        if kinds != [self._names(kind) for kind in range(6)]:
            raise ValueError(f"{self._name} has changed: other names than it had")

    def __repr__(self):
        return f"<saltus.Model: {self.title}>"

    def _names(self, kind):
        return [_library.name(self._model, kind, k).decode()
                for k in range(_library.count(self._model, kind))]

    def _check(self, names):
        unknown = set(names or ()) - set(self.parameters)
        if unknown:
            raise KeyError(f"no parameter {', '.join(sorted(unknown))}; known: "
                           f"{', '.join(self.parameters)}")

    def _values(self, values):
        self._check(values)
        full = {**self.parameters, **(values or {})}
        return (ctypes.c_double * max(1, len(full)))(*full.values())

    def _settings(self, formulation, options, integrator, rtol, atol, by, t_end, t, points,
                  max_steps, max_events, max_step, stops):
        settings = _Settings()
        kept = []               # what the settings point at
        if formulation:
            settings.formulation = formulation.encode()
        if integrator:
            settings.integrator = integrator.encode()
        texts = [f"{name}={value}".encode() for name, value in (options or {}).items()]
        if texts:
            kept.append((ctypes.c_char_p * (len(texts) + 1))(*texts, None))
            settings.option = ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_char_p))
        for name, value in (("rtol", rtol), ("atol", atol), ("max_step", max_step),
                            ("max_steps", max_steps), ("max_events", max_events)):
            if value is not None and value == 0:
                raise ValueError(f"{name} = 0: it is positive; None: the default")
            setattr(settings, name, 0 if value is None else value)
        settings.t_end, settings.ends = t_end or 0, t_end is not None
        if stops is not None:
            kept.append(_times("stops", stops))
            settings.stop = kept[-1].ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            settings.stops = len(kept[-1])
        if by is not None:
            self._check(by)
            names = list(self.parameters)
            index = [names.index(name) for name in by]
            settings.plain = int(not index)
            kept.append((ctypes.c_int * max(1, len(index)))(*index))
            settings.parameter = ctypes.cast(kept[-1], ctypes.POINTER(ctypes.c_int))
            settings.parameters = len(index)
        if t is not None:
            times = _times("t", t)
            if len(times) == 0:
                raise ValueError("t is empty: at least one sample time")
            start, end = ctypes.c_double(), ctypes.c_double()
            _library.times(self._model, ctypes.byref(start), ctypes.byref(end), None)
            if len(times) > 1 and times[0] == start.value:
                times = numpy.ascontiguousarray(times[1:])  # a row is there anyway
            kept.append(times)
            settings.sample = times.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
            settings.samples = len(times)
        else:
            settings.samples = max(1, points - 1)       # the start is one of them
        watch = _Watch()
        settings.progress = watch.call
        kept.append(watch)
        return settings, kept, watch

    def _solver(self, settings):
        error = _Error()
        solver = _library.solver_new(self._model, ctypes.byref(settings),
                                     ctypes.byref(error))
        if not solver:
            raise Error(error)
        return solver

    def solve(self, values=None, *, formulation=None, options=None, integrator=None,
              rtol=None, atol=None, by=None, t_end=None, t=None, points=101,
              max_steps=None, max_events=None, max_step=None, stops=None):
        """A Motion at the nominal values with `values` {parameter: number} put in.

        by: names of the parameters that it is differentiated by; []: none; None: all that
        are not fixed. t: sample times, the start may be one; else `points` even ones, the
        start included, at least 2. max_step: the longest step; stops: times at which a
        step ends, besides those of the model, where a force has a pulse."""
        if t is None and points < 2:
            raise ValueError(f"points = {points}: at least 2, the start and the end")
        settings, kept, watch = self._settings(formulation, options, integrator, rtol,
                                               atol, by, t_end, t, points, max_steps,
                                               max_events, max_step, stops)
        value = self._values(values)
        error, result = _Error(), ctypes.c_void_p()
        solver = self._solver(settings)
        try:
            with watch:
                status = _library.solve(solver, value, ctypes.byref(result),
                                        ctypes.byref(error))
            motion = Motion(self, result) if result else None
        finally:
            _library.result_free(result)
            _library.solver_free(solver)
        if status:
            raise Error(error, motion)
        return motion

    def gradient(self, cost, values=None, *, formulation=None, options=None,
                 integrator=None, rtol=None, atol=None, by=None, t_end=None,
                 max_steps=None, max_events=None, max_step=None, stops=None):
        """A cost and its gradient {parameter: number} by one sweep backwards."""
        settings, kept, watch = self._settings(formulation, options, integrator, rtol,
                                               atol, by, t_end, None, 2, max_steps,
                                               max_events, max_step, stops)
        value = self._values(values)
        if cost not in self.costs:
            raise KeyError(f"no cost {cost}; known: {', '.join(self.costs)}")
        error, psi = _Error(), ctypes.c_double()
        slope = (ctypes.c_double * max(1, len(self.parameters)))()
        solver = self._solver(settings)
        try:
            with watch:
                status = _library.cost_gradient(solver, value, self.costs.index(cost),
                                                ctypes.byref(psi), slope,
                                                ctypes.byref(error))
        finally:
            _library.solver_free(solver)
        if status:
            raise Error(error)
        return psi.value, dict(zip(self.free if by is None else by, slope))
