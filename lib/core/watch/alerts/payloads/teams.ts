import { shorten } from "#lib/base/shorten.ts";
import type { AlertMessage } from "../alert-message.ts";

/**
 * A workflow "when a Teams webhook request is received", with an Adaptive Card:
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook.
 */
export function toTeams({ title, text, facts, items, url, account, tone }: AlertMessage) {
  const color = { wrong: "Attention", over: "Good", note: "Default" }[tone];
  const block = (content: string, style: object = {}) => ({
    type: "TextBlock",
    text: shorten(content, 4_000),
    wrap: true,
    ...style,
  });
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            block(escapeMarkup(title), { size: "Medium", weight: "Bolder", color }),
            ...(text === null ? [] : [block(escapeMarkup(text))]),
            ...items.map((item) => block(`- [${escapeMarkup(item.title)}](${item.url})`)),
            {
              type: "FactSet",
              facts: [...facts, ["Account", account] as const].map(([name, value]) => ({
                title: name,
                value: shorten(escapeMarkup(value), 1_000),
              })),
            },
          ],
          actions: [{ type: "Action.OpenUrl", title: "Open in Catchment", url }],
        },
      },
    ],
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll(/[\\*_[\]()]/g, "\\$&");
}
