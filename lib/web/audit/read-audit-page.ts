import { getAuditReceiver, listAuditEntries } from "#lib/services/audit-log.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { nullIfNotFound } from "#lib/web/request/is-gone.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readList } from "#lib/web/request/read-list.ts";

const names = ["actor", "event", "target", "q"] as const;

/** A page of the audit log for a URL. Throws `forbidden` unless the person may read it. */
export async function readAuditPage(context: ServiceContext, params: SearchParams) {
  const [{ items: entries, ...list }, receiver] = await Promise.all([
    readList(context, listAuditEntries, { path: "/account/audit", names, params }),
    // Null: the log is sent nowhere.
    getAuditReceiver(context, {}).catch(nullIfNotFound),
  ]);
  return { ...list, entries, receiver };
}
