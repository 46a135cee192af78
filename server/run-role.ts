import { Console } from "node:console";
import { toError } from "#lib/errors.ts";
import { flushLog, log } from "#lib/log.ts";
import type { ChildMessage } from "./child-process.ts";

/** What a running role hands back: `stop` drains it and settles when nothing of it is left under way. */
export type RunningRole = { stop(): Promise<void> };

/** What a role can ask of the process that started it. */
export type RoleProcess = {
  /** Ends this process until another one wakes it. Undefined where nobody could. */
  readonly sleep: (() => void) | undefined;
  /** Has another role's process started if it sleeps. */
  wake(name: string): void;
};

/**
 * The frame of `catch.ts`, `web.ts` and `worker.ts`: start, say that it is ready, drain when told, and end when the
 * process that started it is gone. Without one (the script run by hand) SIGTERM and SIGINT drain it.
 */
export async function runRole(
  name: string,
  start: (self: RoleProcess) => Promise<RunningRole>,
): Promise<void> {
  let stopping = false;
  let role: RunningRole | undefined;
  // stdout belongs to the log; what libraries print for people goes to stderr.
  globalThis.console = new Console(process.stderr, process.stderr);

  async function drain(): Promise<void> {
    if (stopping) return;
    stopping = true;
    await role?.stop();
    flushLog();
    process.exit(0);
  }

  function end(): void {
    drain().catch((error) => crash(name, error));
  }

  function sleep(): void {
    process.send?.({ asleep: true } satisfies ChildMessage);
    end();
  }

  process.on("uncaughtException", (error) => crash(name, error));
  process.on("unhandledRejection", (reason) => crash(name, reason));
  process.on("message", (message) => {
    if (isStopMessage(message)) end();
  });
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  // Our starter was killed. What is acknowledged is stored and what isn't will be sent again: end at once, so that
  // the next start finds the port free.
  process.on("disconnect", () => {
    flushLog();
    process.exit(1);
  });

  try {
    role = await start({
      sleep: process.send === undefined ? undefined : sleep,
      wake: (other) => void process.send?.({ wake: other } satisfies ChildMessage),
    });
  } catch (error) {
    crash(name, error);
    return;
  }
  const message: ChildMessage = { ready: true };
  process.send?.(message);
}

/** A surprise ends the process; its supervisor starts a fresh one, which beats going on in an unknown state. */
function crash(name: string, error: unknown): void {
  log.error("process.crashed", { process: name, error: toError(error) });
  flushLog();
  process.exit(1);
}

function isStopMessage(message: unknown): boolean {
  return typeof message === "object" && message !== null && "stop" in message;
}
