import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.npmjs.com/package/npm-hook-receiver */
export const npmSamples: SampleEvents = [
  { type: "package:publish", make: (fresh) => published(fresh, "1.4.0", fresh.nowMs) },
];

function published(fresh: Fresh, version: string, time: number): SampleContent {
  return {
    json: {
      event: "package:publish",
      name: "@acme/orders",
      type: "package",
      version,
      hookOwner: { username: "acme" },
      payload: { name: "@acme/orders", "dist-tags": { latest: version } },
      change: { version, shasum: fresh.hex(40) },
      time,
    },
  };
}
