"use client";

import { type ReactNode, useState } from "react";
import { EventTypeChips } from "#components/subscriptions/event-types/event-type-chips.tsx";
import {
  describeChoiceError,
  findTypeError,
} from "#components/subscriptions/event-types/event-type-choice.tsx";
import {
  type VersionChoice,
  VersionSection,
} from "#components/subscriptions/event-types/version-choice.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { asIs, type Draft, textIfAny } from "#components/ui/form/codec.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Field, FieldCheck } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { FormDisclosure } from "#components/ui/form/form-section.tsx";
import type { FormOf } from "#components/ui/form/use-form.ts";
import { safeText } from "#components/ui/text/safe-text.ts";

export type CatalogEntry = {
  readonly name: string;
  readonly description: string | null;
  readonly deprecated: boolean;
};

export const portalFields = {
  receiverUrl: asIs<string>(),
  description: asIs<string>(),
  /** Empty: nothing is chosen yet. `["*"]`: all events. */
  eventTypes: asIs<readonly string[]>(),
  keyPair: asIs<boolean>(),
  /** A date, `first`, or `newest`. Empty, for a new subscription: the newest of today. */
  version: textIfAny,
};

export type PortalDraft = Draft<typeof portalFields>;

export const newPortalDraft: PortalDraft = {
  receiverUrl: "",
  description: "",
  eventTypes: [],
  keyPair: false,
  version: "",
};

type SubscriptionFormProps = {
  readonly form: FormOf<typeof portalFields>;
  readonly catalog: readonly CatalogEntry[];
  readonly versions: VersionChoice;
  /** The stored version. Empty: a new subscription. */
  readonly storedVersion: string;
  readonly isNew: boolean;
  /** The buttons. */
  readonly children: ReactNode;
};

export function PortalSubscriptionForm(props: SubscriptionFormProps) {
  const { form, isNew } = props;
  const { of, draft } = form;
  return (
    <Form onSubmit={form.onSubmit} rejection={form.rejection} className="gap-5">
      <Field
        of={of("receiverUrl")}
        label="Receiver URL"
        type="url"
        inputMode="url"
        autoFocus={isNew}
        placeholder="https://example.com/webhooks"
        hint={
          isNew
            ? "It gets a challenge first. Events follow once it has answered."
            : "A new URL gets a challenge first. Events follow once it has answered."
        }
      />
      <EventTypeChoice {...props} />
      <Field of={of("description")} label="Description" hint="Optional." />
      <FormDisclosure
        title="Signature"
        summary={
          draft.keyPair ? "Signed with a secret and a key pair." : "Signed with a shared secret."
        }
        isOpen={false}
      >
        <FieldCheck
          of={of("keyPair")}
          label="Sign with a key pair too"
          text="Adds an Ed25519 signature (v1a), which you verify with a public key."
        />
      </FormDisclosure>
      <VersionSection of={of("version")} stored={props.storedVersion} choice={props.versions} />
      {props.children}
    </Form>
  );
}

/**
 * All events, or some: chosen from the catalog, or typed if it is empty. A new subscription has neither
 * until one is chosen.
 */
function EventTypeChoice({ form, catalog }: SubscriptionFormProps) {
  const { value: chosen, onChange } = form.of("eventTypes");
  const isAll = chosen.includes("*");
  const [isSome, setSome] = useState(!isAll && chosen.length > 0);
  const error = describeChoiceError(chosen, findTypeError(form.fields));
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
          onChange(value === "all" ? ["*"] : []);
        }}
        error={isAll ? undefined : error}
      />
      {!isAll &&
        isSome &&
        (catalog.length === 0 ? (
          <EventTypeChips value={chosen} onChange={onChange} known={[]} error={undefined} />
        ) : (
          <CatalogChoice chosen={chosen} onChange={onChange} catalog={catalog} />
        ))}
    </div>
  );
}

const manyTypes = 12;

type CatalogChoiceProps = {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly catalog: readonly CatalogEntry[];
};

function CatalogChoice({ chosen, onChange, catalog }: CatalogChoiceProps) {
  const [text, setText] = useState("");
  const known = new Set(catalog.map(({ name }) => name));
  // Patterns, and types that the catalog doesn't list, stay selectable.
  const others = chosen
    .filter((type) => !known.has(type))
    .map((name) => ({ name, description: null, deprecated: false }));
  const wanted = text.trim().toLowerCase();
  const shown = [...others, ...catalog].filter(
    ({ name, description, deprecated }) =>
      (!deprecated || chosen.includes(name)) &&
      `${name} ${description ?? ""}`.toLowerCase().includes(wanted),
  );
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, name] : chosen.filter((type) => type !== name));
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
              checked={chosen.includes(name)}
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
