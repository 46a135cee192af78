import type { RequestListener, Server } from "node:http";
import type { StorageCheck } from "#lib/db/postgres/check-storage.ts";
import { createHealthHandler } from "#server/http/health-handler.ts";
import { createListener } from "#server/http/http-listener.ts";
import { createMetricsHandler } from "#server/http/metrics-handler.ts";
import { respondOnlyMonitoring } from "#server/http/web-responses.ts";
import type { Supervisor } from "#server/supervise/supervisor.ts";
import { SupervisorMetrics, type SupervisorMetricsOptions } from "./supervisor-metrics.ts";

const maxConnections = 64;

type MonitoringOptions = Omit<SupervisorMetricsOptions, "supervisor"> & {
  readonly supervisor: Supervisor;
  readonly host: string;
  /** Undefined: metrics are only read through another process. */
  readonly port: number | undefined;
};

export type Monitoring = Pick<SupervisorMetrics, "write"> & { close(): void };

/** Metrics and health of all processes, on a port of its own. */
export async function startMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { supervisor, host, port } = options;
  const metrics = new SupervisorMetrics(options);
  const write = metrics.write.bind(metrics);
  if (port === undefined) return { write, close: () => {} };
  const toMetrics = createMetricsHandler({ token: undefined, read: write }, respondOnlyMonitoring);
  const handle = createHealthHandler(() => checkAll(supervisor), toMetrics);
  const server = await listen(handle, host, port);
  return {
    write,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Ready if every process is, except the dashboard's while it sleeps. */
async function checkAll(supervisor: Supervisor): Promise<StorageCheck> {
  for (const [name, response] of await supervisor.ask("health")) {
    const check = response as StorageCheck | undefined;
    if (check?.ok === false) return { ok: false, failing: `${name}: ${check.failing}` };
    if (check === undefined && !supervisor.isAsleep(name))
      return { ok: false, failing: `${name}: it is not running` };
  }
  return { ok: true };
}

async function listen(handle: RequestListener, host: string, port: number): Promise<Server> {
  const server = createListener({
    onCatch: respondOnlyMonitoring,
    onOther: handle,
    maxBodyBytes: 0,
    maxConnections,
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return server;
}
