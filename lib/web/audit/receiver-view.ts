import { z } from "zod";
import type { AuditReceiverRecord, NewAuditReceiver } from "#lib/services/audit-log.ts";
import { view } from "#lib/web/route/view.ts";

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

export const receiverView = view(
  z.object(fields).meta({ id: "AuditReceiver" }),
  (receiver: AuditReceiverRecord) => receiver,
);

export const newReceiverView = view(
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
