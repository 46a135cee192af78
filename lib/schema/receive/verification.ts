/**
 * A verification scheme as data. One shape serves the built-in catalog and the `custom`
 * verification of users, so users can express everything that providers do.
 */
import { z } from "zod";
import { exactText, hasAtMost } from "#lib/schema/field/common.ts";
import { customHandshakes, rejectComputed } from "./custom-handshake.ts";
import { jwtSchema } from "./jwt-verification.ts";
import {
  bodySource,
  encoding,
  headerName,
  headerSource,
  pathSource,
  printable,
  querySource,
  requestSource,
  seconds,
  secretDecoding,
  textHash,
  valueSource,
} from "./value-source.ts";
import { checkSigned } from "./verification-checks.ts";

/** A custom `Verification` of a user. Strict: unknown fields are rejected with their path. */
export const verificationSchema = z.lazy(() =>
  z.discriminatedUnion(
    "kind",
    [macSchema, publicKeySchema, jwtSchema, tokenSchema, basicSchema, bearerSchema],
    {
      error: ({ input }) =>
        typeof input === "object" && input !== null
          ? 'must be "mac", "publicKey", "jwt", "token", "basic" or "bearer"'
          : "must be an object",
    },
  ),
);

export type Verification = z.output<typeof verificationSchema>;
export type MacVerification = z.output<typeof macSchema>;
export type PublicKeyVerification = z.output<typeof publicKeySchema>;
export type TokenVerification = z.output<typeof tokenSchema>;

/** Settings that a provider needs in addition to a secret: `{"settings": {"webhookId": "…"}}`. */
export const providerSettingsSchema = z.lazy(() =>
  z.strictObject({
    settings: z
      .record(z.string().max(64, "is not the name of a setting"), exactText({ min: 1, max: 500 }), {
        error: "must be an object of names and values",
      })
      .refine(...hasAtMost(10, "has at most 10 values")),
  }),
);

type ProviderSettings = z.output<typeof providerSettingsSchema>;
export type HookVerification = Verification | ProviderSettings;

/** A hook's `verification`: a scheme for `custom`, otherwise the provider's settings. */
export const hookVerificationSchema = z
  .unknown()
  .transform(readVerification)
  .describe("A verification scheme, or an object with the settings of the provider");

function readVerification(input: unknown, context: z.RefinementCtx): HookVerification {
  const isSettings = typeof input === "object" && input !== null && "settings" in input;
  const parsed = (isSettings ? providerSettingsSchema : verificationSchema).safeParse(input);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues)
    context.issues.push({ ...issue, input } as z.core.$ZodRawIssue);
  return z.NEVER;
}

/** The place of a value in a request. `part` is a key in the signature header. */
export type ValueSource = z.output<typeof valueSource>;
/** The place of a token, which may also be in the path of the catch URL. */
export type TokenSource = ValueSource | z.output<typeof pathSource>;
export type SignatureFormat = z.output<typeof formatSchema>;
export type TimestampRule = z.output<typeof timestampSchema>;

const separator = z
  .string()
  .regex(/^[\x20-\x7e]{1,3}$/, "must be 1 to 3 printable ASCII characters")
  .refine(
    (text) => !/[A-Za-z0-9+/_-]/.test(text),
    "must not contain a character that a signature can contain (letters, digits, + / _ -)",
  );

const formatSchema = z.discriminatedUnion(
  "type",
  [
    /** The value is the signature. */
    z.strictObject({ type: z.literal("bare") }),
    /** A constant text, then the signature: `sha256=…`. */
    z.strictObject({
      type: z.literal("prefixed"),
      prefix: printable("a prefix", 64),
      /** The signature may also come without the text. */
      optional: z.literal(true, { error: "must be true or omitted" }).optional(),
    }),
    /**
     * `t=1700000000,v1=…,v1=…`: `key` may repeat, unknown keys are ignored. `v1,… v1,…` are pairs
     * too.
     */
    z.strictObject({
      type: z.literal("pairs"),
      itemSeparator: separator.refine(
        (text) => !text.includes("="),
        'must not hold "=", which ends base64',
      ),
      keySeparator: separator,
      key: printable("a key", 32),
      /**
       * `t=…,v1=… t=…,v1=…`: each group is a signature with its own time, and any of them may
       * match.
       */
      groupSeparator: separator.optional(),
    }),
  ],
  { error: 'must be "bare", "prefixed" or "pairs"' },
);

const secretSchema = z.strictObject({
  /**
   * The decoding from the pasted text to the key. It is never guessed, since `whsec_…` is
   * ambiguous.
   */
  decode: secretDecoding,
  /** A prefix that is removed before decoding, if present. */
  stripPrefix: printable("a prefix", 32).optional(),
  /** Rejects a secret without `stripPrefix`. */
  prefixRequired: z.boolean().optional(),
  /** The whole text as UTF-8 is a key too, for a provider that changed from it to decoding. */
  orText: z.literal(true).optional(),
  /**
   * The provider's normalization of the text before it becomes a key: Unicode NFKD, or decoded HTML
   * entities.
   */
  normalize: z.enum(["nfkd", "html"], { error: 'must be "nfkd" or "html"' }).optional(),
});

