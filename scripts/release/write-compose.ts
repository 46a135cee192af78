import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Named } from "./named.ts";

/** The compose file of a release pulls its image, and needs no checkout. */
export function writeCompose({ checkout, out, registry, version }: Named): void {
  const text = readFileSync(join(checkout, "compose.yaml"), "utf8");
  const released = text
    .replace("    build: .\n", "")
    .replace("CATCHMENT_IMAGE:-catchment", `CATCHMENT_IMAGE:-${registry}/catchment:${version}`)
    .replace(" Other set-ups are in deploy/compose.", "");
  writeFileSync(join(out, "compose.yaml"), released);
}
