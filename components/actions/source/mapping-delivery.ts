import { writeTime } from "#components/ui/time/write-time.ts";

/** A delivery to try an action on: see `lib/services/actions/steps/mapping-source.ts`. */
export type MappingDelivery = {
  readonly id: string;
  readonly eventType: string | null;
  readonly eventId: string | null;
  /** True if Catchment created it. */
  readonly isSample: boolean;
  readonly receivedAt: Date;
};

/** A delivery in the picker. Its event id, which always differs, comes first. */
export function describeOption(
  { eventType, eventId, isSample, receivedAt }: MappingDelivery,
  timeZone: string,
): { readonly title: string; readonly details: string } {
  const time = writeTime(receivedAt.getTime(), timeZone);
  const more = isSample ? ["sample"] : [];
  if (eventId !== null)
    return { title: eventId, details: [eventType ?? [], time, more].flat().join(", ") };
  return { title: eventType ?? "Delivery", details: [time, ...more].join(", ") };
}
