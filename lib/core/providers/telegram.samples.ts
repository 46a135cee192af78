import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://core.telegram.org/bots/api#update */
export const telegramSamples: SampleEvents = [
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
