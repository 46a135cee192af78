import { createHash, randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { connectTo } from "#e2e/harness/connect-to.ts";
import { createThroughApi } from "#e2e/harness/post-to-api.ts";
import { startReceiver } from "#e2e/harness/receiver.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "#e2e/harness/server-under-test.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { apiScopes } from "#lib/schema/account/scopes.ts";
import { formatTable } from "./outcome/table.ts";
import { fill } from "./seed/fill.ts";

/**
 * `npm run bench:tools`: how much each MCP tool returns, on a real server whose account has 5,000 deliveries,
 * failures, and bodies of 1 MiB. Ends with an error if a result is over the limits of the tools.
 */
const deliveries = 5_000;
const failures = 40;
const largeBytes = 1024 * 1024;
const maxDefaultBytes = 8 * 1024;
const maxBytes = 48 * 1024;

const folder = makeScratchFolder("tools");
const receiver = await startReceiver();
receiver.respondWith(404, "not here", "/orders");
const server = await startServer({ folder }, makeAccess());
try {
  const found = await seed(server);
  const rows = await measure(server, found);
  say(formatTable(["tool", "bytes", "about tokens", "bytes at most", "about tokens"], rows));
} finally {
  receiver.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A token of the account's owner: drafts are left for a person. */
async function makeToken(access: ServerUnderTest): Promise<string> {
  const token = `bench_${randomBytes(24).toString("hex")}`;
  await using client = await connectTo(access.databaseUrl());
  await client.query(
    `insert into api_tokens (id, account_id, created_by, name, token_hash, hint, scopes)
    select gen_random_uuid(), account_id, user_id, 'bench', $1, right($2, 4), $3::text[] from memberships limit 1`,
    [createHash("sha256").update(token).digest(), token, apiScopes],
  );
  return token;
}

type Found = { readonly hookId: string; readonly actionId: string; readonly large: string };

async function seed(access: ServerUnderTest): Promise<Found> {
  const hook = await createThroughApi(access, "/api/v1/hooks", {
    name: "Shop",
    dedupe: { from: "body", path: "id" },
  });
  const action = await createThroughApi(access, `/api/v1/hooks/${String(hook.id)}/actions`, {
    name: "Orders",
    request: {
      method: "POST",
      url: receiver.url("/orders"),
      body: { mail: "{{ payload.customer.mail }}" },
    },
  });
  const url = access.databaseUrl();
  const history = { count: deliveries, days: 5, hooks: 3, open: 0, openUrl: "", isOwn: false };
  await fill({ url, account: "main", ...history, say });
  let large = "";
  for (let at = 0; at < failures; at += 1) {
    const text = "x".repeat(at % 8 === 0 ? largeBytes : 200);
    const items = Array.from({ length: at % 8 === 1 ? 2_000 : 3 }, (_, n) => ({ sku: `A-${n}` }));
    const body = JSON.stringify({
      id: `o_${at}`,
      type: "order",
      customer: { mail: "a@b.c" },
      items,
      text,
    });
    const response = await fetch(String(hook.catchUrl), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { deliveryId } = (await response.json()) as { deliveryId: string };
    if (at % 8 === 0) large = deliveryId;
  }
  await waitUntil("the runs to fail", 120_000, async () => {
    const { data } = await read(
      access,
      `/runs?status=failed&actionId=${String(action.id)}&limit=100`,
    );
    return (data as unknown[]).length === failures ? true : undefined;
  });
  return { hookId: String(hook.id), actionId: String(action.id), large };
}

async function read({ origin, apiToken }: ServerUnderTest, path: string) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${apiToken}` },
  });
  return (await response.json()) as Record<string, unknown>;
}

async function measure(
  access: ServerUnderTest,
  { hookId, actionId, large }: Found,
): Promise<readonly (readonly string[])[]> {
  const client = new Client(
    { name: "bench", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${await makeToken(access)}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${access.origin}/mcp`), { requestInit }),
  );
  const { tools } = await client.listTools();
  const request = {
    method: "POST",
    url: receiver.url("/orders"),
    body: { mail: "{{ payload.text }}" },
  };
  const inputs: Readonly<Record<string, Record<string, unknown>>> = {
    search_deliveries: { limit: 100 },
    get_delivery: { id: large },
    why: { deliveryId: large },
    list_problems: {},
    list_hooks: {},
    get_hook: { id: hookId },
    get_action: { id: actionId },
    preview_mapping: { actionId, deliveryId: large, draft: { request } },
    backtest_mapping: { actionId, draft: { request }, last: 100 },
    propose_mapping: { actionId, draft: { request } },
    replay: { deliveryIds: [large] },
    publish_event: { type: "order.created", data: { object: { id: "o_1" } } },
    wait_for_event: { timeoutSeconds: 1 },
    search_docs: { query: "retry" },
  };
  const rows = [row("the list of tools", Buffer.byteLength(JSON.stringify(tools)), null)];
  for (const { name, inputSchema } of tools) {
    const input = inputs[name] ?? {};
    const usual = await weigh(client, name, input);
    const takesMore = "maxBytes" in (inputSchema.properties ?? {});
    const most = takesMore ? await weigh(client, name, { ...input, maxBytes }) : null;
    rows.push(row(name, usual, most));
    if (usual > maxDefaultBytes || (most ?? 0) > maxBytes) process.exitCode = 1;
  }
  await client.close();
  return rows;
}

/** The bytes of a result's text and data, which a model reads. */
async function weigh(
  client: Client,
  name: string,
  input: Record<string, unknown>,
): Promise<number> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input });
  if (isError === true) say(`${name}: ${JSON.stringify(content)}`);
  return Buffer.byteLength(JSON.stringify({ content, structuredContent }));
}

function row(name: string, usual: number, most: number | null): string[] {
  const cells = (bytes: number) => [
    bytes.toLocaleString("en"),
    Math.round(bytes / 4).toLocaleString("en"),
  ];
  return [name, ...cells(usual), ...(most === null ? [] : cells(most))];
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
