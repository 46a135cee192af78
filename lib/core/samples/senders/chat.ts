/** Chat, video and phone. */
import type { Fresh } from "../fresh.ts";
import type { SampleContent, SampleEvents } from "../sample-event.ts";

const account = "AC00000000000000000000000000example";

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
export const twilio: SampleEvents = [
  {
    type: "message.received",
    make: (fresh) => {
      const sid = `SM${fresh.hex(32)}`;
      return twilioForm(fresh, {
        MessageSid: sid,
        SmsSid: sid,
        SmsMessageSid: sid,
        SmsStatus: "received",
        NumMedia: "0",
        NumSegments: "1",
        Body: "Is my order on its way?",
        FromCountry: "US",
        FromState: "OR",
        FromCity: "PORTLAND",
        FromZip: "97205",
        ToCountry: "US",
      });
    },
  },
  {
    type: "message.delivered",
    make: (fresh) => {
      const sid = `SM${fresh.hex(32)}`;
      return twilioForm(fresh, {
        MessageSid: sid,
        SmsSid: sid,
        SmsStatus: "delivered",
        MessageStatus: "delivered",
      });
    },
  },
];

function twilioForm(fresh: Fresh, fields: Record<string, string>): SampleContent {
  const common = { AccountSid: account, ApiVersion: "2010-04-01", From: "+15035550100", To: "+15035550199" };
  return { headers: { "i-twilio-idempotency-token": fresh.uuid() }, form: { ...common, ...fields } };
}

/** https://dev.twitch.tv/docs/eventsub/handling-webhook-events/ */
export const twitch: SampleEvents = [
  {
    type: "channel.follow",
    make: (fresh) =>
      twitchEvent(fresh, "channel.follow", "2", { followed_at: fresh.iso, ...viewer, ...broadcaster }),
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

/** https://docs.discord.com/developers/interactions/receiving-and-responding */
export const discord: SampleEvents = [
  {
    type: "2",
    make: (fresh) => ({
      json: {
        id: String(fresh.digits(15)),
        application_id: "845027738276462632",
        type: 2,
        version: 1,
        token: fresh.text(64),
        guild_id: "290926798626357999",
        channel_id: "645027906669510667",
        locale: "en-US",
        data: {
          id: "771825006014889984",
          name: "order",
          type: 1,
          options: [{ name: "number", type: 4, value: 1042 }],
        },
        member: {
          user: { id: "53908232506183680", username: "jenny", global_name: "Jenny", discriminator: "0" },
          roles: ["539082325061836999"],
          permissions: "2147483647",
          joined_at: "2024-05-15T15:19:25.000000+00:00",
          deaf: false,
          mute: false,
          nick: null,
        },
      },
    }),
  },
];

/** https://core.telegram.org/bots/api#update */
export const telegram: SampleEvents = [
  {
    type: "message",
    make: (fresh) => ({
      json: {
        update_id: fresh.digits(9),
        message: {
          message_id: fresh.digits(4),
          from: {
            id: 42_424_242,
            is_bot: false,
            first_name: "Jenny",
            last_name: "Rosen",
            language_code: "en",
          },
          chat: { id: 42_424_242, first_name: "Jenny", last_name: "Rosen", type: "private" },
          date: fresh.seconds,
          text: "Is my order on its way?",
        },
      },
    }),
  },
];

/** https://developers.zoom.us/docs/api/meetings/events/ */
export const zoom: SampleEvents = [
  {
    type: "meeting.started",
    make: (fresh) => ({
      json: {
        event: "meeting.started",
        event_ts: fresh.nowMs,
        payload: {
          account_id: fresh.text(22),
          object: {
            id: String(fresh.digits(11)),
            uuid: `${fresh.text(22)}==`,
            host_id: fresh.text(22),
            topic: "Weekly review",
            type: 8,
            start_time: fresh.isoSeconds,
            timezone: "America/Los_Angeles",
            duration: 30,
          },
        },
      },
    }),
  },
];
