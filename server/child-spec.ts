import { fileURLToPath } from "node:url";
import type { ChildSpec } from "./child-process.ts";
import { memoryFlags } from "./memory-flags.ts";
import type { Role } from "./start-options.ts";

/** The process of a role, as the supervisor starts it. @param env what all of them get */
export function childSpec(role: Role, env: ChildSpec["env"]): ChildSpec {
  const script = fileURLToPath(new URL(`${role}.ts`, import.meta.url));
  return {
    name: role,
    script,
    nodeFlags: memoryFlags[role],
    env: { ...roleEnv[role], ...env },
    drainMs: drainMs[role],
    niceness: niceness[role],
  };
}

// A worker has 30 s for its calls; each gets a little more than what it allows itself.
const drainMs: Record<Role, number> = { catch: 15_000, worker: 35_000, web: 10_000 };

/**
 * Catching goes before everything, calls go before pages: with few cores a busy dashboard would otherwise make deliveries wait for
 * their turn (measured: p99 seven times as long).
 */
const niceness: Record<Role, number> = { catch: 0, worker: 2, web: 10 };

/**
 * What a role gets unless the environment says otherwise. A look-up of a name holds a thread of libuv while it waits, and look-ups
 * may take half of them: with libuv's 4, two names whose servers are silent held up the calls of everybody. 128 cost an idle worker 1 MB
 * (45.3 MB with 4, 45.8 with 64, 46.3 with 128).
 */
const roleEnv: Record<Role, Readonly<Record<string, string>>> = {
  catch: {},
  worker: { UV_THREADPOOL_SIZE: "128" },
  web: {},
};
