import type { Condition, FieldPlace, Handshake, Reply } from "./handshake.ts";
import { type HandshakeRequest, readField } from "./read-field.ts";

/** A provider's handshakes by when they can be told from a delivery. */
export type Handshakes = {
  /** By method, URL and headers alone: the body need not be read. */
  readonly unread: readonly Handshake[];
  /** By an unsigned body, which is looked at before anything is verified. */
  readonly unsigned: readonly Handshake[];
  /** Once the request is verified. */
  readonly signed: readonly Handshake[];
};

/** Null for a provider without any: then there is nothing to look for in its requests. */
export function sortHandshakes(handshakes: readonly Handshake[] | undefined): Handshakes | null {
  if (handshakes === undefined || handshakes.length === 0) return null;
  const unsigned = handshakes.filter(({ proof }) => proof !== "signature");
  return {
    unread: unsigned.filter((handshake) => !readsBody(handshake)),
    unsigned: unsigned.filter(readsBody),
    signed: handshakes.filter(({ proof }) => proof === "signature"),
  };
}

/** The one that a request is; null: it is a delivery. */
export function findHandshake(handshakes: readonly Handshake[], request: HandshakeRequest): Handshake | null {
  for (const handshake of handshakes) {
    const { methods, when } = handshake;
    if (!methods.some((method) => method === request.method)) continue;
    if (when.every((condition) => holds(condition, request))) return handshake;
  }
  return null;
}

function holds(condition: Condition, request: HandshakeRequest): boolean {
  const value = readField(condition, request);
  if (condition.isAbsent === true) return value === null;
  return condition.equals === undefined ? value !== null : value === condition.equals;
}

function readsBody({ when, reply }: Handshake): boolean {
  return [...when, ...placesOf(reply)].some(({ from }) => from === "body" || from === "form");
}

function placesOf(reply: Reply): readonly FieldPlace[] {
  switch (reply.kind) {
    case "answer":
      return reply.challenge === undefined ? [] : [reply.challenge];
    case "keepSecret":
      return [reply.secret];
    case "confirmUrl":
      return [reply.url];
    default:
      return reply satisfies never;
  }
}
