/** Places of values in a request, for identities, types, and handshakes. */
import type { IdentityPart } from "#lib/core/verify/dedupe/identify-event.ts";

export const byContent = { from: "content" } as const;
/** The `id` of a body in the shape of an event. */
export const byEvent = { from: "event" } as const;
/** Everything that a sender without a signature says. */
export const byRequest = { from: "request" } as const;

/** The body without fields that change with each attempt, such as an attempt counter. */
export function contentExcept(...except: string[]) {
  return { from: "content" as const, except };
}

export function inHeader(name: string) {
  return { from: "header", name } as const;
}

export function inBody(path: string) {
  return { from: "body", path } as const;
}

export function inQuery(name: string) {
  return { from: "query", name } as const;
}

/** Combines several values, if one alone isn't unique. */
export function allOf(...of: IdentityPart[]) {
  return { from: "all" as const, of };
}
