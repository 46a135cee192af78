import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const cloudeventsConsecutive: Consecutive = () => {
  const common = { specversion: "1.0", id: "1", type: "a.b" };
  return {
    two: [
      { headers: { "ce-type": "example.updated" }, json: { ...common, source: "/one" } },
      { headers: { "ce-type": "example.updated" }, json: { ...common, source: "/two" } },
    ],
  };
};
