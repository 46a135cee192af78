import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.discord.com/developers/interactions/receiving-and-responding */
export const discordSamples: SampleEvents = [
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
          user: {
            id: "53908232506183680",
            username: "jenny",
            global_name: "Jenny",
            discriminator: "0",
          },
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
