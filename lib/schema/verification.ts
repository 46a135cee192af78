/**
 * How a sender proves who it is, as data. One shape serves the built-in catalogue and the `custom`
 * verification that a user spells out, so whatever a provider can do, a user can write down too.
 */
import { z } from "zod";
import { exactText } from "./common.ts";
import { checkSigned } from "./verification-checks.ts";

/** `Verification` spelled out by a user. Strict: unknown fields are refused with their path. */
export const verificationSchema = z.lazy(() =>
  z.discriminatedUnion("kind", [macSchema, publicKeySchema, tokenSchema, basicSchema, bearerSchema], {
    error: ({ input }) =>
      typeof input === "object" && input !== null
        ? 'must be "mac", "publicKey", "token", "basic" or "bearer"'
        : "must be an object",
  }),
);

export type Verification = z.output<typeof verificationSchema>;
export type MacVerification = z.output<typeof macSchema>;
export type PublicKeyVerification = z.output<typeof publicKeySchema>;
export type TokenVerification = z.output<typeof tokenSchema>;

/** What a sender of the catalogue needs beside a secret, by the names that it declares: `{"settings": {"webhookId": "…"}}`. */
export const providerSettingsSchema = z.lazy(() =>
  z.strictObject({
    settings: z
      .record(z.string().max(64, "is not the name of a setting"), exactText({ min: 1, max: 500 }), {
        error: "must be an object of names and values",
      })
      .refine((settings) => Object.keys(settings).length <= 10, "has at most 10 values"),
  }),
);

export type ProviderSettings = z.output<typeof providerSettingsSchema>;
export type HookVerification = Verification | ProviderSettings;

/** What a hook's `verification` holds: a scheme for `custom`, settings for a sender of the catalogue. */
export const hookVerificationSchema = z.unknown().transform((input, context): HookVerification => {
  const isSettings = typeof input === "object" && input !== null && "settings" in input;
  const parsed = (isSettings ? providerSettingsSchema : verificationSchema).safeParse(input);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) context.issues.push({ ...issue, input } as z.core.$ZodRawIssue);
  return z.NEVER;
});

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
      /** `t=…,v1=… t=…,v1=…`: each group is a signature with a time of its own, and any may count. */
      groupSeparator: separator.optional(),
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
  /** What the sender does to the text before it is a key: Unicode NFKD, or HTML entities back to characters. */
  normalize: z.enum(["nfkd", "html"], { error: 'must be "nfkd" or "html"' }).optional(),
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

const encoding = z.enum(["hex", "base64", "base64url"], { error: 'must be "hex", "base64" or "base64url"' });

/** What a MAC and a public key share: where signatures are, and what they sign. */
const signedFields = {
  encoding,
  signature: z.strictObject({
    /** Signatures are collected from each of these that is there. */
    sources: z
      .array(signatureSource)
      .min(1, "must name at least one place")
      .max(10, "at most 10 places hold signatures"),
    format: formatSchema,
  }),
  signed: z.strictObject({
    /**
     * Constant text and `{body}`, `{timestamp}`, `{url}`, `{method}`, `{secret}`, a name of `values`, or `{form}`:
     * names and values of a form body without anything between, sorted by name, each value once.
     */
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
};

const macSchema = z
  .strictObject({
    kind: z.literal("mac"),
    /** `digest` is a plain hash of a text that holds `{secret}`. */
    mac: z.enum(["hmac", "digest"], { error: 'must be "hmac" or "digest"' }),
    hash: z.enum(["md5", "sha1", "sha256", "sha512"], {
      error: 'must be "md5", "sha1", "sha256" or "sha512"',
    }),
    ...signedFields,
  })
  .superRefine(checkSigned);

/** The secret is the sender's public key: 32 bytes for ed25519, else SPKI (DER, or PEM around it). ECDSA signs DER. */
const publicKeySchema = z
  .strictObject({
    kind: z.literal("publicKey"),
    algorithm: z.enum(["ed25519", "ecdsa-p256-sha256", "rsa-sha256"], {
      error: 'must be "ed25519", "ecdsa-p256-sha256" or "rsa-sha256"',
    }),
    ...signedFields,
  })
  .superRefine(checkSigned);

const tokenSchema = z.strictObject({
  kind: z.literal("token"),
  source: z.discriminatedUnion("from", [headerSource, bodySource, querySource], {
    error: 'must be "header", "body" or "query"',
  }),
  /** Constant text in front of the token. */
  prefix: printable("a prefix", 64).optional(),
});

/** RFC 7617; the secret is `user:password`. */
const basicSchema = z.strictObject({ kind: z.literal("basic") });
/** RFC 6750; the secret is the token. */
const bearerSchema = z.strictObject({ kind: z.literal("bearer") });
