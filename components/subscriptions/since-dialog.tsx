"use client";

import { type ReactNode, useState } from "react";
import { LimitFields } from "#components/lists/limit-fields.tsx";
import { type LimitInput, trialOnly } from "#components/lists/limit-input.ts";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { nameOfZone, toUtcTime } from "#components/ui/time/local-time.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { type CommandResult, checkFields, reject } from "#lib/schema/field/command-result.ts";

export type StartSince = (
  subscriptionId: string,
  since: string,
  limits: LimitInput,
) => Promise<CommandResult<null>>;

type SinceDialogProps = {
  readonly subscriptionId: string;
  /** The text of the button that opens the dialog. */
  readonly label: string;
  readonly title: string;
  readonly confirmLabel: string;
  readonly start: StartSince;
  /** True if the job can be tried first and paced. The people of a portal can't. */
  readonly hasLimits?: boolean;
  /** A description of what happens. */
  readonly children: ReactNode;
};

const hourMs = 3_600_000;
const spans = [
  ["1", "an hour ago"],
  ["24", "24 hours ago"],
  ["168", "7 days ago"],
  ["720", "30 days ago"],
] as const;

/** Asks for a start time and starts a job. The page shows its progress. */
export function SinceDialog(props: SinceDialogProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="secondary" onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={props.title}>
        <SinceForm {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SinceForm(props: SinceDialogProps & { readonly onClose: () => void }) {
  const { subscriptionId, confirmLabel, start, hasLimits = false, onClose } = props;
  const timeZone = useTimeZone() ?? "UTC";
  const [span, setSpan] = useState("24");
  const [local, setLocal] = useState("");
  const [limits, setLimits] = useState(trialOnly);
  const { fields, rejection, isPending, onSubmit } = useCommand(async () => {
    if (span === "time" && local === "")
      return reject(checkFields, [{ path: "since", code: "required", message: "Choose a time." }]);
    const since =
      span === "time"
        ? `${toUtcTime(local, timeZone)}Z`
        : new Date(Date.now() - Number(span) * hourMs).toISOString();
    const result = await start(subscriptionId, since, limits);
    if (result.ok) {
      toast("Started. The page shows the progress.");
      onClose();
    }
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <p className="text-sm text-muted-foreground">{props.children}</p>
      <SelectField
        label="Since"
        name="span"
        value={span}
        onChange={(event) => setSpan(event.target.value)}
        error={span === "time" ? undefined : fields.since}
      >
        {spans.map(([hours, words]) => (
          <option key={hours} value={hours}>
            {words}
          </option>
        ))}
        <option value="time">a time</option>
      </SelectField>
      {span === "time" && (
        <TextField
          label={`Time (${nameOfZone(local, timeZone)})`}
          name="since"
          type="datetime-local"
          value={local}
          onChange={(event) => setLocal(event.target.value)}
          error={fields.since}
        />
      )}
      {hasLimits && (
        <LimitFields
          value={limits}
          onChange={setLimits}
          errors={Object.entries(fields).flatMap(([path, message]) =>
            message === undefined ? [] : [{ path, code: "invalid_value", message }],
          )}
        />
      )}
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {confirmLabel}
      </FormButtons>
    </Form>
  );
}
