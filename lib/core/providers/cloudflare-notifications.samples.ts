import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const cloudflareNotificationsConsecutive: Consecutive = (fresh) => {
  const common = { alert_type: "universal_ssl_event_type", name: "SSL" };
  return {
    two: [
      { json: { ...common, ts: fresh.seconds } },
      { json: { ...common, ts: fresh.seconds + 1 } },
    ],
  };
};
