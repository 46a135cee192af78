import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.xendit.co/webhook/getting-started/ */
export const xenditSamples: SampleEvents = [
  { type: "PAID", make: (fresh) => invoice(fresh, fresh.hex(24), "PAID") },
  { type: "EXPIRED", make: (fresh) => invoice(fresh, fresh.hex(24), "EXPIRED") },
];

function invoice(fresh: Fresh, id: string, status: string): SampleContent {
  return {
    json: {
      id,
      external_id: "order-1042",
      status,
      amount: 42_000,
      currency: "IDR",
      merchant_name: "Acme",
      created: fresh.iso,
      updated: fresh.iso,
    },
  };
}
