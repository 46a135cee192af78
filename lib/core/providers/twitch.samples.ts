import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://dev.twitch.tv/docs/eventsub/handling-webhook-events/ */
export const twitchSamples: SampleEvents = [
  {
    type: "channel.follow",
    make: (fresh) =>
      twitchEvent(fresh, "channel.follow", "2", {
        followed_at: fresh.iso,
        ...viewer,
        ...broadcaster,
      }),
  },
  {
    type: "stream.online",
    make: (fresh) =>
      twitchEvent(fresh, "stream.online", "1", {
        id: String(fresh.digits(10)),
        ...broadcaster,
        type: "live",
        started_at: fresh.iso,
      }),
  },
];

const viewer = { user_id: "1234", user_login: "jenny_example", user_name: "Jenny_Example" };

const broadcaster = {
  broadcaster_user_id: "1337",
  broadcaster_user_login: "example_channel",
  broadcaster_user_name: "Example_Channel",
};

function twitchEvent(fresh: Fresh, type: string, version: string, event: object): SampleContent {
  return {
    headers: {
      "twitch-eventsub-message-id": fresh.uuid(),
      "twitch-eventsub-message-type": "notification",
      "twitch-eventsub-message-retry": "0",
      "twitch-eventsub-subscription-type": type,
      "twitch-eventsub-subscription-version": version,
    },
    json: {
      subscription: {
        id: fresh.uuid(),
        type,
        version,
        status: "enabled",
        cost: 0,
        condition: { broadcaster_user_id: "1337" },
        transport: { method: "webhook", callback: "https://hooks.example.com/twitch" },
        created_at: fresh.iso,
      },
      event,
    },
  };
}
