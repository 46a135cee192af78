/**
 * Common mistakes in a pasted secret, for the form, the API, and the diagnosis. Never changes the
 * secret: white space or quotation marks can be part of a key.
 */
import { changeSecret, type SecretChange } from "./change-secret.ts";

export type SecretSlip = {
  readonly id: SlipId;
  /** Text that follows "The secret", without the period. Never contains the secret. */
  readonly words: string;
  /** The advice for the user. */
  readonly advice: string;
  /** The change that undoes it. Null if the secret has to be copied again. */
  readonly change: SecretChange | null;
  /** True if it can't be a signing secret. Then it isn't saved. */
  readonly isRejected: boolean;
};

type SlipId =
  | "placeholder"
  | "api_key"
  | "url"
  | "private_key"
  | "access_token"
  | "json"
  | "name"
  | "word"
  | "quotes"
  | "version"
  | "prefix_twice"
  | "invisible"
  | "twice"
  | "escape"
  | "lines"
  | "space";

type SlipOptions = {
  /** The prefix of this provider's signing secrets, if known. */
  readonly startsWith?: string | null | undefined;
  /**
   * Public keys have line breaks, and `user:password` can look like a variable name and its value.
   */
  readonly kind?: "key" | "publicKey" | "password";
};

/** Most likely first. Empty if the secret looks fine. */
export function findSecretSlips(secret: string, options: SlipOptions = {}): readonly SecretSlip[] {
  if (secret.trim() === "") return [];
  const text = secret.trim();
  const mistaken = findMistaken(text, options);
  if (mistaken !== null) return [mistaken];
  if (isPem(text)) return [];
  return slips.flatMap((slip) => {
    if (options.kind !== "key" && options.kind !== undefined && slip.ofKeysOnly === true) return [];
    if (slip.applies?.(secret, options) === false || changeSecret(secret, slip.change) === secret)
      return [];
    const { id, change, advice } = slip;
    const words = typeof slip.words === "string" ? slip.words : slip.words(secret);
    return [{ id, words, advice, change, isRejected: false }];
  });
}

/** White space in PEM doesn't matter. */
function isPem(text: string): boolean {
  return /^-----BEGIN [A-Z ]+-----[\s\S]+-----END [A-Z ]+-----$/.test(text);
}

function findMistaken(text: string, { startsWith }: SlipOptions): SecretSlip | null {
  const bare = changeSecret(changeSecret(text, "drop_variable_name"), "unquote");
  const found = mistaken.find(({ is }) => is.test(text) || is.test(bare));
  if (found === undefined) return null;
  const { id, words, advice } = found;
  // Some providers let users choose any text as the secret.
  const isElse = startsWith !== undefined && startsWith !== null && !bare.startsWith(startsWith);
  return { id, words, advice, change: null, isRejected: found.isNever === true || isElse };
}

type Mistaken = Pick<SecretSlip, "id" | "words" | "advice"> & {
  readonly is: RegExp;
  readonly isNever?: true;
};

const findSigningSecret =
  "Paste the signing secret, which the provider shows with the webhook or endpoint.";
const apiKey = (is: RegExp, whose: string): Mistaken => ({
  id: "api_key",
  is,
  words: `is ${whose}, not a signing secret`,
  advice: findSigningSecret,
});

/** Values that aren't signing secrets. */
const mistaken: readonly Mistaken[] = [
  {
    id: "placeholder",
    is: /…|[•●∙]{3,}/,
    words: "is a placeholder, or was copied while hidden",
    advice: "Reveal the secret at the provider, then copy it again.",
    isNever: true,
  },
  {
    id: "placeholder",
    is: /\*{4,}|^x{6,}$|\.\.\.$|^<.*>$|^(?:your|my)[_-].*secret$|^(?:change-?me|secret_here|todo)$/i,
    words: "looks like a placeholder, or was copied while hidden",
    advice: "Reveal the secret at the provider, then copy it again.",
  },
  apiKey(/^(?:sk|pk|rk)_(?:live|test)_/, "an API key"),
  apiKey(
    /^(?:sk-(?:proj|ant|svcacct|admin)[-\d]|re_[A-Za-z0-9]{8}_|SG\.[\w-]{16,}\.|xox[abposr]-|xapp-|shpat_|glpat-|gh[opsu]_|github_pat_|lin_(?:api|oauth)_|pat-(?:na|eu)\d-|AKIA[A-Z0-9]{16}$|pdl_(?:live|sdbx)_apikey_|whpk_)/,
    "an API key or access token",
  ),
  {
    id: "private_key",
    is: /^-----BEGIN [A-Z ]*PRIVATE KEY/,
    words: "is a private key, which must never be shared",
    advice: "Paste the public key that the provider shows.",
    isNever: true,
  },
  {
    id: "url",
    is: /^https?:\/\//,
    words: "is a URL",
    advice: "Paste the signing secret that the provider shows beside it.",
  },
  {
    id: "access_token",
    is: /^ey[A-Za-z0-9_-]+\.ey[A-Za-z0-9_-]+\./,
    words: "is an access token (a JWT), not a signing secret",
    advice: findSigningSecret,
  },
  {
    id: "json",
    is: /^\{[\s\S]*\}$/,
    words: "is JSON",
    advice: "Paste only the secret.",
  },
];

