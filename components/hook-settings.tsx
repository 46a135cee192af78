"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import { AnswerForm, type HookAnswer } from "./answer-form.tsx";
import type { SetHookStatus } from "./change-hook-status.ts";
import { DangerZone } from "./danger-zone.tsx";
import type { DeleteHookCommands } from "./delete-hook.tsx";
import { type CheckIdentity, IdentityForm, type UsualRule } from "./identity-form.tsx";
import { MethodsForm } from "./methods-form.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import type { ProviderSetting } from "./provider-settings.tsx";
import { ProviderSettingsForm } from "./provider-settings-form.tsx";
import { type RotateSecret, RotateSecretForm } from "./rotate-secret-form.tsx";
import type { SaveHook } from "./save-hook.ts";
import type { SecretShape } from "./secret-hints.ts";
import type { ExpireSecret, HookSecretView } from "./secret-list.tsx";
import type { StoredRule } from "./source-rule.ts";
import { Button, buttonClasses } from "./ui/button.tsx";
import { Card } from "./ui/card.tsx";
import { TextField } from "./ui/field.tsx";
import { Form } from "./ui/form.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type HookSettingsProps = DeleteHookCommands & {
  readonly hook: {
    readonly id: string;
    readonly name: string;
    readonly status: HookStatus;
    readonly provider: string;
    readonly providerName: string;
    readonly takesSecret: boolean;
    readonly secretHelp: string | null;
    readonly secretShape: SecretShape | null;
    readonly settings: readonly ProviderSetting[];
    readonly settingValues: Readonly<Record<string, string>>;
    readonly dedupe: StoredRule;
    readonly usualDedupe: UsualRule;
    readonly eventType: StoredRule;
    readonly usualEventType: UsualRule;
    readonly methods: readonly string[];
    readonly splitBatches: boolean;
    readonly response: HookAnswer | null;
  };
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly rename: (hookId: string, name: string) => Promise<CommandResult<null>>;
  readonly rotateSecret: RotateSecret;
  readonly expireSecret: ExpireSecret;
  readonly save: SaveHook;
  readonly checkIdentity: CheckIdentity;
  readonly setStatus: SetHookStatus;
};

export function HookSettings(props: HookSettingsProps) {
  const { hook, save } = props;
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-6">
      <Part title="Name">
        <RenameForm hook={hook} rename={props.rename} />
      </Part>
      <Part title="Sender" lead="Decides how a delivery proves who sent it, and where its id and type are.">
        <div className="flex flex-wrap items-center gap-3">
          <ProviderMark id={hook.provider} name={hook.providerName} />
          <span className="min-w-0 flex-1 basis-40 font-medium break-words">{hook.providerName}</span>
          {hook.provider === "custom" && (
            <Link href={`/hooks/${hook.id}/settings/sender?to=custom`} className={buttonClasses("secondary")}>
              Edit the signature
            </Link>
          )}
          <Link href={`/hooks/${hook.id}/settings/sender`} className={buttonClasses("secondary")}>
            Change sender
          </Link>
        </div>
        {hook.settings.length > 0 && (
          <ProviderSettingsForm
            hookId={hook.id}
            settings={hook.settings}
            values={hook.settingValues}
            save={save}
          />
        )}
      </Part>
      {hook.takesSecret && (
        <Part title="Signing secret">
          <RotateSecretForm
            hookId={hook.id}
            help={hook.secretHelp}
            shape={hook.secretShape}
            secrets={props.secrets}
            nowMs={props.nowMs}
            rotateSecret={props.rotateSecret}
            expire={props.expireSecret}
          />
        </Part>
      )}
      <Part
        title="De-duplication"
        lead="A delivery that repeats an event is stored as a duplicate and runs nothing."
      >
        <IdentityForm
          key={hook.provider}
          hookId={hook.id}
          what="dedupe"
          stored={hook.dedupe}
          usual={hook.usualDedupe}
          save={save}
          check={props.checkIdentity}
        />
      </Part>
      <Part title="Event type" lead="What lists, filters and actions tell events apart by.">
        <IdentityForm
          key={hook.provider}
          hookId={hook.id}
          what="eventType"
          stored={hook.eventType}
          usual={hook.usualEventType}
          save={save}
          check={props.checkIdentity}
        />
      </Part>
      <Part title="What it takes">
        <MethodsForm hookId={hook.id} methods={hook.methods} splitBatches={hook.splitBatches} save={save} />
      </Part>
      <Part title="Answer">
        <AnswerForm hookId={hook.id} answer={hook.response} save={save} />
      </Part>
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

function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <Card className="p-5">
      <section aria-label={title} className="grid grid-cols-1 gap-4">
        <div className="grid gap-1">
          <h2 className="font-semibold">{title}</h2>
          {lead !== undefined && <p className="text-sm text-muted-foreground">{lead}</p>}
        </div>
        {children}
      </section>
    </Card>
  );
}

function RenameForm({ hook, rename }: Pick<HookSettingsProps, "hook" | "rename">) {
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const result = await rename(hook.id, String(form.get("name")));
    if (result.ok) toast("Renamed. The catch URL is still the same.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} message={message}>
      <TextField label="Name" name="name" autoComplete="off" defaultValue={hook.name} error={fields.name} />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save name
        </Button>
      </div>
    </Form>
  );
}
