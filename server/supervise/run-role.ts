import { toError } from "#lib/errors.ts";
import { flushLog, log } from "#lib/log.ts";
import { logCounted } from "#lib/log-counted.ts";
import type { ChildMessage } from "./child-process.ts";
import { logConsole } from "./log-printed.ts";

/** A running role. `stop` drains it and settles when nothing is in progress. */
export type RunningRole = { stop(): Promise<void> };

/** The requests that a role can make to its parent process. */
export type RoleProcess = {
  /** Ends this process until another one wakes it. Undefined if none could. */
  readonly sleep: (() => void) | undefined;
  /** Wakes another role's process if it is asleep. */
  wake(name: string): void;
};

export type RoleOptions = {
  /** True if an unhandled rejection is only logged. */
  readonly survivesRejections?: boolean;
};

/**
 * The frame of `catch.ts`, `web.ts`, and `worker.ts`: start, report ready, drain on request, and
 * end if the parent process is gone. Without a parent (run manually), SIGTERM and SIGINT drain it.
 */
export async function runRole(
  name: string,
  start: (self: RoleProcess) => Promise<RunningRole>,
  { survivesRejections = false }: RoleOptions = {},
): Promise<void> {
  let stopping = false;
  let role: RunningRole | undefined;
  // stdout belongs to the log.
  logConsole(name);

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
  process.on("unhandledRejection", (reason) => {
    if (survivesRejections) logRejection(name, reason);
    else crash(name, reason);
  });
  process.on("message", (message) => {
    if (isStopMessage(message)) end();
  });
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  // The parent process was killed. Acknowledged deliveries are stored and others will be sent
  // again: end at once, so that the next start finds the port free.
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

/**
 * An unexpected error ends the process. The supervisor starts a new one, which is safer than
 * continuing in an unknown state.
 */
function crash(name: string, error: unknown): void {
  log.error("process.crashed", { process: name, error: toError(error) });
  flushLog();
  process.exit(1);
}

function logRejection(name: string, reason: unknown): void {
  const { stack, message } = toError(reason);
  logCounted("error", "process.rejection", { process: name, error: stack ?? message });
}

function isStopMessage(message: unknown): boolean {
  return typeof message === "object" && message !== null && "stop" in message;
}
