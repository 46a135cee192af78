import { createHash } from "node:crypto";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { makeStripeBody, signStripe } from "#e2e/harness/stripe-delivery.ts";
import { newId } from "#lib/base/ids.ts";
import { type NewDelivery, storeDeliveries } from "#lib/db/deliveries/store-deliveries.ts";
import { queueSettings } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase, type SqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { claimRuns } from "#lib/db/queue/claim/claim-runs.ts";
import type { ClaimedRun } from "#lib/db/queue/claimed-run.ts";
import { type FinishedRun, finishRuns } from "#lib/db/queue/finish-runs.ts";
import { withConnection } from "#server/database/database-connection.ts";
import { migrate, readMigrations } from "#server/database/migrate.ts";
import { startEmbeddedPostgres } from "#server/postgres/embedded-postgres.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { migrationsFolder } from "#server/system/paths.ts";
import { findServiceUser } from "#server/system/service-user.ts";

/**
 * `npm run bench:queue`: what a delivery costs in PostgreSQL and in the driver, by statement, in
 * batches of a given size. Without HTTP, so it varies by a few percent only; the bytes of
 * write-ahead log don't vary at all.
 */
const { values: options } = parseArgs({
  options: {
    batch: { type: "string", default: "100" },
    deliveries: { type: "string", default: "6000" },
    rounds: { type: "string", default: "5" },
    actions: { type: "string", default: "1" },
    sql: { type: "string", default: "" },
  },
});
const batchSize = Number(options.batch);
const perRound = Number(options.deliveries);
const rounds = Number(options.rounds);
const actions = Number(options.actions);

const stages = ["store", "claim", "finish"] as const;
type StageName = (typeof stages)[number];
type Connection = { readonly db: SqlDatabase; readonly pid: number };
type Cost = { pg: number[]; node: number; wal: number; statements: number };

const ids = { account: newId(), hook: newId() };

