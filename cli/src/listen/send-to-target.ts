import { CatchmentError } from "../../../clients/typescript/src/errors.ts";
import type { Frame } from "../../../clients/typescript/src/index.ts";
import type { Connection } from "../account/connect.ts";
import { reconnectDelay, wait } from "../frame/wait.ts";
import type { Ack } from "./hand-over.ts";
import type { Reporter } from "./reporter.ts";
import { nextStep, readBody } from "./session.ts";
import { callTarget, type TargetResponse } from "./target.ts";

const maxTries = 8;
const firstWaitMs = 1_000;
const maxWaitMs = 30_000;

type SendOptions = {
  readonly connection: Connection;
  readonly target: URL;
  readonly reporter: Reporter;
  /** What the target responds is what the provider gets, whatever its status. */
  readonly replies: boolean;
  /** Aborted when the command ends. */
  readonly signal: AbortSignal;
};

/**
 * Hands deliveries to the target, each until it has a response other than a server error, or any if
 * that goes to the provider, who may try again. Throws an
 * `Exit` after eight tries: the delivery isn't acknowledged, so the next start begins with it.
 */
export function makeSend(options: SendOptions): (frame: Frame) => Promise<Ack> {
  const { reporter, signal, target, replies } = options;
  return async (frame) => {
    const body = await keepReadingBody(options, frame);
    if (body === null) {
      reporter.passedOver(frame);
      return { cursor: frame.cursor };
    }
    const ready = replies ? withoutCompression(frame) : frame;
    for (let tried = 1; ; tried += 1) {
      const result = await callTarget(target, ready, body, signal).catch(toFailure);
      if (isTaken(result, replies)) {
        reporter.handed(frame, result);
        return toAck(frame, result);
      }
      signal.throwIfAborted();
      if (tried === maxTries) throw reporter.targetExit(frame, result);
      const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (tried - 1));
      reporter.held(frame, result, waitMs);
      await wait(waitMs, signal);
      signal.throwIfAborted();
    }
  };
}

/** A large body is fetched, for as long as that takes. Null: the delivery was deleted meanwhile. */
async function keepReadingBody(
  { connection, signal }: SendOptions,
  frame: Frame,
): Promise<Uint8Array | null> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await readBody(connection, frame);
    } catch (error) {
      if (error instanceof CatchmentError && error.status === 404) return null;
      if (nextStep(error) !== "again") throw error;
      await wait(reconnectDelay(attempt, null), signal);
      signal.throwIfAborted();
    }
  }
}

/** A program that refuses a delivery has it. One that is broken or away hasn't. */
function isTaken(result: TargetResponse | Error, replies: boolean): result is TargetResponse {
  if (result instanceof Error) return false;
  if (replies) return true;
  const { status } = result;
  return status < 500 && status !== 408 && status !== 429;
}

/** A reply to a provider is never compressed. */
function withoutCompression(frame: Frame): Frame {
  const headers = frame.headers.filter(([name]) => name.toLowerCase() !== "accept-encoding");
  return { ...frame, headers };
}

const limits = { headers: 100, nameChars: 256, valueChars: 8_192 };

function toAck({ cursor }: Frame, response: TargetResponse): Ack {
  const { status, headers, body, bodyBytes, ms } = response;
  const shown = headers
    .filter(([name]) => name.length <= limits.nameChars)
    .map(([name, value]) => [name, value.slice(0, limits.valueChars)] as const);
  return {
    ...{ cursor, status, bodyBytes, ms },
    headers: shown.slice(0, limits.headers),
    bodyBase64: body.toString("base64"),
  };
}

function toFailure(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
