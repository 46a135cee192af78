import { connectTo } from "#e2e/harness/connect-to.ts";
import type { Dashboard } from "../harness/dashboard.ts";

/** Ids of problems, by what they are. */
export type SeededProblems = Readonly<
  Record<
    | "failingProblemId"
    | "sendProblemId"
    | "rejectedProblemId"
    | "silenceProblemId"
    | "onlyRejectedProblemId"
    | "shapeProblemId"
    | "diskProblemId"
    | "spoolProblemId"
    | "archiveProblemId"
    | "clockProblemId"
    | "databaseProblemId"
    | "resolvedProblemId",
    string
  >
>;

type Of = Readonly<Record<"hookId" | "actionId" | "subscriptionId" | "deliveryId", string>>;

/** Seeds a problem of each kind, as the background jobs store them, and an alert channel. */
export async function seedProblems(
  { server }: Dashboard,
  { hookId, actionId, subscriptionId, deliveryId }: Of,
): Promise<SeededProblems> {
  const silence = {
    kind: "silence",
    usualPerHour: 40.2,
    earlierWeeks: [41, 38.5, 40, 42, 39, 41, 40, 40],
    silentSince: new Date(Date.now() - 3 * hourMs).toISOString(),
    lastDeliveryAt: new Date(Date.now() - 3 * hourMs).toISOString(),
    isOnlyRejected: false,
  };
  const usual = "Usually about 40 an hour on Sundays from 11:00 to 14:00 UTC";
  await using client = await connectTo(server.databaseUrl());
  const add = async (details: Details, of: Partial<Row> = {}) => {
    const row = { actionId: null, subscriptionId: null, reason: null, deliveryId: null, ...of };
    const { rows } = await client.query(insertProblem, [
      ...[hookId, details.kind, row.actionId, row.subscriptionId, row.reason, row.deliveryId],
      ...[JSON.stringify(details), row.count ?? 1, row.state ?? "open"],
    ]);
    return String(rows[0]?.id);
  };
  const message = "The receiver responded with 503";
  const problems = {
    failingProblemId: await add(
      { kind: "action_failing", message },
      { actionId, reason: "receiver_down", count: 12_414, deliveryId },
    ),
    sendProblemId: await add(
      {
        kind: "subscription_failing",
        message: "The receiver responded with 410: it wants no more events",
      },
      { subscriptionId, reason: "status_410", count: 31, state: "acknowledged" },
    ),
    rejectedProblemId: await add(
      { kind: "rejected", message: "The signature doesn't match the body." },
      { reason: "signature_mismatch", count: 205 },
    ),
    silenceProblemId: await add({ ...silence, message: `${usual}, nothing for 3 hours` }),
    onlyRejectedProblemId: await add({
      ...silence,
      message: `${usual}, only rejected deliveries for 3 hours: 205 with 401 (Invalid signature)`,
      isOnlyRejected: true,
      rejectedCount: 205,
    }),
    shapeProblemId: await add(shapeOf(actionId), { count: 7, deliveryId }),
    diskProblemId: await add({
      ...{ kind: "disk", freeBytes: 1.4e9, totalBytes: 6.4e10, minFreeBytes: 1.07e9 },
    }),
    spoolProblemId: await add({
      ...{ kind: "spool", waiting: 12_414, setAside: 2, hosts: ["edge-1"] },
      asideNames: ["0193-2f.delivery", "writer-1-000000000001-at-515.damaged"],
      oldestAt: new Date(Date.now() - hourMs / 30).toISOString(),
    }),
    archiveProblemId: await add({
      ...{ kind: "archive", week: "2026-08-24" },
      message: "The archive's folder can't be written (EACCES).",
    }),
    clockProblemId: await add({
      ...{ kind: "clock", refuses: true },
      machines: [{ host: "edge-1", offsetSeconds: -8_640_000 }],
    }),
    databaseProblemId: await add({ kind: "database", seconds: 22, deliveries: 10_262 }),
    resolvedProblemId: await add(
      { kind: "action_failing", message },
      { actionId, reason: "status_404", count: 3, state: "resolved" },
    ),
  };
  await client.query(insertChannel, [hookId, problems.failingProblemId]);
  await client.query(takeCare, [problems.failingProblemId]);
  return problems;
}

