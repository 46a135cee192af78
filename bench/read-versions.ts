import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Version = { readonly name: string; readonly checkout: string | undefined };

/** `--against FOLDER`: another version, set up by its own `npm start`, is measured first. */
export function readVersions(): readonly Version[] {
  return listVersions(parseArgs({ options: { against: { type: "string" } } }).values.against);
}

export function listVersions(against: string | undefined): readonly Version[] {
  const own = { name: "this version", checkout: undefined };
  return against === undefined ? [own] : [{ name: against, checkout: resolve(against) }, own];
}
