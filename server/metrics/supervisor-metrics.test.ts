import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { SupervisorMetrics } from "./supervisor-metrics.ts";

test("on a small disk, the reserve is the 5% below which deliveries are rejected", async () => {
  const folder = tmpdir();
  const { blocks, bsize } = statfsSync(folder);
  const supervisor = { ask: async () => new Map(), starts: new Map() };
  // As much as the whole disk, so the disk is small in comparison.
  const metrics = new SupervisorMetrics({ supervisor, folder, minFreeDiskBytes: blocks * bsize });
  const [, reserve] =
    /^catchment_disk_reserve_bytes\S* (\S+)$/m.exec(await metrics.write("text")) ?? [];
  expect(Number(reserve)).toBe(blocks * bsize * 0.05);
});
