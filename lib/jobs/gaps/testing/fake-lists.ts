import { serveHttp } from "#lib/net/testing/test-servers.ts";

export type Happened = { readonly id: string; readonly atMs: number };

type Reply = { readonly status: number; readonly body: unknown };
type Respond = (path: string, query: URLSearchParams, authorization: string) => Reply;

export type FakeList = {
  readonly origin: string;
  readonly requests: () => number;
  [Symbol.asyncDispose](): Promise<void>;
};

async function serve(respond: Respond): Promise<FakeList> {
  let count = 0;
  const server = await serveHttp((request, response) => {
    count += 1;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://provider");
    const said = respond(pathname, searchParams, request.headers.authorization ?? "");
    response.writeHead(said.status, { "content-type": "application/json" });
    response.end(JSON.stringify(said.body));
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    requests: () => count,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const paddleDays = 90;

/** Paddle's `GET /events`: after an id, newest first, at most 200 in a page, 90 days. */
export function startFakePaddle(happened: readonly Happened[]): Promise<FakeList> {
  return serve((path, query, authorization) => {
    if (authorization !== "Bearer pdl_sdbx_apikey_1") return fail(403, "authentication_missing");
    if (path !== "/events") return fail(404, "not_found");
    const perPage = Number(query.get("per_page") ?? 50);
    if (query.get("order_by") !== "id[DESC]" || perPage > 200) return fail(400, "bad_request");
    const listed = happened
      .filter(({ atMs }) => atMs > Date.now() - paddleDays * 86_400_000)
      .toSorted((one, other) => other.atMs - one.atMs);
    const start = listed.findIndex(({ id }) => id === query.get("after")) + 1;
    const data = listed.slice(start, start + perPage).map(toPaddleEvent);
    const next = `https://api.paddle.com/events?after=${data.at(-1)?.event_id}`;
    const pagination = { per_page: perPage, next, has_more: start + perPage < listed.length };
    return { status: 200, body: { data, meta: { request_id: "r", pagination } } };
  });
}

/** An event in Paddle's list. Its webhook has a `notification_id` too. */
export function toPaddleEvent({ id, atMs }: Happened) {
  return {
    event_id: id,
    event_type: "transaction.completed",
    occurred_at: new Date(atMs).toISOString(),
    data: { id: `txn_${id.slice(4)}`, status: "completed" },
  };
}

/** Chargebee's `GET /api/v2/events`: by `occurred_at`, oldest first, at most 100 in a page. */
export function startFakeChargebee(happened: readonly Happened[]): Promise<FakeList> {
  const expected = `Basic ${Buffer.from("test_key:").toString("base64")}`;
  return serve((path, query, authorization) => {
    if (authorization !== expected) return fail(401, "api_authentication_failed");
    if (path !== "/api/v2/events") return fail(404, "site_not_found");
    const limit = Number(query.get("limit") ?? 10);
    if (query.get("sort_by[asc]") !== "occurred_at" || limit > 100) return fail(400, "param_wrong");
    const after = Number(query.get("occurred_at[after]"));
    const listed = happened
      .filter(({ atMs }) => Math.floor(atMs / 1_000) > after)
      .toSorted((one, other) => one.atMs - other.atMs);
    const start = Number(JSON.parse(query.get("offset") ?? '["0"]')[0]);
    const list = listed
      .slice(start, start + limit)
      .map((one) => ({ event: toChargebeeEvent(one) }));
    const more = start + limit < listed.length;
    const next = more ? { next_offset: JSON.stringify([String(start + limit)]) } : {};
    return { status: 200, body: { list, ...next } };
  });
}

export function toChargebeeEvent({ id, atMs }: Happened) {
  return {
    id,
    occurred_at: Math.floor(atMs / 1_000),
    source: "admin_console",
    object: "event",
    api_version: "v2",
    content: { customer: { id: `c_${id}`, object: "customer" } },
    event_type: "customer_changed",
    webhook_status: "failed",
    webhooks: [{ id: "wh_1", webhook_status: "failed", object: "webhook" }],
  };
}

function fail(status: number, code: string): Reply {
  return { status, body: { error: { code } } };
}
