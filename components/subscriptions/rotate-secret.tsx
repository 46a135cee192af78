"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import { UntilTime } from "#components/ui/time/until-time.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { SignatureHeaders } from "#lib/schema/send/signature-headers.ts";
import { SecretOnce } from "./secret-once.tsx";

export type SecretView = {
  readonly id: string;
  readonly kind: "hmac" | "ed25519";
  readonly hint: string;
  readonly publicKey: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
};

export type RotateSecretCommand = (
  subscriptionId: string,
  rotation: { secret?: string; expirePreviousAfterSeconds: number },
) => Promise<CommandResult<{ readonly secret: string }>>;

type RotateSecretProps = {
  readonly subscriptionId: string;
  /** The secrets that sign now, newest first. */
  readonly secrets: readonly SecretView[];
  readonly nowMs: number;
  readonly rotate: RotateSecretCommand;
  readonly signatureHeaders: SignatureHeaders;
};

const overlaps = [
  [3_600, "for 1 more hour"],
  [86_400, "for 24 more hours"],
  [604_800, "for 7 more days"],
  [0, "no longer"],
] as const;

/** The secrets that sign, and a new one beside the old ones, so that the receiver has time to switch. */
export function RotateSecret(props: RotateSecretProps) {
  const { subscriptionId, secrets, nowMs, rotate, signatureHeaders } = props;
  const [seconds, setSeconds] = useState(86_400);
  const { result, fields, rejection, isPending, onSubmit, reset } = useCommand((form) => {
    const secret = String(form.get("secret")).trim();
    return rotate(subscriptionId, {
      ...(secret !== "" && { secret }),
      expirePreviousAfterSeconds: seconds,
    });
  });
  if (result?.ok === true)
    return (
      <div className="grid grid-cols-1 gap-4">
        <SecretOnce secret={result.value.secret} headers={signatureHeaders} />
        <div>
          <Button look="secondary" onClick={reset}>
            Done
          </Button>
        </div>
      </div>
    );
  return (
    <div className="grid grid-cols-1 gap-4">
      <SecretList secrets={secrets} nowMs={nowMs} />
      <Form onSubmit={onSubmit} rejection={rejection}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="New secret"
            name="secret"
            autoComplete="off"
            spellCheck={false}
            placeholder="whsec_…"
            hint="Leave it empty for a new one."
            error={fields.secret}
          />
          <SelectField
            label="The current secret signs"
            name="overlap"
            value={String(seconds)}
            onChange={(event) => setSeconds(Number(event.target.value))}
            hint={
              seconds === 0 ? (
                "Requests are rejected until the receiver has the new secret."
              ) : (
                <>
                  Requests carry both signatures until{" "}
                  <UntilTime untilMs={nowMs + seconds * 1_000} nowMs={nowMs} />.
                </>
              )
            }
          >
            {overlaps.map(([overlap, words]) => (
              <option key={overlap} value={overlap}>
                {words}
              </option>
            ))}
          </SelectField>
        </div>
        <div>
          <Button type="submit" look="secondary" isBusy={isPending}>
            Rotate secret
          </Button>
        </div>
      </Form>
    </div>
  );
}

function SecretList({ secrets, nowMs }: Pick<RotateSecretProps, "secrets" | "nowMs">) {
  return (
    <ul className="grid divide-y rounded-md border">
      {secrets
        .toSorted((a, b) => Number(a.publicKey !== null) - Number(b.publicKey !== null))
        .map(({ id, hint, publicKey, createdAt, expiresAt }) => (
          <li key={id} className="flex items-center gap-3 px-3.5 py-2.5 text-sm">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <code className="font-mono text-xs leading-5 wrap-anywhere">
                {publicKey ?? `whsec_…${hint}`}
              </code>
              <span className="text-muted-foreground">
                {publicKey === null ? "Secret" : "Public key"},{" "}
                {expiresAt === null ? (
                  <>
                    created <RelativeTime at={createdAt} nowMs={nowMs} />
                  </>
                ) : (
                  <>
                    signs until <UntilTime untilMs={expiresAt.getTime()} nowMs={nowMs} />
                  </>
                )}
              </span>
            </div>
            {publicKey !== null && <CopyButton text={publicKey} what="public key" />}
          </li>
        ))}
    </ul>
  );
}
