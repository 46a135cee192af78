"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { Button, buttonClasses } from "./ui/button.tsx";
import { SelectField, TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { useCommand } from "./use-command.ts";

export type ProviderChoice = {
  readonly id: string;
  readonly name: string;
  readonly secretHelp: string;
};

export type CreatedHook = {
  readonly id: string;
  readonly name: string;
  readonly catchUrl: string;
  /** About the secret that was pasted. */
  readonly warnings: readonly string[];
};

type HookFormProps = {
  readonly providers: readonly ProviderChoice[];
  readonly createHook: (input: Record<string, string>) => Promise<CommandResult<CreatedHook>>;
};

/** "Anything else" is a provider of its own: nothing is verified. */
export const genericProvider = "generic";

export function HookForm({ providers, createHook }: HookFormProps) {
  const [providerId, setProviderId] = useState(genericProvider);
  const [secret, setSecret] = useState("");
  const provider = providers.find(({ id }) => id === providerId);
  const { result, fields, message, isPending, onSubmit } = useCommand(async (form) =>
    createHook(Object.fromEntries([...form].map(([name, value]) => [name, String(value)]))),
  );
  if (result?.ok === true) return <CreatedHookNotes hook={result.value} />;
  return (
    <form method="post" onSubmit={onSubmit} noValidate className="grid gap-4">
      {message !== undefined && <Notice tone="negative">{message}</Notice>}
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        placeholder="Orders"
        error={fields.name}
        autoFocus
      />
      <SelectField
        label="Where it comes from"
        name="provider"
        value={providerId}
        onChange={(event) => setProviderId(event.target.value)}
        hint={
          provider === undefined
            ? "Every request to the catch URL is accepted: nothing proves who sent it."
            : undefined
        }
        error={fields.provider}
      >
        <option value={genericProvider}>Anything else, not signed</option>
        {providers.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      {provider !== undefined && (
        <TextField
          label="Signing secret"
          name="signingSecret"
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
          hint={
            <>
              {provider.secretHelp} Leave it empty if the sender shows it only once it knows the URL: until
              you add it, deliveries are refused.
              {secret !== secret.trim() && (
                <span className="mt-1 block font-medium text-caution">
                  There is white space at its start or end. It is kept as it is; check that it belongs there.
                </span>
              )}
            </>
          }
          error={fields.signingSecret}
        />
      )}
      <div className="flex gap-2">
        <Button type="submit" isBusy={isPending}>
          Create hook
        </Button>
      </div>
    </form>
  );
}

/** Leads on by itself, unless there is something to read first. */
function CreatedHookNotes({ hook: { id, name, warnings } }: { hook: CreatedHook }) {
  const router = useRouter();
  const mayLeave = warnings.length === 0;
  useEffect(() => {
    if (mayLeave) router.push(`/hooks/${id}`);
  }, [mayLeave, id, router]);
  return (
    <div className="grid gap-4">
      <Notice tone="positive">“{name}” is ready.</Notice>
      {warnings.map((warning) => (
        <Notice key={warning} tone="caution">
          {warning}
        </Notice>
      ))}
      <div>
        <Link href={`/hooks/${id}`} className={buttonClasses(mayLeave ? "secondary" : "primary")}>
          Go to its catch URL
        </Link>
      </div>
    </div>
  );
}
