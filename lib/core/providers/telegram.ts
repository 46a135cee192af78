import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

export const telegram: Provider = {
  id: "telegram",
  name: "Telegram Bot API",
  scheme: { kind: "token", source: { from: "header", name: "x-telegram-bot-api-secret-token" } },
  eventId: [inBody("update_id")],
  identity: {
    why: "update_id grows with each update of the bot, and stays the same on retries.",
    source: "https://core.telegram.org/bots/api#update",
  },
  eventType: [],
  secretHelp: "The secret_token that you gave to setWebhook. Not the bot's token.",
  isSecretChosen: true,
  whereToPaste:
    "Call setWebhook of the Bot API with the catch URL as url and a secret_token of your own.",
  docsUrl: "https://core.telegram.org/bots/api#setwebhook",
  proof: { describedBy: "others" },
  marks: {
    body: [
      { path: "update_id", is: /^\d{5,}$/, why: "its body has an update_id", isSure: true },
      { path: "message.chat.id", is: /^-?\d+$/, why: "its message is from a chat" },
    ],
  },
};
