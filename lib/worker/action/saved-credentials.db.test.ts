import { OAuth2Server } from "oauth2-mock-server";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ActionQueue } from "#lib/db/queue/testing/queue-fixture.ts";
import type { CredentialInput } from "#lib/schema/act/credential.ts";
import { updateAction } from "#lib/services/actions/write-actions.ts";
import { createCredential, updateCredential } from "#lib/services/credentials.ts";
import { createDestination, updateDestination } from "#lib/services/destinations.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { payload, withWorkerQueue } from "../testing/with-worker-queue.ts";

const { queue, untilFinished } = await withWorkerQueue();
const secret = "sk_live_0123456789abcdef";

const tokens = new OAuth2Server();
/** The requests that the token server got, and its responses. */
const issued: { form: unknown; authorization: string | undefined; token: unknown }[] = [];
let rejection: { error: string; error_description: string } | null = null;
let expiresIn = 3_600;
beforeAll(async () => {
  await tokens.issuer.keys.generate("ES256");
  await tokens.start(0, "127.0.0.1");
  tokens.service.on("beforeTokenSigning", (token) => {
    token.payload.jti = `token-${issued.length}`;
  });
  tokens.service.on("beforeResponse", (response, request) => {
    response.body.expires_in = expiresIn;
    issued.push({
      form: { ...request.body },
      authorization: request.headers.authorization,
      token: response.body.access_token,
    });
    if (rejection === null) return;
    response.statusCode = 401;
    response.body = { ...rejection };
  });
});
afterAll(() => tokens.stop());

const toOrigin = (receiver: Receiver) => `http://127.0.0.1:${receiver.port}`;
const oauth2 = () => ({
  type: "oauth2",
  tokenUrl: `http://127.0.0.1:${tokens.address().port}/token`,
  clientId: "catchment",
  clientSecret: secret,
  scope: "orders:write",
});

/** The receivers of these tests are on this machine. */
const contextOf = (accountId: string) =>
  testContext(queue.db, accountId, {
    sealer: testSealer,
    variables: { CATCHMENT_EGRESS_ALLOW: "127.0.0.0/8" },
  });

async function addCredential(accountId: string, origin: string, auth: object): Promise<string> {
  const input = { name: "Saved", origin, auth: auth as CredentialInput["auth"] };
  return (await createCredential(contextOf(accountId), input)).id;
}

/** An action whose patch is saved like that of the API. */
async function addAction(accountId: string, patch: object): Promise<ActionQueue> {
  const added = await queue.addActionQueue({
    accountId,
    request: { method: "GET", url: "https://example.com/" },
  });
  await updateAction(contextOf(accountId), { ...patch, id: added.targetId });
  return added;
}

const toRequest = (url: string, more: object) => ({
  method: "POST",
  url,
  body: { amount: "{{ data.object.amount_total }}" },
  ...more,
});
const named = (credentialId: string) => ({ auth: { type: "credential", credentialId } });

async function addCalling(receiver: Receiver, auth: object): Promise<ActionQueue & { id: string }> {
  const accountId = await queue.addAccount();
  const id = await addCredential(accountId, toOrigin(receiver), auth);
  const action = await addAction(accountId, { request: toRequest(receiver.url, named(id)) });
  return { ...action, id };
}

async function run(action: ActionQueue) {
  const [id = ""] = await queue.addRuns(action, 1, { body: payload });
  const finished = await untilFinished(id);
  return { id, finished, attempts: await queue.readAttempts(id) };
}

it.each([
  [{ type: "bearer", token: secret }, "authorization", `Bearer ${secret}`],
  [
    { type: "basic", username: "me", password: secret },
    "authorization",
    `Basic ${btoa(`me:${secret}`)}`,
  ],
  [{ type: "header", name: "X-Api-Key", value: secret }, "x-api-key", secret],
])("a saved credential is sent: %o", async (auth, header, value) => {
  await using receiver = await startReceiver((response, call) =>
    response.end(`${call.headers[header]} ${secret}`),
  );
  await using _worker = startTestWorker({ url: queue.url });
  const { finished, attempts } = await run(await addCalling(receiver, auth));
  expect(finished.state).toBe("succeeded");
  expect(receiver.calls[0]?.headers[header]).toBe(value);
  expect(JSON.stringify(attempts)).not.toContain(secret);
  expect(JSON.stringify(attempts)).not.toContain(btoa(`me:${secret}`));
});

it("a new secret takes effect with the next call on every worker, also through a destination", async () => {
  await using receiver = await startReceiver();
  await using _one = startTestWorker({ url: queue.url });
  await using _two = startTestWorker({ url: queue.url });
  const accountId = await queue.addAccount();
  const origin = toOrigin(receiver);
  const credentialId = await addCredential(accountId, origin, { type: "bearer", token: "old_1" });
  const input = { name: "CRM", origin, credentialId };
  const destination = await createDestination(contextOf(accountId), input);
  const byName = await addAction(accountId, {
    request: toRequest(`${origin}/named`, named(credentialId)),
  });
  const steps = ["a", "b"].map((key) => ({
    key,
    kind: "call",
    request: toRequest(`${origin}/${key}`, { destinationId: destination.id }),
  }));
  const byDestination = await addAction(accountId, { steps });
  const sentNow = async () => {
    receiver.calls.length = 0;
    // Several of each, so that both workers have some.
    await Promise.all([byName, byDestination].flatMap((each) => [run(each), run(each), run(each)]));
    return [...new Set(receiver.calls.map(({ headers }) => headers.authorization))];
  };
  expect(await sentNow()).toEqual(["Bearer old_1"]);
  const auth = { type: "bearer", token: "new_2" } as const;
  await updateCredential(contextOf(accountId), { id: credentialId, auth });
  expect(await sentNow()).toEqual(["Bearer new_2"]);
  const other = await addCredential(accountId, origin, { type: "bearer", token: "other_3" });
  await updateDestination(contextOf(accountId), { id: destination.id, credentialId: other });
  expect(new Set(await sentNow())).toEqual(new Set(["Bearer new_2", "Bearer other_3"]));
});

