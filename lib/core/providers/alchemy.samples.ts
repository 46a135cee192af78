import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.alchemy.com/docs/reference/notify-api-quickstart */
export const alchemySamples: SampleEvents = [
  { type: "ADDRESS_ACTIVITY", make: (fresh) => activity(fresh) },
];

function activity(fresh: Fresh): SampleContent {
  return {
    json: {
      webhookId: "wh_octjglnywaupz6th",
      id: `whevt_${fresh.text(16)}`,
      createdAt: fresh.iso,
      type: "ADDRESS_ACTIVITY",
      event: {
        network: "ETH_MAINNET",
        activity: [
          {
            fromAddress: `0x${"a".repeat(40)}`,
            toAddress: `0x${"b".repeat(40)}`,
            hash: `0x${fresh.hex(64)}`,
            value: 0.42,
            asset: "ETH",
            category: "external",
          },
        ],
      },
    },
  };
}
