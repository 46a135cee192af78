import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fetchDebianPackage } from "#scripts/image/debian-package.ts";
import { multiarch } from "#scripts/image/tools.ts";
import { findFreePort } from "#server/system/free-port.ts";
import { startProgram } from "./peer.ts";

/** Debian's server and the libraries that it needs. */
const packages = ["redis-server", "redis-tools", "libjemalloc2", "liblzf1"];

/** A Redis that writes each change to disk before it responds, as durable as our commit. */
export async function startRedis(folder: string) {
  const roots = packages.map(fetchDebianPackage);
  // One program is server and tools, by the name that it is started with.
  const program = join(folder, "redis-server");
  symlinkSync(join(roots[1] ?? "", "usr/bin/redis-check-rdb"), program);
  const libraries = roots.map((root) => join(root, `usr/lib/${multiarch}`));
  const port = await findFreePort();
  const settings = {
    "--port": String(port),
    "--bind": "127.0.0.1",
    "--dir": folder,
    "--appendonly": "yes",
    "--appendfsync": "always",
    "--save": "",
  };
  const { pid, stop } = await startProgram({
    name: "redis",
    command: [program, ...Object.entries(settings).flat()],
    folder,
    env: { LD_LIBRARY_PATH: libraries.join(":") },
    isUp: () => isUp(port),
  });
  return { url: `redis://127.0.0.1:${port}`, pids: [pid], stop };
}

async function isUp(port: number): Promise<true | undefined> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await once(socket, "connect").then(
    () => true as const,
    () => undefined,
  );
  socket.destroy();
  return isConnected;
}
