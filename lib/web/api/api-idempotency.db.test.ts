import { expect, it } from "vitest";
import { openSealer } from "#lib/open-sealer.ts";
import { withApi } from "#lib/web/testing/with-api.ts";
import { respondOnce } from "./api-idempotency.ts";

const api = withApi();

let keys = 0;

/**
 * Sends one request under a key several times; `work` answers with this status each time it runs.
 */
function startCall(status: number) {
  keys += 1;
  const key = `key-${keys}`;
  let done = 0;
  const holder = {
    tokenId: "t1",
    role: "owner",
    scopes: ["hooks:write", "hooks:read"],
    maskedFields: [],
  } as const;
  const send = (
    url = "http://x/api/v1/hooks?a=1",
    sealer = api.context.sealer,
    caller: Parameters<typeof respondOnce>[0]["caller"] = holder,
  ) =>
    respondOnce(
      {
        parts: { db: api.db, sealer },
        accountId: api.account.id,
        caller,
        request: new Request(url, { method: "POST", headers: { "idempotency-key": key } }),
        body: Buffer.from("{}"),
      },
      async () => {
        done += 1;
        return { status, text: `{"n":${done}}` };
      },
    );
  const sendAs = (other: Partial<Parameters<typeof respondOnce>[0]["caller"]>) =>
    send(undefined, undefined, { ...holder, ...other });
  return { send, sendAs, countDone: () => done };
}

it.each([200, 201, 202, 204, 403, 404, 409, 413])(
  "a response with %i is returned again",
  async (status) => {
    const { send, countDone } = startCall(status);
    expect(await send()).toEqual({ status, text: '{"n":1}' });
    expect(await send()).toEqual({
      status,
      text: '{"n":1}',
      headers: { "idempotency-replayed": "true" },
    });
    expect(countDone()).toBe(1);
  },
);

it.each([400, 429, 500, 503])(
  "%i isn't stored: the request may be fixed or retried at once",
  async (status) => {
    const { send, countDone } = startCall(status);
    expect(await send()).toEqual({ status, text: '{"n":1}' });
    expect(await send()).toEqual({ status, text: '{"n":2}' });
    expect(countDone()).toBe(2);
  },
);

it.each([
  { tokenId: "t2" },
  { role: "admin" },
  { role: "viewer" },
  { scopes: ["hooks:write"] },
  { scopes: ["hooks:read", "hooks:write", "members:write"] },
  { maskedFields: ["**.email"] },
] as const)("a response isn't given to a caller that differs by %j", async (other) => {
  const { send, sendAs, countDone } = startCall(201);
  await send();
  await expect(sendAs(other)).rejects.toMatchObject({ code: "idempotency_conflict" });
  expect(countDone()).toBe(1);
  expect(await sendAs({ scopes: ["hooks:read", "hooks:write"] })).toMatchObject({ status: 201 });
});

it("another query is another request", async () => {
  const { send, countDone } = startCall(200);
  await send();
  await expect(send("http://x/api/v1/hooks?a=2")).rejects.toMatchObject({
    code: "idempotency_conflict",
  });
  expect(countDone()).toBe(1);
});

it("a stored response is sealed, and so are the secrets that it shows once", async () => {
  const send = () =>
    api.call("POST", "/api/v1/subscriptions", {
      token: api.account.token,
      body: { receiverUrl: "https://example.com/in" },
      headers: { "idempotency-key": "secret" },
    });
  const first = await send();
  expect(first.body.secret).toMatch(/^whsec_/);
  const where = { accountId_key: { accountId: api.account.id, key: "secret" } };
  const stored = await api.db.idempotencyKey.findUniqueOrThrow({ where });
  expect(stored.body).not.toContain(first.body.secret.slice("whsec_".length));
  expect(await send()).toMatchObject({ status: 201, text: first.text });
});

it("a response of a key that is gone is neither shown nor made again", async () => {
  const { send, countDone } = startCall(201);
  await send();
  const other = openSealer("another secret key that is long enough");
  await expect(send(undefined, other)).rejects.toMatchObject({ code: "conflict" });
  expect(countDone()).toBe(1);
});

it("a response from before they were sealed is returned as it is", async () => {
  const { send } = startCall(201);
  await send();
  await api.db.$executeRaw`update idempotency_keys set body = '{"old":true}' where body <> ''`;
  expect(await send()).toMatchObject({ text: '{"old":true}' });
});
