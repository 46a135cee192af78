/**
 * What tells senders apart beside their headers: who they say they are, and what their events look like. Few and sure ones;
 * a sender without a line here is recognised by its headers alone.
 */
export const userAgents: Readonly<Record<string, RegExp | undefined>> = {
  stripe: /^Stripe\/\d/,
  github: /^GitHub-Hookshot\//,
  gitlab: /^GitLab\//,
  "gitlab-signing": /^GitLab\//,
  bitbucket: /^Bitbucket-Webhooks\//,
  shopify: /^Shopify-Captain-Hook/,
  slack: /^Slackbot/,
  linear: /^Linear-Webhook/,
  jira: /^Atlassian/,
  svix: /^Svix-Webhooks\//,
  clerk: /^Svix-Webhooks\//,
  resend: /^Svix-Webhooks\//,
  brex: /^Svix-Webhooks\//,
  typeform: /^Typeform/,
  woocommerce: /^WooCommerce\//,
  pagerduty: /^PagerDuty-Webhook\//,
  hubspot: /^HubSpot/,
  "hubspot-v1": /^HubSpot/,
  "hubspot-v2": /^HubSpot/,
  intercom: /^intercom/i,
  discord: /^Discord-Interactions\//,
  line: /^LineBotWebhook\//,
  razorpay: /^Razorpay-Webhook\//,
  square: /^Square/,
  zoom: /^Zoom Marketplace\//,
  sendgrid: /^SendGrid/,
  postmark: /^Postmark/,
  meta: /^facebookexternalua|^Webhooks\/1/,
  zendesk: /^Zendesk/,
  "aws-sns": /^Amazon Simple Notification Service Agent/,
  twilio: /^TwilioProxy\//,
  paypal: /^PayPal\//,
};

type BodyMark = { readonly path: string; readonly is: RegExp; readonly why: string };

export const bodyMarks: Readonly<Record<string, readonly BodyMark[] | undefined>> = {
  stripe: [
    { path: "id", is: /^evt_[A-Za-z0-9]{14,}$/, why: "its id starts with evt_" },
    { path: "livemode", is: /^(?:true|false)$/, why: "its body has livemode" },
  ],
  paddle: [{ path: "notification_id", is: /^ntf_/, why: "its notification_id starts with ntf_" }],
  slack: [{ path: "api_app_id", is: /^A[A-Z0-9]+$/, why: "its body has an api_app_id of Slack" }],
  linear: [{ path: "webhookTimestamp", is: /^\d{13}$/, why: "its body has webhookTimestamp" }],
  jira: [{ path: "webhookEvent", is: /^jira:/, why: "its webhookEvent starts with jira:" }],
  meta: [
    {
      path: "object",
      is: /^(?:page|instagram|whatsapp_business_account|user|permissions)$/,
      why: "its body has an object and entries as Meta's have",
    },
  ],
  intercom: [{ path: "type", is: /^notification_event$/, why: "its type is notification_event" }],
  bitbucket: [{ path: "actor.account_id", is: /./, why: "its body has an actor as Bitbucket's have" }],
  "lemon-squeezy": [{ path: "meta.event_name", is: /^[a-z_]+$/, why: "its body has meta.event_name" }],
  clickup: [{ path: "webhook_id", is: /./, why: "its body has a webhook_id" }],
  clerk: [
    {
      path: "data.object",
      is: /^(?:user|session|organization|email|sms_message)/,
      why: "its data is an object of Clerk",
    },
  ],
  resend: [{ path: "type", is: /^(?:email|contact|domain)\./, why: "its type is one of Resend's" }],
  openai: [
    {
      path: "type",
      is: /^(?:response|batch|fine_tuning\.job|eval\.run|realtime\.call)\./,
      why: "its type is one of OpenAI's",
    },
  ],
  sendgrid: [{ path: "0.sg_event_id", is: /./, why: "its events have an sg_event_id" }],
  cloudevents: [{ path: "specversion", is: /^1\./, why: "it is a CloudEvent" }],
  "azure-event-grid": [{ path: "0.eventType", is: /^Microsoft\./, why: "its events are of Microsoft" }],
  chargebee: [{ path: "api_version", is: /^v\d$/, why: "its body has an api_version as Chargebee's have" }],
  postmark: [{ path: "RecordType", is: /^[A-Z]/, why: "its body has a RecordType as Postmark's have" }],
  adyen: [
    {
      path: "notificationItems.0.NotificationRequestItem.eventCode",
      is: /./,
      why: "its body has notificationItems",
    },
  ],
  "aws-sns": [{ path: "TopicArn", is: /^arn:aws/, why: "its body has a TopicArn" }],
  "google-pubsub": [
    { path: "message.messageId", is: /./, why: "its body has a message as Pub/Sub wraps it" },
  ],
  plaid: [{ path: "webhook_code", is: /./, why: "its body has a webhook_code" }],
  paypal: [{ path: "id", is: /^WH-/, why: "its id starts with WH-" }],
  monday: [{ path: "event.boardId", is: /./, why: "its event has a boardId" }],
  livekit: [{ path: "room.sid", is: /^RM_/, why: "its room has an id of LiveKit" }],
  revenuecat: [{ path: "event.app_user_id", is: /./, why: "its event has an app_user_id" }],
};
