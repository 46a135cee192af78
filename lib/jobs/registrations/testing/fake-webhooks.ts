import type { IncomingMessage } from "node:http";
import { serveHttp } from "#lib/net/testing/test-servers.ts";

/** A webhook as the fake provider has it. */
export type FakeWebhook = {
  id: string;
  url: string;
  eventTypes: string[];
  isEnabled: boolean;
  secret: string | null;
  mark: string | null;
};

export type FakeRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
};

export type FakeReply = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Behavior = {
  webhooks: FakeWebhook[];
  /** What it responds instead, as long as there is one. `true`: after it has done what was asked. */
  failures: (FakeReply & { readonly afterwards?: boolean })[];
  /** True: does what was asked, and cuts the connection instead of a response. */
  isCut: (request: FakeRequest) => boolean;
  /** False: its list doesn't have this one yet. */
  isListed: (webhook: FakeWebhook) => boolean;
  /** Called with each request. While it is pending, no one gets a response. */
  onRequest: (request: FakeRequest) => Promise<void> | void;
};

export type FakeProvider = Behavior & {
  readonly origin: string;
  /** Such as `POST /v1/webhook_endpoints`. */
  readonly requests: string[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** A provider's API for webhooks, of which one file knows how it is asked and what it responds. */
export async function serveWebhooks(
  respond: (request: FakeRequest, webhooks: FakeWebhook[]) => FakeReply,
): Promise<FakeProvider> {
  const behavior: Behavior = {
    ...{ webhooks: [], failures: [], onRequest: () => {} },
    ...{ isCut: () => false, isListed: () => true },
  };
  const requests: string[] = [];
  const server = await serveHttp(async (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? "", "http://provider");
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request: FakeRequest = {
      ...{ method: incoming.method ?? "", path: pathname, query: searchParams },
      ...{ headers: incoming.headers, text: Buffer.concat(chunks).toString() },
    };
    requests.push(`${request.method} ${request.path}`);
    await behavior.onRequest(request);
    const failure = behavior.failures.shift();
    const isRead = request.method === "GET" || request.text.includes("webhookSubscriptions(");
    const known = isRead ? behavior.webhooks.filter(behavior.isListed) : behavior.webhooks;
    const done =
      failure === undefined || failure.afterwards === true ? respond(request, known) : failure;
    if (behavior.isCut(request)) return void response.destroy();
    const { status, body, headers = {} } = failure ?? done;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(status === 204 ? undefined : JSON.stringify(body));
  });
  return Object.assign(behavior, {
    origin: `http://127.0.0.1:${server.port}`,
    requests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

let last = 0;
/** Ids in the order of their creation. */
export function nextId(): number {
  last += 1;
  return last;
}

// biome-ignore lint/suspicious/noExplicitAny: A fake server takes what it is sent.
export function readJson({ text }: FakeRequest): any {
  return text === "" ? {} : JSON.parse(text);
}

export function remove(webhooks: FakeWebhook[], found: FakeWebhook): FakeReply {
  webhooks.splice(webhooks.indexOf(found), 1);
  return { status: 204, body: null };
}

export function ok(body: unknown): FakeReply {
  return { status: 200, body };
}
