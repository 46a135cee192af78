import { describeRate } from "#components/actions/draft/rate-draft.ts";
import { describeRetry, readRetryDraft } from "#components/actions/draft/retry-draft.ts";
import type { SubscriptionDraft } from "#components/subscriptions/draft/subscription-draft.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { exactly, type Fact, Facts, linesOf } from "./facts.tsx";
import { writeConditions } from "./write-conditions.ts";

type SubscriptionFactsProps = {
  readonly draft: SubscriptionDraft;
  readonly secrets: readonly {
    readonly id: string;
    readonly kind: string;
    readonly hint: string;
  }[];
};

/** The settings of a subscription, for people who can't change them. */
export function SubscriptionFacts({ draft, secrets }: SubscriptionFactsProps) {
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-4">
      <Facts title="Events" facts={listEvents(draft)} />
      <Facts
        title="Signing"
        facts={[
          [
            "Secrets",
            linesOf(
              secrets.map(({ kind, hint }) =>
                kind === "hmac" ? `whsec_…${hint}` : `Key pair …${hint}`,
              ),
            ) ?? "None",
          ],
        ]}
      />
    </div>
  );
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
    ["Description", description === "" ? null : description],
    ["Event types", linesOf(draft.eventTypes)],
    ["Only when", linesOf(writeConditions(draft.filter))],
    ["Recipient", exactly(draft.recipient)],
    ["Headers", linesOf(headers.rows.map(({ name }) => `${name}: ••••`))],
    ["Metadata", linesOf(metadata.map(({ name, value }) => `${name}: ${value}`))],
    ["In order", ordered ? "Yes" : "No"],
    ["Concurrent requests", maxConcurrency === "" ? null : maxConcurrency],
    [
      "Rate limit",
      rateCount === "" ? null : describeRate({ count: rateCount, perSeconds: rateSeconds }),
    ],
    ["Timeout", `${draft.timeoutMs} s`],
    ["Retries", retry.ok ? capitalize(describeRetry(retry.policy)) : null],
  ];
}