type Row = {
  readonly actionId: string;
  readonly subscriptionId: string;
  readonly reason: string;
  readonly deliveryId: string;
  readonly count: number;
  readonly state: "open" | "acknowledged" | "resolved";
};

type Details = { readonly kind: string } & Readonly<Record<string, unknown>>;

const hourMs = 3_600_000;

function shapeOf(actionId: string) {
  return {
    kind: "shape",
    eventType: "checkout.session.completed",
    changes: [
      { path: "data.object.amount_total", change: "type", before: "number", after: "text" },
      { path: "data.object.customer_email", change: "missing", before: "text", after: null },
      { path: "data.object.customer_details", change: "new", before: null, after: "object" },
    ],
    actions: [
      {
        id: actionId,
        name: "Add the customer to the CRM",
        paths: ["data.object.amount_total", "data.object.customer_email"],
        readBy: ["body.amount", "body.email"],
      },
    ],
  };
}

const insertProblem = `
  insert into problems (id, account_id, kind, key, state, hook_id, action_id, subscription_id, reason,
    first_at, last_at, count, details, delivery_id, acknowledged_at, acknowledged_by, resolved_at, resolution,
    is_changed)
  select uuid_v7_at(clock_timestamp()), account_id, $2, 'seeded:' || gen_random_uuid(), $9,
    case when $2 in ('disk', 'spool', 'archive', 'clock', 'database') or $4::uuid is not null then null else id end,
    $3::uuid, $4::uuid, $5,
    now() - interval '3 hours', now(), $8::bigint, $7::json, $6::uuid,
    case when $9 = 'acknowledged' then now() - interval '1 hour' end,
    case when $9 = 'acknowledged' then 'Ada Lovelace' end,
    case when $9 = 'resolved' then now() end, case when $9 = 'resolved' then 'recovered' end, false
  from hooks where id = $1::uuid
  returning id`;

/** Someone takes care of a problem, and wrote about it. */
const takeCare = `
  update problems p set comment = 'The CRM looks into it. Ticket 4711.', commented_by = 'ada@example.com',
    commented_at = now() - interval '20 minutes',
    assignee_id = (select user_id from memberships m where m.account_id = p.account_id limit 1)
  where id = $1::uuid`;

/** A channel with its rules, and two messages about a problem: one was sent, one is tried again. */
const insertChannel = `
  with channel as (
    insert into alert_channels (id, account_id, name, kind, target)
    select gen_random_uuid(), account_id, 'On call', 'email', 'oncall@example.com' from hooks where id = $1::uuid
    returning id, account_id
  ), rules as (
    insert into alert_rules (id, account_id, kind, threshold, within_seconds, channel_ids, quiet_hours, digest,
      remind_minutes, enabled)
    select gen_random_uuid(), account_id, kind, times, 600, array[id],
      case when kind = 'silence' then
        '{"from":"22:00","to":"07:00","timeZone":"Europe/Berlin","weekends":true}'::json
      end,
      case when kind = 'shape' then 'daily' else 'off' end, case when kind = 'disk' then 60 end,
      kind <> 'rejected'
    from channel, (values
      ('action_failing', 3), ('rejected', 10), ('silence', 1), ('shape', 1), ('disk', 1)
    ) as t(kind, times)
  ), told as (
    insert into alerts (id, account_id, channel_id, problem_id, event, number, state, due_at, attempt_count,
      ended_at)
    select uuid_v7_at(clock_timestamp()), account_id, id, $2::uuid, event, 0, state,
      now() + interval '1 hour', 1, case state when 'sent' then now() end
    from channel, (values ('opened', 'sent'), ('reminder', 'waiting')) as t(event, state)
    returning id, state
  )
  insert into alert_attempts (alert_id, number, started_at, duration_ms, is_sent, message)
  select id, 1, now(), 182, state = 'sent',
    'The mail server ' || case state when 'sent' then 'accepted it.' else 'refused the connection.' end
  from told`;
