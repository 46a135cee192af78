import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { countDedupeKeys, countRuns } from "#lib/db/testing/count-rows.ts";
import { addAction, addHook } from "#lib/db/testing/test-hook.ts";
import { updateHook } from "#lib/services/hooks/write-hooks.ts";
import { testContext } from "#lib/services/testing/test-context.ts";
import { send } from "#server/testing/catch-harness.ts";
import { withCatch } from "#server/testing/with-catch.ts";

const bench = withCatch();
const secret = "s3cret";

async function deliver(path: string, id: string, body: string) {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${signature}`,
  };
  return (await send(bench.caught.port, path, { body, headers })).json;
}

test("a captured delivery under another id is a duplicate, uses up no id, and runs nothing", async () => {
  const hook = await addHook(bench.db, {
    provider: "github",
    signingSecret: secret,
    replayProtection: true,
  });
  await addAction(bench.db, hook);
  const first = await deliver(hook.path, "id-1", '{"action":"opened"}');
  expect(first.status).toBe("accepted");
  const replayed = await deliver(hook.path, "id-2", '{"action":"opened"}');
  expect(replayed).toMatchObject({ status: "duplicate", originalDeliveryId: first.deliveryId });
  // The event that really has the replay's id.
  expect((await deliver(hook.path, "id-2", '{"action":"closed"}')).status).toBe("accepted");
  // A retry with a new signature keeps its id, and its bytes are known from then on too.
  expect((await deliver(hook.path, "id-2", '{"action":"closed","try":2}')).status).toBe(
    "duplicate",
  );
  expect((await deliver(hook.path, "id-3", '{"action":"closed","try":2}')).status).toBe(
    "duplicate",
  );
  expect(await countRuns(bench.db, { hookId: hook.id })).toBe(2);
});

test("without replay protection, equal bodies under two ids are two events with one key each", async () => {
  const hook = await addHook(bench.db, { provider: "github", signingSecret: secret });
  for (const id of ["id-1", "id-2"])
    expect((await deliver(hook.path, id, "{}")).status).toBe("accepted");
  expect(await countDedupeKeys(bench.db, hook.id)).toBe(2);
});

test("once enabled, it applies to the next delivery", async () => {
  const hook = await addHook(bench.db, { provider: "github", signingSecret: secret });
  expect((await deliver(hook.path, "id-0", "{}")).status).toBe("accepted");
  await updateHook(testContext(bench.db, hook.accountId), { id: hook.id, replayProtection: true });
  const states = async () => (await deliver(hook.path, newId(), '{"n":1}')).status;
  await expect.poll(states, { interval: 10 }).toBe("duplicate");
});

test("replacing a body that the signature doesn't cover makes a duplicate", async () => {
  const hook = await addHook(bench.db, { provider: "mailgun", signingSecret: secret });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", secret).update(`${timestamp}token`).digest("hex");
  const post = async (id: string, recipient: string) => {
    const signed = { timestamp, token: "token", signature };
    const body = JSON.stringify({
      signature: signed,
      "event-data": { id, event: "delivered", recipient },
    });
    const headers = { "content-type": "application/json" };
    return (await send(bench.caught.port, hook.path, { body, headers })).json.status;
  };
  expect(await post("a", "ada@example.com")).toBe("accepted");
  expect(await post("b", "eve@example.com")).toBe("duplicate");
});

test("events with a signed id need no second key", async () => {
  const hook = await addHook(bench.db, { provider: "stripe", signingSecret: secret });
  const time = Math.floor(Date.now() / 1000);
  for (const body of ['{"id":"evt_1"}', "{}"]) {
    const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    const headers = { "stripe-signature": `t=${time},v1=${signature}` };
    const states = [];
    for (const _ of [1, 2])
      states.push((await send(bench.caught.port, hook.path, { body, headers })).json.status);
    expect(states).toEqual(["accepted", "duplicate"]);
  }
  expect(await countDedupeKeys(bench.db, hook.id)).toBe(2);
});

test("a repeated batch contains nothing new, even if its items have no id", async () => {
  const hook = await addHook(bench.db, {
    provider: "attio",
    signingSecret: secret,
    replayProtection: true,
  });
  const post = async (key: string, events: readonly object[]) => {
    const body = JSON.stringify({ events });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = {
      "content-type": "application/json",
      "attio-signature": signature,
      "idempotency-key": key,
    };
    return (await send(bench.caught.port, hook.path, { body, headers })).json.status;
  };
  const events = [{ event_type: "note.created" }, { event_type: "note.created" }];
  expect(await post("k1", events)).toBe("accepted");
  expect(await post("k2", events)).toBe("duplicate");
  expect(await post("k3", [...events, { event_type: "note.updated" }])).toBe("accepted");
});
