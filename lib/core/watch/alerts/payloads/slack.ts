import { shorten } from "#lib/base/shorten.ts";
import type { AlertMessage } from "../alert-message.ts";

/** An incoming webhook: https://docs.slack.dev/reference/block-kit/blocks. */
export function toSlack({ title, text, facts, items, url, account, tone }: AlertMessage) {
  const sign = { wrong: "🔴", over: "🟢", note: "⚪" }[tone];
  const list = items.map((item) => `• <${item.url}|${escapeMarkup(item.title)}>`).join("\n");
  const body = [text === null ? "" : escapeMarkup(text), list]
    .filter((part) => part !== "")
    .join("\n");
  return {
    // Shown in notifications.
    text: shorten(`${sign} ${escapeMarkup(title)}`, 3_000),
    blocks: [
      {
        type: "header",
        text: { type: "plain_text", text: shorten(`${sign} ${title}`, 150), emoji: true },
      },
      ...(body === ""
        ? []
        : [{ type: "section", text: { type: "mrkdwn", text: shorten(body, 3_000) } }]),
      ...(facts.length === 0
        ? []
        : [
            {
              type: "section",
              fields: facts.slice(0, 10).map(([label, value]) => ({
                type: "mrkdwn",
                text: shorten(`*${escapeMarkup(label)}*\n${escapeMarkup(value)}`, 2_000),
              })),
            },
          ]),
      {
        type: "actions",
        elements: [
          { type: "button", text: { type: "plain_text", text: "Open in Catchment" }, url },
        ],
      },
      {
        type: "context",
        elements: [{ type: "mrkdwn", text: shorten(escapeMarkup(account), 2_000) }],
      },
    ],
    unfurl_links: false,
  };
}

/** Names of users can't mention anyone or make links. */
function escapeMarkup(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
