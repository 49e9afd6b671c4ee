"""Holds a description against the specification of OpenAPI 3.1, which has that of JSON Schema
2020-12 in it, and each example and default of a schema against the schema.

Usage: validate.py DESCRIPTION. Prints what is wrong, and fails if anything is.
"""

import json
import sys

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry
from referencing.jsonschema import DRAFT202012


def main(path):
    with open(path) as file:
        description = json.load(file)
    problems = [
        f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
        for error in OpenAPIV31SpecValidator(description).iter_errors()
    ]
    resource = DRAFT202012.create_resource(description)
    registry = Registry().with_resource("urn:description", resource)
    examples = 0
    for pointer, schema in schemas(description, ""):
        validator = Draft202012Validator(
            {"$ref": f"urn:description#{pointer}"},
            registry=registry,
            format_checker=Draft202012Validator.FORMAT_CHECKER,
        )
        for example in examples_of(schema):
            examples += 1
            problems += [
                f"{pointer}: {example!r}: {error.message}"
                for error in validator.iter_errors(example)
            ]
    for problem in problems:
        print(problem)
    if problems or examples < 100:
        sys.exit(f"{len(problems)} problems, {examples} examples")


def examples_of(schema):
    for keyword in ["example", "default"]:
        if keyword in schema:
            yield schema[keyword]
    yield from schema.get("examples", [])


def schemas(value, pointer):
    """Every schema below a value of the document, with its JSON pointer."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from schemas(item, f"{pointer}/{index}")
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        below = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
        if key == "schema" or pointer == "/components/schemas":
            yield from nested(item, below)
        else:
            yield from schemas(item, below)


def nested(schema, pointer):
    """A schema, and the schemas in it."""
    yield pointer, schema
    for key in ["items", "additionalProperties", "propertyNames"]:
        if isinstance(schema.get(key), dict):
            yield from nested(schema[key], f"{pointer}/{key}")
    for key in ["anyOf", "oneOf", "allOf"]:
        for index, item in enumerate(schema.get(key, [])):
            yield from nested(item, f"{pointer}/{key}/{index}")
    for name, item in schema.get("properties", {}).items():
        yield from nested(item, f"{pointer}/properties/{name}")


main(sys.argv[1])
