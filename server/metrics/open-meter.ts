import { type Env, isMeasured } from "#lib/core/env/parse-env.ts";
import type { Role } from "#lib/core/env/setting.ts";
import type { RoleMeter } from "#lib/metrics/role-meters.ts";

/** The meter of a role. Undefined: metrics are off, and nothing of them is loaded. */
export async function openMeter(
  role: Role,
  env: Env["monitoring"],
): Promise<RoleMeter | undefined> {
  if (!isMeasured(env)) return undefined;
  const { roleMeters } = await import("#lib/metrics/role-meters.ts");
  return roleMeters[role]();
}
