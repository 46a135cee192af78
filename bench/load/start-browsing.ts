import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Browsing = { stop(): Promise<{ readonly pages: number; readonly failures: number }> };

/** Starts clients that load pages in turns, without a pause. */
export function startBrowsing(urls: readonly string[], clients: number, cookie: string): Browsing {
  const script = fileURLToPath(new URL("browse.ts", import.meta.url));
  const child = fork(script, [String(clients), cookie, ...urls], { execArgv: [] });
  return {
    async stop() {
      child.send("stop");
      const [counts] = (await once(child, "message", { signal: AbortSignal.timeout(40_000) })) as [
        { pages: number; failures: number },
      ];
      return counts;
    },
  };
}
