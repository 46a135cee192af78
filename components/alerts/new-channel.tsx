"use client";

import { useState } from "react";
import { kindWords } from "#components/problems/problem-words.ts";
import { Button } from "#components/ui/button/button.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, DialogButtons, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ChannelKind } from "#lib/schema/watch/alert.ts";
import type { ProblemKind } from "#lib/schema/watch/problem.ts";
import { channelWords } from "./channel-words.ts";
import { readTarget, TargetField } from "./target-field.tsx";

type NewChannelProps = {
  readonly sendsEmail: boolean;
  readonly create: (input: object) => Promise<CommandResult<{ readonly secret: string | null }>>;
};

const problemNames = Object.entries(kindWords) as readonly (readonly [ProblemKind, string])[];
const kinds = Object.entries(channelWords) as readonly (readonly [ChannelKind, string])[];

/** The button that opens the form of a new channel. */
export function NewChannel(props: NewChannelProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>New channel</Button>
      <Dialog isOpen={isOpen} onClose={close} title="New channel" isWide>
        <ChannelForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function ChannelForm({ sendsEmail, create, onClose }: NewChannelProps & { onClose: () => void }) {
  const [kind, setKind] = useState<ChannelKind>(sendsEmail ? "email" : "slack");
  const [secret, setSecret] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly ProblemKind[]>(
    problemNames.map(([one]) => one),
  );
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const name = String(form.get("name") ?? "");
    const result = await create({ name, kind, ...readTarget(kind, form), problems });
    if (!result.ok) return result;
    if (result.value.secret === null) onClose();
    else setSecret(result.value.secret);
    return result;
  });
  if (secret !== null) return <ShownSecret secret={secret} onClose={onClose} />;
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        placeholder="On call"
        autoFocus
        error={fields.name}
      />
      <SelectField
        label="Type"
        name="kind"
        value={kind}
        onChange={(event) => setKind(event.target.value as ChannelKind)}
        hint={sendsEmail ? undefined : "This server sends no email: its operator can set SMTP_URL."}
      >
        {kinds.map(([value, words]) => (
          <option key={value} value={value} disabled={value === "email" && !sendsEmail}>
            {words}
          </option>
        ))}
      </SelectField>
      <TargetField kind={kind} fields={fields} />
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="mb-1.5 text-sm font-medium">Tell this channel when</legend>
        {problemNames.map(([problem, words]) => (
          <CheckField
            key={problem}
            label={words}
            checked={problems.includes(problem)}
            onChange={(isOn) =>
              setProblems(isOn ? [...problems, problem] : problems.filter((one) => one !== problem))
            }
          />
        ))}
      </fieldset>
      <FormButtons onCancel={onClose} isBusy={isPending}>
        Add channel
      </FormButtons>
    </Form>
  );
}

function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <>
      <div className="grid gap-2 text-sm">
        <p>Events are signed with this secret. Copy it now: it is shown only once.</p>
        <CopyLine text={secret} what="secret" />
      </div>
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </>
  );
}
