"use client";

import type { ReactNode } from "react";
import {
  type ActionErrors,
  namedTextsUnder,
  textsUnder,
  toErrorMap,
} from "#components/actions/draft/action-errors.ts";
import type { FilterTally } from "#components/actions/draft/filter-draft.ts";
import { describeRate } from "#components/actions/draft/rate-draft.ts";
import { FilterFields } from "#components/actions/filter/filter-fields.tsx";
import { RateFields } from "#components/actions/limits/rate-fields.tsx";
import { RetryFields, summarizeRetry } from "#components/actions/limits/retry-fields.tsx";
import {
  type SavedChoice,
  SubscriptionCredential,
} from "#components/credentials/subscription-credential.tsx";
import { Field, FieldCheck } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import type { FormOf } from "#components/ui/form/use-form.ts";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { isSigned } from "#lib/schema/send/receiver-kind.ts";
import { toSettingsKind } from "./draft/receiver-draft.ts";
import type { SubscriptionDraft, subscriptionFields } from "./draft/subscription-draft.ts";
import { type TallyFilter, useEventTally } from "./draft/use-event-tally.ts";
import { EventTypeChoice } from "./event-types/event-type-choice.tsx";
import { type VersionChoice, VersionSection } from "./event-types/version-choice.tsx";
import { ReceiverFields } from "./receiver-fields.tsx";
import { TransformSection } from "./transform/transform-section.tsx";
import type { TransformCommands } from "./transform/use-transform-trial.ts";

type SubscriptionFormProps = {
  readonly form: FormOf<typeof subscriptionFields>;
  /** Event types to offer. */
  readonly known: readonly string[];
  readonly tallyFilter: TallyFilter;
  readonly transform: TransformCommands;
  /** Saved credentials to choose from. */
  readonly credentials: readonly SavedChoice[];
  readonly versions: VersionChoice;
  /** The stored version. Empty: a new subscription. */
  readonly storedVersion: string;
  /** Recipient and secret can only be chosen now. */
  readonly isNew: boolean;
  /** The buttons below. */
  readonly children: ReactNode;
};

/**
 * The settings of a subscription: the events that it gets, and how they are sent. Settings that
 * most users don't change are collapsed.
 */
export function SubscriptionForm(props: SubscriptionFormProps) {
  const { form, isNew } = props;
  const { of, rejection, onSubmit, draft } = form;
  const errors = toErrorMap(form.errors);
  return (
    <Form rejection={rejection} className="gap-5" onSubmit={onSubmit}>
      <Field
        of={{
          ...of("receiverUrl"),
          onChange: (receiverUrl) => changeReceiver(props, { receiverUrl }),
        }}
        label="Receiver URL"
        type="url"
        hint="Or an Amazon SQS queue, EventBridge endpoint, RabbitMQ broker, or Kafka cluster."
        autoFocus={isNew}
        placeholder="https://example.com/webhooks"
      />
      {draft.receiver.type === "kafka" && <ReceiverFields form={form} />}
      <EventTypeChoice
        {...of("eventTypes")}
        known={props.known}
        error={textsUnder(errors, "eventTypes")[0]}
      />
      <div className={isNew ? "grid gap-5 sm:grid-cols-2" : ""}>
        {isNew && (
          <Field
            of={of("recipient")}
            label="Recipient"
            spellCheck={false}
            placeholder="cust_42"
            hint={
              "Your id for the customer, who then gets only their own events. " +
              "Leave it empty for events without a recipient."
            }
          />
        )}
        <Field
          of={of("description")}
          label="Description"
          hint="Optional. Shown in lists and in the portal."
        />
      </div>
      <FilterSection {...props} errors={errors} />
      <DeliverySection {...props} errors={errors} />
      <TransformSection form={form} commands={props.transform} />
      <HeaderSection {...props} errors={errors} />
      <VersionSection of={of("version")} stored={props.storedVersion} choice={props.versions} />
      {props.children}
    </Form>
  );
}

/** The URL and the credential say which settings a receiver has. */
function changeReceiver(
  { form: { draft, change }, credentials }: Pick<SubscriptionFormProps, "form" | "credentials">,
  part: Partial<Pick<SubscriptionDraft, "receiverUrl" | "credentialId">>,
): void {
  const { receiverUrl, credentialId } = { ...draft, ...part };
  const credential = credentials.find(({ id }) => id === credentialId)?.receiver;
  const type = toSettingsKind(receiverUrl, credential);
  change({ ...part, receiver: { ...draft.receiver, type } });
}

type SectionProps = SubscriptionFormProps & { readonly errors: ActionErrors };

