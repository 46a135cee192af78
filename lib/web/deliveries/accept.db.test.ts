import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import { acceptJob } from "#lib/jobs/kinds/accept.ts";
import { workAll } from "#lib/jobs/testing/work.ts";
import { withClients } from "#lib/net/testing/with-clients.ts";
import { storeDelivery } from "#lib/web/testing/test-api.ts";
import { withApi } from "#lib/web/testing/with-api.ts";

const api = withApi();
const { send, createHook, createAction } = api;
const newClient = withClients();
const secret = "the right secret";
const rejected = {
  status: "rejected",
  reason: "signature_mismatch",
  verificationOutcome: "failed",
} as const;

/** Stores a rejected delivery with GitHub's signature. */
function storeGitHub(
  hookId: string,
  deliveryId: string,
  fields = {},
  key = secret,
): Promise<string> {
  const text = JSON.stringify({ action: "opened", n: deliveryId });
  const signature = createHmac("sha256", key).update(text).digest("hex");
  const headersJson = JSON.stringify([
    ["X-GitHub-Delivery", deliveryId],
    ["X-GitHub-Event", "issues"],
    ["X-Hub-Signature-256", `sha256=${signature}`],
    ["Content-Type", "application/json"],
  ]);
  const contentType = "application/json";
  return storeDelivery(api.db, api.account.id, hookId, {
    ...rejected,
    text,
    headersJson,
    contentType,
    ...fields,
  });
}

const accept = (id: string) => send("POST", `/deliveries/${id}/accept`);
const countRuns = async (deliveryId: string) => (await readRuns(api.db, { deliveryId })).length;

async function createGitHubHook(signingSecret = "the wrong secret"): Promise<string> {
  const { id } = await createHook({ provider: "github", signingSecret });
  await createAction(id);
  await createAction(id);
  return id;
}

