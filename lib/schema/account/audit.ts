import { z } from "zod";
import { filterText, instant, pageFields } from "#lib/schema/field/common.ts";
import { receiverUrl } from "#lib/schema/send/subscription.ts";

/** A field that changed. Neither `before` nor `after`: the value is a secret. */
export const auditChangeSchema = z.strictObject({
  path: z.string(),
  before: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  after: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  isHidden: z.literal(true).optional(),
});
export type AuditChange = z.output<typeof auditChangeSchema>;

export const auditTargetSchema = z.strictObject({
  type: z.string(),
  id: z.string(),
  /** Its name at that time. */
  name: z.string().optional(),
});
export type AuditTarget = z.output<typeof auditTargetSchema>;

/** The facts of an entry: who did what to which things, and when. */
export type AuditFacts = {
  readonly at: Date;
  readonly event: string;
  readonly actorType: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  readonly targets: readonly AuditTarget[];
  /** Null: it changed no fields. */
  readonly changes: readonly AuditChange[] | null;
};

/** `GET /audit?…`. */
export const auditQuerySchema = z.strictObject({
  ...pageFields,
  actor: filterText.optional().describe("Who did it: an id, or a part of the name"),
  event: z
    .string()
    .regex(/^[a-z_]{1,60}(\.[a-z_]{1,60}){0,4}$/, "must be an event such as hook.updated, or hook")
    .optional()
    .describe("A whole name, or its first words: `hook` finds `hook.created`"),
  target: filterText.optional().describe("Only entries about the thing with this id"),
  q: filterText.optional().describe("Text in the names and ids of targets, and in the changes"),
  from: instant.optional(),
  to: instant.optional(),
});
export type AuditFilter = Omit<z.output<typeof auditQuerySchema>, "limit" | "cursor">;

/** `PUT /audit/receiver`. */
export const auditReceiverSchema = z.strictObject({
  receiverUrl,
  /** Entries after this number are sent. Omitted: those from now on, or those not sent yet. */
  afterSeq: z.int("must be a whole number").min(0, "must be 0 or more").optional(),
});
