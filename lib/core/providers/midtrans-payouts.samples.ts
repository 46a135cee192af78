import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.midtrans.com/reference/partner-http-notification-1 */
export const midtransPayoutsSamples: SampleEvents = [
  { type: "completed", make: (fresh) => payout(fresh, fresh.hex(18), "completed") },
  { type: "failed", make: (fresh) => payout(fresh, fresh.hex(18), "failed") },
];

function payout(fresh: Fresh, reference: string, status: string): SampleContent {
  return {
    json: { reference_no: reference, amount: "42000.0", status, updated_at: fresh.isoSeconds },
  };
}
