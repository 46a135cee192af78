import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const tailscaleConsecutive: Consecutive = () => ({
  two: [
    { json: [{ type: "nodeCreated", tailnet: "t", timestamp: "2026-01-02T10:00:00.000001Z" }] },
    { json: [{ type: "nodeCreated", tailnet: "t", timestamp: "2026-01-02T10:00:00.000002Z" }] },
  ],
});
