import { newId } from "#lib/base/ids.ts";
import { storeEvents } from "#lib/db/events/store-events.ts";
import { newEvent } from "#lib/db/testing/new-event.ts";
import { readRuns } from "#lib/db/testing/test-runs.ts";
import type { Thing } from "./api-rows.ts";
import { storeDelivery, type TestAccount, type TestApi } from "./test-api.ts";

/** A value that nothing may show to someone for whom these fields are masked. */
export const canary = "canary7f3aq9";
export const maskedFields = ["**.email", "card.*", "headers.x-customer", "query.phone"];

const payload = {
  id: "obj_1",
  email: canary,
  users: [{ name: "plain", email: canary, more: { EMAIL: [canary] } }],
  card: { number: canary, nested: { exp: canary } },
  message: JSON.stringify({ email: canary }),
  link: `https://a.example/x?email=${canary}&b=1`,
  blob: Buffer.from(JSON.stringify({ pad: "x", email: canary })).toString("base64"),
};

const headersJson = JSON.stringify([
  ["Content-Type", "application/json"],
  ["X-Customer", canary],
  ["User-Agent", "test"],
]);
const request = JSON.stringify({
  ...{ method: "POST", url: `https://example.com/users/${canary}?email=${canary}` },
  ...{ headers: [["x-made", canary]], body: `hello ${canary}`, bodyTruncated: false },
});
const response = JSON.stringify({
  ...{ status: 422, headers: [["x-echo", canary]], body: `no ${canary}`, truncated: false },
});
const sentence = `The receiver responded with 200, but body.email is ${canary}`;

export type Canaries = {
  /** Deliveries of every kind, the one with runs first. */
  readonly deliveries: readonly [string, ...string[]];
  readonly event: string;
  readonly steps: string;
};

