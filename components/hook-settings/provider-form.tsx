"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ProviderChoice } from "#components/hooks/hook-form.tsx";
import { ProviderMark } from "#components/providers/provider-mark.tsx";
import {
  ProviderSettingFields,
  readProviderSettings,
} from "#components/providers/provider-settings.tsx";
import {
  newSchemeInput,
  readSchemeInput,
  SchemeBuilder,
} from "#components/providers/scheme-builder.tsx";
import { SecretField } from "#components/providers/secret-field.tsx";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { SaveHook } from "./save-hook.ts";

type ProviderFormProps = {
  readonly hook: { readonly id: string; readonly provider: string; readonly hasSecret: boolean };
  readonly provider: ProviderChoice;
  /** The hook's current scheme, if it is a custom one. */
  readonly verification: unknown;
  readonly save: SaveHook;
};

/** Changes a hook's provider and keeps its catch URL. */
export function ProviderForm({ hook, provider, verification, save }: ProviderFormProps) {
  const router = useRouter();
  const path = `/hooks/${hook.id}/settings`;
  const isCustom = provider.id === "custom";
  const isSame = provider.id === hook.provider;
  const [scheme, setScheme] = useState(() =>
    newSchemeInput(isCustom && isSame ? verification : null),
  );
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await save(hook.id, {
      provider: provider.id,
      verification: isCustom ? readSchemeInput(scheme) : null,
      ...(isCustom ? {} : readProviderSettings(provider.settings, form)),
      ...readSecret(String(form.get("signingSecret") ?? ""), provider),
    });
    if (result.ok) {
      toast(
        isSame ? "Saved. This applies to new deliveries." : `The provider is now ${provider.name}.`,
      );
      router.push(path);
    }
    return result;
  });
  return (
    <Form onSubmit={onSubmit} rejection={rejection} className="gap-5">
      <div className="flex items-center gap-3">
        <ProviderMark id={provider.id} name={provider.name} />
        <span className="min-w-0 flex-1 font-medium break-words">{provider.name}</span>
      </div>
      {!isSame && <Consequences hook={hook} provider={provider} />}
      {isCustom && <SchemeBuilder input={scheme} onChange={setScheme} fields={fields} />}
      <ProviderSettingFields settings={provider.settings} fields={fields} />
      {provider.takesSecret && (!isSame || isCustom) && (
        <SecretField
          name="signingSecret"
          help={`${provider.secretHelp ?? ""} ${
            hook.hasSecret
              ? "Leave it empty to keep the current one, if it works."
              : "You can add it later."
          }`.trim()}
          shape={provider.secretShape}
          error={fields.signingSecret}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isPending}>
          {isSame ? "Save" : provider.isSigned ? "Change provider" : "Stop verifying"}
        </Button>
        <Link href={path} className={buttonClasses("quiet")}>
          Back
        </Link>
      </div>
    </Form>
  );
}

/**
 * If the new provider doesn't use a secret, the notice above the button says that the stored one is
 * deleted.
 */
function readSecret(
  secret: string,
  { takesSecret }: ProviderChoice,
): { signingSecret?: string | null } {
  if (!takesSecret) return { signingSecret: null };
  return secret === "" ? {} : { signingSecret: secret };
}

function Consequences({ hook, provider }: Pick<ProviderFormProps, "hook" | "provider">) {
  if (!provider.isSigned) {
    return (
      <Notice tone="caution">
        Deliveries are no longer verified. Anyone who knows the catch URL can send to it.
        {hook.hasSecret && " The signing secret is permanently deleted."}
      </Notice>
    );
  }
  return (
    <Notice>
      New deliveries must be signed as{" "}
      {provider.id === "custom" ? "described below" : `${provider.name} signs them`}. The catch URL
      stays the same. De-duplication and event type follow the provider, unless you have changed
      them.
      {hook.hasSecret &&
        !provider.takesSecret &&
        ` ${provider.name} doesn't use a secret, so the current one is permanently deleted.`}
    </Notice>
  );
}
