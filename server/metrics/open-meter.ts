import { isMeasured, type MonitoringEnv } from "#lib/core/env/monitoring-env.ts";
import type { RoleMeter } from "#lib/metrics/role-meters.ts";
import type { Role } from "#server/system/start-options.ts";

/** The meter of a role. Undefined: metrics are off, and nothing of them is loaded. */
export async function openMeter(role: Role, env: MonitoringEnv): Promise<RoleMeter | undefined> {
  if (!isMeasured(env)) return undefined;
  const { roleMeters } = await import("#lib/metrics/role-meters.ts");
  return roleMeters[role]();
}
