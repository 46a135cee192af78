import {
  deleteAuditReceiver,
  getAuditReceiver,
  listAuditEntries,
  putAuditReceiver,
  rotateAuditReceiverSecret,
} from "#lib/services/audit-log.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView } from "#lib/web/route/view.ts";
import { auditView } from "./audit-view.ts";
import { newReceiverView, receiverView } from "./receiver-view.ts";

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
  route({
    method: "GET",
    path: "/audit/receiver",
    operationId: "getAuditReceiver",
    summary: "Get the receiver of the audit log",
    service: getAuditReceiver,
    view: receiverView,
  }),
  route({
    method: "PUT",
    path: "/audit/receiver",
    operationId: "putAuditReceiver",
    summary: "Send the audit log to a URL",
    description:
      "From the entry of this change on, or from the one after `afterSeq`. A receiver that is there already " +
      "is changed and keeps its secret. What it hasn't accepted yet is sent at once.",
    service: putAuditReceiver,
    view: newReceiverView,
    example: { receiverUrl: "https://siem.example.com/catchment" },
  }),
  route({
    method: "POST",
    path: "/audit/receiver/rotate-secret",
    operationId: "rotateAuditReceiverSecret",
    summary: "Sign the audit log with a new secret",
    description: "At once. What the receiver rejects until it knows the secret is sent again.",
    service: rotateAuditReceiverSecret,
    view: newReceiverView,
  }),
  route({
    method: "DELETE",
    path: "/audit/receiver",
    operationId: "deleteAuditReceiver",
    summary: "Stop sending the audit log",
    service: deleteAuditReceiver,
    view: null,
  }),
];
