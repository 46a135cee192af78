/** The parts of a call, for tests. */

import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";
import { type AllowList, parseCidrList } from "#lib/core/sending/address/allow-list.ts";

export function allow(text: string): AllowList {
  const parsed = parseCidrList(text);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed.cidrs;
}

export function get(url: string, headers: OutgoingRequest["headers"] = []): OutgoingRequest {
  return { method: "GET", url, headers, body: null };
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}
