import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import type { SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { notifyRunsDue } from "#lib/db/queue/notify.ts";
import { sendFixture } from "#lib/db/queue/testing/send-fixture.ts";
import { type ReceivedCall, startReceiver } from "../testing/receiver.ts";
import { startTestWorker, testSealer } from "../testing/start-worker.ts";
import { patience, withWorkerQueue } from "../testing/with-worker-queue.ts";
import { verifyAsDocumented } from "./testing/documented-receivers.ts";

const { queue, untilFinished } = await withWorkerQueue();
const { addSubscription, addSecret, addEvent } = sendFixture(queue.db, testSealer);

const standard = ({ headers, body }: ReceivedCall, secret: string) =>
  new StandardWebhook(secret).verify(body, headers as Record<string, string>);
const svix = ({ headers, body }: ReceivedCall, secret: string) =>
  new SvixWebhook(secret).verify(body, headers as Record<string, string>);

function toSampleCall({ headers, body }: Pick<ReceivedCall, "headers" | "body">, secret: string) {
  const read = (name: string) => String(headers[name]);
  return {
    id: read("webhook-id"),
    timestamp: read("webhook-timestamp"),
    signature: read("webhook-signature"),
    body: Buffer.from(body),
    secret,
  };
}

async function send(runIds: readonly string[]): Promise<void> {
  notifyRunsDue(queue.db);
  for (const id of runIds) await untilFinished(id);
}

describe("a call to a receiver", () => {
  it("has the event's bytes and is accepted by every receiver's verification", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const headers = { "X-Tenant": "eu", Authorization: "Bearer do-not-store" };
    const subscription = await addSubscription(await queue.addAccount(), {
      receiverUrl: receiver.url,
      headers,
    });
    const event = await addEvent([subscription], { object: { amount: 1, note: "Zoë 💶" } });
    await send(event.runIds);
    const [call] = receiver.calls;
    if (call === undefined) throw new Error("nothing was received");
    const stored = await queue.db.event.findUniqueOrThrow({ where: { id: event.id } });
    expect(call.body).toBe(Buffer.from(stored.body).toString("utf8"));
    expect(call.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Catchment/0.0.0",
      "webhook-id": event.id,
      "x-tenant": "eu",
      authorization: "Bearer do-not-store",
    });
    const { secret } = subscription;
    expect(standard(call, secret)).toEqual(JSON.parse(call.body));
    svix(call, secret);
    const flipped = { ...call, body: call.body.replace('"amount":1', '"amount":0') };
    for (const verifyCall of [standard, svix]) expect(() => verifyCall(flipped, secret)).toThrow();
    const calls = [call, flipped].map((one) => toSampleCall(one, secret));
    // The others take seconds to compile: see documented-receivers.samples.test.ts.
    for (const language of ["js", "python"] as const)
      expect([language, verifyAsDocumented(language, calls)]).toEqual([
        language,
        ["true", "false"],
      ]);
    const [attempt] = await queue.readAttempts(event.runIds[0] ?? "");
    expect(attempt?.request).not.toContain("do-not-store");
    expect(attempt?.request).not.toContain(secret);
  });

  it("is stored without the values of its own headers, in whatever form the receiver repeats them", async () => {
    const [region, key] = ["tenant/7c0d? of <acme>", "9f3b4f1c5d"];
    await using receiver = await startReceiver((response) => {
      const base64 = Buffer.from(`${region}:${key}`).toString("base64");
      response.setHeader("x-repeated", `key=${key}`);
      response.end(JSON.stringify({ region, url: `/?r=${encodeURIComponent(region)}`, base64 }));
    });
    await using _worker = startTestWorker({ url: queue.url });
    const of = { receiverUrl: receiver.url, headers: { "X-Region": region, "X-Of": key } };
    const subscription = await addSubscription(await queue.addAccount(), of);
    const { runIds } = await addEvent([subscription]);
    await send(runIds);
    expect(receiver.calls[0]?.headers).toMatchObject({ "x-region": region, "x-of": key });
    const stored = JSON.stringify(await queue.readAttempts(runIds[0] ?? ""));
    expect(stored.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(6);
    for (const part of ["tenant", "7c0d", "9f3b", "acme", "dGVuYW50", "OWYzY"])
      expect([part, stored.includes(part)]).toEqual([part, false]);
  });

  it("never reaches a network that only the account's receivers may be in, if the URL is the portal's", async () => {
    await using receiver = await startReceiver((response) => response.end("internal data"));
    await using _worker = startTestWorker({ url: queue.url });
    const { url: receiverUrl } = receiver;
    const subscription = await addSubscription(await queue.addAccount(), { receiverUrl });
    const setByPortal = (receiverByPortal: boolean) =>
      queue.db.subscription.update({ where: { id: subscription.id }, data: { receiverByPortal } });
    await setByPortal(true);
    const { runIds } = await addEvent([subscription]);
    await send(runIds);
    expect(receiver.calls).toEqual([]);
    const [attempt] = await queue.readAttempts(runIds[0] ?? "");
    expect(attempt).toMatchObject({
      response: null,
      error_code: "blocked",
      error_message: expect.stringContaining("CATCHMENT_PORTAL_EGRESS_ALLOW"),
    });
    await setByPortal(false);
    await send((await addEvent([subscription])).runIds);
    expect(receiver.calls).toHaveLength(1);
  });

  it("never reaches a URL that has to agree first, if it was changed after the run was claimed", async () => {
    await using receiver = await startReceiver();
    const subscription = await addSubscription(await queue.addAccount());
    const [runId = ""] = (await addEvent([subscription])).runIds;
    const wrapDatabase = (db: SqlDatabase): SqlDatabase => ({
      ...db,
      async $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]) {
        if (JSON.stringify(query).includes("from subscription_secrets"))
          await queue.db.subscription.update({
            where: { id: subscription.id },
            data: { receiverUrl: receiver.url, status: "pending" },
          });
        return await db.$queryRaw<Rows>(query, ...values);
      },
    });
    await using _worker = startTestWorker({ url: queue.url, wrapDatabase });
    notifyRunsDue(queue.db);
    const read = () => queue.db.subscription.findUnique({ where: { id: subscription.id } });
    await expect.poll(read, patience).toMatchObject({ status: "pending" });
    await expect.poll(async () => (await queue.readRun(runId)).lease_id, patience).toBe(null);
    expect(await queue.readRun(runId)).toMatchObject({ state: "queued", attempt_count: 0 });
    expect(receiver.calls).toEqual([]);
  });

  it("verifies with the old and the new secret while one replaces the other, and with its key pair", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const subscription = await addSubscription(await queue.addAccount(), {
      receiverUrl: receiver.url,
    });
    const newSecret = await addSecret(subscription);
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const text = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    await addSecret(subscription, { kind: "ed25519", text });
    await send((await addEvent([subscription])).runIds);
    const [call] = receiver.calls;
    if (call === undefined) throw new Error("nothing was received");
    for (const secret of [subscription.secret, newSecret]) {
      expect(standard(call, secret)).toEqual(JSON.parse(call.body));
      expect(verifyAsDocumented("js", [toSampleCall(call, secret)])).toEqual(["true"]);
    }
    const signature = /v1a,(\S+)/.exec(String(call.headers["webhook-signature"]))?.[1] ?? "";
    const { "webhook-id": id, "webhook-timestamp": timestamp } = call.headers;
    const signed = Buffer.from(`${id}.${timestamp}.${call.body}`);
    const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
    expect(verify(null, signed, key, Buffer.from(signature, "base64"))).toBe(true);
    // The old secret expires.
    await queue.db.$executeRaw`
      update subscription_secrets set expires_at = now() - interval '1 s' where id = (
        select id from subscription_secrets where subscription_id = ${subscription.id}::uuid order by id limit 1
      )`;
    await queue.db
      .$executeRaw`update subscriptions set updated_at = now() where id = ${subscription.id}::uuid`;
    await send((await addEvent([subscription])).runIds);
    const [, second] = receiver.calls;
    if (second === undefined) throw new Error("nothing was received");
    expect(() => standard(second, subscription.secret)).toThrow();
    expect(standard(second, newSecret)).toEqual(JSON.parse(second.body));
  });

  it("is skipped if the subscription's filter doesn't match", async () => {
    await using receiver = await startReceiver();
    await using _worker = startTestWorker({ url: queue.url });
    const subscription = await addSubscription(await queue.addAccount(), {
      receiverUrl: receiver.url,
      filter: { all: [{ path: "data.amount", op: "gt", value: 100 }] },
    });
    const [small, large] = [
      await addEvent([subscription], { amount: 5 }),
      await addEvent([subscription], { amount: 500 }),
    ];
    await send([...small.runIds, ...large.runIds]);
    expect(await queue.readRun(small.runIds[0] ?? "")).toMatchObject({
      state: "skipped",
      reason: expect.stringContaining("filter_not_matched"),
    });
    expect(receiver.calls.map(({ headers }) => headers["webhook-id"])).toEqual([large.id]);
  });
});

