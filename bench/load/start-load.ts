import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The shape of each delivery. */
export type LoadShape = {
  /** The number of the hook's actions. Each runs once per delivery. */
  readonly actions: number;
  readonly bodyBytes: number;
};

export type LoadTask = {
  readonly port: number;
  readonly path: string;
  readonly connections: number;
  readonly seconds: number;
  /** The rate. 0: each connection sends as soon as it has its response. */
  readonly ratePerSecond: number;
  /** The size of each event. At least 450. */
  readonly bodyBytes: number;
  /** Makes the event ids of this load unique. */
  readonly tag: string;
  /**
   * Requests to create before the clock starts. More are created while it runs, which costs the
   * generator time.
   */
  readonly prepare: number;
};

/** Times in milliseconds. */
export type LoadResult = {
  readonly seconds: number;
  readonly sent: number;
  readonly answered: number;
  /** Connections that closed in the middle of a request. */
  readonly lost: number;
  /** For a paced load only: requests that were due and found no free connection until the end. */
  readonly waiting: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly latency: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly max: number;
  };
  /** CPU time of the generator itself. */
  readonly cpuMs: number;
};

export type LoadMessage =
  | { readonly kind: "prepared" }
  | { readonly kind: "result"; readonly result: LoadResult };

/** A load that is ready to start. */
type PreparedLoad = { run(): Promise<LoadResult> };

export async function prepareLoad(task: LoadTask): Promise<PreparedLoad> {
  const script = fileURLToPath(new URL("generate.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(task)], { execArgv: [] });
  const next = async (timeoutMs: number): Promise<LoadMessage> => {
    const [message] = (await once(child, "message", {
      signal: AbortSignal.timeout(timeoutMs),
    })) as [LoadMessage];
    return message;
  };
  await next(60_000);
  return {
    async run() {
      child.send("go");
      const message = await next(task.seconds * 1000 + 30_000);
      if (message.kind !== "result") throw new Error("The load generator gave no result");
      requireAccepted(message.result);
      return message.result;
    },
  };
}

/** A rate is meaningless if some of its responses are rejections. */
function requireAccepted({ statuses, lost, answered }: LoadResult): void {
  const others = Object.entries(statuses).filter(([status]) => status !== "200");
  if (others.length === 0 && lost === 0 && answered > 0) return;
  const counts = others.map(([status, count]) => `${count} × ${status}`);
  process.stdout.write(
    `  ! not all were accepted: ${[...counts, `${lost} lost`].join(", ")} of ${answered}\n`,
  );
}
