import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type MeasuredDatabase, measureDatabase, measurePools } from "./measure-database.ts";
import { type MeasuredSpool, measureIntake, measureSpool } from "./measure-intake.ts";
import { measureProcess } from "./measure-process.ts";
import { measureRuns } from "./measure-runs.ts";
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

/** Requests to the dashboard and the API. A live stream counts when it has ended. */
function measureWeb(meter: Meter, server: Server): void {
  const requests = meter.counter("catchment_web_requests_total");
  const seconds = meter.histogram("catchment_web_request_seconds");
  server.on("request", (_request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now();
    response.once("close", () => {
      requests(1, `${Math.floor(response.statusCode / 100)}xx`);
      seconds.observe((performance.now() - startedAt) / 1_000);
    });
  });
}
