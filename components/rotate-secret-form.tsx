"use client";

import { useState } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import { SecretField } from "./secret-field.tsx";
import type { SecretShape } from "./secret-hints.ts";
import { type ExpireSecret, type HookSecretView, SecretList } from "./secret-list.tsx";
import { Button } from "./ui/button.tsx";
import { SelectField } from "./ui/field.tsx";
import { Form } from "./ui/form.tsx";
import { Notice } from "./ui/notice.tsx";
import { UntilTime } from "./ui/until-time.tsx";
import { useCommand } from "./use-command.ts";

export type RotateSecret = (
  hookId: string,
  rotation: { secret: string; expirePreviousAfterSeconds: number },
) => Promise<CommandResult<{ readonly warnings: readonly string[] }>>;

type RotateSecretFormProps = {
  readonly hookId: string;
  readonly help: string | null;
  readonly shape: SecretShape | null;
  /** Those that pass now, newest first. */
  readonly secrets: readonly HookSecretView[];
  readonly nowMs: number;
  readonly rotateSecret: RotateSecret;
  readonly expire: ExpireSecret;
};

const overlaps = [
  { seconds: 3_600, words: "for 1 hour more" },
  { seconds: 86_400, words: "for 24 hours more" },
  { seconds: 604_800, words: "for 7 days more" },
  { seconds: 0, words: "not at all: it ends now" },
] as const;

/** A new secret beside the old one, so that no event is lost while the sender changes over. */
export function RotateSecretForm(props: RotateSecretFormProps) {
  const { hookId, help, shape, secrets, nowMs, rotateSecret } = props;
  const [seconds, setSeconds] = useState(86_400);
  const { result, fields, message, isPending, onSubmit } = useCommand((form) =>
    rotateSecret(hookId, { secret: String(form.get("secret")), expirePreviousAfterSeconds: seconds }),
  );
  const hasOld = secrets.length > 0;
  return (
    <div className="grid grid-cols-1 gap-4">
      {hasOld ? (
        <SecretList hookId={hookId} secrets={secrets} nowMs={nowMs} expire={props.expire} />
      ) : (
        <Notice tone="caution">There is no secret, so nothing can be verified until you add one.</Notice>
      )}
      <Form onSubmit={onSubmit} message={message}>
        {result?.ok === true && <Notice tone="positive">The new secret passes from now on.</Notice>}
        {result?.ok === true &&
          result.value.warnings.map((warning) => (
            <Notice key={warning} tone="caution">
              {warning}
            </Notice>
          ))}
        <SecretField
          key={secrets.map(({ id }) => id).join()}
          label="New secret"
          name="secret"
          help={help}
          shape={shape}
          error={fields.secret}
        />
        {hasOld && (
          <SelectField
            label="The present secret passes"
            name="overlap"
            value={String(seconds)}
            onChange={(event) => setSeconds(Number(event.target.value))}
            hint={
              seconds === 0 ? (
                "What is still signed with the present secret is refused at once."
              ) : (
                <>
                  Deliveries signed with either secret are accepted until{" "}
                  <UntilTime untilMs={nowMs + seconds * 1_000} nowMs={nowMs} />, so nothing is lost while the
                  sender changes over.
                </>
              )
            }
          >
            {overlaps.map((overlap) => (
              <option key={overlap.seconds} value={overlap.seconds}>
                {overlap.words}
              </option>
            ))}
          </SelectField>
        )}
        <div>
          <Button type="submit" look="secondary" isBusy={isPending}>
            {hasOld ? "Rotate secret" : "Add secret"}
          </Button>
        </div>
      </Form>
    </div>
  );
}
