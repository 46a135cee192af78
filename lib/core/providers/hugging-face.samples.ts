import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent } from "./shapes/sample-event.ts";

/** https://huggingface.co/docs/hub/webhooks */
function renamed(fresh: Fresh): SampleContent {
  return {
    json: {
      event: { action: "move", scope: "repo" },
      repo: {
        type: "model",
        name: "acme/orders",
        id: "621ffdc036468d709f17434d",
        private: false,
        headSha: fresh.hex(40),
        owner: { id: "628b753283ef59b5be89e937" },
      },
      webhook: { id: "6390e855e30d9209411de93b", version: 3 },
    },
  };
}

/** Two events about the same object, with equal bodies. */
export const huggingFaceConsecutive: Consecutive = (fresh) => {
  const event = renamed(fresh);
  return { two: [event, event] };
};
