import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const netlifyConsecutive: Consecutive = () => {
  const event = (type: string, updated: string) => ({
    headers: { "x-netlify-event": type },
    json: { id: "d1", state: "ready", updated_at: updated },
  });
  const [one, other] = ["2026-01-02T10:00:00.001Z", "2026-01-02T10:00:00.002Z"] as const;
  return {
    two: [event("deploy_created", one), event("deploy_locked", one)],
    more: [{ two: [event("deploy_created", one), event("deploy_created", other)] }],
  };
};
