import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const buildkiteConsecutive: Consecutive = () => {
  const common = { event: "job.started", job: { id: "j1" } };
  return {
    two: [
      {
        headers: { "x-buildkite-event": "example.updated" },
        json: { ...common, build: { state: "scheduled" } },
      },
      {
        headers: { "x-buildkite-event": "example.updated" },
        json: { ...common, build: { state: "running" } },
      },
    ],
  };
};
