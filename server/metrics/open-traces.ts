import type { TracesEnv } from "#lib/core/env/traces-settings.ts";
import packageJson from "../../package.json" with { type: "json" };

/** Undefined: there are no traces, and nothing of OpenTelemetry is loaded. */
export async function openTraces(
  role: "catch" | "worker",
  env: TracesEnv | undefined,
): Promise<{ close(): Promise<void> } | undefined> {
  if (env === undefined) return undefined;
  const { startTraces } = await import("#lib/traces/start-traces.ts");
  return startTraces({ env, role, version: packageJson.version });
}
