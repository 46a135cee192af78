// biome-ignore-all lint/style/noExcessiveLinesPerFile: it has a line for each provider
/** Generated from lib/core/providers by `npm run generate`. Don't edit it. */

import { ablyConsecutive, ablySamples } from "#lib/core/providers/ably.samples.ts";
import { adobeSignConsecutive, adobeSignSamples } from "#lib/core/providers/adobe-sign.samples.ts";
import { adyenConsecutive, adyenSamples } from "#lib/core/providers/adyen.samples.ts";
import { adyenPlatformConsecutive } from "#lib/core/providers/adyen-platform.samples.ts";
import { aftershipConsecutive, aftershipSamples } from "#lib/core/providers/aftership.samples.ts";
import { airtableConsecutive } from "#lib/core/providers/airtable.samples.ts";
import { airwallexConsecutive, airwallexSamples } from "#lib/core/providers/airwallex.samples.ts";
import { alchemyConsecutive, alchemySamples } from "#lib/core/providers/alchemy.samples.ts";
import {
  alertmanagerConsecutive,
  alertmanagerSamples,
} from "#lib/core/providers/alertmanager.samples.ts";
import { anthropicConsecutive } from "#lib/core/providers/anthropic.samples.ts";
import { appleAppStoreConsecutive } from "#lib/core/providers/apple-app-store.samples.ts";
import { asanaConsecutive } from "#lib/core/providers/asana.samples.ts";
import { ashbyConsecutive } from "#lib/core/providers/ashby.samples.ts";
import {
  assemblyaiConsecutive,
  assemblyaiSamples,
} from "#lib/core/providers/assemblyai.samples.ts";
import { attioConsecutive } from "#lib/core/providers/attio.samples.ts";
import { auth0Consecutive, auth0Samples } from "#lib/core/providers/auth0.samples.ts";
import {
  authorizeNetConsecutive,
  authorizeNetSamples,
} from "#lib/core/providers/authorize-net.samples.ts";
import { awsSnsConsecutive } from "#lib/core/providers/aws-sns.samples.ts";
import {
  azureDevopsConsecutive,
  azureDevopsSamples,
} from "#lib/core/providers/azure-devops.samples.ts";
import { azureEventGridConsecutive } from "#lib/core/providers/azure-event-grid.samples.ts";
import { basicAuthConsecutive } from "#lib/core/providers/basic-auth.samples.ts";
import { bearerConsecutive } from "#lib/core/providers/bearer.samples.ts";
import { bigcommerceConsecutive } from "#lib/core/providers/bigcommerce.samples.ts";
import { bitbucketConsecutive } from "#lib/core/providers/bitbucket.samples.ts";
import {
  botFrameworkConsecutive,
  botFrameworkSamples,
} from "#lib/core/providers/bot-framework.samples.ts";
import { boxConsecutive } from "#lib/core/providers/box.samples.ts";
import { braintreeConsecutive } from "#lib/core/providers/braintree.samples.ts";
import { brevoConsecutive } from "#lib/core/providers/brevo.samples.ts";
import { brexConsecutive } from "#lib/core/providers/brex.samples.ts";
import { browserbaseConsecutive } from "#lib/core/providers/browserbase.samples.ts";
import { buildkiteConsecutive } from "#lib/core/providers/buildkite.samples.ts";
import { calComConsecutive } from "#lib/core/providers/cal-com.samples.ts";
import { calendlyConsecutive, calendlySamples } from "#lib/core/providers/calendly.samples.ts";
import { cashfreeConsecutive, cashfreeSamples } from "#lib/core/providers/cashfree.samples.ts";
import { chargebeeConsecutive } from "#lib/core/providers/chargebee.samples.ts";
import { chatwootConsecutive, chatwootSamples } from "#lib/core/providers/chatwoot.samples.ts";
import { checkoutComConsecutive } from "#lib/core/providers/checkout-com.samples.ts";
import { checkrConsecutive } from "#lib/core/providers/checkr.samples.ts";
import { circleConsecutive, circleSamples } from "#lib/core/providers/circle.samples.ts";
import { circleciConsecutive } from "#lib/core/providers/circleci.samples.ts";
import { clerkConsecutive, clerkSamples } from "#lib/core/providers/clerk.samples.ts";
import { clickupConsecutive } from "#lib/core/providers/clickup.samples.ts";
import { closeConsecutive, closeSamples } from "#lib/core/providers/close.samples.ts";
import { cloudeventsConsecutive } from "#lib/core/providers/cloudevents.samples.ts";
import { cloudflareNotificationsConsecutive } from "#lib/core/providers/cloudflare-notifications.samples.ts";
import { cloudflareStreamConsecutive } from "#lib/core/providers/cloudflare-stream.samples.ts";
import { cloudinaryConsecutive } from "#lib/core/providers/cloudinary.samples.ts";
import {
  coinbaseCdpConsecutive,
  coinbaseCdpSamples,
} from "#lib/core/providers/coinbase-cdp.samples.ts";
import { coinbaseCommerceConsecutive } from "#lib/core/providers/coinbase-commerce.samples.ts";
import {
  commerceLayerConsecutive,
  commerceLayerSamples,
} from "#lib/core/providers/commerce-layer.samples.ts";
import { composioConsecutive } from "#lib/core/providers/composio.samples.ts";
import { contentfulConsecutive } from "#lib/core/providers/contentful.samples.ts";
import { convoyConsecutive } from "#lib/core/providers/convoy.samples.ts";
import { courierConsecutive, courierSamples } from "#lib/core/providers/courier.samples.ts";
import { crispConsecutive } from "#lib/core/providers/crisp.samples.ts";
import { cursorConsecutive, cursorSamples } from "#lib/core/providers/cursor.samples.ts";
import { customerIoConsecutive } from "#lib/core/providers/customer-io.samples.ts";
import { datadogConsecutive, datadogSamples } from "#lib/core/providers/datadog.samples.ts";
import { dbtCloudConsecutive, dbtCloudSamples } from "#lib/core/providers/dbt-cloud.samples.ts";
import { deelConsecutive, deelSamples } from "#lib/core/providers/deel.samples.ts";
import { deepgramConsecutive, deepgramSamples } from "#lib/core/providers/deepgram.samples.ts";
import { discordConsecutive, discordSamples } from "#lib/core/providers/discord.samples.ts";
import { documensoConsecutive, documensoSamples } from "#lib/core/providers/documenso.samples.ts";
import { docusignConsecutive } from "#lib/core/providers/docusign.samples.ts";
import { dodoPaymentsConsecutive } from "#lib/core/providers/dodo-payments.samples.ts";
import { dopplerConsecutive } from "#lib/core/providers/doppler.samples.ts";
import { dropboxConsecutive } from "#lib/core/providers/dropbox.samples.ts";
import { dropboxSignConsecutive } from "#lib/core/providers/dropbox-sign.samples.ts";
import { dwollaConsecutive, dwollaSamples } from "#lib/core/providers/dwolla.samples.ts";
import { easypostConsecutive } from "#lib/core/providers/easypost.samples.ts";
import { ebayConsecutive } from "#lib/core/providers/ebay.samples.ts";
import { elevenlabsConsecutive } from "#lib/core/providers/elevenlabs.samples.ts";
import { etsyConsecutive, etsySamples } from "#lib/core/providers/etsy.samples.ts";
import { expoConsecutive, expoSamples } from "#lib/core/providers/expo.samples.ts";
import { falConsecutive } from "#lib/core/providers/fal.samples.ts";
import {
  fastspringConsecutive,
  fastspringSamples,
} from "#lib/core/providers/fastspring.samples.ts";
import { fathomConsecutive } from "#lib/core/providers/fathom.samples.ts";
import { figmaConsecutive } from "#lib/core/providers/figma.samples.ts";
import {
  fireblocksConsecutive,
  fireblocksSamples,
} from "#lib/core/providers/fireblocks.samples.ts";
import { firecrawlConsecutive } from "#lib/core/providers/firecrawl.samples.ts";
import {
  flutterwaveConsecutive,
  flutterwaveSamples,
} from "#lib/core/providers/flutterwave.samples.ts";
import {
  flutterwaveV3Consecutive,
  flutterwaveV3Samples,
} from "#lib/core/providers/flutterwave-v3.samples.ts";
import { folkConsecutive } from "#lib/core/providers/folk.samples.ts";
import { frontConsecutive } from "#lib/core/providers/front.samples.ts";
import { fusionauthConsecutive } from "#lib/core/providers/fusionauth.samples.ts";
import { geminiConsecutive, geminiSamples } from "#lib/core/providers/gemini.samples.ts";
import { ghostConsecutive } from "#lib/core/providers/ghost.samples.ts";
import { giteaConsecutive } from "#lib/core/providers/gitea.samples.ts";
import { githubConsecutive, githubSamples } from "#lib/core/providers/github.samples.ts";
import { gitlabConsecutive, gitlabSamples } from "#lib/core/providers/gitlab.samples.ts";
import {
  gitlabSigningConsecutive,
  gitlabSigningSamples,
} from "#lib/core/providers/gitlab-signing.samples.ts";
import { gocardlessConsecutive } from "#lib/core/providers/gocardless.samples.ts";
import { googleChannelsConsecutive } from "#lib/core/providers/google-channels.samples.ts";
import {
  googleChatConsecutive,
  googleChatSamples,
} from "#lib/core/providers/google-chat.samples.ts";
import { googlePubsubConsecutive } from "#lib/core/providers/google-pubsub.samples.ts";
import { grafanaConsecutive } from "#lib/core/providers/grafana.samples.ts";
import { greenhouseConsecutive } from "#lib/core/providers/greenhouse.samples.ts";
import {
  hcpTerraformConsecutive,
  hcpTerraformSamples,
} from "#lib/core/providers/hcp-terraform.samples.ts";
import { helpScoutConsecutive } from "#lib/core/providers/help-scout.samples.ts";
import { herokuConsecutive } from "#lib/core/providers/heroku.samples.ts";
import { hook0Consecutive } from "#lib/core/providers/hook0.samples.ts";
import { hookdeckConsecutive } from "#lib/core/providers/hookdeck.samples.ts";
import { hubspotConsecutive, hubspotSamples } from "#lib/core/providers/hubspot.samples.ts";
import { hubspotV1Consecutive, hubspotV1Samples } from "#lib/core/providers/hubspot-v1.samples.ts";
import { hubspotV2Consecutive } from "#lib/core/providers/hubspot-v2.samples.ts";
import { huggingFaceConsecutive } from "#lib/core/providers/hugging-face.samples.ts";
import { hygraphConsecutive } from "#lib/core/providers/hygraph.samples.ts";
import { incidentIoConsecutive } from "#lib/core/providers/incident-io.samples.ts";
import { increaseConsecutive, increaseSamples } from "#lib/core/providers/increase.samples.ts";
import { infisicalConsecutive } from "#lib/core/providers/infisical.samples.ts";
import { intercomConsecutive, intercomSamples } from "#lib/core/providers/intercom.samples.ts";
import { jiraConsecutive, jiraSamples } from "#lib/core/providers/jira.samples.ts";
import { jobberConsecutive } from "#lib/core/providers/jobber.samples.ts";
import { kickConsecutive } from "#lib/core/providers/kick.samples.ts";
import { kindeConsecutive } from "#lib/core/providers/kinde.samples.ts";
import { klaviyoConsecutive, klaviyoSamples } from "#lib/core/providers/klaviyo.samples.ts";
import { lagoConsecutive } from "#lib/core/providers/lago.samples.ts";
import { lagoJwtConsecutive } from "#lib/core/providers/lago-jwt.samples.ts";
import { langfuseConsecutive } from "#lib/core/providers/langfuse.samples.ts";
import { larkConsecutive, larkSamples } from "#lib/core/providers/lark.samples.ts";
import {
  launchdarklyConsecutive,
  launchdarklySamples,
} from "#lib/core/providers/launchdarkly.samples.ts";
import {
  lemonSqueezyConsecutive,
  lemonSqueezySamples,
} from "#lib/core/providers/lemon-squeezy.samples.ts";
import { lineConsecutive } from "#lib/core/providers/line.samples.ts";
import { linearConsecutive, linearSamples } from "#lib/core/providers/linear.samples.ts";
import { linkedinConsecutive, linkedinSamples } from "#lib/core/providers/linkedin.samples.ts";
import { lithicConsecutive } from "#lib/core/providers/lithic.samples.ts";
import { liveblocksConsecutive } from "#lib/core/providers/liveblocks.samples.ts";
import { livekitConsecutive } from "#lib/core/providers/livekit.samples.ts";
import { logtoConsecutive, logtoSamples } from "#lib/core/providers/logto.samples.ts";
import { loopsConsecutive } from "#lib/core/providers/loops.samples.ts";
import { mailchimpConsecutive } from "#lib/core/providers/mailchimp.samples.ts";
import { mailersendConsecutive } from "#lib/core/providers/mailersend.samples.ts";
import { mailgunConsecutive, mailgunSamples } from "#lib/core/providers/mailgun.samples.ts";
import { mandrillConsecutive } from "#lib/core/providers/mandrill.samples.ts";
import { maxioConsecutive, maxioSamples } from "#lib/core/providers/maxio.samples.ts";
import { mercadoPagoConsecutive } from "#lib/core/providers/mercado-pago.samples.ts";
import { mercuryConsecutive, mercurySamples } from "#lib/core/providers/mercury.samples.ts";
import { mergeConsecutive, mergeSamples } from "#lib/core/providers/merge.samples.ts";
import { messagebirdConsecutive } from "#lib/core/providers/messagebird.samples.ts";
import { metaConsecutive } from "#lib/core/providers/meta.samples.ts";
import { metronomeConsecutive } from "#lib/core/providers/metronome.samples.ts";
import { microsoftGraphConsecutive } from "#lib/core/providers/microsoft-graph.samples.ts";
import { midtransConsecutive, midtransSamples } from "#lib/core/providers/midtrans.samples.ts";
import {
  midtransPayoutsConsecutive,
  midtransPayoutsSamples,
} from "#lib/core/providers/midtrans-payouts.samples.ts";
import { modernTreasuryConsecutive } from "#lib/core/providers/modern-treasury.samples.ts";
import { mollieConsecutive, mollieSamples } from "#lib/core/providers/mollie.samples.ts";
import { mondayConsecutive } from "#lib/core/providers/monday.samples.ts";
import {
  mongodbAtlasConsecutive,
  mongodbAtlasSamples,
} from "#lib/core/providers/mongodb-atlas.samples.ts";
import { msTeamsConsecutive } from "#lib/core/providers/ms-teams.samples.ts";
import { muxConsecutive } from "#lib/core/providers/mux.samples.ts";
import { nangoConsecutive, nangoSamples } from "#lib/core/providers/nango.samples.ts";
import { netlifyConsecutive } from "#lib/core/providers/netlify.samples.ts";
import { newRelicConsecutive, newRelicSamples } from "#lib/core/providers/new-relic.samples.ts";
import { nmiConsecutive, nmiSamples } from "#lib/core/providers/nmi.samples.ts";
import { notionConsecutive, notionSamples } from "#lib/core/providers/notion.samples.ts";
import { npmConsecutive, npmSamples } from "#lib/core/providers/npm.samples.ts";
import { nuvemshopConsecutive } from "#lib/core/providers/nuvemshop.samples.ts";
import { nylasConsecutive } from "#lib/core/providers/nylas.samples.ts";
import { oktaConsecutive } from "#lib/core/providers/okta.samples.ts";
import { onfidoConsecutive } from "#lib/core/providers/onfido.samples.ts";
import { openaiConsecutive } from "#lib/core/providers/openai.samples.ts";
import { orbConsecutive } from "#lib/core/providers/orb.samples.ts";
import { paddleConsecutive, paddleSamples } from "#lib/core/providers/paddle.samples.ts";
import {
  paddleClassicConsecutive,
  paddleClassicSamples,
} from "#lib/core/providers/paddle-classic.samples.ts";
import { pagerdutyConsecutive, pagerdutySamples } from "#lib/core/providers/pagerduty.samples.ts";
import { pandadocConsecutive, pandadocSamples } from "#lib/core/providers/pandadoc.samples.ts";
import { patreonConsecutive, patreonSamples } from "#lib/core/providers/patreon.samples.ts";
import { payfastConsecutive, payfastSamples } from "#lib/core/providers/payfast.samples.ts";
import { paypalConsecutive, paypalSamples } from "#lib/core/providers/paypal.samples.ts";
import { paystackConsecutive } from "#lib/core/providers/paystack.samples.ts";
import { personaConsecutive } from "#lib/core/providers/persona.samples.ts";
import { pipedriveConsecutive, pipedriveSamples } from "#lib/core/providers/pipedrive.samples.ts";
import { plaidConsecutive } from "#lib/core/providers/plaid.samples.ts";
import { plainConsecutive } from "#lib/core/providers/plain.samples.ts";
import { planetscaleConsecutive } from "#lib/core/providers/planetscale.samples.ts";
import { plivoConsecutive } from "#lib/core/providers/plivo.samples.ts";
import { plivoV3Consecutive } from "#lib/core/providers/plivo-v3.samples.ts";
import { polarConsecutive } from "#lib/core/providers/polar.samples.ts";
import { postmarkConsecutive, postmarkSamples } from "#lib/core/providers/postmark.samples.ts";
import { pusherConsecutive } from "#lib/core/providers/pusher.samples.ts";
import { qstashConsecutive, qstashSamples } from "#lib/core/providers/qstash.samples.ts";
import { quickbooksConsecutive } from "#lib/core/providers/quickbooks.samples.ts";
import { quicknodeConsecutive } from "#lib/core/providers/quicknode.samples.ts";
import { rampConsecutive, rampSamples } from "#lib/core/providers/ramp.samples.ts";
import { razorpayConsecutive } from "#lib/core/providers/razorpay.samples.ts";
import { recallAiConsecutive } from "#lib/core/providers/recall-ai.samples.ts";
import { rechargeConsecutive, rechargeSamples } from "#lib/core/providers/recharge.samples.ts";
import { recurlyConsecutive, recurlySamples } from "#lib/core/providers/recurly.samples.ts";
import { renderConsecutive } from "#lib/core/providers/render.samples.ts";
import { replicateConsecutive } from "#lib/core/providers/replicate.samples.ts";
import { resendConsecutive, resendSamples } from "#lib/core/providers/resend.samples.ts";
import { retellConsecutive } from "#lib/core/providers/retell.samples.ts";
import { revenuecatConsecutive } from "#lib/core/providers/revenuecat.samples.ts";
import {
  ringcentralConsecutive,
  ringcentralSamples,
} from "#lib/core/providers/ringcentral.samples.ts";
import { rootlyConsecutive } from "#lib/core/providers/rootly.samples.ts";
import {
  salesforceConsecutive,
  salesforceSamples,
} from "#lib/core/providers/salesforce.samples.ts";
import {
  salesforceMarketingCloudConsecutive,
  salesforceMarketingCloudSamples,
} from "#lib/core/providers/salesforce-marketing-cloud.samples.ts";
import { sanityConsecutive } from "#lib/core/providers/sanity.samples.ts";
import { segmentConsecutive, segmentSamples } from "#lib/core/providers/segment.samples.ts";
import { sellsyConsecutive } from "#lib/core/providers/sellsy.samples.ts";
import { sendgridConsecutive, sendgridSamples } from "#lib/core/providers/sendgrid.samples.ts";
import { sentryConsecutive, sentrySamples } from "#lib/core/providers/sentry.samples.ts";
import type { Consecutive, SampleEvents } from "#lib/core/providers/shapes/sample-event.ts";
import { shippoConsecutive, shippoSamples } from "#lib/core/providers/shippo.samples.ts";
import { shopifyConsecutive, shopifySamples } from "#lib/core/providers/shopify.samples.ts";
import { shoplineConsecutive, shoplineSamples } from "#lib/core/providers/shopline.samples.ts";
import { sinchConsecutive, sinchSamples } from "#lib/core/providers/sinch.samples.ts";
import { slackConsecutive, slackSamples } from "#lib/core/providers/slack.samples.ts";
import { smartcarConsecutive, smartcarSamples } from "#lib/core/providers/smartcar.samples.ts";
import { snykConsecutive, snykSamples } from "#lib/core/providers/snyk.samples.ts";
import { solidgateConsecutive, solidgateSamples } from "#lib/core/providers/solidgate.samples.ts";
import { sonarqubeConsecutive, sonarqubeSamples } from "#lib/core/providers/sonarqube.samples.ts";
import { squareConsecutive, squareSamples } from "#lib/core/providers/square.samples.ts";
import {
  squarespaceConsecutive,
  squarespaceSamples,
} from "#lib/core/providers/squarespace.samples.ts";
import { standardWebhooksConsecutive } from "#lib/core/providers/standard-webhooks.samples.ts";
import { standardWebhooksEd25519Consecutive } from "#lib/core/providers/standard-webhooks-ed25519.samples.ts";
import { storyblokConsecutive } from "#lib/core/providers/storyblok.samples.ts";
import { stravaConsecutive, stravaSamples } from "#lib/core/providers/strava.samples.ts";
import { streamConsecutive } from "#lib/core/providers/stream.samples.ts";
import { stripeConsecutive, stripeSamples } from "#lib/core/providers/stripe.samples.ts";
import { stytchConsecutive, stytchSamples } from "#lib/core/providers/stytch.samples.ts";
import { supabaseConsecutive } from "#lib/core/providers/supabase.samples.ts";
import {
  supabaseAuthConsecutive,
  supabaseAuthSamples,
} from "#lib/core/providers/supabase-auth.samples.ts";
import { svixConsecutive } from "#lib/core/providers/svix.samples.ts";
import { tailscaleConsecutive } from "#lib/core/providers/tailscale.samples.ts";
import { tallyConsecutive, tallySamples } from "#lib/core/providers/tally.samples.ts";
import { telegramConsecutive, telegramSamples } from "#lib/core/providers/telegram.samples.ts";
import { telnyxConsecutive } from "#lib/core/providers/telnyx.samples.ts";
import { tiktokConsecutive } from "#lib/core/providers/tiktok.samples.ts";
import {
  tiktokShopConsecutive,
  tiktokShopSamples,
} from "#lib/core/providers/tiktok-shop.samples.ts";
import { travisCiConsecutive } from "#lib/core/providers/travis-ci.samples.ts";
import { trelloConsecutive } from "#lib/core/providers/trello.samples.ts";
import { twilioConsecutive, twilioSamples } from "#lib/core/providers/twilio.samples.ts";
import { twitchConsecutive, twitchSamples } from "#lib/core/providers/twitch.samples.ts";
import { typeformConsecutive, typeformSamples } from "#lib/core/providers/typeform.samples.ts";
import { vapiConsecutive } from "#lib/core/providers/vapi.samples.ts";
import { vercelConsecutive } from "#lib/core/providers/vercel.samples.ts";
import {
  vercelLogDrainsConsecutive,
  vercelLogDrainsSamples,
} from "#lib/core/providers/vercel-log-drains.samples.ts";
import { veriffConsecutive, veriffSamples } from "#lib/core/providers/veriff.samples.ts";
import { vonageConsecutive } from "#lib/core/providers/vonage.samples.ts";
import { webexConsecutive } from "#lib/core/providers/webex.samples.ts";
import { webflowConsecutive } from "#lib/core/providers/webflow.samples.ts";
import { wechatConsecutive, wechatSamples } from "#lib/core/providers/wechat.samples.ts";
import { whoopConsecutive, whoopSamples } from "#lib/core/providers/whoop.samples.ts";
import { wiseConsecutive } from "#lib/core/providers/wise.samples.ts";
import { wixConsecutive } from "#lib/core/providers/wix.samples.ts";
import {
  woocommerceConsecutive,
  woocommerceSamples,
} from "#lib/core/providers/woocommerce.samples.ts";
import { workosConsecutive } from "#lib/core/providers/workos.samples.ts";
import { worldpayConsecutive, worldpaySamples } from "#lib/core/providers/worldpay.samples.ts";
import { xConsecutive } from "#lib/core/providers/x.samples.ts";
import { xenditConsecutive, xenditSamples } from "#lib/core/providers/xendit.samples.ts";
import { xeroConsecutive } from "#lib/core/providers/xero.samples.ts";
import { zendeskConsecutive, zendeskSamples } from "#lib/core/providers/zendesk.samples.ts";
import { zoomConsecutive, zoomSamples } from "#lib/core/providers/zoom.samples.ts";

