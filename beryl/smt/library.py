"""The JDK methods that are modelled: receiver class, name and parameter types -> code over `semantics`.

A row is written `name(parameters) type code` with one letter a type: S String, I int, L long, C char, Z boolean,
D double. In the code `$0` is the receiver (or first argument of a static method), `$1` the next and so on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

Code = object
"""JSON-like: a constant, or a list `[operation, argument, ...]`."""

LETTERS = {"S": "String", "I": "int", "L": "long", "C": "char", "Z": "boolean", "D": "double", "V": "void"}


@dataclass(frozen=True, slots=True)
class Row:
    """One modelled method."""

    parameters: tuple[str, ...]
    result: str
    code: str
    """JSON with `$n` for the arguments."""


_STRING = """
length() I ["length","$0"]
isEmpty() Z ["eq",["length","$0"],0]
isBlank() Z ["eq",["length",["strip","$0"]],0]
charAt(I) C ["charat","$0","$1"]
codePointAt(I) I ["codepointat","$0","$1"]
substring(I) S ["substring","$0","$1",["length","$0"]]
substring(II) S ["substring","$0","$1","$2"]
subSequence(II) S ["substring","$0","$1","$2"]
indexOf(C) I ["indexof","$0",["chartext","$1"],0]
indexOf(I) I ["indexof","$0",["chartext","$1"],0]
indexOf(S) I ["indexof","$0","$1",0]
indexOf(CI) I ["indexof","$0",["chartext","$1"],"$2"]
indexOf(II) I ["indexof","$0",["chartext","$1"],"$2"]
indexOf(SI) I ["indexof","$0","$1","$2"]
lastIndexOf(C) I ["lastindexof","$0",["chartext","$1"],["length","$0"]]
lastIndexOf(I) I ["lastindexof","$0",["chartext","$1"],["length","$0"]]
lastIndexOf(S) I ["lastindexof","$0","$1",["length","$0"]]
lastIndexOf(CI) I ["lastindexof","$0",["chartext","$1"],"$2"]
lastIndexOf(II) I ["lastindexof","$0",["chartext","$1"],"$2"]
lastIndexOf(SI) I ["lastindexof","$0","$1","$2"]
startsWith(S) Z ["startswith","$0","$1",0]
startsWith(SI) Z ["startswith","$0","$1","$2"]
endsWith(S) Z ["endswith","$0","$1"]
contains(S) Z ["contains","$0","$1"]
concat(S) S ["concat","$0","$1"]
replace(CC) S ["replace","$0",["chartext","$1"],["chartext","$2"]]
replace(SS) S ["replace","$0","$1","$2"]
regionMatches(ISII) Z ["regionmatches",false,"$0","$1","$2","$3","$4"]
regionMatches(ZISII) Z ["regionmatches","$1","$0","$2","$3","$4","$5"]
replaceAll(SS) S ["replaceall","$0","$1","$2"]
replaceFirst(SS) S ["replacefirst","$0","$1","$2"]
matches(S) Z ["matches","$0","$1"]
toLowerCase() S ["lower","$0"]
toUpperCase() S ["upper","$0"]
trim() S ["trim","$0"]
strip() S ["strip","$0"]
stripLeading() S ["stripleft","$0"]
stripTrailing() S ["stripright","$0"]
repeat(I) S ["repeat","$0","$1"]
compareTo(S) I ["comparestring","$0","$1"]
compareToIgnoreCase(S) I ["compareignorecase","$0","$1"]
hashCode() I ["hashcode","$0"]
toString() S "$0"
intern() S "$0"
"""

_STATIC = """
Math.abs(I) I ["iabs","$0"]
Math.abs(L) L ["labs","$0"]
Math.abs(D) D ["dabs","$0"]
Math.min(I,I) I ["min","$0","$1"]
Math.min(L,L) L ["min","$0","$1"]
Math.min(D,D) D ["dmin","$0","$1"]
Math.max(I,I) I ["max","$0","$1"]
Math.max(L,L) L ["max","$0","$1"]
Math.max(D,D) D ["dmax","$0","$1"]
Math.sqrt(D) D ["sqrt","$0"]
Math.floor(D) D ["floor","$0"]
Math.ceil(D) D ["ceil","$0"]
Math.rint(D) D ["rint","$0"]
Math.round(D) L ["round","$0"]
Math.pow(D,D) D ["power","$0","$1"]
Math.floorMod(I,I) I ["ifloormod","$0","$1"]
Math.floorMod(L,L) L ["lfloormod","$0","$1"]
Math.floorDiv(I,I) I ["ifloordiv","$0","$1"]
Math.floorDiv(L,L) L ["lfloordiv","$0","$1"]
Math.toRadians(D) D ["dmul","$0",0.017453292519943295]
Integer.parseInt(S) I ["iparse","$0",10]
Integer.parseInt(S,I) I ["iparse","$0","$1"]
Integer.valueOf(S) I ["iparse","$0",10]
Integer.valueOf(I) I "$0"
Integer.toString(I) S ["inttext","$0"]
Integer.toString(I,I) S ["radixtext","$0","$1"]
Integer.toHexString(I) S ["ihex","$0"]
Integer.toBinaryString(I) S ["ibinary","$0"]
Integer.toOctalString(I) S ["ioctal","$0"]
Integer.bitCount(I) I ["ibitcount","$0"]
Integer.numberOfLeadingZeros(I) I ["ileadingzeros","$0"]
Integer.numberOfTrailingZeros(I) I ["itrailingzeros","$0"]
Integer.reverse(I) I ["ireverse","$0"]
Integer.highestOneBit(I) I ["ihighestbit","$0"]
Integer.lowestOneBit(I) I ["bitand","$0",["ineg","$0"]]
Integer.rotateLeft(I,I) I ["bitor",["ishl","$0","$1"],["iushr","$0",["ineg","$1"]]]
Integer.rotateRight(I,I) I ["bitor",["iushr","$0","$1"],["ishl","$0",["ineg","$1"]]]
Integer.compare(I,I) I ["compare","$0","$1"]
Integer.signum(I) I ["signum","$0"]
Integer.max(I,I) I ["max","$0","$1"]
Integer.min(I,I) I ["min","$0","$1"]
Integer.sum(I,I) I ["iadd","$0","$1"]
Integer.hashCode(I) I "$0"
Long.parseLong(S) L ["lparse","$0",10]
Long.valueOf(S) L ["lparse","$0",10]
Long.valueOf(L) L "$0"
Long.toString(L) S ["inttext","$0"]
Long.toHexString(L) S ["lhex","$0"]
Long.toBinaryString(L) S ["lbinary","$0"]
Long.bitCount(L) I ["lbitcount","$0"]
Long.numberOfLeadingZeros(L) I ["lleadingzeros","$0"]
Long.numberOfTrailingZeros(L) I ["ltrailingzeros","$0"]
Long.compare(L,L) I ["compare","$0","$1"]
Long.signum(L) I ["signum","$0"]
Long.max(L,L) L ["max","$0","$1"]
Long.min(L,L) L ["min","$0","$1"]
Double.parseDouble(S) D ["parsedouble","$0"]
Double.valueOf(S) D ["parsedouble","$0"]
Double.valueOf(D) D "$0"
Double.toString(D) S ["doubletext","$0"]
Double.compare(D,D) I ["dcompare","$0","$1"]
Double.isNaN(D) Z ["isnan","$0"]
Double.isInfinite(D) Z ["isinf","$0"]
Boolean.valueOf(Z) Z "$0"
Boolean.toString(Z) S ["booltext","$0"]
Character.isDigit(I) Z ["isdigit","$0"]
Character.isLetter(I) Z ["isletter","$0"]
Character.isLetterOrDigit(I) Z ["isletterordigit","$0"]
Character.isUpperCase(I) Z ["isupper","$0"]
Character.isLowerCase(I) Z ["islower","$0"]
Character.isWhitespace(I) Z ["iswhitespace","$0"]
Character.isSpaceChar(I) Z ["isspacechar","$0"]
Character.toUpperCase(C) C ["toupper","$0"]
Character.toLowerCase(C) C ["tolower","$0"]
Character.toUpperCase(I) I ["toupper","$0"]
Character.toLowerCase(I) I ["tolower","$0"]
Character.toTitleCase(C) C ["totitle","$0"]
Character.toTitleCase(I) I ["totitle","$0"]
Character.isAlphabetic(I) Z ["isalphabetic","$0"]
Character.isISOControl(I) Z ["or",["lt","$0",32],["and",["le",127,"$0"],["le","$0",159]]]
Character.isSurrogate(C) Z ["and",["le",55296,"$0"],["le","$0",57343]]
Character.isHighSurrogate(C) Z ["and",["le",55296,"$0"],["le","$0",56319]]
Character.isLowSurrogate(C) Z ["and",["le",56320,"$0"],["le","$0",57343]]
Character.charCount(I) I ["cond",["le",65536,"$0"],2,1]
Character.reverseBytes(C) C ["i2c",["bitor",["ishl","$0",8],["ishr","$0",8]]]
Character.hashCode(C) I "$0"
Character.toString(C) S ["chartext","$0"]
Character.valueOf(C) C "$0"
Character.getNumericValue(I) I ["numericvalue","$0"]
Character.digit(I,I) I ["digit","$0","$1"]
Character.compare(C,C) I ["isub","$0","$1"]
String.valueOf(C) S ["chartext","$0"]
String.valueOf(I) S ["inttext","$0"]
String.valueOf(L) S ["inttext","$0"]
String.valueOf(Z) S ["booltext","$0"]
String.valueOf(D) S ["doubletext","$0"]
String.valueOf(S) S ["text","$0"]
Objects.equals(S,S) Z ["equals","$0","$1"]
"""

# Members of StringBuilder that change it: the new contents, where "$0" is the old.
_BUILDER = """
insert(IS) ["concat",["concat",["substring","$0",0,"$1"],"$2"],["substring","$0","$1",["length","$0"]]]
reverse() ["reverse","$0"]
setCharAt(IC) ["setchar","$0","$1","$2"]
deleteCharAt(I) ["concat",["substring","$0",0,"$1"],["substring","$0",["iadd","$1",1],["length","$0"]]]
delete(II) ["delete","$0","$1",["min","$2",["length","$0"]]]
setLength(I) ["setlength","$0","$1"]
"""

CONSTANTS: dict[str, tuple[str, bool | int | float | str]] = {
    "Integer.MAX_VALUE": ("int", (1 << 31) - 1),
    "Integer.MIN_VALUE": ("int", -(1 << 31)),
    "Integer.SIZE": ("int", 32),
    "Long.MAX_VALUE": ("long", (1 << 63) - 1),
    "Long.MIN_VALUE": ("long", -(1 << 63)),
    "Short.MAX_VALUE": ("short", 32767),
    "Short.MIN_VALUE": ("short", -32768),
    "Byte.MAX_VALUE": ("byte", 127),
    "Byte.MIN_VALUE": ("byte", -128),
    "Character.MAX_VALUE": ("char", 65535),
    "Character.MIN_VALUE": ("char", 0),
    "Character.MAX_RADIX": ("int", 36),
    "Character.MIN_RADIX": ("int", 2),
    "Double.MAX_VALUE": ("double", 1.7976931348623157e308),
    "Double.MIN_VALUE": ("double", 5e-324),
    "Double.POSITIVE_INFINITY": ("double", float("inf")),
    "Double.NEGATIVE_INFINITY": ("double", float("-inf")),
    "Double.NaN": ("double", float("nan")),
    "Math.PI": ("double", 3.141592653589793),
    "Math.E": ("double", 2.718281828459045),
    "File.separatorChar": ("char", 47),
    "File.separator": ("String", "/"),
    "Boolean.TRUE": ("boolean", True),
    "Boolean.FALSE": ("boolean", False),
}


def _letters(text: str) -> tuple[str, ...]:
    return tuple(LETTERS[letter] for letter in text.replace(",", ""))


@cache
def _table(text: str, with_result: bool) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {}
    for line in text.strip().splitlines():
        name, _, rest = line.partition("(")
        parameters, _, rest = rest.partition(") ")
        result, code = rest.split(" ", 1) if with_result else ("V", rest)
        rows.setdefault(name, []).append(Row(_letters(parameters), LETTERS[result], code))
    return rows


def string_rows(name: str) -> list[Row]:
    """Members of String with this name."""
    return _table(_STRING, True).get(name, [])


def static_rows(name: str) -> list[Row]:
    """Static methods of the JDK, named `Class.method`."""
    return _table(_STATIC, True).get(name, [])


def builder_rows(name: str) -> list[Row]:
    """Members that change a StringBuilder."""
    return _table(_BUILDER, False).get(name, [])


def fill(code: str, arguments: list[Code]) -> Code:
    """The code of a row with its arguments put in, each evaluated once and in order."""
    template = json.loads(code)
    order = _uses(template)
    if order == list(range(len(arguments))):
        return _put(template, arguments)
    return ["let", arguments, _put(template, [["$", position] for position in range(len(arguments))])]


def _uses(item: Code) -> list[int]:
    if isinstance(item, str) and item[:1] == "$":
        return [int(item[1:])]
    return [use for part in item for use in _uses(part)] if isinstance(item, list) else []


def _put(item: Code, arguments: list[Code]) -> Code:
    if isinstance(item, str) and item[:1] == "$":
        return arguments[int(item[1:])]
    return [_put(part, arguments) for part in item] if isinstance(item, list) else item
