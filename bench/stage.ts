import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { findFreePort } from "#e2e/harness/free-port.ts";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { type ReadyHook, setUpHook } from "#e2e/harness/set-up-hook.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { type Sink, startSink } from "#e2e/harness/start-sink.ts";

export type Measured = {
  readonly server: ServerUnderTest;
  readonly port: number;
  readonly hook: ReadyHook;
  /** On the disk of its database. */
  readonly folder: string;
};

/**
 * Everything that is measured, running side by side for the whole bench. Only one is loaded at a
 * time.
 */
export type Stage = {
  readonly barePort: number;
  readonly barePid: number;
  readonly sink: Sink;
  /** `npm start` as it is: embedded PostgreSQL, catch, worker, web. */
  readonly whole: Measured;
  /** Without a worker, on its own database in the same PostgreSQL. */
  readonly catchOnly: Measured;
  readonly catchDatabaseUrl: string;
  /** A session at `whole`, for its pages. */
  readonly cookie: string;
  stop(): Promise<void>;
};

/** `checkout`: the folder of another version. Omitted: this one. */
export async function setStage(
  folder: string,
  log: (line: string) => void,
  checkout?: string,
): Promise<Stage> {
  const bare = fork(fileURLToPath(new URL("load/bare-server.ts", import.meta.url)), {
    execArgv: [],
  });
  const [barePort] = (await once(bare, "message")) as [number];
  const sink = await startSink();
  const cleanups: (() => Promise<void> | void)[] = [() => sink.stop(), () => bare.disconnect()];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  };
  try {
    log("starting Catchment (web, catch, worker; embedded PostgreSQL)");
    const whole = await startMeasured({ folder, name: "whole", checkout }, sink, cleanups);
    const catchDatabaseUrl = await createDatabase(whole.server.databaseUrl(), "bench_catch");
    log("starting Catchment without a worker, on another database of the same PostgreSQL");
    const env = { DATABASE_URL: catchDatabaseUrl };
    const catchOnly = await startMeasured(
      { folder, name: "catch-only", roles: ["web", "catch"], env, checkout },
      sink,
      cleanups,
    );
    const cookie = await signIn(whole.server.origin, adminEmail, adminPassword);
    return {
      barePort,
      barePid: bare.pid ?? 0,
      sink,
      whole,
      catchOnly,
      catchDatabaseUrl,
      cookie,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type MeasuredOptions = {
  readonly folder: string;
  readonly name: string;
  readonly roles?: readonly ("web" | "catch" | "worker")[];
  readonly env?: Readonly<Record<string, string>>;
  readonly checkout: string | undefined;
};

/** As on most machines most of the time: the dashboard is asleep. Measuring pages wakes it. */
const soonAsleep = { CATCHMENT_WEB_SLEEP_AFTER_SECONDS: "4" };

async function startMeasured(
  { folder, name, roles = [], env = {}, checkout }: MeasuredOptions,
  sink: Sink,
  cleanups: (() => Promise<void> | void)[],
): Promise<Measured> {
  const port = await findFreePort();
  const own = `${folder}/${name}`;
  const server = await startServer(
    { folder: own, port, roles, env: { ...soonAsleep, ...env }, checkout },
    makeAccess(),
  );
  cleanups.push(() => server.stop());
  const hook = await setUpHook({ ...server, sinkUrl: sink.url, name });
  return { server, port, hook, folder: own };
}

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.toString();
}
