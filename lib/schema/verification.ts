/**
 * How a sender proves who it is, as data. One shape serves the built-in catalogue and the `custom`
 * verification that a user spells out, so whatever a provider can do, a user can write down too.
 */
import { z } from "zod";

/** `Verification` spelled out by a user. Strict: unknown fields are refused with their path. */
export const verificationSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [macSchema, tokenSchema, basicSchema, bearerSchema], {
    error: ({ input }) =>
      typeof input === "object" && input !== null
        ? 'must be "mac", "token", "basic" or "bearer"'
        : "must be an object",
  }),
);

export type Verification = z.output<typeof verificationSchema>;
export type MacVerification = z.output<typeof macSchema>;
export type TokenVerification = z.output<typeof tokenSchema>;

/** Where one value of a request is read from. `part` is a key inside the signature header. */
export type ValueSource = z.output<typeof sourceSchema>;
export type SignatureFormat = z.output<typeof formatSchema>;
export type TimestampRule = z.output<typeof timestampSchema>;

const headerName = z
  .string()
  .min(1, "must name a header")
  .max(128, "a header name has at most 128 characters")
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is not a header name: use letters, digits and hyphens")
  .toLowerCase();

const printable = (what: string, max: number) =>
  z
    .string()
    .min(1, `${what} must not be empty`)
    .max(max, `${what} has at most ${max} characters`)
    .regex(/^[\x20-\x7e]*$/, `${what} may hold printable ASCII characters only`);

const bodyPath = z
  .string()
  .max(256, "a path has at most 256 characters")
  .regex(/^[^.\s]+(\.[^.\s]+){0,15}$/, 'must be a dotted path such as "event.id", at most 16 names deep');

const headerSource = z.strictObject({ from: z.literal("header"), name: headerName });
const bodySource = z.strictObject({ from: z.literal("body"), path: bodyPath });
const formSource = z.strictObject({ from: z.literal("form"), name: printable("a form field", 128) });
const querySource = z.strictObject({ from: z.literal("query"), name: printable("a query parameter", 128) });
const partSource = z.strictObject({ from: z.literal("part"), key: printable("a key", 32) });

const sourceSchema = z.discriminatedUnion(
  "from",
  [headerSource, bodySource, formSource, querySource, partSource],
  { error: 'must be "header", "body", "form", "query" or "part"' },
);
const signatureSource = z.discriminatedUnion("from", [headerSource, bodySource, formSource, querySource], {
  error: 'must be "header", "body", "form" or "query"',
});

const separator = z
  .string()
  .regex(/^[\x20-\x7e]{1,3}$/, "must be 1 to 3 printable ASCII characters")
  .refine(
    (text) => !/[A-Za-z0-9+/_-]/.test(text),
    "must not hold a character that a signature can hold (letters, digits, + / _ -)",
  );

const formatSchema = z.discriminatedUnion(
  "type",
  [
    /** The value is the signature. */
    z.strictObject({ type: z.literal("bare") }),
    /** A constant text, then the signature: `sha256=…`. */
    z.strictObject({ type: z.literal("prefixed"), prefix: printable("a prefix", 64) }),
    /** `t=1700000000,v1=…,v1=…`: `key` may repeat, unknown keys are ignored. `v1,… v1,…` is pairs too. */
    z.strictObject({
      type: z.literal("pairs"),
      itemSeparator: separator.refine((text) => !text.includes("="), 'must not hold "=", which ends base64'),
      keySeparator: separator,
      key: printable("a key", 32),
    }),
  ],
  { error: 'must be "bare", "prefixed" or "pairs"' },
);

const secretSchema = z.strictObject({
  /** How the pasted text becomes the key. Never guessed from the text: `whsec_…` means both. */
  decode: z.enum(["utf8", "base64", "hex"], { error: 'must be "utf8", "base64" or "hex"' }),
  /** Taken off before decoding, where it is there. */
  stripPrefix: printable("a prefix", 32).optional(),
  /** Refuse a secret that lacks `stripPrefix`. */
  prefixRequired: z.boolean().optional(),
});

