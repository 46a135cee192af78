import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Version = { readonly name: string; readonly checkout: string | undefined };

const options = { against: { type: "string" }, rounds: { type: "string", default: "5" } } as const;

/** `--against FOLDER`: another version, set up by its own `npm start`, is measured first. */
export function readVersions(): readonly Version[] {
  return listVersions(parseArgs({ options }).values.against);
}

/** `--rounds N`. */
export function readRounds(): number {
  return Math.max(1, Number(parseArgs({ options }).values.rounds) || 1);
}

export function listVersions(against: string | undefined): readonly Version[] {
  const own = { name: "this version", checkout: undefined };
  return against === undefined ? [own] : [{ name: against, checkout: resolve(against) }, own];
}
