# SPDX-License-Identifier: MIT
"""declarations - the C headers are the only place that says what structs, functions and constants there are. They are
preprocessed for one set of capacities and read by pycparser, so that no struct is described twice.

What is read is a dict of plain values that JSON can keep beside a shared object:

    structs    {name: {"union": bool, "fields": [[name, type], ...]}}, in an order in which each needs earlier ones only
    functions  {name: {"link": name in the object, "returns": type, "arguments": [[name, type], ...]}}
    constants  {name: number}
    layout     the numbers of tac_layout, as a caller in another language has them: what the kernel compares

A type is "void", "u8" ... "i64", "f32", "f64", the name of a struct, ["array", count, type] or ["pointer", type]."""
import re
import subprocess
from typing import Any, Dict, List, Optional

from . import layout

SIZES = {"char": "8", "short": "16", "int": "32", "long": "64"}
FIXED = {f"{sign}int{bits}_t": f"{short}{bits}" for sign, short in (("", "i"), ("u", "u")) for bits in (8, 16, 32, 64)}
MARK = "tactus_values_follow"
LAYOUT = "tactus_layout"
LAYOUT_LINE = f"const uint32_t {LAYOUT}[] = {{TAC_LAYOUT(TAC_LAYOUT_VALUE)}};"
NUMBER_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|[0-9.]+(?:[eE][-+]?\d+)?)[uUlLfF]*\b")
CHOICE = re.compile(r"\(([^()?]+) \? (\([^()]+\)) : (\([^()]+\))\)")
CAST = re.compile(r"\(\s*(?:tac_real|float|double|u?int\d+_t)\s*\)")


def preprocessed(compiler: List[str], include: str, knobs: List[str], lines: List[str], *options: str) -> str:
    """The header after these knobs, and `lines` after it, preprocessed."""
    command = [*compiler, "-E", "-P", "-std=c99", "-ffreestanding", f"-I{include}", *options, *knobs]
    command += ["-D__attribute__(x)=", "-D__extension__=", "-x", "c", "-"]
    text = "\n".join(['#include "tactus/tactus.h"', *lines, ""])
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


class Reader:
    """Reads what pycparser has parsed, declaration by declaration."""

    def __init__(self, ast: Any) -> None:
        self.ast = ast  # the module pycparser.c_ast
        self.types: Dict[str, layout.Kind] = {}
        self.structs: Dict[str, Any] = {}
        self.functions: Dict[str, Any] = {}
        self.constants: Dict[str, Any] = {}
        self.layout: List[int] = []

    # ------------------------------------------------------------------------------------------------- numbers
    def value(self, node: Any) -> Any:
        """Of a constant expression."""
        kind = type(node).__name__
        if kind == "Constant":
            return int(NUMBER_SUFFIX.sub(r"\1", node.value), 0)
        if kind == "ID":
            return self.constants[node.name]
        if kind == "Cast":
            return self.value(node.expr)
        if kind == "TernaryOp":
            return self.value(node.iftrue if self.value(node.cond) else node.iffalse)
        if kind == "UnaryOp" and node.op == "sizeof":
            return layout.Types(self.structs).size(self.type(node.expr.type))
        if kind == "UnaryOp":
            value = self.value(node.expr)
            return {"-": -value, "~": ~value, "!": int(not value), "+": value}[node.op]
        left, right = self.value(node.left), self.value(node.right)
        operators = {
            "+": lambda: left + right,
            "-": lambda: left - right,
            "*": lambda: left * right,
            "/": lambda: left // right,
            "%": lambda: left % right,
            "<<": lambda: left << right,
            ">>": lambda: left >> right,
            "|": lambda: left | right,
            "&": lambda: left & right,
            "<": lambda: int(left < right),
            ">": lambda: int(left > right),
            "<=": lambda: int(left <= right),
            ">=": lambda: int(left >= right),
            "==": lambda: int(left == right),
            "!=": lambda: int(left != right),
            "&&": lambda: int(bool(left) and bool(right)),
            "||": lambda: int(bool(left) or bool(right)),
        }
        return operators[node.op]()

    # --------------------------------------------------------------------------------------------------- types
    def type(self, node: Any, name: Optional[str] = None) -> layout.Kind:
        """`name`: of a struct that has none of its own."""
        kind = type(node).__name__
        if kind == "TypeDecl":
            return self.type(node.type, name or node.declname)
        if kind == "PtrDecl":
            inner = node.type
            return ["pointer", "void" if type(inner).__name__ == "FuncDecl" else self.type(inner, name)]
        if kind == "ArrayDecl":
            return ["array", self.value(node.dim) if node.dim is not None else 0, self.type(node.type, name)]
        if kind == "IdentifierType":
            word = " ".join(node.names)
            return FIXED.get(word) or self.types.get(word) or basic(node.names)
        if kind == "Enum":
            self.enumerators(node)
            return "i32"
        return self.struct(node, name)

    def struct(self, node: Any, name: Optional[str]) -> str:
        name = str(node.name or name)
        if node.decls is not None:
            fields = [[field.name, self.type(field.type, f"{name}.{field.name}")] for field in node.decls]
            self.structs[name] = {"union": type(node).__name__ == "Union", "fields": fields}
        return name

    def enumerators(self, node: Any) -> None:
        following = 0
        for item in node.values.enumerators if node.values else []:
            following = self.value(item.value) if item.value is not None else following
            self.constants[item.name] = following
            following += 1

    # -------------------------------------------------------------------------------------------- declarations
    def declaration(self, node: Any) -> None:
        kind = type(node).__name__
        if node.name == LAYOUT:
            self.layout = [self.value(entry) for entry in node.init.exprs]
        elif kind == "Typedef":
            self.types[node.name] = self.type(node.type, node.name)
        elif kind == "Decl" and type(node.type).__name__ == "FuncDecl":
            self.function(node)
        elif kind == "Decl" and type(node.type).__name__ in ("Enum", "Struct", "Union"):
            self.type(node.type)

    def function(self, node: Any) -> None:
        arguments = []
        for i, argument in enumerate(node.type.args.params if node.type.args else []):
            kind = self.type(argument.type)
            if kind == "void":
                continue
            if isinstance(kind, list) and kind[0] == "array":
                kind = ["pointer", kind[2]]
            arguments.append([argument.name or f"argument_{i}", kind])
        name = re.sub(r"_v\d+_\d+_r\d+(_i\d+)?$", "", node.name)
        self.functions[name] = {"link": node.name, "returns": self.type(node.type.type), "arguments": arguments}


