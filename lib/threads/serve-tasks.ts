import { parentPort } from "node:worker_threads";

/**
 * Functions that a thread runs for its process. Input and output are copied: plain data, without
 * functions and classes.
 */
export type Tasks = Readonly<Record<string, Task>>;
// biome-ignore lint/suspicious/noExplicitAny: a table of functions of any input
type Task = (input: any, enter: (phase: string) => void) => unknown;

export type TaskInput<Table extends Tasks, Name extends keyof Table> = Parameters<Table[Name]>[0];
export type TaskOutput<Table extends Tasks, Name extends keyof Table> = Awaited<
  ReturnType<Table[Name]>
>;

export type ToThread = { readonly task: string; readonly input: unknown };
/** `usedMs`: processor time of the thread so far. */
export type FromThread =
  | { readonly kind: "phase"; readonly phase: string; readonly usedMs: number }
  | { readonly kind: "done"; readonly value: unknown; readonly usedMs: number }
  | { readonly kind: "failed"; readonly error: unknown; readonly usedMs: number };

/**
 * The thread's end of a `ThreadPool`. A task calls `enter` when it starts another phase, from which
 * that phase's limit counts. The pool is notified while the task continues.
 */
export function serveTasks(tasks: Tasks): void {
  const port = parentPort;
  if (port === null) throw new Error("This file is run in a thread.");
  const tell = (message: FromThread) => port.postMessage(message);
  const enter = (phase: string) => tell({ kind: "phase", phase, usedMs: readUsedMs() });
  port.on("message", async ({ task, input }: ToThread) => {
    try {
      enter("run");
      const value = await tasks[task]?.(input, enter);
      tell({ kind: "done", value, usedMs: readUsedMs() });
    } catch (error) {
      tell({ kind: "failed", error, usedMs: readUsedMs() });
    }
  });
}

function readUsedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