describe("what a receiver answers", () => {
  it("two failures, then 429 with Retry-After, then 200: four attempts at their times, fresh timestamps, valid signatures", async () => {
    const responses = [500, 503, 429, 200];
    await using receiver = await startReceiver((response) => {
      const status = responses[receiver.calls.length - 1] ?? 500;
      response.writeHead(status, status === 429 ? { "retry-after": "420" } : {}).end();
    });
    await using _worker = startTestWorker({ url: queue.url });
    const subscription = await addSubscription(await queue.addAccount(), {
      receiverUrl: receiver.url,
      retry: { maxAttempts: 5, initialDelayMs: 60_000, maxDelayMs: 3_600_000, on: [] },
    });
    const event = await addEvent([subscription]);
    const [runId = ""] = event.runIds;
    notifyRunsDue(queue.db);
    const waits: number[] = [];
    for (const attempt of [1, 2, 3]) {
      await expect
        .poll(async () => (await queue.readRun(runId)).attempt_count, patience)
        .toBe(attempt);
      const [row] = await queue.db.$queryRaw<{ ms: number }[]>`
        select (extract(epoch from q.due_at - a.started_at) * 1000)::float8 as ms
        from queue q join attempts a on a.run_id = q.id and a.number = ${attempt}::int where q.id = ${runId}::uuid`;
      waits.push(row?.ms ?? 0);
      // A second passes for the next signature's timestamp.
      await queue.db.$executeRaw`select pg_sleep(1)`;
      await queue.db
        .$executeRaw`update queue set due_at = now() - interval '1 ms' where id = ${runId}::uuid`;
      notifyRunsDue(queue.db);
    }
    expect(await untilFinished(runId)).toMatchObject({ state: "succeeded", attempt_count: 4 });
    // The pauses are 1 min and 6 min, give or take a fifth, and then 24 min, which is more than 7.
    for (const [index, minutes] of [1, 6, 24].entries()) {
      expect(waits[index]).toBeGreaterThan(minutes * 48_000);
      expect(waits[index]).toBeLessThan(minutes * 72_000 + 60_000);
    }
    expect(receiver.calls).toHaveLength(4);
    const timestamps = receiver.calls.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(new Set(timestamps).size).toBe(4);
    expect(
      new Set(receiver.calls.map(({ headers, body }) => `${headers["webhook-id"]}${body}`)).size,
    ).toBe(1);
    for (const call of receiver.calls)
      expect(standard(call, subscription.secret)).toEqual(JSON.parse(call.body));
    expect(await queue.readAttempts(runId)).toHaveLength(4);
  });

  it("Retry-After is a floor", async () => {
    await using receiver = await startReceiver((response) =>
      response.writeHead(429, { "retry-after": "7" }).end(),
    );
    await using _worker = startTestWorker({ url: queue.url });
    const subscription = await addSubscription(await queue.addAccount(), {
      receiverUrl: receiver.url,
      retry: { maxAttempts: 5, initialDelayMs: 1_000, maxDelayMs: 60_000, on: [] },
    });
    const [runId = ""] = (await addEvent([subscription])).runIds;
    notifyRunsDue(queue.db);
    await expect.poll(async () => (await queue.readRun(runId)).attempt_count, patience).toBe(1);
    expect((await queue.readRun(runId)).due_in_ms).toBeGreaterThan(6_000);
  });

  it("410 disables the subscription at once, and what waits is held", async () => {
    await using receiver = await startReceiver((response) => response.writeHead(410).end());
    await using _worker = startTestWorker({ url: queue.url });
    const accountId = await queue.addAccount();
    const subscription = await addSubscription(accountId, { receiverUrl: receiver.url });
    await send((await addEvent([subscription])).runIds);
    const where = { id: subscription.id };
    await expect
      .poll(() => queue.db.subscription.findUnique({ where }), patience)
      .toMatchObject({ status: "disabled", statusReason: expect.stringMatching(/^gone: /) });
    expect(await queue.db.notice.findMany({ where: { accountId } })).toMatchObject([
      { kind: "subscription_disabled", subscriptionId: subscription.id },
    ]);
    const later = await addEvent([subscription]);
    expect(await queue.claim()).toEqual([]);
    expect((await queue.readRun(later.runIds[0] ?? "")).state).toBe("queued");
  });
});