const seconds = (min: number) =>
  z
    .number({ error: "must be a whole number of seconds" })
    .int("must be a whole number of seconds")
    .min(min, `must be at least ${min} s`)
    .max(86_400, "must be at most 86400 s (a day)");

const timestampSchema = z.strictObject({
  source: sourceSchema,
  /** `iso-zoneless` is ISO 8601 without a zone and means UTC; `http-date` is RFC 9110 IMF-fixdate. */
  unit: z.enum(["s", "ms", "rfc3339", "iso-zoneless", "http-date"], {
    error: 'must be "s", "ms", "rfc3339", "iso-zoneless" or "http-date"',
  }),
  pastSeconds: seconds(1),
  futureSeconds: seconds(0),
});

const macSchema = z
  .strictObject({
    kind: z.literal("mac"),
    /** `digest` is a plain hash of a text that holds `{secret}`. */
    mac: z.enum(["hmac", "digest"], { error: 'must be "hmac" or "digest"' }),
    hash: z.enum(["md5", "sha1", "sha256", "sha512"], {
      error: 'must be "md5", "sha1", "sha256" or "sha512"',
    }),
    encoding: z.enum(["hex", "base64", "base64url"], { error: 'must be "hex", "base64" or "base64url"' }),
    signature: z.strictObject({
      /** Signatures are collected from each of these that is there. */
      sources: z
        .array(signatureSource)
        .min(1, "must name at least one place")
        .max(10, "at most 10 places hold signatures"),
      format: formatSchema,
    }),
    signed: z.strictObject({
      /** Constant text and `{body}`, `{timestamp}`, `{url}`, `{method}`, `{secret}` or a name of `values`. */
      template: z
        .string()
        .min(1, "must not be empty")
        .max(500, "has at most 500 characters")
        .regex(/^[\x20-\x7e\n]*$/, "may hold printable ASCII characters and line feeds only"),
      values: z
        .record(
          z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "names are lower-case letters, digits and _"),
          sourceSchema,
        )
        .refine((values) => Object.keys(values).length <= 8, "at most 8 values")
        .optional(),
      /** Has to be said: such a signature proves the origin and not the content. */
      bodyNotSigned: z.boolean().optional(),
    }),
    secret: secretSchema,
    timestamp: timestampSchema.optional(),
    requiredHeaders: z
      .array(z.strictObject({ name: headerName, value: printable("a value", 256).optional() }))
      .max(10, "at most 10 headers")
      .optional(),
  })
  .superRefine(checkMac);

const tokenSchema = z.strictObject({
  kind: z.literal("token"),
  source: z.discriminatedUnion("from", [headerSource, querySource], { error: 'must be "header" or "query"' }),
  /** Constant text in front of the token. */
  prefix: printable("a prefix", 64).optional(),
});

/** RFC 7617; the secret is `user:password`. */
const basicSchema = z.strictObject({ kind: z.literal("basic") });
/** RFC 6750; the secret is the token. */
const bearerSchema = z.strictObject({ kind: z.literal("bearer") });

const builtIn = ["body", "timestamp", "url", "method", "secret"];

/** `"v0:{timestamp}"` → `["v0:", {variable: "timestamp"}]`; null when a brace is left over. */
export function splitTemplate(template: string): (string | { readonly variable: string })[] | null {
  const pieces = template.split(/(\{[a-z][a-z0-9_]*\})/).filter((piece) => piece !== "");
  const isVariable = (piece: string) => /^\{[a-z][a-z0-9_]*\}$/.test(piece);
  if (pieces.some((piece) => !isVariable(piece) && /[{}]/.test(piece))) return null;
  return pieces.map((piece) => (isVariable(piece) ? { variable: piece.slice(1, -1) } : piece));
}

type Refuse = (path: PropertyKey[], message: string) => void;
type Source = { from: string; key?: string };
type Format = { type: string; itemSeparator?: string; keySeparator?: string; key?: string };
type Mac = {
  mac: "hmac" | "digest";
  signature: { format: Format };
  signed: {
    template: string;
    values?: Record<string, Source> | undefined;
    bodyNotSigned?: boolean | undefined;
  };
  secret: { stripPrefix?: string | undefined; prefixRequired?: boolean | undefined };
  timestamp?: { source: Source } | undefined;
};

