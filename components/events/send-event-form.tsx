"use client";

import { useRef, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { JsonField } from "#components/ui/code/json-field.tsx";
import { ComboField } from "#components/ui/form/combo-field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type EventDraft, writeEventBody } from "./event-draft.ts";
import { EventReach, type PreviewEvent } from "./event-reach.tsx";
import { type ReadSent, SentEvent, type SentEventView } from "./sent-event.tsx";

export type SendEventCommands = {
  /** The catalog's example of a type, or something in its place. */
  readonly readExample: (type: string) => Promise<CommandResult<string>>;
  readonly preview: PreviewEvent;
  /** Publishes the body of `POST /events`. */
  readonly publish: (body: string) => Promise<CommandResult<SentEventView>>;
  readonly readSent: ReadSent;
};

type SendEventFormProps = SendEventCommands & {
  readonly draft: EventDraft;
  readonly onChange: (change: Partial<EventDraft>) => void;
  /** Event types of the catalog, and published ones. */
  readonly types: readonly string[];
  readonly recipients: readonly { readonly id: string; readonly name: string | null }[];
  /** Asks again when it changes: the number of subscriptions. */
  readonly subscriptionCount: number;
  readonly onSent: (eventId: string) => void;
};

/** Publishes an event: its type, recipient, and data, and then what it reached. */
export function SendEventForm(props: SendEventFormProps) {
  const { draft, onChange, types, recipients, publish, onSent } = props;
  const example = useExample(props);
  const { result, fields, rejection, isPending, onSubmit, reset } = useCommand(async () => {
    const written = writeEventBody(draft);
    const sent = written.ok ? await publish(written.body) : written;
    if (sent.ok) onSent(sent.value.id);
    return sent;
  });

  function change(fieldsOf: Partial<EventDraft>) {
    if (result?.ok === false) reset();
    onChange(fieldsOf);
  }

  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <ComboField
          label="Event type"
          name="type"
          value={draft.type}
          onChange={(type) => {
            change({ type });
            if (types.includes(type)) void example.fillIn(type);
          }}
          options={types.map((value) => ({ value }))}
          placeholder="invoice.paid"
          error={fields.type}
        />
        <ComboField
          label="Recipient"
          name="recipient"
          value={draft.recipient}
          onChange={(recipient) => change({ recipient })}
          options={recipients.map(({ id, name }) => ({ value: id, note: name ?? undefined }))}
          placeholder="No recipient"
          error={fields.recipient}
        />
      </div>
      <div className="grid grid-cols-1 gap-2">
        <JsonField
          label="Data"
          value={draft.data}
          onChange={(data) => change({ data })}
          placeholder={'{ "object": { "amount": 4200 } }'}
          hint="An object. A list or a single value leaves the usual shape of an event."
          error={findDataError(fields)}
        />
        <EventReach
          draft={draft}
          preview={props.preview}
          subscriptionCount={props.subscriptionCount}
          onUseRecipient={(recipient) => change({ recipient })}
        />
      </div>
      <div>
        <Button type="submit" isBusy={isPending}>
          Send event
        </Button>
      </div>
      {result?.ok === true && (
        <SentEvent key={result.value.id} sent={result.value} read={props.readSent} />
      )}
    </Form>
  );
}

/** Replaces the data with the example of another type, unless it was edited. */
function useExample({ draft, onChange, readExample }: SendEventFormProps) {
  const [filledIn, setFilledIn] = useState(draft.data);
  const latest = useRef(draft);
  latest.current = draft;

  async function fillIn(type: string) {
    const read = await readExample(type).catch(() => serverUnreachable);
    const { data, type: current } = latest.current;
    if (!read.ok || current !== type || (data !== filledIn && data.trim() !== "")) return;
    setFilledIn(read.value);
    onChange({ data: read.value });
  }

  return { fillIn };
}

/** An error anywhere in the data, with its path. */
function findDataError(fields: Readonly<Record<string, string>>): string | undefined {
  const [path, message] =
    Object.entries(fields).find(([name]) => name === "data" || name.startsWith("data.")) ?? [];
  if (path === undefined || path === "data") return message;
  return `\`${path.slice("data.".length)}\` ${message}`;
}
