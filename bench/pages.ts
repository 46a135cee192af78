import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { Client } from "pg";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { encodeCursor } from "../lib/db/postgres/page.ts";
import { measurePages } from "./measure/measure-pages.ts";

/**
 * `npm run bench:pages [-- --count 1000000 --rounds 60]`: the speed of the dashboard with a long
 * history. Starts and fills its own Catchment, then measures the server's response, the first
 * contentful paint in Chromium, and the script size of each page. Prints JSON to standard output.
 * `--folder <folder>` reuses a filled folder.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "60" },
    folder: { type: "string" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
// Always the same, so that a folder can be opened again.
const access = { ...makeAccess(), secretKey: "b".repeat(43) };
const folder = values.folder ?? makeScratchFolder("pages");
const server = await startServer({ folder }, access);
try {
  const client = new Client({ connectionString: server.databaseUrl() });
  await client.connect();
  if (values.folder === undefined) await fill(server);
  say(`filled: ${folder}; waiting until all of it is counted`);
  await waitUntil("the roll-up", 900_000, () => isRolledUp(client), 1_000);
  const pages = await listPages(client);
  await client.end();
  const cookie = await signIn(server.origin, adminEmail, adminPassword);
  const results = await measurePages({
    origin: server.origin,
    cookie,
    pages,
    rounds: Number(values.rounds),
    say,
  });
  process.stdout.write(
    `${JSON.stringify({ deliveries: Number(values.count), pages: results }, null, 2)}\n`,
  );
} finally {
  await server.stop();
}

async function fill({ databaseUrl }: ServerUnderTest): Promise<void> {
  say(`filling with ${values.count} deliveries`);
  const script = fileURLToPath(new URL("seed.ts", import.meta.url));
  await promisify(execFile)(process.execPath, [
    script,
    "--url",
    databaseUrl(),
    "--count",
    values.count,
  ]);
}

async function isRolledUp(client: Client): Promise<true | undefined> {
  const { rows } = await client.query<{ done: boolean }>(
    `select (select min(hour) from statistics_hours) <= (select received_at from deliveries order by id limit 1)
      and not exists (select from statistics_hours where recount_at < now()) as done`,
  );
  return rows[0]?.done === true ? true : undefined;
}

/** Name and path of what is measured. */
async function listPages(client: Client): Promise<readonly (readonly [string, string])[]> {
  const { rows } = await client.query<{
    hook: string;
    action: string;
    delivery: string;
    old: string;
    oldRun: string;
  }>(
    `select a.hook_id as hook, a.id as action, (select id from deliveries order by id desc limit 1) as delivery,
      (select id from deliveries order by id offset 60 limit 1) as old, (select id from runs order by id offset 60 limit 1) as "oldRun"
    from actions a limit 1`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("There is no action.");
  const { hook, action, delivery } = row;
  const last = encodeCursor(row.old);
  const lastRun = encodeCursor(row.oldRun);
  return [
    ["home", "/"],
    ["home, 30 days", "/?range=30d"],
    ["hooks", "/hooks"],
    ["deliveries", "/deliveries"],
    ["deliveries, last page", `/deliveries?cursor=${last}`],
    ["deliveries, rejected", "/deliveries?status=rejected"],
    ["deliveries, of a type", "/deliveries?eventType=invoice.paid"],
    ["deliveries, of a type, last page", `/deliveries?eventType=invoice.paid&cursor=${last}`],
    ["deliveries, last hour", "/deliveries?since=1h"],
    [
      "deliveries, between two times",
      "/deliveries?since=between&from=2020-01-01T00:00&to=2100-01-01T00:00",
    ],
    ["deliveries, one event id", "/deliveries?eventId=evt_seed_777"],
    ["deliveries, text that is nowhere", "/deliveries?q=nowhere"],
    ["runs", "/runs"],
    ["runs, last page", `/runs?cursor=${lastRun}`],
    ["runs, failed", "/runs?status=failed"],
    ["runs, failed today, of an action", `/runs?status=failed&since=24h&actionId=${action}`],
    ["runs, failed, last page", `/runs?status=failed&cursor=${lastRun}`],
    ["runs, of a hook", `/runs?hookId=${hook}`],
    ["runs, with a reason", "/runs?status=failed&reason=http_400"],
    ["runs, text that is nowhere", "/runs?q=nowhere"],
    ["hook", `/hooks/${hook}`],
    ["delivery", `/deliveries/${delivery}`],
    ["action", `/actions/${action}`],
  ];
}
