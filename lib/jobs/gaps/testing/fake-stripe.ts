import { serveHttp, type TestServer } from "#lib/net/testing/test-servers.ts";

export type StripeEvent = {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly type: string;
  /** The list has it from this request on. Default: from the first one. */
  readonly listedFrom?: number;
};

type Behavior = {
  events: StripeEvent[];
  /** Keys that may read events, and keys that are known but may not. */
  keys: string[];
  forbiddenKeys: string[];
  /** Responds with 429 to so many requests, with this `Retry-After`. */
  limited: { left: number; retryAfter: string | null };
  /** Called with the number of each request. While it is pending, no one gets a response. */
  onRequest: (request: number) => Promise<void> | void;
};

export type FakeStripe = Behavior & {
  readonly origin: string;
  readonly requests: () => number;
  [Symbol.asyncDispose](): Promise<void>;
};

const retentionSeconds = 30 * 86_400;

/**
 * Stripe's `GET /v1/events` as docs.stripe.com/api/events/list, /api/pagination, /api/errors, and
 * /rate-limits describe it: newest first, `starting_after`, 30 days, 401 and 403, 429, and a list
 * that has an event a moment after its webhook.
 */
export async function startFakeStripe(events: readonly StripeEvent[]): Promise<FakeStripe> {
  let count = 0;
  const behavior: Behavior = {
    events: [...events],
    keys: ["rk_test_reader"],
    forbiddenKeys: ["rk_test_other"],
    limited: { left: 0, retryAfter: null },
    onRequest: () => {},
  };
  const server: TestServer = await serveHttp(async (request, response) => {
    count += 1;
    const number = count;
    await behavior.onRequest(number);
    const {
      status,
      body,
      headers = {},
    } = respond(
      behavior,
      number,
      request.headers.authorization ?? "",
      new URL(request.url ?? "", "http://stripe"),
    );
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  });
  return Object.assign(behavior, {
    origin: `http://127.0.0.1:${server.port}`,
    requests: () => count,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

type Response = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

function respond(
  { events, keys, forbiddenKeys, limited }: Behavior,
  request: number,
  authorization: string,
  { pathname, searchParams }: URL,
): Response {
  const key = readKey(authorization);
  if (forbiddenKeys.includes(key)) return fail(403, "The provided key lacks rak_event_read.");
  if (!keys.includes(key)) return fail(401, "Invalid API Key provided.");
  if (limited.left > 0) {
    limited.left -= 1;
    const { retryAfter } = limited;
    const headers = retryAfter === null ? {} : { "retry-after": retryAfter };
    return { ...fail(429, "Too many requests."), headers };
  }
  if (pathname !== "/v1/events") return fail(404, "Unrecognized request URL.");
  const known = new Set(["limit", "created[gte]", "created[lte]", "starting_after"]);
  const unknown = [...searchParams.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) return fail(400, `Received unknown parameter: ${unknown}`);
  const number = (name: string, otherwise: number) => Number(searchParams.get(name) ?? otherwise);
  const limit = number("limit", 10);
  if (!(limit >= 1 && limit <= 100)) return fail(400, "This value must be between 1 and 100.");
  const oldest = Math.max(
    number("created[gte]", 0),
    Math.floor(Date.now() / 1_000) - retentionSeconds,
  );
  const newest = number("created[lte]", Number.MAX_SAFE_INTEGER);
  const listed = events
    .filter(
      ({ created, listedFrom = 0 }) =>
        created >= oldest && created <= newest && request >= listedFrom,
    )
    .toSorted((one, other) => other.created - one.created || (one.id < other.id ? 1 : -1));
  const after = searchParams.get("starting_after");
  const place = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
  if (after !== null && place === 0) return fail(400, `No such event: '${after}'`);
  const page = listed.slice(place, place + limit);
  const body = {
    object: "list",
    url: "/v1/events",
    has_more: place + limit < listed.length,
    data: page.map((event) => ({ ...toStripeEvent(event), pending_webhooks: 0 })),
  };
  return { status: 200, body };
}

/** An event as its webhook has it. */
export function toStripeEvent({ id, created, type }: StripeEvent) {
  return {
    id,
    object: "event",
    api_version: "2026-06-24.dahlia",
    created,
    data: { object: { id: `in_${id.slice(4)}`, object: "invoice", total: 1_200 } },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

function readKey(authorization: string): string {
  const [scheme, value = ""] = authorization.split(" ");
  if (scheme === "Bearer") return value;
  return Buffer.from(value, "base64").toString("utf8").split(":")[0] ?? "";
}

function fail(status: number, message: string): Response {
  return { status, body: { error: { type: "invalid_request_error", message } } };
}
