"use client";

import { type FormEvent, useState, useTransition } from "react";
import { TimeField } from "#components/lists/time-field.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { FormButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ListVersions, VersionChoice } from "./version-choice.tsx";

/** The deliveries to use, as chosen in the form. */
export type BacktestChoice = {
  readonly last: number;
  readonly from: string;
  readonly to: string;
  /** The version to compare with. Null: the one in force. */
  readonly against: number | null;
};

export type BacktestFormProps = {
  /** The version that is tried. Null: a draft. */
  readonly version: number | null;
  readonly lead: string;
  readonly start: (choice: BacktestChoice) => Promise<CommandResult<{ readonly id: string }>>;
  /** The versions that it can be compared with, newest first. Null: the action is new. */
  readonly listVersions: ListVersions | null;
  readonly onStarted: (id: string) => void;
  readonly onCancel: () => void;
};

const choices = [
  { value: "100", title: "Last 100 deliveries" },
  { value: "1000", title: "Last 1,000 deliveries" },
  { value: "10000", title: "Last 10,000 deliveries" },
  { value: "range", title: "Time range", text: "The newest 10,000 in it." },
] as const;
type Which = (typeof choices)[number]["value"];

/** The deliveries and the version to compare with. */
export function BacktestForm(props: BacktestFormProps) {
  const { version, lead, start, listVersions, onStarted, onCancel } = props;
  const [which, setWhich] = useState<Which>("1000");
  const [message, setMessage] = useState<string>();
  const [isPending, startTransition] = useTransition();

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const choice = {
      last: which === "range" ? 10_000 : Number(which),
      from: String(form.get("from") ?? ""),
      to: String(form.get("to") ?? ""),
      against: Number(form.get("against") ?? 0) || null,
    };
    startTransition(async () => {
      const result = await start(choice).catch(() => serverUnreachable);
      startTransition(() => {
        if (!result.ok) return setMessage(describeRejection(result));
        onStarted(result.value.id);
      });
    });
  }

  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <p className="text-sm text-muted-foreground">{lead}</p>
      <ChoiceGroup
        label="Deliveries"
        name="which"
        choices={choices}
        value={which}
        onChange={setWhich}
      />
      {which === "range" && (
        <div className="grid gap-3 sm:grid-cols-2">
          <TimeField label="From" name="from" value="" error={undefined} />
          <TimeField label="To" name="to" value="" error={undefined} />
        </div>
      )}
      {listVersions !== null && <VersionChoice list={listVersions} tried={version} />}
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <FormButtons onCancel={onCancel} isBusy={isPending}>
        Start backtest
      </FormButtons>
    </form>
  );
}

/** The dialog covers the fields, so it names the first error. */
function describeRejection({
  message,
  errors,
}: Extract<CommandResult<unknown>, { ok: false }>): string {
  const [first] = errors;
  if (first === undefined || message.includes(first.message)) return message;
  return first.path === "" ? first.message : `${first.path}: ${first.message}`;
}
