import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { serveHttp, type TestServer } from "#lib/net/testing/test-servers.ts";
import { onlyCallKey } from "#lib/schema/act/step-limits.ts";
import { stepDraftSchema } from "#lib/services/actions/steps/step-draft.ts";
import { runStep } from "#lib/services/actions/steps/try-steps.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { tallyFilter } from "./tally-filter.ts";

const api = withApi();
let receiver: TestServer;
let hookId: string;
let deliveryId: string;
const calls: IncomingMessage[] = [];

beforeAll(async () => {
  receiver = await serveHttp((request, response) => {
    calls.push(request);
    response.setHeader("set-cookie", "session=1");
    response.end(`${request.headers.authorization ?? ""} ${"x".repeat(70_000)}`);
  });
  hookId = (await api.send("POST", "/hooks", { name: "n" })).body.id;
  deliveryId = await storeDelivery(api.db, api.account.id, hookId, {
    text: '{"id": "evt_1", "amount": 5}',
  });
});
afterAll(() => receiver[Symbol.asyncDispose]());

/** Sends the call of an action that has no other step. */
function sendCall(
  request: object,
  { actionId = null, filter = null }: { actionId?: string | null; filter?: unknown } = {},
  accountId = api.account.id,
) {
  const key = onlyCallKey;
  const input = stepDraftSchema.parse({
    filter,
    step: { key, kind: "call", request: { method: "POST", ...request } },
    formerKey: key,
    timeoutMs: 5_000,
    itemIndex: 0,
    earlier: [],
  });
  return runStep(api.context, accountId, { hookId, actionId, deliveryId }, input);
}

const url = (path = "/") => `http://127.0.0.1:${receiver.port}${path}`;
const auth = { type: "bearer", token: "secret_of_the_receiver" };

it("makes the call once, shows the response without secrets and cut at 64 KiB, and records no run", async () => {
  const before = calls.length;
  const call = await sendCall({ url: url("/{{ id }}"), auth });
  expect(call).toMatchObject({
    error: null,
    skippedBecause: null,
    response: { status: 200, isCut: true },
  });
  expect(call.response?.body.length).toBeLessThanOrEqual(65_536);
  expect(call.response?.headers).toContainEqual(["set-cookie", "[redacted]"]);
  expect(JSON.stringify(call)).not.toContain("secret_of_the_receiver");
  expect(
    calls.slice(before).map(({ url: path, headers }) => [path, headers.authorization]),
  ).toEqual([["/evt_1", "Bearer secret_of_the_receiver"]]);
  expect(calls.at(-1)?.headers["idempotency-key"]).toMatch(/^test_/);
  expect(await readRuns(api.db)).toEqual([]);
});

it("uses stored credentials only for the origin they were entered for", async () => {
  const saved = await api.send("POST", `/hooks/${hookId}/actions`, {
    name: "a",
    request: { method: "POST", url: url("/saved"), auth },
  });
  const actionId = saved.body.id as string;
  await sendCall({ url: url("/other/path") }, { actionId });
  expect(calls.at(-1)?.headers.authorization).toBe("Bearer secret_of_the_receiver");
  const before = calls.length;
  const elsewhere = { url: `http://127.0.0.2:${receiver.port}/` };
  await expect(sendCall(elsewhere, { actionId })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ path: "request.auth" }],
  });
  expect(calls.length).toBe(before);
});

it("a call that isn't allowed, or lacks a name, isn't made, and the response says what to fix", async () => {
  const rejections = [
    [{ url: "http://169.254.169.254/latest" }, "request.url", /CATCHMENT_EGRESS_ALLOW/],
    [{ url: url("/{{ nobody.there }}") }, "request.url", /is not there|not in this/],
    [{ url: url(), body: { a: "{{ id | nofilter }}" } }, "request.body.a", /nofilter/],
  ] as const;
  for (const [request, path, message] of rejections) {
    await expect(sendCall(request)).rejects.toMatchObject({
      errors: [{ path, message: expect.stringMatching(message) }],
    });
  }
  const gone = await serveHttp(() => {});
  await gone[Symbol.asyncDispose]();
  const refused = await sendCall({ url: `http://127.0.0.1:${gone.port}/` });
  expect(refused).toMatchObject({ response: null, error: { code: "connect" } });
});

it("a delivery that the filter skips can be tried anyway, and the filter is counted over the latest", async () => {
  await storeDelivery(api.db, api.account.id, hookId, { text: '{"id": "evt_2", "amount": 50}' });
  const filter = { all: [{ path: "payload.amount", op: "gt", value: 10 }] } as const;
  const call = await sendCall({ url: url() }, { filter });
  expect(call.skippedBecause).toMatch(/payload.amount is 5/);
  const input = { hookId, filter: { all: [...filter.all] } };
  expect(await tallyFilter(testContext(api.db, api.account.id), input)).toEqual({
    evaluated: 2,
    runs: 1,
  });
});

it("another account's hook, action, or delivery doesn't exist", async () => {
  const otherAccount = await api.createAccount("other");
  await expect(sendCall({ url: url() }, {}, otherAccount.id)).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(
    tallyFilter(testContext(api.db, otherAccount.id), {
      hookId,
      filter: { all: [{ path: "id", op: "exists" }] },
    }),
  ).rejects.toMatchObject({
    code: "not_found",
  });
});

it("a saved credential is sent with the call, shown redacted, and not sent to another origin", async () => {
  const origin = new URL(url()).origin;
  const secret = "saved_secret_of_the_receiver";
  const saved = { name: "Saved", origin, auth: { type: "bearer", token: secret } };
  const { id: credentialId } = (await api.send("POST", "/credentials", saved)).body;
  const destination = (
    await api.send("POST", "/destinations", { name: "Shared", origin, credentialId })
  ).body;
  const named = { auth: { type: "credential", credentialId } };
  for (const use of [named, { destinationId: destination.id }]) {
    const call = await sendCall({ url: url(), ...use });
    expect(calls.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(call.request.headers.authorization).toBe("[redacted]");
    expect(JSON.stringify(call)).not.toContain(secret);
  }
  const before = calls.length;
  const elsewhere = { url: url().replace("127.0.0.1", "127.0.0.2"), ...named };
  await expect(sendCall(elsewhere)).rejects.toMatchObject({
    errors: [{ path: "request.auth", code: "conflict" }],
  });
  expect(calls).toHaveLength(before);
});
