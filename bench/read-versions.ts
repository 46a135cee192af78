import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Version = {
  readonly name: string;
  readonly checkout: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
};

const options = {
  against: { type: "string" },
  metrics: { type: "boolean", default: false },
  rounds: { type: "string", default: "5" },
} as const;

export const metricsToken = "metrics-of-the-benchmark";

/**
 * `--against FOLDER`: another version, set up by its own `npm start`, is measured first. `--metrics`:
 * this version without metrics, and with them.
 */
export function readVersions(): readonly Version[] {
  const { against, metrics } = parseArgs({ options }).values;
  if (!metrics) return listVersions(against);
  const env = { CATCHMENT_METRICS_TOKEN: metricsToken };
  return [
    { name: "without metrics", checkout: undefined },
    { name: "with metrics", checkout: undefined, env },
  ];
}

/** `--rounds N`. */
export function readRounds(): number {
  return Math.max(1, Number(parseArgs({ options }).values.rounds) || 1);
}

export function listVersions(against: string | undefined): readonly Version[] {
  const own = { name: "this version", checkout: undefined };
  return against === undefined ? [own] : [{ name: against, checkout: resolve(against) }, own];
}
