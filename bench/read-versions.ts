import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Version = { readonly name: string; readonly checkout: string | undefined };

/** `--against FOLDER`: another version, set up by its own `npm start`, is measured first. */
export function readVersions(): readonly Version[] {
  const { values } = parseArgs({ options: { against: { type: "string" } } });
  const own = { name: "this version", checkout: undefined };
  if (values.against === undefined) return [own];
  return [{ name: values.against, checkout: resolve(values.against) }, own];
}
