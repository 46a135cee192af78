"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Dialog, FormButtons } from "#components/ui/overlay/dialog.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { ChannelKind } from "#lib/schema/watch/alert.ts";
import { readTarget, TargetField } from "./target-field.tsx";

type EditChannelProps = {
  readonly channel: {
    readonly name: string;
    readonly kind: ChannelKind;
    readonly target: string;
  };
  readonly save: (patch: object) => Promise<CommandResult<null>>;
};

/** The button that opens the form of a channel. */
export function EditChannel(props: EditChannelProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const name = safeText(props.channel.name);
  return (
    <>
      <Button
        look="secondary"
        aria-label={`Edit the channel ${name}`}
        onClick={() => setOpen(true)}
      >
        Edit
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Edit channel" isWide>
        <ChannelForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function ChannelForm({ channel, save, onClose }: EditChannelProps & { onClose: () => void }) {
  const { name, kind, target } = channel;
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save({ name: form.get("name"), ...readTarget(kind, form, false) });
    if (!result.ok) return result;
    toast("Saved.");
    onClose();
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={name}
        autoFocus
        error={fields.name}
      />
      <TargetField kind={kind} fields={fields} current={target} />
      <FormButtons onCancel={onClose} isBusy={isPending}>
        Save channel
      </FormButtons>
    </Form>
  );
}
