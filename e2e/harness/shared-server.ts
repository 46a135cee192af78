import { makeScratchFolder } from "./scratch-folder.ts";
import { makeAccess, type ServerUnderTest, startServer } from "./server-under-test.ts";

/**
 * One Catchment for all files of specs that this worker of Playwright runs: starting one takes seconds. It ends with the
 * worker, whose end runs nothing that could be waited for, so it is only told to.
 */
export function sharedServer(): Promise<ServerUnderTest> {
  started ??= start();
  return started;
}

let started: Promise<ServerUnderTest> | undefined;

async function start(): Promise<ServerUnderTest> {
  const folder = makeScratchFolder("dashboard");
  const server = await startServer({ folder }, makeAccess());
  process.once("exit", () => process.kill(server.pid, "SIGTERM"));
  return server;
}
