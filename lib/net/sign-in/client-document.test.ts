import { expect, test } from "vitest";
import { parseCidrList } from "#lib/core/sending/address/allow-list.ts";
import { createHttpClient } from "../http-client.ts";
import { serveHttp } from "../testing/test-servers.ts";
import { getClientDocument } from "./client-document.ts";

/** What comes of a server's response, and of one that may not be called. */
async function getFrom(path: string, allowed = "127.0.0.0/8") {
  await using server = await serveHttp((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/client.json" });
    response.end(request.url === "/large" ? `"${"x".repeat(20_000)}"` : path.slice(1));
  });
  const list = parseCidrList(allowed);
  const client = createHttpClient({ allow: list.ok ? list.cidrs : [] });
  try {
    return await getClientDocument(client, `http://127.0.0.1:${server.port}${path}`);
  } finally {
    await client.close();
  }
}

test("a document is JSON of at most 16 KiB at an address that may be called", async () => {
  expect(await getFrom("/7")).toEqual({ ok: true, value: 7 });
  expect(await getFrom("/text")).toEqual({ ok: false, what: "isn't JSON" });
  expect(await getFrom("/moved")).toEqual({ ok: false, what: "responds with 302" });
  expect((await getFrom("/large")).ok).toBe(false);
  expect(await getFrom("/7", "")).toEqual({ ok: false, what: "can't be reached" });
});
