import { expect, it } from "vitest";
import { GET as readMetadata } from "#app/.well-known/oauth-protected-resource/[[...path]]/route.ts";
import { GET, OPTIONS, POST } from "#app/mcp/route.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const url = "https://hooks.example.test/mcp";
const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  },
};

function post(headers: Record<string, string> = {}, body: string = JSON.stringify(initialize)) {
  const usual = {
    ...{ "content-type": "application/json", accept: "application/json, text/event-stream" },
    ...{ authorization: `Bearer ${api.account.token}`, host: "hooks.example.test" },
  };
  return POST(new Request(url, { method: "POST", headers: { ...usual, ...headers }, body }));
}

it("tells a client without a token where to get one", async () => {
  for (const authorization of ["", "Bearer cmt_unknown"]) {
    const response = await post({ authorization });
    expect(response.status).toBe(401);
    const challenge = response.headers.get("www-authenticate") ?? "";
    expect(challenge.includes('error="invalid_token"')).toBe(authorization !== "");
    expect(challenge).toContain('scope="hooks:read hooks:write deliveries:read');
    const [, at] = /^Bearer .*resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    expect(at).toBe("https://hooks.example.test/.well-known/oauth-protected-resource/mcp");
    const metadata = await readMetadata(new Request(at ?? ""));
    expect(await metadata.json()).toMatchObject({
      resource: url,
      authorization_servers: ["https://hooks.example.test"],
    });
  }
  const other = await readMetadata(
    new Request("https://x/.well-known/oauth-protected-resource/other"),
  );
  expect(other.status).toBe(404);
});

it("rejects pages of other sites, large bodies, and other methods", async () => {
  expect((await post()).status).toBe(200);
  expect((await post({ origin: "https://hooks.example.test" })).status).toBe(200);
  for (const origin of ["https://evil.example", "http://hooks.example.test", "null"])
    expect([origin, (await post({ origin })).status]).toEqual([origin, 403]);
  expect((await post({}, JSON.stringify({ ...initialize, pad: "x".repeat(65_536) }))).status).toBe(
    413,
  );
  expect((await post({ "content-type": "text/plain" })).status).toBe(415);
  const get = await GET(
    new Request(url, { headers: { authorization: `Bearer ${api.account.token}` } }),
  );
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
  expect((await OPTIONS(new Request(url, { method: "OPTIONS" }))).status).toBe(204);
});

it("begins the response to a call that waits, so that it holds no slot", {
  tags: "variant",
}, async () => {
  const params = { name: "wait_for_event", arguments: { timeoutSeconds: 3 } };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta: meta } };
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": params.name,
  };
  const begin = { ...call, params: { ...call.params, arguments: { timeoutSeconds: 0 } } };
  const first = await (await post(headers, JSON.stringify(begin))).json();
  const { cursor } = first.result.structuredContent;
  const waiting = { ...params.arguments, cursor };
  const late = await post(
    headers,
    JSON.stringify({ ...call, params: { ...call.params, arguments: waiting } }),
  );
  expect(late.headers.get("x-accel-buffering")).toBe("no");
  expect((await late.json()).result.structuredContent).toMatchObject({ truncated: false });
});
