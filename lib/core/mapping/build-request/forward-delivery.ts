import type { RawDelivery } from "#lib/core/mapping/template/mapping-context.ts";
import {
  decodeName,
  isCredentialHeader,
  isSensitiveName,
} from "#lib/core/people/redact/redact-request.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { type Forward, isNeverForwarded } from "#lib/schema/act/forward.ts";

type Header = readonly [name: string, value: string];

/**
 * The headers of a delivery that an action forwards, in their original order and letter case.
 * Headers that describe the body are always included. `own` are lowercase names that the action
 * sets.
 */
export function listForwardedHeaders(
  { headers }: RawDelivery,
  { headers: choice }: Forward,
  own: ReadonlySet<string>,
): readonly Header[] {
  const named = new Set(headers.flatMap(readConnectionNames));
  const chosen = choice === "all" ? null : new Set(choice);
  return headers.filter(([name, value]) => {
    const lower = name.toLowerCase();
    if (own.has(lower) || named.has(lower) || isNeverForwarded(lower) || value === redactionMark)
      return false;
    if (aboutBody.has(lower)) return true;
    return chosen === null ? !isLeftOut(lower) : chosen.has(lower);
  });
}

/** The delivery's query as sent, without values that weren't stored. */
export function readForwardedQuery({ query }: RawDelivery): string {
  return query
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "" && !isHidden(pair))
    .join("&")
    .replaceAll("#", "%23");
}

const aboutBody: ReadonlySet<string> = new Set(["content-type", "content-encoding"]);

/** Headers about the request to Catchment, which mean nothing to the next receiver. */
const transportHeaders = /^(?:forwarded|via|x-real-ip|x-forwarded-.*|x-catchment-test)$/;

function isLeftOut(name: string): boolean {
  return isCredentialHeader(name) || transportHeaders.test(name);
}

/** RFC 9110 §7.6.1: headers named by `Connection` are for this connection only. */
function readConnectionNames([name, value]: Header): readonly string[] {
  if (name.toLowerCase() !== "connection") return [];
  return value.split(",").map((option) => option.trim().toLowerCase());
}

function isHidden(pair: string): boolean {
  const at = pair.indexOf("=");
  if (at === -1) return false;
  return pair.slice(at + 1) === redactionMark || isSensitiveName(decodeName(pair.slice(0, at)));
}
