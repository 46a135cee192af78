import type { IncomingMessage } from "node:http";

const paths: Readonly<Record<string, PublishTarget>> = {
  "/api/v1/events": "event",
  "/api/v1/events/batch": "batch",
};

export type PublishTarget = "event" | "batch";

/**
 * The target of a request that publishes. Null: the request is for the dashboard's process, like
 * all other API calls.
 */
export function findPublishTarget({ method, url = "" }: IncomingMessage): PublishTarget | null {
  if (method !== "POST" || !url.startsWith("/api/v1/events")) return null;
  const [path = ""] = url.split("?", 1);
  return paths[path] ?? null;
}
