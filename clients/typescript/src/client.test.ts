import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "./client.ts";
import type { CatchmentError } from "./errors.ts";
import type { ClientOptions } from "./options.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, text: string) => void;
type Seen = {
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly text: string;
};

/** A client of a server that responds to each request with the next of the handlers, and then with the last. */
async function connect(handlers: readonly Handler[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const text = Buffer.concat(chunks).toString();
    const { method = "", url = "", headers } = request;
    const handler = handlers[Math.min(seen.length, handlers.length - 1)];
    seen.push({ method, url, key: headers["idempotency-key"]?.toString(), text });
    handler?.(request, response, text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { client: createClient({ url, token: "cmt_test", ...options }), seen };
}

const json =
  (status: number, value: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(value));
const problem = (status: number, code: string, headers = {}) =>
  json(status, { type: "", title: "", status, code, detail: `It is ${code}.` }, headers);
const hangUp: Handler = (request) => request.socket.destroy();
const soon = { "retry-after": "0" };

const errorOf = (work: PromiseLike<unknown>): Promise<CatchmentError> =>
  Promise.resolve(work).then(
    () => expect.fail("It succeeded"),
    (error) => error,
  );

it("fills the path, the query, and the body", async () => {
  const { client, seen } = await connect([json(200, {})]);
  await client.getRecipient({ id: "cust/4 2?é" });
  await client.listRuns({ status: "failed", limit: 5, cursor: undefined });
  await client.putRecipient({ id: "cust_42", name: "Acme" });
  await client.pauseHook({ id: "h1" });
  expect(seen.map(({ method, url, text }) => `${method} ${url} ${text}`)).toEqual([
    "GET /api/v1/recipients/cust%2F4%202%3F%C3%A9 ",
    "GET /api/v1/runs?status=failed&limit=5 ",
    'PUT /api/v1/recipients/cust_42 {"name":"Acme"}',
    "POST /api/v1/hooks/h1/pause ",
  ]);
  await expect(client.getHook({ id: "" })).rejects.toThrow(TypeError);
});

it("repeats a change after 429, 503, and a lost connection, with one key", {
  tags: "variant",
}, async () => {
  const { client, seen } = await connect([
    problem(429, "rate_limited", soon),
    hangUp,
    problem(503, "unavailable", soon),
    json(202, { id: "evt_1" }),
  ]);
  expect(await client.publishEvent({ type: "a.b", data: {} })).toEqual({ id: "evt_1" });
  expect(seen.map(({ text }) => text)).toEqual(Array(4).fill('{"type":"a.b","data":{}}'));
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  expect(seen[0]?.key).toMatch(/^[\da-f-]{36}$/);
  await client.publishEvent({ type: "a.b", data: {} }, { idempotencyKey: "mine" });
  await client.getHook({ id: "x" });
  expect(seen.slice(4).map(({ key }) => key)).toEqual(["mine", undefined]);
});

it("waits for its own earlier request that is still running", async () => {
  const { client, seen } = await connect([hangUp, problem(409, "conflict", soon), json(202, {})]);
  await client.publishEvent({ type: "a.b", data: {} });
  expect(seen).toHaveLength(3);
});

it("gives up after three more tries, and repeats nothing that waiting won't change", async () => {
  const down = await connect([problem(503, "unavailable", soon)]);
  expect(await errorOf(down.client.listHooks())).toMatchObject({
    status: 503,
    code: "unavailable",
  });
  expect(down.seen).toHaveLength(4);
  for (const [status, code] of [
    [400, "invalid_request"],
    [401, "unauthenticated"],
    [404, "not_found"],
    [409, "conflict"],
    [500, "internal"],
  ] as const) {
    const { client, seen } = await connect([problem(status, code)]);
    expect(await errorOf(client.getHook({ id: "x" }))).toMatchObject({
      status,
      code,
      message: `It is ${code}.`,
    });
    expect(seen).toHaveLength(1);
  }
});

it("names what something else than Catchment sent, and what never came", async () => {
  const html: Handler = (_request, response) => response.writeHead(502).end("<h1>Bad gateway</h1>");
  const { client } = await connect([html]);
  expect(await errorOf(client.listHooks())).toMatchObject({
    status: 502,
    code: "unexpected_response",
    message: "HTTP 502 from something other than Catchment: <h1>Bad gateway</h1>",
  });
  const page: Handler = (_request, response) => response.writeHead(200).end("<h1>Sign in</h1>");
  const login = await connect([page]);
  expect(await errorOf(login.client.listHooks())).toMatchObject({ code: "unexpected_response" });
  let tries = 0;
  const silent = await connect([() => {}], {
    timeoutMs: 20,
    // A busy machine may take longer to connect, so the server may not see every try.
    fetch: (...args) => {
      tries += 1;
      return fetch(...args);
    },
  });
  expect(await errorOf(silent.client.listHooks())).toMatchObject({
    status: 0,
    code: "connection_failed",
    message: "No response within 20 ms",
  });
  expect(tries).toBe(4);
});

it("takes responses of any fetch, such as undici's, which has a class of its own for them", async () => {
  const ofOther = ({ status, ok, headers, body }: Response, text: string) =>
    ({ status, ok, headers, body, text: async () => text }) as Response;
  const { client } = await connect([problem(404, "not_found")], {
    fetch: async (request) => {
      const response = await fetch(request);
      return ofOther(response, await response.text());
    },
  });
  expect(await errorOf(client.getHook({ id: "x" }))).toMatchObject({ code: "not_found" });
});

it("ends at once when the caller cancels, also while it waits to try again", async () => {
  const { client, seen } = await connect([problem(429, "rate_limited", { "retry-after": "50" })]);
  const controller = new AbortController();
  const call = errorOf(client.getHook({ id: "x" }, { signal: controller.signal }));
  await expect.poll(() => seen.length).toBe(1);
  controller.abort(new Error("enough"));
  expect(await call).toMatchObject({ message: "enough" });
});

it("leaves a wait of more than a minute to the caller", async () => {
  const { client, seen } = await connect([problem(429, "rate_limited", { "retry-after": "61" })]);
  expect(await errorOf(client.listHooks())).toMatchObject({ code: "rate_limited" });
  expect(seen).toHaveLength(1);
});

it("reads all pages in a loop, and one page when awaited", async () => {
  const pages: readonly Handler[] = [
    json(200, { data: [{ id: "1" }, { id: "2" }], nextCursor: "a" }),
    json(200, { data: [], nextCursor: "b" }),
    json(200, { data: [{ id: "3" }], nextCursor: null }),
  ];
  const { client, seen } = await connect(pages);
  const ids: string[] = [];
  for await (const { id } of client.listRuns({ status: "failed" })) ids.push(id);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(seen.map(({ url }) => new URL(url, "http://x").search)).toEqual([
    "?status=failed",
    "?status=failed&cursor=a",
    "?status=failed&cursor=b",
  ]);
  const { client: second, seen: asked } = await connect(pages);
  const list = second.listRuns();
  expect(asked).toHaveLength(0);
  expect((await list).nextCursor).toBe("a");
  await list;
  expect(asked).toHaveLength(1);
});

it("reads the rows of an export as they arrive, and never takes a part for the whole", async () => {
  const write =
    (text: string): Handler =>
    (_request, response) => {
      // The first half ends in the middle of a letter.
      const bytes = Buffer.from(text);
      response.write(bytes.subarray(0, 12));
      setImmediate(() => response.end(bytes.subarray(12)));
    };
  const rowsOf = async (text: string) => {
    const { client } = await connect([write(text)]);
    const ids: string[] = [];
    const error = await (async () => {
      for await (const { id } of client.exportRuns()) ids.push(id);
    })().catch((thrown) => thrown);
    return [ids, error?.code];
  };
  expect(await rowsOf('{"id":"Jürü"}\n{"id":"2"}\n')).toEqual([["Jürü", "2"], undefined]);
  expect(await rowsOf('{"id":"1"}\n{"id":"2')).toEqual([["1"], "connection_failed"]);
  const error = '{"error":{"code":"unauthenticated","detail":"The token was revoked."}}\n';
  expect(await rowsOf(`{"id":"1"}\n${error}`)).toEqual([["1"], "unauthenticated"]);
});
