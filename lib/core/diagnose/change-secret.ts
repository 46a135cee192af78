/** The slips of copying a secret, each as the change that undoes it. Pure text: whether it helps, the interpreter says. */

/** The changed text; the same text where the slip was not made. */
export function changeSecret(text: string, change: SecretChange): string {
  return changes[change].apply(text);
}

/** In order of likelihood. */
export function listSecretChanges(): readonly SecretChange[] {
  return Object.keys(changes) as SecretChange[];
}

/** What is wrong with the hook's secret, after "the hook's secret". */
export function describeSecretChange(text: string, change: SecretChange): string {
  return changes[change].says(text);
}

type Change = { readonly apply: (text: string) => string; readonly says: (text: string) => string };

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
    says: () => "stands in quotation marks, which the sender's does not have",
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
    says: () => 'was pasted with the name of its setting in front ("NAME=…")',
  },
  drop_scheme_word: {
    apply: (text) => text.replace(/^\s*(?:bearer|basic|token|secret)[\s:]+/i, ""),
    says: () => 'begins with a word such as "Bearer", which is not part of it',
  },
  remove_invisible: {
    apply: (text) => text.replace(invisible, ""),
    says: () =>
      "holds a character that can't be seen (such as a zero-width or hard space), which comes from copying out of a page or a chat",
  },
  remove_white_space: {
    apply: (text) => text.replaceAll(/\s+/g, ""),
    says: () => "holds white space in its middle, as when it was wrapped over two lines",
  },
  drop_escape: {
    apply: (text) => text.replace(/(?:\\[nrt])+$/, ""),
    says: () => 'ends with a written-out "\\n", which stands for a line break',
  },
  unescape: {
    apply: (text) => text.replaceAll("\\r", "").replaceAll("\\n", "\n"),
    says: () => 'has its line breaks written out as "\\n"',
  },
  drop_punctuation: {
    apply: (text) => text.replace(/[.,;:]+$/, ""),
    says: () => "ends with a punctuation mark that belongs to the sentence it was copied from",
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
    says: (text) => `begins with its ${describePrefix(text)}, and the sender signs without it`,
  },
  add_whsec: {
    apply: (text) => (text.startsWith("whsec_") ? text : `whsec_${text}`),
    says: () => "lacks its whsec_ in front, which is part of it",
  },
  append_line_break: {
    apply: (text) => (text.endsWith("\n") ? text : `${text}\n`),
    says: () => "is clean, but the sender's own copy of it ends with a line break",
  },
  append_space: {
    apply: (text) => (text.endsWith(" ") ? text : `${text} `),
    says: () => "is clean, but the sender's own copy of it ends with a space",
  },
  decode_percent: { apply: decodePercent, says: () => "is percent-encoded, as it stands in a URL" },
  decode_base64url: {
    apply: (text) =>
      /^[A-Za-z0-9_-]*[-_][A-Za-z0-9_-]*$/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text,
    says: () => "is base64url, and the sender decodes it as base64",
  },
  lower_case: {
    apply: (text) => text.toLowerCase(),
    says: () => "has capitals where the sender's has small letters",
  },
  upper_case: {
    apply: (text) => text.toUpperCase(),
    says: () => "has small letters where the sender's has capitals",
  },
} as const satisfies Record<string, Change>;

export type SecretChange = keyof typeof changes;

/** Where white space is, and of which kind: a line break is what a terminal adds, a space what a mouse does. */
function describeEdges(text: string): string {
  const places = [describeEdge(text, "begins"), describeEdge(text, "ends")].filter((place) => place !== null);
  return `${places.join(" and ")}, which the sender's does not`;
}

function describeEdge(text: string, edge: "begins" | "ends"): string | null {
  const space = (edge === "begins" ? /^\s+/ : /\s+$/).exec(text)?.[0];
  if (space === undefined) return null;
  return `${edge} with ${/[\r\n]/.test(space) ? "a line break" : space === "\t" ? "a tab" : "white space"}`;
}

/** Only what everybody's secrets begin with is repeated: any other prefix is part of the secret. */
function describePrefix(text: string): string {
  return text.startsWith("whsec_") ? "whsec_" : "prefix";
}

function decodePercent(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
