import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Client } from "pg";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { listDeliveries } from "#lib/db/deliveries/list-deliveries.ts";
import { createDatabase } from "#lib/db/postgres/client.ts";
import { customPlans } from "#lib/db/postgres/plan-settings.ts";
import { createSqlDatabase } from "#lib/db/postgres/sql-database.ts";
import { indexFieldsJob } from "#lib/jobs/kinds/index-fields.ts";
import { median } from "./outcome/medians.ts";
import { measureCatch } from "./rounds/rounds.ts";
import { fillFields, isIndexed, measureTerms, moveCursor } from "./seed/fill-fields.ts";
import { withClient } from "./stage/filled-folder.ts";
import { setSmallStage } from "./stage/stage.ts";

/**
 * `npm run bench:fields [-- --count 1000000 --rounds 5]`: the field search of a hook with many
 * deliveries. What the index takes, how long it takes to find a value that occurs once and one that
 * occurs 100,000 times, and how many deliveries another hook catches while it is built and while it
 * rests.
 */
const { values } = parseArgs({
  options: {
    count: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" },
  },
});
const [count, rounds, seconds] = [values.count, values.rounds, values.seconds].map(Number) as [
  number,
  number,
  number,
];
const often = 100_000;
/** Each search looks for a different value, if there is one. */
const searches = [
  ["a value that occurs once", (at: number) => `id = evt_${1 + ((at * 7_919) % count)}`],
  [`a value that occurs ${often} times`, () => "data.object.plan = often"],
  ["a value that is nowhere", (at: number) => `id = nowhere_${at}`],
] as const satisfies readonly (readonly [string, (at: number) => string])[];
const shape = { actions: 1, bodyBytes: 450 };
const folder = makeScratchFolder("fields");
try {
  mkdirSync(`${folder}/whole`, { recursive: true });
  const stage = await setSmallStage({ folder, log: say, shape });
  try {
    await withClient(stage.whole.server, measure);
  } finally {
    await stage.stop();
  }

  async function measure(client: Client): Promise<void> {
    const url = stage.whole.server.databaseUrl();
    const { accountId, hookId } = await fillFields(client, { count, often, say });
    const rest = async (isIdle: boolean) => await moveCursor(client, hookId, isIdle);
    await measureCatch(stage.whole, 2);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? [true, false] : [false, true];
      const caught = new Map<boolean, number>();
      for (const isIdle of order) {
        await rest(isIdle);
        const { perSecond } = await measureCatch(stage.whole, seconds);
        caught.set(isIdle, perSecond);
      }
      const [idle = 0, indexing = 0] = [caught.get(true), caught.get(false)];
      ratios.push(indexing / idle);
      say(`caught ${idle.toFixed(0)}/s, while it indexes ${indexing.toFixed(0)}/s`);
    }
    say(`catch with the index being built: ${(100 * median(ratios)).toFixed(1)} %`);
    await rest(false);
    await indexAll(url, () => isIndexed(client, hookId));
    say(await measureTerms(client, hookId));
    const db = createDatabase({
      url,
      poolSize: 4,
      settings: customPlans,
      applicationName: "bench",
    });
    for (const [name, makeText] of searches) {
      const [times, found]: [number[], Set<number>] = [[], new Set()];
      for (let at = 0; at < 100; at += 1) {
        const startedAt = performance.now();
        const filter = { hookId, q: makeText(at) };
        const { items } = await listDeliveries(db, accountId, filter, { limit: 50 });
        times.push(performance.now() - startedAt);
        found.add(items.length);
      }
      const at = (share: number) => (times.toSorted((a, b) => a - b)[share] ?? 0).toFixed(1);
      say(`${name}: p50 ${at(50)} ms, p95 ${at(95)} ms, ${[...found].join(" or ")} found`);
    }
    await db.$disconnect();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Builds the index as the worker does, but without rests. The worker may be at it too. */
async function indexAll(url: string, isIndexed: () => Promise<boolean>): Promise<void> {
  const applicationName = "catchment bench";
  const db = createSqlDatabase({ url, poolSize: 2, applicationName, statementTimeoutMs: 600_000 });
  const job = indexFieldsJob(db);
  const startedAt = performance.now();
  const ended = AbortSignal.abort();
  while ((await job.work(ended)) || !(await isIndexed()));
  say(`indexed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await db.$disconnect();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
