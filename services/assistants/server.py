"""The protocol, by the official package: what is listed, called, read; every failure as words."""

import asyncio
import json
import re
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from typing import Any, Final, TypeVar

import mcp_types as protocol
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic_core import from_json, to_json

from services.contract.errors import (
    CreditAtlasError,
    Forbidden,
    InternalError,
    InvalidRequest,
    MirrorMissing,
    NoHistory,
    NotFound,
    NotOffered,
    NotRescored,
    RateLimited,
)
from services.contract.queries import shortened

from .asking import Caller
from .prompts import PROMPTS, Prompt
from .resources import ENTRIES, LISTS, resource
from .schemas import input_schema, output_schema
from .told import NOTICE
from .tools import LARGEST, TOOL, TOOLS, Tool, too_large

A = TypeVar("A")
Context = ServerRequestContext[Any, Any]
#: Who asks, by the HTTP request that brought the message; None over standard input.
Callers = Callable[[Any], Caller]
#: What a caller over the network is told as it is; whatever else goes wrong is our failure.
_TOLD: Final = (
    Forbidden,
    InvalidRequest,
    MirrorMissing,
    NotFound,
    NotRescored,
    RateLimited,
)
_JSON: Final = "application/json"
_ABOUT: Final = (
    "Credit Atlas: commercial real estate loans, their signals, owners and history. All tools "
    "read; none writes. Amounts are whole US dollars; `creditatlas://glossary` says the unit of "
    f"every field. Null means not known, never zero. {NOTICE} Cite loan numbers and as-of dates, "
    "and give the link of an answer to whoever asks for it."
)
#: Characters that show nothing and may hide words: in the text of an answer they are written out.
_HIDDEN: Final = re.compile(
    "[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def server(callers: Callers, dashboard: str | None) -> Server[Any]:
    """The server; `dashboard` is the address that links to pages begin with."""
    asked = _Asked(callers, dashboard)
    found: Server[Any] = Server(
        "credit-atlas",
        title="Credit Atlas",
        version=version("creditatlas"),
        instructions=_ABOUT,
        get_tool_input_schema=lambda _: None,
        on_list_tools=_list_tools,
        on_call_tool=asked.call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=asked.read_resource,
        on_list_prompts=_list_prompts,
        on_get_prompt=asked.get_prompt,
    )
    # The package traces every message by OpenTelemetry, to wherever an exporter beside us sends it.
    found.middleware.clear()
    return found


class _Asked:
    """What is asked of the book."""

    def __init__(self, callers: Callers, dashboard: str | None) -> None:
        self._callers = callers
        self._dashboard = dashboard

    async def call_tool(
        self, ctx: Context, asked: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        """A tool's answer, or its refusal."""
        tool = TOOL.get(asked.name)
        if tool is None:
            raise MCPError(protocol.INVALID_PARAMS, f"There is no tool '{shortened(asked.name)}'")
        caller = self._callers(ctx.request)
        caller.noted(f"{ctx.method} {tool.name}")
        try:
            return await _run(
                caller, partial(_called, tool, caller, self._dashboard, asked.arguments)
            )
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is told as the API tells it
            return _refused(_shown(caller, error), caller.request_id)

    async def read_resource(
        self, ctx: Context, asked: protocol.ReadResourceRequestParams
    ) -> protocol.ReadResourceResult:
        """A resource as JSON."""
        uri, caller = str(asked.uri), self._callers(ctx.request)
        caller.noted(ctx.method)
        try:
            entries = await _run(caller, partial(resource, caller, uri))
        except Exception as error:  # noqa: BLE001 - as of a tool
            raise _failed(_shown(caller, error), caller.request_id) from None
        text = protocol.TextResourceContents(uri=uri, mime_type=_JSON, text=_text(to_json(entries)))
        return protocol.ReadResourceResult(contents=[text])

    async def get_prompt(
        self, ctx: Context, asked: protocol.GetPromptRequestParams
    ) -> protocol.GetPromptResult:
        """A prompt with its argument filled in."""
        prompt, caller = PROMPTS.get(asked.name), self._callers(ctx.request)
        if prompt is None:
            raise MCPError(protocol.INVALID_PARAMS, f"There is no prompt '{shortened(asked.name)}'")
        caller.noted(f"{ctx.method} {prompt.name}")
        try:
            text = prompt.text(asked.arguments or {})
        except InvalidRequest as error:
            raise _failed(error, caller.request_id) from None
        said = protocol.TextContent(type="text", text=text)
        return protocol.GetPromptResult(
            description=prompt.description,
            messages=[protocol.PromptMessage(role="user", content=said)],
        )


async def _list_tools(*_: object) -> protocol.ListToolsResult:
    return protocol.ListToolsResult(tools=_tools())


async def _list_resources(*_: object) -> protocol.ListResourcesResult:
    return protocol.ListResourcesResult(
        resources=[
            protocol.Resource(name=uri, title=title, uri=uri, description=about, mime_type=_JSON)
            for uri, (title, about) in LISTS.items()
        ]
    )


async def _list_templates(*_: object) -> protocol.ListResourceTemplatesResult:
    return protocol.ListResourceTemplatesResult(
        resource_templates=[
            protocol.ResourceTemplate(
                name=title, uri_template=uri, description=about, mime_type=_JSON
            )
            for uri, (title, about) in ENTRIES.items()
        ]
    )


async def _list_prompts(*_: object) -> protocol.ListPromptsResult:
    return protocol.ListPromptsResult(prompts=[_listed(one) for one in PROMPTS.values()])


async def _run(caller: Caller, read: Callable[[], A]) -> A:
    return await asyncio.get_running_loop().run_in_executor(caller.executor, read)


def _called(
    tool: Tool[Any], caller: Caller, dashboard: str | None, given: dict[str, Any] | None
) -> protocol.CallToolResult:
    told = to_json(tool.told(caller, dashboard, given or {}), inf_nan_mode="null")
    if len(told) > LARGEST:
        raise too_large()
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=_text(told))],
        structured_content=from_json(told),
    )


