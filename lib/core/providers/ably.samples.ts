import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://ably.com/docs/platform/integrations/webhooks */
export const ablySamples: SampleEvents = [
  { type: "channel.message", make: (fresh) => message(fresh, `${fresh.text(22)}:4`) },
];

function message(fresh: Fresh, serial: string): SampleContent {
  return {
    json: {
      items: [
        {
          webhookId: "ABcDEf",
          source: "channel.message",
          serial,
          timestamp: fresh.nowMs,
          name: "channel.message",
          data: {
            channelId: "my-channel-4",
            site: "eu-west-1-A",
            messages: [{ id: serial, timestamp: fresh.nowMs, data: "hello", name: "greeting" }],
          },
        },
      ],
    },
  };
}
