"use client";

import { useState } from "react";
import { kindWords } from "#components/problems/problem-words.ts";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { Digest, QuietHours } from "#lib/schema/alert.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ProblemKind } from "#lib/schema/problem.ts";
import type { ChannelView } from "./channel-list.tsx";

export type RuleView = {
  readonly id: string;
  readonly kind: ProblemKind;
  readonly threshold: number;
  readonly withinSeconds: number;
  readonly channelIds: readonly string[];
  readonly quietHours: QuietHours | null;
  readonly digest: Digest;
  readonly remindMinutes: number | null;
  readonly enabled: boolean;
};

type RuleButtonProps = {
  /** Null: a new one. */
  readonly rule: RuleView | null;
  readonly channels: readonly ChannelView[];
  readonly timeZones: readonly string[];
  readonly save: (input: object) => Promise<CommandResult<null>>;
};

/** The button that opens the form of a rule. */
export function RuleButton(props: RuleButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { rule } = props;
  const label = rule === null ? undefined : `Edit the rule “${kindWords[rule.kind]}”`;
  return (
    <>
      <Button look="secondary" aria-label={label} onClick={() => setOpen(true)}>
        {rule === null ? "New rule" : "Edit"}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={rule === null ? "New rule" : kindWords[rule.kind]}
        isWide
      >
        <RuleForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

const kinds = Object.entries(kindWords) as readonly (readonly [ProblemKind, string])[];

function RuleForm({
  rule,
  channels,
  timeZones,
  save,
  onClose,
}: RuleButtonProps & { onClose: () => void }) {
  const [channelIds, setChannelIds] = useState(rule?.channelIds ?? channels.map(({ id }) => id));
  const [isQuiet, setQuiet] = useState((rule?.quietHours ?? null) !== null);
  const [weekends, setWeekends] = useState(rule?.quietHours?.weekends ?? false);
  const [enabled, setEnabled] = useState(rule?.enabled ?? true);
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const result = await save({
      ...(rule === null && { kind: text("kind") }),
      threshold: Number(text("threshold")),
      withinSeconds: Number(text("withinMinutes")) * 60,
      channelIds,
      digest: text("digest"),
      remindMinutes: text("remindMinutes") === "" ? null : Number(text("remindMinutes")),
      quietHours: isQuiet
        ? { from: text("from"), to: text("to"), timeZone: text("timeZone"), weekends }
        : null,
      enabled,
    });
    if (!result.ok) return result;
    toast("Saved.");
    onClose();
    return result;
  });
  const toggle = (id: string, isChosen: boolean) =>
    setChannelIds(isChosen ? [...channelIds, id] : channelIds.filter((each) => each !== id));
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      {rule === null && (
        <SelectField label="Problem" name="kind" error={fields.kind}>
          {kinds.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="After this many times"
          name="threshold"
          inputMode="numeric"
          defaultValue={rule?.threshold ?? 1}
          error={fields.threshold}
        />
        <TextField
          label="Within (minutes)"
          name="withinMinutes"
          inputMode="numeric"
          defaultValue={(rule?.withinSeconds ?? 600) / 60}
          error={fields.withinSeconds}
        />
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Channels</legend>
        {channels.map(({ id, name }) => (
          <CheckField
            key={id}
            label={safeText(name)}
            checked={channelIds.includes(id)}
            onChange={(isChosen) => toggle(id, isChosen)}
          />
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label="Digest" name="digest" defaultValue={rule?.digest ?? "off"}>
          <option value="off">Off: tell each problem at once</option>
          <option value="hourly">Every hour</option>
          <option value="daily">Every day at 09:00</option>
        </SelectField>
        <TextField
          label="Remind every (minutes)"
          name="remindMinutes"
          inputMode="numeric"
          placeholder="Never"
          defaultValue={rule?.remindMinutes ?? ""}
          error={fields.remindMinutes}
        />
      </div>
      <CheckField
        label="Quiet hours"
        text="Alerts are held until quiet hours end. Problems that ended by then are listed once, in a digest."
        checked={isQuiet}
        onChange={setQuiet}
      />
      {isQuiet && (
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField
            label="From"
            name="from"
            type="time"
            defaultValue={rule?.quietHours?.from ?? "22:00"}
            error={fields["quietHours.from"] ?? fields.quietHours}
          />
          <TextField
            label="To"
            name="to"
            type="time"
            defaultValue={rule?.quietHours?.to ?? "07:00"}
            error={fields["quietHours.to"]}
          />
          <SelectField
            label="Time zone"
            name="timeZone"
            defaultValue={rule?.quietHours?.timeZone ?? "UTC"}
            error={fields["quietHours.timeZone"]}
          >
            {timeZones.map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </SelectField>
          <div className="sm:col-span-3">
            <CheckField label="And the whole weekend" checked={weekends} onChange={setWeekends} />
          </div>
        </div>
      )}
      <CheckField label="Enabled" checked={enabled} onChange={setEnabled} />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {rule === null ? "Add rule" : "Save rule"}
      </FormButtons>
    </Form>
  );
}
