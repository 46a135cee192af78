import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type LedgerTask = {
  readonly port: number;
  /** The path of the catch URL. */
  readonly path: string;
  readonly clients: number;
  /** The rate of all clients together. 0: as fast as possible. */
  readonly ratePerSecond: number;
  readonly ledgerFile: string;
  /** Makes the event ids of this run unique. */
  readonly tag: string;
};

export type LedgerReport = {
  readonly isFinished: boolean;
  /** Complete 2xx responses. */
  readonly acknowledged: number;
  /** Requests sent again because the first got no response or an error. */
  readonly resent: number;
  /** Responses by status, and `reset` (no response to a request) and `refused` (no connection). */
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestResponseMs: number;
  /** Unix time. */
  readonly lastResponseAtMs: number;
};

export type LedgerClient = {
  report(): Promise<LedgerReport>;
  /** Lets each client finish its request in flight. */
  stop(): Promise<LedgerReport>;
};

export function startLedgerClient(task: LedgerTask): LedgerClient {
  const script = fileURLToPath(new URL("ledger-client.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(task)], { execArgv: [] });
  const ask = async (question: "report" | "stop"): Promise<LedgerReport> => {
    child.send(question);
    const [report] = (await once(child, "message", { signal: AbortSignal.timeout(300_000) })) as [
      LedgerReport,
    ];
    return report;
  };
  return { report: () => ask("report"), stop: () => ask("stop") };
}
