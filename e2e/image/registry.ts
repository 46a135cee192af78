import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { fetchDebianPackage } from "#scripts/image/debian-package.ts";
import { findFreePort } from "#server/system/free-port.ts";

/** Debian's registry of images, on this machine only. */
export async function startRegistry(folder: string) {
  const port = await findFreePort();
  const name = `127.0.0.1:${port}`;
  const config = {
    version: 0.1,
    log: { level: "error", accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, "registry") } },
    http: { addr: name },
  };
  const file = join(folder, "registry.json");
  writeFileSync(file, JSON.stringify(config));
  const program = join(fetchDebianPackage("docker-registry"), "usr/bin/docker-registry");
  // It reports each layer that it is asked for and doesn't have yet as an error.
  const child = spawn(program, ["serve", file], { stdio: "ignore" });
  await waitUntil("the registry", 60_000, async () => {
    if (child.exitCode !== null) throw new Error(`The registry ended with ${child.exitCode}.`);
    const response = await fetch(`http://${name}/v2/`).catch(() => undefined);
    return response?.ok === true ? true : undefined;
  });
  return { name, stop: () => void child.kill() };
}
