import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type SinkMessage =
  | { readonly kind: "ready"; readonly port: number }
  | { readonly kind: "count"; readonly calls: number; readonly cpuMs: number };

type SinkCount = { readonly calls: number; readonly cpuMs: number };

export type Sink = {
  readonly url: string;
  count(): Promise<SinkCount>;
  stop(): void;
};

type SinkOptions = {
  /** The file that records each call. Undefined: calls are only counted. */
  readonly file?: string;
  /** The delay before each response. */
  readonly delayMs?: number;
};

/** Starts the receiver in its own process, which ends with this one. */
export async function startSink({ file = "-", delayMs = 0 }: SinkOptions = {}): Promise<Sink> {
  const child = fork(fileURLToPath(new URL("sink.ts", import.meta.url)), [file, String(delayMs)], {
    execArgv: [],
  });
  const next = async (): Promise<SinkMessage> => {
    const [message] = (await once(child, "message", { signal: AbortSignal.timeout(120_000) })) as [
      SinkMessage,
    ];
    return message;
  };
  const ready = await next();
  if (ready.kind !== "ready") throw new Error("The sink did not start");
  return {
    url: `http://127.0.0.1:${ready.port}/sink`,
    async count() {
      child.send("count");
      const message = await next();
      if (message.kind !== "count") throw new Error("The sink did not count");
      return message;
    },
    stop: () => void child.disconnect(),
  };
}
