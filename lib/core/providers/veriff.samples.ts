import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://devdocs.veriff.com/docs/decision-webhook */
export const veriffSamples: SampleEvents = [
  {
    type: "approved",
    make: (fresh) => ({
      json: {
        status: "success",
        verification: {
          id: fresh.uuid(),
          attemptId: fresh.uuid(),
          vendorData: "order-1042",
          status: "approved",
          code: 9001,
          reason: null,
          reasonCode: null,
          acceptanceTime: fresh.iso,
          decisionTime: fresh.iso,
        },
      },
    }),
  },
  {
    type: "submitted",
    make: (fresh) => ({ json: step(fresh.uuid(), fresh.uuid(), 7002, "submitted") }),
  },
];

function step(id: string, attemptId: string, code: number, action: string): object {
  return { id, attemptId, feature: "selfid", code, action, vendorData: "order-1042" };
}
