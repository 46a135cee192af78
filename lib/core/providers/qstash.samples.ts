import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://upstash.com/docs/qstash/howto/receiving */
export const qstashSamples: SampleEvents = [{ type: "message", make: (fresh) => message(fresh) }];

/** The body is the publisher's own. */
function message(fresh: Fresh): SampleContent {
  return {
    headers: { "upstash-message-id": `msg_${fresh.text(40)}`, "upstash-retried": "0" },
    json: { orderId: "1042" },
  };
}
