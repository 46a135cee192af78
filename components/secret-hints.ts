/** What a scheme makes of its secret, as far as somebody who pastes one can be told about it. */
export type SecretShape = {
  readonly kind: "key" | "publicKey" | "password";
  readonly decode: "utf8" | "base64" | "hex";
  /** Taken off before decoding. */
  readonly prefix: string | null;
  readonly isPrefixRequired: boolean;
  /** What secrets of this sender usually start with. */
  readonly startsWith: string | null;
};

/** `fixed` is what the secret would be without what is odd about it; null where only the sender can mend it. */
export type SecretHint = {
  readonly id: "space" | "quotes" | "lines" | "prefix" | "shape";
  readonly words: string;
  readonly fix: { readonly label: string; readonly fixed: string } | null;
};

/**
 * What is odd about a pasted secret. Nothing is mended by itself: white space or quotation marks can belong to a key, and a
 * key that was changed silently never verifies anything again.
 */
export function findSecretHints(secret: string, shape: SecretShape | null): readonly SecretHint[] {
  if (secret.trim() === "") return [];
  const hints = [findSpace(secret), findQuotes(secret), findLines(secret, shape), findMisfit(secret, shape)];
  return hints.filter((hint) => hint !== null);
}

/** How a secret looks, before one is pasted. Text needs no words of its own beside the sender's. */
export function describeShape(shape: SecretShape, hasHelp: boolean): string {
  const { kind, decode, prefix } = shape;
  if (kind === "password") return "A user name and a password with a colon between: user:password.";
  if (kind === "publicKey") return "It is no secret, but it decides who is believed.";
  if (decode === "utf8") return hasHelp ? "" : "Any text, to the letter.";
  const alphabet = decode === "hex" ? "hexadecimal: 0 to 9 and a to f" : "base64: letters, digits, + / and =";
  return prefix === null ? `It is ${alphabet}.` : `It is ${prefix} and then ${alphabet}.`;
}

function findSpace(secret: string): SecretHint | null {
  const fixed = secret.trim();
  if (fixed === secret) return null;
  const edge = `${/^\s/.test(secret) ? "start" : ""}${/\s$/.test(secret) ? "end" : ""}`;
  const where = edge === "startend" ? "start and its end" : edge;
  const isLine = /^\s*[\r\n]|[\r\n]\s*$/.test(secret);
  const what = isLine ? "a line break" : "white space";
  return {
    id: "space",
    words: `There is ${what} at its ${where}. That is nearly always an accident of copying.`,
    fix: { label: isLine ? "Remove the line break" : "Remove the space", fixed },
  };
}

const pairsOfQuotes = ['""', "''", "``", "“”", "‘’"];

function findQuotes(secret: string): SecretHint | null {
  const text = secret.trim();
  const isQuoted = pairsOfQuotes.some((pair) => text.length > 2 && pair === `${text.at(0)}${text.at(-1)}`);
  if (!isQuoted) return null;
  return {
    id: "quotes",
    words: "It stands in quotation marks, which are rarely part of a secret.",
    fix: { label: "Remove the quotation marks", fixed: text.slice(1, -1) },
  };
}

/** Public keys have lines of their own. */
function findLines(secret: string, shape: SecretShape | null): SecretHint | null {
  if (shape?.kind === "publicKey" || !/[\r\n]/.test(secret.trim())) return null;
  return {
    id: "lines",
    words: "It runs over several lines. Was more than the secret copied?",
    fix: { label: "Join the lines", fixed: secret.trim().replace(/\s*[\r\n]\s*/g, "") },
  };
}

function findMisfit(secret: string, shape: SecretShape | null): SecretHint | null {
  const text = secret.trim();
  if (shape === null || shape.kind === "publicKey") return null;
  if (shape.kind === "password") {
    return text.includes(":") ? null : misfit("shape", "There is no colon between user name and password.");
  }
  const { prefix, startsWith, decode } = shape;
  const start = prefix ?? startsWith;
  if (start !== null && !text.startsWith(start) && (shape.isPrefixRequired || prefix === null)) {
    return misfit(
      "prefix",
      `It does not start with ${start}. Is it an API key, or another endpoint's secret?`,
    );
  }
  const rest = prefix !== null && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  if (isDecodable(rest, decode)) return null;
  return misfit(
    "shape",
    `It is not ${decode}${prefix === null ? "" : ` after ${prefix}`}. Was all of it copied, to its last character?`,
  );
}

function misfit(id: "prefix" | "shape", words: string): SecretHint {
  return { id, words, fix: null };
}

/** As the server decodes what is pasted: hex of either case, base64 also without its padding. */
function isDecodable(text: string, decode: SecretShape["decode"]): boolean {
  switch (decode) {
    case "utf8":
      return true;
    case "hex":
      return /^(?:[0-9a-f]{2})+$/i.test(text);
    case "base64":
      return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;
    default:
      return decode satisfies never;
  }
}
