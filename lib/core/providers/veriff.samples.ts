import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

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

const session = "f04bdb47-d3be-4b28-b028-a652feb060b5";
const attempt = "e6ce8f9d-5ae7-4a2a-8c1f-3c2b9b0f7a11";

function step(id: string, attemptId: string, code: number, action: string): object {
  return { id, attemptId, feature: "selfid", code, action, vendorData: "order-1042" };
}

/** Two events about the same object. */
export const veriffConsecutive: Consecutive = () => ({
  two: [
    { json: step(session, attempt, 7001, "started") },
    { json: step(session, attempt, 7002, "submitted") },
  ],
});
