import type { AlertMessage } from "#lib/core/alerts/alert-message.ts";
import { toDiscord } from "#lib/core/alerts/payloads/discord.ts";
import { toPagerDuty } from "#lib/core/alerts/payloads/pagerduty.ts";
import { toSlack } from "#lib/core/alerts/payloads/slack.ts";
import { toTeams } from "#lib/core/alerts/payloads/teams.ts";
import { toEvent } from "#lib/core/alerts/payloads/url.ts";
import type { MailEnv } from "#lib/core/env/mail-env.ts";
import { parseRetryAfter } from "#lib/core/retry/parse-retry-after.ts";
import { readSigningKey, signEvent } from "#lib/core/sender/sign-event.ts";
import type { ChannelKind, ChannelSecrets } from "#lib/schema/alert.ts";
import type { CallResult } from "../call-result.ts";
import type { HttpClient } from "../http-client.ts";
import { sendMail } from "../mail/send-mail.ts";

/** A channel whose secrets are open. */
type OpenChannel =
  | { readonly kind: "email"; readonly to: string }
  | { readonly kind: Exclude<ChannelKind, "email">; readonly secrets: ChannelSecrets };

export type AlertParts = {
  readonly client: Pick<HttpClient, "call">;
  /** Undefined: this server sends no email. */
  readonly mail: MailEnv | undefined;
  readonly publicUrl: string;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

export type AlertResult =
  | { readonly ok: true; readonly message: string }
  | {
      readonly ok: false;
      /** A sentence for the admin of the channel. */
      readonly message: string;
      /** The same message would fail again. */
      readonly isPermanent: boolean;
      /** The wait that the receiver asked for. */
      readonly retryAfterMs: number | null;
    };

const timeoutMs = 15_000;

/**
 * Sends one message. Never throws. Each channel gets the key by which it can tell a repeat: the
 * `dedup_key` of PagerDuty, the `Message-ID` of an email, the `webhook-id` of a URL. Slack, Discord,
 * and Teams have none.
 */
export async function sendAlert(
  channel: OpenChannel,
  message: AlertMessage,
  parts: AlertParts,
): Promise<AlertResult> {
  if (channel.kind === "email") return await sendByMail(channel.to, message, parts);
  const { secrets, kind } = channel;
  switch (kind) {
    case "slack":
      return await post(secrets.url, toSlack(message), parts);
    case "discord":
      return await post(secrets.url, toDiscord(message), parts);
    case "teams":
      return await post(secrets.url, toTeams(message), parts);
    case "pagerduty":
      return await post(secrets.url, toPagerDuty(message, secrets.routingKey ?? ""), parts);
    case "url":
      return await postSigned(secrets, message, parts);
    default:
      return kind satisfies never;
  }
}

async function sendByMail(
  to: string,
  message: AlertMessage,
  { mail, publicUrl }: AlertParts,
): Promise<AlertResult> {
  if (mail === undefined)
    return fail("This server sends no email. Its operator can set SMTP_URL.", true);
  const { id, title, text, facts, items, url, account, problem } = message;
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
      link: { label: problem === null ? "Open Catchment" : "Open the problem", url },
      footnote: `An alert channel of the account ${account} sends to this address.`,
    },
    messageId: `${id}@${host}`,
    // The messages of a problem are one conversation.
    ...(problem !== null && { threadId: `${problem.id}@${host}` }),
  });
  if (sent.ok) return { ok: true, message: "The mail server accepted it." };
  return fail(sent.message, sent.isPermanent);
}

async function postSigned(
  { url, secret = "" }: ChannelSecrets,
  message: AlertMessage,
  parts: AlertParts,
): Promise<AlertResult> {
  const now = new Date();
  const body = Buffer.from(JSON.stringify(toEvent(message, now)));
  const headers = signEvent({
    id: message.id,
    timestamp: Math.floor(now.getTime() / 1_000),
    body,
    keys: [readSigningKey("hmac", secret)],
  });
  return await call(url, body, headers, parts);
}

async function post(url: string, payload: object, parts: AlertParts): Promise<AlertResult> {
  return await call(url, Buffer.from(JSON.stringify(payload)), [], parts);
}

async function call(
  url: string,
  body: Uint8Array,
  headers: readonly [string, string][],
  { client, version }: AlertParts,
): Promise<AlertResult> {
  const sent = [
    ["content-type", "application/json"],
    ["user-agent", `Catchment/${version}`],
    ...headers,
  ] as const;
  const request = { method: "POST", url, headers: sent, body };
  return toResult(await client.call(request, { timeoutMs, maxResponseBytes: 4_096 }));
}

function toResult(result: CallResult): AlertResult {
  if (!result.ok) {
    const { code, message } = result.error;
    return fail(message, ["blocked", "self_call", "invalid_request"].includes(code));
  }
  const { status, headers } = result.response;
  if (status >= 200 && status < 300)
    return { ok: true, message: `The receiver answered ${status}.` };
  const retryAfter = headers.find(([name]) => name === "retry-after")?.[1];
  const isPermanent = status < 500 && ![408, 425, 429].includes(status);
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return { ...fail(`The receiver answered ${status}.`, isPermanent), retryAfterMs };
}

function fail(message: string, isPermanent: boolean) {
  return { ok: false, message, isPermanent, retryAfterMs: null } as const;
}
