/** The catalogue. `generic` (nothing is verified) and `custom` are not in it: they have no scheme of their own. */
import type { Provider } from "./provider.ts";
import { adyen } from "./providers/adyen.ts";
import { awsSns } from "./providers/aws-sns.ts";
import { billing } from "./providers/billing.ts";
import { braintree } from "./providers/braintree.ts";
import { chat } from "./providers/chat.ts";
import { clouds } from "./providers/clouds.ts";
import { codeHosting } from "./providers/code-hosting.ts";
import { commerce } from "./providers/commerce.ts";
import { content } from "./providers/content.ts";
import { contentful } from "./providers/contentful.ts";
import { customers } from "./providers/customers.ts";
import { dropboxSign } from "./providers/dropbox-sign.ts";
import { ebay } from "./providers/ebay.ts";
import { fal } from "./providers/fal.ts";
import { github } from "./providers/github.ts";
import { gitlab, gitlabSigning } from "./providers/gitlab.ts";
import { googlePubsub } from "./providers/google-pubsub.ts";
import { hosting } from "./providers/hosting.ts";
import { hygraph } from "./providers/hygraph.ts";
import { identity } from "./providers/identity.ts";
import { infisical } from "./providers/infisical.ts";
import { intelligence } from "./providers/intelligence.ts";
import { linear } from "./providers/linear.ts";
import { mail } from "./providers/mail.ts";
import { mercadoPago } from "./providers/mercado-pago.ts";
import { operations } from "./providers/operations.ts";
import { paddle } from "./providers/paddle.ts";
import { payments } from "./providers/payments.ts";
import { paypal } from "./providers/paypal.ts";
import { phone } from "./providers/phone.ts";
import { plaid } from "./providers/plaid.ts";
import { plivo } from "./providers/plivo.ts";
import { publicKeys } from "./providers/public-keys.ts";
import { sendersOfStandardWebhooks } from "./providers/senders-of-standard-webhooks.ts";
import { shopify } from "./providers/shopify.ts";
import { slack } from "./providers/slack.ts";
import { clerk, openai, resend, standardWebhooks, svix } from "./providers/standard-webhooks.ts";
import { stripe } from "./providers/stripe.ts";
import { basicAuth, bearer } from "./providers/token.ts";
import { twilio } from "./providers/twilio.ts";
import { webTokens } from "./providers/web-tokens.ts";
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
  adyen,
  awsSns,
  braintree,
  contentful,
  dropboxSign,
  ebay,
  fal,
  googlePubsub,
  hygraph,
  infisical,
  mercadoPago,
  paypal,
  plaid,
  plivo,
  twilio,
  ...webTokens,
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
