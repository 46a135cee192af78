import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { startDashboard } from "#e2e/harness/dashboard.ts";
import { postToApi } from "#e2e/harness/post-to-api.ts";
import { killAtOnce } from "#e2e/harness/process-tree.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A client's callback, which is away between its challenge and `comeBack`. */
async function startCallback() {
  const got = new Map<string, unknown>();
  let isAway = false;
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const body = Object(
        new Webhook(secret).verify(text, request.headers as Record<string, string>),
      );
      if (body.type === "verification")
        return response.end(JSON.stringify({ challenge: body.challenge }));
      if (isAway) return response.writeHead(503).end();
      got.set(body.eventId, body.data);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ got, url: `http://127.0.0.1:${port}/hook` },
    leave: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

/** Subscribes a callback to the events of an account. */
async function subscribe(client: Client, url: string) {
  return await client.request(
    {
      method: "events/subscribe",
      params: {
        ...{ name: "invoice.paid", arguments: {}, cursor: null, ttlMs: 3_600_000 },
        delivery: { mode: "webhook", url, secret },
      },
    },
    z.looseObject({ id: z.string(), refreshBefore: z.string() }),
  );
}

async function connect({ origin, apiToken }: ServerUnderTest) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${apiToken}` } },
    }),
  );
  return client;
}

test("a callback gets every event, although the server is killed twice", {
  tag: "@variant",
}, async () => {
  await using callback = await startCallback();
  const folder = makeScratchFolder("mcp-events");
  const access = makeAccess();
  let server = await startServer({ folder }, access);
  const published: string[] = [];
  const publish = async () => {
    const response = await postToApi(server, "/api/v1/events", {
      ...{ type: "invoice.paid", data: { n: published.length } },
    });
    expect(response.status).toBe(202);
    published.push((await response.json()).id);
  };
  const restart = async () => {
    killAtOnce(await server.tree());
    server = await startServer({ folder }, access);
  };
  try {
    await publish();
    const client = await connect(server);
    const made = await subscribe(client, callback.url);
    expect(made.id).toMatch(/^sub_/);
    callback.leave();
    for (let i = 0; i < 20; i += 1) await publish();
    await restart();
    for (let i = 0; i < 20; i += 1) await publish();
    await restart();
    callback.comeBack();
    await publish();
    // The first one was published before.
    const wanted = published.slice(1).toSorted();
    await expect
      .poll(() => [...callback.got.keys()].toSorted(), { timeout: 180_000 })
      .toEqual(wanted);
  } finally {
    await server.stop();
  }
});

test("a hook is the callback of another server: it answers the challenge, and takes each event in", {
  tag: "@variant",
}, async () => {
  const dashboard = await startDashboard("mcp-callback");
  const server = await startServer({ folder: makeScratchFolder("mcp-sender") }, makeAccess());
  const publish = (n: number) =>
    postToApi(server, "/api/v1/events", { type: "invoice.paid", data: { n } });
  try {
    const fields = { name: "From MCP", provider: "mcp-events", signingSecret: secret };
    const hook = await dashboard.makeHook(fields);
    await publish(1);
    await subscribe(await connect(server), hook.catchUrl);
    for (const n of [2, 3]) expect((await publish(n)).status).toBe(202);
    const path = `/deliveries?hookId=${hook.id}&status=accepted`;
    const list = async () => (await dashboard.api("GET", path)).data as unknown[];
    await expect.poll(async () => (await list()).length).toBe(2);
    const event = { eventType: "invoice.paid", status: "accepted" };
    expect(await list()).toMatchObject([event, event]);
  } finally {
    await server.stop();
    await dashboard.stop();
  }
});
