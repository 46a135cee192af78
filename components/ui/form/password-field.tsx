"use client";

import { Eye, EyeOff } from "lucide-react";
import { type InputHTMLAttributes, useId, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { control, describedBy, FieldFrame, type FieldProps } from "./field.tsx";

type PasswordFieldProps = FieldProps &
  Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id" | "type" | "className">;

/**
 * A password field with a button to show the password. The button names its action, and screen
 * readers hear the result.
 */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const isReady = useHydrated() || input.onChange === undefined;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className="flex gap-2">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          id={id}
          type={isShown ? "text" : "password"}
          readOnly={input.readOnly === true || !isReady}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, hint, error)}
          className={control}
        />
        <Button
          look="secondary"
          // Not the field's own label: a field and a button with one name can't be told apart.
          aria-label={isShown ? "Hide password" : "Show password"}
          title={isShown ? "Hide password" : "Show password"}
          aria-controls={id}
          onClick={() => setIsShown(!isShown)}
          className="w-9 shrink-0 px-0!"
        >
          {isShown ? <EyeOff aria-hidden size={16} /> : <Eye aria-hidden size={16} />}
        </Button>
      </div>
    </FieldFrame>
  );
}
