import { listProofHeaders } from "#lib/core/recognise/proof-headers.ts";
import { redactionMark } from "#lib/core/redact/redact-text.ts";
import { describeSource } from "#lib/core/verify/request-view.ts";
import type { Scheme } from "#lib/core/verify/scheme.ts";
import { showHeaderName } from "./lever.ts";
import type { Patient } from "./patient.ts";

/** Where the token or password of a delivery was that is not stored, after "in"; null where there is none. */
export function findHiddenCredential({ request, hook }: Patient): string | null {
  const { headers, query } = request;
  const name = listProofHeaders({ id: hook.provider, scheme: hook.scheme }).find(
    (proof) => headers[proof]?.includes(redactionMark) === true,
  );
  if (name !== undefined) return `the header ${showHeaderName(name)}`;
  const scheme = hook.scheme as Scheme | null;
  const source = scheme?.kind === "token" ? scheme.source : null;
  return source?.from === "query" && query.includes(`=${redactionMark}`) ? describeSource(source) : null;
}
