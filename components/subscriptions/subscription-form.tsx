"use client";

import type { FormEvent, ReactNode } from "react";
import {
  type ActionErrors,
  namedTextsUnder,
  textsAt,
  textsUnder,
} from "#components/actions/draft/action-errors.ts";
import type { FilterTally } from "#components/actions/draft/filter-draft.ts";
import { describeRate } from "#components/actions/draft/rate-draft.ts";
import { FilterFields } from "#components/actions/filter/filter-fields.tsx";
import { RateFields } from "#components/actions/limits/rate-fields.tsx";
import { RetryFields, summarizeRetry } from "#components/actions/limits/retry-fields.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form, type Rejection } from "#components/ui/form/form.tsx";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import { describeCount } from "#components/ui/text/describe-count.ts";
import type { SubscriptionDraft } from "./draft/subscription-draft.ts";
import { type TallyFilter, useEventTally } from "./draft/use-event-tally.ts";
import { EventTypeChoice } from "./event-type-choice.tsx";

type SubscriptionFormProps = {
  readonly draft: SubscriptionDraft;
  readonly onChange: (change: Partial<SubscriptionDraft>) => void;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly errors: ActionErrors;
  readonly rejection: Rejection | undefined;
  /** Event types to offer. */
  readonly known: readonly string[];
  readonly tallyFilter: TallyFilter;
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
  const { draft, onChange, errors, isNew } = props;
  return (
    <Form rejection={props.rejection} className="gap-5" onSubmit={props.onSubmit}>
      <TextField
        label="Receiver URL"
        name="receiverUrl"
        type="url"
        autoComplete="off"
        autoFocus={isNew}
        placeholder="https://example.com/webhooks"
        value={draft.receiverUrl}
        onChange={(event) => onChange({ receiverUrl: event.target.value })}
        error={textsAt(errors, "receiverUrl")[0]}
      />
      <EventTypeChoice
        value={draft.eventTypes}
        onChange={(eventTypes) => onChange({ eventTypes })}
        known={props.known}
        error={textsUnder(errors, "eventTypes")[0]}
      />
      <div className={isNew ? "grid gap-5 sm:grid-cols-2" : ""}>
        {isNew && (
          <TextField
            label="Recipient"
            name="recipient"
            autoComplete="off"
            spellCheck={false}
            placeholder="cust_42"
            hint={
              "Your id for the customer, who then gets only their own events. " +
              "Leave it empty for events without a recipient."
            }
            value={draft.recipient}
            onChange={(event) => onChange({ recipient: event.target.value })}
            error={textsAt(errors, "recipient")[0]}
          />
        )}
        <TextField
          label="Description"
          name="description"
          autoComplete="off"
          hint="Optional. Shown in lists and in the portal."
          value={draft.description}
          onChange={(event) => onChange({ description: event.target.value })}
          error={textsAt(errors, "description")[0]}
        />
      </div>
      <FilterSection {...props} />
      <DeliverySection {...props} />
      <HeaderSection {...props} />
      {props.children}
    </Form>
  );
}

function FilterSection({ draft, onChange, errors, tallyFilter }: SubscriptionFormProps) {
  const count = draft.filter.rows.length;
  const isSet = count > 0 || draft.filter.mode === "json";
  return (
    <FormDisclosure
      title="Filter"
      summary={
        isSet
          ? "Only events that match the conditions are sent."
          : "Every event of these types is sent."
      }
      isOpen={namedTextsUnder(errors, "filter").length > 0}
    >
      <FilterFields
        filter={draft.filter}
        onChange={(filter) => onChange({ filter })}
        errors={errors}
        verdict={null}
        tally={useEventTally(draft, tallyFilter)}
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

function DeliverySection({ draft, onChange, errors }: SubscriptionFormProps) {
  const at = (path: string) => namedTextsUnder(errors, path)[0];
  const paths = ["retry", "rateLimit", "maxConcurrency", "timeoutMs"];
  return (
    <FormDisclosure
      title="Retries and limits"
      summary={summarizeLimits(draft)}
      isOpen={paths.some((path) => at(path) !== undefined)}
    >
      <RetryFields
        retry={draft.retry}
        onChange={(retry) => onChange({ retry })}
        errors={errors}
        isScheduleOnly
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <RateFields draft={draft} onChange={onChange} error={at("rateLimit")} />
        <TextField
          label="Concurrent requests"
          name="maxConcurrency"
          inputMode="numeric"
          autoComplete="off"
          placeholder="No limit"
          disabled={draft.ordered}
          value={draft.ordered ? "1" : draft.maxConcurrency}
          onChange={(event) => onChange({ maxConcurrency: event.target.value })}
          error={at("maxConcurrency")}
        />
        <TextField
          label="Timeout in seconds"
          name="timeoutMs"
          inputMode="decimal"
          autoComplete="off"
          hint="For the whole request, at most 60."
          value={draft.timeout}
          onChange={(event) => onChange({ timeout: event.target.value })}
          error={at("timeoutMs")}
        />
      </div>
      <CheckField
        label="Send in order"
        text={
          "One request at a time, in the order of publishing. A failing event " +
          "holds back all later ones until it is accepted or given up."
        }
        checked={draft.ordered}
        onChange={(ordered) => onChange({ ordered })}
      />
    </FormDisclosure>
  );
}

function summarizeLimits(draft: SubscriptionDraft): string {
  const rate = draft.rateCount.trim();
  return [
    summarizeRetry(draft.retry),
    rate === ""
      ? "No rate limit."
      : `At most ${describeRate({ count: rate, perSeconds: draft.rateSeconds })}.`,
    draft.ordered ? "In order." : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function HeaderSection({ draft, onChange, errors, isNew }: SubscriptionFormProps) {
  const { headers, metadata } = draft;
  const paths = ["headers", "metadata", "secret"];
  const words = [
    headers.length === 0 ? "No extra headers" : describeCount(headers.length, "extra header"),
    metadata.length === 0
      ? "no metadata"
      : describeCount(metadata.length, "metadata entry", "metadata entries"),
    draft.keyPair ? "signed with a key pair too" : "signed with a shared secret",
  ];
  return (
    <FormDisclosure
      title="Headers, metadata, and signature"
      summary={`${words.join(", ")}.`}
      isOpen={paths.some((path) => namedTextsUnder(errors, path).length > 0)}
    >
      <Group title="Headers">
        <PairFields
          what="Header"
          pairs={headers}
          onChange={(next) => onChange({ headers: next })}
          errors={namedTextsUnder(errors, "headers")}
        />
      </Group>
      <Group title="Metadata">
        <PairFields
          what="Entry"
          pairs={metadata}
          onChange={(next) => onChange({ metadata: next })}
          errors={namedTextsUnder(errors, "metadata")}
        />
      </Group>
      <CheckField
        label="Sign with a key pair too"
        text="Adds an Ed25519 signature (v1a), which receivers verify with a public key."
        checked={draft.keyPair}
        onChange={(keyPair) => onChange({ keyPair })}
      />
      {isNew && (
        <TextField
          label="Signing secret"
          name="secret"
          autoComplete="off"
          spellCheck={false}
          placeholder="whsec_…"
          hint="Leave it empty for a new one. Set it to keep the secret that the receiver already has."
          value={draft.secret}
          onChange={(event) => onChange({ secret: event.target.value })}
          error={textsAt(errors, "secret")[0]}
        />
      )}
    </FormDisclosure>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 gap-1">
      <legend className="mb-1.5 text-sm font-medium">{title}</legend>
      {children}
    </fieldset>
  );
}
