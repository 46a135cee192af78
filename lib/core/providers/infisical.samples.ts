import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const infisicalConsecutive: Consecutive = () => {
  const common = { event: "secrets.modified", timestamp: "" };
  return {
    two: [
      { json: { ...common, project: { workspaceId: "w" } } },
      { json: { ...common, project: { workspaceId: "w" } } },
    ],
  };
};
