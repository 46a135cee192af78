/** A saved credential, as exchanged by the API and the form. */
import { z } from "zod";
import { toAsciiHost } from "#lib/schema/act/action-request.ts";
import { fixedAuths } from "#lib/schema/act/request-auth.ts";
import { displayName } from "#lib/schema/field/common.ts";
import { isBrokerUrl, readBrokerOrigin } from "./broker-origin.ts";

/** `https://api.example.com:8443`, without a path. */
export const origin = z
  .string({ error: "must be an origin such as https://api.example.com" })
  .trim()
  .max(500, "must have at most 500 characters")
  .transform(toAsciiHost)
  .transform((text, ctx) => {
    const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
    const isBare = url?.pathname === "/" && url.search === "" && url.hash === "";
    if (url !== null && isBare && url.username === "" && url.password === "" && !text.includes("@"))
      return url.origin;
    ctx.addIssue({ code: "custom", message: "must be an origin such as https://api.example.com" });
    return z.NEVER;
  });

const brokerOrigin = z.string().transform((text, ctx) => {
  const read = readBrokerOrigin(text.replace(/\/$/, ""));
  if (read !== null) return read.origin;
  const message =
    "must be an origin such as amqps://broker.example.com, without a virtual host, or a list of brokers such as " +
    "kafkas://one.example.com,two.example.com";
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** The origin of a credential, which may also be that of a broker: `amqps://broker.example.com`. */
export const credentialOrigin = z
  .string({ error: "must be an origin such as https://api.example.com" })
  .trim()
  .max(500, "must have at most 500 characters")
  .transform((text, ctx) => {
    const read = (isBrokerUrl(text) ? brokerOrigin : origin).safeParse(text);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    ctx.addIssue({ code: "custom", message: issue?.message ?? "isn't an origin" });
    return z.NEVER;
  });

const visible = (max: number) =>
  z
    .string()
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} characters`)
    .regex(/^[\x20-\x7e]+$/, "must be visible ASCII characters");

const pem = (what: string, max: number) =>
  z
    .string({ error: `must be a ${what} in PEM` })
    .trim()
    .max(max, `must have at most ${max} characters`)
    .regex(/^-----BEGIN [A-Z0-9 ]+-----\s/, `must be a ${what} in PEM, from -----BEGIN on`);

/** RFC 6749 §4.4. */
const oauth2 = z.strictObject({
  type: z.literal("oauth2"),
  tokenUrl: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(2_048, "must have at most 2048 characters")
    .regex(/^https?:\/\//i, "must start with https:// or http://")
    .transform(toAsciiHost)
    .describe("For `oauth2`: the token endpoint"),
  clientId: visible(1_024).describe("For `oauth2`: the id of the client"),
  clientSecret: visible(4_096).describe("For `oauth2`: the secret of the client"),
  scope: visible(2_048)
    .nullable()
    .default(null)
    .describe("For `oauth2`: the scopes to ask for, with spaces in between. Null: none"),
  audience: visible(2_048)
    .nullable()
    .default(null)
    .describe("For `oauth2`: the audience to ask for. Null: none"),
  clientAuth: z
    .enum(["basic", "body"], { error: "must be basic or body" })
    .default("basic")
    .describe(
      "For `oauth2`: where the token request has the secret, in `Authorization` or in its body",
    ),
});

const hmac = z.strictObject({
  type: z.literal("hmac"),
  secret: z
    .string()
    .trim()
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,172}={0,2}$/,
      "must be whsec_ and 24 to 128 bytes in base64, as Standard Webhooks has it",
    )
    .describe(
      "For `hmac`: the key that signs each call as Standard Webhooks does, `whsec_` and base64",
    ),
});

const certificate = z.strictObject({
  type: z.literal("certificate"),
  certificate: pem("certificate", 32_768).describe(
    "For `certificate`: the client's certificate in PEM, followed by any intermediate ones",
  ),
  privateKey: pem("private key without a passphrase", 16_384).describe(
    "For `certificate`: its private key in PEM, without a passphrase",
  ),
  ca: pem("certificate", 32_768)
    .nullable()
    .default(null)
    .describe(
      "For `certificate`: authorities in PEM to trust for this receiver besides the default ones. Null: none",
    ),
});

const awsName = (what: string) =>
  z
    .string({ error: "must be text" })
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,49}$/, `must be ${what}`);

/** Signature Version 4: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html. */
const aws = z.strictObject({
  type: z.literal("aws"),
  accessKeyId: z
    .string({ error: "must be text" })
    .trim()
    .regex(/^[A-Za-z0-9]{16,128}$/, "must be an access key id such as AKIAIOSFODNN7EXAMPLE")
    .describe("For `aws`: the id of the access key"),
  secretAccessKey: visible(128).describe("For `aws`: the secret of the access key"),
  region: awsName("a region such as eu-west-1").describe(
    "For `aws`: the region, such as `eu-west-1`",
  ),
  service: awsName("the service in a signature, such as sqs").describe(
    "For `aws`: the service as signatures name it, such as `sqs`",
  ),
});

const credentialAuth = z
  .discriminatedUnion("type", [...fixedAuths, oauth2, hmac, certificate, aws], {
    error: "must be bearer, basic, header, query, oauth2, hmac, certificate, or aws",
  })
  .meta({ id: "CredentialAuth" });

/** A credential with its secrets. Write-only: stored encrypted, never returned. */
export type CredentialAuth = z.output<typeof credentialAuth>;
export type CredentialKind = CredentialAuth["type"];
export type AuthOf<Kind extends CredentialKind> = Extract<CredentialAuth, { type: Kind }>;

const hint = z.string().describe("The last 4 characters of the secret");

/** The public part of a credential. */
export const credentialSettingsSchema = z
  .discriminatedUnion("type", [
    z.object({ type: z.enum(["bearer", "basic", "hmac"]), hint }),
    z.object({ type: z.enum(["header", "query"]), name: z.string(), hint }),
    z.object({
      type: z.literal("oauth2"),
      tokenUrl: z.string(),
      clientId: z.string(),
      scope: z.string().nullable(),
      audience: z.string().nullable(),
      clientAuth: z.enum(["basic", "body"]),
      hint,
    }),
    z.object({
      type: z.literal("certificate"),
      subject: z.string(),
      expiresAt: z.string().describe("ISO 8601"),
      hasCa: z.boolean(),
    }),
    z.object({
      type: z.literal("aws"),
      accessKeyId: z.string(),
      region: z.string(),
      service: z.string(),
      hint,
    }),
  ])
  .meta({ id: "CredentialSettings" });
export type CredentialSettings = z.output<typeof credentialSettingsSchema>;

const credentialName = displayName.describe("The name in lists and in the editor of actions");

/** `POST /credentials`. */
export const credentialInputSchema = z.strictObject({
  name: credentialName,
  /** The secrets are sent to no other origin. */
  origin: credentialOrigin,
  auth: credentialAuth,
});
export type CredentialInput = z.output<typeof credentialInputSchema>;

/** `PATCH /credentials/{id}`: `auth` is replaced as a whole. The origin never changes. */
export const credentialPatchSchema = z.strictObject({
  name: credentialName.optional(),
  auth: credentialAuth.optional(),
});
