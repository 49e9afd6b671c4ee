"""Calls the operations of a description through the client that was generated from it, and holds
every answer against the description."""

import importlib
import json
import sys
import typing
from enum import Enum
from io import BytesIO
from pathlib import Path

import attrs
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012


class Api:
    """The server behind a generated client."""

    def __init__(self, description, client, address, key):
        self.description = json.loads(Path(description).read_text())
        resource = DRAFT202012.create_resource(self.description)
        self.registry = Registry().with_resource("urn:description", resource)
        sys.path.insert(0, str(Path(client).parent))
        self.package = importlib.import_module(Path(client).name)
        self.types = importlib.import_module(f"{self.package.__name__}.types")
        self.client = self.package.AuthenticatedClient(
            base_url=f"http://{address}",
            token=key,
            auth_header_name="X-Api-Key",
            prefix="",
            raise_on_unexpected_status=True,
        )
        self.operations = {
            operation["operationId"]: (f"/paths/{escaped(path)}/{method}", operation)
            for path, methods in self.description["paths"].items()
            for method, operation in methods.items()
        }
        self.called = set()
        # Members that answers may leave out, and whether one did.
        self.left_out = {}

    def call(self, name, *ids, expect=200, body=None, **parameters):
        """Calls an operation with what its path names, a body and parameters; the typed answer."""
        pointer, operation = self.operations[name]
        module = f"{self.package.__name__}.api.{operation['tags'][0]}.{name}"
        function = importlib.import_module(module).sync_detailed
        types = typing.get_type_hints(function)
        parameters = {key: parameter(types[key], value) for key, value in parameters.items()}
        if body is not None:
            parameters["body"] = self.typed(types["body"], body)
        answer = function(*ids, client=self.client, **parameters)
        case = f"{name} {ids} {body}: {answer.status_code} {answer.content.decode()}"
        assert answer.status_code == expect, case
        self.hold_against(pointer, operation["responses"][str(expect)], expect, answer, case)
        if expect < 300:
            self.called.add(name)
        return answer.parsed

    def typed(self, annotation, body):
        """The body in the type of the client that takes all of its members."""
        if isinstance(body, self.types.File):
            return body
        models = [model for model in typing.get_args(annotation) or [annotation]
                  if attrs.has(model) and model is not self.types.File]
        if any(isinstance(value, self.types.File) for value in body.values()):
            return next(model for model in models if "Form" in model.__name__)(**body)
        body = json.loads(json.dumps(body, default=str))
        for model in models:
            try:
                made = model.from_dict(body)
            except (KeyError, TypeError, ValueError):
                continue
            if not made.additional_properties:
                return made
        raise AssertionError(f"{annotation} doesn't take {body}")

    def file(self, name, content):
        """A file to upload."""
        return self.types.File(BytesIO(content.encode()), name, "text/csv")

    def hold_against(self, pointer, response, status, answer, case):
        """Fails if the answer differs from the description."""
        place = f"{pointer}/responses/{status}"
        if "$ref" in response:
            place = response["$ref"].removeprefix("#")
            response = self.description["components"]["responses"][place.rsplit("/", 1)[1]]
        content = response.get("content")
        if content is None:
            assert answer.content == b"", case
            return
        assert answer.parsed is not None, case
        if "application/json" in content:
            schema = f"urn:description#{place}/content/application~1json/schema"
            checker = Draft202012Validator.FORMAT_CHECKER
            validator = Draft202012Validator(
                {"$ref": schema}, registry=self.registry, format_checker=checker
            )
            problems = [f"{error.json_path}: {error.message}"
                        for error in validator.iter_errors(json.loads(answer.content))]
            assert not problems, f"{problems}\n{case}"
        self.look_through(answer.parsed, case)

    def look_through(self, value, case):
        """Fails if a typed answer has members that the description doesn't know, and notes which
        optional members it leaves out."""
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, list):
            for item in value:
                self.look_through(item, case)
        if not attrs.has(type(value)):
            return
        extra = getattr(value, "additional_properties", {})
        fields = [field for field in attrs.fields(type(value))
                  if field.name != "additional_properties"]
        # A model without members of its own is a map.
        assert not extra or not fields, f"{type(value).__name__} has {list(extra)}: {case}"
        for field in fields:
            member = getattr(value, field.name)
            if field.default is self.types.UNSET:
                name = (type(value).__name__, field.name)
                is_left_out = member is self.types.UNSET
                self.left_out[name] = self.left_out.get(name, False) or is_left_out
            self.look_through(member, case)

    def finish(self):
        """Fails if an operation was not called with success, or if a member is described as
        optional that every answer had."""
        missing = sorted(set(self.operations) - self.called)
        assert not missing, f"not called: {missing}"
        always = [f"{model}.{member}" for (model, member), was in self.left_out.items() if not was]
        assert not always, f"described as optional, but always there: {always}"


def parameter(annotation, value):
    """The value of a parameter in the type of the client: names become enumerations."""
    if isinstance(value, list):
        [annotation] = [one for one in typing.get_args(annotation) if typing.get_args(one)]
        return [parameter(annotation, item) for item in value]
    for one in typing.get_args(annotation):
        if isinstance(one, type) and issubclass(one, Enum):
            return one(value)
    return value


def escaped(name):
    """A name in a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
