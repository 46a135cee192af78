import DodoPayments from "dodopayments";
import { validateWebhook as validateReplicate } from "replicate";
import { Resend } from "resend";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

import type { Headers, ProviderPackage } from "./provider-package.ts";

const standard = signsLike("standardwebhooks", "webhook", StandardWebhook);
const svix = signsLike("svix", "svix", SvixWebhook);

/** Providers that follow Standard Webhooks, under either name of its headers. */
export const standardWebhooksPackages: Readonly<Record<string, ProviderPackage>> = {
  "standard-webhooks": standard,
  anthropic: standard,
  browserbase: standard,
  composio: standard,
  etsy: standard,
  fathom: standard,
  gemini: standard,
  folk: standard,
  "incident-io": standard,
  lithic: standard,
  liveblocks: standard,
  loops: standard,
  "recall-ai": standard,
  render: standard,
  openai: standard,
  "gitlab-signing": standard,
  polar: standard,
  "mcp-events": standard,
  /** The text of the secret is the key, so the package gets its base64, as in Increase's package. */
  increase: {
    name: "standardwebhooks",
    accepts: ({ secret, ...rest }) => standard.accepts({ ...rest, secret: base64Of(secret) }),
    signs: ({ secret, ...rest }) => standard.signs({ ...rest, secret: base64Of(secret) }),
  },
  /** The package doesn't know the prefix v1, of Supabase's secrets. */
  "supabase-auth": {
    name: "standardwebhooks",
    accepts: ({ secret, ...rest }) => standard.accepts({ ...rest, secret: secret.slice(3) }),
    signs: ({ secret, ...rest }) => standard.signs({ ...rest, secret: secret.slice(3) }),
  },
  replicate: {
    name: "replicate",
    accepts: ({ text: body, headers, secret }) =>
      validateReplicate({ ...messageOf(headers, "webhook"), body, secret }),
    signs: standard.signs,
  },
  "dodo-payments": {
    name: "dodopayments",
    accepts: ({ text, headers, secret: key }) =>
      new DodoPayments({ bearerToken: "b" }).webhooks.unwrap(text, { headers, key }),
    signs: standard.signs,
  },
  svix,
  clerk: svix,
  brex: svix,
  stytch: svix,
  resend: {
    name: "resend",
    accepts: ({ text: payload, headers, secret: webhookSecret }) =>
      new Resend("re_x").webhooks.verify({
        payload,
        headers: messageOf(headers, "svix"),
        webhookSecret,
      }),
    signs: svix.signs,
  },
};

const base64Of = (text: string) => Buffer.from(text).toString("base64");

type Signer = new (
  secret: string,
) => {
  sign(id: string, time: Date, text: string): string;
  verify(text: string, headers: Record<string, string>): unknown;
};

/** Both packages of Standard Webhooks, which only differ in header names. */
function signsLike(name: string, prefix: string, Webhook: Signer): Required<ProviderPackage> {
  return {
    name,
    accepts: ({ text, headers, secret }) => new Webhook(secret).verify(text, { ...headers }),
    signs: ({ text, secret, nowMs }) => ({
      [`${prefix}-id`]: "msg_1",
      [`${prefix}-timestamp`]: String(Math.floor(nowMs / 1000)),
      [`${prefix}-signature`]: new Webhook(secret).sign("msg_1", new Date(nowMs), text),
    }),
  };
}

function messageOf(headers: Headers, prefix: string) {
  const [id = "", timestamp = "", signature = ""] = ["id", "timestamp", "signature"].map(
    (name) => headers[`${prefix}-${name}`],
  );
  return { id, timestamp, signature };
}