def basic(words: List[str]) -> str:
    """A type of C's own, with the sizes of 64 bit hosts."""
    plain = {"void": "void", "float": "f32", "double": "f64", "size_t": "u64"}
    if words[-1] in plain and "long" not in words:
        return plain[words[-1]]
    size = next((SIZES[word] for word in ("char", "short", "long") if word in words), "32")
    return ("u" if "unsigned" in words else "i") + size


def number(text: str) -> Any:
    """The value of a macro's text, or None if it is no number."""
    text = CAST.sub("", text)
    if re.search(r"[A-Za-z_]{2,}", re.sub(r"0[xX][0-9a-fA-F]+[uUlL]*|\d[uUlLfF]+", "0", text)):
        return None
    try:
        text = CHOICE.sub(r"(\2 if \1 else \3)", NUMBER_SUFFIX.sub(r"\1", text))
        return eval(text, {"__builtins__": {}})  # digits and operators alone
    except (SyntaxError, TypeError, ZeroDivisionError):
        return None


def macros(compiler: List[str], include: str, knobs: List[str]) -> Dict[str, Any]:
    """Those of the headers that are numbers."""
    defined = preprocessed(compiler, include, knobs, [], "-dM")
    names = sorted(set(re.findall(r"^#define (TAC_[A-Z0-9_]+) .", defined, re.M)))
    text = preprocessed(compiler, include, knobs, [MARK] + [f'"{name}" {name}' for name in names])
    lines = text[text.index(MARK) :].splitlines()[1:]
    values = {}
    for line in lines:
        match = re.match(r'"(TAC_\w+)" (.*)', line)
        value = number(match.group(2)) if match else None
        if match and isinstance(value, (int, float)):
            values[match.group(1)] = value
    return values


def read(compiler: List[str], include: str, knobs: List[str]) -> Dict[str, Any]:
    """compiler: a command as a list; include: the folder of tactus/tactus.h; knobs: -D options."""
    from pycparser import c_ast, c_parser

    reader = Reader(c_ast)
    for node in c_parser.CParser().parse(preprocessed(compiler, include, knobs, [LAYOUT_LINE])).ext:
        if type(node).__name__ != "FuncDef":  # inline functions are not in the object
            reader.declaration(node)
    constants = {**macros(compiler, include, knobs), **reader.constants}
    return {"structs": reader.structs, "functions": reader.functions, "constants": constants, "layout": reader.layout}