export const sampleIndex: ReadonlyMap<string, SampleEvents> = new Map([
  ["ably", ablySamples],
  ["adobe-sign", adobeSignSamples],
  ["adyen", adyenSamples],
  ["aftership", aftershipSamples],
  ["airwallex", airwallexSamples],
  ["alchemy", alchemySamples],
  ["alertmanager", alertmanagerSamples],
  ["assemblyai", assemblyaiSamples],
  ["auth0", auth0Samples],
  ["authorize-net", authorizeNetSamples],
  ["azure-devops", azureDevopsSamples],
  ["bot-framework", botFrameworkSamples],
  ["calendly", calendlySamples],
  ["cashfree", cashfreeSamples],
  ["chatwoot", chatwootSamples],
  ["circle", circleSamples],
  ["clerk", clerkSamples],
  ["close", closeSamples],
  ["coinbase-cdp", coinbaseCdpSamples],
  ["commerce-layer", commerceLayerSamples],
  ["courier", courierSamples],
  ["cursor", cursorSamples],
  ["datadog", datadogSamples],
  ["dbt-cloud", dbtCloudSamples],
  ["deel", deelSamples],
  ["deepgram", deepgramSamples],
  ["discord", discordSamples],
  ["documenso", documensoSamples],
  ["dwolla", dwollaSamples],
  ["etsy", etsySamples],
  ["expo", expoSamples],
  ["fastspring", fastspringSamples],
  ["fireblocks", fireblocksSamples],
  ["flutterwave", flutterwaveSamples],
  ["flutterwave-v3", flutterwaveV3Samples],
  ["gemini", geminiSamples],
  ["github", githubSamples],
  ["gitlab", gitlabSamples],
  ["gitlab-signing", gitlabSigningSamples],
  ["google-chat", googleChatSamples],
  ["hcp-terraform", hcpTerraformSamples],
  ["hubspot", hubspotSamples],
  ["hubspot-v1", hubspotV1Samples],
  ["increase", increaseSamples],
  ["intercom", intercomSamples],
  ["jira", jiraSamples],
  ["klaviyo", klaviyoSamples],
  ["lark", larkSamples],
  ["launchdarkly", launchdarklySamples],
  ["lemon-squeezy", lemonSqueezySamples],
  ["linear", linearSamples],
  ["linkedin", linkedinSamples],
  ["logto", logtoSamples],
  ["mailgun", mailgunSamples],
  ["maxio", maxioSamples],
  ["mercury", mercurySamples],
  ["merge", mergeSamples],
  ["midtrans", midtransSamples],
  ["midtrans-payouts", midtransPayoutsSamples],
  ["mollie", mollieSamples],
  ["mongodb-atlas", mongodbAtlasSamples],
  ["nango", nangoSamples],
  ["new-relic", newRelicSamples],
  ["nmi", nmiSamples],
  ["notion", notionSamples],
  ["npm", npmSamples],
  ["paddle", paddleSamples],
  ["paddle-classic", paddleClassicSamples],
  ["pagerduty", pagerdutySamples],
  ["pandadoc", pandadocSamples],
  ["patreon", patreonSamples],
  ["payfast", payfastSamples],
  ["paypal", paypalSamples],
  ["pipedrive", pipedriveSamples],
  ["postmark", postmarkSamples],
  ["qstash", qstashSamples],
  ["ramp", rampSamples],
  ["recharge", rechargeSamples],
  ["recurly", recurlySamples],
  ["resend", resendSamples],
  ["ringcentral", ringcentralSamples],
  ["salesforce", salesforceSamples],
  ["salesforce-marketing-cloud", salesforceMarketingCloudSamples],
  ["segment", segmentSamples],
  ["sendgrid", sendgridSamples],
  ["sentry", sentrySamples],
  ["shippo", shippoSamples],
  ["shopify", shopifySamples],
  ["shopline", shoplineSamples],
  ["sinch", sinchSamples],
  ["slack", slackSamples],
  ["smartcar", smartcarSamples],
  ["snyk", snykSamples],
  ["solidgate", solidgateSamples],
  ["sonarqube", sonarqubeSamples],
  ["square", squareSamples],
  ["squarespace", squarespaceSamples],
  ["strava", stravaSamples],
  ["stripe", stripeSamples],
  ["stytch", stytchSamples],
  ["supabase-auth", supabaseAuthSamples],
  ["tally", tallySamples],
  ["telegram", telegramSamples],
  ["tiktok-shop", tiktokShopSamples],
  ["twilio", twilioSamples],
  ["twitch", twitchSamples],
  ["typeform", typeformSamples],
  ["vercel-log-drains", vercelLogDrainsSamples],
  ["veriff", veriffSamples],
  ["wechat", wechatSamples],
  ["whoop", whoopSamples],
  ["woocommerce", woocommerceSamples],
  ["worldpay", worldpaySamples],
  ["xendit", xenditSamples],
  ["zendesk", zendeskSamples],
  ["zoom", zoomSamples],
]);

