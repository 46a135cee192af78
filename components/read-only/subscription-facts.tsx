import { describeRate } from "#components/actions/draft/rate-draft.ts";
import { describeRetry, readRetryDraft } from "#components/actions/draft/retry-draft.ts";
import { kindWords } from "#components/credentials/describe-kind.ts";
import { describeSettings } from "#components/credentials/describe-settings.ts";
import { describeReceiver } from "#components/subscriptions/describe-receiver.ts";
import type { SubscriptionDraft } from "#components/subscriptions/draft/subscription-draft.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import type { CredentialSettings } from "#lib/schema/act/credential.ts";
import { isSigned } from "#lib/schema/send/receiver-kind.ts";
import { blockOf, exactly, type Fact, Facts, linesOf } from "./facts.tsx";
import { writeConditions } from "./write-conditions.ts";

type SubscriptionFactsProps = {
  readonly draft: SubscriptionDraft;
  readonly secrets: readonly {
    readonly id: string;
    readonly kind: string;
    readonly hint: string;
  }[];
  readonly credential: CredentialSettings | null;
};

/** The settings of a subscription, for people who can't change them. */
export function SubscriptionFacts({ draft, secrets, credential }: SubscriptionFactsProps) {
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-4">
      <Facts title="Events" facts={listEvents(draft)} />
      <Facts
        title="Signing"
        facts={[
          listSecrets(draft, secrets),
          [
            credential === null ? "Credential" : kindWords[credential.type],
            credential === null ? null : describeSettings(credential).join(", "),
          ],
        ]}
      />
    </div>
  );
}

function listSecrets(
  { receiver }: SubscriptionDraft,
  secrets: SubscriptionFactsProps["secrets"],
): Fact {
  if (!isSigned(receiver.type)) return ["Signature", "None: the receiver rewrites the bytes"];
  const shown = secrets.map(({ kind, hint }) =>
    kind === "hmac" ? `whsec_…${hint}` : `Key pair …${hint}`,
  );
  return ["Secrets", linesOf(shown) ?? "None"];
}

function listEvents(draft: SubscriptionDraft): readonly Fact[] {
  const { description, headers, metadata, rateCount, rateSeconds } = {
    ...draft,
    ...draft.rateLimit,
  };
  const retry = readRetryDraft(draft.retry);
  const { ordered, maxConcurrency } = draft;
  return [
    ["Receiver URL", exactly(draft.receiverUrl)],
    ...describeReceiver(draft.receiver).map(([name, value]): Fact => [name, exactly(value)]),
    ["Description", description === "" ? null : description],
    ["Event types", linesOf(draft.eventTypes)],
    ["Only when", linesOf(writeConditions(draft.filter))],
    ["Transform", blockOf("Transform", draft.transform)],
    ["Recipient", exactly(draft.recipient)],
    ["Headers", linesOf(headers.rows.map(({ name }) => `${name}: ••••`))],
    ["Metadata", linesOf(metadata.map(({ name, value }) => `${name}: ${value}`))],
    ["In order", ordered ? "Yes" : "No"],
    ["Concurrent requests", maxConcurrency === "" ? null : maxConcurrency],
    [
      "Rate limit",
      rateCount === "" ? null : describeRate({ count: rateCount, perSeconds: rateSeconds }),
    ],
    ["Version", draft.version],
    ["Timeout", `${draft.timeoutMs} s`],
    ["Retries", retry.ok ? capitalize(describeRetry(retry.policy)) : null],
  ];
}