function FilterSection({ form, errors, tallyFilter }: SectionProps) {
  const { value, onChange, error } = form.of("filter");
  return (
    <FormDisclosure
      title="Filter"
      summary={
        value.rows.length > 0 || value.mode === "json"
          ? "Only events that match the conditions are sent."
          : "Every event of these types is sent."
      }
      isOpen={error !== undefined}
    >
      <FilterFields
        filter={value}
        onChange={onChange}
        errors={errors}
        verdict={null}
        tally={useEventTally(form.draft, tallyFilter)}
        describeTally={describeTally}
      />
    </FormDisclosure>
  );
}

function describeTally({ evaluated, runs }: FilterTally): string {
  return evaluated === 0
    ? "No event of these types was published yet."
    : `Matches ${runs} of the last ${evaluated} events of these types.`;
}

function DeliverySection({ form: { of, draft }, errors }: SectionProps) {
  const retry = of("retry");
  const rate = of("rateLimit");
  const concurrency = of("maxConcurrency");
  const timeout = of("timeoutMs");
  return (
    <FormDisclosure
      title="Retries and limits"
      summary={summarizeLimits(draft)}
      isOpen={[retry, rate, concurrency, timeout].some(({ error }) => error !== undefined)}
    >
      <RetryFields retry={retry.value} onChange={retry.onChange} errors={errors} isScheduleOnly />
      <div className="grid gap-4 sm:grid-cols-2">
        <RateFields
          draft={rate.value}
          onChange={(part) => rate.onChange({ ...rate.value, ...part })}
          error={rate.error}
        />
        <Field
          of={draft.ordered ? { ...concurrency, value: "1" } : concurrency}
          label="Concurrent requests"
          placeholder="No limit"
          disabled={draft.ordered}
        />
        <Field of={timeout} label="Timeout in seconds" hint="For the whole request, at most 60." />
      </div>
      <FieldCheck
        of={of("ordered")}
        label="Send in order"
        text={
          "One request at a time, in the order of publishing. A failing event " +
          "holds back all later ones until it is accepted or given up."
        }
      />
    </FormDisclosure>
  );
}

function summarizeLimits({ retry, rateLimit, ordered }: SubscriptionDraft): string {
  const count = rateLimit.rateCount.trim();
  return [
    summarizeRetry(retry),
    count === ""
      ? "No rate limit."
      : `At most ${describeRate({ count, perSeconds: rateLimit.rateSeconds })}.`,
    ordered ? "In order." : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function HeaderSection({ form, errors, isNew, credentials }: SectionProps) {
  const { of, draft } = form;
  const headers = of("headers");
  const credential = of("credentialId");
  const metadata = of("metadata");
  const { rows } = headers.value;
  const entries = metadata.value.length;
  const words = [
    rows.length === 0 ? "No extra headers" : describeCount(rows.length, "extra header"),
    entries === 0 ? "no metadata" : describeCount(entries, "metadata entry", "metadata entries"),
    describeSignature(draft),
    ...(draft.credentialId === "" ? [] : ["with a saved credential"]),
  ];
  return (
    <FormDisclosure
      title="Headers, metadata, and signature"
      summary={`${words.join(", ")}.`}
      isOpen={[
        ...[headers, metadata, credential, of("secret")],
        ...(draft.receiver.type === "kafka" ? [] : [of("receiver")]),
      ].some(({ error }) => error !== undefined)}
    >
      <Group title="Headers">
        <PairFields
          what="Header"
          pairs={rows}
          onChange={(next) => headers.onChange({ ...headers.value, rows: next })}
          errors={namedTextsUnder(errors, "headers")}
        />
      </Group>
      <Group title="Metadata">
        <PairFields
          what="Entry"
          pairs={metadata.value}
          onChange={metadata.onChange}
          errors={namedTextsUnder(errors, "metadata")}
        />
      </Group>
      {isSigned(draft.receiver.type) && (
        <FieldCheck
          of={of("keyPair")}
          label="Sign with a key pair too"
          text="Adds an Ed25519 signature (v1a), which receivers verify with a public key."
        />
      )}
      <SubscriptionCredential
        of={{
          ...credential,
          onChange: (credentialId) => changeReceiver({ form, credentials }, { credentialId }),
        }}
        receiverUrl={draft.receiverUrl}
        credentials={credentials}
      />
      {draft.receiver.type !== "kafka" && <ReceiverFields form={form} />}
      {isNew && isSigned(draft.receiver.type) && (
        <Field
          of={of("secret")}
          label="Signing secret"
          spellCheck={false}
          placeholder="whsec_…"
          hint="Leave it empty for a new one. Set it to keep the secret that the receiver already has."
        />
      )}
    </FormDisclosure>
  );
}

function describeSignature({ keyPair, receiver }: SubscriptionDraft): string {
  if (!isSigned(receiver.type)) return "no signature";
  return keyPair ? "signed with a key pair too" : "signed with a shared secret";
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-1">
      <legend className="mb-1.5 text-sm font-medium">{title}</legend>
      {children}
    </fieldset>
  );
}
