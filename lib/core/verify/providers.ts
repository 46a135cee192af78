/** The catalogue. `generic` (nothing is verified) and `custom` are not in it: they have no scheme of their own. */
import type { Provider } from "./provider.ts";
import { billing } from "./providers/billing.ts";
import { chat } from "./providers/chat.ts";
import { clouds } from "./providers/clouds.ts";
import { codeHosting } from "./providers/code-hosting.ts";
import { commerce } from "./providers/commerce.ts";
import { content } from "./providers/content.ts";
import { customers } from "./providers/customers.ts";
import { github } from "./providers/github.ts";
import { gitlab, gitlabSigning } from "./providers/gitlab.ts";
import { hosting } from "./providers/hosting.ts";
import { identity } from "./providers/identity.ts";
import { intelligence } from "./providers/intelligence.ts";
import { linear } from "./providers/linear.ts";
import { mail } from "./providers/mail.ts";
import { operations } from "./providers/operations.ts";
import { paddle } from "./providers/paddle.ts";
import { payments } from "./providers/payments.ts";
import { phone } from "./providers/phone.ts";
import { publicKeys } from "./providers/public-keys.ts";
import { sendersOfStandardWebhooks } from "./providers/senders-of-standard-webhooks.ts";
import { shopify } from "./providers/shopify.ts";
import { slack } from "./providers/slack.ts";
import { clerk, openai, resend, standardWebhooks, svix } from "./providers/standard-webhooks.ts";
import { stripe } from "./providers/stripe.ts";
import { basicAuth, bearer } from "./providers/token.ts";
import { work } from "./providers/work.ts";

const providers: readonly Provider[] = [
  stripe,
  github,
  shopify,
  slack,
  standardWebhooks,
  svix,
  clerk,
  resend,
  openai,
  paddle,
  linear,
  gitlab,
  gitlabSigning,
  ...codeHosting,
  ...hosting,
  ...operations,
  ...payments,
  ...billing,
  ...commerce,
  ...chat,
  ...work,
  ...customers,
  ...identity,
  ...content,
  ...intelligence,
  ...mail,
  ...phone,
  ...clouds,
  ...publicKeys,
  ...sendersOfStandardWebhooks,
  basicAuth,
  bearer,
];
const byId = new Map(providers.map((provider) => [provider.id, provider]));

/** In the order to offer them. */
export function listProviders(): readonly Provider[] {
  return providers;
}

export function findProvider(id: string): Provider | undefined {
  return byId.get(id);
}
