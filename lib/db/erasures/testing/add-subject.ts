import { newId } from "#lib/base/ids.ts";
import { sealText } from "#lib/core/people/redact/sealed-value.ts";
import { actionDraftPlace, idempotentResponsePlace } from "#lib/core/people/seal/seal-places.ts";
import { Prisma } from "#lib/db/generated/client.ts";
import type { Database } from "#lib/db/postgres/client.ts";
import { addPartitions } from "#lib/db/testing/fill-week.ts";
import type { TestHook } from "#lib/db/testing/test-hook.ts";
import { addMember } from "#lib/db/testing/test-member.ts";
import { addProblem } from "#lib/db/testing/test-problem.ts";
import { testSealer } from "#lib/db/testing/test-sealer.ts";

/** The values of a person. Nothing else in a test's database has `jo.doe` in it. */
export const subject = ["Jo.Doe@example.com", "cus_jo.doe"];

/** Bodies with the person's values, as programs write them. */
const bodies = [
  '{"id":1,"email":"jo.doe@example.com","total":123456789012345678901234567890.10}',
  String.raw`{"id":1,"email":"jo.doe\u0040example.com"}`,
  '{"id":1,"user":{"EMAIL":"JO.DOE@EXAMPLE.COM"},"customer":"cus_jo.doe"}',
  "email=jo.doe%40example.com&n=1",
  `{"blob":"${Buffer.from('{"pad":"x","email":"jo.doe@example.com"}').toString("base64")}"}`,
  String.raw`{"inner":"{\"email\":\"jo.doe\\u0040example.com\"}"}`,
];

type Filled = {
  readonly hook: TestHook;
  readonly actionId: string;
  /** Every tenth is about the person. */
  readonly deliveries: number;
  /** When the first one arrived. There is one each five seconds. */
  readonly from: Date;
};

/**
 * Deliveries with a run each, its attempt, step, reply, and response of a listener, and events. Every tenth
 * has a value of the person: in the body, the query, a header, or the id, and in what became of it.
 */
export async function addSubject(
  db: Database,
  { hook, actionId, deliveries, from }: Filled,
): Promise<void> {
  const { accountId } = hook;
  const until = new Date(from.getTime() + deliveries * 5_000 + 86_400_000);
  await addPartitions(db, from.toISOString().slice(0, 10), until);
  const other = Prisma.sql`convert_to('{"id":' || n || ',"email":"user' || n || '@example.com","pad":"' || ${"lorem ipsum ".repeat(60)}::text || '"}', 'UTF8')`;
  await db.$executeRaw`
    insert into deliveries (id, account_id, hook_id, status, received_at, method, path, query, headers, content_type, body_size, body,
      event_id, verification_outcome, source_ip, stored_at, response_ms)
    select uuid_v7_at(at), ${accountId}::uuid, ${hook.id}::uuid, 'accepted', at, 'POST', '',
      case when n % 80 = 10 then 'e=jo.doe%40example.com' else 'a=%20' end,
      (case when n % 80 = 20 then '[["X-User","Jo.Doe@example.com"]]' else ${'[["x",  "\\u00fc é"]]'}::text end)::json,
      'application/json', octet_length(body), body,
      case when n % 80 = 30 then 'jo.doe@example.com' else 'evt_' || n end, 'verified', '192.0.2.1', at, n
    from (select n, ${from}::timestamptz + n * interval '5 seconds' as at,
      case when n % 10 > 0 or n % 80 in (10, 20, 30) then ${other}
        when n % 80 = 40 then '\\xff00'::bytea || convert_to(' jo.doe@example.com', 'UTF8') || '\\x00'::bytea
        else convert_to((${bodies}::text[])[1 + (n / 10) % 6], 'UTF8') end as body
      from generate_series(1, ${deliveries}::int) n) made`;
  const made = Prisma.sql`(
    select *, case when response_ms % 10 = 0 then 'jo.doe@example.com' else 'user' || response_ms || '@example.com' end as who
    from deliveries where hook_id = ${hook.id}::uuid and received_at >= ${from} and received_at < ${until}) made`;
  await db.$executeRaw`
    insert into runs (id, account_id, target_id, hook_id, delivery_id, finished_at, state, reason_code, reason_detail, request,
      response, attempt_count)
    select run_id(id, 0), account_id, ${actionId}::uuid, hook_id, id, received_at + interval '1 s', 'failed', 'http_error',
      'The receiver responded with 422: ' || who, '{"method":"POST","url":"https://example.com/' || who || '"}',
      '{"status":422,"body":"no ' || who || '"}', 2 from ${made}`;
  await db.$executeRaw`
    insert into attempts (id, run_id, account_id, number, started_at, duration_ms, request, response, error_message)
    select uuid_v7_at(received_at + interval '1 s'), run_id(id, 0), account_id, 1, received_at, 12,
      ('{"method":"POST","body":"{\\"to\\":\\"' || who || '\\"}"}')::json, ('{"status":500,"body":"' || who || '"}')::json, 'No ' || who
    from ${made}`;
  await db.$executeRaw`
    insert into run_steps (id, account_id, key, item, state, started_at, result)
    select run_id(id, 0), account_id, 'call', -1, 'succeeded', received_at, '{"status":200,"value":"' || who || '"}' from ${made}`;
  await db.$executeRaw`
    insert into answers (id, account_id, status, headers, body, sent_as)
    select id, account_id, 200, '[]', '{"hello":"' || who || '"}', 'answer' from ${made}`;
  await db.$executeRaw`
    insert into listener_responses (delivery_id, listener_id, cursor, account_id, owner_name, host, status, headers, body, body_bytes,
      duration_ms)
    select id, ${newId()}::uuid, response_ms, account_id, 'n', 'laptop', 200, '[]', convert_to('hello ' || who, 'UTF8'), 30, 1 from ${made}`;
  await db.$executeRaw`
    insert into events (id, account_id, public_id, type, recipient, body, stored_at)
    select uuid_v7_at(received_at + interval '2 s'), account_id, 'evt_' || id, 'user.seen', who,
      convert_to('{"data":{"email":"' || who || '"}}', 'UTF8'), received_at from ${made}`;
}

