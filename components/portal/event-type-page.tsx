import { VerificationCode } from "#components/subscriptions/secret-once.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { NumberedStep, NumberedSteps } from "#components/ui/layout/numbered-steps.tsx";
import { Link } from "#components/ui/link.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import { formatBody } from "#components/ui/text/format-body.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { firstVersion } from "#lib/schema/send/payload-version.ts";
import { listTimedHeaders, type SignatureHeaders } from "#lib/schema/send/signature-headers.ts";

type CatalogType = {
  readonly name: string;
  readonly description: string | null;
  readonly deprecated: boolean;
  /** JSON text. Null: no schema. */
  readonly schema: string | null;
  readonly example: string | null;
  /** The version that schema and example are of. */
  readonly version: string;
  /** Newest first. */
  readonly versions: readonly string[];
};

type EventTypePageProps = {
  readonly entry: CatalogType;
  /** The path of the catalog. */
  readonly path: string;
  /** The form of a subscription to this type. Null: this visitor can't create one here. */
  readonly subscribeHref: string | null;
  readonly signatureHeaders: SignatureHeaders;
};

/** An event type: what it means, its data, and how a receiver gets and verifies it. */
export function EventTypePage(props: EventTypePageProps) {
  const { entry, path, subscribeHref, signatureHeaders } = props;
  const { name, description, deprecated, example, schema } = entry;
  return (
    <>
      <div className="grid grid-cols-1 gap-1.5">
        <Link
          href={path}
          className="justify-self-start rounded-sm text-sm text-muted-foreground underline-offset-4 hover:underline"
        >
          Event types
        </Link>
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="min-w-0 text-2xl font-semibold tracking-tight break-words">
            {safeText(name)}
          </h1>
          {deprecated && <Badge tone="caution">Deprecated</Badge>}
        </div>
        {description !== null && (
          <p className="break-words text-muted-foreground">{safeText(description)}</p>
        )}
        {entry.versions.length > 1 && <Versions entry={entry} path={path} />}
      </div>
      {example !== null && <Part title="Example" name={name} text={example} />}
      {schema !== null && <Part title="JSON Schema" name={name} text={schema} />}
      <Card className="grid min-w-0 grid-cols-1 gap-5 p-4 sm:p-5">
        <h2 className="font-semibold">Subscribe and verify</h2>
        <NumberedSteps>
          <NumberedStep number={1} title="Subscribe a URL of yours">
            {subscribeHref === null ? (
              <p className="text-sm text-muted-foreground">
                In the portal, add a subscription and choose {safeText(name)}.
              </p>
            ) : (
              <div>
                <Link href={subscribeHref} className={buttonClasses("secondary")}>
                  New subscription
                </Link>
              </div>
            )}
          </NumberedStep>
          <NumberedStep number={2} title="Receive it as a POST request">
            <p className="text-sm text-muted-foreground">
              Respond with a 2xx status within 15 seconds. Anything else is tried again, with the
              same{" "}
              <code className="font-mono text-xs">
                {signatureHeaders.standardWebhooksHeaders ? "webhook-id" : "id"}
              </code>
              .
            </p>
            <TextBlock label="Request" text={writeRequest(entry, signatureHeaders)} keepsLines />
          </NumberedStep>
          <NumberedStep number={3} title="Verify the signature">
            <VerificationCode headers={signatureHeaders} />
          </NumberedStep>
        </NumberedSteps>
      </Card>
    </>
  );
}

/** Links to the other versions. Each subscription has one of them. */
function Versions({ entry, path }: Pick<EventTypePageProps, "entry" | "path">) {
  const { name, version: shown, versions } = entry;
  return (
    <nav aria-label="Versions" className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      <span aria-hidden className="text-muted-foreground">
        Version:
      </span>
      {versions.map((version, index) => (
        <Link
          key={version}
          href={`${path}/${encodeURIComponent(name)}?version=${version}`}
          aria-current={version === shown ? "page" : undefined}
          className={
            version === shown
              ? "font-medium"
              : "text-muted-foreground underline underline-offset-4 hover:text-foreground"
          }
        >
          {index === 0 ? `${version}, the newest` : version}
        </Link>
      ))}
    </nav>
  );
}

function Part({ title, name, text }: { title: string; name: string; text: string }) {
  const shown = formatBody(text) ?? text;
  const label = `${title} of ${name}`;
  return (
    <Card className="grid min-w-0 grid-cols-1 gap-3 p-4 sm:p-5">
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-semibold">{title === "Example" ? "Example data" : title}</h2>
        <CopyButton text={shown} what={label} />
      </div>
      <TextBlock label={label} text={shown} keepsLines />
    </Card>
  );
}

const standardHeaders = [
  "webhook-id: …",
  "webhook-timestamp: 1769846400",
  "webhook-signature: v1,…",
];

/** The request that a receiver gets, without the values that differ from event to event. */
function writeRequest({ name, example, version }: CatalogType, headers: SignatureHeaders): string {
  const type = `"id":"…","type":${JSON.stringify(name)},"timestamp":"2026-01-31T08:00:00.000Z"`;
  const head = version === firstVersion ? type : `${type},"version":"${version}"`;
  const body = `{${head},"data":${example ?? "{}"}}`;
  return [
    "content-type: application/json",
    ...(headers.standardWebhooksHeaders ? standardHeaders : []),
    ...listTimedHeaders(headers).map((header) => `${header}: t=1769846400,v1=…`),
    "",
    formatBody(body) ?? body,
  ].join("\n");
}
