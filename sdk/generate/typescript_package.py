"""Methods and errors of the TypeScript package. The types are written by @hey-api/openapi-ts."""

import textwrap

from document import NOTE, Document, Operation, pascal


def errors(document: Document) -> str:
    classes, names = "", []
    for code, told in document.error_codes.items():
        name = pascal(code) if code.endswith("error") else pascal(code) + "Error"
        names.append((code, name))
        classes += f"/** `{code}`: {told} */\nexport class {name} extends ApiError<'{code}'> {{}}\n\n"
    table = "".join(f"  {code}: {name},\n" for code, name in names)
    return (
        f"// {NOTE}\nimport {{ ApiError }} from '../errors.js';\n\n{classes}"
        f"/** The class of each error code. */\nexport const ERRORS = {{\n{table}}} as const;\n"
    )


def operations(document: Document) -> str:
    formats = "".join(format_types(operation) for operation in document.operations)
    methods = "\n".join(method(operation) for operation in document.operations)
    return (
        f"// {NOTE}\nimport type {{ CallOptions }} from '../options.js';\nimport type * as api from './types.js';\n\n"
        f"{formats}"
        "/** The operations of the API. */\nexport abstract class Operations {\n"
        "  protected abstract call<T>(path: string, query: object, options?: CallOptions): Promise<T>;\n\n"
        f"{methods}}}\n"
    )


def format_types(operation: Operation) -> str:
    parameter = operation.parameter("format")
    if not parameter or not operation.text_formats:
        return ""
    result = {name: "string" for name in operation.text_formats}
    result |= {name: "api.DesignTokensFile" for name in operation.file_formats}
    members = "".join(f"  '{name}': {result.get(name, 'api.' + operation.result)};\n" for name in parameter.choices)
    return (
        f"/** The result of `/{operation.name}` in each format. */\n"
        f"export interface {pascal(operation.name)}Formats {{\n{members}}}\n\n"
    )


def method(operation: Operation) -> str:
    lines = textwrap.wrap(f"{operation.summary}. {operation.description}", 112, break_on_hyphens=False)
    comment = "  /**\n" + "".join(f"   * {line}\n" for line in lines) + "   */\n"
    query = f"api.{pascal(operation.id)}Data['query']"
    name, generic, result = operation.name, "", f"api.{operation.result}"
    if operation.text_formats:
        table = f"{pascal(name)}Formats"
        default = operation.parameter("format").schema["default"]
        generic = f"<Format extends keyof {table} = '{default}'>"
        query = f"Omit<{query}, 'format'> & {{ format?: Format | undefined }}"
        result = f"{table}[Format]"
    if not any(parameter.required for parameter in operation.parameters):
        query = f"{query} = {{}}"
    return (
        f"{comment}  {name}{generic}(\n    query: {query},\n    options?: CallOptions,\n  ): Promise<{result}> {{\n"
        f"    return this.call('{operation.path}', query, options);\n  }}\n"
    )
