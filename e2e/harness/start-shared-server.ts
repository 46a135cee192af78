import { cpSync, rmSync } from "node:fs";
import { makeMemoryFolder } from "./scratch-folder.ts";
import {
  makeAccess,
  readDatabaseUrl,
  type ServerUnderTest,
  startServer,
} from "./server-under-test.ts";

/** The parts of the shared server that specs need. Accounts keep them apart. */
export type SharedServer = Pick<
  ServerUnderTest,
  "origin" | "dataFolder" | "secretKey" | "databaseUrl"
>;

/**
 * Playwright's global setup: starts one Catchment for all specs, because a start takes seconds. Its
 * log is kept beside what failed tests leave.
 */
export default async function startSharedServer(): Promise<() => Promise<void>> {
  const folder = makeMemoryFolder("dashboard");
  const server = await startServer({ folder }, makeAccess());
  process.env.SHARED_SERVER_ORIGIN = server.origin;
  process.env.SHARED_SERVER_DATA_FOLDER = server.dataFolder;
  process.env.SHARED_SERVER_SECRET_KEY = server.secretKey;
  return async () => {
    await server.stop();
    cpSync(server.logFile, "test-results/server.log");
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The server as a Playwright worker sees it, which inherits the environment of the setup. */
export function sharedServer(): SharedServer {
  const {
    SHARED_SERVER_ORIGIN: origin,
    SHARED_SERVER_DATA_FOLDER: dataFolder,
    SHARED_SERVER_SECRET_KEY: secretKey,
  } = process.env;
  if (origin === undefined || dataFolder === undefined || secretKey === undefined)
    throw new Error("The shared server was not started by Playwright's global setup.");
  return { origin, dataFolder, secretKey, databaseUrl: () => readDatabaseUrl(dataFolder) };
}
