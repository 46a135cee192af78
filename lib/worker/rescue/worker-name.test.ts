import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { hasEnded, nameWorker, workerName } from "./worker-name.ts";

const { pid: endedPid } = spawnSync(process.execPath, ["-e", ""]);

it.runIf(process.platform === "linux")(
  "a process of this machine that was killed has ended",
  () => {
    expect(hasEnded(nameWorker(endedPid))).toBe(true);
  },
);

it("a process that is running, of another machine, or of an older version may be alive", () => {
  expect(hasEnded(workerName)).toBe(false);
  expect(hasEnded(`other-machine:${endedPid}:${workerName.split(":").at(-1)}`)).toBe(false);
  expect(hasEnded(`${nameWorker(endedPid)}0`)).toBe(false);
  expect(hasEnded(nameWorker(endedPid).split(":").slice(0, 2).join(":"))).toBe(false);
  expect(hasEnded("lost")).toBe(false);
});
