"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import type { SetHookStatus } from "#components/hooks/change-hook-status.ts";
import type { DeleteHookCommands } from "#components/hooks/delete-hook.tsx";
import type { PasteInstructions } from "#components/hooks/where-to-paste.tsx";
import { ProviderMark } from "#components/providers/provider-mark.tsx";
import type { ProviderSetting } from "#components/providers/provider-settings.tsx";
import type { SecretShape } from "#components/providers/secret-hints.ts";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Card } from "#components/ui/layout/card.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { HookStatus } from "#lib/schema/hook.ts";
import { CatchUrlForm, type EndPreviousCatchUrls, type RotateCatchUrl } from "./catch-url-form.tsx";
import { DangerZone } from "./danger-zone.tsx";
import { type CheckIdentity, type DefaultRule, IdentityForm } from "./identity-form.tsx";
import { MethodsForm } from "./methods-form.tsx";
import { ProviderSettingsForm } from "./provider-settings-form.tsx";
import { type HookPublishView, PublishForm } from "./publish-form.tsx";
import { RateForm } from "./rate-form.tsx";
import { ReplayForm, type ReplayView } from "./replay-form.tsx";
import type { HookReplyView, ReplyingAction } from "./reply-draft.ts";
import { ReplyForm } from "./reply-form.tsx";
import { type HookReply, ResponseForm } from "./response-form.tsx";
import { type RotateSecret, RotateSecretForm } from "./rotate-secret-form.tsx";
import type { SaveHook } from "./save-hook.ts";
import type { ExpireSecret, HookSecretView } from "./secret-list.tsx";
import { SectionNav, toAnchor } from "./section-nav.tsx";
import type { StoredRule } from "./source-rule.ts";
import { ToleranceForm } from "./tolerance-form.tsx";

type HookSettingsProps = DeleteHookCommands & {
  readonly hook: PasteInstructions & {
    readonly catchUrl: string;
    readonly previousUrls: readonly { readonly catchUrl: string; readonly expiresAt: Date }[];
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
    readonly defaultDedupe: DefaultRule;
    /** Null: not verified. */
    readonly replay: ReplayView | null;
    readonly eventType: StoredRule;
    readonly defaultEventType: DefaultRule;
    readonly methods: readonly string[];
    readonly splitBatches: boolean;
    readonly toleranceSeconds: number | null;
    readonly ratePerSecond: number | null;
    readonly defaultRate: number;
    /** Null: no signed time. */
    readonly defaultToleranceSeconds: number | null;
    readonly publish: HookPublishView | null;
    readonly response: HookReply | null;
    readonly answer: HookReplyView | null;
    readonly actions: readonly ReplyingAction[];
  };
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly rename: (hookId: string, name: string) => Promise<CommandResult<null>>;
  readonly rotateSecret: RotateSecret;
  readonly expireSecret: ExpireSecret;
  readonly save: SaveHook;
  readonly rotateCatchUrl: RotateCatchUrl;
  readonly endPreviousCatchUrls: EndPreviousCatchUrls;
  readonly checkIdentity: CheckIdentity;
  readonly setStatus: SetHookStatus;
};

const titles = [
  "Name",
  "Catch URL",
  "Provider",
  "Signing secret",
  "De-duplication",
  "Event type",
  "Accepted requests",
  "Publish",
  "Response",
  "Answer",
  "Danger zone",
];

export function HookSettings(props: HookSettingsProps) {
  const shown = titles.filter((title) => props.hook.takesSecret || title !== "Signing secret");
  return (
    <div className="grid grid-cols-1 gap-6 lg:flex lg:gap-10">
      <SectionNav label="Settings" titles={shown} />
      <Parts {...props} />
    </div>
  );
}

function Parts(props: HookSettingsProps) {
  const { hook, save } = props;
  return (
    <div className="grid w-full max-w-3xl min-w-0 grid-cols-1 gap-6">
      <Part title="Name">
        <RenameForm hook={hook} rename={props.rename} />
      </Part>
      <Part
        title="Catch URL"
        lead="Where the provider sends deliveries. Anyone with this URL can send to this hook."
      >
        <CatchUrlForm
          key={hook.catchUrl}
          hook={hook}
          previous={hook.previousUrls}
          nowMs={props.nowMs}
          rotate={props.rotateCatchUrl}
          endPrevious={props.endPreviousCatchUrls}
        />
      </Part>
      <Part
        title="Provider"
        lead="Sets how deliveries are verified, and where their id and type are."
      >
        <div className="flex flex-wrap items-center gap-3">
          <ProviderMark id={hook.provider} name={hook.providerName} />
          <span className="min-w-0 flex-1 basis-40 font-medium break-words">
            {hook.providerName}
          </span>
          {hook.provider === "custom" && (
            <Link
              href={`/hooks/${hook.id}/settings/provider?to=custom`}
              className={buttonClasses("secondary")}
            >
              Edit the signature
            </Link>
          )}
          <Link href={`/hooks/${hook.id}/settings/provider`} className={buttonClasses("secondary")}>
            Change provider
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
        {hook.defaultToleranceSeconds !== null && (
          <ToleranceForm
            hookId={hook.id}
            toleranceSeconds={hook.toleranceSeconds}
            defaultSeconds={hook.defaultToleranceSeconds}
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
        lead="A repeated event is stored as a duplicate and runs no actions."
      >
        <IdentityForm
          key={hook.provider}
          hookId={hook.id}
          what="dedupe"
          stored={hook.dedupe}
          usual={hook.defaultDedupe}
          save={save}
          check={props.checkIdentity}
        />
        {hook.replay !== null && (
          <ReplayForm
            key={`${hook.provider} ${hook.replay.isOn}`}
            hookId={hook.id}
            replay={hook.replay}
            save={save}
          />
        )}
      </Part>
      <Part title="Event type" lead="Used in lists, filters, and actions.">
        <IdentityForm
          key={hook.provider}
          hookId={hook.id}
          what="eventType"
          stored={hook.eventType}
          usual={hook.defaultEventType}
          save={save}
          check={props.checkIdentity}
        />
      </Part>
      <Part title="Accepted requests">
        <MethodsForm
          hookId={hook.id}
          methods={hook.methods}
          splitBatches={hook.splitBatches}
          save={save}
        />
      </Part>
      <Part title="Rate limit">
        <RateForm
          hookId={hook.id}
          ratePerSecond={hook.ratePerSecond}
          defaultRate={hook.defaultRate}
          save={save}
        />
      </Part>
      <Part title="Publish" lead="Send what arrives on to your own subscriptions.">
        <PublishForm hookId={hook.id} publish={hook.publish} save={save} />
      </Part>
      <Part title="Response">
        <ResponseForm hookId={hook.id} answer={hook.response} save={save} />
      </Part>
      <Part title="Answer" lead="For providers that use what they get back.">
        <ReplyForm hookId={hook.id} answer={hook.answer} actions={hook.actions} save={save} />
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
      <section
        id={toAnchor(title)}
        aria-label={title}
        className="grid scroll-mt-10 grid-cols-1 gap-4"
      >
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
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await rename(hook.id, String(form.get("name")));
    if (result.ok) toast("Renamed. The catch URL is still the same.");
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection}>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        defaultValue={hook.name}
        error={fields.name}
      />
      <div>
        <Button type="submit" look="secondary" isBusy={isPending}>
          Save name
        </Button>
      </div>
    </Form>
  );
}
