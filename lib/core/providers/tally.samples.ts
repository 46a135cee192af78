import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://tally.so/help/webhooks */
export const tallySamples: SampleEvents = [
  { type: "FORM_RESPONSE", make: (fresh) => ({ json: response(fresh) }) },
];

function response(fresh: Fresh): object {
  const id = fresh.text(6);
  return {
    eventId: fresh.uuid(),
    eventType: "FORM_RESPONSE",
    createdAt: fresh.iso,
    data: {
      responseId: id,
      submissionId: id,
      respondentId: fresh.text(6),
      formId: "VwbNEw",
      formName: "Contact us",
      createdAt: fresh.iso,
      fields: [
        {
          key: "question_mVGEg3",
          label: "Your email",
          type: "INPUT_EMAIL",
          value: "jenny.rosen@example.com",
        },
      ],
    },
  };
}
