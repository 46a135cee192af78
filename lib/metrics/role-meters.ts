import type { Server } from "node:http";
import { type MeasuredDatabase, measureDatabase, measurePools } from "./measure-database.ts";
import { type MeasuredSpool, measureIntake, measureSpool } from "./measure-intake.ts";
import { measureProcess } from "./measure-process.ts";
import { measureRuns } from "./measure-runs.ts";
import { measureWeb } from "./measure-web.ts";
import { Meter } from "./meter.ts";

/** Opened before the role's database, so that they see its pools. */
export const roleMeters = {
  catch: () => open(measureIntake),
  worker: () => open(measureRuns),
  web: () => open(),
};

function open(...parts: readonly ((meter: Meter) => void)[]): RoleMeter {
  const meter = new Meter();
  for (const measure of [measureProcess, measurePools, ...parts]) measure(meter);
  return {
    read: () => meter.read(),
    watchDatabase: (measured) => measureDatabase(meter, measured),
    watchSpool: (spool) => measureSpool(meter, spool),
    watchWeb: (server) => measureWeb(meter, server),
    watchRunsInFlight: (count) =>
      void meter.gauge("catchment_runs_in_flight", (gauge) => gauge.set(count())),
  };
}

export type RoleMeter = Pick<Meter, "read"> & {
  watchDatabase(measured: MeasuredDatabase): void;
  watchSpool(spool: MeasuredSpool): void;
  watchWeb(server: Server): void;
  watchRunsInFlight(count: () => number): void;
};
