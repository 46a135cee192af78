/** The keys of a provider that may verify a request now. */
import type { KeyObject } from "node:crypto";
import type { NeedsKey } from "./code-scheme.ts";
import { fail, type VerifyFailure } from "./failure.ts";
import { isKeyUrlAllowed, type KeyLookup, type KeySource } from "./signing-key.ts";

/** `subject` is the part of the request that names the key. */
export function findKeys(
  source: KeySource,
  keys: KeyLookup,
  nowMs: number,
  subject: string,
): readonly KeyObject[] | NeedsKey | VerifyFailure {
  if (!isKeyUrlAllowed(source.url)) return fail("key_source_refused", subject);
  const fetched = keys(source);
  if (fetched === undefined) return { needsKey: source };
  const { keyId, endorsement = "" } = source;
  const named = fetched.filter(
    ({ id, endorsements }) =>
      (keyId === null || id === keyId) && (endorsements?.includes(endorsement) ?? true),
  );
  if (named.length === 0) return fail("key_unknown", subject);
  const valid = named.filter(
    ({ validFromMs, validToMs }) => validFromMs <= nowMs && nowMs <= validToMs,
  );
  return valid.length === 0 ? fail("key_expired", subject) : valid.map(({ key }) => key);
}

export function isKeyList(found: ReturnType<typeof findKeys>): found is readonly KeyObject[] {
  return Array.isArray(found);
}
