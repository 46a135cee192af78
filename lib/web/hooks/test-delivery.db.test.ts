import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listSampleTypes } from "#lib/core/providers/samples/build-sample.ts";
import { canSign } from "#lib/core/providers/samples/sign-sample.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { oneOfEachScheme, theOthers } from "#lib/core/verify/testing/one-of-each-scheme.ts";
import { sampleSecret } from "#lib/core/verify/testing/test-sample.ts";
import { verifySignature } from "#lib/core/verify/verify.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

/**
 * A stand-in for the catch listener, which records requests and stores a delivery as the listener
 * would.
 */
type Caught = { readonly request: IncomingMessage; readonly body: Buffer };

let listener: Server;
let caught: Caught[] = [];
let given = { status: 200, body: "ok" };
let store: (caught: Caught) => Promise<unknown> = async () => {};

beforeAll(async () => {
  listener = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = { request, body: Buffer.concat(chunks) };
    caught.push(one);
    await store(one);
    response.writeHead(given.status).end(given.body);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
});
afterAll(() => {
  listener.close();
  listener.closeAllConnections();
});

const api = withApi(() => ({
  PORT: String((listener.address() as AddressInfo).port),
  CATCHMENT_WEB_SOCKET: "/nowhere",
}));

async function createHook(fields: Record<string, unknown> = {}) {
  const hook = await api.createHook(fields);
  const { id } = hook;
  store = ({ request, body }) => {
    const pairs = request.rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, request.rawHeaders[index + 1]]] : [],
    );
    const isRejected = given.status >= 400;
    return storeDelivery(api.db, api.account.id, id, {
      headersJson: JSON.stringify(pairs),
      body,
      ...(isRejected ? { status: "rejected", reason: "signature_mismatch" } : {}),
    });
  };
  return hook;
}

async function sendTest(id: string, body: unknown = {}, token = api.account.token) {
  caught = [];
  const sent = await api.send("POST", `/hooks/${id}/test`, body, token);
  return { sent, request: caught[0] };
}

function signs({ scheme }: Provider): boolean {
  return canSign(scheme) && (scheme.kind !== "code" || scheme.settings === undefined);
}

