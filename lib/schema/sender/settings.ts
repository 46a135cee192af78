/** The sending settings of an account: its portal, the pages that may embed it, and its catalog. */
import { z } from "zod";
import { displayName, hasAtMost, isDistinct } from "#lib/schema/field/common.ts";

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

export const senderSettingsSchema = z.strictObject({
  /** Null: the account's name. */
  portalName: displayName.nullable().default(null),
  /** Null: Catchment's color. */
  portalColor: z
    .string({ error: "must be a color such as #0f62fe" })
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, "must be a color such as #0f62fe")
    .nullable()
    .default(null),
  portalLogo: logo.nullable().default(null),
  /** Pages of these origins may show the portal in an iframe. */
  portalOrigins: z
    .array(origin)
    .refine(...hasAtMost(20, "at most 20 origins"))
    .refine(...isDistinct("names an origin twice"))
    .default([]),
  /** New receiver URLs must answer a challenge before they get events. */
  challengeNewUrls: z.boolean({ error: "must be true or false" }).default(false),
  isCatalogPublic: z.boolean({ error: "must be true or false" }).default(false),
});
export type SenderSettings = z.output<typeof senderSettingsSchema>;
