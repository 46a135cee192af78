/**
 * Providers that users ask for and that aren't in the catalog, one line each, for docs/providers.md.
 */
type NotIncluded = {
  readonly name: string;
  /** A sentence that says which source is missing, or why the catalog can't verify the provider. */
  readonly why: string;
};

export const notIncluded: readonly NotIncluded[] = [
  {
    name: "AfterShip Returns, Shipping, and Warranty",
    why:
      "They sign under other headers than AfterShip Tracking (`aftership`), and " +
      "we found no page that says how the signature is encoded.",
  },
  {
    name: "Fitbit Web API",
    why: "Google turned it off on November 2, 2026, with its notifications (https://developers.google.com/health).",
  },
  {
    name: "Gemini API (dynamic webhooks)",
    why:
      "Their token is described, but we found no page in full that names " +
      "its claims and keys. Static webhooks are `gemini`.",
  },
  {
    name: "Lark (Feishu) with an Encrypt Key",
    why:
      "The events and the URL verification are encrypted, and hooks " +
      "don't decrypt. Without an Encrypt Key, use `lark`.",
  },
  {
    name: "Mollie (classic webhooks)",
    why: "They are a form with an id, and nothing proves who sent them. Next-generation webhooks are `mollie`.",
  },
  {
    name: "NMI merchant applications",
    why:
      "They sign in a header Signature, which isn't that of the " +
      "gateway (`nmi`), and we found no example of the body.",
  },
  {
    name: "SHOPLINE Open API (shoplineapp.com)",
    why:
      "Another platform than `shopline`. It puts a signature into the query of the " +
      "URL, and we found no page in full that says what is signed.",
  },
  {
    name: "Sinch Voice and Verification",
    why:
      "They sign as the app's requests are signed, with the " +
      "Content-Type and the path. Conversation and SMS are `sinch`.",
  },
];
