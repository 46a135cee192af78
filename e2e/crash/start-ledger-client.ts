import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type LedgerTask = {
  readonly port: number;
  /** Of the catch URL. */
  readonly path: string;
  readonly senders: number;
  /** Of all senders together; 0: as fast as the answers come. */
  readonly ratePerSecond: number;
  readonly ledgerFile: string;
  /** Makes the event ids of this run its own. */
  readonly tag: string;
};

export type LedgerReport = {
  readonly isFinished: boolean;
  /** 2xx answers that arrived whole. */
  readonly acknowledged: number;
  /** Requests that were sent again because the first had no answer or a refusal. */
  readonly resent: number;
  /** Answers by status, and `reset` (no answer to a request) and `refused` (no connection). */
  readonly statuses: Readonly<Record<string, number>>;
  readonly slowestAnswerMs: number;
  /** Unix time. */
  readonly lastAnswerAtMs: number;
};

export type LedgerClient = {
  report(): Promise<LedgerReport>;
  /** Lets each sender finish what it has under way. */
  stop(): Promise<LedgerReport>;
};

export function startLedgerClient(task: LedgerTask): LedgerClient {
  const script = fileURLToPath(new URL("ledger-client.ts", import.meta.url));
  const child = fork(script, [JSON.stringify(task)], { execArgv: [] });
  const ask = async (question: "report" | "stop"): Promise<LedgerReport> => {
    child.send(question);
    const [report] = (await once(child, "message", { signal: AbortSignal.timeout(30_000) })) as [
      LedgerReport,
    ];
    return report;
  };
  return { report: () => ask("report"), stop: () => ask("stop") };
}
