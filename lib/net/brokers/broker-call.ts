import { CallFailure } from "../call-failure.ts";
import type { CallResponse, CallResult } from "../call-result.ts";
import { listenForAbort, stopListening } from "../exchange.ts";
import { BrokerFailure, toBrokerFailure } from "./broker-failure.ts";

export type PublishOptions = {
  /** The deadline for everything: name lookup, connection, login, and the broker's confirmation. */
  readonly timeoutMs: number;
  /** Ends the wait early as `cancelled`. */
  readonly signal: AbortSignal;
};

/**
 * Publishes one message, and never rejects. A reply of the broker is the response of an attempt.
 *
 * @param publish throws a `CallFailure`. It also ends when `passed` rejects, which it does at the deadline
 */
export async function callBroker(
  { timeoutMs, signal }: PublishOptions,
  publish: (passed: Promise<never>) => Promise<CallResponse>,
): Promise<CallResult> {
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  using deadline = startDeadline(timeoutMs, signal);
  try {
    const response = await publish(deadline.passed);
    return { ok: true, response, durationMs: elapsedMs() };
  } catch (error) {
    const failure = toBrokerFailure(error);
    const { code, message } = failure;
    const reply = failure instanceof BrokerFailure ? failure.reply : null;
    const response = reply === null ? null : toResponse(reply.code, reply.text);
    return { ok: false, error: { code, message }, response, durationMs: elapsedMs() };
  }
}

/** The reply of a broker: its code as the status, its text as the body. */
export function toResponse(status: number, text: string): CallResponse {
  return { status, headers: [], body: Buffer.from(text), truncated: false };
}

function startDeadline(timeoutMs: number, signal: AbortSignal) {
  const { promise: passed, reject } = Promise.withResolvers<never>();
  passed.catch(() => {});
  const timer = setTimeout(
    () => reject(new CallFailure("timeout", "The broker didn't confirm the message in time.")),
    timeoutMs,
  );
  const onAbort = () => reject(new CallFailure("cancelled"));
  listenForAbort(signal, onAbort);
  return {
    passed,
    [Symbol.dispose]() {
      clearTimeout(timer);
      stopListening(signal, onAbort);
    },
  };
}
