/** The catalogue. `generic` (nothing is verified) and `custom` are not in it: they have no scheme of their own. */
import type { Provider } from "./provider.ts";
import { github } from "./providers/github.ts";
import { gitlab, gitlabSigning } from "./providers/gitlab.ts";
import { linear } from "./providers/linear.ts";
import { paddle } from "./providers/paddle.ts";
import { shopify } from "./providers/shopify.ts";
import { slack } from "./providers/slack.ts";
import { clerk, openai, resend, standardWebhooks, svix } from "./providers/standard-webhooks.ts";
import { stripe } from "./providers/stripe.ts";
import { basicAuth, bearer } from "./providers/token.ts";

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
