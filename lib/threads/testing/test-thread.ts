import { serveTasks } from "../serve-tasks.ts";

const tasks = {
  double: (value: number) => value * 2,
  /** Uses so much processor time. */
  spin: (ms: number) => {
    const { user } = process.threadCpuUsage();
    while (process.threadCpuUsage().user - user < ms * 1_000);
  },
  /** An endless loop, or one within a native call. */
  hang: (how: "loop" | "pattern", enter: (phase: string) => void) => {
    enter("hang");
    if (how === "pattern") return /^(a+)+$/.test(`${"a".repeat(60)}b`);
    for (;;);
  },
  /** Uses no processor time, like a thread on an overloaded machine. */
  starve: (ms: number) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return "fed";
  },
  /** Until another thread has opened the gate. */
  wait: (gate: Int32Array<SharedArrayBuffer>) => void Atomics.wait(gate, 0, 0),
  fill: () => {
    const filled: number[][] = [];
    for (;;) filled.push(Array.from({ length: 10_000 }, Math.random));
  },
  fail: (message: string) => {
    throw new Error(message);
  },
  environment: () => Object.keys(process.env),
};

export type TestTasks = typeof tasks;

serveTasks(tasks);
