import { readFileSync } from "node:fs";
import { Client } from "pg";
import { listTree, readCpuMs } from "#e2e/harness/process-tree.ts";
import { kindOfStatement, type StatementKind, statementKinds } from "../seed/tables.ts";

/** PostgreSQL's usage so far. Times in milliseconds. */
type DatabaseSample = {
  readonly statements: Readonly<Record<StatementKind, StatementSample>>;
  readonly cpuMs: Readonly<Record<"catch" | "worker" | "bench" | "all", number>>;
  readonly walBytes: number;
};

type StatementSample = {
  readonly calls: number;
  readonly execMs: number;
  readonly walBytes: number;
};

/** The cost of a piece of work in PostgreSQL. */
export type DatabaseCosts = {
  readonly cpuMs: number;
  readonly walBytes: number;
  readonly statements: Readonly<Record<StatementKind, StatementCosts>>;
  /** CPU time outside the statements of the catch process and the worker. */
  readonly backgroundMs: number;
};

type StatementCosts = {
  readonly calls: number;
  readonly cpuMs: number;
  readonly walBytes: number;
};

export type DatabaseWatch = {
  readonly client: Client;
  /** Starts counting. The function that it returns stops. */
  start(): Promise<() => Promise<DatabaseCosts>>;
  stop(): Promise<void>;
};

/**
 * Loads `pg_stat_statements`, which takes effect with the next start of the server. Its own cost is
 * about a microsecond a statement.
 */
export async function enableStatementStatistics(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.query("create extension if not exists pg_stat_statements");
  await client.end();
}

/**
 * Watches one database of a server whose PostgreSQL is a descendant of `rootPid`.
 *
 * @param url of a superuser
 */
export async function watchDatabase(url: string, rootPid: number): Promise<DatabaseWatch> {
  const client = new Client({ connectionString: url, application_name: ownName });
  await client.connect();
  return {
    client,
    async start() {
      const before = await sample(client, rootPid);
      return async () => costsBetween(before, await sample(client, rootPid));
    },
    stop: () => client.end(),
  };
}

const ownName = "catchment bench";

async function sample(client: Client, rootPid: number): Promise<DatabaseSample> {
  const statements = await readStatements(client);
  const { rows } = await client.query<{ bytes: number }>(
    "select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as bytes",
  );
  return {
    statements,
    cpuMs: await readCpuByUser(client, rootPid),
    walBytes: rows[0]?.bytes ?? 0,
  };
}

type StatementRow = StatementSample & { readonly query: string };

async function readStatements(client: Client): Promise<DatabaseSample["statements"]> {
  const { rows } = await client.query<StatementRow>(
    `select query, calls::float8, total_exec_time as "execMs", wal_bytes::float8 as "walBytes"
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`,
  );
  const sums = new Map<StatementKind, StatementSample>();
  for (const { query, ...row } of rows) {
    if (query.includes("pg_stat_statements")) continue;
    const kind = kindOfStatement(query);
    const sum = sums.get(kind);
    sums.set(kind, sum === undefined ? row : add(sum, row));
  }
  const entries = statementKinds.map((kind) => [kind, sums.get(kind) ?? nothing] as const);
  return Object.fromEntries(entries) as DatabaseSample["statements"];
}

const nothing: StatementSample = { calls: 0, execMs: 0, walBytes: 0 };

function add(one: StatementSample, other: StatementSample): StatementSample {
  return {
    calls: one.calls + other.calls,
    execMs: one.execMs + other.execMs,
    walBytes: one.walBytes + other.walBytes,
  };
}

async function readCpuByUser(client: Client, rootPid: number): Promise<DatabaseSample["cpuMs"]> {
  const { rows } = await client.query<{ pid: number; name: string }>(
    "select pid, application_name as name from pg_stat_activity where datname = current_database()",
  );
  const sumOf = (isOf: (name: string) => boolean) =>
    rows.reduce((sum, { pid, name }) => sum + (isOf(name) ? (readCpuMs(pid) ?? 0) : 0), 0);
  const postgres = (await listTree(rootPid)).filter(({ role }) => role === "postgres");
  return {
    catch: sumOf((name) => name.startsWith("catchment-catch")),
    worker: sumOf((name) => name.startsWith("catchment worker")),
    bench: sumOf((name) => name === ownName),
    all: postgres.reduce((sum, { pid }) => sum + (readCpuMs(pid) ?? 0) + readEndedCpuMs(pid), 0),
  };
}

/** The CPU time of ended children: the postmaster's vacuum workers and closed connections. */
function readEndedCpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // proc_pid_stat(5): cutime and cstime are fields 16 and 17, in ticks of 10 ms.
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
}

/** Other statements of the worker are few. Maintenance has connections of its own. */
const byWorker: readonly StatementKind[] = ["claim", "load", "finish"];

/**
 * PostgreSQL measures the time that a statement takes, not the CPU time. The connections of the
 * catch process only store; those of the worker share their CPU time out by the time that each
 * statement took.
 */
function costsBetween(before: DatabaseSample, after: DatabaseSample): DatabaseCosts {
  const cpu = (user: keyof DatabaseSample["cpuMs"]) => after.cpuMs[user] - before.cpuMs[user];
  const used = (kind: StatementKind) => ({
    calls: after.statements[kind].calls - before.statements[kind].calls,
    execMs: after.statements[kind].execMs - before.statements[kind].execMs,
    walBytes: after.statements[kind].walBytes - before.statements[kind].walBytes,
  });
  const workerMs = byWorker.reduce((sum, kind) => sum + used(kind).execMs, 0);
  const toCosts = (kind: StatementKind): StatementCosts => {
    const { calls, execMs, walBytes } = used(kind);
    const workerShare = byWorker.includes(kind) && workerMs > 0 ? execMs / workerMs : 0;
    return {
      calls,
      walBytes,
      cpuMs: kind === "store" ? cpu("catch") : cpu("worker") * workerShare,
    };
  };
  const all = cpu("all") - cpu("bench");
  return {
    cpuMs: all,
    walBytes: after.walBytes - before.walBytes,
    backgroundMs: all - cpu("catch") - cpu("worker"),
    statements: Object.fromEntries(
      statementKinds.map((kind) => [kind, toCosts(kind)]),
    ) as DatabaseCosts["statements"],
  };
}
