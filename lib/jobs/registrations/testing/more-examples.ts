/** What a person asks for, by provider, as the fake servers know it. */
import { startFakeCalendly, startFakeSendgrid, startFakeTrello } from "./fake-apps.ts";
import {
  startFakeChargebee,
  startFakePaddle,
  startFakeResend,
  startFakeSquare,
  startFakeTypeform,
  startFakeWoocommerce,
} from "./fake-more.ts";
import { startFakeAirtable, startFakeAsana } from "./fake-replaced.ts";

/** Its server needs a clock. */
export const graph = {
  provider: "microsoft-graph",
  eventTypes: ["created", "updated"],
  auth: { type: "bearer", token: "graph-token" },
  resource: "users/jo@example.com/messages",
} as const;

/** Its server may do the handshake. */
export const asana = {
  provider: "asana",
  eventTypes: ["task.added", "story"],
  resource: "12001/34002",
  auth: { type: "bearer", token: "asana-1" },
} as const;

export const airtable = {
  provider: "airtable",
  eventTypes: ["tableData", "tableFields"],
  resource: "appLkNDICXNqxSDhG",
  auth: { type: "bearer", token: "pat1" },
} as const;

export const moreProviders = [
  {
    provider: "paddle",
    eventTypes: ["transaction.completed", "subscription.created"],
    auth: { type: "bearer", token: "pdl_1" },
    start: startFakePaddle,
  },
  {
    provider: "resend",
    eventTypes: ["email.bounced", "email.delivered"],
    auth: { type: "bearer", token: "re_1" },
    start: startFakeResend,
  },
  {
    provider: "square",
    eventTypes: ["payment.created", "refund.created"],
    auth: { type: "bearer", token: "EAAA1" },
    start: startFakeSquare,
  },
  {
    provider: "woocommerce",
    eventTypes: ["order.created", "order.updated"],
    auth: { type: "basic", username: "ck_1", password: "cs_1" },
    start: startFakeWoocommerce,
  },
  {
    provider: "chargebee",
    eventTypes: ["invoice_generated", "customer_changed"],
    auth: { type: "basic", username: "live_1", password: "" },
    start: startFakeChargebee,
  },
  {
    provider: "typeform",
    eventTypes: ["form_response"],
    resource: "lT4Z3j",
    auth: { type: "bearer", token: "tfp_1" },
    start: startFakeTypeform,
  },
  {
    provider: "calendly",
    eventTypes: ["invitee.created", "invitee.canceled"],
    resource: "AAAA",
    auth: { type: "bearer", token: "calendly-1" },
    start: startFakeCalendly,
  },
  {
    provider: "trello",
    eventTypes: ["*"],
    resource: "5abbe4b7ddc1b351ef961414",
    auth: {
      type: "header",
      name: "Authorization",
      value: 'OAuth oauth_consumer_key="key", oauth_token="token"',
    },
    signingSecret: "the secret of the Power-Up",
    start: startFakeTrello,
  },
  {
    provider: "sendgrid",
    eventTypes: ["bounce", "spam_report"],
    auth: { type: "bearer", token: "SG.1" },
    start: startFakeSendgrid,
  },
  { ...asana, start: () => startFakeAsana() },
  { ...airtable, start: () => startFakeAirtable() },
] as const;