/** One of each row that isn't of a week, about the person, and one that isn't. */
export async function addOtherPlaces(
  db: Database,
  { accountId, id: hookId }: TestHook,
  actionId: string,
): Promise<void> {
  const userId = await addMember(db, accountId, "member");
  for (const who of ["jo.doe@example.com", "someone@example.com"]) {
    const [backtestId, subscriptionId] = [newId(), newId()];
    const json = JSON.stringify({ email: who });
    await db.$executeRaw`
      insert into queue (id, account_id, target_id, hook_id, due_at, has_own_id, reason_code, reason_detail)
      values (${newId()}::uuid, ${accountId}::uuid, ${actionId}::uuid, ${hookId}::uuid, now() + interval '1 day', true, 'http_error', ${`No ${who}`})`;
    await db.$executeRaw`
      insert into backtests (id, account_id, hook_id, draft, first_id, seen_before, total, status, finished_at)
      values (${backtestId}::uuid, ${accountId}::uuid, ${hookId}::uuid, ${json}::json, ${newId()}::uuid, ${newId()}::uuid, 1, 'finished', now())`;
    await db.$executeRaw`
      insert into backtest_results (backtest_id, delivery_id, outcome, is_changed, change_key, message, details)
      values (${backtestId}::uuid, ${newId()}::uuid, 'run', false, '', ${`For ${who}`}, ${json}::json)`;
    const gapId = newId();
    await db.$executeRaw`
      insert into gaps (id, account_id, hook_id, provider, status, asked_from, from_at, to_at, asked_by, finished_at)
      values (${gapId}::uuid, ${accountId}::uuid, ${hookId}::uuid, 'stripe', 'found', now(), now(), now(), 'n', now())`;
    await db.$executeRaw`
      insert into gap_events (gap_id, key, state, occurred_at, body)
      values (${gapId}::uuid, ${newId()}::uuid, 'missing', now(), convert_to(${json}, 'UTF8'))`;
    await db.$executeRaw`
      insert into hook_shapes (hook_id, event_type, shape) values (${hookId}::uuid, ${newId()}, ${json}::json)`;
    const problem = await addProblem(db, { accountId, hookId });
    await db.$executeRaw`
      update problems set comment = ${`Ask ${who}`}, details = ${json}::json, key = ${newId()} where id = ${problem}::uuid`;
    await db.$executeRaw`
      insert into subscriptions (id, account_id, receiver_url, event_types)
      values (${subscriptionId}::uuid, ${accountId}::uuid, 'https://example.com', '{"*"}')`;
    await db.notice.create({
      data: {
        id: newId(),
        accountId,
        kind: "subscription_failing",
        subscriptionId,
        detail: `No ${who}`,
      },
    });
    await db.$executeRaw`
      insert into bulk_jobs (id, account_id, kind, filter, seen_before, status, finished_at)
      values (${newId()}::uuid, ${accountId}::uuid, 'retry', ${json}::json, ${newId()}::uuid, 'finished', now())`;
    await db.savedView.create({
      data: { id: newId(), accountId, list: "runs", name: newId(), params: { q: who } },
    });
    const key = newId();
    const body = sealText(testSealer, json, idempotentResponsePlace(accountId, key));
    await db.idempotencyKey.create({
      data: { accountId, key, requestHash: new Uint8Array(32), status: 200, body },
    });
    const targetId = who.startsWith("jo") ? hookId : actionId;
    const place = actionDraftPlace(accountId, { userId, targetId });
    await db.actionDraft.create({
      data: {
        ...{ userId, targetId, accountId, hookId, revision: 1 },
        actionId: targetId === hookId ? null : actionId,
        version: targetId === hookId ? null : 1,
        content: new Uint8Array(testSealer.seal(Buffer.from(json), place)),
        updatedAt: new Date(),
      },
    });
  }
}
