/** The sending settings of an account: its portal, the pages that may embed it, and its catalog. */
import { z } from "zod";
import { isReservedHeader } from "#lib/schema/act/request-auth.ts";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { displayName, hasAtMost, isDistinct } from "#lib/schema/field/common.ts";
import { catchmentSignature, defaultSignatureHeaders, isSameHeader } from "./signature-headers.ts";

/** `https://app.example.com`: scheme, host, and port, as browsers send it in `Origin`. */
const origin = z
  .string({ error: "must be an origin such as https://app.example.com" })
  .trim()
  .max(253, "must have at most 253 characters")
  .transform((text, context) => {
    const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
    const isBare = url !== null && url.pathname === "/" && `${url.search}${url.hash}` === "";
    // The policy header that lists origins is ASCII, with spaces and semicolons between its parts.
    const isPlain = isBare && /^[\x21-\x7e]+$/.test(url.origin) && !/[;,'"*\\]/.test(url.origin);
    if (isPlain && url.username === "" && url.password === "") return url.origin;
    context.addIssue({
      code: "custom",
      message: "must be an origin such as https://app.example.com, without a path",
    });
    return z.NEVER;
  });

/** The logo is text (a data URL), so that the portal loads nothing from other sites. */
const logo = z
  .string({ error: "must be a data: URL" })
  .trim()
  .max(100_000, "must have at most 100000 characters")
  .regex(
    /^data:image\/(?:png|jpeg|webp|gif|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/,
    "must be a data: URL of a PNG, JPEG, WebP, GIF, or SVG image",
  );

/**
 * Letters, digits, and hyphens only: other characters of a token (RFC 9110 §5.6.2) are legal, but
 * proxies such as nginx drop headers with them.
 */
const signatureHeader = z
  .string({ error: "must be a header name such as Acme-Signature" })
  .trim()
  .max(64, "must have at most 64 characters")
  .regex(
    /^[a-z][a-z0-9-]*-signature$/i,
    "must be letters, digits, and hyphens, and end in -Signature, such as Acme-Signature",
  )
  .refine(
    (name) => isSameHeader(name, catchmentSignature) || !isReservedHeader(name),
    brokenRule("not_allowed", "is reserved: use a name such as Acme-Signature"),
  );

const yesOrNo = z.boolean({ error: "must be true or false" });

const fields = {
  /** Null: the account's name. */
  portalName: displayName.nullable(),
  /** Null: Catchment's color. */
  portalColor: z
    .string({ error: "must be a color such as #0f62fe" })
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, "must be a color such as #0f62fe")
    .nullable(),
  portalLogo: logo.nullable(),
  /** Pages of these origins may show the portal in an iframe. */
  portalOrigins: z
    .array(origin)
    .refine(...hasAtMost(20, "at most 20 origins"))
    .refine(...isDistinct("names an origin twice")),
  /** New receiver URLs must answer a challenge before they get events. */
  challengeNewUrls: yesOrNo,
  isCatalogPublic: yesOrNo,
  /** The header `t=…,v1=…` of each send. */
  signatureHeader,
  /** Sends also have `Catchment-Signature` if `signatureHeader` is another name. */
  catchmentSignature: yesOrNo,
  /** Sends have the `webhook-*` headers. Those of subscriptions with a key pair always do. */
  standardWebhooksHeaders: yesOrNo,
};

export const senderSettingsSchema = z.strictObject({
  portalName: fields.portalName.default(null),
  portalColor: fields.portalColor.default(null),
  portalLogo: fields.portalLogo.default(null),
  portalOrigins: fields.portalOrigins.default([]),
  challengeNewUrls: fields.challengeNewUrls.default(false),
  isCatalogPublic: fields.isCatalogPublic.default(false),
  signatureHeader: fields.signatureHeader.default(defaultSignatureHeaders.signatureHeader),
  catchmentSignature: fields.catchmentSignature.default(true),
  standardWebhooksHeaders: fields.standardWebhooksHeaders.default(true),
});
export type SenderSettings = z.output<typeof senderSettingsSchema>;

/** `PATCH /sending`: omitted settings stay. */
export const senderSettingsPatchSchema = z.strictObject(fields).partial();
