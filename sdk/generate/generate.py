"""Writes what is generated of the packages from the OpenAPI document.

    generate.py DOCUMENT FOLDER

reads what `limner openapi` prints and writes below FOLDER: the document without its recorded examples, the types and
methods of the TypeScript and Python packages, the Postman collection, and the parameters of the n8n node. The same
document always gives the same bytes.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import n8n
import postman
import python_package
import typescript_package
from document import Document, without_examples

TOOLS = Path(__file__).resolve().parent.parent


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    write(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def run(*command: str | Path) -> None:
    done = subprocess.run([str(part) for part in command], cwd=TOOLS, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def main(source: Path, folder: Path) -> None:
    value = without_examples(json.loads(source.read_text(encoding="utf-8")))
    # Whatever the settings of the machine that generates: the API of a local `limner up`.
    document = Document(value | {"servers": [{"url": "http://127.0.0.1:8080/v1"}]})
    write_json(folder / "openapi.json", document.value)
    write_json(folder / "postman/limner.postman_collection.json", postman.collection(document))
    write(folder / "n8n/nodes/Limner/properties.ts", n8n.properties(document))

    types = folder / "typescript/src/generated"
    package = folder / "python/src/limner"
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        write_json(work / "types.json", document.with_one_error_response())
        run(
            "node",
            "node_modules/@hey-api/openapi-ts/bin/run.js",
            "-i",
            work / "types.json",
            "-o",
            work / "types",
            "-p",
            "@hey-api/typescript",
            "--no-log-file",
            "--silent",
        )
        write(types / "types.ts", (work / "types/types.gen.ts").read_text(encoding="utf-8"))
        write_json(work / "models.json", python_package.schemas(document))
        run(
            Path(sys.executable).parent / "datamodel-codegen",
            "--input",
            work / "models.json",
            "--output",
            work / "models.py",
            *python_package.MODEL_OPTIONS,
        )
        write(package / "models.py", python_package.models(document, (work / "models.py").read_text(encoding="utf-8")))
    write(types / "operations.ts", typescript_package.operations(document))
    write(types / "errors.ts", typescript_package.errors(document))
    write(package / "_operations.py", python_package.operations(document))
    write(package / "_error_codes.py", python_package.errors(document))
    generated = [package / name for name in ("models.py", "_operations.py", "_error_codes.py")]
    run(Path(sys.executable).parent / "ruff", "format", "--isolated", "--line-length", "120", *generated)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
