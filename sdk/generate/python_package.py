"""Models, methods and errors of the Python package. The models are written by datamodel-code-generator."""

import copy
import json
import re
import sys
import textwrap
from typing import Any

from document import NOTE, Document, Operation, Parameter, pascal

MODEL_OPTIONS = [
    "--input-file-type=openapi", "--openapi-scopes=schemas", "--output-model-type=pydantic_v2.BaseModel",
    "--base-class=limner._model.Model", "--target-python-version=3.10", "--snake-case-field", "--no-alias",
    "--use-field-description", "--use-schema-description", "--enum-field-as-literal=all", "--use-union-operator",
    "--use-standard-collections", "--use-double-quotes", "--disable-timestamp", "--collapse-root-models",
    "--formatters", "builtin",
]  # fmt: skip


def schemas(document: Document) -> dict[str, Any]:
    """Returns the document for the generator of models.

    A client must keep working when the service adds a value, so a result's enumerations accept any string, and limits of
    numbers are left out.
    """
    used: dict[str, Any] = {}
    for operation in document.operations:
        collect(document, operation.result, used)
    for name, schema in used.items():
        relax(schema)
        if "enum" in schema:
            used[name] = {"anyOf": [schema, {"type": "string"}]}
    return {**document.value, "paths": {}, "components": {"schemas": used}}


def collect(document: Document, name: str, used: dict[str, Any]) -> None:
    """Adds a schema and those that it refers to."""
    if name not in used:
        used[name] = copy.deepcopy(document.schemas[name])
        for part in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(used[name])):
            collect(document, part, used)


def relax(value: Any) -> None:
    """Removes limits of numbers and texts."""
    if isinstance(value, dict):
        for limit in ("minimum", "maximum", "format", "propertyNames", "minLength", "maxLength"):
            if not isinstance(value.get(limit), dict) or limit == "propertyNames":
                value.pop(limit, None)
        for part in value.values():
            relax(part)
    elif isinstance(value, list):
        for part in value:
            relax(part)


def check_names(document: Document, text: str) -> None:
    """Fails if the rule that `limner._model` applies does not lead from a field to its name in JSON."""
    fields = re.findall(r"^    (\w+): ", text, re.MULTILINE)
    words = [field.rstrip("_").split("_") for field in fields]
    known = {first + "".join(word.capitalize() for word in more) for first, *more in words}
    for schema in schemas(document)["components"]["schemas"].values():
        unknown = set(schema.get("properties", {})) - known
        if unknown:
            sys.exit(f"no field has the name {unknown} in JSON")


def models(document: Document, text: str) -> str:
    """Returns the generator's text with comments of one line on one line."""
    check_names(document, text)

    def shortened(match: re.Match[str]) -> str:
        told = match[1].strip()
        return match[0] if "\n" in told or told.endswith('"') else f'"""{told}"""'

    text = re.sub(r'"""\n(.+?)\n +"""', shortened, text, flags=re.DOTALL)
    # The generator's form for the type of members without a name is not one of Python 3.14.
    text = re.sub(
        r'__annotations__ = \{\s+"__pydantic_extra__": Dict\[(.+)\],\s+\}', r"__pydantic_extra__: dict[\1]", text
    )
    return f"# {NOTE}\n" + text.split("\n\n", 1)[1].replace("Any, Dict,", "Any,")


def errors(document: Document) -> str:
    classes, table, exported = "", "", []
    for code, told in document.error_codes.items():
        name = pascal(code) if code.endswith("error") else pascal(code) + "Error"
        classes += f'\n\nclass {name}(ApiError):\n    """`{code}`: {told}"""\n'
        table += f"    {code!r}: {name},\n"
        exported.append(name)
    return (
        f"# {NOTE}\nfrom limner._errors import ApiError\n\n__all__ = {sorted(exported)}\n{classes}\n\n"
        f"ERRORS: dict[str, type[ApiError]] = {{\n{table}}}\n"
    )


