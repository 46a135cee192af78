import { rmSync } from "node:fs";
import { makeScratchFolder } from "#e2e/harness/scratch-folder.ts";
import { type FaultStage, setFaultStage } from "./faults/fault-stage.ts";
import { measureClosing, measureHanging, measureOutage, measureReadOnly } from "./faults/scenes.ts";
import { readVersions, type Version } from "./read-versions.ts";

/**
 * `npm run bench:faults`: repeated calls and waiting times while the database or receivers fail. A
 * whole Catchment with a real PostgreSQL and real receivers. Takes a minute or two.
 */
for (const version of readVersions()) await measureVersion(version);

async function measureVersion({ name, checkout }: Version): Promise<void> {
  const folder = makeScratchFolder("faults");
  let stage: FaultStage | undefined;
  try {
    say(`${name}: starting PostgreSQL and Catchment`);
    stage = await setFaultStage(folder, checkout);
    for (const measure of [measureReadOnly, measureOutage, measureHanging, measureClosing]) {
      for (const [what, figure] of await measure(stage))
        say(`${what.padEnd(92)}${figure.padStart(12)}`);
    }
  } finally {
    await stage?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
