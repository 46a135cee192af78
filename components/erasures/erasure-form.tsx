"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { control, describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { describeCount } from "#components/ui/text/describe-count.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { ErasureMode } from "#lib/schema/account/erasure-places.ts";
import {
  type CommandResult,
  describeFieldError,
  type FieldError,
} from "#lib/schema/field/command-result.ts";

type ErasureInput = {
  readonly values: readonly string[];
  readonly mode: ErasureMode;
  readonly dryRun: boolean;
  readonly laterArrivals: boolean;
};

type ErasureFormProps = {
  /** One runs already. */
  readonly isRunning: boolean;
  readonly start: (input: ErasureInput) => Promise<CommandResult<null>>;
};

/** Counts where a person's values are, and then redacts or deletes them. */
export function ErasureForm({ isRunning, start }: ErasureFormProps) {
  const [text, setText] = useState("");
  const [mode, setMode] = useState<ErasureMode>("redact");
  const [laterArrivals, setLaterArrivals] = useState(false);
  const values = text.split("\n").flatMap((line) => line.trim() || []);
  const counting = useCommand(async () => {
    const result = await start({ values, mode, dryRun: true, laterArrivals: false });
    if (result.ok) toast("Counting. The result appears below.");
    return result;
  });
  async function forget() {
    const result = await start({ values, mode, dryRun: false, laterArrivals });
    if (result.ok) setText("");
    return result;
  }
  const error = describeRejected(values, counting.rejection?.errors[0]);
  const [first] = values;
  const others = values.length - 1;
  return (
    <div className="grid gap-4">
      <Form
        id="erasure"
        onSubmit={counting.onSubmit}
        rejection={counting.rejection}
        className="gap-4"
      >
        <FieldFrame id="values" label="Values" hint={hint} error={error}>
          <textarea
            id="values"
            name="values"
            rows={3}
            spellCheck={false}
            autoComplete="off"
            placeholder={"jo@example.com\ncus_N1"}
            value={text}
            onChange={(event) => {
              counting.reset();
              setText(event.target.value);
            }}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy("values", hint, error)}
            className={`${control} h-auto! py-2 font-mono text-xs`}
          />
        </FieldFrame>
        <ChoiceGroup
          label="What happens to rows with a value"
          name="mode"
          choices={choices}
          value={mode}
          onChange={setMode}
        />
        <CheckField
          label="Find later arrivals too"
          text={laterText}
          checked={laterArrivals}
          onChange={setLaterArrivals}
        />
      </Form>
      <div className="flex flex-wrap items-center gap-2">
        {/* Outside of the form, because the dialog of the other button has a field of its own. */}
        <Button
          type="submit"
          form="erasure"
          look="secondary"
          isBusy={counting.isPending}
          disabled={isRunning}
        >
          Count rows
        </Button>
        {!isRunning && first !== undefined && (
          <ConfirmButton
            label="Forget this person…"
            title={`Forget ${safeText(first)}${others > 0 ? ` and ${describeCount(others, "other value")}` : ""}?`}
            keepLabel="Cancel"
            confirmLabel={mode === "redact" ? "Redact" : "Delete"}
            typed={safeText(first)}
            typedLabel={others > 0 ? "First value" : "Value"}
            run={forget}
          >
            <p>{consequences[mode]}</p>
            {laterArrivals && <p>{laterConsequence}</p>}
            <p>
              You can't undo this. Backups, the audit log, and what people have set up stay as they
              are.
            </p>
          </ConfirmButton>
        )}
        {isRunning && (
          <p className="text-sm text-muted-foreground">
            One is running. Wait until it ends, or cancel it below.
          </p>
        )}
      </div>
    </div>
  );
}

/** Says which value is wrong. */
function describeRejected(
  values: readonly string[],
  rejected: FieldError | undefined,
): string | undefined {
  if (rejected === undefined) return undefined;
  const value = values[Number(rejected.path.split(".")[1])];
  const said = describeFieldError(rejected);
  return value === undefined ? said : `The value ${value} ${said}.`;
}

const choices = [
  {
    value: "redact",
    title: "Redact",
    text: "The rows stay, with [erased] in place of each value.",
  },
  {
    value: "delete",
    title: "Delete",
    text: "Deliveries and events are deleted with their runs. Other rows are redacted.",
  },
] as const;

const consequences: Readonly<Record<ErasureMode, string>> = {
  redact: "Each value is replaced by [erased] in everything that is stored, the archive included.",
  delete:
    "Deliveries and events with a value are deleted with their runs, the archive included. " +
    "The values are redacted in everything else.",
};

const laterText =
  "Keeps a rule with a keyed hash of each value. If a value arrives again, the same happens to it.";

const laterConsequence = "The same happens when a value arrives again, until you remove its rule.";

const hint =
  "What names the person, such as an email address and an ID. One per line. Each is found as a whole, in any case.";
