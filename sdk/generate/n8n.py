"""The parameters of the n8n node, in n8n's declarative style."""

import json
import re
from typing import Any

from document import NOTE, Document, Operation, Parameter

# Words that are written otherwise than with a capital letter.
WORDS = {"url": "URL", "css": "CSS", "svg": "SVG", "svgs": "SVGs", "json": "JSON", "dtcg": "DTCG", "html": "HTML",
         "jsx": "JSX", "faq": "FAQ", "cta": "CTA", "js": "JavaScript", "ts": "TypeScript", "md": "MD"}  # fmt: skip


def title(word: str) -> str:
    """Returns `Font Sizes` for `fontSizes`."""
    parts = re.sub(r"([a-z])([A-Z])", r"\1 \2", word).replace("-", " ").split()
    return " ".join(WORDS.get(part.lower(), part[:1].upper() + part[1:]) for part in parts)


def properties(document: Document) -> str:
    entries = [operation_choice(document.operations)]
    for operation in document.operations:
        shown = {"show": {"operation": [operation.name]}}
        required = [parameter for parameter in operation.parameters if parameter.required]
        optional = sorted((one for one in operation.parameters if not one.required), key=lambda one: title(one.name))
        entries += [entry(operation, one) | {"required": True, "displayOptions": shown} for one in required]
        entries.append({
            "displayName": "Options",
            "name": "options",
            "type": "collection",
            "placeholder": "Add option",
            "default": {},
            "displayOptions": shown,
            "options": [entry(operation, one) for one in optional],
        })  # fmt: skip
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    return (
        f"// {NOTE}\nimport type {{ INodeProperties }} from 'n8n-workflow';\n\n"
        f"export const properties: INodeProperties[] = {text};\n"
    )


def operation_choice(operations: list[Operation]) -> dict[str, Any]:
    choices = [
        {
            "name": title(operation.name),
            "value": operation.name,
            "action": f"{'Get' if operation.tag == 'account' else 'Extract'} {operation.summary[0].lower()}{operation.summary[1:]}",
            "description": operation.summary,
            "routing": {"request": {"method": "GET", "url": operation.path}},
        }
        for operation in sorted(operations, key=lambda operation: title(operation.name))
    ]
    return {
        "displayName": "Operation",
        "name": "operation",
        "type": "options",
        "noDataExpression": True,
        "default": "extract",
        "options": choices,
    }


def entry(operation: Operation, parameter: Parameter) -> dict[str, Any]:
    value = {
        "displayName": title(parameter.name),
        "name": parameter.name,
        "description": parameter.description,
        "default": parameter.schema.get("default", ""),
        "routing": {"send": {"type": "query", "property": parameter.name}},
    }
    match parameter.schema["type"]:
        case "boolean":
            return value | {"type": "boolean"}
        case "integer":
            limits = {"minValue": parameter.schema.get("minimum"), "maxValue": parameter.schema.get("maximum")}
            return value | {"type": "number", "typeOptions": limits}
        case "array":
            send = value["routing"]["send"] | {"value": '={{ $value.join(",") }}'}
            choices = [{"name": title(choice), "value": choice} for choice in parameter.choices]
            return value | {"type": "multiOptions", "default": [], "options": choices, "routing": {"send": send}}
    if parameter.choices:
        choices = [choice_entry(operation, parameter, choice) for choice in parameter.choices]
        return value | {"type": "options", "options": choices, "default": value["default"] or parameter.choices[0]}
    return value | {"type": "string"} | ({"placeholder": f"e.g. {parameter.example}"} if parameter.example else {})


def choice_entry(operation: Operation, parameter: Parameter, choice: str) -> dict[str, Any]:
    value: dict[str, Any] = {"name": title(choice), "value": choice}
    if parameter.name == "format" and choice in operation.text_formats:
        # n8n's items are objects: a text becomes the field `text` of one.
        text = {"type": "set", "properties": {"value": '={{ ({ "text": $response.body }) }}'}}
        value["routing"] = {"output": {"postReceive": [text]}}
    return value
