import type { Role } from "#lib/core/env/setting.ts";
import { listHidden } from "#lib/core/env/settings.ts";
import { memoryFlags } from "#server/system/memory-flags.ts";
import { entryPoints } from "#server/system/paths.ts";
import type { ChildSpec } from "./child-process.ts";

/**
 * The process of a role, for the supervisor.
 *
 * @param env of all roles
 * @param name if a role has several processes
 */
export function childSpec(role: Role, env: ChildSpec["env"], name: string = role): ChildSpec {
  return {
    name,
    script: entryPoints[role],
    // Nothing that they run needs `__proto__`, by which data could change every object.
    nodeFlags: ["--disable-proto=delete", ...memoryFlags[role]],
    env: { ...roleEnv[role], ...pickVariables(role, env) },
    drainMs: drainMs[role],
    niceness: niceness[role],
  };
}

// A worker has 30 s for its calls. Each role gets a little more than it uses itself.
const drainMs: Record<Role, number> = { catch: 15_000, worker: 35_000, web: 10_000 };

/**
 * Catching has priority over calls, and calls over pages: with few cores a busy dashboard would
 * otherwise delay deliveries (measured: p99 seven times as long).
 */
const niceness: Record<Role, number> = { catch: 0, worker: 2, web: 10 };

/**
 * Defaults of a role, unless the environment sets them. A name lookup occupies a libuv thread while
 * it waits, and lookups may use half of them: with libuv's 4, two names with silent servers blocked
 * all calls. 128 cost an idle worker 1 MB (45.3 MB with 4, 45.8 with 64, 46.3 with 128).
 */
const roleEnv: Record<Role, Readonly<Record<string, string>>> = {
  catch: {},
  worker: { UV_THREADPOOL_SIZE: "128" },
  web: {},
};

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of a role, without the secrets of the others: the one that catches faces the internet. */
function pickVariables(role: Role, env: Variables): Variables {
  const hidden = new Set(listHidden(role));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}
