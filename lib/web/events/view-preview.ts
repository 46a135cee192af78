import type { EventPreview } from "#lib/services/events/preview-event.ts";

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
