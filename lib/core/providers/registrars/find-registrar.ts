import { airtableRegistrar } from "./airtable.ts";
import { asanaRegistrar } from "./asana.ts";
import { calendlyRegistrar } from "./calendly.ts";
import { chargebeeRegistrar } from "./chargebee.ts";
import { githubRegistrar } from "./github.ts";
import { gitlabRegistrar } from "./gitlab.ts";
import { microsoftGraphRegistrar } from "./microsoft-graph.ts";
import { paddleRegistrar } from "./paddle.ts";
import type { Registrar } from "./registrar.ts";
import { resendRegistrar } from "./resend.ts";
import { sendgridRegistrar } from "./sendgrid.ts";
import { shopifyRegistrar } from "./shopify.ts";
import { squareRegistrar } from "./square.ts";
import { stripeRegistrar } from "./stripe.ts";
import { trelloRegistrar } from "./trello.ts";
import { typeformRegistrar } from "./typeform.ts";
import { woocommerceRegistrar } from "./woocommerce.ts";

/** The providers whose webhooks can be kept, in the order of the docs. */
const registrars: readonly Registrar[] = [
  stripeRegistrar,
  githubRegistrar,
  gitlabRegistrar,
  shopifyRegistrar,
  woocommerceRegistrar,
  paddleRegistrar,
  squareRegistrar,
  chargebeeRegistrar,
  resendRegistrar,
  typeformRegistrar,
  calendlyRegistrar,
  trelloRegistrar,
  asanaRegistrar,
  airtableRegistrar,
  sendgridRegistrar,
  microsoftGraphRegistrar,
];

/** Null: the provider has no API for webhooks that is known. */
export function findRegistrar(provider: string): Registrar | null {
  return registrars.find((registrar) => registrar.provider === provider) ?? null;
}
