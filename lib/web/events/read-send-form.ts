import { proposeType } from "#lib/core/sending/event-type-patterns.ts";
import { eventTypeName } from "#lib/schema/send/event-type.ts";
import { recipientId } from "#lib/schema/send/recipient.ts";
import { getSignatureHeaders } from "#lib/services/account/sender-settings.ts";
import type { EventPreview } from "#lib/services/events/publish-event.ts";
import { findCatalogEntry, readSendOptions } from "#lib/services/events/read-events.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { toText } from "#lib/web/event-types/read-event-types.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";

/**
 * The form that sends an event, filled in so that it reaches a subscription: with the type and the
 * recipient of the URL, or those of the newest active subscription.
 */
export async function readSendForm(context: ServiceContext, params: SearchParams) {
  const given = {
    type: eventTypeName.safeParse(params.type).data,
    recipient: recipientId.safeParse(params.recipient).data,
  };
  const [{ reached, newestEventId, ...options }, signatureHeaders] = await Promise.all([
    readSendOptions(context, given),
    getSignatureHeaders(context, {}),
  ]);
  const type = given.type ?? proposeType(reached?.eventTypes ?? [], options.types);
  return {
    draft: {
      type,
      recipient: given.recipient ?? reached?.recipient ?? "",
      data: await readExample(context, type),
    },
    ...options,
    publishUrl: `${context.env.publicUrl}/api/v1/events`,
    signatureHeaders,
    afterId: newestEventId ?? "",
  };
}

/** The catalog's example of a type as text, or something in its place. */
export async function readExample(context: ServiceContext, type: string): Promise<string> {
  const entry = await findCatalogEntry(context, { type });
  if (entry !== null && entry.example !== null) return toText(entry.example);
  return type === "invoice.paid" && entry === null ? invoice : "{}";
}

const invoice = `{
  "object": {
    "id": "in_1001",
    "amount": 4200,
    "currency": "eur"
  }
}`;

const maxShown = 3;

/** The preview of publishing an event, cut to what the page shows. */
export function viewPreview({ hasSchema, finding, reach }: EventPreview) {
  const { subscriptions, problem, elsewhere } = reach;
  return {
    hasSchema,
    mismatch: finding === null ? null : `\`${finding.path}\` ${finding.message}`,
    isRejected: finding?.isRequired === true,
    subscriptions: subscriptions.slice(0, maxShown).map(({ id, receiverUrl, description }) => ({
      id,
      receiverUrl,
      description,
    })),
    count: subscriptions.length,
    problem,
    ...(typeof elsewhere === "string" && { elsewhere }),
  };
}
