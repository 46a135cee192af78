import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import {
  adminEmail,
  adminPassword,
  makeAccess,
  type ServerAccess,
  type ServerUnderTest,
  startServer,
} from "#e2e/harness/server-under-test.ts";
import { type ReadyHook, setUpHook } from "#e2e/harness/set-up-hook.ts";
import { signIn } from "#e2e/harness/sign-in.ts";
import { type Sink, startSink } from "#e2e/harness/start-sink.ts";
import { findFreePort } from "#server/system/free-port.ts";
import type { LoadShape } from "../load/start-load.ts";
import {
  type DatabaseWatch,
  enableStatementStatistics,
  watchDatabase,
} from "../measure/database-costs.ts";
import { limitMemory } from "./memory-limit.ts";

export type Measured = {
  readonly server: ServerUnderTest;
  readonly port: number;
  readonly hook: ReadyHook;
  /** The ids of the hook's actions. */
  readonly actionIds: readonly string[];
  readonly shape: LoadShape;
  /** A folder on the disk of its database. */
  readonly folder: string;
};

/** `npm start` as it is: embedded PostgreSQL, catch, worker, web. */
export type Whole = Measured & { readonly database: DatabaseWatch };

/**
 * Everything that is measured, running side by side for the whole bench. Only one is loaded at a
 * time.
 */
export type Stage = {
  readonly barePort: number;
  readonly barePid: number;
  readonly sink: Sink;
  readonly whole: Whole;
  /** A server without a worker, on its own database in the same PostgreSQL. */
  readonly catchOnly: Measured;
  readonly catchDatabaseUrl: string;
  /** A session at `whole`, for its pages. */
  readonly cookie: string;
  stop(): Promise<void>;
};

type StageOptions = {
  readonly folder: string;
  readonly log: (line: string) => void;
  readonly shape: LoadShape;
  /** The folder of another version. Omitted: this one. */
  readonly checkout?: string | undefined;
  /** Settings of its servers. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The access to a folder that is filled already. */
  readonly access?: ServerAccess;
  /** The memory of PostgreSQL, with what it reads from files. Omitted: no limit. */
  readonly memoryBytes?: number | undefined;
};

type Cleanups = (() => Promise<void> | void)[];

export async function setStage(options: StageOptions): Promise<Stage> {
  const { folder, log, shape, checkout, env: settings = {} } = options;
  const bare = fork(fileURLToPath(new URL("../load/bare-server.ts", import.meta.url)), {
    execArgv: [],
  });
  const [barePort] = (await once(bare, "message")) as [number];
  const sink = await startSink();
  const cleanups: Cleanups = [() => sink.stop(), () => bare.disconnect()];
  return await stopOnFailure(cleanups, async (stop) => {
    log("starting Catchment (web, catch, worker; embedded PostgreSQL)");
    const own = { folder, shape, checkout, settings, sink, cleanups };
    const whole = await startWhole(own);
    const catchDatabaseUrl = await createDatabase(whole.server.databaseUrl(), "bench_catch");
    log("starting Catchment without a worker, on another database of the same PostgreSQL");
    const env = { DATABASE_URL: catchDatabaseUrl };
    const server = await start({ ...own, name: "catch-only", roles: ["web", "catch"], env });
    const catchOnly = await addHook({ ...own, name: "catch-only" }, server);
    const cookie = await signIn(whole.server.origin, adminEmail, adminPassword);
    const barePid = bare.pid ?? 0;
    return { barePort, barePid, sink, whole, catchOnly, catchDatabaseUrl, cookie, stop };
  });
}

/** One Catchment with its sink. */
export type SmallStage = Pick<Stage, "whole" | "sink" | "stop">;

export async function setSmallStage({
  folder,
  shape,
  checkout,
  env: settings = {},
  access,
  memoryBytes,
}: StageOptions): Promise<SmallStage> {
  const sink = await startSink();
  const cleanups: Cleanups = [() => sink.stop()];
  return await stopOnFailure(cleanups, async (stop) => {
    const own = { folder, shape, checkout, settings, access, memoryBytes, sink, cleanups };
    const whole = await startWhole(own);
    return { whole, sink, stop };
  });
}

async function stopOnFailure<Result>(
  cleanups: Cleanups,
  set: (stop: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  };
  try {
    return await set(stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

type PartOptions = {
  readonly settings?: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly shape: LoadShape;
  readonly checkout: string | undefined;
  readonly access?: ServerAccess | undefined;
  readonly memoryBytes?: number | undefined;
  readonly sink: Sink;
  readonly cleanups: Cleanups;
};

async function startWhole(options: PartOptions): Promise<Whole> {
  const own = { ...options, name: "whole" };
  const first = await start(own);
  await enableStatementStatistics(first.server.databaseUrl());
  await first.server.stop();
  const limit = options.memoryBytes === undefined ? undefined : limitMemory(options.memoryBytes);
  options.cleanups.push(() => limit?.remove());
  const started = await start({ ...own, again: first });
  const tree = await started.server.tree();
  limit?.add(tree.filter(({ role }) => role === "postgres").map(({ pid }) => pid));
  const measured = await addHook(own, started);
  const database = await watchDatabase(started.server.databaseUrl(), started.server.pid);
  options.cleanups.push(() => database.stop());
  return { ...measured, database };
}

type NamedOptions = PartOptions & { readonly name: string };

type StartOptions = NamedOptions & {
  readonly roles?: readonly ("web" | "catch" | "worker")[];
  readonly env?: Readonly<Record<string, string>>;
  /** The server that ran before on the same folder. */
  readonly again?: Started;
};

type Started = {
  readonly server: ServerUnderTest;
  readonly port: number;
  readonly access: ServerAccess;
  readonly folder: string;
};

/** The dashboard is asleep, as on most machines most of the time. Measuring pages wakes it. */
const soonAsleep = { CATCHMENT_WEB_SLEEP_AFTER_SECONDS: "4" };

async function start(options: StartOptions): Promise<Started> {
  const { name, roles = [], env = {}, settings = {}, checkout, again } = options;
  const port = again?.port ?? (await findFreePort());
  const access = again?.access ?? options.access ?? makeAccess();
  const folder = `${options.folder}/${name}`;
  const server = await startServer(
    { folder, port, roles, env: { ...soonAsleep, ...settings, ...env }, checkout },
    access,
  );
  options.cleanups.push(() => server.stop());
  return { server, port, access, folder };
}

async function addHook(
  { name, shape, sink }: NamedOptions,
  { server, port, folder }: Started,
): Promise<Measured> {
  const hook = await setUpHook({ ...server, sinkUrl: sink.url, name });
  const more = await copyAction(server, hook, shape.actions - 1);
  return { server, port, hook, actionIds: [hook.actionId, ...more], shape, folder };
}

/** @returns the ids of the copies */
async function copyAction(
  { origin, apiToken }: ServerUnderTest,
  { hookId, actionId }: ReadyHook,
  count: number,
): Promise<string[]> {
  const call = async (path: string, body?: unknown) => {
    const response = await fetch(new URL(path, origin), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${apiToken}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const { request } = await call(`/api/v1/actions/${actionId}`);
  const ids: string[] = [];
  for (let n = 2; n <= count + 1; n += 1) {
    const made = await call(`/api/v1/hooks/${hookId}/actions`, {
      name: `to the sink ${n}`,
      request,
    });
    ids.push(String(made.id));
  }
  return ids;
}

/** An empty database beside that of the URL. @returns its URL */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.toString();
}
