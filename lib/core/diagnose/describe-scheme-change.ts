/** Two schemes side by side: in what they differ, in words. */

import { describeSource } from "#lib/core/verify/request-view.ts";
import type { MacScheme } from "#lib/core/verify/scheme.ts";
import type { SignatureFormat, TimestampRule } from "#lib/schema/verification.ts";
import type { FindingCode } from "./diagnosis.ts";
import { showHeaderName } from "./lever.ts";

export type SchemeChange = {
  /** How many things differ. */
  readonly count: number;
  readonly code: FindingCode;
  readonly sentence: string;
  /** The differences alone, for a list. */
  readonly words: string;
};

type Difference = { readonly code: FindingCode; readonly sentence: string; readonly words: string };

/** `wanted` is what fits, `base` what the hook has. */
export function describeSchemeChange(base: MacScheme, wanted: MacScheme): SchemeChange {
  const differences = compare(base, wanted);
  const [first] = differences;
  const words = differences.map((difference) => difference.words).join("; ");
  if (first !== undefined && differences.length === 1)
    return { count: 1, words, code: first.code, sentence: first.sentence };
  const sentence = `It is signed in another way than the hook expects: ${words}. Change the hook's scheme to this.`;
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
    sentence: `It is signed with ${is}, and the hook expects ${was}. Change the hook's hash.`,
    words: `${is} instead of ${was}`,
  };
}

function compareEncoding(base: MacScheme, wanted: MacScheme): Difference | null {
  if (base.encoding === wanted.encoding) return null;
  return {
    code: "other_encoding",
    sentence: `The signature is right but written as ${wanted.encoding}, and the hook expects ${base.encoding}. Change the hook's encoding.`,
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
    sentence: `The signature is in the header ${name}, and the hook looks for it elsewhere (in ${base.signature.sources.map(describeSource).join(" or ")}). Change the hook's header.`,
    words: `the signature in the header ${name}`,
  };
}

function compareFormat(base: MacScheme, wanted: MacScheme): Difference | null {
  const [was, is] = [showFormat(base.signature.format), showFormat(wanted.signature.format)];
  if (was === is) return null;
  return {
    code: "other_format",
    sentence: `The signature is right but written as ${is}, and the hook expects ${was}. Change the hook's format.`,
    words: `written as ${is} instead of ${was}`,
  };
}

function compareTemplate(base: MacScheme, wanted: MacScheme): Difference | null {
  const [was, is] = [showTemplate(base), showTemplate(wanted)];
  if (was === is) return null;
  return {
    code: "other_template",
    sentence: `It signs ${is}, and the hook expects ${was} to be signed. Change the hook's signed text.`,
    words: `${is} signed instead of ${was}`,
  };
}

function compareSecret(base: MacScheme, wanted: MacScheme): Difference | null {
  const isPrefixed = base.secret.stripPrefix !== wanted.secret.stripPrefix;
  const [was, is] = [showSecret(base, isPrefixed), showSecret(wanted, isPrefixed)];
  if (was === is) return null;
  return {
    code: "secret_decoding",
    sentence: `The signature fits if the secret is taken ${is}; the hook takes it ${was}. Change the hook's format of the secret.`,
    words: `the secret ${is} instead of ${was}`,
  };
}

function compareTime(base: MacScheme, wanted: MacScheme): Difference | null {
  if (wanted.timestamp === undefined || base.timestamp === undefined) return null;
  const [was, is] = [base.timestamp, wanted.timestamp];
  if (was.unit !== is.unit) {
    const words = `the time in ${units[is.unit]} instead of ${units[was.unit]}`;
    return {
      code: "timestamp_unit",
      sentence: `The signature is right, but its time is in ${units[is.unit]}, and the hook expects ${units[was.unit]}. Change the hook's unit of time.`,
      words,
    };
  }
  if (describeSource(was.source) === describeSource(is.source)) return null;
  const words = `the time in ${describeSource(is.source)} instead of ${describeSource(was.source)}`;
  return {
    code: "other_scheme",
    sentence: `It is signed with ${words}. Change the hook's scheme to this.`,
    words,
  };
}

const units: Readonly<Record<TimestampRule["unit"], string>> = {
  s: "seconds",
  ms: "milliseconds",
  rfc3339: "RFC 3339",
  "iso-zoneless": "ISO 8601 without a zone",
  "http-date": "an HTTP date",
};

function nameMac({ mac, hash }: MacScheme): string {
  return `${mac === "hmac" ? "HMAC-" : ""}${hash === "md5" ? "MD5" : hash.toUpperCase().replace("SHA", "SHA-")}${mac === "hmac" ? "" : " of a text with the secret"}`;
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

/** `{timestamp}.{body}`, with where an id comes from: two templates may differ in that alone. */
function showTemplate({ signed: { template, values } }: MacScheme): string {
  const shown = `\`${template.replaceAll("\n", "\\n")}\``;
  const sources = Object.entries(values ?? {}).map(
    ([name, source]) => `{${name}} from ${describeSource(source)}`,
  );
  return sources.length === 0 ? shown : `${shown} (${sources.join(", ")})`;
}

/** The prefix is only said where the two differ in it. */
function showSecret({ secret: { decode, stripPrefix, normalize } }: MacScheme, isPrefixed: boolean): string {
  const how = decode === "utf8" ? "as text" : `${decode}-decoded`;
  const prefix = stripPrefix === undefined ? ", whole" : ` without its ${stripPrefix}`;
  return `${how}${isPrefixed ? prefix : ""}${normalize === undefined ? "" : `, normalised by ${normalize}`}`;
}
