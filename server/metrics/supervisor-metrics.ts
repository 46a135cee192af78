import { statfs } from "node:fs/promises";
import { diskReserve } from "#lib/core/watch/disk-reserve.ts";
import { measureProcess } from "#lib/metrics/measure-process.ts";
import { Meter } from "#lib/metrics/meter.ts";
import type { MetricValues } from "#lib/metrics/metric-values.ts";
import { type MetricsFormat, writeMetrics } from "#lib/metrics/write-metrics.ts";
import type { Supervisor } from "#server/supervise/supervisor.ts";
import packageJson from "../../package.json" with { type: "json" };

export type SupervisorMetricsOptions = {
  readonly supervisor: Pick<Supervisor, "ask" | "starts">;
  /** The data folder of the embedded database. Undefined: an external database. */
  readonly folder: string | undefined;
  readonly minFreeDiskBytes: number;
};

/**
 * The metrics of all processes. Each process counts for itself and is asked at a
 * scrape, so they cost nothing in between. Scrapes at the same time share one reading.
 */
export class SupervisorMetrics {
  readonly #options: SupervisorMetricsOptions;
  readonly #meter = new Meter();
  #reading: Promise<ReadonlyMap<string, MetricValues>> | undefined;

  constructor(options: SupervisorMetricsOptions) {
    this.#options = options;
    measureProcess(this.#meter);
    const { version } = packageJson;
    this.#meter.gauge("catchment_build_info").set({ version, node: process.versions.node }, 1);
    if (options.folder !== undefined)
      measureDisk(this.#meter, options.folder, options.minFreeDiskBytes);
  }

  async write(format: MetricsFormat): Promise<string> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return await writeMetrics(await this.#reading, format);
  }

  async #read(): Promise<ReadonlyMap<string, MetricValues>> {
    const { supervisor } = this.#options;
    const [own, responses] = await Promise.all([this.#meter.read(), supervisor.ask("metrics")]);
    const processes = new Map<string, MetricValues>([["supervisor", own]]);
    for (const [name, response] of responses) {
      const state = new Meter();
      state.gauge("catchment_process_up").set(response === undefined ? 0 : 1);
      state.counter("catchment_process_starts_total")(supervisor.starts.get(name) ?? 0);
      const measured = (response ?? []) as MetricValues;
      processes.set(name, [...(await state.read()), ...measured]);
    }
    return processes;
  }
}

function measureDisk(meter: Meter, folder: string, minFreeDiskBytes: number): void {
  const read = async () => await statfs(folder).catch(() => null);
  meter.gauge("catchment_disk_free_bytes", async (gauge) => {
    const blocks = await read();
    if (blocks !== null) gauge.set(blocks.bavail * blocks.bsize);
  });
  meter.gauge("catchment_disk_size_bytes", async (gauge) => {
    const blocks = await read();
    if (blocks !== null) gauge.set(blocks.blocks * blocks.bsize);
  });
  meter.gauge("catchment_disk_reserve_bytes", async (gauge) => {
    const blocks = await read();
    if (blocks !== null) gauge.set(diskReserve(minFreeDiskBytes, blocks.blocks * blocks.bsize));
  });
}
