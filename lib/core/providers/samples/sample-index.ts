// biome-ignore-all lint/style/noExcessiveLinesPerFile: it has a line for each provider
/** Generated from lib/core/providers by `npm run generate`. Don't edit it. */

import { ablySamples } from "#lib/core/providers/ably.samples.ts";
import { adobeSignSamples } from "#lib/core/providers/adobe-sign.samples.ts";
import { adyenSamples } from "#lib/core/providers/adyen.samples.ts";
import { aftershipSamples } from "#lib/core/providers/aftership.samples.ts";
import { airwallexSamples } from "#lib/core/providers/airwallex.samples.ts";
import { alchemySamples } from "#lib/core/providers/alchemy.samples.ts";
import { alertmanagerSamples } from "#lib/core/providers/alertmanager.samples.ts";
import { assemblyaiSamples } from "#lib/core/providers/assemblyai.samples.ts";
import { auth0Samples } from "#lib/core/providers/auth0.samples.ts";
import { authorizeNetSamples } from "#lib/core/providers/authorize-net.samples.ts";
import { azureDevopsSamples } from "#lib/core/providers/azure-devops.samples.ts";
import { botFrameworkSamples } from "#lib/core/providers/bot-framework.samples.ts";
import { calendlySamples } from "#lib/core/providers/calendly.samples.ts";
import { cashfreeSamples } from "#lib/core/providers/cashfree.samples.ts";
import { chatwootSamples } from "#lib/core/providers/chatwoot.samples.ts";
import { circleSamples } from "#lib/core/providers/circle.samples.ts";
import { clerkSamples } from "#lib/core/providers/clerk.samples.ts";
import { closeSamples } from "#lib/core/providers/close.samples.ts";
import { coinbaseCdpSamples } from "#lib/core/providers/coinbase-cdp.samples.ts";
import { commerceLayerSamples } from "#lib/core/providers/commerce-layer.samples.ts";
import { courierSamples } from "#lib/core/providers/courier.samples.ts";
import { cursorSamples } from "#lib/core/providers/cursor.samples.ts";
import { datadogSamples } from "#lib/core/providers/datadog.samples.ts";
import { dbtCloudSamples } from "#lib/core/providers/dbt-cloud.samples.ts";
import { deelSamples } from "#lib/core/providers/deel.samples.ts";
import { deepgramSamples } from "#lib/core/providers/deepgram.samples.ts";
import { discordSamples } from "#lib/core/providers/discord.samples.ts";
import { documensoSamples } from "#lib/core/providers/documenso.samples.ts";
import { dwollaSamples } from "#lib/core/providers/dwolla.samples.ts";
import { etsySamples } from "#lib/core/providers/etsy.samples.ts";
import { expoSamples } from "#lib/core/providers/expo.samples.ts";
import { fastspringSamples } from "#lib/core/providers/fastspring.samples.ts";
import { fireblocksSamples } from "#lib/core/providers/fireblocks.samples.ts";
import { flutterwaveSamples } from "#lib/core/providers/flutterwave.samples.ts";
import { flutterwaveV3Samples } from "#lib/core/providers/flutterwave-v3.samples.ts";
import { geminiSamples } from "#lib/core/providers/gemini.samples.ts";
import { githubSamples } from "#lib/core/providers/github.samples.ts";
import { gitlabSamples } from "#lib/core/providers/gitlab.samples.ts";
import { gitlabSigningSamples } from "#lib/core/providers/gitlab-signing.samples.ts";
import { googleChatSamples } from "#lib/core/providers/google-chat.samples.ts";
import { hcpTerraformSamples } from "#lib/core/providers/hcp-terraform.samples.ts";
import { hubspotSamples } from "#lib/core/providers/hubspot.samples.ts";
import { hubspotV1Samples } from "#lib/core/providers/hubspot-v1.samples.ts";
import { increaseSamples } from "#lib/core/providers/increase.samples.ts";
import { intercomSamples } from "#lib/core/providers/intercom.samples.ts";
import { jiraSamples } from "#lib/core/providers/jira.samples.ts";
import { klaviyoSamples } from "#lib/core/providers/klaviyo.samples.ts";
import { larkSamples } from "#lib/core/providers/lark.samples.ts";
import { launchdarklySamples } from "#lib/core/providers/launchdarkly.samples.ts";
import { lemonSqueezySamples } from "#lib/core/providers/lemon-squeezy.samples.ts";
import { linearSamples } from "#lib/core/providers/linear.samples.ts";
import { linkedinSamples } from "#lib/core/providers/linkedin.samples.ts";
import { logtoSamples } from "#lib/core/providers/logto.samples.ts";
import { mailgunSamples } from "#lib/core/providers/mailgun.samples.ts";
import { maxioSamples } from "#lib/core/providers/maxio.samples.ts";
import { mcpEventsSamples } from "#lib/core/providers/mcp-events.samples.ts";
import { mercurySamples } from "#lib/core/providers/mercury.samples.ts";
import { mergeSamples } from "#lib/core/providers/merge.samples.ts";
import { midtransSamples } from "#lib/core/providers/midtrans.samples.ts";
import { midtransPayoutsSamples } from "#lib/core/providers/midtrans-payouts.samples.ts";
import { mollieSamples } from "#lib/core/providers/mollie.samples.ts";
import { mongodbAtlasSamples } from "#lib/core/providers/mongodb-atlas.samples.ts";
import { nangoSamples } from "#lib/core/providers/nango.samples.ts";
import { newRelicSamples } from "#lib/core/providers/new-relic.samples.ts";
import { nmiSamples } from "#lib/core/providers/nmi.samples.ts";
import { notionSamples } from "#lib/core/providers/notion.samples.ts";
import { npmSamples } from "#lib/core/providers/npm.samples.ts";
import { paddleSamples } from "#lib/core/providers/paddle.samples.ts";
import { paddleClassicSamples } from "#lib/core/providers/paddle-classic.samples.ts";
import { pagerdutySamples } from "#lib/core/providers/pagerduty.samples.ts";
import { pandadocSamples } from "#lib/core/providers/pandadoc.samples.ts";
import { patreonSamples } from "#lib/core/providers/patreon.samples.ts";
import { payfastSamples } from "#lib/core/providers/payfast.samples.ts";
import { paypalSamples } from "#lib/core/providers/paypal.samples.ts";
import { pipedriveSamples } from "#lib/core/providers/pipedrive.samples.ts";
import { postmarkSamples } from "#lib/core/providers/postmark.samples.ts";
import { qstashSamples } from "#lib/core/providers/qstash.samples.ts";
import { rampSamples } from "#lib/core/providers/ramp.samples.ts";
import { rechargeSamples } from "#lib/core/providers/recharge.samples.ts";
import { recurlySamples } from "#lib/core/providers/recurly.samples.ts";
import { resendSamples } from "#lib/core/providers/resend.samples.ts";
import { ringcentralSamples } from "#lib/core/providers/ringcentral.samples.ts";
import { salesforceSamples } from "#lib/core/providers/salesforce.samples.ts";
import { salesforceMarketingCloudSamples } from "#lib/core/providers/salesforce-marketing-cloud.samples.ts";
import { segmentSamples } from "#lib/core/providers/segment.samples.ts";
import { sendgridSamples } from "#lib/core/providers/sendgrid.samples.ts";
import { sentrySamples } from "#lib/core/providers/sentry.samples.ts";
import type { SampleEvents } from "#lib/core/providers/shapes/sample-event.ts";
import { shippoSamples } from "#lib/core/providers/shippo.samples.ts";
import { shopifySamples } from "#lib/core/providers/shopify.samples.ts";
import { shoplineSamples } from "#lib/core/providers/shopline.samples.ts";
import { sinchSamples } from "#lib/core/providers/sinch.samples.ts";
import { slackSamples } from "#lib/core/providers/slack.samples.ts";
import { smartcarSamples } from "#lib/core/providers/smartcar.samples.ts";
import { snykSamples } from "#lib/core/providers/snyk.samples.ts";
import { solidgateSamples } from "#lib/core/providers/solidgate.samples.ts";
import { sonarqubeSamples } from "#lib/core/providers/sonarqube.samples.ts";
import { squareSamples } from "#lib/core/providers/square.samples.ts";
import { squarespaceSamples } from "#lib/core/providers/squarespace.samples.ts";
import { stravaSamples } from "#lib/core/providers/strava.samples.ts";
import { stripeSamples } from "#lib/core/providers/stripe.samples.ts";
import { stytchSamples } from "#lib/core/providers/stytch.samples.ts";
import { supabaseAuthSamples } from "#lib/core/providers/supabase-auth.samples.ts";
import { tallySamples } from "#lib/core/providers/tally.samples.ts";
import { telegramSamples } from "#lib/core/providers/telegram.samples.ts";
import { tiktokShopSamples } from "#lib/core/providers/tiktok-shop.samples.ts";
import { twilioSamples } from "#lib/core/providers/twilio.samples.ts";
import { twitchSamples } from "#lib/core/providers/twitch.samples.ts";
import { typeformSamples } from "#lib/core/providers/typeform.samples.ts";
import { vercelLogDrainsSamples } from "#lib/core/providers/vercel-log-drains.samples.ts";
import { veriffSamples } from "#lib/core/providers/veriff.samples.ts";
import { wechatSamples } from "#lib/core/providers/wechat.samples.ts";
import { whoopSamples } from "#lib/core/providers/whoop.samples.ts";
import { woocommerceSamples } from "#lib/core/providers/woocommerce.samples.ts";
import { worldpaySamples } from "#lib/core/providers/worldpay.samples.ts";
import { xenditSamples } from "#lib/core/providers/xendit.samples.ts";
import { zendeskSamples } from "#lib/core/providers/zendesk.samples.ts";
import { zoomSamples } from "#lib/core/providers/zoom.samples.ts";

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
  ["mcp-events", mcpEventsSamples],
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
