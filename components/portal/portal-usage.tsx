import { QuotaLine } from "#components/status/quota-line.tsx";
import type { Quota } from "#lib/schema/send/recipient.ts";

type PortalUsageProps = {
  /** Null: any number of events. */
  readonly quota: Quota | null;
  readonly quotaUse: { readonly used: number; readonly resetsAt: Date } | null;
  readonly events: number;
  readonly sends: number;
};

/** What a customer got in the last 30 days, and how much of the quota is used. */
export function PortalUsage({ quota, quotaUse, events, sends }: PortalUsageProps) {
  return (
    <section className="grid grid-cols-1 gap-2" aria-labelledby="usage">
      <h2 id="usage" className="text-lg font-semibold tracking-tight">
        Usage
      </h2>
      {quota !== null && quotaUse !== null && <QuotaLine quota={quota} use={quotaUse} />}
      <p className="text-sm text-muted-foreground tabular-nums">
        Last 30 days: {events.toLocaleString("en")} {events === 1 ? "event" : "events"},{" "}
        {sends.toLocaleString("en")} {sends === 1 ? "send" : "sends"}.
      </p>
    </section>
  );
}