type Slip = Pick<SecretSlip, "id" | "advice"> & {
  readonly change: SecretChange;
  readonly words: string | ((secret: string) => string);
  /** Narrows the change if it matches too much. */
  readonly applies?: (secret: string, options: SlipOptions) => boolean;
  readonly ofKeysOnly?: true;
};

const pairsOfQuotes = ['""', "''", "``", "“”", "‘’", "«»"];

/** Copying mistakes. */
const slips: readonly Slip[] = [
  {
    id: "name",
    change: "drop_variable_name",
    applies: (secret) =>
      /^\s*(?:(?:export|set)\s+|\$env:)?[A-Za-z_][A-Za-z0-9_.]{1,80}(?:\s*=(?!=|$)|:\s)/.test(
        secret,
      ),
    words: "was pasted with its variable name (NAME=…)",
    advice: "Paste only the value.",
    ofKeysOnly: true,
  },
  {
    id: "word",
    change: "drop_scheme_word",
    applies: (secret) => /^\s*(?:bearer|basic|token|secret)[\s:]+\S/i.test(secret),
    words: "begins with a word such as Bearer, which isn't part of it",
    advice: "Paste it without that word.",
    ofKeysOnly: true,
  },
  {
    id: "quotes",
    change: "unquote",
    applies: (secret) => pairsOfQuotes.includes(`${secret.trim().at(0)}${secret.trim().at(-1)}`),
    words: "is in quotation marks, which are rarely part of a secret",
    advice: "Paste it without them.",
  },
  {
    id: "version",
    change: "drop_version",
    applies: (_secret, { startsWith }) => startsWith?.startsWith("v1,") !== true,
    words: 'begins with "v1,", which Supabase puts before the secret of an Auth hook',
    advice: "Paste it from whsec_ on.",
  },
  {
    id: "prefix_twice",
    change: "drop_repeated_prefix",
    words: "has its prefix twice",
    advice: "Paste it with one.",
  },
  {
    id: "invisible",
    change: "remove_invisible",
    words:
      "contains an invisible character, such as a zero-width space, which can come from copying from a page or a chat",
    advice: "Paste it without that character.",
  },
  {
    id: "twice",
    change: "halve",
    applies: (secret) => secret.trim().length >= 16,
    words: "was pasted twice in a row",
    advice: "Paste it once.",
  },
  {
    id: "escape",
    change: "drop_escape",
    words: 'ends with a literal "\\n"',
    advice: "Paste it without that.",
  },
  {
    id: "lines",
    change: "remove_white_space",
    applies: (secret) => /[\r\n]/.test(secret.trim()),
    words: "has more than one line",
    advice: "Check that you copied only the secret.",
    ofKeysOnly: true,
  },
  {
    id: "space",
    change: "trim",
    words: describeEdges,
    advice: "That is usually a copying mistake.",
  },
];

function describeEdges(secret: string): string {
  const edges = [describeEdge(secret, "begins", /^\s+/), describeEdge(secret, "ends", /\s+$/)];
  return edges.filter((edge) => edge !== null).join(" and ");
}

function describeEdge(secret: string, verb: string, edge: RegExp): string | null {
  const space = edge.exec(secret)?.[0];
  if (space === undefined) return null;
  return `${verb} with ${/[\r\n]/.test(space) ? "a line break" : "white space"}`;
}