def operations(document: Document) -> str:
    results = sorted({operation.result for operation in document.operations})
    text = (
        f"# {NOTE}\nfrom __future__ import annotations\n\nfrom abc import ABC, abstractmethod\n"
        "from collections.abc import Sequence\nfrom typing import Any, Literal, overload\n\n"
        f"from limner._model import Model\nfrom limner.models import {', '.join(results)}\n"
    )
    for operation in document.operations:
        for parameter in operation.parameters:
            if parameter.schema["type"] == "array":
                text += f"\n{alias(operation, parameter)} = {literal(parameter.choices)}\n"
    for prefix, is_async in (("", False), ("Async", True)):
        begin = "async " if is_async else ""
        text += (
            f'\n\nclass {prefix}Operations(ABC):\n    """The operations of the API."""\n\n    @abstractmethod\n'
            f"    {begin}def _call(\n        self, model: type[Model], path: str, query: dict[str, Any], "
            "timeout: float | None, is_file: bool\n    ) -> Any:\n        ...\n"
        )
        for operation in document.operations:
            text += "\n" + methods(operation, is_async)
    return text


def methods(operation: Operation, is_async: bool) -> str:
    if not operation.text_formats:
        return method(operation, is_async)
    default = operation.parameter("format").schema["default"]
    text = ""
    for formats, result in (
        ([default], operation.result),
        (operation.text_formats, "str"),
        (operation.file_formats, "dict[str, Any]"),
    ):
        if formats:
            text += "    @overload\n" + signature(
                operation, is_async, formats, result, has_default=formats == [default]
            )
            text += ": ...\n\n"
    return text + method(operation, is_async, f"{operation.result} | str | dict[str, Any]")


def literal(choices: list[str]) -> str:
    return f"Literal[{', '.join(map(repr, choices))}]"


def alias(operation: Operation, parameter: Parameter) -> str:
    """Returns the name of the type of a list's items, such as `CodeField`."""
    return pascal(operation.name) + pascal(parameter.name.removesuffix("s"))


def annotation(operation: Operation, parameter: Parameter) -> str:
    kind = parameter.schema["type"]
    if kind == "array":
        return f"Sequence[{alias(operation, parameter)}]"
    if parameter.choices:
        others = [choice for choice in parameter.choices if choice not in ("true", "false")]
        return literal(others) + (" | bool" if others != parameter.choices else "")
    return {"string": "str", "boolean": "bool", "integer": "int", "number": "float"}[kind]


def signature(
    operation: Operation, is_async: bool, formats: list[str] | None, result: str, has_default: bool = True
) -> str:
    positional = [parameter for parameter in operation.parameters if parameter.required]
    parts = ["self", *(f"{parameter.name}: {annotation(operation, parameter)}" for parameter in positional), "*"]
    for parameter in operation.parameters:
        if parameter in positional:
            continue
        kind, default = f"{annotation(operation, parameter)} | None", " = None"
        if parameter.name == "format" and formats is not None:
            kind = literal(formats) + (" | None" if has_default else "")
            default = " = None" if has_default else ""
        parts.append(f"{parameter.name}: {kind}{default}")
    parts.append("timeout: float | None = None")
    begin = "async def" if is_async else "def"
    return f"    {begin} {operation.name}({', '.join(parts)}) -> {result}"


def method(operation: Operation, is_async: bool, result: str | None = None) -> str:
    told = textwrap.fill(operation.description, 110, break_on_hyphens=False)
    listed = "".join(
        textwrap.fill(
            f"{parameter.name}: {parameter.description}", 110, subsequent_indent="    ", break_on_hyphens=False
        )
        + "\n"
        for parameter in operation.parameters
    )
    comment = textwrap.indent(f'"""{operation.summary}.\n\n{told}\n\n{listed}"""', "        ")
    query = ", ".join(f'"{parameter.name}": {parameter.name}' for parameter in operation.parameters)
    awaited = "await " if is_async else ""
    is_file = f"format in {tuple(operation.file_formats)}" if operation.file_formats else "False"
    call = f'{awaited}self._call({operation.result}, "{operation.path}", {{{query}}}, timeout, {is_file})'
    result = result or operation.result
    answer = f"        result: {result} = {call}\n        return result\n"
    return f"{signature(operation, is_async, None, result)}:\n{comment}\n{answer}"
