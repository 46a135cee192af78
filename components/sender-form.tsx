"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { ProviderChoice } from "./hook-form.tsx";
import { ProviderMark } from "./provider-mark.tsx";
import { ProviderSettingFields, readProviderSettings } from "./provider-settings.tsx";
import type { SaveHook } from "./save-hook.ts";
import { newSchemeInput, readSchemeInput, SchemeBuilder } from "./scheme-builder.tsx";
import { SecretField } from "./secret-field.tsx";
import { Button, buttonClasses } from "./ui/button.tsx";
import { Form } from "./ui/form.tsx";
import { Notice } from "./ui/notice.tsx";
import { toast } from "./ui/toast.ts";
import { useCommand } from "./use-command.ts";

type SenderFormProps = {
  readonly hook: { readonly id: string; readonly provider: string; readonly hasSecret: boolean };
  readonly provider: ProviderChoice;
  /** The scheme that the hook has now, where its sender is one's own. */
  readonly verification: unknown;
  readonly save: SaveHook;
};

/** Another sender for a hook, under the same catch URL. */
export function SenderForm({ hook, provider, verification, save }: SenderFormProps) {
  const router = useRouter();
  const path = `/hooks/${hook.id}/settings`;
  const isCustom = provider.id === "custom";
  const isSame = provider.id === hook.provider;
  const [scheme, setScheme] = useState(() => newSchemeInput(isCustom && isSame ? verification : null));
  const { fields, message, isPending, onSubmit } = useCommand(async (form) => {
    const secret = String(form.get("signingSecret") ?? "");
    const result = await save(hook.id, {
      provider: provider.id,
      verification: isCustom ? readSchemeInput(scheme) : null,
      ...(isCustom ? {} : readProviderSettings(provider.settings, form)),
      ...(secret === "" ? {} : { signingSecret: secret }),
    });
    if (result.ok) {
      toast(isSame ? "Saved. It holds for what arrives from now on." : `The sender is now ${provider.name}.`);
      router.push(path);
    }
    return result;
  });
  return (
    <Form onSubmit={onSubmit} message={message} className="gap-5">
      <div className="flex items-center gap-3">
        <ProviderMark id={provider.id} name={provider.name} />
        <span className="min-w-0 flex-1 font-medium break-words">{provider.name}</span>
      </div>
      {!isSame && <Consequences hook={hook} provider={provider} />}
      {isCustom && <SchemeBuilder input={scheme} onChange={setScheme} fields={fields} />}
      <ProviderSettingFields settings={provider.settings} fields={fields} />
      {provider.takesSecret && !isSame && (
        <SecretField
          name="signingSecret"
          help={`${provider.secretHelp ?? ""}${hook.hasSecret ? " Left empty, the present one is kept." : " It may follow later."}`.trim()}
          shape={provider.secretShape}
          error={fields.signingSecret}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" isBusy={isPending}>
          {isSame ? "Save" : "Change sender"}
        </Button>
        <Link href={path} className={buttonClasses("quiet")}>
          Back
        </Link>
      </div>
    </Form>
  );
}

function Consequences({ hook, provider }: Pick<SenderFormProps, "hook" | "provider">) {
  if (!provider.isSigned) {
    return (
      <Notice tone="caution">
        Nothing is verified any more{hook.hasSecret ? ", and the signing secret is gone for good" : ""}:
        whoever knows the catch URL can send to it.
      </Notice>
    );
  }
  return (
    <Notice>
      What arrives from now on has to be signed as{" "}
      {provider.id === "custom" ? "you say below" : `${provider.name} signs`}. The catch URL stays. Rules for
      de-duplication and event type follow, unless you have changed them.
    </Notice>
  );
}
