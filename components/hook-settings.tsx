"use client";

import type { ReactNode } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import type { SetHookStatus } from "./change-hook-status.ts";
import { DangerZone } from "./danger-zone.tsx";
import type { DeleteHookCommands } from "./delete-hook.tsx";
import { type HookSecretView, type RotateSecret, RotateSecretForm } from "./rotate-secret-form.tsx";
import type { SecretShape } from "./secret-hints.ts";
import { Button } from "./ui/button.tsx";
import { Card } from "./ui/card.tsx";
import { TextField } from "./ui/field.tsx";
import { Form } from "./ui/form.tsx";
import { Notice } from "./ui/notice.tsx";
import { useCommand } from "./use-command.ts";

type HookSettingsProps = DeleteHookCommands & {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly isSigned: boolean;
    readonly secretHelp: string | null;
    readonly secretShape: SecretShape | null;
  };
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly rename: (hookId: string, name: string) => Promise<CommandResult<null>>;
  readonly rotateSecret: RotateSecret;
  readonly setStatus: SetHookStatus;
};

export function HookSettings(props: HookSettingsProps) {
  const { hook } = props;
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-6">
      <Part title="Name">
        <RenameForm hook={hook} rename={props.rename} />
      </Part>
      {hook.isSigned && (
        <Part title="Signing secret">
          <RotateSecretForm
            hookId={hook.id}
            help={hook.secretHelp}
            shape={hook.secretShape}
            secrets={props.secrets}
            nowMs={props.nowMs}
            rotateSecret={props.rotateSecret}
          />
        </Part>
      )}
      <Part title="Danger zone">
        <DangerZone
          hook={hook}
          setStatus={props.setStatus}
          deleteHook={props.deleteHook}
          readContents={props.readContents}
        />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="grid grid-cols-1 gap-4 p-5">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </Card>
  );
}

function RenameForm({ hook, rename }: Pick<HookSettingsProps, "hook" | "rename">) {
  const { result, fields, message, isPending, onSubmit } = useCommand((form) =>
    rename(hook.id, String(form.get("name"))),
  );
  return (
    <Form onSubmit={onSubmit} message={message} className="gap-3">
      {result?.ok === true && <Notice tone="positive">Renamed. The catch URL is still the same.</Notice>}
      <TextField label="Name" name="name" autoComplete="off" defaultValue={hook.name} error={fields.name} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save name
        </Button>
      </div>
    </Form>
  );
}
