import type { ChannelKind } from "#lib/schema/watch/alert.ts";

export const channelWords: Readonly<Record<ChannelKind, string>> = {
  email: "Email",
  slack: "Slack",
  discord: "Discord",
  teams: "Microsoft Teams",
  pagerduty: "PagerDuty",
  url: "URL",
};

/** Where the URL of a channel comes from. */
export const urlHints: Readonly<Record<Exclude<ChannelKind, "email" | "pagerduty">, string>> = {
  slack: "The URL of an incoming webhook, such as https://hooks.slack.com/services/…",
  discord: "The URL of a webhook of the channel: Edit channel, Integrations, Webhooks.",
  teams: "The URL of a workflow “when a Teams webhook request is received”.",
  url: "Gets signed events, such as problem.opened.",
};
