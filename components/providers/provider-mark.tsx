/// <reference types="next/image-types/global" />
import { classNames } from "#components/ui/class-names.ts";
import marks from "./marks.svg";

type ProviderMarkProps = {
  readonly id: string;
  readonly name: string;
  readonly isSmall?: boolean;
};

/** A provider's logo, or its initials on a color of its own. The same everywhere. */
export function ProviderMark({ id, name, isSmall = false }: ProviderMarkProps) {
  const drawn = findDrawn(id);
  const className = classNames("mark", isSmall && "mark-small");
  if (drawn === null)
    return (
      <span aria-hidden className={className} data-hue={(hash(id) % hues) + 1}>
        {toLetters(id, name)}
      </span>
    );
  return (
    <span aria-hidden className={classNames(className, "mark-drawn")}>
      <svg aria-hidden="true">
        <use href={`${marks.src}#${drawn}`} />
      </svg>
    </span>
  );
}

/** The logos of `marks.svg`: of a provider, or of all whose ids start with the word. */
export const drawnIds: ReadonlySet<string> = new Set(
  (
    "aftership airtable alchemy alertmanager anthropic apple asana auth0 bigcommerce bitbucket " +
    "box braintree brevo brex buildkite calendly chatwoot circle circleci clerk clickup " +
    "cloudflare cloudinary contentful cursor datadog deepgram discord dodo-payments dropbox " +
    "ebay elevenlabs etsy expo figma fusionauth ghost gitea github gitlab google google-chat " +
    "google-pubsub grafana greenhouse help-scout hubspot hugging-face intercom jira kick " +
    "lemon-squeezy line linear livekit loops mailchimp mailgun mercado-pago meta mongodb " +
    "netlify new-relic notion npm okta paddle pagerduty patreon paypal planetscale pusher " +
    "quickbooks razorpay render replicate resend revenuecat sentry shopify snyk square " +
    "squarespace storyblok strava stripe supabase tailscale telegram tiktok travis-ci trello " +
    "twitch vercel vonage webflow wechat wise wix x xendit xero zendesk"
  ).split(" "),
);

/** The logo of a provider: "gitlab" of "gitlab-signing". Null: it has none. */
export function findDrawn(id: string): string | null {
  const [word = ""] = id.split("-");
  return [id, word].find((each) => drawnIds.has(each)) ?? null;
}

const hues = 8;

/** Two letters: the initials of the first two words, or the start of a single word. */
export function toLetters(id: string, name: string): string {
  if (id === "generic") return "✱";
  if (id === "custom") return "{ }";
  const words = name
    .replace(/\(.*\)/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const [first = "?", second] = words;
  if (second === undefined)
    return `${first.slice(0, 1).toUpperCase()}${first.slice(1, 2).toLowerCase()}`;
  return `${first.slice(0, 1)}${second.slice(0, 1)}`.toUpperCase();
}

function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return value;
}
