/** Describes how two schemes differ. */

import { describeSource } from "#lib/core/verify/scheme/request-view.ts";
import type { MacScheme } from "#lib/core/verify/scheme/scheme.ts";
import type { SignatureFormat, TimestampRule } from "#lib/schema/receive/verification.ts";
import type { FindingCode } from "./diagnosis.ts";
import { showHeaderName } from "./hypothesis.ts";

type SchemeChange = {
  /** The number of differences. */
  readonly count: number;
  readonly code: FindingCode;
  readonly sentence: string;
  /** Only the differences, for a list. */
  readonly words: string;
};

type Difference = { readonly code: FindingCode; readonly sentence: string; readonly words: string };

/** `wanted` matches the signature; `base` is the hook's scheme. */
export function describeSchemeChange(base: MacScheme, wanted: MacScheme): SchemeChange {
  const differences = compare(base, wanted);
  const [first] = differences;
  const words = differences.map((difference) => difference.words).join("; ");
  if (first !== undefined && differences.length === 1)
    return { count: 1, words, code: first.code, sentence: first.sentence };
  const sentence = `The delivery is signed differently than the hook expects: ${words}. Update the hook's scheme.`;
  return { count: differences.length, code: "other_scheme", sentence, words };
}

function compare(base: MacScheme, wanted: MacScheme): readonly Difference[] {
  return [
    compareHash(base, wanted),
    compareEncoding(base, wanted),
    compareHeader(base, wanted),
    compareFormat(base, wanted),
    compareTemplate(base, wanted),
    compareSecret(base, wanted),
    compareTime(base, wanted),
  ].filter((difference) => difference !== null);
}

function compareHash(base: MacScheme, wanted: MacScheme): Difference | null {
  const [was, is] = [nameMac(base), nameMac(wanted)];
  if (was === is) return null;
  return {
    code: "other_hash",
    sentence: `The delivery is signed with ${is}, but the hook expects ${was}. Change the hook's hash.`,
    words: `${is} instead of ${was}`,
  };
}

function compareEncoding(base: MacScheme, wanted: MacScheme): Difference | null {
  if (base.encoding === wanted.encoding) return null;
  return {
    code: "other_encoding",
    sentence:
      `The signature is correct, but encoded as ${wanted.encoding} ` +
      `instead of ${base.encoding}. Change the hook's encoding.`,
    words: `${wanted.encoding} instead of ${base.encoding}`,
  };
}

function compareHeader(base: MacScheme, wanted: MacScheme): Difference | null {
  const [is] = wanted.signature.sources;
  if (
    is === undefined ||
    base.signature.sources.some((source) => describeSource(source) === describeSource(is))
  )
    return null;
  const name = is.from === "header" ? showHeaderName(is.name) : describeSource(is);
  return {
    code: "other_header",
    sentence:
      `The signature is in the header ${name}, but the hook reads it from ` +
      `${base.signature.sources.map(describeSource).join(" or ")}. Change the hook's header.`,
    words: `the signature in the header ${name}`,
  };
}

function compareFormat(base: MacScheme, wanted: MacScheme): Difference | null {
  const [was, is] = [showFormat(base.signature.format), showFormat(wanted.signature.format)];
  if (was === is) return null;
  return {
    code: "other_format",
    sentence: `The signature is correct, but its format is ${is} instead of ${was}. Change the hook's format.`,
    words: `format ${is} instead of ${was}`,
  };
}

function compareTemplate(base: MacScheme, wanted: MacScheme): Difference | null {
  const [was, is] = [showTemplate(base), showTemplate(wanted)];
  if (was === is) return null;
  return {
    code: "other_template",
    sentence: `The provider signs ${is}, but the hook expects ${was}. Change the hook's signed text.`,
    words: `${is} signed instead of ${was}`,
  };
}

function compareSecret(base: MacScheme, wanted: MacScheme): Difference | null {
  const isPrefixed = base.secret.stripPrefix !== wanted.secret.stripPrefix;
  const [was, is] = [showSecret(base, isPrefixed), showSecret(wanted, isPrefixed)];
  if (was === is) return null;
  return {
    code: "secret_decoding",
    sentence:
      `The signature matches with the secret ${is}, but the hook ` +
      `uses it ${was}. Change the hook's secret format.`,
    words: `the secret ${is} instead of ${was}`,
  };
}

function compareTime(base: MacScheme, wanted: MacScheme): Difference | null {
  if (wanted.timestamp === undefined || base.timestamp === undefined) return null;
  const [was, is] = [base.timestamp, wanted.timestamp];
  if (was.unit !== is.unit) {
    const words = `timestamp in ${units[is.unit]} instead of ${units[was.unit]}`;
    return {
      code: "timestamp_unit",
      sentence:
        `The signature is correct, but its timestamp is in ${units[is.unit]} ` +
        `instead of ${units[was.unit]}. Change the hook's timestamp unit.`,
      words,
    };
  }
  if (describeSource(was.source) === describeSource(is.source)) return null;
  const words = `its timestamp in ${describeSource(is.source)} instead of ${describeSource(was.source)}`;
  return {
    code: "other_scheme",
    sentence: `The delivery is signed with ${words}. Update the hook's scheme.`,
    words,
  };
}

export const units: Readonly<Record<TimestampRule["unit"], string>> = {
  s: "seconds",
  ms: "milliseconds",
  rfc3339: "RFC 3339",
  "iso-zoneless": "ISO 8601 without a time zone",
  "http-date": "an HTTP date",
};

function nameMac({ mac, hash }: MacScheme): string {
  const name = hash === "md5" ? "MD5" : hash.toUpperCase().replace("SHA", "SHA-");
  return mac === "hmac" ? `HMAC-${name}` : `${name} of the text and the secret`;
}

function showFormat(format: SignatureFormat): string {
  switch (format.type) {
    case "bare":
      return "the signature alone";
    case "prefixed":
      return `"${format.prefix}…"`;
    case "pairs":
      return `"${format.key}${format.keySeparator}…" between "${format.itemSeparator}"`;
    default:
      return format satisfies never;
  }
}

/** `{timestamp}.{body}` with the sources of its values: two templates may differ only in those. */
function showTemplate({ signed: { template, values } }: MacScheme): string {
  const shown = `\`${template.replaceAll("\n", "\\n")}\``;
  const sources = Object.entries(values ?? {}).map(
    ([name, source]) => `{${name}} from ${describeSource(source)}`,
  );
  return sources.length === 0 ? shown : `${shown} (${sources.join(", ")})`;
}

/** Mentions the prefix only where the two differ in it. */
function showSecret(
  { secret: { decode, stripPrefix, normalize, orText } }: MacScheme,
  isPrefixed: boolean,
): string {
  const decoded = decode === "utf8" ? "as text" : `${decode}-decoded`;
  const how = orText === true ? `${decoded} or as text` : decoded;
  const prefix = stripPrefix === undefined ? ", whole" : ` without its ${stripPrefix}`;
  return `${how}${isPrefixed ? prefix : ""}${normalize === undefined ? "" : `, normalized by ${normalize}`}`;
}