const timestampSchema = z.strictObject({
  source: valueSource,
  /**
   * `iso-zoneless` is ISO 8601 without a zone and means UTC; `http-date` is RFC 9110 IMF-fixdate.
   */
  unit: z.enum(["s", "ms", "rfc3339", "iso-zoneless", "http-date"], {
    error: 'must be "s", "ms", "rfc3339", "iso-zoneless" or "http-date"',
  }),
  pastSeconds: seconds(1),
  futureSeconds: seconds(0),
});

/** Fields that MAC and public-key schemes share: where signatures are, and what they sign. */
const signedFields = {
  encoding,
  signature: z.strictObject({
    /** Signatures are collected from all of these that are present. */
    sources: z
      .array(requestSource)
      .min(1, "must name at least one source")
      .max(10, "at most 10 sources for signatures"),
    format: formatSchema,
  }),
  signed: z.strictObject({
    /**
     * Constant text and `{body}`, its hash as `{sha256(body)}`, `{timestamp}`, `{url}`, `{method}`,
     * `{secret}`, a name of `values`, or `{form}`: names and values of a form body without anything
     * between, sorted by name, each value once. `{path}` is what follows the host in `{url}`;
     * `{decoded_url}` is `{url}` as HubSpot signs it; `{digest}` is the value of the header that
     * `bodyDigest` checks.
     */
    template: z
      .string()
      .min(1, "must not be empty")
      .max(500, "has at most 500 characters")
      .regex(/^[\x20-\x7e\n]*$/, "must contain only printable ASCII characters and line feeds"),
    values: z
      .record(
        z.string().regex(/^[a-z][a-z0-9_]{0,31}$/, "names are lowercase letters, digits, and _"),
        valueSource,
      )
      .refine(...hasAtMost(8, "at most 8 values"))
      .optional(),
    /** Required confirmation: such a signature proves the origin, not the content. */
    bodyNotSigned: z.boolean().optional(),
    /** `{body}` is the decompressed body: the provider signs before it compresses with gzip. */
    gunzip: z.literal(true, { error: "must be true or omitted" }).optional(),
  }),
  /**
   * The body is covered by its hash in a header, and the template by `{digest}`: `Digest:
   * SHA-256=…` (RFC 3230), `Content-Digest: sha-256=:…:` (RFC 9530).
   */
  bodyDigest: z
    .strictObject({
      header: headerName,
      hash: textHash,
      encoding,
      /** The text around the hash, in any case. Other hashes in the same header are ignored. */
      prefix: printable("a prefix", 32).optional(),
      suffix: printable("a suffix", 32).optional(),
    })
    .optional(),
  /**
   * If no header of this scheme is present, those with another prefix count: `svix-id` for
   * `webhook-id`.
   */
  headerAlias: z
    .strictObject({ prefix: headerName, alias: headerName })
    .refine(({ prefix, alias }) => prefix !== alias, "must be two different prefixes")
    .optional(),
  secret: secretSchema,
  timestamp: timestampSchema.optional(),
  requiredHeaders: z
    .array(z.strictObject({ name: headerName, value: printable("a value", 256).optional() }))
    .max(10, "at most 10 headers")
    .optional(),
  handshakes: customHandshakes.optional(),
};

const macSchema = z
  .strictObject({
    kind: z.literal("mac"),
    /** `digest` is a plain hash of a text that contains `{secret}`. */
    mac: z.enum(["hmac", "digest"], { error: 'must be "hmac" or "digest"' }),
    hash: z.enum(["md5", "sha1", "sha256", "sha384", "sha512"], {
      error: 'must be "md5", "sha1", "sha256", "sha384" or "sha512"',
    }),
    ...signedFields,
  })
  .superRefine((scheme, context) => {
    checkSigned(scheme, context);
    const { template, gunzip } = scheme.signed;
    if (scheme.mac !== "hmac" || !template.includes("{body}") || gunzip === true)
      rejectComputed(scheme.handshakes, context);
  });

/**
 * The secret is the provider's public key: 32 bytes for ed25519, otherwise SPKI (DER, or PEM around
 * it). ECDSA signatures are in DER.
 */
const publicKeySchema = z
  .strictObject({
    kind: z.literal("publicKey"),
    algorithm: z.enum(["ed25519", "ecdsa-p256-sha256", "rsa-sha256", "rsa-sha384", "rsa-sha512"], {
      error: 'must be "ed25519", "ecdsa-p256-sha256", "rsa-sha256", "rsa-sha384" or "rsa-sha512"',
    }),
    ...signedFields,
  })
  .superRefine((scheme, context) => {
    checkSigned(scheme, context);
    rejectComputed(scheme.handshakes, context);
  });

const plainHandshakes = customHandshakes
  .superRefine((list, context) => rejectComputed(list, context, []))
  .optional();

const tokenSchema = z.strictObject({
  kind: z.literal("token"),
  source: z.discriminatedUnion("from", [headerSource, bodySource, querySource, pathSource], {
    error: 'must be "header", "body", "query" or "path"',
  }),
  /** Constant text before the token. */
  prefix: printable("a prefix", 64).optional(),
  handshakes: plainHandshakes,
});

/** RFC 7617; the secret is `user:password`. */
const basicSchema = z.strictObject({ kind: z.literal("basic"), handshakes: plainHandshakes });
/** RFC 6750; the secret is the token. */
const bearerSchema = z.strictObject({ kind: z.literal("bearer"), handshakes: plainHandshakes });
