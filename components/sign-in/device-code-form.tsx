"use client";

import { AuthPage } from "#components/account/auth-page.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { Form } from "#components/ui/form/form.tsx";
import { useCommand } from "#components/ui/form/use-command.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { DeviceCommands, DeviceSignInView } from "./device-types.ts";

type DeviceCodeFormProps = Pick<DeviceCommands, "read"> & {
  readonly email: string;
  readonly givenCode: string;
  readonly onRead: (asked: DeviceSignInView) => void;
};

/** Asks for the code that the tool shows. One from a link is filled in, and the person compares it. */
export function DeviceCodeForm({ email, givenCode, read, onRead }: DeviceCodeFormProps) {
  const { fields, rejection, isPending, onSubmit } = useCommand(async (form) => {
    const result = await read(String(form.get("code")));
    if (result.ok) onRead(result.value);
    return result;
  });
  const isGiven = givenCode !== "";
  return (
    <AuthPage
      title={isGiven ? "Compare the code" : "Enter the code from your terminal"}
      lead={
        isGiven
          ? "Continue only if your terminal shows the same code."
          : "Your terminal shows it after you run the sign-in there."
      }
    >
      <Form onSubmit={onSubmit} rejection={rejection}>
        <TextField
          label="Code"
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={20}
          placeholder="XXXX-XXXX"
          defaultValue={givenCode}
          error={fields.code}
          className="h-12 text-center font-mono text-lg tracking-widest uppercase"
          autoFocus
        />
        <Button type="submit" isBusy={isPending} className="mt-1 w-full">
          Continue
        </Button>
      </Form>
      <p className="text-sm wrap-anywhere text-muted-foreground">
        Only use a code that you asked for yourself, just now. Anyone who sends you one wants your
        access. You are signed in as {safeText(email)}.
      </p>
    </AuthPage>
  );
}
