/** Samples by the provider that sends them. Those that are not here send the generic one. */
import type { SampleEvents } from "./sample-event.ts";
import { adyen } from "./senders/adyen.ts";
import { discord, telegram, twilio, twitch, zoom } from "./senders/chat.ts";
import { clerk, lemonSqueezy, woocommerce } from "./senders/commerce.ts";
import { calendly, hubspot, intercom, typeform, zendesk } from "./senders/customers.ts";
import { github } from "./senders/github.ts";
import { gitlab } from "./senders/gitlab.ts";
import { linear } from "./senders/linear.ts";
import { mailgun, postmark, resend, sendgrid } from "./senders/mail.ts";
import { paddle } from "./senders/paddle.ts";
import { paypal } from "./senders/paypal.ts";
import { shopify } from "./senders/shopify.ts";
import { slack } from "./senders/slack.ts";
import { square } from "./senders/square.ts";
import { stripe } from "./senders/stripe.ts";
import { jira, notion, pagerduty, sentry } from "./senders/work.ts";

export const sampleEvents: ReadonlyMap<string, SampleEvents> = new Map(
  Object.entries({
    stripe,
    github,
    shopify,
    slack,
    paddle,
    linear,
    gitlab,
    "gitlab-signing": gitlab,
    square,
    paypal,
    adyen,
    "lemon-squeezy": lemonSqueezy,
    woocommerce,
    clerk,
    hubspot,
    "hubspot-v1": hubspot,
    intercom,
    zendesk,
    typeform,
    calendly,
    sendgrid,
    mailgun,
    resend,
    postmark,
    twilio,
    twitch,
    discord,
    telegram,
    zoom,
    jira,
    notion,
    pagerduty,
    sentry,
  }),
);
