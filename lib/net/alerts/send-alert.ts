import type { MailEnv } from "#lib/core/env/mail-settings.ts";
import type { AlertMessage } from "#lib/core/watch/alerts/alert-message.ts";
import { toDiscord } from "#lib/core/watch/alerts/payloads/discord.ts";
import { toPagerDuty } from "#lib/core/watch/alerts/payloads/pagerduty.ts";
import { toSlack } from "#lib/core/watch/alerts/payloads/slack.ts";
import { toTeams } from "#lib/core/watch/alerts/payloads/teams.ts";
import { toEvent } from "#lib/core/watch/alerts/payloads/url.ts";
import type { ChannelKind, ChannelSecrets } from "#lib/schema/watch/alert.ts";
import { sendMail } from "../mail/send-mail.ts";
import { type PostParts, type PostResult, postJson, postSigned } from "../post-event.ts";

/** A channel whose secrets are open. */
type OpenChannel =
  | { readonly kind: "email"; readonly to: string }
  | { readonly kind: Exclude<ChannelKind, "email">; readonly secrets: ChannelSecrets };

export type AlertParts = PostParts & {
  /** Undefined: this server sends no email. */
  readonly mail: MailEnv | undefined;
  readonly publicUrl: string;
};

/**
 * Sends one message. Never throws. Each channel gets the key by which it can tell a repeat: the
 * `dedup_key` of PagerDuty, the `Message-ID` of an email, the `webhook-id` of a URL. Slack, Discord,
 * and Teams have none.
 */
export async function sendAlert(
  channel: OpenChannel,
  message: AlertMessage,
  parts: AlertParts,
): Promise<PostResult> {
  if (channel.kind === "email") return await sendByMail(channel.to, message, parts);
  const { secrets, kind } = channel;
  switch (kind) {
    case "slack":
      return await postJson(secrets.url, toSlack(message), parts);
    case "discord":
      return await postJson(secrets.url, toDiscord(message), parts);
    case "teams":
      return await postToTeams(secrets.url, toTeams(message), parts);
    case "pagerduty":
      return await postJson(secrets.url, toPagerDuty(message, secrets.routingKey ?? ""), parts);
    case "url":
      return await postSigned(
        secrets.url,
        {
          id: message.id,
          payload: toEvent(message, new Date()),
          secret: secrets.secret ?? "",
        },
        parts,
      );
    default:
      return kind satisfies never;
  }
}

/**
 * Teams also responds with 200 if it hasn't taken a message, and says why in the body. One that it has taken
 * gets no body, or `1`.
 * https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
 */
async function postToTeams(url: string, payload: object, parts: PostParts): Promise<PostResult> {
  let text = "";
  const client: PostParts["client"] = {
    async call(...args) {
      const result = await parts.client.call(...args);
      if (result.ok) text = Buffer.from(result.response.body).toString("utf8").trim();
      return result;
    },
  };
  const result = await postJson(url, payload, { ...parts, client });
  if (!result.ok || !/\b(?:error|failed|failure)\b/i.test(text)) return result;
  // Such as too many messages in a moment: the same one may be taken later.
  return fail(`Teams didn't take the message: ${text.slice(0, 200)}`, false);
}

async function sendByMail(
  to: string,
  message: AlertMessage,
  { mail, publicUrl }: AlertParts,
): Promise<PostResult> {
  if (mail === undefined)
    return fail("This server sends no email. Its operator can set SMTP_URL.", true);
  const { id, title, text, facts, items, url, account, problem } = message;
  const {
    link = problem === null ? "Open Catchment" : "Open the problem",
    footnote = `An alert channel of the account ${account} sends to this address.`,
  } = message;
  const host = new URL(publicUrl).hostname;
  const sent = await sendMail(mail, {
    to,
    subject: `[${account}] ${title}`,
    content: {
      title,
      paragraphs: [
        ...(text === null ? [] : [text]),
        ...items.map((item) => `${item.title}\n${item.url}`),
      ],
      facts,
      link: { label: link, url },
      footnote,
    },
    messageId: `${id}@${host}`,
    // The messages of a problem are one conversation.
    ...(problem !== null && { threadId: `${problem.id}@${host}` }),
  });
  if (sent.ok) return { ok: true, message: "The mail server accepted it." };
  return fail(sent.message, sent.isPermanent);
}

function fail(message: string, isPermanent: boolean) {
  return { ok: false, message, isPermanent, retryAfterMs: null } as const;
}
