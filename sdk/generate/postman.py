"""The Postman collection (format 2.1)."""

from typing import Any

from document import NOTE, Document, Operation, Parameter


def collection(document: Document) -> dict[str, Any]:
    info = document.value["info"]
    return {
        "info": {
            "name": info["title"],
            "description": f"{info['description']}\n\n{NOTE}",
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{apiKey}}", "type": "string"}]},
        "variable": [
            {"key": "baseUrl", "value": document.value["servers"][0]["url"]},
            {"key": "apiKey", "value": "", "description": "A key of the console."},
            {"key": "url", "value": "https://example.com", "description": "The page to read."},
        ],
        "item": [folder(document, tag) for tag in document.value["tags"]],
    }


def folder(document: Document, tag: dict[str, Any]) -> dict[str, Any]:
    operations = [operation for operation in document.operations if operation.tag == tag["name"]]
    return {"name": tag["name"], "description": tag["description"], "item": [item(one) for one in operations]}


def item(operation: Operation) -> dict[str, Any]:
    query = [query_parameter(parameter) for parameter in operation.parameters]
    sent = "&".join(f"{one['key']}={one['value']}" for one in query if not one.get("disabled"))
    return {
        "name": operation.summary,
        "id": operation.id,
        "request": {
            "method": "GET",
            "description": operation.description,
            "url": {
                "raw": f"{{{{baseUrl}}}}{operation.path}" + (f"?{sent}" if sent else ""),
                "host": ["{{baseUrl}}"],
                "path": [operation.name],
                "query": query,
            },
        },
        "response": [],
    }


def query_parameter(parameter: Parameter) -> dict[str, Any]:
    """Returns a parameter with a value to start from; one that is not required is off."""
    schema, choices = parameter.schema, parameter.choices
    value: Any = schema.get("default", choices[0] if choices else parameter.example)
    value = {True: "true", False: "false", None: ""}.get(value, value)
    entry = {"key": parameter.name, "value": str(value), "description": parameter.description}
    if choices and schema["type"] != "array":
        entry["description"] += f" One of {', '.join(f'`{choice}`' for choice in choices)}."
    if parameter.required:
        return entry | {"value": f"{{{{{parameter.name}}}}}"}
    return entry | {"disabled": True}