describe("POST /deliveries/{id}/accept", () => {
  it("says that a delivery whose body was cut can't be verified, and so do its diagnosis and its page", async () => {
    const hookId = await createGitHubHook(secret);
    const whole = await storeGitHub(hookId, "whole");
    expect((await accept(whole)).status).toBe(200);
    const detail = "The signature doesn't match.";
    for (const [stored, why] of [
      [20, "only 20 of the 9,000,000 bytes of its body are stored"],
      [0, "the 9,000,000 bytes of its body are not stored"],
    ] as const) {
      const text = "x".repeat(stored);
      const id = await storeGitHub(hookId, "cut", { text, sentBodyBytes: 9_000_000, detail });
      const response = await accept(id);
      expect([response.status, response.body.detail]).toEqual([409, expect.stringContaining(why)]);
      expect((await send("GET", `/deliveries/${id}`)).body).toMatchObject({
        status: "rejected",
        bodySize: 9_000_000,
        storedBodySize: stored,
        payload: null,
        payloadError: expect.stringContaining(why),
        payloadErrorCode: "body_cut",
      });
      const { body: diagnosis } = await send("POST", `/deliveries/${id}/diagnose`);
      expect(JSON.stringify(diagnosis)).toContain(why);
      expect(JSON.stringify(diagnosis)).toContain(detail);
      expect(diagnosis).toMatchObject({ verdict: "unexplained", findings: [] });
    }
  });

  it("accepts and runs a delivery that verifies after a fix, exactly once for any number of concurrent calls", async () => {
    const hookId = await createGitHubHook();
    const id = await storeGitHub(hookId, "id-1");
    const early = await accept(id);
    expect([early.status, early.body.code]).toEqual([409, "conflict"]);
    expect(await countRuns(id)).toBe(0);

    await send("PATCH", `/hooks/${hookId}`, { signingSecret: secret });
    const responses = await Promise.all([accept(id), accept(id), accept(id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const accepted = responses.find(({ status }) => status === 200)?.body;
    expect(accepted).toMatchObject({
      id,
      status: "accepted",
      reason: null,
      eventId: "id-1",
      eventType: "issues",
    });
    expect(accepted.runs).toHaveLength(2);
    expect(await countRuns(id)).toBe(2);
    expect(await api.db.delivery.count({ where: { id } })).toBe(1);
  });

  it("accepts one whose event can't be published, and says why", async () => {
    const hookId = await createGitHubHook(secret);
    await send("PATCH", `/hooks/${hookId}`, { publish: { eventType: "issue" } });
    await send("PUT", "/event-types/issue", { schema: { required: ["x"] }, onMismatch: "reject" });
    const { body } = await accept(await storeGitHub(hookId, "id-1"));
    expect([body.status, body.reason, body.runs.length]).toEqual([
      "accepted",
      "schema_mismatch",
      2,
    ]);
    expect(body.detail).toBe("Not published as issue. data: must have required property 'x'.");
    expect((await send("GET", "/events?type=issue")).body.data).toEqual([]);
  });

  it("de-duplicates as usual: only one of a repeated event runs", async () => {
    const hookId = await createGitHubHook(secret);
    const [first, again] = [await storeGitHub(hookId, "id-1"), await storeGitHub(hookId, "id-1")];
    expect((await accept(first)).body.status).toBe("accepted");
    expect((await accept(again)).body).toMatchObject({
      status: "duplicate",
      duplicateOf: first,
      runs: [],
    });
    expect(await countRuns(again)).toBe(0);
  });

  it("ignores the age of the signature, and nothing else", async () => {
    const { id: hookId } = await createHook({ provider: "stripe", signingSecret: secret });
    await createAction(hookId);
    const time = Math.floor(Date.now() / 1000) - 30 * 86_400;
    const store = (text: string, key: string) => {
      const signature = createHmac("sha256", key).update(`${time}.${text}`).digest("hex");
      const headersJson = JSON.stringify([["Stripe-Signature", `t=${time},v1=${signature}`]]);
      return storeDelivery(api.db, api.account.id, hookId, { ...rejected, text, headersJson });
    };
    expect((await accept(await store('{"id":"evt_1"}', secret))).body.status).toBe("accepted");
    expect((await accept(await store('{"id":"evt_2"}', "forged"))).status).toBe(409);
    expect((await accept(await store("not JSON", secret))).status).toBe(409);
  });

  it("reports deliveries that can't be checked any more, and those that aren't events", async () => {
    const { id: tokenHook } = await createHook({ provider: "bearer", signingSecret: secret });
    const hidden = await storeDelivery(api.db, api.account.id, tokenHook, {
      ...rejected,
      headersJson: JSON.stringify([["Authorization", "[redacted]"]]),
    });
    expect((await accept(hidden)).body.detail).toContain("token or password is never stored");

    const hookId = await createGitHubHook(secret);
    const unread = await storeGitHub(hookId, "id-1", {
      text: "",
      reason: "body_too_large",
      headersJson: JSON.stringify([["Content-Length", "99999999"]]),
    });
    expect((await accept(unread)).body.detail).toContain("its body was not read");
    expect(
      (await accept(await storeGitHub(hookId, "id-2", { method: "PUT" }))).body.detail,
    ).toContain("only accepts POST");
    const other = await storeGitHub(hookId, "id-3", { status: "accepted" });
    expect((await accept(other)).body.detail).toContain("isn't rejected");
    expect((await accept(newId())).status).toBe(404);
    await send("PATCH", `/hooks/${hookId}`, { status: "disabled" });
    expect((await accept(await storeGitHub(hookId, "id-4"))).status).toBe(409);
  });
});

describe("POST /deliveries/accept", () => {
  const work = async () => {
    const { sealer } = api.context;
    const { client } = newClient("");
    const publicOrigin = "https://hooks.example.test";
    await workAll(acceptJob({ db: api.db, sealer, client, publicOrigin }));
  };

  it("accepts everything that matches the filter, oldest first, and reports the results", async () => {
    const [hookId, otherHook] = [await createGitHubHook(secret), await createGitHubHook(secret)];
    const wanted = [];
    for (let index = 0; index < 130; index += 1)
      wanted.push(await storeGitHub(hookId, `id-${index}`));
    const duplicate = await storeGitHub(hookId, "id-0");
    const forged = await storeGitHub(hookId, "forged", {}, "another");
    const unread = await storeGitHub(hookId, "id-x", {
      text: "",
      reason: "method_not_allowed",
      headersJson: JSON.stringify([["Content-Length", "5"]]),
    });
    const elsewhere = await storeGitHub(otherHook, "id-1");
    const started = await send("POST", "/deliveries/accept", {
      filter: { status: "rejected", hookId },
    });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ kind: "accept", status: "running", total: 133 });
    const late = await storeGitHub(hookId, "late");
    await Promise.all([work(), work()]);
    expect((await send("GET", `/bulk-jobs/${started.body.id}`)).body).toMatchObject({
      status: "finished",
      changedCount: 130,
      duplicateCount: 1,
      rejectedCount: 1,
      notStoredCount: 1,
      // Each of the hook's two actions has a run for each of them.
      openCount: 260,
    });
    const statusOf = async (id: string) => (await send("GET", `/deliveries/${id}`)).body.status;
    expect(await Promise.all([duplicate, forged, unread, elsewhere, late].map(statusOf))).toEqual([
      "duplicate",
      "rejected",
      "rejected",
      "rejected",
      "rejected",
    ]);
    const runs = await readRuns(api.db, { hookId });
    expect(runs).toHaveLength(260);
    expect(new Set(runs.map(({ deliveryId }) => deliveryId))).toEqual(new Set(wanted));
    expect(
      (await send("POST", "/deliveries/accept", { filter: { status: "accepted" } })).status,
    ).toBe(400);
    const none = { filter: { status: "rejected", hookId, q: "nothing has this" } };
    expect((await send("POST", "/deliveries/accept", none)).status).toBe(409);
  });
});
