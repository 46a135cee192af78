import type { SchemeDraft } from "./scheme-draft.ts";

/** Example headers of the provider, to compare with real ones. */
export function exampleHeaders(draft: SchemeDraft): readonly string[] {
  const { kind, header, prefix, time, timeName, template } = draft;
  if (kind === "basic") return ["authorization: Basic dXNlcjpwYXNzd29yZA=="];
  if (kind === "bearer") return ["authorization: Bearer <the secret>"];
  if (kind === "token") return [`${header}: ${prefix}<the secret>`];
  if (kind === "jwt") return [`${header}: ${prefix}eyJhbGciOi….eyJpYXQiOj….SflKxwRJ…`];
  const lines = [`${header}: ${exampleSignature(draft)}`];
  if (time === "header") lines.push(`${timeName || "…"}: ${exampleTimes[draft.unit]}`);
  if (template.includes("{digest}"))
    lines.push(`${draft.digestHeader}: ${draft.digestPrefix}X48E9qOokqqrvdts8nOJ…=`);
  if (template.includes("{id}")) lines.push(`${draft.idHeader}: msg_2b…`);
  return lines;
}

const exampleTimes: Readonly<Record<SchemeDraft["unit"], string>> = {
  s: "1795000000",
  ms: "1795000000000",
  rfc3339: "2026-11-18T11:06:40Z",
  "iso-zoneless": "2026-11-18T11:06:40",
  "http-date": "Wed, 18 Nov 2026 11:06:40 GMT",
};

function exampleSignature(draft: SchemeDraft): string {
  const { encoding, format, prefix, itemSeparator, keySeparator, signatureKey, time, timeName } =
    draft;
  const signature = encoding === "hex" ? "5257a869e7ec…" : "UleoaefsXV0…=";
  if (format === "bare") return signature;
  if (format === "prefixed") return `${prefix}${signature}`;
  const timePart =
    time === "part" ? `${timeName || "t"}${keySeparator}1795000000${itemSeparator}` : "";
  return `${timePart}${signatureKey}${keySeparator}${signature}`;
}
