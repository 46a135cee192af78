import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://github.com/maxio-com/ab-typescript-sdk/blob/main/doc/controllers/webhooks.md */
export const maxioSamples: SampleEvents = [
  { type: "payment_success", make: (fresh) => event(fresh, "payment_success") },
  { type: "signup_success", make: (fresh) => event(fresh, "signup_success") },
];

function event(fresh: Fresh, type: string): SampleContent {
  return {
    form: {
      id: String(fresh.digits(9)),
      event: type,
      "payload[site][id]": "31615",
      "payload[site][subdomain]": "acme",
      "payload[subscription][id]": "15100141",
      "payload[subscription][state]": "active",
      "payload[subscription][updated_at]": fresh.iso,
    },
  };
}
