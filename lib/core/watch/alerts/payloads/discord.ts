import { shorten } from "#lib/base/shorten.ts";
import type { AlertMessage } from "../alert-message.ts";

/** A webhook with an embed: https://discord.com/developers/docs/resources/webhook#execute-webhook. */
export function toDiscord({ title, text, facts, items, url, account, tone }: AlertMessage) {
  const list = items.map((item) => `• [${escapeMarkup(item.title)}](${item.url})`).join("\n");
  const description = [text === null ? "" : escapeMarkup(text), list].filter((part) => part !== "");
  return {
    embeds: [
      {
        title: shorten(escapeMarkup(title), 256),
        ...(description.length > 0 && { description: shorten(description.join("\n"), 4_096) }),
        url,
        color: { wrong: 0xd93036, over: 0x2f9e5b, note: 0x8a8f98 }[tone],
        fields: facts.map(([name, value]) => ({
          name: shorten(name, 256),
          value: shorten(escapeMarkup(value), 1_024),
          inline: true,
        })),
        footer: { text: shorten(account, 2_048) },
      },
    ],
    // A hook that is named @everyone mentions no one.
    allowed_mentions: { parse: [] },
  };
}

function escapeMarkup(text: string): string {
  return text.replaceAll(/[\\*_~`|>[\]()]/g, "\\$&");
}
