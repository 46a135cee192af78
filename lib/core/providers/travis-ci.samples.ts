import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent } from "./shapes/sample-event.ts";

/** The payload: https://docs.travis-ci.com/user/notifications/#webhooks-delivery-format */
function build(state: string, startedAt: string): SampleContent {
  return {
    json: {
      id: 271_829_183,
      number: "42",
      type: "push",
      state,
      status: 0,
      status_message: state === "passed" ? "Passed" : "Pending",
      branch: "main",
      started_at: startedAt,
      repository: { id: 1, name: "orders", owner_name: "acme" },
    },
  };
}

/** A build passes, is started again, and passes again. */
export const travisCiConsecutive: Consecutive = ({ isoSeconds }: Fresh) => ({
  two: [build("passed", isoSeconds), build("passed", "2030-01-01T00:00:00Z")],
});
