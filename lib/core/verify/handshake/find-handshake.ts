import type { Condition, FieldPlace, Handshake, Reply } from "./handshake.ts";
import { type HandshakeRequest, hasField, readField } from "./read-field.ts";

/** A provider's handshakes, grouped by when they can be recognized. */
export type Handshakes = {
  /** Recognized by method, URL, and headers, without the body. */
  readonly unread: readonly Handshake[];
  /** Recognized by an unsigned body, before verification. */
  readonly unsigned: readonly Handshake[];
  /** Recognized after verification. */
  readonly signed: readonly Handshake[];
};

/** Null if the provider has no handshakes. */
export function sortHandshakes(handshakes: readonly Handshake[] | undefined): Handshakes | null {
  if (handshakes === undefined || handshakes.length === 0) return null;
  const unsigned = handshakes.filter(({ proof }) => proof !== "signature");
  return {
    unread: unsigned.filter((handshake) => !readsBody(handshake)),
    unsigned: unsigned.filter(readsBody),
    signed: handshakes.filter(({ proof }) => proof === "signature"),
  };
}

/** Null: the request is a delivery. */
export function findHandshake(
  handshakes: readonly Handshake[],
  request: HandshakeRequest,
): Handshake | null {
  for (const handshake of handshakes) {
    const { methods, when } = handshake;
    if (!methods.some((method) => method === request.method)) continue;
    if (when.every((condition) => holds(condition, request))) return handshake;
  }
  return null;
}

function holds(condition: Condition, request: HandshakeRequest): boolean {
  if (condition.isAbsent === true) return !hasField(condition, request);
  const value = readField(condition, request);
  if (value === null || (condition.isOnly === true && !isOnlyField(request))) return false;
  if (condition.equals !== undefined) return value === condition.equals;
  return condition.matches?.test(value) ?? true;
}

function isOnlyField({ payload }: HandshakeRequest): boolean {
  return payload?.kind === "form" && Object.keys(payload.fields).length === 1;
}

function readsBody({ when, reply }: Handshake): boolean {
  return [...when, ...listPlaces(reply)].some(({ from }) => from === "body" || from === "form");
}

function listPlaces(reply: Reply): readonly FieldPlace[] {
  switch (reply.kind) {
    case "respond":
      return reply.challenge === undefined ? [] : [reply.challenge];
    case "keepSecret":
      return [reply.secret];
    case "confirmUrl":
      return [reply.url];
    default:
      return reply satisfies never;
  }
}
