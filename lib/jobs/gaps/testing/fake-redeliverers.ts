import { serveHttp } from "#lib/net/testing/test-servers.ts";

export type Sent = {
  readonly guid: string;
  readonly event: string;
  readonly atMs: number;
  readonly status: number;
  /** The same event, sent again. */
  readonly isRepeat?: boolean;
};

export type FakeRedeliverer = {
  readonly origin: string;
  /** The guids that were asked for again, in order. */
  readonly asked: string[];
  /** Called before GitHub responds that it sends again, with how many it was asked for. */
  onAsked: (count: number) => void;
  /** Responds with this to so many requests. */
  failing: { left: number; status: number; headers: Readonly<Record<string, string>> };
  [Symbol.asyncDispose](): Promise<void>;
};

type Response = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Ids are larger than JavaScript's numbers are exact. */
const firstId = 9_007_199_254_740_993n;
const idOf = (at: number) => firstId + BigInt(at);
const dayMs = 86_400_000;

type Asked = { readonly method: string; readonly url: URL; readonly authorization: string };
type Answer = (asked: Asked, fake: FakeRedeliverer) => Response;

async function serve(respond: Answer): Promise<FakeRedeliverer> {
  const failing = { left: 0, status: 503, headers: {} };
  const fake = { asked: [] as string[], failing, onAsked: (_count: number) => {} };
  const server = await serveHttp((request, response) => {
    const url = new URL(request.url ?? "", "http://provider");
    const { authorization = "" } = request.headers;
    const isFailing = fake.failing.left > 0;
    if (isFailing) fake.failing.left -= 1;
    const {
      status,
      body,
      headers = {},
    } = isFailing
      ? { ...fake.failing, body: { message: "Not now" } }
      : respond({ method: request.method ?? "", url, authorization }, whole);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    // Ids keep their digits.
    const text = JSON.stringify(body, (_, value) =>
      typeof value === "bigint" ? `#${value}#` : value,
    );
    response.end(text.replace(/"#(\d+)#"/g, "$1"));
  });
  const whole: FakeRedeliverer = Object.assign(fake, {
    origin: `http://127.0.0.1:${server.port}`,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
  return whole;
}

/**
 * The deliveries of `/repos/acme/shop/hooks/12` as docs.github.com/en/rest/repos/webhooks describes them: newest
 * first, a cursor in `Link`, 3 days, 202 for an attempt.
 */
export async function startFakeGithub(sent: readonly Sent[]): Promise<FakeRedeliverer> {
  const path = "/repos/acme/shop/hooks/12/deliveries";
  return await serve(({ method, url, authorization }, fake) => {
    if (authorization !== "Bearer github_pat_1")
      return { status: 401, body: { message: "Bad credentials" } };
    const listed = sent
      .map((one, at) => ({ ...one, id: idOf(at) }))
      .filter(({ atMs }) => atMs > Date.now() - 3 * dayMs)
      .toSorted((one, other) => other.atMs - one.atMs);
    const attempt = /^\/repos\/acme\/shop\/hooks\/12\/deliveries\/(\d+)\/attempts$/.exec(
      url.pathname,
    );
    if (method === "POST" && attempt !== null) {
      const found = listed.find(({ id }) => String(id) === attempt[1]);
      if (found === undefined) return { status: 404, body: { message: "Not Found" } };
      fake.asked.push(found.guid);
      fake.onAsked(fake.asked.length);
      return { status: 202, body: {} };
    }
    if (method !== "GET" || url.pathname !== path)
      return { status: 404, body: { message: "Not Found" } };
    const size = Math.min(100, Number(url.searchParams.get("per_page") ?? "30"));
    const from = Number(url.searchParams.get("cursor")?.replace("v1_", "") ?? "0");
    const page = listed.slice(from, from + size);
    const next = `<https://api.github.com${path}?per_page=${size}&cursor=v1_${from + size}>; rel="next"`;
    const isLast = from + size >= listed.length;
    return {
      status: 200,
      body: page.map(({ id, guid, event, atMs, status, isRepeat = false }) => ({
        ...{ id, guid, event, action: null, redelivery: isRepeat, duration: 0.27 },
        delivered_at: new Date(atMs).toISOString(),
        status: status < 300 ? "OK" : `Invalid HTTP Response: ${status}`,
        status_code: status,
        ...{ installation_id: null, repository_id: 42 },
      })),
      headers: isLast ? {} : { link: `<https://api.github.com${path}>; rel="first", ${next}` },
    };
  });
}

/**
 * The events of `/projects/acme%2Fshop/hooks/7` as docs.gitlab.com/api/project_webhooks describes them: pages, 7
 * days, resend, and 429 for more than 5 of those a minute.
 */
export async function startFakeGitlab(sent: readonly Sent[]): Promise<FakeRedeliverer> {
  const path = "/api/v4/projects/acme%2Fshop/hooks/7/events";
  const resent: number[] = [];
  return await serve(({ method, url, authorization }, fake) => {
    if (authorization !== "Bearer glpat-1")
      return { status: 401, body: { message: "401 Unauthorized" } };
    const listed = sent
      .map((one, at) => ({ ...one, id: idOf(at) }))
      .filter(({ atMs }) => atMs > Date.now() - 7 * dayMs);
    const resend = /\/events\/(\d+)\/resend$/.exec(url.pathname);
    if (method === "POST" && resend !== null) {
      const found = listed.find(({ id }) => String(id) === resend[1]);
      if (found === undefined) return { status: 404, body: { message: "404 Not found" } };
      if (resent.filter((atMs) => atMs > Date.now() - 60_000).length >= 5)
        return { status: 429, body: { message: "Too many requests" } };
      resent.push(Date.now());
      fake.asked.push(found.guid);
      return { status: 201, body: { response_status: 200 } };
    }
    if (method !== "GET" || url.pathname !== path)
      return { status: 404, body: { message: "404 Not found" } };
    const size = Number(url.searchParams.get("per_page") ?? "20");
    const from = (Number(url.searchParams.get("page") ?? "1") - 1) * size;
    return {
      status: 200,
      body: listed.slice(from, from + size).map(({ id, guid, event, status }) => ({
        ...{ id, url: "https://hooks.example.test/", trigger: "push_hooks" },
        request_headers: {
          "Content-Type": "application/json",
          "X-Gitlab-Event": event,
          "Idempotency-Key": guid,
          "X-Gitlab-Token": "[REDACTED]",
        },
        request_data: { object_kind: "push" },
        ...{ response_headers: {}, response_body: "", execution_duration: 1.09 },
        response_status: String(status),
      })),
    };
  });
}
