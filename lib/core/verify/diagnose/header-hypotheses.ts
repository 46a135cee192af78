/** The ways in which the signature header can change: renamed, sent twice, joined, quoted. */
import { decodePercent } from "#lib/core/api/http/decode-percent.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import type { FindingCode } from "./diagnosis.ts";
import type { DiagnosisInput, VerificationAttempt } from "./diagnosis-input.ts";
import { type Hypothesis, showHeaderName } from "./hypothesis.ts";

export function listHeaderHypotheses(input: DiagnosisInput): readonly Hypothesis[] {
  const { headers } = input.request;
  return listReadHeaders(input.hook.scheme as Scheme | null).flatMap((name) => {
    const values = headers[name] ?? [];
    if (values.length === 0) return listRenamed(name, headers);
    return [...listRepeated(name, values), ...values.flatMap((value) => listAltered(name, value))];
  });
}

/**
 * The headers that a scheme reads its signature, timestamp, and id from. None for an invalid
 * scheme.
 */
function listReadHeaders(scheme: Scheme | null): readonly string[] {
  if (typeof scheme !== "object" || scheme === null || !("signature" in scheme)) return [];
  const { signature, timestamp, signed } = scheme;
  const sources = [...signature.sources, timestamp?.source, ...Object.values(signed.values ?? {})];
  return [
    ...new Set(sources.flatMap((source) => (source?.from === "header" ? [source.name] : []))),
  ];
}

function listRepeated(name: string, values: readonly string[]): readonly Hypothesis[] {
  const shown = showHeaderName(name);
  const apart = values.length > 1 ? values : (values[0] ?? "").split(/,\s+/);
  if (apart.length < 2 || apart.length > 10) return [];
  const how =
    values.length > 1
      ? `arrived ${apart.length} times`
      : `contains ${apart.length} values, joined by a comma`;
  return apart.map((value, index) => ({
    axis: "header",
    code: "signature_repeated",
    sentence:
      `The header ${shown} ${how}, but only one is allowed. The ` +
      `${ordinal(index)} is correct: a proxy adds another, or two programs ` +
      "sign the request. Make sure that only one sets the header.",
    fix: null,
    apply: (attempt) => withHeader(attempt, name, value),
  }));
}

function listAltered(name: string, value: string): readonly Hypothesis[] {
  const shown = showHeaderName(name);
  return alterations.flatMap(({ undo, words, code = "signature_altered" }) => {
    const undone = undo(value);
    if (undone === value) return [];
    return {
      axis: "header",
      code,
      sentence: `The header ${shown} is correct, but ${words}.`,
      fix: null,
      apply: (attempt) => withHeader(attempt, name, undone),
    } satisfies Hypothesis;
  });
}

/** CGI, some proxies, and some functions use underscores in names, or add a prefix. */
function listRenamed(
  name: string,
  headers: DiagnosisInput["request"]["headers"],
): readonly Hypothesis[] {
  const wanted = plain(name);
  const found = Object.keys(headers).find((other) => {
    const seen = plain(other);
    return other !== name && (seen === wanted || (wanted.length >= 8 && seen.endsWith(wanted)));
  });
  const value = found === undefined ? undefined : headers[found]?.[0];
  if (found === undefined || value === undefined) return [];
  return [
    {
      axis: "header",
      code: "header_renamed",
      sentence:
        `The header ${showHeaderName(name)} arrived as ` +
        `${JSON.stringify(found.slice(0, 80))}: it was renamed on the way. ` +
        "Configure the proxy, gateway, or function in between to forward headers unchanged.",
      fix: null,
      apply: (attempt) => withHeader(attempt, name, value),
    },
  ];
}

type Alteration = {
  readonly words: string;
  readonly undo: (value: string) => string;
  readonly code?: FindingCode;
};

const alterations: readonly Alteration[] = [
  {
    words:
      "its timestamp is in milliseconds and was signed in seconds. Send the timestamp that was signed",
    undo: (value) => value.replaceAll(/\b([1-9]\d{9})\d{3}\b/g, "$1"),
    code: "timestamp_unit",
  },
  {
    words: "it is in quotation marks. Remove them at the provider or the proxy",
    undo: (value) => value.replace(/^(["'])(.*)\1$/, "$2"),
  },
  {
    words: "it has white space around it. Remove it at the provider or the proxy",
    undo: (value) => value.trim().replaceAll(/\s*([,=])\s*/g, "$1"),
  },
  { words: "it is percent-encoded. Send it without encoding", undo: decodePercent },
  {
    words: 'it ends with a literal "\\n". Remove it at the provider',
    undo: (value) => value.replace(/\\n$/, ""),
  },
  { words: 'its base64 has no padding ("="). Send the padding too', undo: pad },
];

function withHeader(
  attempt: VerificationAttempt,
  name: string,
  value: string,
): VerificationAttempt {
  const headers = Object.assign(Object.create(null), attempt.request.headers, { [name]: [value] });
  return { ...attempt, request: { ...attempt.request, headers } };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function pad(value: string): string {
  const text = /[A-Za-z0-9+/]{16,}$/.exec(value)?.[0];
  const missing = text === undefined ? 0 : (4 - (text.length % 4)) % 4;
  return missing < 3 ? value + "=".repeat(missing) : value;
}

function ordinal(index: number): string {
  return ["first", "second", "third"][index] ?? `${index + 1}th`;
}