/** What no single field can know: the template, its values, the timestamp and the format fit together. */
function checkMac(mac: Mac, context: z.RefinementCtx): void {
  const refuse: Refuse = (path, message) => context.addIssue({ code: "custom", path, message });
  const pieces = splitTemplate(mac.signed.template);
  if (pieces === null) {
    refuse(["signed", "template"], "has a brace that is not part of a name such as {body}");
    return;
  }
  const used = new Set(pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.variable])));
  checkTemplate(mac, used, refuse);
  checkValues(mac, used, refuse);
  checkTimestamp(mac, used, refuse);
  checkFormat(mac.signature.format, refuse);
  if (mac.secret.prefixRequired === true && mac.secret.stripPrefix === undefined) {
    refuse(["secret", "prefixRequired"], "needs stripPrefix");
  }
}

function checkTemplate({ mac, signed }: Mac, used: ReadonlySet<string>, refuse: Refuse): void {
  const at = ["signed", "template"];
  if (!used.has("body") && signed.bodyNotSigned !== true) {
    refuse(at, "must hold {body}; if the sender really leaves it out, set bodyNotSigned to true");
  }
  if (used.has("body") && signed.bodyNotSigned === true) {
    refuse(["signed", "bodyNotSigned"], "must be left out, because the template holds {body}");
  }
  const ofRequest = [...used].filter((name) => !["secret", "url", "method"].includes(name));
  if (ofRequest.length === 0) refuse(at, "must hold something that differs between requests");
  if (mac === "digest" && !used.has("secret")) refuse(at, "must hold {secret}, because mac is digest");
  if (mac === "hmac" && used.has("secret")) refuse(at, "{secret} is for a digest; an hmac has it as its key");
}

function checkValues({ signed, signature }: Mac, used: ReadonlySet<string>, refuse: Refuse): void {
  const values = signed.values ?? {};
  for (const name of used) {
    if (builtIn.includes(name) || Object.hasOwn(values, name)) continue;
    refuse(
      ["signed", "template"],
      `{${name}} is not known: use {${builtIn.join("}, {")}} or add "${name}" to values`,
    );
  }
  for (const [name, source] of Object.entries(values)) {
    const path = ["signed", "values", name];
    if (builtIn.includes(name)) refuse(path, `"${name}" is a built-in name`);
    else if (!used.has(name)) refuse(path, `{${name}} does not occur in the template`);
    checkPart(source, signature.format, path, refuse);
  }
}

function checkTimestamp(
  { timestamp, signed, signature }: Mac,
  used: ReadonlySet<string>,
  refuse: Refuse,
): void {
  if (timestamp === undefined) {
    if (used.has("timestamp")) refuse(["timestamp"], "must say where {timestamp} comes from");
    return;
  }
  const { source } = timestamp;
  const isInSignedBody = (source.from === "body" || source.from === "form") && signed.bodyNotSigned !== true;
  if (!used.has("timestamp") && !isInSignedBody) {
    refuse(
      ["timestamp"],
      "is not signed, so it proves nothing: add {timestamp} to the template or leave it out",
    );
  }
  checkPart(source, signature.format, ["timestamp", "source"], refuse);
}

function checkPart(source: Source, format: Format, path: PropertyKey[], refuse: Refuse): void {
  if (source.from !== "part") return;
  if (format.type !== "pairs") refuse(path, '"part" needs a signature of the format "pairs"');
  else if (source.key === format.key) refuse([...path, "key"], "is the key of the signature itself");
}

function checkFormat({ itemSeparator, keySeparator, key }: Format, refuse: Refuse): void {
  if (itemSeparator === undefined || keySeparator === undefined || key === undefined) return;
  const path = ["signature", "format"];
  if (itemSeparator === keySeparator) refuse([...path, "keySeparator"], "must differ from itemSeparator");
  if (key.includes(itemSeparator) || key.includes(keySeparator)) {
    refuse([...path, "key"], "must not hold a separator");
  }
}
