import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check, countFailed, say, sayTotals } from "#e2e/crash/say-verdicts.ts";
import { keepScratchFolder, makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { proveAway } from "./cases/away.ts";
import { proveCrowd } from "./cases/crowd.ts";
import { proveNetworks } from "./cases/networks.ts";
import { proveSlack } from "./cases/slack.ts";
import { proveSpool } from "./cases/spool.ts";
import { proveStorm } from "./cases/storm.ts";
import { proveTargetDown } from "./cases/target-down.ts";

/**
 * `npm run test:listen -- [CASE…] [--quick] [--listeners 200]`: a tunnel to a developer's machine that
 * loses nothing, with real processes. Ends with 1 if that isn't so. `--quick` has less of everything and
 * leaves out what takes minutes anyway.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    listeners: { type: "string" },
  },
});
const isQuick = values.quick;
const listeners = Number(values.listeners ?? (isQuick ? 20 : 200));

const cases = {
  storm: { prove: proveStorm, says: "Drops every 2 s, a stopped process, and two kills" },
  away: { prove: proveAway, says: "A stopped process, and minutes without a network" },
  networks: { prove: proveNetworks, says: "Behind proxies" },
  crowd: { prove: proveCrowd, says: `${listeners} listeners, and the server is restarted` },
  "target-down": { prove: proveTargetDown, says: "A target that responds with 500 forever" },
  slack: { prove: proveSlack, says: "Slack's URL verification, responded to by localhost" },
  spool: { prove: proveSpool, says: "A spool is drained while it listens" },
} as const;
type CaseName = keyof typeof cases;

const slow: readonly CaseName[] = ["away", "networks", "target-down"];
const startedAt = performance.now();
for (const name of readCases()) await prove(name);
say(`${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
process.exit(sayTotals());

function readCases(): readonly CaseName[] {
  const names = Object.keys(cases) as CaseName[];
  const unknown = positionals.find((name) => !names.includes(name as CaseName));
  if (unknown !== undefined) throw new Error(`There is no case ${unknown}: ${names.join(", ")}`);
  if (positionals.length > 0) return names.filter((name) => positionals.includes(name));
  return isQuick ? names.filter((name) => !slow.includes(name)) : names;
}

/** The folder is kept if something isn't as it should be. */
async function prove(name: CaseName): Promise<void> {
  const { prove: work, says } = cases[name];
  say(`\n${name}: ${says}`);
  const folder = makeScratchFolder(`listen-${name}`);
  const failed = countFailed();
  try {
    await work({ folder, isQuick, listeners });
  } catch (error) {
    check(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  if (countFailed() === failed) return rmSync(folder, { recursive: true, force: true });
  keepScratchFolder(folder);
  say(`  Kept: ${join(folder, "server.log")}`);
}
