import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchDebianPackage } from "#scripts/image/debian-package.ts";
import { multiarch, type Tools } from "#scripts/image/tools.ts";

/** On systemd's scale, 2 is the most that it calls safe. 9.6 is a service without any limits. */
const maxExposure = 2;

/**
 * Debian's systemd reads the unit, with this checkout in the place of /opt/catchment, and rates how much of the machine
 * the service could reach.
 */
export function checkService(tools: Tools, folder: string, checkout: string): string {
  const contents = fetchDebianPackage("systemd");
  const unit = readFileSync(join(checkout, "deploy/systemd/catchment.service"), "utf8");
  const file = join(folder, "catchment.service");
  writeFileSync(file, unit.replaceAll("/opt/catchment", checkout.replace(/\/$/, "")));
  const shared = join(fetchDebianPackage("libsystemd-shared"), "usr/lib", multiarch, "systemd");
  const libraries = `LD_LIBRARY_PATH=${shared}:${tools.env.LD_LIBRARY_PATH}`;
  const units = `SYSTEMD_UNIT_PATH=${folder}:${join(contents, "lib/systemd/system")}`;
  const analyze = (...args: string[]) =>
    tools.run("env", libraries, units, join(contents, "usr/bin/systemd-analyze"), ...args);
  const complaints = analyze("verify", "--man=no", file);
  if (complaints !== "") throw new Error(complaints);
  const rating = analyze("security", "--offline=true", "--no-pager", file);
  const exposure = /Overall exposure level.*: ([\d.]+)/.exec(rating)?.[1];
  if (exposure === undefined || Number(exposure) > maxExposure) throw new Error(rating);
  return exposure;
}
