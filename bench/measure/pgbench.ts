import { execFile } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";

const run = promisify(execFile);

export type PgbenchResult = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
};

/**
 * Checks if PostgreSQL's own load generator is on the PATH. The embedded PostgreSQL doesn't include
 * it.
 */
export async function hasPgbench(): Promise<boolean> {
  return run("pgbench", ["--version"]).then(
    () => true,
    () => false,
  );
}

/**
 * `pgbench -c64 -j2`: one insert of a 450-byte row per transaction, on the database that deliveries
 * go to.
 */
export async function measurePgbench(
  databaseUrl: string,
  seconds: number,
  folder: string,
): Promise<PgbenchResult> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    "create table if not exists bench_rows (id bigint generated always as identity primary key, body text)",
  );
  await client.end();
  const script = join(folder, "insert.sql");
  writeFileSync(script, `insert into bench_rows (body) values ('${"x".repeat(450)}');\n`);
  const prefix = "pgbench-log";
  const { stdout } = await run(
    "pgbench",
    [
      "-n",
      "-M",
      "prepared",
      "-c64",
      "-j2",
      `-T${seconds}`,
      "-f",
      script,
      "--log",
      `--log-prefix=${prefix}`,
      databaseUrl,
    ],
    { cwd: folder, maxBuffer: 16 * 1024 * 1024 },
  );
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
  return { perSecond, ...readLatencies(folder, prefix) };
}

/** Each line of the log is a transaction. Its third field is the duration in microseconds. */
function readLatencies(folder: string, prefix: string): { p50: number; p99: number } {
  const files = readdirSync(folder).filter((name) => name.startsWith(prefix));
  const lines = files.flatMap((name) =>
    readFileSync(join(folder, name), "utf8").trimEnd().split("\n"),
  );
  for (const name of files) rmSync(join(folder, name));
  const sorted = Float64Array.from(lines, (line) => Number(line.split(" ")[2]) / 1000).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}
