import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://vercel.com/docs/log-drains */
export const vercelLogDrainsSamples: SampleEvents = [{ type: "lambda", make: entry }];

function entry(fresh: Fresh): SampleContent {
  return {
    json: [
      {
        id: fresh.text(24),
        message: "Order 1042 is paid",
        timestamp: fresh.nowMs,
        type: "stdout",
        source: "lambda",
        projectId: "prj_example",
        deploymentId: "dpl_example",
        requestId: "the same",
        statusCode: 200,
        host: "shop.example.com",
        path: "/api/orders",
        entrypoint: "api/orders.js",
      },
    ],
  };
}
