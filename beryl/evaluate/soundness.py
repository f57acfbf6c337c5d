"""Encodings against reality: sampled methods are compiled and run on random inputs and must do what was predicted.

Only methods that the encoder understood are run, so they touch nothing but numbers, strings and arrays; they run in a
process of their own with a security manager, little memory and a time limit. Searching never executes anything.
"""

from __future__ import annotations

import json
import math
import random
import re
import resource
import struct
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from beryl.errors import InputError
from beryl.index.store import Index
from beryl.smt.behaviour import OPEN, THROWS, answer
from beryl.smt.characters import units
from beryl.smt.declarations import ClassTable, Method, element_of, is_array, primitive, text_of
from beryl.smt.encoding import Encoding, kind_of_type
from beryl.smt.lower_statements import lower_unit
from beryl.smt.machine import QUERY_BOUNDS
from beryl.smt.scope import Unit, Unsupported
from beryl.smt.table import Paths
from beryl.smt.terms import Arg, Term
from beryl.smt.worker import Project

INPUTS_PER_METHOD = 12
_NUMBERS = (0, 1, -1, 2, 3, 4, 5, 7, 8, 10, 12, 31, 32, 48, 63, 64, 65, 97, 100, 127, 128, 255, 256, 1000, 65535, -128)
_TEXTS = (
    "",
    "a",
    "abc",
    "Hello World",
    "log.txt",
    " 12 ",
    "12",
    "-7",
    "0",
    "aBcA",
    "x=1",
    "a/b/c",
    "éß",
    "\t",
    "😀a",
    "true",
)
_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_DOUBLES = (0.0, -0.0, 1.0, -1.5, 2.5, 0.1, 1e10, 1e-5, math.nan, math.inf, 3.0, 100.0)
_ESCAPES = {"\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_COMPILE_ROUNDS = 6
_COMPILE_SECONDS = 600
_BATCH = 80


@dataclass(frozen=True, slots=True)
class Case:
    """A method with the inputs to try."""

    label: str
    method: Method
    unit: Unit
    encoding: Encoding
    out: int | None
    inputs: list[list[object]]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A call on which the encoding and Java differ."""

    label: str
    inputs: list[object]
    predicted: str
    real: str


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it."""

    methods: int
    calls: int
    undecided: int
    """Calls for which the encoding makes no prediction: a bound was reached."""
    disagreements: tuple[Disagreement, ...]

    @property
    def disagreeing_methods(self) -> int:
        """Methods with at least one wrong call."""
        return len({item.label for item in self.disagreements})

    @property
    def agreement(self) -> float:
        """Share of methods of which every decided call agrees."""
        return 1 - self.disagreeing_methods / max(1, self.methods)


def sample(index: Index, count: int, seed: int) -> Iterator[Case]:
    """Cases of randomly chosen encoded methods, without end until all were taken."""
    paths = Paths.open(index)
    chance = random.Random(seed)
    rows = list(range(len(paths)))
    chance.shuffle(rows)
    projects: dict[int, Project] = {}
    taken = 0
    for row in rows:
        if taken >= count:
            return
        case = _case(index, paths, row, projects, chance)
        if case is not None:
            taken += 1
            yield case


def _case(index: Index, paths: Paths, row: int, projects: dict[int, Project], chance: random.Random) -> Case | None:
    function = int(paths.function[row])
    encoding = paths.encoding(row)
    if any(kind == "O" for kind in encoding.kinds) or not encoding.inputs:
        return None
    file = int(index.functions.file[function])
    number = int(index.files.project[file])
    if number not in projects:
        files = np.flatnonzero(index.files.project == number).tolist()
        projects[number] = Project([(item, Path(index.files.path[item]).stem, index.source(item)) for item in files])
    end = int(index.functions.end_byte[function])
    method = next((item for item in projects[number].methods(file) if item.node.end_byte == end), None)
    if method is None:
        return None
    try:
        program, unit = lower_unit(method)
    except Unsupported:
        return None
    label = f"{index.projects[number]}/{index.files.path[file]}:{int(index.functions.start_line[function])}"
    inputs = [[_random_value(kind, chance) for _, kind in encoding.inputs] for _ in range(INPUTS_PER_METHOD)]
    return Case(label, method, unit, encoding, program.get("out"), inputs)


def _random_value(kind: str, chance: random.Random, depth: int = 0) -> object:
    if is_array(kind):
        if chance.random() < 0.04:
            return None
        return [_random_value(element_of(kind), chance, depth + 1) for _ in range(chance.choice((0, 1, 2, 3, 3, 5)))]
    if kind not in ("String", "CharSequence") and kind != primitive(kind) and chance.random() < 0.04:
        return None
    kind = primitive(kind)
    if kind == "String":
        return None if chance.random() < 0.06 else units(chance.choice(_TEXTS))
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "char":
        return ord(chance.choice("aZ09 .-/_é\n{"))
    if kind == "float":
        return float(struct.unpack("<f", struct.pack("<f", chance.choice(_DOUBLES)))[0])
    if kind == "double":
        return chance.choice((*_DOUBLES, chance.uniform(-100, 100)))
    half = 1 << (_BITS[kind] - 1)
    number = chance.choice((*_NUMBERS, half - 1, -half, chance.randrange(-half, half), chance.randrange(0, 50)))
    return (number + half) % (2 * half) - half


def predict(encoding: Encoding, values: Sequence[object]) -> str | None:
    """What the encoding says a call returns, THROWS, or None where a bound leaves it open."""
    bindings = {name: value for (name, _), value in zip(encoding.inputs, values, strict=True)}
    value = answer(encoding, bindings, QUERY_BOUNDS)
    if value in (THROWS, OPEN):
        return None if value == OPEN else THROWS
    return _shown(value[1:] if isinstance(value, str) else value)


def _shown(value: Arg) -> str:
    if isinstance(value, Term):
        return "[" + ",".join(_shown(part) for part in value.args) + "]" if value.op == "array" else repr(value)
    if value is None:
        return "N"
    if isinstance(value, bool):
        return "Z" + str(value).lower()
    if isinstance(value, int):
        return f"I{value}"
    if isinstance(value, float):
        return "Dnan" if math.isnan(value) else "D" + struct.pack(">d", value).hex()
    return "S" + "".join(f"{ord(char):04x}" for char in value)


def check(cases: Sequence[Case], folder: Path, seconds: float = 120.0) -> Report:
    """Compile and run all cases, and compare."""
    methods = calls = undecided = 0
    wrong: list[Disagreement] = []
    for start in range(0, len(cases), _BATCH):
        batch = dict(enumerate(cases[start : start + _BATCH], start))
        real = run_java(batch, folder / f"batch{start}", seconds)
        for number, answers in real.items():
            case = batch[number]
            decided = 0
            for values, said in zip(case.inputs, answers, strict=False):
                predicted = predict(case.encoding, values)
                undecided += predicted is None
                if predicted is None or said == "T":
                    continue
                decided += 1
                if predicted != said:
                    wrong.append(Disagreement(case.label, values, predicted, said))
            calls += decided
            methods += decided > 0
    return Report(methods, calls, undecided, tuple(wrong))


def run_java(cases: dict[int, Case], folder: Path, seconds: float) -> dict[int, list[str]]:
    """What Java returns for every input of every case that compiles by itself."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Harness.java").write_text(_HARNESS, "utf-8")
    names: dict[str, int] = {}
    for number, case in cases.items():
        source = java_source(number, case)
        if source is not None:
            (folder / f"Case{number}.java").write_text(source, "utf-8", "surrogatepass")
            names[f"Case{number}"] = number
    names = _compile(names, folder)
    if not names:
        return {}
    options = ["-Djava.security.manager", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-Xss4m"]
    command = ["java", *options, "-cp", ".", "Harness", *names]
    output = _run(command, folder, seconds)
    answers: dict[int, list[str]] = {}
    for line in output.splitlines():
        name, _, said = line.partition(" ")
        if name in names:
            answers.setdefault(names[name], []).append(said)
    return answers


def _compile(names: dict[str, int], folder: Path) -> dict[str, int]:
    for _ in range(_COMPILE_ROUNDS):
        files = [f"{name}.java" for name in names]
        options = ["-proc:none", "-nowarn", "-Xmaxerrs", "100000", "-encoding", "UTF-8"]
        command = ["javac", "-J-XX:TieredStopAtLevel=1", *options, "Harness.java", *files]
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_COMPILE_SECONDS)
        except subprocess.TimeoutExpired:
            return {}
        if done.returncode == 0:
            return names
        broken = set(re.findall(r"^(Case\d+)\.java:\d+: error", done.stderr, re.MULTILINE))
        if not broken:
            raise InputError(f"javac failed: {done.stderr[:300]}")
        names = {name: number for name, number in names.items() if name not in broken}
    return {}


def _run(command: list[str], folder: Path, seconds: float) -> str:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 5, int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26))

    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
    return output.decode("utf-8", "replace")


def java_source(number: int, case: Case) -> str | None:
    """A class that holds the method with all it needs, and a `run` that calls it on every input."""
    classes: dict[ClassTable, list[str]] = {case.method.owner: []}
    for owner, member in dict.fromkeys(case.unit.constants):
        classes.setdefault(owner, []).append(f"static final {member.type} {member.name} = {text_of(member.value)};")
    fields = _fields(case, classes)
    if fields is None:
        return None
    for method in case.unit.methods:
        parameters = ", ".join(f"{kind} {name}" for name, kind in method.parameters)
        body = text_of(method.node.child_by_field_name("body"))
        static = "static " if method.static else ""
        header = f"{static}{method.result} {method.name}({parameters}) throws Exception"
        classes.setdefault(method.owner, []).append(f"{header} {body}")
    outers = {table for table in classes if table is not case.method.owner and _encloses(table, case.method.owner)}
    parts = [line for table in classes if table in outers for line in classes[table]]
    for table, lines in classes.items():
        if table not in outers:
            parts.append(f"static class {table.name} {{\n" + "\n".join(lines) + "\n}")
    calls = "\n".join(_call(case, values, fields) for values in case.inputs)
    runner = f"public static void run() {{\n{calls}\n}}"
    return f"public class Case{number} {{\n" + "\n".join([*parts, runner]) + "\n}\n"


def _encloses(outer: ClassTable, inner: ClassTable) -> bool:
    scope = inner.outer
    while scope is not None:
        if scope is outer:
            return True
        scope = scope.outer
    return False


def _fields(case: Case, classes: dict[ClassTable, list[str]]) -> dict[str, str] | None:
    """Declares the fields that are read, as static ones; their Java names by input name."""
    names: dict[str, str] = {}
    tables = {table.name: table for table in (*classes, *(method.owner for method in case.unit.methods))}
    for name, kind in case.unit.fields.items():
        owner, _, member = name.partition(".")
        table = case.method.owner if owner == "this" else tables.get(owner)
        if table is None or kind_of_type(kind) == "O":
            return None
        classes.setdefault(table, []).append(f"static {kind} {member};")
        outer = table is not case.method.owner and _encloses(table, case.method.owner)
        names[name] = member if outer else f"{table.name}.{member}"
    return names


def _call(case: Case, values: Sequence[object], fields: dict[str, str]) -> str:
    count = case.encoding.parameters
    lines = []
    for (name, kind), value in zip(case.encoding.inputs[count:], values[count:], strict=True):
        lines.append(f"{fields[name]} = {_literal(kind, value)};")
    names = [f"a{place}" for place in range(count)]
    for place in range(count):
        kind = case.encoding.inputs[place][1]
        lines.append(f"{kind} a{place} = {_literal(kind, values[place])};")
    owner = case.method.owner.name
    receiver = owner if case.method.static else f"new {owner}()"
    call = f"{receiver}.{case.method.name}({', '.join(names)})"
    body = f"{call}; return a{case.out};" if case.out is not None else f"return {call};"
    return "Harness.call(() -> {\n" + "\n".join(lines) + f"\n{body}\n}});"


def _literal(kind: str, value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        items = ", ".join(_literal(element_of(kind), item) for item in value)
        return f"new {kind} {{{items}}}"
    kind = primitive(kind)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(_ESCAPES.get(char, f"\\u{ord(char):04x}") for char in value) + '"'
    if isinstance(value, float):
        text = f"Double.longBitsToDouble(0x{struct.pack('>d', value).hex()}L)"
        return f"(float) {text}" if kind == "float" else text
    return f"{value}L" if kind == "long" else f"({kind}) ({value})"


_HARNESS = """
import java.util.concurrent.*;
public class Harness {
  static String name;
  static final ExecutorService POOL = Executors.newCachedThreadPool(r -> {
    Thread t = new Thread(r); t.setDaemon(true); return t; });
  public static void main(String[] names) throws Exception {
    for (String each : names) {
      name = each;
      Class.forName(each).getMethod("run").invoke(null);
    }
  }
  public static void call(Callable<Object> code) {
    String shown;
    Future<Object> future = POOL.submit(code);
    try { shown = show(future.get(2, TimeUnit.SECONDS)); }
    catch (TimeoutException e) { future.cancel(true); shown = "T"; }
    catch (ExecutionException e) { shown = e.getCause() instanceof OutOfMemoryError
        || e.getCause() instanceof StackOverflowError ? "T" : "!"; }
    catch (InterruptedException e) { shown = "T"; }
    System.out.println(name + " " + shown);
  }
  static String show(Object v) {
    if (v == null) return "N";
    if (v instanceof Boolean) return "Z" + v;
    if (v instanceof Character) return "I" + (int) (Character) v;
    if (v instanceof Float || v instanceof Double) {
      double d = ((Number) v).doubleValue();
      return Double.isNaN(d) ? "Dnan" : "D" + String.format("%016x", Double.doubleToLongBits(d));
    }
    if (v instanceof Number) return "I" + v;
    if (v instanceof CharSequence) {
      StringBuilder b = new StringBuilder("S");
      String s = v.toString();
      for (int i = 0; i < s.length(); i++) b.append(String.format("%04x", (int) s.charAt(i)));
      return b.toString();
    }
    StringBuilder b = new StringBuilder("[");
    for (int i = 0; i < java.lang.reflect.Array.getLength(v); i++)
      b.append(i > 0 ? "," : "").append(show(java.lang.reflect.Array.get(v, i)));
    return b.append("]").toString();
  }
}
"""


def as_dict(report: Report) -> dict[str, Any]:
    """The report, ready for JSON."""
    return {
        "methods": report.methods,
        "calls": report.calls,
        "undecided_calls": report.undecided,
        "disagreeing_methods": report.disagreeing_methods,
        "agreement": round(report.agreement, 5),
    }


def describe(item: Disagreement) -> str:
    """A disagreement in one line."""
    return f"{item.label} on {json.dumps(item.inputs)}: predicted {item.predicted}, Java says {item.real}"
