import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { type Api, post, type Stage, say } from "./stage.ts";

/**
 * The bytes that someone who knows one catch URL, and not its secret, writes to the disk: 10 MB
 * bodies and small ones, in a minute each, and the total of a day at this rate.
 */
const minuteMs = 60_000;
const everyMs = 500;
const mib = 1024 * 1024;

export async function measureRejected({ server, attacker }: Stage): Promise<void> {
  const db = createDatabase({ url: server.databaseUrl(), poolSize: 1, applicationName: "bench" });
  try {
    for (const [name, bytes] of [
      ["10 MB bodies", 10_000_000],
      ["1 kB bodies", 1_000],
    ] as const) {
      const url = await makeVerifiedHook(attacker);
      const before = await measure(db);
      // The database can't compress it.
      const body = randomBytes(bytes);
      const endsAt = performance.now() + minuteMs;
      let sent = 0;
      for (; performance.now() < endsAt; await delay(everyMs), sent += 1) await post(url, body);
      const after = await measure(db);
      const written = after.bytes - before.bytes;
      say(
        `  ${name}: ${sent} requests in a minute, ${after.rows - before.rows} ` +
          `stored, ${(written / mib).toFixed(1)} MiB on disk ` +
          `(${((written * 1440) / mib / 1024).toFixed(1)} GiB a day without a daily budget)`,
      );
    }
  } finally {
    await db.$disconnect();
  }
}

async function makeVerifiedHook(api: Api): Promise<string> {
  const signingSecret = "a secret that nothing is signed with";
  const hook = await api("/hooks", { name: "rejected", provider: "github", signingSecret });
  return String(hook.catchUrl);
}

type Database = ReturnType<typeof createDatabase>;

async function measure(db: Database): Promise<{ bytes: number; rows: number }> {
  const [row] = await db.$queryRaw<{ bytes: number; rows: number }[]>`
    select pg_database_size(current_database())::float8 as bytes, (select count(*) from deliveries)::int as rows`;
  if (row === undefined) throw new Error("The database didn't answer");
  return row;
}
