import { hubspotSamples } from "./hubspot.samples.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** The same events, with any signature method. */
export const hubspotV1Samples: SampleEvents = hubspotSamples;
