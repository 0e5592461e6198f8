from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


def _name_in_json(field: str) -> str:
    # Python's own words have an underscore behind them here.
    return to_camel(field.rstrip("_"))


class Model(BaseModel):
    """A part of a result: fields are in snake case here, in camel case in JSON. Unknown ones are kept."""

    model_config = ConfigDict(alias_generator=_name_in_json, populate_by_name=True, extra="allow")
