import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://stytch.com/docs/workspace-management/webhooks */
export const stytchSamples: SampleEvents = [{ type: "user", make: userUpdated }];

function userUpdated(fresh: Fresh): SampleContent {
  const id = "user-test-16d9ba61-97a1-4ba4-9720-b03761dc50c6";
  return {
    json: {
      project_id: "project-test-11111111-1111-4111-8111-111111111111",
      event_id: `event-test-${fresh.uuid()}`,
      action: "UPDATE",
      object_type: "user",
      source: "DIRECT",
      id,
      timestamp: fresh.isoSeconds,
      user: { user_id: id, status: "active" },
    },
  };
}
