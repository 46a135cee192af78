/** Recipients, and the links that open the portal for them. */
import { z } from "zod";
import {
  displayName,
  exactText,
  hasAtMost,
  isDistinct,
  pageFields,
  shortText,
} from "#lib/schema/field/common.ts";
import { portalCapabilities } from "./portal-capabilities.ts";

/** The account's own id for a customer. */
export const recipientId = z
  .string({ error: "must be text such as cust_42" })
  .min(1, "must not be empty")
  .max(128, "must have at most 128 characters")
  .regex(/^[A-Za-z0-9_.:@-]+$/, "must consist of letters, digits, and _ . : @ -");

/** Up to 50 short texts from the account. Catchment only stores them. */
export const metadata = z
  .record(
    z.string().min(1, "a name must not be empty").max(64, "a name must have at most 64 characters"),
    exactText({ max: 500 }),
  )
  .refine(...hasAtMost(50, "at most 50 entries"));
export type Metadata = z.output<typeof metadata>;

const quotaPeriods = ["day", "month"] as const;
const quotaEnds = ["delay", "refuse"] as const;

/** How many events a recipient gets. */
export const quotaSchema = z
  .strictObject({
    limit: z
      .int("must be a whole number")
      .min(1, "must be at least 1")
      .max(1_000_000_000, "must be at most 1,000,000,000")
      .describe("Sends, each with all of its calls"),
    per: z
      .enum(quotaPeriods, { error: `must be one of ${quotaPeriods.join(", ")}` })
      .describe("A day or a month, in UTC"),
    whenUsedUp: z
      .enum(quotaEnds, { error: `must be one of ${quotaEnds.join(", ")}` })
      .default("delay")
      .describe("Whether later sends wait for the next period, or are canceled"),
  })
  .meta({ id: "Quota" });
export type Quota = z.output<typeof quotaSchema>;

/** `PUT /recipients/{id}`. Omitted fields get their default. */
export const recipientSchema = z.strictObject({
  name: displayName.nullable().default(null).describe("The customer's name, for people"),
  metadata: metadata
    .default({})
    .describe("Up to 50 short texts of your own. Catchment only stores them"),
  quota: quotaSchema.nullable().default(null).describe("How many events it gets. Null: any number"),
});
export type RecipientInput = z.output<typeof recipientSchema>;

/** `GET /recipients?…`. */
export const recipientQuerySchema = z.strictObject({
  ...pageFields,
  q: shortText({ max: 200 }).optional().describe("Text in the id or the name"),
});
export type RecipientQuery = z.output<typeof recipientQuerySchema>;

const portalLinkLimits = { defaultSeconds: 3_600, maxSeconds: 604_800 };

/** `POST /recipients/{id}/portal-links`. */
export const portalLinkSchema = z.strictObject({
  expiresInSeconds: z
    .int("must be a whole number of seconds")
    .min(60, "must be at least 60")
    .max(portalLinkLimits.maxSeconds, `must be at most ${portalLinkLimits.maxSeconds} (7 days)`)
    .default(portalLinkLimits.defaultSeconds)
    .describe("How long the link works"),
  capabilities: z
    .array(z.enum(portalCapabilities, { error: `must be one of ${portalCapabilities.join(", ")}` }))
    .min(1, "must contain at least one")
    .refine(...isDistinct("names a capability twice"))
    .default([...portalCapabilities])
    .describe(
      "What the link allows: secrets and tests are `subscriptions:write`, recovery is `resend`",
    ),
});
export type PortalLinkInput = z.output<typeof portalLinkSchema>;
