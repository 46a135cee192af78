// biome-ignore-all lint/style/noExcessiveLinesPerFile: it has a line for each provider
/** Generated from lib/core/providers by `npm run generate`. Don't edit it. */

import { ably } from "#lib/core/providers/ably.ts";
import { adobeSign } from "#lib/core/providers/adobe-sign.ts";
import { adyen } from "#lib/core/providers/adyen.ts";
import { adyenPlatform } from "#lib/core/providers/adyen-platform.ts";
import { aftership } from "#lib/core/providers/aftership.ts";
import { airtable } from "#lib/core/providers/airtable.ts";
import { airwallex } from "#lib/core/providers/airwallex.ts";
import { alchemy } from "#lib/core/providers/alchemy.ts";
import { alertmanager } from "#lib/core/providers/alertmanager.ts";
import { anthropic } from "#lib/core/providers/anthropic.ts";
import { appleAppStore } from "#lib/core/providers/apple-app-store.ts";
import { asana } from "#lib/core/providers/asana.ts";
import { ashby } from "#lib/core/providers/ashby.ts";
import { assemblyai } from "#lib/core/providers/assemblyai.ts";
import { attio } from "#lib/core/providers/attio.ts";
import { auth0 } from "#lib/core/providers/auth0.ts";
import { authorizeNet } from "#lib/core/providers/authorize-net.ts";
import { awsSns } from "#lib/core/providers/aws-sns.ts";
import { azureDevops } from "#lib/core/providers/azure-devops.ts";
import { azureEventGrid } from "#lib/core/providers/azure-event-grid.ts";
import { basicAuth } from "#lib/core/providers/basic-auth.ts";
import { bearer } from "#lib/core/providers/bearer.ts";
import { bigcommerce } from "#lib/core/providers/bigcommerce.ts";
import { bitbucket } from "#lib/core/providers/bitbucket.ts";
import { botFramework } from "#lib/core/providers/bot-framework.ts";
import { box } from "#lib/core/providers/box.ts";
import { braintree } from "#lib/core/providers/braintree.ts";
import { brevo } from "#lib/core/providers/brevo.ts";
import { brex } from "#lib/core/providers/brex.ts";
import { browserbase } from "#lib/core/providers/browserbase.ts";
import { buildkite } from "#lib/core/providers/buildkite.ts";
import { calCom } from "#lib/core/providers/cal-com.ts";
import { calendly } from "#lib/core/providers/calendly.ts";
import { cashfree } from "#lib/core/providers/cashfree.ts";
import { chargebee } from "#lib/core/providers/chargebee.ts";
import { chatwoot } from "#lib/core/providers/chatwoot.ts";
import { checkoutCom } from "#lib/core/providers/checkout-com.ts";
import { checkr } from "#lib/core/providers/checkr.ts";
import { circle } from "#lib/core/providers/circle.ts";
import { circleci } from "#lib/core/providers/circleci.ts";
import { clerk } from "#lib/core/providers/clerk.ts";
import { clickup } from "#lib/core/providers/clickup.ts";
import { close } from "#lib/core/providers/close.ts";
import { cloudevents } from "#lib/core/providers/cloudevents.ts";
import { cloudflareNotifications } from "#lib/core/providers/cloudflare-notifications.ts";
import { cloudflareStream } from "#lib/core/providers/cloudflare-stream.ts";
import { cloudinary } from "#lib/core/providers/cloudinary.ts";
import { coinbaseCdp } from "#lib/core/providers/coinbase-cdp.ts";
import { coinbaseCommerce } from "#lib/core/providers/coinbase-commerce.ts";
import { commerceLayer } from "#lib/core/providers/commerce-layer.ts";
import { composio } from "#lib/core/providers/composio.ts";
import { contentful } from "#lib/core/providers/contentful.ts";
import { convoy } from "#lib/core/providers/convoy.ts";
import { courier } from "#lib/core/providers/courier.ts";
import { crisp } from "#lib/core/providers/crisp.ts";
import { cursor } from "#lib/core/providers/cursor.ts";
import { customerIo } from "#lib/core/providers/customer-io.ts";
import { datadog } from "#lib/core/providers/datadog.ts";
import { dbtCloud } from "#lib/core/providers/dbt-cloud.ts";
import { deel } from "#lib/core/providers/deel.ts";
import { deepgram } from "#lib/core/providers/deepgram.ts";
import { discord } from "#lib/core/providers/discord.ts";
import { documenso } from "#lib/core/providers/documenso.ts";
import { docusign } from "#lib/core/providers/docusign.ts";
import { dodoPayments } from "#lib/core/providers/dodo-payments.ts";
import { doppler } from "#lib/core/providers/doppler.ts";
import { dropbox } from "#lib/core/providers/dropbox.ts";
import { dropboxSign } from "#lib/core/providers/dropbox-sign.ts";
import { dwolla } from "#lib/core/providers/dwolla.ts";
import { easypost } from "#lib/core/providers/easypost.ts";
import { ebay } from "#lib/core/providers/ebay.ts";
import { elevenlabs } from "#lib/core/providers/elevenlabs.ts";
import { etsy } from "#lib/core/providers/etsy.ts";
import { expo } from "#lib/core/providers/expo.ts";
import { fal } from "#lib/core/providers/fal.ts";
import { fastspring } from "#lib/core/providers/fastspring.ts";
import { fathom } from "#lib/core/providers/fathom.ts";
import { figma } from "#lib/core/providers/figma.ts";
import { fireblocks } from "#lib/core/providers/fireblocks.ts";
import { firecrawl } from "#lib/core/providers/firecrawl.ts";
import { flutterwave } from "#lib/core/providers/flutterwave.ts";
import { flutterwaveV3 } from "#lib/core/providers/flutterwave-v3.ts";
import { folk } from "#lib/core/providers/folk.ts";
import { front } from "#lib/core/providers/front.ts";
import { fusionauth } from "#lib/core/providers/fusionauth.ts";
import { gemini } from "#lib/core/providers/gemini.ts";
import { ghost } from "#lib/core/providers/ghost.ts";
import { gitea } from "#lib/core/providers/gitea.ts";
import { github } from "#lib/core/providers/github.ts";
import { gitlab } from "#lib/core/providers/gitlab.ts";
import { gitlabSigning } from "#lib/core/providers/gitlab-signing.ts";
import { gocardless } from "#lib/core/providers/gocardless.ts";
import { googleChannels } from "#lib/core/providers/google-channels.ts";
import { googleChat } from "#lib/core/providers/google-chat.ts";
import { googlePubsub } from "#lib/core/providers/google-pubsub.ts";
import { grafana } from "#lib/core/providers/grafana.ts";
import { greenhouse } from "#lib/core/providers/greenhouse.ts";
import { hcpTerraform } from "#lib/core/providers/hcp-terraform.ts";
import { helpScout } from "#lib/core/providers/help-scout.ts";
import { heroku } from "#lib/core/providers/heroku.ts";
import { hook0 } from "#lib/core/providers/hook0.ts";
import { hookdeck } from "#lib/core/providers/hookdeck.ts";
import { hubspot } from "#lib/core/providers/hubspot.ts";
import { hubspotV1 } from "#lib/core/providers/hubspot-v1.ts";
import { hubspotV2 } from "#lib/core/providers/hubspot-v2.ts";
import { huggingFace } from "#lib/core/providers/hugging-face.ts";
import { hygraph } from "#lib/core/providers/hygraph.ts";
import { incidentIo } from "#lib/core/providers/incident-io.ts";
import { increase } from "#lib/core/providers/increase.ts";
import { infisical } from "#lib/core/providers/infisical.ts";
import { intercom } from "#lib/core/providers/intercom.ts";
import { jira } from "#lib/core/providers/jira.ts";
import { jobber } from "#lib/core/providers/jobber.ts";
import { kick } from "#lib/core/providers/kick.ts";
import { kinde } from "#lib/core/providers/kinde.ts";
import { klaviyo } from "#lib/core/providers/klaviyo.ts";
import { lago } from "#lib/core/providers/lago.ts";
import { lagoJwt } from "#lib/core/providers/lago-jwt.ts";
import { langfuse } from "#lib/core/providers/langfuse.ts";
import { lark } from "#lib/core/providers/lark.ts";
import { launchdarkly } from "#lib/core/providers/launchdarkly.ts";
import { lemonSqueezy } from "#lib/core/providers/lemon-squeezy.ts";
import { line } from "#lib/core/providers/line.ts";
import { linear } from "#lib/core/providers/linear.ts";
import { linkedin } from "#lib/core/providers/linkedin.ts";
import { lithic } from "#lib/core/providers/lithic.ts";
import { liveblocks } from "#lib/core/providers/liveblocks.ts";
import { livekit } from "#lib/core/providers/livekit.ts";
import { logto } from "#lib/core/providers/logto.ts";
import { loops } from "#lib/core/providers/loops.ts";
import { mailchimp } from "#lib/core/providers/mailchimp.ts";
import { mailersend } from "#lib/core/providers/mailersend.ts";
import { mailgun } from "#lib/core/providers/mailgun.ts";
import { mandrill } from "#lib/core/providers/mandrill.ts";
import { maxio } from "#lib/core/providers/maxio.ts";
import { mcpEvents } from "#lib/core/providers/mcp-events.ts";
import { mercadoPago } from "#lib/core/providers/mercado-pago.ts";
import { mercury } from "#lib/core/providers/mercury.ts";
import { merge } from "#lib/core/providers/merge.ts";
import { messagebird } from "#lib/core/providers/messagebird.ts";
import { meta } from "#lib/core/providers/meta.ts";
import { metronome } from "#lib/core/providers/metronome.ts";
import { microsoftGraph } from "#lib/core/providers/microsoft-graph.ts";
import { midtrans } from "#lib/core/providers/midtrans.ts";
import { midtransPayouts } from "#lib/core/providers/midtrans-payouts.ts";
import { modernTreasury } from "#lib/core/providers/modern-treasury.ts";
import { mollie } from "#lib/core/providers/mollie.ts";
import { monday } from "#lib/core/providers/monday.ts";
import { mongodbAtlas } from "#lib/core/providers/mongodb-atlas.ts";
import { msTeams } from "#lib/core/providers/ms-teams.ts";
import { mux } from "#lib/core/providers/mux.ts";
import { nango } from "#lib/core/providers/nango.ts";
import { netlify } from "#lib/core/providers/netlify.ts";
import { newRelic } from "#lib/core/providers/new-relic.ts";
import { nmi } from "#lib/core/providers/nmi.ts";
import { notion } from "#lib/core/providers/notion.ts";
import { npm } from "#lib/core/providers/npm.ts";
import { nuvemshop } from "#lib/core/providers/nuvemshop.ts";
import { nylas } from "#lib/core/providers/nylas.ts";
import { okta } from "#lib/core/providers/okta.ts";
import { onfido } from "#lib/core/providers/onfido.ts";
import { openai } from "#lib/core/providers/openai.ts";
import { orb } from "#lib/core/providers/orb.ts";
import { paddle } from "#lib/core/providers/paddle.ts";
import { paddleClassic } from "#lib/core/providers/paddle-classic.ts";
import { pagerduty } from "#lib/core/providers/pagerduty.ts";
import { pandadoc } from "#lib/core/providers/pandadoc.ts";
import { patreon } from "#lib/core/providers/patreon.ts";
import { payfast } from "#lib/core/providers/payfast.ts";
import { paypal } from "#lib/core/providers/paypal.ts";
import { paystack } from "#lib/core/providers/paystack.ts";
import { persona } from "#lib/core/providers/persona.ts";
import { pipedrive } from "#lib/core/providers/pipedrive.ts";
import { plaid } from "#lib/core/providers/plaid.ts";
import { plain } from "#lib/core/providers/plain.ts";
import { planetscale } from "#lib/core/providers/planetscale.ts";
import { plivo } from "#lib/core/providers/plivo.ts";
import { plivoV3 } from "#lib/core/providers/plivo-v3.ts";
import { polar } from "#lib/core/providers/polar.ts";
import { postmark } from "#lib/core/providers/postmark.ts";
import { pusher } from "#lib/core/providers/pusher.ts";
import { qstash } from "#lib/core/providers/qstash.ts";
import { quickbooks } from "#lib/core/providers/quickbooks.ts";
import { quicknode } from "#lib/core/providers/quicknode.ts";
import { ramp } from "#lib/core/providers/ramp.ts";
import { razorpay } from "#lib/core/providers/razorpay.ts";
import { recallAi } from "#lib/core/providers/recall-ai.ts";
import { recharge } from "#lib/core/providers/recharge.ts";
import { recurly } from "#lib/core/providers/recurly.ts";
import { render } from "#lib/core/providers/render.ts";
import { replicate } from "#lib/core/providers/replicate.ts";
import { resend } from "#lib/core/providers/resend.ts";
import { retell } from "#lib/core/providers/retell.ts";
import { revenuecat } from "#lib/core/providers/revenuecat.ts";
import { ringcentral } from "#lib/core/providers/ringcentral.ts";
import { rootly } from "#lib/core/providers/rootly.ts";
import { salesforce } from "#lib/core/providers/salesforce.ts";
import { salesforceMarketingCloud } from "#lib/core/providers/salesforce-marketing-cloud.ts";
import { sanity } from "#lib/core/providers/sanity.ts";
import { segment } from "#lib/core/providers/segment.ts";
import { sellsy } from "#lib/core/providers/sellsy.ts";
import { sendgrid } from "#lib/core/providers/sendgrid.ts";
import { sentry } from "#lib/core/providers/sentry.ts";
import type { Provider } from "#lib/core/providers/shapes/provider.ts";
import { shippo } from "#lib/core/providers/shippo.ts";
import { shopify } from "#lib/core/providers/shopify.ts";
import { shopline } from "#lib/core/providers/shopline.ts";
import { sinch } from "#lib/core/providers/sinch.ts";
import { slack } from "#lib/core/providers/slack.ts";
import { smartcar } from "#lib/core/providers/smartcar.ts";
import { snyk } from "#lib/core/providers/snyk.ts";
import { solidgate } from "#lib/core/providers/solidgate.ts";
import { sonarqube } from "#lib/core/providers/sonarqube.ts";
import { square } from "#lib/core/providers/square.ts";
import { squarespace } from "#lib/core/providers/squarespace.ts";
import { standardWebhooks } from "#lib/core/providers/standard-webhooks.ts";
import { standardWebhooksEd25519 } from "#lib/core/providers/standard-webhooks-ed25519.ts";
import { storyblok } from "#lib/core/providers/storyblok.ts";
import { strava } from "#lib/core/providers/strava.ts";
import { stream } from "#lib/core/providers/stream.ts";
import { stripe } from "#lib/core/providers/stripe.ts";
import { stytch } from "#lib/core/providers/stytch.ts";
import { supabase } from "#lib/core/providers/supabase.ts";
import { supabaseAuth } from "#lib/core/providers/supabase-auth.ts";
import { svix } from "#lib/core/providers/svix.ts";
import { tailscale } from "#lib/core/providers/tailscale.ts";
import { tally } from "#lib/core/providers/tally.ts";
import { telegram } from "#lib/core/providers/telegram.ts";
import { telnyx } from "#lib/core/providers/telnyx.ts";
import { tiktok } from "#lib/core/providers/tiktok.ts";
import { tiktokShop } from "#lib/core/providers/tiktok-shop.ts";
import { travisCi } from "#lib/core/providers/travis-ci.ts";
import { trello } from "#lib/core/providers/trello.ts";
import { twilio } from "#lib/core/providers/twilio.ts";
import { twitch } from "#lib/core/providers/twitch.ts";
import { typeform } from "#lib/core/providers/typeform.ts";
import { vapi } from "#lib/core/providers/vapi.ts";
import { vercel } from "#lib/core/providers/vercel.ts";
import { vercelLogDrains } from "#lib/core/providers/vercel-log-drains.ts";
import { veriff } from "#lib/core/providers/veriff.ts";
import { vonage } from "#lib/core/providers/vonage.ts";
import { webex } from "#lib/core/providers/webex.ts";
import { webflow } from "#lib/core/providers/webflow.ts";
import { wechat } from "#lib/core/providers/wechat.ts";
import { whoop } from "#lib/core/providers/whoop.ts";
import { wise } from "#lib/core/providers/wise.ts";
import { wix } from "#lib/core/providers/wix.ts";
import { woocommerce } from "#lib/core/providers/woocommerce.ts";
import { workos } from "#lib/core/providers/workos.ts";
import { worldpay } from "#lib/core/providers/worldpay.ts";
import { x } from "#lib/core/providers/x.ts";
import { xendit } from "#lib/core/providers/xendit.ts";
import { xero } from "#lib/core/providers/xero.ts";
import { zendesk } from "#lib/core/providers/zendesk.ts";
import { zoom } from "#lib/core/providers/zoom.ts";

