"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ProviderMark } from "#components/providers/provider-mark.tsx";
import {
  type ProviderSetting,
  ProviderSettingFields,
  readProviderSettings,
} from "#components/providers/provider-settings.tsx";
import {
  newSchemeInput,
  readSchemeInput,
  SchemeBuilder,
} from "#components/providers/scheme-builder.tsx";
import { SecretField } from "#components/providers/secret-field.tsx";
import type { SecretShape } from "#components/providers/secret-hints.ts";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { ChoiceGroup } from "#components/ui/form/choice-group.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { UrlFields } from "./url-fields.tsx";

export type ProviderChoice = {
  readonly id: string;
  readonly name: string;
  readonly isUnconfirmed: boolean;
  readonly isSigned: boolean;
  readonly takesSecret: boolean;
  /** The provider sends the secret itself when it first calls the URL. */
  readonly isSecretFromHandshake: boolean;
  readonly settings: readonly ProviderSetting[];
  readonly secretHelp: string | null;
  readonly secretShape: SecretShape | null;
  /** Why its hooks can't have a path. Null: they can. */
  readonly whyNoPath: string | null;
};

/** A new hook as API input. */
type NewHook = {
  readonly name: string;
  readonly provider: string;
  /** Stores deliveries unverified until the secret is added. */
  readonly status?: "pending";
  readonly signingSecret?: string;
  readonly verification?: unknown;
  readonly keyPrefix?: string;
  readonly path?: string;
};

type HookFormProps = {
  readonly provider: ProviderChoice;
  /** The catch URL before the hook's own part. */
  readonly catchPrefix: string;
  readonly createHook: (input: NewHook) => Promise<CommandResult<{ readonly id: string }>>;
};

/** The last step to a catch URL: a name, and the provider's secret, now or later. */
export function HookForm({ provider, catchPrefix, createHook }: HookFormProps) {
  const router = useRouter();
  const [when, setWhen] = useState<"now" | "later">(
    provider.isSecretFromHandshake ? "later" : "now",
  );
  const [scheme, setScheme] = useState(() => newSchemeInput(null));
  const [url, setUrl] = useState({ path: "", prefix: "" });
  const isCustom = provider.id === "custom";
  const { result, fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const secret = String(form.get("signingSecret") ?? "");
    if (provider.takesSecret && when === "now" && secret === "") return secretMissing;
    const created = await createHook({
      name: String(form.get("name")),
      provider: provider.id,
      ...(secret === "" ? {} : { signingSecret: secret }),
      ...(provider.takesSecret && when === "later" ? { status: "pending" as const } : {}),
      ...(isCustom
        ? { verification: readSchemeInput(scheme) }
        : readProviderSettings(provider.settings, form)),
      ...(url.path === "" ? {} : { path: url.path }),
      ...(url.prefix === "" ? {} : { keyPrefix: url.prefix.replace(/-+$/u, "") }),
    });
    if (created.ok) router.push(`/hooks/${created.value.id}`);
    return created;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
      <ChosenProvider provider={provider} />
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        placeholder="Orders"
        defaultValue={provider.isSigned && !isCustom ? provider.name.replace(/ \(.*\)$/, "") : ""}
        error={fields.name}
        autoFocus
      />
      {isCustom && <SchemeBuilder input={scheme} onChange={setScheme} fields={fields} />}
      <ProviderSettingFields settings={provider.settings} fields={fields} />
      {provider.takesSecret && (
        <>
          <ChoiceGroup
            label="Do you have the signing secret?"
            name="when"
            columns={2}
            value={when}
            onChange={setWhen}
            choices={[
              {
                value: "now",
                title: "Yes, I have it",
                text: "Deliveries are verified from the start.",
              },
              {
                value: "later",
                title: "I don't have it yet",
                text: describeLater(provider),
              },
            ]}
          />
          {when === "now" && (
            <SecretField
              name="signingSecret"
              help={provider.secretHelp}
              shape={provider.secretShape}
              canGenerate={isCustom || provider.secretShape?.isChosen === true}
              error={fields.signingSecret}
            />
          )}
        </>
      )}
      <UrlFields
        catchPrefix={catchPrefix}
        value={url}
        onChange={setUrl}
        whyNoPath={provider.whyNoPath}
        fields={fields}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isPending || result?.ok === true}>
          Create hook
        </Button>
        <Link href="/hooks/new" className={buttonClasses("quiet")}>
          Back
        </Link>
      </div>
    </Form>
  );
}

function describeLater({ name, isSecretFromHandshake }: ProviderChoice): string {
  if (isSecretFromHandshake) return `${name} sends it when it first calls the catch URL.`;
  return "Most providers show it after you add the catch URL. Deliveries are stored until you add the secret.";
}

const secretMissing = {
  ok: false,
  message: "Check the marked fields.",
  errors: [
    {
      path: "signingSecret",
      code: "required",
      message: "Paste the signing secret, or choose “I don't have it yet”.",
    },
  ],
} as const;

function ChosenProvider({
  provider: { id, name, isSigned, isUnconfirmed },
}: {
  provider: ProviderChoice;
}) {
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-3">
        <ProviderMark id={id} name={name} />
        <span className="min-w-0 flex-1 font-medium break-words">{name}</span>
        <Link
          href="/hooks/new"
          className="rounded-sm text-sm text-muted-foreground underline underline-offset-4 hover:text-foreground"
        >
          Change
        </Link>
      </div>
      {!isSigned && (
        <p className="text-sm text-muted-foreground">
          Deliveries aren't verified. Anyone who knows the catch URL can send to it, so treat it as
          a secret.
        </p>
      )}
      {isUnconfirmed && (
        <Notice tone="caution">
          How {name} signs is not confirmed against the provider. Send a test event before you rely
          on it.
        </Notice>
      )}
    </div>
  );
}
