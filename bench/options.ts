import { parseArgs } from "node:util";
import type { LoadShape } from "./load/start-load.ts";

export type BenchOptions = {
  readonly rounds: number;
  readonly seconds: number;
  readonly shape: LoadShape;
  /** Deliveries that are already stored, compared with an empty database. 0: not measured. */
  readonly seeded: number;
  /** Runs of another action that are open meanwhile. */
  readonly open: number;
  /** Dedupe keys that are stored besides those of the deliveries. */
  readonly keys: number;
  /** The memory of each PostgreSQL. Undefined: no limit. */
  readonly memoryBytes: number | undefined;
  /** The folder that keeps the filled database for the next run. Undefined: it is deleted. */
  readonly folder: string | undefined;
  /** True if Node-RED runs beside us. */
  readonly peers: boolean;
  /** The file for the results. Undefined: one in `bench/results/`. */
  readonly save: string | undefined;
  /** The file of earlier results to compare with. */
  readonly against: string | undefined;
};

export function readOptions(): BenchOptions {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      rounds: { type: "string" },
      seconds: { type: "string" },
      actions: { type: "string", default: "1" },
      "body-bytes": { type: "string", default: "450" },
      seeded: { type: "string", default: "0" },
      open: { type: "string", default: "1000000" },
      keys: { type: "string", default: "0" },
      memory: { type: "string" },
      folder: { type: "string" },
      peers: { type: "boolean", default: false },
      save: { type: "string" },
      against: { type: "string" },
    },
  });
  return {
    rounds: readNumber("rounds", values.rounds ?? (values.quick ? "1" : "5"), 20),
    seconds: readNumber("seconds", values.seconds ?? (values.quick ? "2" : "5"), 60),
    shape: {
      actions: readNumber("actions", values.actions, 50),
      bodyBytes: readNumber("body-bytes", values["body-bytes"], 1_000_000),
    },
    seeded: readNumber("seeded", values.seeded, 100_000_000, 0),
    open: readNumber("open", values.open, 10_000_000, 0),
    keys: readNumber("keys", values.keys, 1_000_000_000, 0),
    memoryBytes: values.memory === undefined ? undefined : readBytes(values.memory),
    folder: values.folder,
    peers: values.peers,
    save: values.save,
    against: values.against,
  };
}

function readNumber(name: string, text: string, max: number, min = 1): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, not ${text}`);
}

function readBytes(text: string): number {
  const [, count, unit] = /^(\d+)([MG])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * 2 ** (unit === "G" ? 30 : 20);
  throw new Error(`--memory must be like 512M or 1G, not ${text}`);
}