describe("POST /hooks/{id}/test", () => {
  async function expectSigned({ id, scheme }: Provider): Promise<void> {
    const secret = sampleSecret(scheme, id).pasted;
    const hook = await createHook({ provider: id, signingSecret: secret });
    const { sent, request } = await sendTest(hook.id);
    expect([id, sent.status, caught.length]).toEqual([id, 200, 1]);
    expect(sent.body.eventType).toBe(listSampleTypes(id)[0] ?? "example.created");
    const stored = await api.db.delivery.findFirstOrThrow({ where: { hookId: hook.id } });
    expect(sent.body).toMatchObject({
      deliveryId: stored.id,
      response: { status: 200, body: "ok" },
      note: null,
    });

    const { url = "", method = "", headersDistinct: headers } = request?.request ?? {};
    const verdict = verifySignature({
      scheme,
      secrets: [secret],
      nowMs: Date.now(),
      request: {
        method,
        url: `https://hooks.example.test${url}`,
        query: url.split("?")[1] ?? "",
        headers: headers ?? {},
        body: request?.body ?? Buffer.alloc(0),
      },
    });
    expect([id, verdict.outcome]).toEqual([id, "verified"]);
    expect([id, sent.text.includes(secret)]).toEqual([id, false]);
    expect(sent.text).not.toContain(Buffer.from(secret).toString("base64"));
  }

  const title = "signs with the hook's own secret: $id";
  it.each(oneOfEachScheme.filter(signs))(title, expectSigned);
  it.each(theOthers.filter(signs))(title, { tags: "variant" }, expectSigned);

  it("each is a new event, with a header by which actions recognize it", async () => {
    const hook = await createHook({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const bodies = [];
    for (const _ of [1, 2]) {
      const { request } = await sendTest(hook.id, { eventType: "invoice.paid" });
      expect(request?.request.headers["x-catchment-test"]).toMatch(/^[\w-]{100,300}$/);
      bodies.push(JSON.parse(String(request?.body)));
    }
    expect(bodies.map(({ type }) => type)).toEqual(["invoice.paid", "invoice.paid"]);
    expect(bodies[0].id).not.toBe(bodies[1].id);
  });

  it("shows the same as a curl command, and how long it is valid", async () => {
    const hook = await createHook({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const { sent } = await sendTest(hook.id);
    expect(sent.body.curlValidForSeconds).toBe(300);
    expect(sent.body.curl).toMatch(/^curl .+ 'https:\/\/hooks\.example\.test\/catch\/acme\//);
    expect(sent.body.curl).toMatch(/-H 'stripe-signature: t=\d+,v1=[0-9a-f]{64}'/);
  });

  it.each([
    ["bearer", "token-0123456789"],
    ["basic-auth", "user:pass-0123456789"],
    ["mailchimp", "token-0123456789"],
  ])("a readable secret isn't in the command (%s)", async (provider, signingSecret) => {
    const hook = await createHook({ provider, signingSecret });
    const { sent } = await sendTest(hook.id);
    expect(sent.body.curl).toContain("YOUR-SECRET");
    expect(sent.body.curlValidForSeconds).toBeNull();
    expect(sent.text).not.toContain(signingSecret);
  });

  it("a rejection by the listener is returned as is, and the recorded delivery is found", async () => {
    const hook = await createHook();
    given = { status: 401, body: '{"code":"signature_invalid"}' };
    const { sent } = await sendTest(hook.id);
    given = { status: 200, body: "ok" };
    expect(sent.body.response).toEqual({ status: 401, body: '{"code":"signature_invalid"}' });
    expect(sent.body.deliveryStatus).toBe("rejected");
    expect(sent.body.deliveryId).not.toBeNull();
  });

  it("a hook that is paused, disabled, or awaiting its secret says what that means", async () => {
    const hook = await createHook();
    await api.send("POST", `/hooks/${hook.id}/pause`);
    expect((await sendTest(hook.id)).sent.body.note).toContain("held until it is resumed");
    const waiting = await createHook({ provider: "stripe", status: "pending" });
    const { sent, request } = await sendTest(waiting.id);
    expect(sent.body.note).toContain("accepted because Catchment made it");
    expect(request?.request.headers["stripe-signature"]).toBeUndefined();
    await api.send("PATCH", `/hooks/${hook.id}`, { status: "disabled" });
    expect((await sendTest(hook.id)).sent.body.note).toContain("Enable it");
  });

  it("a generic hook accepts any type, a provider's hook only existing ones", async () => {
    const generic = await createHook();
    const { request } = await sendTest(generic.id, { eventType: "order.paid" });
    expect(JSON.parse(String(request?.body)).type).toBe("order.paid");
    const stripe = await createHook({ provider: "stripe", signingSecret: "whsec_0123456789" });
    const { sent } = await sendTest(stripe.id, { eventType: "order.paid" });
    expect([sent.status, sent.body.errors[0].path, caught.length]).toEqual([400, "eventType", 0]);
    expect(sent.body.detail).toContain("payment_intent.succeeded");
  });

  it.each([
    [
      "a public key signs",
      { provider: "discord", signingSecret: `${"0".repeat(62)}42` },
      "provider's settings",
    ],
    ["there is no secret", { provider: "stripe" }, "no signing secret yet"],
    ["no body can be sent", { methods: ["GET"] }, "Allow POST"],
  ])("if %s, nothing is sent and the response says what to do", async (_when, fields, words) => {
    const hook = await createHook(fields);
    const { sent } = await sendTest(hook.id);
    expect([sent.status, sent.body.code, caught.length]).toEqual([409, "conflict", 0]);
    expect(sent.body.detail).toContain(words);
  });

  it("another account's hook doesn't exist, and nothing is sent", async () => {
    const hook = await createHook();
    const { token } = await api.createAccount("other");
    expect((await sendTest(hook.id, {}, token)).sent.status).toBe(404);
    expect((await sendTest("nonsense")).sent.status).toBe(404);
    const reader = await api.createAccount("reader", ["hooks:read"]);
    expect((await sendTest(hook.id, {}, reader.token)).sent.status).toBe(403);
    expect(caught.length).toBe(0);
  });

  it("an unavailable listener is reported", async () => {
    const hook = await createHook();
    store = async ({ request }) => void request.socket.destroy();
    const { sent } = await sendTest(hook.id);
    expect([sent.status, sent.body.code]).toEqual([503, "unavailable"]);
    expect(sent.body.detail).toContain("didn't reach the catch URL");
  });
});
