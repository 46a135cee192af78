import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ApiAccess } from "#e2e/harness/post-to-api.ts";

type Hearing = {
  /** Disconnects the listeners. Returns how many deliveries came to all of them together. */
  stop(): Promise<number>;
};

/** Connects listeners of a hook, in a process of their own. */
export async function startHearing(
  { origin, apiToken }: ApiAccess,
  hookId: string,
  listeners: number,
): Promise<Hearing> {
  const script = fileURLToPath(new URL("hear.ts", import.meta.url));
  const child = fork(script, [origin, apiToken, hookId, String(listeners)], { execArgv: [] });
  const signal = AbortSignal.timeout(60_000);
  await Promise.race([
    once(child, "message", { signal }),
    once(child, "exit", { signal }).then(() => Promise.reject(new Error("No listener connected."))),
  ]);
  return {
    async stop() {
      child.send("stop");
      const [heard] = await once(child, "message", { signal: AbortSignal.timeout(40_000) });
      return heard as number;
    },
  };
}
