import { z } from "zod";
import { auditChangeSchema, auditTargetSchema } from "#lib/schema/account/audit.ts";
import type { AuditRecord } from "#lib/services/audit-log.ts";
import { view } from "#lib/web/route/view.ts";

const auditEntrySchema = z
  .object({
    seq: z.int().describe("Its number in the account, from 1 on, without a gap"),
    at: z.date(),
    event: z.string().describe("Such as `hook.secret.rotated`"),
    actor: z.object({
      type: z.enum(["user", "token", "portal", "system"]),
      id: z.string(),
      name: z.string().describe("Its name at that time"),
    }),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    targets: z.array(auditTargetSchema),
    changes: z
      .array(auditChangeSchema)
      .nullable()
      .describe("`{path, before, after}`, or `{path, isHidden}` for a secret"),
  })
  .meta({ id: "AuditEntry" });

export const auditView = view(
  auditEntrySchema,
  ({ actorType, actorId, actorName, ...entry }: AuditRecord) => ({
    ...entry,
    actor: {
      // `audit()` writes no other type.
      type: actorType as z.output<typeof auditEntrySchema>["actor"]["type"],
      id: actorId,
      name: actorName,
    },
    targets: [...entry.targets],
    changes: entry.changes === null ? null : [...entry.changes],
  }),
);
