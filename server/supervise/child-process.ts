import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import { errorCode, toError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { withTimeLimit } from "#lib/base/with-time-limit.ts";
import type { MetricsFormat } from "#lib/metrics/write-metrics.ts";
import { forwardLines } from "./forward-lines.ts";
import { logLines } from "./log-printed.ts";
import { Questions } from "./questions.ts";

export type ChildSpec = {
  readonly name: string;
  /** Absolute path of the script. */
  readonly script: string;
  /** Flags for Node itself, before the script. */
  readonly nodeFlags?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The time to drain before the process is killed. */
  readonly drainMs: number;
  /** 0 is normal, 19 is the lowest priority. */
  readonly niceness?: number;
};

type ChildExit = { readonly code: number | null; readonly signal: string | null };

export type RunningChild = {
  readonly exited: Promise<ChildExit>;
  /** True if the process has reported that it is going to sleep. */
  readonly isGoingToSleep: boolean;
  /** Asks it a question. Undefined: it has no answer in time. */
  ask(question: ChildQuestion, timeoutMs: number): Promise<unknown>;
  /** Settles at the child's `{ ready: true }`. Throws a `NotReadyError` if it ends or times out first. */
  ready(timeoutMs: number): Promise<void>;
  /** Tells it that all will stop soon. What would last for hours ends now. */
  announceStop(): void;
  /** Asks it to drain and kills it after `drainMs`. Settles when it has ended. */
  stop(): Promise<void>;
  kill(): void;
};

/**
 * Messages between `server/start/start.ts` and its processes. For the other end see `run-role.ts`.
 */
export type ChildMessage =
  | { readonly ready: true }
  /** The process is about to end and must not be restarted until it is woken. */
  | { readonly asleep: true }
  /** The process of this name is needed. */
  | { readonly wake: string }
  | { readonly answer: unknown; readonly id: number }
  /** The process wants the metrics of all. */
  | { readonly wanted: MetricsFormat; readonly id: number };
export type ParentMessage =
  | { readonly stop: true }
  /** All processes stop, one after another. */
  | { readonly stopsSoon: true }
  | { readonly question: ChildQuestion; readonly id: number }
  | { readonly metrics: string | null; readonly id: number };

/** The measurements of a process (`MetricValues`), and whether it can work (`StorageCheck`). */
export type ChildQuestion = "metrics" | "health";

/** The requests that processes make to the supervisor. */
export type ChildRequests = {
  readonly onWake: (name: string) => void;
  /** Null: they can't be read now. */
  readonly onWanted: (format: MetricsFormat) => Promise<string | null>;
};

const noRequests: ChildRequests = { onWake: () => {}, onWanted: async () => null };

/**
 * A child in its own session, so that Ctrl-C in a terminal reaches only us and we control the order
 * of stopping. Its log goes through our stdout: lines of several writers would mix in a pipe if
 * they are longer than 4 KiB.
 */
export function startChild(
  spec: ChildSpec,
  { onWake, onWanted }: ChildRequests = noRequests,
): RunningChild {
  const child = spawn(process.execPath, [...(spec.nodeFlags ?? []), spec.script], {
    env: { NODE_ENV: "production", ...spec.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  if (child.pid !== undefined && spec.niceness !== undefined)
    lowerPriority(child.pid, spec.niceness);
  // Without a free file descriptor, it has neither.
  if (child.stdout) forwardLines(child.stdout, process.stdout);
  if (child.stderr) logLines(spec.name, child.stderr);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: null, signal: null }));
  });
  // The channel breaks if the child dies while we write to it. `exited` reports that.
  child.on("error", () => {});
  const isReady = Promise.withResolvers<"ready">();
  const questions = new Questions();
  void exited.then(() => questions.giveUp());
  let isGoingToSleep = false;
  child.on("message", (message: ChildMessage | string | number | boolean | null) => {
    if (typeof message !== "object" || message === null) return;
    if ("ready" in message) isReady.resolve("ready");
    if ("wake" in message) onWake(message.wake);
    if ("answer" in message) questions.resolve(message.id, message.answer);
    if ("wanted" in message) {
      const { id } = message;
      void onWanted(message.wanted).then((metrics) => tell(child, { metrics, id }));
    }
    if ("asleep" in message) {
      isGoingToSleep = true;
      // The process ends by itself. If it hangs, it is killed.
      void stop(child, exited, spec.drainMs);
    }
  });
  return {
    exited,
    get isGoingToSleep() {
      return isGoingToSleep;
    },
    ask: (question, timeoutMs) => questions.ask(timeoutMs, (id) => tell(child, { question, id })),
    ready: (timeoutMs) => waitUntilReady(spec.name, isReady.promise, exited, timeoutMs),
    announceStop: () => tell(child, { stopsSoon: true }),
    stop: () => stop(child, exited, spec.drainMs),
    kill: () => void child.kill("SIGKILL"),
  };
}

function tell(child: ChildProcess, message: ParentMessage): void {
  if (child.connected) child.send(message, () => {});
}

/** If the system doesn't allow setting priorities, the process runs with the normal one. */
function lowerPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
    lowerSessionPriority(pid, niceness);
  } catch (error) {
    warnOfPriority(pid, error);
  }
}

const autogroupTries = 5;
const autogroupPauseMs = 200;

/**
 * Linux shares the CPU between sessions first, and each child has its own session. Without root
 * this may be written only so often, with an error to try again (sched(7), autogroups).
 */
function lowerSessionPriority(pid: number, niceness: number, triesLeft = autogroupTries): void {
  const file = `/proc/${pid}/autogroup`;
  if (!existsSync(file)) return;
  try {
    writeFileSync(file, String(niceness));
  } catch (error) {
    if (errorCode(error) === "EAGAIN" && triesLeft > 1)
      setTimeout(
        () => lowerSessionPriority(pid, niceness, triesLeft - 1),
        autogroupPauseMs,
      ).unref();
    else warnOfPriority(pid, error);
  }
}

function warnOfPriority(pid: number, error: unknown): void {
  log.warn("process.priority_not_set", { pid, error: toError(error) });
}

export class NotReadyError extends Error {
  /** It still runs, and may hang. */
  readonly isLate: boolean;

  constructor(message: string, isLate: boolean) {
    super(message);
    this.isLate = isLate;
  }
}

async function waitUntilReady(
  name: string,
  ready: Promise<"ready">,
  exited: Promise<ChildExit>,
  timeoutMs: number,
): Promise<void> {
  const settled = Promise.race([ready, exited]);
  const outcome = await withTimeLimit(settled, timeoutMs, () => "late" as const);
  if (outcome === "ready") return;
  if (outcome === "late")
    throw new NotReadyError(`The ${name} process was not ready after ${timeoutMs / 1000} s.`, true);
  const ending = describeEnding(outcome);
  throw new NotReadyError(`The ${name} process ended with ${ending} before it was ready.`, false);
}

function describeEnding({ code, signal }: ChildExit): string {
  return signal === null ? `code ${code}` : signal;
}

async function stop(
  child: ChildProcess,
  exited: Promise<ChildExit>,
  drainMs: number,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  tell(child, { stop: true });
  if ((await withTimeLimit(exited, drainMs, () => "late")) !== "late") return;
  child.kill("SIGKILL");
  await exited;
}
