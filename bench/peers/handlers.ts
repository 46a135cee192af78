import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripeSecret } from "#e2e/harness/stripe-delivery.ts";
import { findFreePort } from "#server/system/free-port.ts";
import {
  installPackages,
  type Peer,
  type PeerKind,
  type PeerOptions,
  startProgram,
} from "./peer.ts";
import { startRedis } from "./redis.ts";

/**
 * The code that a team could write in a week instead of installing Catchment: a Fastify handler that
 * verifies with the `stripe` package, a queue, and a worker that makes the call. It is in `programs/`.
 */
type Handler = {
  readonly name: string;
  readonly keeps: string;
  readonly target: number | null;
  readonly processorTarget: number | null;
  /** The file of the queue in `programs/`. */
  readonly queue: string;
  /** Starts the store of the queue, if it isn't the PostgreSQL of the run. */
  readonly startStore?: (folder: string) => Promise<Store>;
};

type Store = { readonly url: string; readonly pids: readonly number[]; stop(): Promise<void> };

const handlers: readonly Handler[] = [
  {
    name: "Fastify + BullMQ",
    keeps: "the job for a day, in memory and in Redis's log. An event id is one job for that day",
    target: 1.3,
    processorTarget: 0.6,
    queue: "bullmq",
    startStore: startRedis,
  },
  {
    name: "Fastify + pg-boss",
    keeps: "the event, and the job with its state. An event id is stored once",
    target: 5,
    processorTarget: 0.15,
    queue: "pg-boss",
  },
  {
    name: "Fastify + graphile-worker",
    keeps: "the event. An event id is stored once, and a job that is done is deleted",
    target: null,
    processorTarget: null,
    queue: "graphile-worker",
  },
];

export const handlerKinds: readonly PeerKind[] = handlers.map((handler) => ({
  name: handler.name,
  keeps: handler.keeps,
  target: handler.target,
  processorTarget: handler.processorTarget,
  install: async (say) => {
    await installPrograms(say);
  },
  start: (options) => startHandler(handler, options),
}));

const packages = [
  "bullmq@6.7.0",
  "fastify@5.12.8",
  "graphile-worker@0.17.3",
  "ioredis@6.0.0",
  "pg@8.23.1",
  "pg-boss@12.38.0",
  "stripe@23.1.0",
  "undici@8.12.4",
];

const programs = fileURLToPath(new URL("programs/", import.meta.url));
let installed = "";

/** Copies the programs next to their packages, so that Node finds the packages. */
async function installPrograms(say: (line: string) => void): Promise<void> {
  installed = await installPackages("handlers", packages, say);
  for (const file of readdirSync(programs)) copyFileSync(programs + file, join(installed, file));
}

async function startHandler(handler: Handler, options: PeerOptions): Promise<Peer> {
  const { name, queue, startStore } = handler;
  const { sinkUrl, shape } = options;
  const folder = join(options.folder, queue);
  mkdirSync(folder, { recursive: true });
  const port = await findFreePort();
  const store: Store =
    startStore === undefined
      ? {
          url: await options.createDatabase(`peer_${queue.replace("-", "_")}`),
          pids: [],
          stop: async () => {},
        }
      : await startStore(folder);
  const env = {
    QUEUE: queue,
    STORE_URL: store.url,
    PORT: String(port),
    STRIPE_SECRET: stripeSecret,
    SINK_URL: sinkUrl,
    CALLS: String(shape.actions),
  };
  const start = (program: string, isUp: () => Promise<true | undefined>) =>
    startProgram({
      name: program,
      command: [process.execPath, join(installed, `${program}.mjs`)],
      folder,
      env,
      isUp,
    });
  const catching = await start("catch", () => isListening(port));
  const working = await start("work", async () => true);
  return {
    name,
    port,
    path: "/catch",
    pids: [catching.pid, working.pid, ...store.pids],
    sharesPostgres: startStore === undefined,
    folder,
    shape,
    async stop() {
      await Promise.all([catching.stop(), working.stop()]);
      await store.stop();
    },
  };
}

async function isListening(port: number): Promise<true | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  return response === undefined ? undefined : true;
}
