import { listAuditEntries } from "#lib/services/audit-log/read-audit-log.ts";
import { exportRoute } from "#lib/web/rest/route/export-route.ts";
import { type Route, route } from "#lib/web/rest/route/route.ts";
import { pageView } from "#lib/web/rest/route/view.ts";
import { auditView } from "./audit-view.ts";

export const auditRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/audit",
    operationId: "listAuditEntries",
    summary: "List the entries of the audit log",
    description:
      "Newest first. `?actor=` is an id or a part of a name, `?event=` an event or its first words, " +
      "`?target=` an id, and `?q=` finds text in targets and changes. `?from=` and `?to=` limit the time.",
    service: listAuditEntries,
    view: pageView(auditView),
  }),
  exportRoute({
    list: "/audit",
    operationId: "exportAuditEntries",
    summary: "Export the audit log",
    service: listAuditEntries,
    view: auditView,
  }),
];
