"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { EventTypeChips } from "#components/subscriptions/event-type-chips.tsx";
import {
  describeChoiceError,
  findTypeError,
} from "#components/subscriptions/event-type-choice.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form, type Rejection } from "#components/ui/form/form.tsx";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

export type CatalogEntry = {
  readonly name: string;
  readonly description: string | null;
  readonly deprecated: boolean;
};

export type PortalDraft = {
  readonly receiverUrl: string;
  readonly description: string;
  /** Empty: nothing is chosen yet. `["*"]`: all events. */
  readonly eventTypes: readonly string[];
  readonly keyPair: boolean;
};

export const newPortalDraft: PortalDraft = {
  receiverUrl: "",
  description: "",
  eventTypes: [],
  keyPair: false,
};

type SubscriptionFormProps = {
  readonly draft: PortalDraft;
  readonly onChange: (change: Partial<PortalDraft>) => void;
  readonly catalog: readonly CatalogEntry[];
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly fields: Readonly<Record<string, string>>;
  readonly rejection: Rejection | undefined;
  readonly isNew: boolean;
  /** The buttons. */
  readonly children: ReactNode;
};

export function PortalSubscriptionForm(props: SubscriptionFormProps) {
  const { draft, onChange, fields, isNew } = props;
  return (
    <Form onSubmit={props.onSubmit} rejection={props.rejection} className="gap-5">
      <TextField
        label="Receiver URL"
        name="receiverUrl"
        type="url"
        inputMode="url"
        autoComplete="off"
        autoFocus={isNew}
        placeholder="https://example.com/webhooks"
        hint={
          isNew
            ? "It gets a challenge first. Events follow once it has answered."
            : "A new URL gets a challenge first. Events follow once it has answered."
        }
        value={draft.receiverUrl}
        onChange={(event) => onChange({ receiverUrl: event.target.value })}
        error={fields.receiverUrl}
      />
      <EventTypeChoice {...props} />
      <TextField
        label="Description"
        name="description"
        autoComplete="off"
        hint="Optional."
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
        error={fields.description}
      />
      <FormDisclosure
        title="Signature"
        summary={
          draft.keyPair ? "Signed with a secret and a key pair." : "Signed with a shared secret."
        }
        isOpen={false}
      >
        <CheckField
          label="Sign with a key pair too"
          text="Adds an Ed25519 signature (v1a), which you verify with a public key."
          checked={draft.keyPair}
          onChange={(keyPair) => onChange({ keyPair })}
        />
      </FormDisclosure>
      {props.children}
    </Form>
  );
}

/**
 * All events, or some: chosen from the catalog, or typed if it is empty. A new subscription has neither
 * until one is chosen.
 */
function EventTypeChoice({ draft, onChange, catalog, fields }: SubscriptionFormProps) {
  const isAll = draft.eventTypes.includes("*");
  const [isSome, setSome] = useState(!isAll && draft.eventTypes.length > 0);
  const error = describeChoiceError(draft.eventTypes, findTypeError(fields));
  return (
    <div className="grid gap-3">
      <ChoiceGroup
        label="Events"
        name="events"
        columns={2}
        choices={[
          { value: "all", title: "All events", text: "Also types that are added later." },
          { value: "some", title: "Only some", text: "You choose the types." },
        ]}
        value={isAll ? "all" : isSome ? "some" : null}
        onChange={(value) => {
          setSome(value === "some");
          onChange({ eventTypes: value === "all" ? ["*"] : [] });
        }}
        error={isAll ? undefined : error}
      />
      {!isAll &&
        isSome &&
        (catalog.length === 0 ? (
          <EventTypeChips
            value={draft.eventTypes}
            onChange={(eventTypes) => onChange({ eventTypes })}
            known={[]}
            error={undefined}
          />
        ) : (
          <CatalogChoice draft={draft} onChange={onChange} catalog={catalog} />
        ))}
    </div>
  );
}

const manyTypes = 12;

function CatalogChoice({
  draft,
  onChange,
  catalog,
}: Pick<SubscriptionFormProps, "draft" | "onChange" | "catalog">) {
  const [text, setText] = useState("");
  const known = new Set(catalog.map(({ name }) => name));
  // Patterns, and types that the catalog doesn't list, stay selectable.
  const others = draft.eventTypes
    .filter((type) => !known.has(type))
    .map((name) => ({ name, description: null, deprecated: false }));
  const wanted = text.trim().toLowerCase();
  const shown = [...others, ...catalog].filter(
    ({ name, description, deprecated }) =>
      (!deprecated || draft.eventTypes.includes(name)) &&
      `${name} ${description ?? ""}`.toLowerCase().includes(wanted),
  );
  const toggle = (name: string, isOn: boolean) =>
    onChange({
      eventTypes: isOn
        ? [...draft.eventTypes, name]
        : draft.eventTypes.filter((type) => type !== name),
    });
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">Event types</legend>
      {catalog.length > manyTypes && (
        <TextField
          label="Find event types"
          name="find"
          type="search"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className="max-h-80 divide-y overflow-y-auto rounded-md border">
        {shown.map(({ name, description }) => (
          <div key={name} className="px-3.5 py-2.5">
            <CheckField
              label={
                <span className="grid min-w-0 gap-0.5">
                  <span className="font-mono text-xs leading-5 wrap-anywhere">
                    {safeText(name)}
                  </span>
                  {description !== null && (
                    <span className="text-muted-foreground">{safeText(description)}</span>
                  )}
                </span>
              }
              checked={draft.eventTypes.includes(name)}
              onChange={(isOn) => toggle(name, isOn)}
            />
          </div>
        ))}
        {shown.length === 0 && (
          <p className="px-3.5 py-2.5 text-sm text-muted-foreground">No matching event types.</p>
        )}
      </div>
    </fieldset>
  );
}
