/**
 * Writes the same JSON as other programs would. Works on tokens, so that duplicate keys and the
 * order of keys don't change: only white space and the format of strings and numbers do.
 */
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";
import { rewriteNumbers } from "./rewrite-numbers.ts";

type Rewriting = { readonly text: string; readonly words: string };

/** Most likely first. The caller skips duplicates. Yields nothing for invalid JSON. */
export function* rewriteJson(text: string): Generator<Rewriting> {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  // Also limits the depth, since sorting below is recursive.
  const parsed = parseExactJson(json);
  if (!parsed.ok) return;
  const tokens = tokenize(json);
  for (const escaping of escapings) {
    for (const spacing of spacings) {
      const words = [spacing.words, escaping.words].filter((part) => part !== "").join(", ");
      yield { text: write(tokens, spacing, escaping.escape), words };
    }
  }
  for (const { text: respelled, words } of rewriteNumbers(json)) {
    yield { text: respelled, words };
    // A program that reformats numbers usually changes white space too.
    for (const spacing of spacings.slice(0, 2))
      yield {
        text: write(tokenize(respelled), spacing, keep),
        words: `${words}, ${spacing.words}`,
      };
  }
  const sorted = stringifyExactJson(sortKeys(parsed.value));
  if (!sorted.ok) return;
  const sortedTokens = tokenize(sorted.text);
  for (const spacing of spacings.slice(0, 2)) {
    for (const escaping of escapings.slice(0, 3)) {
      const words = [spacing.words, escaping.words, "with sorted keys"]
        .filter((part) => part !== "")
        .join(", ");
      yield { text: write(sortedTokens, spacing, escaping.escape), words };
    }
  }
}

type Spacing = {
  readonly words: string;
  readonly item: string;
  readonly key: string;
  readonly indent: string;
};

const spacings: readonly Spacing[] = [
  { words: "without white space", item: ",", key: ":", indent: "" },
  { words: 'with a space after each "," and ":" (Python)', item: ", ", key: ": ", indent: "" },
  { words: "indented by two spaces", item: ",", key: ": ", indent: "  " },
  { words: "indented by four spaces", item: ",", key: ": ", indent: "    " },
  { words: "indented by tabs", item: ",", key: ": ", indent: "\t" },
  { words: 'with a space after each ":"', item: ",", key: ": ", indent: "" },
];

type Escaping = { readonly words: string; readonly escape: (token: string) => string };

const keep = (token: string): string => token;
const plain = (token: string): string => JSON.stringify(JSON.parse(token));
const ascii = (token: string): string => escapeWhere(plain(token), nonAscii, lowerHex);
const slashes = (token: string): string => token.replaceAll("/", "\\/");
const nonAscii = /[\u0080-\uffff]/g;
const html = /[<>&\u2028\u2029]/g;
/**
 * https://learn.microsoft.com/dotnet/standard/serialization/system-text-json/character-encoding:
 * what its default encoder escapes.
 */
const dotnet = /[\u007f-\uffff<>&'+`]/g;

/** `keep` first: most programs change only white space. */
const escapings: readonly Escaping[] = [
  { words: "", escape: keep },
  { words: "with non-ASCII characters as they are", escape: plain },
  { words: "with non-ASCII characters as \\uXXXX", escape: ascii },
  {
    words: 'with "/" as "\\/" and non-ASCII characters as \\uXXXX (PHP)',
    escape: (token) => slashes(ascii(token)),
  },
  { words: 'with "/" as "\\/"', escape: (token) => slashes(plain(token)) },
  {
    words: "with <, > and & as \\uXXXX (Go, Rails)",
    escape: (token) => escapeWhere(plain(token), html, lowerHex),
  },
  {
    words: "with non-ASCII characters as uppercase \\uXXXX",
    escape: (token) => escapeWhere(plain(token), nonAscii, upperHex),
  },
  {
    words: "with the escapes of .NET",
    escape: (token) => escapeWhere(plain(token).replaceAll('\\"', "\\u0022"), dotnet, upperHex),
  },
];

function escapeWhere(text: string, where: RegExp, hex: (character: string) => string): string {
  return text.replaceAll(where, hex);
}

function lowerHex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function upperHex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Tokens of valid JSON: strings, punctuation, and everything else. */
function tokenize(json: string): readonly string[] {
  return json.match(/"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gs) ?? [];
}

function write(
  tokens: readonly string[],
  { item, key, indent }: Spacing,
  respell: Escaping["escape"],
): string {
  const parts: string[] = [];
  let depth = 0;
  const breakLine = () => (indent === "" ? "" : `\n${indent.repeat(depth)}`);
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isEmpty = (token === "}" && before === "{") || (token === "]" && before === "[");
    if (token === "}" || token === "]") {
      depth -= 1;
      parts.push(isEmpty ? token : breakLine() + token);
      continue;
    }
    if (before === "{" || before === "[") parts.push(breakLine());
    if (token === "{" || token === "[") depth += 1;
    if (token === ",") parts.push(item + breakLine());
    else if (token === ":") parts.push(key);
    else parts.push(token.startsWith(`"`) ? respell(token) : token);
  }
  return parts.join("");
}

/** Exact numbers are objects with their own prototype and stay unchanged. */
function sortKeys(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (
    typeof value !== "object" ||
    value === null ||
    Object.getPrototypeOf(value) !== Object.prototype
  )
    return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, inner]) => [name, sortKeys(inner as JsonValue)]));
}
