"""The official Python client, in both eras of the protocol, against a running server. Told where and with which token by
its argument (JSON); prints the negotiated versions as JSON."""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

told = json.loads(sys.argv[1])


async def use(mode: str) -> str:
    headers = {"authorization": f"Bearer {told['token']}"}
    async with create_mcp_http_client(headers=headers) as http:
        transport = streamable_http_client(told["url"], http_client=http)
        async with Client(transport, mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert len(tools) == 5, tools
            # The client validates the structured content with the tool's output schema.
            brand = await client.call_tool("extract_brand", {"url": told["page"]})
            assert not brand.is_error and brand.structured_content["title"] == "Lamps", brand
            heard = []

            async def progress(done, total, message):
                heard.append((done, message))

            slow = {"url": told["page"] + "slow", "fresh": True}
            svgs = await client.call_tool("extract_svgs", slow, progress_callback=progress)
            assert svgs.structured_content["count"] == 1 and heard, (svgs, heard)
            wrong = await client.call_tool("extract_code", {"url": told["page"], "section": "faq"})
            assert wrong.is_error and "Next: " in wrong.content[0].text, wrong
            resources = (await client.list_resources()).resources
            read = await client.read_resource(resources[0].uri)
            assert json.loads(read.contents[0].text)["url"].startswith("http"), read
            prompt = await client.get_prompt("theme_from_site", {"url": told["page"]})
            assert told["page"] in prompt.messages[0].content.text, prompt
            return str(client.protocol_version)


async def main() -> None:
    print(json.dumps({"legacy": await use("legacy"), "latest": await use("auto")}))


asyncio.run(main())
