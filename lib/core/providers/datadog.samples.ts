import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.datadoghq.com/integrations/webhooks/ */
export const datadogSamples: SampleEvents = [
  {
    type: "query_alert_monitor",
    make: (fresh) => alert(fresh, String(fresh.digits(15)), "Triggered"),
  },
];

function alert(fresh: Fresh, id: string, transition: string): SampleContent {
  return {
    json: {
      id,
      event_type: "query_alert_monitor",
      title: `[${transition}] The queue orders is too long`,
      body: "The queue orders has had more than 1000 messages for five minutes.",
      last_updated: String(fresh.nowMs),
      date: String(fresh.nowMs),
      org: { id: "1234", name: "acme" },
    },
  };
}