const folder = mkdtempSync(join(tmpdir(), "catchment-queue-"));
const user = findServiceUser();
if (user !== undefined) chownSync(folder, user.uid, user.gid);
const postgres = await startEmbeddedPostgres({ folder: prepareDataFolder(folder), user });
try {
  await prepareDatabase();
  await measure();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function prepareDatabase(): Promise<void> {
  const { url } = postgres;
  const migrations = readMigrations(migrationsFolder);
  await withConnection(url, async (client) => {
    await migrate({ url, client, migrations });
    await client.query("insert into accounts (id, slug, name) values ($1, 'main', 'main')", [
      ids.account,
    ]);
    await client.query(
      "insert into hooks (id, account_id, key, name, provider, methods) values ($1, $2, 'k', 'h', 'stripe', '{POST}')",
      [ids.hook, ids.account],
    );
    for (let index = 0; index < actions; index += 1) {
      await client.query(
        "insert into actions (id, account_id, hook_id, name, request, timeout_ms) values ($1, " +
          `$2, $3, 'sink', '{"method":"POST","url":"http://127.0.0.1:1/"}', 15000)`,
        [newId(), ids.account, ids.hook],
      );
    }
    await client.query(options.sql);
    await client.query("insert into workers (name) values ('w')");
  });
}

async function measure(): Promise<void> {
  const connections = new Map<StageName, Connection>();
  const costs = new Map<StageName, Cost>();
  for (const name of stages) {
    const settings = name === "store" ? {} : { settings: queueSettings };
    const db = createSqlDatabase({
      url: postgres.url,
      applicationName: name,
      poolSize: 1,
      ...settings,
    });
    const [{ pid } = { pid: 0 }] = await db.$queryRaw<
      { pid: number }[]
    >`select pg_backend_pid() as pid`;
    connections.set(name, { db, pid });
    costs.set(name, { pg: [], node: 0, wal: 0, statements: 0 });
  }
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await workThrough(connections, costs, 3_000);
  await admin.query("vacuum analyze");
  for (const cost of costs.values())
    Object.assign(cost, { pg: [], node: 0, wal: 0, statements: 0 });
  for (let round = 0; round < rounds; round += 1) {
    const before = await readAll(admin, connections);
    await workThrough(connections, costs, perRound);
    const after = await readAll(admin, connections);
    for (const name of stages) {
      const cost = costs.get(name);
      cost?.pg.push(((after.get(name)?.cpu ?? 0) - (before.get(name)?.cpu ?? 0)) / perRound);
      if (cost !== undefined)
        cost.wal += (after.get(name)?.wal ?? 0) - (before.get(name)?.wal ?? 0);
    }
  }
  show(costs);
  const { rows } = await admin.query(
    `select relname as "table", n_tup_ins::int as inserted, n_tup_upd::int as updated,
       n_tup_hot_upd::int as hot, n_tup_del::int as deleted,
       (pg_relation_size(relid) / 1024)::int as kb, (pg_indexes_size(relid) / 1024)::int as "index kb"
     from pg_stat_user_tables where n_tup_ins > 1000 order by 1`,
  );
  console.table(rows);
  await admin.end();
  for (const { db } of connections.values()) await db.$disconnect();
}

async function workThrough(
  connections: ReadonlyMap<StageName, Connection>,
  costs: ReadonlyMap<StageName, Cost>,
  count: number,
): Promise<void> {
  const deliveries = Array.from({ length: count }, makeDelivery);
  const timed = async <Result>(name: StageName, run: (db: SqlDatabase) => Promise<Result>) => {
    const { db } = connections.get(name) as Connection;
    const cost = costs.get(name) as Cost;
    const before = process.cpuUsage();
    const result = await run(db);
    const { user: own, system } = process.cpuUsage(before);
    cost.node += own + system;
    cost.statements += 1;
    return result;
  };
  for (let at = 0; at < count; at += batchSize) {
    await timed("store", (db) => storeDeliveries(db, deliveries.slice(at, at + batchSize)));
    for (let left = Math.min(batchSize, count - at) * actions; left > 0; ) {
      const { runs } = await timed("claim", (db) => claimRuns(db, claimOptions()));
      left -= runs.length;
      const late = await timed("finish", (db) => finishRuns(db, runs.map(toFinished)));
      if (late.size > 0 || runs.length === 0) throw new Error("A run was not claimed or is late");
    }
  }
}

function claimOptions() {
  return {
    workerId: 1,
    leaseId: newId(),
    leaseMs: 30_000,
    freeSlots: 2_048,
    freeBytes: 64 * 1024 * 1024,
    actionCap: 200,
    accountCap: 1_000,
  };
}

function makeDelivery(_: unknown, index: number): NewDelivery {
  const id = newId();
  const eventId = `evt_${id}_${index}`;
  const body = makeStripeBody(eventId);
  const headers = [
    ["Host", "127.0.0.1"],
    ["User-Agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)"],
    ["Content-Type", "application/json; charset=utf-8"],
    ["Content-Length", String(body.length)],
    ["Stripe-Signature", signStripe(body, Date.now())],
  ];
  return {
    id,
    accountId: ids.account,
    hookId: ids.hook,
    status: "accepted",
    reason: null,
    detail: null,
    receivedAtMs: Date.now(),
    method: "POST",
    path: "",
    query: "",
    headersJson: JSON.stringify(headers),
    contentType: "application/json; charset=utf-8",
    body,
    eventId,
    eventType: "checkout.session.completed",
    keyHash: createHash("sha256").update(eventId).digest(),
    replayHash: null,
    verificationOutcome: "verified",
    verificationScheme: "stripe",
    sourceIp: "127.0.0.1",
    isSample: false,
  };
}

function toFinished(run: ClaimedRun): FinishedRun {
  const request = {
    method: "POST",
    url: "http://127.0.0.1:40123/",
    headers: [
      ["content-type", "application/json"],
      ["user-agent", "Catchment/0.1.0"],
      ["idempotency-key", run.id],
      ["catchment-hops", "1"],
      ["accept", "*/*"],
    ],
    body: JSON.stringify({ eventId: run.id, token: run.id + run.targetId, amount: 4_200 }),
    bodyTruncated: false,
  };
  const response = {
    status: 200,
    headers: [
      ["content-type", "application/json"],
      ["content-length", "11"],
      ["date", "Sun, 22 Nov 2026 05:29:46 GMT"],
      ["connection", "keep-alive"],
      ["keep-alive", "timeout=65"],
    ],
    body: '{"ok":true}',
    truncated: false,
  };
  const attempt = {
    id: newId(),
    number: run.attemptNumber,
    startedAtMs: Date.now(),
    durationMs: 12,
    requestJson: JSON.stringify(request),
    responseJson: JSON.stringify(response),
    errorCode: null,
    errorMessage: null,
  };
  return { ...run, attemptCount: 1, next: { state: "succeeded", reason: null }, attempt };
}

/** CPU microseconds and WAL bytes so far, of each connection's process in PostgreSQL. */
async function readAll(admin: Client, connections: ReadonlyMap<StageName, Connection>) {
  const read = new Map<StageName, { cpu: number; wal: number }>();
  for (const [name, { db, pid }] of connections) {
    await db.$queryRaw`select pg_stat_force_next_flush()::text as done`;
    await db.$queryRaw`select 1 as done`;
    const { rows } = await admin.query<{ bytes: number }>(
      "select wal_bytes::float8 as bytes from pg_stat_get_backend_wal($1)",
      [pid],
    );
    const [nanoseconds = "0"] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    read.set(name, { cpu: Number(nanoseconds) / 1_000, wal: rows[0]?.bytes ?? 0 });
  }
  return read;
}

function show(costs: ReadonlyMap<StageName, Cost>): void {
  const total = { pg: 0, node: 0, wal: 0 };
  const deliveries = rounds * perRound;
  const line = (name: string, pg: number, node: number, wal: number, statements = "") =>
    console.log(
      `${name.padEnd(8)} PostgreSQL ${pg.toFixed(1).padStart(6)} µs   Node ` +
        `${node.toFixed(1).padStart(6)} µs   WAL ${wal.toFixed(0).padStart(5)} B ${statements}`,
    );
  for (const [name, { pg, node, wal, statements }] of costs) {
    const median = pg.toSorted((a, b) => a - b)[Math.floor(pg.length / 2)] ?? 0;
    line(
      name,
      median,
      node / deliveries,
      wal / deliveries,
      `${(deliveries / statements).toFixed(0)} a statement`,
    );
    total.pg += median;
    total.node += node / deliveries;
    total.wal += wal / deliveries;
  }
  line("sum", total.pg, total.node, total.wal);
}
