import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { ListenOptions } from "node:net";
import next from "next";
import { type Env, readEnv } from "#lib/env.ts";
import { watchIdle } from "./idle-watch.ts";
import { projectRoot } from "./paths.ts";
import { createPublicWebServer } from "./public-web-server.ts";
import { type RoleProcess, type RunningRole, runRole } from "./run-role.ts";

/**
 * The dashboard and the REST API: Next's production server. With the catch role beside it, it listens on a unix
 * socket that only the catch listener, which owns the port, connects to; alone it owns the port.
 */
await runRole("web", startWeb);

async function startWeb({ sleep }: RoleProcess): Promise<RunningRole> {
  const env = readEnv();
  const app = next({ dev: false, dir: projectRoot, hostname: env.host, port: env.port });
  await app.prepare();
  const handle = app.getRequestHandler();
  const server =
    env.internal.webSocket === undefined ? createPublicWebServer(env, handle) : createServer(handle);
  // Longer than the catch listener keeps its idle connections, so that it never writes into one that is closing.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = 10_000;
  await listen(server, address(env));
  // Only the catch listener in front can wake it again.
  if (sleep !== undefined && env.internal.webSocket !== undefined && env.webSleepAfterSeconds > 0)
    watchIdle(server, env.webSleepAfterSeconds * 1_000, sleep);
  return {
    async stop() {
      await close(server);
      await app.close();
    },
  };
}

function address(env: Env): ListenOptions {
  const path = env.internal.webSocket;
  if (path === undefined) return { host: env.host, port: env.port };
  // Left behind by a web process that was killed.
  rmSync(path, { force: true });
  return { path };
}

function listen(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => resolve());
  });
}

const drainMs = 5_000;

/** Pages in the making are finished; streams of live pages, which never end by themselves, are cut. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), drainMs).unref();
  });
}