def _text(told: bytes) -> str:
    """The same JSON for assistants that read text alone."""
    return _HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], told.decode())


def _shown(caller: Caller, error: Exception) -> CreditAtlasError:
    """What the caller is told of an error, as the API's endpoints do."""
    if isinstance(error, NoHistory | NotOffered):
        return NotFound(error.message)
    if isinstance(error, _TOLD) or (caller.local and isinstance(error, CreditAtlasError)):
        return error
    caller.failed(error)
    return InternalError(
        "The service could not answer; try again, and name the request_id to support"
    )


def _said(error: CreditAtlasError, request_id: str | None) -> dict[str, Any]:
    said: dict[str, Any] = {"code": error.code, "message": error.message, "request_id": request_id}
    if isinstance(error, RateLimited):
        said["retry_after"] = error.retry_after
    return said


def _refused(error: CreditAtlasError, request_id: str | None) -> protocol.CallToolResult:
    return protocol.CallToolResult(
        content=[protocol.TextContent(type="text", text=error.message)],
        structured_content={"error": _said(error, request_id)},
        is_error=True,
    )


def _failed(error: CreditAtlasError, request_id: str | None) -> MCPError:
    return MCPError(protocol.INVALID_PARAMS, error.message, _said(error, request_id))


@cache
def _tools() -> list[protocol.Tool]:
    return [
        protocol.Tool(
            name=one.name,
            title=one.title,
            description=one.description,
            input_schema=input_schema(one),
            output_schema=output_schema(one),
            annotations=protocol.ToolAnnotations(
                read_only_hint=True,
                destructive_hint=False,
                idempotent_hint=True,
                open_world_hint=False,
            ),
        )
        for one in TOOLS
    ]


def _listed(prompt: Prompt) -> protocol.Prompt:
    argument = protocol.PromptArgument(
        name=prompt.argument, description=prompt.about_argument, required=prompt.required
    )
    return protocol.Prompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[argument],
    )
