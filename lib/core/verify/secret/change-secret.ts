/** Common mistakes in copying a secret. Each is the change that undoes it. */
import { decodePercent } from "#lib/core/api/http/decode-percent.ts";

/** The changed text, or the same text if the mistake wasn't made. */
export function changeSecret(text: string, change: SecretChange): string {
  return changes[change].apply(text);
}

/** The changes in order of likelihood. */
export function listSecretChanges(): readonly SecretChange[] {
  return Object.keys(changes) as SecretChange[];
}

/** The mistake in the secret, in a sentence or two. */
export function describeSecretChange(text: string, change: SecretChange): string {
  const { says, isSentence = false }: Change = changes[change];
  if (isSentence) return says(text);
  return `The hook's secret ${says(text)}. Both secrets must be identical.`;
}

type Change = {
  readonly apply: (text: string) => string;
  /** Follows "The hook's secret", unless it is a sentence of its own. */
  readonly says: (text: string) => string;
  readonly isSentence?: boolean;
};

const quotes = `"'\`“”‘’«»`;
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00a0]/g;

const changes = {
  trim: { apply: (text) => text.trim(), says: describeEdges },
  unquote: {
    apply: (text) => {
      const inner = text.trim();
      const isQuoted =
        inner.length > 2 && quotes.includes(inner.charAt(0)) && quotes.includes(inner.at(-1) ?? "");
      return isQuoted ? inner.slice(1, -1) : text;
    },
    says: () => "is in quotation marks, but the provider's isn't",
  },
  drop_version: {
    apply: (text) => text.replace(/^\s*v1,(?=whsec_)/, ""),
    says: () => 'begins with "v1,", which is not part of it',
  },
  drop_repeated_prefix: {
    apply: (text) => text.replace(/^((?:[A-Za-z0-9]{1,16}_){1,3})\1+/, "$1"),
    says: (text) => `has its ${describePrefix(text)} twice`,
  },
  drop_variable_name: {
    apply: (text) =>
      text.replace(
        /^\s*(?:export\s+|set\s+)?[A-Za-z_][A-Za-z0-9_.]{0,80}\s*[=:]\s*["']?([^\s"']{4,}?)["']?\s*$/,
        "$1",
      ),
    says: () => 'was pasted with its variable name ("NAME=…")',
  },
  drop_scheme_word: {
    apply: (text) => text.replace(/^\s*(?:bearer|basic|token|secret)[\s:]+/i, ""),
    says: () => 'begins with a word such as "Bearer", which is not part of it',
  },
  remove_invisible: {
    apply: (text) => text.replace(invisible, ""),
    says: () =>
      "contains an invisible character (such as a zero-width or non-breaking " +
      "space), which can come from copying from a page or a chat",
  },
  remove_white_space: {
    apply: (text) => text.replaceAll(/\s+/g, ""),
    says: () => "contains white space, for example from a line wrap",
  },
  drop_escape: {
    apply: (text) => text.replace(/(?:\\[nrt])+$/, ""),
    says: () => 'ends with a literal "\\n"',
  },
  unescape: {
    apply: (text) => text.replaceAll("\\r", "").replaceAll("\\n", "\n"),
    says: () => 'has literal "\\n" instead of line breaks',
  },
  drop_punctuation: {
    apply: (text) => text.replace(/[.,;:]+$/, ""),
    says: () => "ends with a punctuation mark, probably copied from a sentence",
  },
  halve: {
    apply: (text) => {
      const half = text.slice(0, text.length / 2);
      return half.length > 3 && half + half === text ? half : text;
    },
    says: () => "was pasted twice in a row",
  },
  drop_prefix: {
    apply: (text) => text.replace(/^(?:[A-Za-z0-9]{1,16}_){1,3}(?=.)/, ""),
    says: (text) =>
      `The provider signs without the \`${describePrefix(text)}\` at the start of your secret.`,
    isSentence: true,
  },
  add_whsec: {
    apply: (text) => (text.startsWith("whsec_") ? text : `whsec_${text}`),
    says: () => "is missing its whsec_ prefix",
  },
  append_line_break: {
    apply: (text) => (text.endsWith("\n") ? text : `${text}\n`),
    says: () => "is fine, but the provider's copy ends with a line break",
  },
  append_space: {
    apply: (text) => (text.endsWith(" ") ? text : `${text} `),
    says: () => "is fine, but the provider's copy ends with a space",
  },
  decode_percent: { apply: decodePercent, says: () => "is percent-encoded, as in a URL" },
  decode_base64url: {
    apply: (text) =>
      /^[A-Za-z0-9_-]*[-_][A-Za-z0-9_-]*$/.test(text)
        ? text.replaceAll("-", "+").replaceAll("_", "/")
        : text,
    says: () => "is base64url, but the provider decodes it as base64",
  },
  lower_case: {
    apply: (text) => text.toLowerCase(),
    says: () => "has capital letters where the provider's has lowercase letters",
  },
  upper_case: {
    apply: (text) => text.toUpperCase(),
    says: () => "has lowercase letters where the provider's has capital letters",
  },
} as const satisfies Record<string, Change>;

export type SecretChange = keyof typeof changes;

function describeEdges(text: string): string {
  const places = [describeEdge(text, "begins"), describeEdge(text, "ends")].filter(
    (place) => place !== null,
  );
  return `${places.join(" and ")}, but the provider's doesn't`;
}

function describeEdge(text: string, edge: "begins" | "ends"): string | null {
  const space = (edge === "begins" ? /^\s+/ : /\s+$/).exec(text)?.[0];
  if (space === undefined) return null;
  return `${edge} with ${/[\r\n]/.test(space) ? "a line break" : space === "\t" ? "a tab" : "white space"}`;
}

/** Only a public prefix is shown: any other prefix is part of the secret. */
function describePrefix(text: string): string {
  return text.startsWith("whsec_") ? "whsec_" : "prefix";
}
