/** A server that registers for a limited time, as Microsoft Graph's documentation describes it. */
import { type FakeProvider, type FakeReply, nextId, serveWebhooks } from "./fake-webhooks.ts";

type FakeGraph = FakeProvider & {
  /** The server's clock. */
  nowMs: number;
  /** When each subscription ends, by its id. */
  readonly ends: Map<string, number>;
  /** Drops what has ended, as it does by itself. */
  readonly expire: () => void;
};

const maxLifeMs = 10_080 * 60_000;
const resource = "users/jo@example.com/messages";

/** `/v1.0/subscriptions` of one mailbox: at most 10,080 minutes, `clientState` of at most 128 characters. */
export async function startFakeGraph(nowMs: number): Promise<FakeGraph> {
  const ends = new Map<string, number>();
  const state = { nowMs };
  const fake = await serveWebhooks(({ method, path, headers, text }, webhooks) => {
    if (headers.authorization !== "Bearer graph-token")
      return graphError(401, "InvalidAuthenticationToken", "Access token is empty.");
    const show = (each: (typeof webhooks)[number]) => ({
      ...{
        id: each.id,
        resource,
        changeType: each.eventTypes.join(","),
        notificationUrl: each.url,
      },
      expirationDateTime: new Date(ends.get(each.id) ?? 0).toISOString(),
      // Graph never says it.
      clientState: null,
    });
    expire(webhooks);
    const sent = text === "" ? {} : JSON.parse(text);
    const endMs = Date.parse(sent.expirationDateTime ?? "");
    const isTooLong = endMs > state.nowMs + maxLifeMs || endMs <= state.nowMs;
    if (path === "/v1.0/subscriptions" && method === "GET")
      return { status: 200, body: { value: webhooks.map(show) } };
    if (path === "/v1.0/subscriptions" && method === "POST") {
      if (isTooLong)
        return graphError(400, "InvalidRequest", "Subscription expiration is invalid.");
      if (sent.resource !== resource || sent.clientState.length > 128)
        return graphError(400, "InvalidRequest", "Invalid resource.");
      const made = { id: `s-${nextId()}`, url: sent.notificationUrl, secret: sent.clientState };
      const eventTypes = sent.changeType.split(",");
      const whole = { ...made, eventTypes, isEnabled: true, mark: null };
      webhooks.push(whole);
      ends.set(made.id, endMs);
      return { status: 201, body: show(whole) };
    }
    const found = webhooks.find(({ id }) => path === `/v1.0/subscriptions/${id}`);
    if (found === undefined)
      return graphError(404, "ResourceNotFound", "The object was not found.");
    if (method === "DELETE") {
      webhooks.splice(webhooks.indexOf(found), 1);
      return { status: 204, body: null };
    }
    if (isTooLong) return graphError(400, "InvalidRequest", "Subscription expiration is invalid.");
    ends.set(found.id, endMs);
    found.url = sent.notificationUrl ?? found.url;
    return { status: 200, body: show(found) };
  });

  function expire(webhooks: typeof fake.webhooks): void {
    const ended = webhooks.filter(({ id }) => (ends.get(id) ?? 0) <= state.nowMs);
    for (const each of ended) webhooks.splice(webhooks.indexOf(each), 1);
  }

  return Object.defineProperties(
    Object.assign(fake, { ends, nowMs, expire: () => expire(fake.webhooks) }),
    { nowMs: { get: () => state.nowMs, set: (ms: number) => Object.assign(state, { nowMs: ms }) } },
  );
}

function graphError(status: number, code: string, message: string): FakeReply {
  return { status, body: { error: { code, message } } };
}