it("a token is fetched once for calls at the same time, and kept", async () => {
  await using receiver = await startReceiver((response, call) =>
    response.end(call.headers.authorization),
  );
  await using _worker = startTestWorker({ url: queue.url });
  const action = await addCalling(receiver, oauth2());
  issued.length = 0;
  const ids = await queue.addRuns(action, 5, { body: payload });
  for (const id of ids) expect((await untilFinished(id)).state).toBe("succeeded");
  const { attempts } = await run(action);
  expect(issued).toEqual([
    {
      form: { grant_type: "client_credentials", scope: "orders:write" },
      authorization: `Basic ${btoa(`catchment:${secret}`)}`,
      token: expect.any(String),
    },
  ]);
  const token = String(issued[0]?.token);
  expect(receiver.calls.map(({ headers }) => headers.authorization)).toEqual(
    Array(6).fill(`Bearer ${token}`),
  );
  expect(JSON.stringify(attempts)).toContain("[redacted]");
  expect(JSON.stringify(attempts)).not.toContain(token);
});

it("a refused token is fetched again, and the call is repeated once", async () => {
  let accepted = 0;
  await using receiver = await startReceiver((response, call) => {
    const isNew = call.headers.authorization === `Bearer ${issued[accepted]?.token}`;
    response.writeHead(isNew ? 200 : 401).end();
  });
  await using _worker = startTestWorker({ url: queue.url });
  const action = await addCalling(receiver, { ...oauth2(), clientAuth: "body", audience: "shop" });
  issued.length = 0;
  await run(action);
  accepted = 1;
  const { id, finished } = await run(action);
  expect([finished.state, finished.attempt_count]).toEqual(["succeeded", 1]);
  expect(receiver.calls.map(({ headers }) => headers["idempotency-key"]).slice(1)).toEqual([
    id,
    id,
  ]);
  expect(issued.map(({ form, authorization }) => [form, authorization])).toEqual(
    Array(2).fill([
      expect.objectContaining({
        client_id: "catchment",
        client_secret: secret,
        audience: "shop",
      }),
      undefined,
    ]),
  );
  // A receiver that rejects every token is asked twice for each attempt, not forever.
  accepted = 99;
  const refused = await run(action);
  expect(refused.finished.state).toBe("failed");
  expect(receiver.calls).toHaveLength(5);
});

it("a token that has ended is not sent", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  expiresIn = 0.002;
  const action = await addCalling(receiver, oauth2());
  issued.length = 0;
  await run(action);
  expiresIn = 3_600;
  await run(action);
  expect(issued).toHaveLength(2);
  expect(receiver.calls[1]?.headers.authorization).toBe(`Bearer ${issued[1]?.token}`);
});

it("a rejection of the token server is what the attempt says, without the secret", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  rejection = { error: "invalid_client", error_description: `wrong secret ${secret}` };
  const action = await addCalling(receiver, oauth2());
  const retry = { maxAttempts: 1 };
  await updateAction(contextOf(action.accountId), { id: action.targetId, retry });
  const { finished, attempts } = await run(action);
  rejection = null;
  expect(finished.state).toBe("failed");
  expect(attempts).toMatchObject([
    {
      error_code: "credential",
      error_message:
        "The token server refused: invalid_client, wrong secret [redacted] (status 401).",
    },
  ]);
  expect(receiver.calls).toEqual([]);
});

it("a call is signed, and Standard Webhooks verifies it", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const key = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
  const { id, attempts } = await run(await addCalling(receiver, { type: "hmac", secret: key }));
  const [call] = receiver.calls;
  const headers = call?.headers as Record<string, string>;
  expect(headers["webhook-id"]).toBe(id);
  expect(new Webhook(key).verify(call?.body ?? "", headers)).toEqual({ amount: 4200 });
  expect(() => new Webhook(key).verify(`${call?.body} `, headers)).toThrow("No matching signature");
  expect(JSON.stringify(attempts)).not.toContain(key.slice(6));
});

it("a credential for another origin fails closed, whatever the row says", async () => {
  await using receiver = await startReceiver();
  await using _worker = startTestWorker({ url: queue.url });
  const action = await addCalling(receiver, { type: "bearer", token: secret });
  await queue.db.$executeRaw`update credentials set origin = 'https://elsewhere.example'`;
  await queue.db.$executeRaw`update actions set updated_at = now()`;
  const { finished } = await run(action);
  expect(finished.state).toBe("failed");
  expect(finished.reason).toContain("The credential is for https://elsewhere.example");
  expect(receiver.calls).toEqual([]);
});
