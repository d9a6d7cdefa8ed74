"""Assistants by the Model Context Protocol (MCP): tools, resources and prompts, read-only.

`asking` reads a lease behind the permission checks of the API, `tools` is the table of tools with
their questions and answers, `server` speaks the protocol by the official package, `command` is
`creditatlas mcp` over standard input and output. Over HTTP the service serves the same at `/mcp`
(services/api/assistants.py).
"""
