import { listEntries } from "#lib/db/audit/list-entries.ts";
import { auditQuerySchema } from "#lib/schema/account/audit.ts";
import { service } from "#lib/services/frame/service.ts";

export type { AuditRecord } from "#lib/db/audit/list-entries.ts";

/** The account's audit log, newest first. */
export const listAuditEntries = service({
  permission: "audit:read",
  input: auditQuerySchema,
  run: ({ db, actor }, { limit, cursor, ...filter }) =>
    listEntries(db, actor.accountId, filter, { limit, cursor }),
});
