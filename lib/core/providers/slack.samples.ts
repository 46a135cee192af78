import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const team = "T0EXAMPLE1";

const channel = "C0EXAMPLE2";

const user = "U0EXAMPLE3";

/** https://docs.slack.dev/apis/events-api */
export const slackSamples: SampleEvents = [
  {
    type: "app_mention",
    make: (fresh) =>
      callback(fresh, {
        ...message(fresh),
        type: "app_mention",
        text: "<@U0EXAMPLE4> what is new?",
      }),
  },
  {
    type: "message",
    make: (fresh) =>
      callback(fresh, {
        ...message(fresh),
        channel_type: "channel",
        text: "Order 1042 has been paid.",
      }),
  },
  {
    type: "/deploy",
    make: (fresh) => ({
      form: {
        team_id: team,
        team_domain: "example",
        channel_id: channel,
        channel_name: "general",
        user_id: user,
        user_name: "jenny",
        command: "/deploy",
        text: "staging",
        api_app_id: "A0EXAMPLE5",
        is_enterprise_install: "false",
        response_url: `https://hooks.slack.example/commands/${team}/${fresh.digits(12)}/${fresh.text(24)}`,
        trigger_id: `${fresh.digits(12)}.${fresh.digits(12)}.${fresh.hex(32)}`,
      },
    }),
  },
];

function message(fresh: Fresh): object {
  const ts = `${fresh.seconds}.${String(fresh.digits(6))}`;
  return { type: "message", user, ts, client_msg_id: fresh.uuid(), team, channel, event_ts: ts };
}

function callback(fresh: Fresh, event: object): SampleContent {
  return {
    json: {
      token: "deprecated-verification-token",
      team_id: team,
      api_app_id: "A0EXAMPLE5",
      event,
      type: "event_callback",
      event_id: `Ev${fresh.text(9).toUpperCase()}`,
      event_time: fresh.seconds,
      authorizations: [
        {
          enterprise_id: null,
          team_id: team,
          user_id: "U0EXAMPLE4",
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
      event_context: `4-${fresh.text(40)}`,
    },
  };
}