/** Payloads with canaries in masked fields, and what became of them, in everything that keeps it. */
export async function addCanaries(
  api: Pick<TestApi, "db" | "call">,
  { id: accountId, token }: TestAccount,
  things: Record<Thing, string>,
): Promise<Canaries> {
  const { db } = api;
  const { hook, recipient, backtest, problem } = things;
  const call = { key: "a", kind: "call", request: { method: "POST", url: "https://example.com" } };
  const made = await api.call("POST", `/api/v1/hooks/${hook}/actions`, {
    ...{ token, body: { name: "with steps", steps: [call] } },
  });
  const steps: string = made.body.id;
  const store = (fields: Parameters<typeof storeDelivery>[3]) =>
    storeDelivery(db, accountId, hook, { headersJson, ...fields });
  const text = JSON.stringify(payload);
  const query = `phone=${canary}&a=1`;
  const delivery = await store({ text, query, eventType: "a.b", eventId: "evt_1" });
  const form = `email=${canary}&user[email]=${canary}&name=plain`;
  const parts = `--b\r\ncontent-disposition: form-data; name="email"\r\n\r\n${canary}\r\n--b--`;
  const rejected = { status: "rejected", verificationOutcome: "failed" } as const;
  const others = [
    { text: form, contentType: "application/x-www-form-urlencoded" },
    { text: parts, contentType: "multipart/form-data; boundary=b" },
    { text: `<user><email>${canary}</email></user>`, contentType: "application/xml" },
    { text: `{"email":"a","email":"${canary}"}` },
    {
      text: `{"email":"${canary}", broken`,
      ...rejected,
      reason: "invalid_json",
      detail: "No JSON.",
    },
    { text, ...rejected, reason: "signature_mismatch", detail: "Signature doesn't match." },
    { text, reason: "schema_mismatch", detail: `Not published as a.b. email is ${canary}.` },
    { text: `[${text},${text}]`, status: "batch" as const },
  ];
  const ids = await Promise.all(others.map(store));
  const runs = await readRuns(db, { deliveryId: delivery });
  const ended = runs.find(({ targetId }) => targetId !== steps)?.id ?? "";
  const stepped = runs.find(({ targetId }) => targetId === steps)?.id ?? "";
  await endWithCanary(db, ended);
  await db.$executeRaw`
    update queue set reason_code = 'retry', reason_detail = ${sentence}, attempt_count = 1
    where id = ${stepped}::uuid`;
  await db.$executeRaw`
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_code,
      error_message, step)
    select uuid_v7_at(clock_timestamp()), ${stepped}::uuid, ${accountId}::uuid, 1, now(), 5, ${request}::json,
      ${response}::json, 'mapping_failed', ${sentence}, 'a'`;
  const result = JSON.stringify({ status: 200, headers: { a: canary }, body: { email: canary } });
  await db.$executeRaw`
    insert into run_steps (id, account_id, key, item, state, attempt_count, started_at, duration_ms, request, response,
      result, error_code, error_message)
    values (${stepped}::uuid, ${accountId}::uuid, 'a', -1, 'retrying', 1, now(), 5, ${request}, ${response},
      ${result}, 'mapping_failed', ${sentence})`;
  await db.$executeRaw`
    insert into answers (id, account_id, run_id, status, headers, body, problem, sent_as, sent_status,
      sent_after_ms)
    values (${delivery}::uuid, ${accountId}::uuid, ${ended}::uuid, 200, ${JSON.stringify({ a: canary })}::json,
      ${`hi ${canary}`}, ${sentence}, 'answer', 200, 5)`;
  await db.$executeRaw`
    insert into listener_responses (delivery_id, listener_id, cursor, account_id, owner_name, host, status,
      headers, body, body_bytes, duration_ms, reply)
    values (${delivery}::uuid, ${newId()}::uuid, 1, ${accountId}::uuid, 'Ada', 'ada.local', 200,
      ${JSON.stringify([["x-a", canary]])}::json, ${Buffer.from(`hi ${canary}`)}, 10, 5,
      ${JSON.stringify({ status: 200, headers: { "x-a": canary }, bodyBase64: btoa(canary) })}::json)`;
  const event = "evt_canary";
  const data = { email: canary, object: { card: { number: canary } }, name: "plain" };
  const published = newEvent(accountId, {
    ...{ publicId: event, type: "a.b", recipient, dataJson: JSON.stringify(data) },
    warning: `email is ${canary}`,
  });
  const body = `{"id":"${event}","type":"a.b","timestamp":"2026-01-01T00:00:00Z","data":${JSON.stringify(data)}}`;
  await storeEvents(db, [{ ...published, body }]);
  const sends = await db.queuedRun.findMany({ where: { accountId, eventId: published.id } });
  for (const send of sends) await endWithCanary(db, send.id);
  const change = { path: "body.email", before: canary, after: `${canary}2` };
  const found = {
    ...{ step: "a", item: null, kind: "call", method: "POST", url: `https://a.example/${canary}` },
    ...{ change: "changed", changes: [change], moreChanges: 0 },
  };
  const details = {
    ...{ requests: [found], moreRequests: 0, unknownSteps: [], responses: {}, cutLists: [] },
  };
  await db.backtestResult.deleteMany({ where: { backtestId: backtest, deliveryId: delivery } });
  await db.backtestResult.create({
    data: {
      ...{ backtestId: backtest, deliveryId: delivery, outcome: "fail", isChanged: true },
      ...{ code: "mapping_failed", message: sentence, details },
    },
  });
  await db.problem.update({
    where: { id: problem },
    data: {
      ...{ kind: "action_failing", actionId: things.action, reason: "not_retried" },
      ...{ runId: ended, deliveryId: delivery },
      details: { kind: "action_failing", message: sentence },
    },
  });
  return { deliveries: [delivery, ...ids], event, steps };
}

/** Ends a queued run with an attempt. */
async function endWithCanary(db: TestApi["db"], id: string): Promise<void> {
  await db.$executeRaw`
    with open as (delete from queue where id = ${id}::uuid returning *)
    insert into runs (id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, finished_at,
      started_at, duration_ms, attempt_count, state,
      reason_code, reason_detail, request, response, error_code, error_message, version)
    select id, account_id, target_id, hook_id, delivery_id, event_id, has_own_id, now(), now(), 1, 1, 'failed',
      'not_retried',
      ${`${sentence}; this is not retried`}, ${request}, ${response}, 'outcome_unknown_to_us', ${sentence}, 1
    from open`;
}
