import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CallStep, itemCount as usualItems } from "../steps/five-steps.ts";

export type StepCall = {
  /** The path: event, step, and item. */
  readonly place: string;
  readonly eventId: string;
  readonly step: CallStep;
  readonly idempotencyKey: string;
  /** The response of the first step, as this call was given it. Null: it is the first step. */
  readonly seen: string | null;
  /** The response. The first step gets another one each time. */
  readonly result: string;
  /** Unix time. */
  readonly startedAtMs: number;
  /**
   * The time when its work was done, whether or not the caller lived to see it. Null: it never was.
   */
  readonly endedAtMs: number | null;
};

export type StepReceiver = {
  readonly origin: string;
  readonly calls: readonly StepCall[];
  /** Calls of a step whose work was done, each counted once. */
  countOf(step: CallStep): number;
  /** True if the work of a call with this key was done. */
  hasDone(idempotencyKey: string): boolean;
  stop(): void;
};

type StepReceiverOptions = {
  /** The number of items in the response to the first step. */
  readonly itemCount?: number;
  /** The time that a call takes, in milliseconds. */
  readonly work?: { readonly fromMs: number; readonly toMs: number };
};

/**
 * Starts a receiver that does its work 10 to 50 ms after a call came in, unless told otherwise. If
 * the caller is gone by then, it does the work for half of the calls, so that no one can guess.
 */
export async function startStepReceiver({
  itemCount = usualItems,
  work = { fromMs: 10, toMs: 50 },
}: StepReceiverOptions = {}): Promise<StepReceiver> {
  type Recorded = { -readonly [Name in keyof StepCall]: StepCall[Name] };
  const calls: Recorded[] = [];
  const done = new Set<string>();
  const counts = new Map<string, number>();
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? "", "http://receiver");
    const [, eventId = "", step = ""] = pathname.split("/");
    const number = calls.length;
    const call: Recorded = {
      place: pathname,
      eventId,
      step: step as CallStep,
      idempotencyKey: String(request.headers["idempotency-key"]),
      seen: searchParams.get("seen"),
      result: `result_${number}`,
      startedAtMs: Date.now(),
      endedAtMs: null,
    };
    calls.push(call);
    setTimeout(
      () => {
        if (request.socket.destroyed && number % 2 === 0) return;
        call.endedAtMs = Date.now();
        if (!done.has(call.idempotencyKey)) counts.set(step, (counts.get(step) ?? 0) + 1);
        done.add(call.idempotencyKey);
        const items = step === "find" ? Array.from({ length: itemCount }, (_, at) => at) : [];
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ result: call.result, items }));
      },
      work.fromMs + ((number * 7) % (work.toMs - work.fromMs + 1)),
    );
  };
  const listener = createServer({ keepAliveTimeout: 65_000 }, receive);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    calls,
    countOf: (step) => counts.get(step) ?? 0,
    hasDone: (idempotencyKey) => done.has(idempotencyKey),
    stop: () => {
      listener.close();
      listener.closeAllConnections();
    },
  };
}
