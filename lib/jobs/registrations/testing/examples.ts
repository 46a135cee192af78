/** What a person asks for, by provider, as the fake servers know it. */

export const stripe = {
  provider: "stripe",
  eventTypes: ["invoice.paid", "charge.refunded"],
  auth: { type: "bearer", token: "rk_test_writer" },
} as const;
export const github = {
  provider: "github",
  eventTypes: ["push", "pull_request"],
  auth: { type: "bearer", token: "github_pat_1" },
  resource: "acme/shop",
} as const;
export const gitlab = {
  provider: "gitlab",
  eventTypes: ["push_events", "note_events"],
  auth: { type: "header", name: "PRIVATE-TOKEN", value: "glpat-1" },
  resource: "acme/shop",
} as const;
export const shopify = {
  provider: "shopify",
  eventTypes: ["orders/create", "orders/paid"],
  auth: { type: "header", name: "X-Shopify-Access-Token", value: "shpat_1" },
  signingSecret: "the client secret of the app",
} as const;
