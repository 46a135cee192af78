import { listInterrupted, type StepsEvidence, workerOf } from "./check-steps.ts";
import type { Resolved } from "./resolve-held.ts";

/** The counts behind the verdicts. */
export function toLedgerTable(
  { killed, calls, runs, unknown, heldAndDone, quarantined }: StepsEvidence,
  resolved: readonly Resolved[],
): readonly string[] {
  const ended = runs.filter(({ state }) => state !== "open").length;
  const keys = new Set(calls.map(({ idempotencyKey }) => idempotencyKey));
  const busy = killed.filter(({ ledger }) =>
    [...ledger.values()].some(({ state }) => state === "calling"),
  );
  const interrupted = listInterrupted(killed);
  const arrived = calls.filter((call) => {
    const worker = killed[workerOf(killed, call)];
    return worker?.ledger.get(call.idempotencyKey)?.state === "calling";
  });
  const answered = arrived.filter(({ endedAtMs }) => endedAtMs !== null);
  const again = resolved.length - heldAndDone.length;
  const rows: readonly (readonly [string, string])[] = [
    ["kills", `${killed.length}, of them ${busy.length} during calls`],
    [
      "runs",
      `${ended} ended, ${runs.length - ended} open, ${quarantined.length} quarantined and retried`,
    ],
    ["calls", `${keys.size} different, ${calls.length - keys.size} made again`],
    [
      "started at a kill",
      `${interrupted.length} calls: ${interrupted.length - arrived.length} never arrived, ` +
        `${arrived.length - answered.length} not done, ${answered.length} done`,
    ],
    [
      "outcome_unknown",
      `${unknown.length + heldAndDone.length}: ${unknown.length - again} repeated alone, ` +
        `${heldAndDone.length} held and done, ${again} held and repeated`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