export const consecutiveIndex: ReadonlyMap<string, Consecutive> = new Map([
  ["ably", ablyConsecutive],
  ["adobe-sign", adobeSignConsecutive],
  ["adyen", adyenConsecutive],
  ["adyen-platform", adyenPlatformConsecutive],
  ["aftership", aftershipConsecutive],
  ["airtable", airtableConsecutive],
  ["airwallex", airwallexConsecutive],
  ["alchemy", alchemyConsecutive],
  ["alertmanager", alertmanagerConsecutive],
  ["anthropic", anthropicConsecutive],
  ["apple-app-store", appleAppStoreConsecutive],
  ["asana", asanaConsecutive],
  ["ashby", ashbyConsecutive],
  ["assemblyai", assemblyaiConsecutive],
  ["attio", attioConsecutive],
  ["auth0", auth0Consecutive],
  ["authorize-net", authorizeNetConsecutive],
  ["aws-sns", awsSnsConsecutive],
  ["azure-devops", azureDevopsConsecutive],
  ["azure-event-grid", azureEventGridConsecutive],
  ["basic-auth", basicAuthConsecutive],
  ["bearer", bearerConsecutive],
  ["bigcommerce", bigcommerceConsecutive],
  ["bitbucket", bitbucketConsecutive],
  ["bot-framework", botFrameworkConsecutive],
  ["box", boxConsecutive],
  ["braintree", braintreeConsecutive],
  ["brevo", brevoConsecutive],
  ["brex", brexConsecutive],
  ["browserbase", browserbaseConsecutive],
  ["buildkite", buildkiteConsecutive],
  ["cal-com", calComConsecutive],
  ["calendly", calendlyConsecutive],
  ["cashfree", cashfreeConsecutive],
  ["chargebee", chargebeeConsecutive],
  ["chatwoot", chatwootConsecutive],
  ["checkout-com", checkoutComConsecutive],
  ["checkr", checkrConsecutive],
  ["circle", circleConsecutive],
  ["circleci", circleciConsecutive],
  ["clerk", clerkConsecutive],
  ["clickup", clickupConsecutive],
  ["close", closeConsecutive],
  ["cloudevents", cloudeventsConsecutive],
  ["cloudflare-notifications", cloudflareNotificationsConsecutive],
  ["cloudflare-stream", cloudflareStreamConsecutive],
  ["cloudinary", cloudinaryConsecutive],
  ["coinbase-cdp", coinbaseCdpConsecutive],
  ["coinbase-commerce", coinbaseCommerceConsecutive],
  ["commerce-layer", commerceLayerConsecutive],
  ["composio", composioConsecutive],
  ["contentful", contentfulConsecutive],
  ["convoy", convoyConsecutive],
  ["courier", courierConsecutive],
  ["crisp", crispConsecutive],
  ["cursor", cursorConsecutive],
  ["customer-io", customerIoConsecutive],
  ["datadog", datadogConsecutive],
  ["dbt-cloud", dbtCloudConsecutive],
  ["deel", deelConsecutive],
  ["deepgram", deepgramConsecutive],
  ["discord", discordConsecutive],
  ["documenso", documensoConsecutive],
  ["docusign", docusignConsecutive],
  ["dodo-payments", dodoPaymentsConsecutive],
  ["doppler", dopplerConsecutive],
  ["dropbox", dropboxConsecutive],
  ["dropbox-sign", dropboxSignConsecutive],
  ["dwolla", dwollaConsecutive],
  ["easypost", easypostConsecutive],
  ["ebay", ebayConsecutive],
  ["elevenlabs", elevenlabsConsecutive],
  ["etsy", etsyConsecutive],
  ["expo", expoConsecutive],
  ["fal", falConsecutive],
  ["fastspring", fastspringConsecutive],
  ["fathom", fathomConsecutive],
  ["figma", figmaConsecutive],
  ["fireblocks", fireblocksConsecutive],
  ["firecrawl", firecrawlConsecutive],
  ["flutterwave", flutterwaveConsecutive],
  ["flutterwave-v3", flutterwaveV3Consecutive],
  ["folk", folkConsecutive],
  ["front", frontConsecutive],
  ["fusionauth", fusionauthConsecutive],
  ["gemini", geminiConsecutive],
  ["ghost", ghostConsecutive],
  ["gitea", giteaConsecutive],
  ["github", githubConsecutive],
  ["gitlab", gitlabConsecutive],
  ["gitlab-signing", gitlabSigningConsecutive],
  ["gocardless", gocardlessConsecutive],
  ["google-channels", googleChannelsConsecutive],
  ["google-chat", googleChatConsecutive],
  ["google-pubsub", googlePubsubConsecutive],
  ["grafana", grafanaConsecutive],
  ["greenhouse", greenhouseConsecutive],
  ["hcp-terraform", hcpTerraformConsecutive],
  ["help-scout", helpScoutConsecutive],
  ["heroku", herokuConsecutive],
  ["hook0", hook0Consecutive],
  ["hookdeck", hookdeckConsecutive],
  ["hubspot", hubspotConsecutive],
  ["hubspot-v1", hubspotV1Consecutive],
  ["hubspot-v2", hubspotV2Consecutive],
  ["hugging-face", huggingFaceConsecutive],
  ["hygraph", hygraphConsecutive],
  ["incident-io", incidentIoConsecutive],
  ["increase", increaseConsecutive],
  ["infisical", infisicalConsecutive],
  ["intercom", intercomConsecutive],
  ["jira", jiraConsecutive],
  ["jobber", jobberConsecutive],
  ["kick", kickConsecutive],
  ["kinde", kindeConsecutive],
  ["klaviyo", klaviyoConsecutive],
  ["lago", lagoConsecutive],
  ["lago-jwt", lagoJwtConsecutive],
  ["langfuse", langfuseConsecutive],
  ["lark", larkConsecutive],
  ["launchdarkly", launchdarklyConsecutive],
  ["lemon-squeezy", lemonSqueezyConsecutive],
  ["line", lineConsecutive],
  ["linear", linearConsecutive],
  ["linkedin", linkedinConsecutive],
  ["lithic", lithicConsecutive],
  ["liveblocks", liveblocksConsecutive],
  ["livekit", livekitConsecutive],
  ["logto", logtoConsecutive],
  ["loops", loopsConsecutive],
  ["mailchimp", mailchimpConsecutive],
  ["mailersend", mailersendConsecutive],
  ["mailgun", mailgunConsecutive],
  ["mandrill", mandrillConsecutive],
  ["maxio", maxioConsecutive],
  ["mercado-pago", mercadoPagoConsecutive],
  ["mercury", mercuryConsecutive],
  ["merge", mergeConsecutive],
  ["messagebird", messagebirdConsecutive],
  ["meta", metaConsecutive],
  ["metronome", metronomeConsecutive],
  ["microsoft-graph", microsoftGraphConsecutive],
  ["midtrans", midtransConsecutive],
  ["midtrans-payouts", midtransPayoutsConsecutive],
  ["modern-treasury", modernTreasuryConsecutive],
  ["mollie", mollieConsecutive],
  ["monday", mondayConsecutive],
  ["mongodb-atlas", mongodbAtlasConsecutive],
  ["ms-teams", msTeamsConsecutive],
  ["mux", muxConsecutive],
  ["nango", nangoConsecutive],
  ["netlify", netlifyConsecutive],
  ["new-relic", newRelicConsecutive],
  ["nmi", nmiConsecutive],
  ["notion", notionConsecutive],
  ["npm", npmConsecutive],
  ["nuvemshop", nuvemshopConsecutive],
  ["nylas", nylasConsecutive],
  ["okta", oktaConsecutive],
  ["onfido", onfidoConsecutive],
  ["openai", openaiConsecutive],
  ["orb", orbConsecutive],
  ["paddle", paddleConsecutive],
  ["paddle-classic", paddleClassicConsecutive],
  ["pagerduty", pagerdutyConsecutive],
  ["pandadoc", pandadocConsecutive],
  ["patreon", patreonConsecutive],
  ["payfast", payfastConsecutive],
  ["paypal", paypalConsecutive],
  ["paystack", paystackConsecutive],
  ["persona", personaConsecutive],
  ["pipedrive", pipedriveConsecutive],
  ["plaid", plaidConsecutive],
  ["plain", plainConsecutive],
  ["planetscale", planetscaleConsecutive],
  ["plivo", plivoConsecutive],
  ["plivo-v3", plivoV3Consecutive],
  ["polar", polarConsecutive],
  ["postmark", postmarkConsecutive],
  ["pusher", pusherConsecutive],
  ["qstash", qstashConsecutive],
  ["quickbooks", quickbooksConsecutive],
  ["quicknode", quicknodeConsecutive],
  ["ramp", rampConsecutive],
  ["razorpay", razorpayConsecutive],
  ["recall-ai", recallAiConsecutive],
  ["recharge", rechargeConsecutive],
  ["recurly", recurlyConsecutive],
  ["render", renderConsecutive],
  ["replicate", replicateConsecutive],
  ["resend", resendConsecutive],
  ["retell", retellConsecutive],
  ["revenuecat", revenuecatConsecutive],
  ["ringcentral", ringcentralConsecutive],
  ["rootly", rootlyConsecutive],
  ["salesforce", salesforceConsecutive],
  ["salesforce-marketing-cloud", salesforceMarketingCloudConsecutive],
  ["sanity", sanityConsecutive],
  ["segment", segmentConsecutive],
  ["sellsy", sellsyConsecutive],
  ["sendgrid", sendgridConsecutive],
  ["sentry", sentryConsecutive],
  ["shippo", shippoConsecutive],
  ["shopify", shopifyConsecutive],
  ["shopline", shoplineConsecutive],
  ["sinch", sinchConsecutive],
  ["slack", slackConsecutive],
  ["smartcar", smartcarConsecutive],
  ["snyk", snykConsecutive],
  ["solidgate", solidgateConsecutive],
  ["sonarqube", sonarqubeConsecutive],
  ["square", squareConsecutive],
  ["squarespace", squarespaceConsecutive],
  ["standard-webhooks", standardWebhooksConsecutive],
  ["standard-webhooks-ed25519", standardWebhooksEd25519Consecutive],
  ["storyblok", storyblokConsecutive],
  ["strava", stravaConsecutive],
  ["stream", streamConsecutive],
  ["stripe", stripeConsecutive],
  ["stytch", stytchConsecutive],
  ["supabase", supabaseConsecutive],
  ["supabase-auth", supabaseAuthConsecutive],
  ["svix", svixConsecutive],
  ["tailscale", tailscaleConsecutive],
  ["tally", tallyConsecutive],
  ["telegram", telegramConsecutive],
  ["telnyx", telnyxConsecutive],
  ["tiktok", tiktokConsecutive],
  ["tiktok-shop", tiktokShopConsecutive],
  ["travis-ci", travisCiConsecutive],
  ["trello", trelloConsecutive],
  ["twilio", twilioConsecutive],
  ["twitch", twitchConsecutive],
  ["typeform", typeformConsecutive],
  ["vapi", vapiConsecutive],
  ["vercel", vercelConsecutive],
  ["vercel-log-drains", vercelLogDrainsConsecutive],
  ["veriff", veriffConsecutive],
  ["vonage", vonageConsecutive],
  ["webex", webexConsecutive],
  ["webflow", webflowConsecutive],
  ["wechat", wechatConsecutive],
  ["whoop", whoopConsecutive],
  ["wise", wiseConsecutive],
  ["wix", wixConsecutive],
  ["woocommerce", woocommerceConsecutive],
  ["workos", workosConsecutive],
  ["worldpay", worldpayConsecutive],
  ["x", xConsecutive],
  ["xendit", xenditConsecutive],
  ["xero", xeroConsecutive],
  ["zendesk", zendeskConsecutive],
  ["zoom", zoomConsecutive],
]);
