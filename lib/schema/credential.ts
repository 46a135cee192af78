/** A saved credential, as exchanged by the API and the form. */
import { z } from "zod";
import { toAsciiHost } from "#lib/schema/action/action-request.ts";
import { fixedAuths } from "#lib/schema/action/request-auth.ts";
import { displayName, pageFields } from "#lib/schema/field/common.ts";

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
    .transform(toAsciiHost),
  clientId: visible(1_024),
  clientSecret: visible(4_096),
  scope: visible(2_048).nullable().default(null),
  audience: visible(2_048).nullable().default(null),
  /** Where the token request has the secret. */
  clientAuth: z.enum(["basic", "body"], { error: "must be basic or body" }).default("basic"),
});

const hmac = z.strictObject({
  type: z.literal("hmac"),
  secret: z
    .string()
    .trim()
    .regex(
      /^whsec_[A-Za-z0-9+/]{32,172}={0,2}$/,
      "must be whsec_ and 24 to 128 bytes in base64, as Standard Webhooks has it",
    ),
});

const certificate = z.strictObject({
  type: z.literal("certificate"),
  /** The client's, and any intermediate ones after it. */
  certificate: pem("certificate", 32_768),
  privateKey: pem("private key without a passphrase", 16_384),
  /** What the receiver's certificate may also be signed by. */
  ca: pem("certificate", 32_768).nullable().default(null),
});

const credentialAuth = z.discriminatedUnion("type", [...fixedAuths, oauth2, hmac, certificate], {
  error: "must be bearer, basic, header, query, oauth2, hmac, or certificate",
});

/** With its secrets. Write-only: stored encrypted, never returned. */
export type CredentialAuth = z.output<typeof credentialAuth>;
export type CredentialKind = CredentialAuth["type"];
export type AuthOf<Kind extends CredentialKind> = Extract<CredentialAuth, { type: Kind }>;

/** What may be shown of a credential. */
export type CredentialSettings =
  | { readonly type: "bearer" | "basic" | "hmac"; readonly hint: string }
  | { readonly type: "header" | "query"; readonly name: string; readonly hint: string }
  | {
      readonly type: "oauth2";
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly scope: string | null;
      readonly audience: string | null;
      readonly clientAuth: "basic" | "body";
      readonly hint: string;
    }
  | {
      readonly type: "certificate";
      readonly subject: string;
      /** ISO 8601. */
      readonly expiresAt: string;
      readonly hasCa: boolean;
    };

/** `POST /credentials`. */
export const credentialInputSchema = z.strictObject({
  name: displayName,
  /** They are sent nowhere else. */
  origin,
  auth: credentialAuth,
});
export type CredentialInput = z.output<typeof credentialInputSchema>;

/** `PATCH /credentials/{id}`: `auth` is replaced as a whole. The origin never changes. */
export const credentialPatchSchema = z.strictObject({
  name: displayName.optional(),
  auth: credentialAuth.optional(),
});
export type CredentialPatch = z.output<typeof credentialPatchSchema>;

/** `GET /credentials`, `GET /destinations`. */
export const pageQuerySchema = z.strictObject(pageFields);
