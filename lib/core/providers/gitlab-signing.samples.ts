import { gitlabSamples } from "./gitlab.samples.ts";
import type { Consecutive, SampleEvents } from "./shapes/sample-event.ts";

/** The same events, with any signature method. */
export const gitlabSigningSamples: SampleEvents = gitlabSamples;

/** Two events about the same object. */
export const gitlabSigningConsecutive: Consecutive = () => {
  const event = () => ({
    headers: { "x-gitlab-event": "example.updated" },
    json: { object: { id: "the same" } },
  });
  return { two: [event(), event()] };
};
