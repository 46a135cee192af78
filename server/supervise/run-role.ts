import { toError } from "#lib/base/errors.ts";
import { flushLog, log } from "#lib/base/log.ts";
import { logCounted } from "#lib/base/log-counted.ts";
import { processStop } from "#lib/base/stopping.ts";
import type { StorageCheck } from "#lib/db/postgres/check-storage.ts";
import { hostChosen } from "#lib/db/postgres/hosts/host-signal.ts";
import type { MetricValues } from "#lib/metrics/metric-values.ts";
import type { MetricsFormat } from "#lib/metrics/write-metrics.ts";
import type { ChildMessage, ChildQuestion, ParentMessage } from "./child-process.ts";
import { logConsole } from "./log-printed.ts";
import { Questions } from "./questions.ts";

/** A running role. `stop` drains it and settles when nothing is in progress. */
export type RunningRole = {
  stop(): Promise<void>;
  /** The measurements so far. Omitted: metrics are off. */
  readonly metrics?: (() => Promise<MetricValues>) | undefined;
  /** Whether it can do its work now. Omitted: it can if it responds at all. */
  readonly health?: () => Promise<StorageCheck>;
};

/** The requests that a role can make to its parent process. */
export type RoleProcess = {
  /** Ends this process until another one wakes it. Undefined if none could. */
  readonly sleep: (() => void) | undefined;
  /** Wakes another role's process if it is asleep. */
  wake(name: string): void;
  /** Reads the metrics of all processes. Null: it can't now. */
  readMetrics(format: MetricsFormat): Promise<string | null>;
};

type RoleOptions = {
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
  hostChosen.listen(({ name: host }) => log.info("database.host_chosen", { host }));

  async function drain(): Promise<void> {
    if (stopping) return;
    stopping = true;
    processStop().abort();
    await role?.stop();
    flushLog();
    process.exit(0);
  }

  function end(): void {
    drain().catch((error) => crash(name, error));
  }

  function sleep(): void {
    tell({ asleep: true });
    end();
  }

  process.on("uncaughtException", (error) => crash(name, error));
  process.on("unhandledRejection", (reason) => {
    if (survivesRejections) logRejection(name, reason);
    else crash(name, reason);
  });
  const questions = new Questions();
  process.on("message", (message: ParentMessage | string | number | boolean | null) => {
    if (typeof message !== "object" || message === null) return;
    if ("stop" in message) end();
    if ("stopsSoon" in message) processStop().abort();
    if ("metrics" in message) questions.resolve(message.id, message.metrics);
    if ("question" in message) void answer(role, message.question, message.id);
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
      wake: (other) => tell({ wake: other }),
      readMetrics: async (format) => {
        const metrics = await questions.ask(answerTimeoutMs, (id) => tell({ wanted: format, id }));
        return typeof metrics === "string" ? metrics : null;
      },
    });
  } catch (error) {
    crash(name, error);
    return;
  }
  tell({ ready: true });
}

function tell(message: ChildMessage): void {
  process.send?.(message);
}

/** Longer than the supervisor waits for each of its processes. */
const answerTimeoutMs = 4_000;

const answers = {
  metrics: async (role) => await role.metrics?.(),
  health: async (role) => (role.health === undefined ? { ok: true } : await role.health()),
} satisfies Record<ChildQuestion, (role: RunningRole) => Promise<unknown>>;

/** A process that can't answer says nothing. */
async function answer(
  role: RunningRole | undefined,
  question: ChildQuestion,
  id: number,
): Promise<void> {
  if (role === undefined) return;
  try {
    tell({ answer: await answers[question](role), id });
  } catch (error) {
    logCounted("warn", "process.not_answered", { question, text: toError(error).message });
  }
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
