import type { SampleEvents } from "./shapes/sample-event.ts";

const jenny = { name: "Jenny Rosen", email: "jenny.rosen@example.com" };

/** https://www.typeform.com/developers/webhooks/example-payload/ */
export const typeformSamples: SampleEvents = [
  {
    type: "form_response",
    make: (fresh) => {
      const fields = [
        { id: "JwWggjAKtOkA", title: "What is your name?", type: "short_text", ref: "name" },
        { id: "SMEUb7VJz92Q", title: "Where can we reach you?", type: "email", ref: "email" },
        {
          id: "WOTdC00F8A3h",
          title: "How likely are you to recommend us?",
          type: "rating",
          ref: "rating",
        },
      ];
      const values = [
        { type: "text", text: jenny.name },
        { type: "email", email: jenny.email },
        { type: "number", number: 5 },
      ];
      return {
        json: {
          event_id: `01${fresh.text(24).toUpperCase()}`,
          event_type: "form_response",
          form_response: {
            form_id: "lT4Z3j",
            token: fresh.hex(32),
            landed_at: new Date(fresh.nowMs - 61_000).toISOString(),
            submitted_at: fresh.isoSeconds,
            hidden: { order_id: "1042" },
            calculated: { score: 9 },
            definition: { id: "lT4Z3j", title: "How was your order?", fields },
            answers: values.map((value, index) => {
              const { id, type, ref } = fields[index] ?? {};
              return { ...value, field: { id, type, ref } };
            }),
          },
        },
      };
    },
  },
];
