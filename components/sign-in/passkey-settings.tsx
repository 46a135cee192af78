"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describePasskeyError } from "./describe-passkey-error.ts";
import type { CreationOptions } from "./passkey-types.ts";
import { PasswordDialog } from "./password-dialog.tsx";
import { RenamePasskey } from "./rename-passkey.tsx";

type PasskeyView = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type PasskeySettingsProps = {
  readonly passkeys: readonly PasskeyView[];
  readonly email: string;
  readonly nowMs: number;
  readonly start: (input: Record<string, string>) => Promise<CommandResult<CreationOptions>>;
  readonly add: (name: string, response: object) => Promise<CommandResult<null>>;
  readonly rename: (input: Record<string, string>) => Promise<CommandResult<null>>;
  readonly remove: (id: string) => Promise<CommandResult<null>>;
};

export function PasskeySettings(props: PasskeySettingsProps) {
  const { passkeys, email, nowMs, start, add, rename, remove } = props;
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className="grid gap-4">
      {passkeys.length === 0 && (
        <p className="text-sm text-muted-foreground">
          None yet. A passkey signs you in with your fingerprint, face, or PIN, without a password
          and a code.
        </p>
      )}
      {passkeys.length > 0 && (
        <ul className="divide-y">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0"
            >
              <div className="grid min-w-0 flex-1 basis-48 gap-0.5">
                <span className="text-sm font-medium break-words">{safeText(passkey.name)}</span>
                <p className="text-sm text-muted-foreground">
                  added <RelativeTime at={passkey.createdAt} nowMs={nowMs} />
                  {" · "}
                  {passkey.lastUsedAt === null ? (
                    "never used"
                  ) : (
                    <>
                      last used <RelativeTime at={passkey.lastUsedAt} nowMs={nowMs} />
                    </>
                  )}
                </p>
              </div>
              <div className="flex gap-2">
                <RenamePasskey passkey={passkey} rename={rename} />
                <ConfirmButton
                  label="Remove"
                  ariaLabel={`Remove ${safeText(passkey.name)}`}
                  title={`Remove ${safeText(passkey.name)}?`}
                  keepLabel="Cancel"
                  confirmLabel="Remove passkey"
                  run={() => remove(passkey.id)}
                >
                  <p>It no longer signs you in. Delete it on your device too.</p>
                </ConfirmButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button look="secondary" onClick={() => setIsAdding(true)}>
          Add a passkey
        </Button>
      </div>
      <PasswordDialog
        isOpen={isAdding}
        onClose={() => setIsAdding(false)}
        title="Add a passkey"
        text="Your browser asks for your fingerprint, face, or PIN next."
        email={email}
        confirmLabel="Continue"
        run={async ({ name = "", ...input }) => {
          const added = await addHere(name, await start(input), add);
          if (added.ok) toast("Passkey added.");
          return added;
        }}
      >
        {(fields) => (
          <TextField
            label="Name"
            name="name"
            autoComplete="off"
            placeholder="Work laptop"
            error={fields.name}
            autoFocus
          />
        )}
      </PasswordDialog>
    </div>
  );
}

async function addHere(
  name: string,
  started: CommandResult<CreationOptions>,
  add: PasskeySettingsProps["add"],
): Promise<CommandResult<null>> {
  if (!started.ok) return started;
  try {
    const { startRegistration } = await import("@simplewebauthn/browser");
    return await add(name, await startRegistration({ optionsJSON: started.value }));
  } catch (error) {
    return { ok: false, message: describePasskeyError(error), errors: [] };
  }
}
