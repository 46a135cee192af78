"use client";

import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

export type NewSecret = {
  /** A picture as a data URL. */
  readonly qrCode: string;
  /** For apps that can't scan. */
  readonly secret: string;
};

type Codes = { readonly recoveryCodes: readonly string[] };

type TwoFactorSetupProps = {
  readonly secret: NewSecret;
  readonly confirm: (input: Record<string, string>) => Promise<CommandResult<Codes>>;
  readonly onCancel: () => void;
  readonly onDone: (codes: Codes) => void;
};

/** Shows the secret of an authenticator app, and asks for its first code. */
export function TwoFactorSetup({ secret, confirm, onCancel, onDone }: TwoFactorSetupProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await confirm({ code: String(form.get("code")) });
    if (result.ok) onDone(result.value);
    return result;
  });
  return (
    <div className="grid gap-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
      {/* biome-ignore lint/performance/noImgElement: a data URL that nothing can optimize */}
      <img
        src={secret.qrCode}
        alt="QR code for your authenticator app"
        width={176}
        height={176}
        className="rounded-md bg-white p-2"
      />
      <div className="grid content-start gap-4">
        <div className="grid gap-1.5 text-sm">
          <p>Scan the picture with your authenticator app, or enter this key there:</p>
          <div className="flex items-center gap-2">
            <code data-testid="totp-secret" className="min-w-0 font-mono text-xs wrap-anywhere">
              {secret.secret}
            </code>
            <CopyButton text={secret.secret} what="key" />
          </div>
        </div>
        <Form onSubmit={onSubmit} rejection={rejection}>
          <TextField
            label="Code"
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={7}
            hint="The 6 digits that the app shows now."
            error={fields.code}
            autoFocus
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" isBusy={isPending}>
              Confirm
            </Button>
            <Button look="secondary" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        </Form>
      </div>
    </div>
  );
}
