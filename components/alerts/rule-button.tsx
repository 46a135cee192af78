"use client";

import { useState } from "react";
import { kindWords } from "#components/problems/problem-words.ts";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { CheckField } from "#components/ui/form/check-field.tsx";
import {
  asIs,
  type Codec,
  optionalNumber,
  switched,
  toDraft,
  type Values,
} from "#components/ui/form/codec.ts";
import { Field, FieldCheck, FieldSelect } from "#components/ui/form/fields.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useForm } from "#components/ui/form/use-form.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { Digest } from "#lib/schema/watch/alert.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";
import type { ChannelView } from "./channel-list.tsx";

/** Seconds, typed as minutes. */
const minutes: Codec<number, string> = {
  text: (seconds) => String(seconds / 60),
  read: (text) => {
    const read = optionalNumber.read(text);
    return typeof read === "number" ? read * 60 : read;
  },
  inputMode: "numeric",
};

const ruleFields = {
  kind: asIs<ProblemKind>(),
  threshold: optionalNumber,
  withinSeconds: minutes,
  channelIds: asIs<readonly string[]>(),
  quietHours: switched(
    {
      from: asIs<string>(),
      to: asIs<string>(),
      timeZone: asIs<string>(),
      weekends: asIs<boolean>(),
    },
    { from: "22:00", to: "07:00", timeZone: "UTC", weekends: false },
  ),
  digest: asIs<Digest>(),
  remindMinutes: optionalNumber,
  enabled: asIs<boolean>(),
};

type RuleValues = Values<typeof ruleFields>;
export type RuleView = RuleValues & { readonly id: string; readonly threshold: number };

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

type RuleFormProps = RuleButtonProps & { readonly onClose: () => void };

function RuleForm({ rule, channels, timeZones, save, onClose }: RuleFormProps) {
  const newRule: RuleValues = {
    kind: kinds[0]?.[0] ?? "rejected",
    threshold: 1,
    withinSeconds: 600,
    channelIds: channels.map(({ id }) => id),
    quietHours: null,
    digest: "off",
    remindMinutes: null,
    enabled: true,
  };
  const form = useForm(ruleFields, toDraft(ruleFields, rule ?? newRule), async (input) => {
    const { kind, ...changes } = input;
    const result = await save(rule === null ? { kind, ...changes } : changes);
    if (!result.ok) return result;
    toast("Saved.");
    onClose();
    return result;
  });
  const { draft, of, rejection, isPending, onSubmit } = form;
  const { value: chosen, onChange: choose } = of("channelIds");
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      {rule === null && (
        <FieldSelect of={of("kind")} label="Problem">
          {kinds.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </FieldSelect>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={of("threshold")} label="After this many times" />
        <Field of={of("withinSeconds")} label="Within (minutes)" />
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Channels</legend>
        {channels.map(({ id, name }) => (
          <CheckField
            key={id}
            label={safeText(name)}
            checked={chosen.includes(id)}
            onChange={(isOn) => choose(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <FieldSelect of={of("digest")} label="Digest">
          <option value="off">Off: tell each problem at once</option>
          <option value="hourly">Every hour</option>
          <option value="daily">Every day at 09:00</option>
        </FieldSelect>
        <Field of={of("remindMinutes")} label="Remind every (minutes)" placeholder="Never" />
      </div>
      <FieldCheck
        of={of("quietHours", "isOn")}
        label="Quiet hours"
        text="Alerts are held until quiet hours end. Problems that ended by then are listed once, in a digest."
      />
      {draft.quietHours.isOn && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Field of={of("quietHours", "from")} label="From" type="time" />
          <Field of={of("quietHours", "to")} label="To" type="time" />
          <FieldSelect of={of("quietHours", "timeZone")} label="Time zone">
            {timeZones.map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </FieldSelect>
          <div className="sm:col-span-3">
            <FieldCheck of={of("quietHours", "weekends")} label="And the whole weekend" />
          </div>
        </div>
      )}
      <FieldCheck of={of("enabled")} label="Enabled" />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        {rule === null ? "Add rule" : "Save rule"}
      </FormButtons>
    </Form>
  );
}
