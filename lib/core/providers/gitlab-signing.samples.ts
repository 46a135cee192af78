import { gitlabSamples } from "./gitlab.samples.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** The same events, with any signature method. */
export const gitlabSigningSamples: SampleEvents = gitlabSamples;
