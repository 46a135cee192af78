import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { listProofHeaders } from "#lib/core/verify/recognize/proof-headers.ts";
import { describeSource } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { DiagnosisInput } from "./diagnosis-input.ts";
import { showHeaderName } from "./hypothesis.ts";

/**
 * The place of the delivery's unstored token or password, as text that follows "in". Null if there
 * is none.
 */
export function findHiddenCredential({ request, hook }: DiagnosisInput): string | null {
  const { headers, query, url } = request;
  const name = listProofHeaders(hook).find(
    (proof) => headers[proof]?.includes(redactionMark) === true,
  );
  if (name !== undefined) return `the header ${showHeaderName(name)}`;
  const scheme = hook.scheme as Scheme | null;
  const source = scheme?.kind === "token" ? scheme.source : null;
  const isHidden =
    (source?.from === "query" && query.includes(`=${redactionMark}`)) ||
    (source?.from === "path" && url.includes(`/${redactionMark}`));
  return isHidden && source !== null ? describeSource(source) : null;
}
