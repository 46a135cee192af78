/**
 * Decides whether repeated signed bytes are a replay. If the signature doesn't cover the id, a
 * captured delivery can be sent again with another id. But if nothing signed is unique, two real
 * events may have the same bytes.
 */

import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { isCodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { DedupeSource } from "#lib/schema/receive/event-rules.ts";

export type ReplayProtection =
  /** `why` completes "on: a unique id is signed". */
  | { readonly isPossible: true; readonly isOn: boolean; readonly why: string }
  | { readonly isPossible: false; readonly why: string };

/** The default for hooks without their own setting, and why. */
export function findReplayProtection({
  scheme,
  eventId,
  replay,
}: Pick<Provider, "scheme" | "eventId" | "replay">): ReplayProtection {
  if (replay !== undefined) return { isPossible: true, ...replay };
  if (isCodeScheme(scheme)) {
    const isIdSigned =
      scheme.bodyNotSigned !== true && eventId.length > 0 && eventId.every(isLasting);
    const why = isIdSigned ? "the event identity is signed" : "not supported for this scheme";
    return { isPossible: false, why };
  }
  if (!("signed" in scheme)) return { isPossible: false, why: "nothing is signed" };
  const { timestamp, signed } = scheme;
  if (signed.template.includes("{id}")) return on("a unique id is signed");
  const isTimeSigned =
    signed.template.includes("{timestamp}") ||
    (timestamp?.source.from === "body" && isBodySigned(scheme));
  if (isTimeSigned && timestamp?.unit === "ms") return on("a timestamp in milliseconds is signed");
  const [first] = eventId;
  const isIdSigned = isBodySigned(scheme) && first?.from === "body";
  if (isTimeSigned && isIdSigned) return on("the timestamp and the event id are signed");
  if (isTimeSigned) return off("the timestamp is in seconds, and equal bodies may be two events");
  if (isIdSigned) return off("the event id is signed, so a replay has the same one");
  return off("no timestamp is signed, and equal bodies may be two events");
}

/** True if every byte of the body is signed, either directly or by its hash. */
function isBodySigned(scheme: Scheme): boolean {
  if (isCodeScheme(scheme) || !("signed" in scheme)) return false;
  return /\{(?:body|sha\d{3}\(body\))\}/.test(scheme.signed.template);
}

/** True if the same signed bytes always have the same identity. */
export function isIdentitySigned(scheme: Scheme, sources: readonly DedupeSource[]): boolean {
  return isBodySigned(scheme) && sources.every(isLasting);
}

/**
 * True if the source is read from the body alone and is remembered for as long as deliveries are
 * stored.
 */
function isLasting(source: DedupeSource): boolean {
  if (source.withinSeconds !== undefined) return false;
  const parts = source.from === "all" ? source.of : [source];
  return parts.every(({ from }) => from === "body" || from === "event" || from === "content");
}

function on(why: string): ReplayProtection {
  return { isPossible: true, isOn: true, why };
}

function off(why: string): ReplayProtection {
  return { isPossible: true, isOn: false, why };
}