export const providerIndex: readonly Provider[] = [
  ably,
  adobeSign,
  adyen,
  adyenPlatform,
  aftership,
  airtable,
  airwallex,
  alchemy,
  alertmanager,
  anthropic,
  appleAppStore,
  asana,
  ashby,
  assemblyai,
  attio,
  auth0,
  authorizeNet,
  awsSns,
  azureDevops,
  azureEventGrid,
  basicAuth,
  bearer,
  bigcommerce,
  bitbucket,
  botFramework,
  box,
  braintree,
  brevo,
  brex,
  browserbase,
  buildkite,
  calCom,
  calendly,
  cashfree,
  chargebee,
  chatwoot,
  checkoutCom,
  checkr,
  circle,
  circleci,
  clerk,
  clickup,
  close,
  cloudevents,
  cloudflareNotifications,
  cloudflareStream,
  cloudinary,
  coinbaseCdp,
  coinbaseCommerce,
  commerceLayer,
  composio,
  contentful,
  convoy,
  courier,
  crisp,
  cursor,
  customerIo,
  datadog,
  dbtCloud,
  deel,
  deepgram,
  discord,
  documenso,
  docusign,
  dodoPayments,
  doppler,
  dropbox,
  dropboxSign,
  dwolla,
  easypost,
  ebay,
  elevenlabs,
  etsy,
  expo,
  fal,
  fastspring,
  fathom,
  figma,
  fireblocks,
  firecrawl,
  flutterwave,
  flutterwaveV3,
  folk,
  front,
  fusionauth,
  gemini,
  ghost,
  gitea,
  github,
  gitlab,
  gitlabSigning,
  gocardless,
  googleChannels,
  googleChat,
  googlePubsub,
  grafana,
  greenhouse,
  hcpTerraform,
  helpScout,
  heroku,
  hook0,
  hookdeck,
  hubspot,
  hubspotV1,
  hubspotV2,
  huggingFace,
  hygraph,
  incidentIo,
  increase,
  infisical,
  intercom,
  jira,
  jobber,
  kick,
  kinde,
  klaviyo,
  lago,
  lagoJwt,
  langfuse,
  lark,
  launchdarkly,
  lemonSqueezy,
  line,
  linear,
  linkedin,
  lithic,
  liveblocks,
  livekit,
  logto,
  loops,
  mailchimp,
  mailersend,
  mailgun,
  mandrill,
  maxio,
  mcpEvents,
  mercadoPago,
  mercury,
  merge,
  messagebird,
  meta,
  metronome,
  microsoftGraph,
  midtrans,
  midtransPayouts,
  modernTreasury,
  mollie,
  monday,
  mongodbAtlas,
  msTeams,
  mux,
  nango,
  netlify,
  newRelic,
  nmi,
  notion,
  npm,
  nuvemshop,
  nylas,
  okta,
  onfido,
  openai,
  orb,
  paddle,
  paddleClassic,
  pagerduty,
  pandadoc,
  patreon,
  payfast,
  paypal,
  paystack,
  persona,
  pipedrive,
  plaid,
  plain,
  planetscale,
  plivo,
  plivoV3,
  polar,
  postmark,
  pusher,
  qstash,
  quickbooks,
  quicknode,
  ramp,
  razorpay,
  recallAi,
  recharge,
  recurly,
  render,
  replicate,
  resend,
  retell,
  revenuecat,
  ringcentral,
  rootly,
  salesforce,
  salesforceMarketingCloud,
  sanity,
  segment,
  sellsy,
  sendgrid,
  sentry,
  shippo,
  shopify,
  shopline,
  sinch,
  slack,
  smartcar,
  snyk,
  solidgate,
  sonarqube,
  square,
  squarespace,
  standardWebhooks,
  standardWebhooksEd25519,
  storyblok,
  strava,
  stream,
  stripe,
  stytch,
  supabase,
  supabaseAuth,
  svix,
  tailscale,
  tally,
  telegram,
  telnyx,
  tiktok,
  tiktokShop,
  travisCi,
  trello,
  twilio,
  twitch,
  typeform,
  vapi,
  vercel,
  vercelLogDrains,
  veriff,
  vonage,
  webex,
  webflow,
  wechat,
  whoop,
  wise,
  wix,
  woocommerce,
  workos,
  worldpay,
  x,
  xendit,
  xero,
  zendesk,
  zoom,
];
