import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.patreon.com/#webhooks */
export const patreonSamples: SampleEvents = [
  {
    type: "members:pledge:create",
    make: (fresh) => member("members:pledge:create", fresh.uuid(), 500),
  },
  {
    type: "members:pledge:update",
    make: (fresh) => member("members:pledge:update", fresh.uuid(), 1000),
  },
];

function member(trigger: string, id: string, cents: number): SampleContent {
  return {
    headers: { "x-patreon-event": trigger },
    json: {
      data: {
        attributes: {
          currently_entitled_amount_cents: cents,
          full_name: "Ada Example",
          is_follower: false,
          last_charge_status: "Paid",
          lifetime_support_cents: cents,
          patron_status: "active_patron",
        },
        id,
        relationships: { campaign: { data: { id: "123456", type: "campaign" } } },
        type: "member",
      },
    },
  };
}
