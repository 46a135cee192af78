import type { SessionUser } from "#lib/db/accounts/sessions.ts";
import { auditQuerySchema } from "#lib/schema/audit.ts";
import { getAuditReceiver } from "#lib/services/audit-log/audit-receiver.ts";
import { listAuditEntries } from "#lib/services/audit-log/read-audit-log.ts";
import { userContext } from "#lib/web/auth/page-context.ts";
import { pageLinks, readListQuery, type SearchParams } from "#lib/web/request/list-query.ts";
import { nullIfNotFound } from "#lib/web/request/null-if-not-found.ts";
import { readPage } from "#lib/web/request/read-page.ts";

const pageSize = 50;
const names = ["actor", "event", "target", "q"] as const;

/** A page of the audit log for a URL. Throws `forbidden` unless the person may read it. */
export async function readAuditPage(session: SessionUser, params: SearchParams) {
  const nowMs = Date.now();
  const query = readListQuery(params, { names, schema: auditQuerySchema, nowMs });
  const { values, problems, filter, cursor } = query;
  const { from, to, ...rest } = filter;
  const times = {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(to).toISOString() }),
  };
  const asked = { ...rest, ...times, limit: String(pageSize), ...(cursor && { cursor }) };
  const context = userContext(session);
  const [page, receiver] = await Promise.all([
    readPage(problems, () => listAuditEntries(context, asked)),
    // Null: the log is sent nowhere.
    getAuditReceiver(context, {}).catch(nullIfNotFound),
  ]);
  return {
    nowMs,
    values,
    problems: page.problem === null ? problems : { ...problems, cursor: page.problem },
    isFiltered: Object.values(values).some((value) => value !== ""),
    entries: page.items,
    receiver,
    links: pageLinks("/account/audit", query, page.nextCursor),
  };
}
