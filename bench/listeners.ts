import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { makeAccount } from "#e2e/harness/make-account.ts";
import { type ApiAccess, createThroughApi } from "#e2e/harness/post-to-api.ts";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { makeAccess, startServer } from "#e2e/harness/server-under-test.ts";
import { setUpHook } from "#e2e/harness/set-up-hook.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { startHearing } from "./load/start-hearing.ts";
import { medianOf } from "./outcome/medians.ts";
import { measureCatch } from "./rounds/rounds.ts";
import type { Measured } from "./stage/stage.ts";

/**
 * `npm run bench:listeners -- [--rounds 15] [--seconds 2] [--listeners 20] [--connected]`: catching for a hook that
 * listeners hear, and for one of another account that no one does, on one server in short turns. Only
 * the ratio counts: the median of the rounds', so that other load of the machine doesn't. The listeners
 * are away, so nothing but the path of deliveries is measured. With `--connected` they hear what comes
 * meanwhile, and their server shares the machine with catch. Ends with 1 below 97 %.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "15" },
    seconds: { type: "string", default: "2" },
    listeners: { type: "string", default: "20" },
    connected: { type: "boolean", default: false },
  },
});
const [rounds, seconds, listeners] = [values.rounds, values.seconds, values.listeners].map(
  Number,
) as [number, number, number];
const least = 0.97;
const none = { perSecond: Number.NaN, cpu: Number.NaN, postgres: Number.NaN, heard: undefined };

const folder = makeScratchFolder("listeners");
const port = await findFreePort();
const server = await startServer({ folder, port, roles: ["web", "catch"] }, makeAccess());
try {
  const shape = { actions: 1, bodyBytes: 450 };
  // Nothing makes the calls: there is no worker.
  const sinkUrl = `http://127.0.0.1:${await findFreePort()}/`;
  const stage = async (slug: string): Promise<Measured & { access: ApiAccess }> => {
    const { apiToken } = await makeAccount(server.databaseUrl(), slug, slug);
    const access = { origin: server.origin, apiToken };
    const hook = await setUpHook({ ...access, sinkUrl, name: slug });
    const away = slug === "heard" && !values.connected ? listeners : 0;
    for (let number = 0; number < away; number += 1)
      await createThroughApi(access, "/api/v1/listeners", {
        ...{ name: `n${number}`, host: "ada.local", hookIds: [hook.hookId] },
      });
    return { server, port, hook, actionIds: [hook.actionId], shape, folder, access };
  };
  const stages = { heard: await stage("heard"), unheard: await stage("unheard") };
  const measure = async (name: keyof typeof stages) => {
    const { access, hook } = stages[name];
    const hearing =
      name === "heard" && values.connected
        ? await startHearing(access, hook.hookId, listeners)
        : undefined;
    const { perSecond, cpuPerRequest } = await measureCatch(stages[name], seconds);
    const { catch: caught = 0, postgres = 0 } = cpuPerRequest;
    const heard = await hearing?.stop();
    return { perSecond, cpu: caught + postgres, postgres, heard };
  };
  for (const name of ["heard", "unheard"] as const) await measure(name);
  const ratios: { perSecond: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const names =
      round % 2 === 0 ? (["heard", "unheard"] as const) : (["unheard", "heard"] as const);
    const measured = { [names[0]]: await measure(names[0]), [names[1]]: await measure(names[1]) };
    const { heard = none, unheard = none } = measured;
    ratios.push({ perSecond: heard.perSecond / unheard.perSecond, cpu: heard.cpu / unheard.cpu });
    say(
      `round ${round + 1}: ${Math.round(heard.perSecond)} a second with ${listeners} listeners, ` +
        `${Math.round(unheard.perSecond)} with none; ${heard.cpu.toFixed(0)} and ${unheard.cpu.toFixed(0)} µs each, ` +
        `of them PostgreSQL ${heard.postgres.toFixed(0)} and ${unheard.postgres.toFixed(0)}` +
        (heard.heard === undefined ? "" : `; ${heard.heard} heard`),
    );
  }
  const throughput = medianOf(ratios.map(({ perSecond }) => perSecond));
  const cpu = medianOf(ratios.map((ratio) => ratio.cpu));
  say(
    `${listeners} listeners: ${(throughput * 100).toFixed(1)} % of the throughput, and ` +
      `${(cpu * 100).toFixed(1)} % of the CPU time of catch and PostgreSQL (medians of ${rounds} rounds)`,
  );
  process.exitCode = throughput >= least ? 0 : 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
