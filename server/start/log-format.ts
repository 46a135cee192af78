import type { LogFormat } from "#lib/base/log.ts";

/**
 * `--log` takes precedence over CATCHMENT_LOG. Without either, a terminal gets lines for people, and
 * a file or another program gets JSON.
 */
export function chooseLogFormat(
  option: LogFormat | undefined,
  variable: string | undefined,
  isTerminal: boolean = process.stdout.isTTY,
): LogFormat {
  if (option !== undefined) return option;
  if (variable === "json" || variable === "pretty") return variable;
  return isTerminal ? "pretty" : "json";
}
