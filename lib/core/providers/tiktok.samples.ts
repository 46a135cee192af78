import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const tiktokConsecutive: Consecutive = (fresh) => {
  const common = { event: "video.publish.completed", user_openid: "u" };
  return {
    two: [
      { json: { ...common, create_time: fresh.seconds } },
      { json: { ...common, create_time: fresh.seconds + 1 } },
    ],
  };
};
