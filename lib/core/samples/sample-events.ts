/** Samples by the provider that sends them. Those that are not here send the generic one. */
import type { SampleEvents } from "./sample-event.ts";
import { adyen } from "./senders/adyen.ts";
import { github } from "./senders/github.ts";
import { shopify } from "./senders/shopify.ts";
import { slack } from "./senders/slack.ts";
import { stripe } from "./senders/stripe.ts";

export const sampleEvents: ReadonlyMap<string, SampleEvents> = new Map(
  Object.entries({
    stripe,
    github,
    shopify,
    slack,
    adyen,
  }),
);
