import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://launchdarkly.com/docs/api/webhooks */
export const launchdarklySamples: SampleEvents = [{ type: "flag", make: flagTurnedOn }];

function flagTurnedOn(fresh: Fresh): SampleContent {
  return {
    json: {
      _id: fresh.hex(24),
      date: fresh.nowMs,
      accesses: [{ action: "updateOn", resource: "proj/shop:env/production:flag/new-checkout" }],
      kind: "flag",
      name: "New checkout",
      description: "",
      titleVerb: "turned on the flag",
      title: "Jenny Rosen turned on the flag New checkout in Production",
      member: { _id: "569f183514f4432160000007", email: "jenny.rosen@example.com" },
    },
  };
}
