import { z } from "zod";

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
