"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState, useTransition } from "react";
import { TimeField } from "#components/lists/time-field.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { type ReadForm, sendJson } from "#components/ui/form/send-json.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The deliveries to use, as chosen in the form. */
export type BacktestChoice = {
  readonly last: number;
  readonly from: string;
  readonly to: string;
};

/**
 * `formerKeys`: the current keys of steps, with the keys that they had when the action was last
 * saved.
 */
export type StartBacktest = (
  choice: BacktestChoice,
  json: string,
  formerKeys: Readonly<Record<string, string>>,
) => Promise<CommandResult<{ readonly id: string }>>;

type BacktestDialogProps = {
  /** Reads the current draft from the form. */
  readonly readDraft: () => ReadForm;
  readonly start: (
    choice: BacktestChoice,
    json: string,
  ) => Promise<CommandResult<{ readonly id: string }>>;
};

const choices = [
  { value: "100", title: "Last 100 deliveries" },
  { value: "1000", title: "Last 1,000 deliveries" },
  { value: "10000", title: "Last 10,000 deliveries" },
  { value: "range", title: "Time range", text: "The newest 10,000 in it." },
] as const;
type Which = (typeof choices)[number]["value"];

/** Asks for the deliveries, starts a backtest of the draft, and opens its page. */
export function BacktestDialog({ readDraft, start }: BacktestDialogProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [which, setWhich] = useState<Which>("1000");
  const [message, setMessage] = useState<string>();
  const [isPending, startTransition] = useTransition();

  function open() {
    setMessage(undefined);
    setOpen(true);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const choice = {
      last: which === "range" ? 10_000 : Number(which),
      from: String(form.get("from") ?? ""),
      to: String(form.get("to") ?? ""),
    };
    startTransition(async () => {
      const send = (json: string) => start(choice, json);
      const result = await sendJson(readDraft(), send).catch(() => serverUnreachable);
      startTransition(() => {
        if (result.ok) router.push(`/backtests/${result.value.id}`);
        else setMessage(describeRejection(result));
      });
    });
  }

  return (
    <>
      <Button look="secondary" onClick={open}>
        Backtest…
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Backtest this draft">
        <form onSubmit={onSubmit} className="grid gap-4">
          <p className="text-sm text-muted-foreground">
            Runs the draft against deliveries that this hook has accepted, and compares each request
            with the saved action. Nothing is sent.
          </p>
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
          {message !== undefined && <Notice tone="negative">{message}</Notice>}
          <DialogButtons>
            <Button look="secondary" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button type="submit" isBusy={isPending}>
              Start backtest
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </>
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
