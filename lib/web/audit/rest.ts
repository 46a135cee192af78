import { z } from "zod";
import {
  type AuditReceiverRecord,
  deleteAuditReceiver,
  getAuditReceiver,
  listAuditEntries,
  type NewAuditReceiver,
  putAuditReceiver,
  rotateAuditReceiverSecret,
} from "#lib/services/audit-log.ts";
import { exportRoute } from "#lib/web/route/export-route.ts";
import { type Route, route } from "#lib/web/route/route.ts";
import { pageView, view } from "#lib/web/route/view.ts";
import { auditView } from "./audit-view.ts";

const fields = {
  receiverUrl: z.string(),
  sentSeq: z.int().describe("The number of the newest entry that it has accepted"),
  sentAt: z.date().nullable(),
  waiting: z.int().describe("The number of entries that it hasn't accepted yet"),
  failure: z
    .object({
      message: z.string(),
      since: z.date(),
      attempts: z.int().describe("The tries of the next entry"),
      nextAttemptAt: z.date(),
    })
    .nullable()
    .describe("Null: the newest try succeeded"),
  createdAt: z.date(),
  updatedAt: z.date(),
};

const receiverView = view(
  z.object(fields).meta({ id: "AuditReceiver" }),
  (receiver: AuditReceiverRecord) => receiver,
);

const newReceiverView = view(
  z
    .object({
      ...fields,
      secret: z
        .string()
        .nullable()
        .describe("Signs each entry, and is shown once. Null: it is the one from before"),
    })
    .meta({ id: "NewAuditReceiver" }),
  ({ receiver, secret }: NewAuditReceiver) => ({ ...receiver, secret }),
);

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
    errors: ["not_found"],
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
