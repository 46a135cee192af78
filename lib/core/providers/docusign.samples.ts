import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const docusignConsecutive: Consecutive = () => {
  const common = { event: "envelope-sent", data: { envelopeId: "e1" }, retryCount: 0 };
  return {
    two: [
      { json: { ...common, generatedDateTime: "2026-01-02T10:00:00.0000001Z" } },
      { json: { ...common, generatedDateTime: "2026-01-02T10:00:00.0000002Z" } },
    ],
    again: {
      json: { ...common, generatedDateTime: "2026-01-02T10:00:00.0000001Z", retryCount: 1 },
    },
  };
};
