import { expect, it } from "vitest";
import { parseEnv } from "#lib/core/env/parse-env.ts";
import { portalTestClient, testClient } from "./test-client.ts";

it("tests and challenges go through the proxy", async () => {
  // Nothing listens there, so nothing leaves this machine.
  const read = parseEnv({ CATCHMENT_EGRESS_PROXY: "http://127.0.0.1:1" });
  if (!read.ok) throw new Error("invalid settings");
  const request = { method: "GET", url: "http://1.1.1.1/", headers: [], body: null };
  for (const client of [testClient(read.env), portalTestClient(read.env)]) {
    const result = await client.call(request, { timeoutMs: 5_000 });
    const message = "The proxy of this server can't be reached (ECONNREFUSED).";
    expect(result).toMatchObject({ ok: false, error: { code: "connect", message } });
    await client.close();
  }
});
