"use client";

import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, useId } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { endSentence } from "#lib/base/end-sentence.ts";

export type FieldProps = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ReactNode;
  /** The error, shown below the field and read out with it. */
  readonly error?: string | undefined;
};

/** A labeled text field. With `onChange` it stays disabled until hydration. */
export function TextField({
  label,
  hint,
  error,
  className,
  ...input
}: FieldProps & Omit<InputHTMLAttributes<HTMLInputElement>, "name" | "id">) {
  const id = useId();
  const isReady = useHydrated() || input.onChange === undefined;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={id}
        readOnly={input.readOnly === true || !isReady}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        className={classNames(control, className)}
      />
    </FieldFrame>
  );
}

/** A labeled select. With `onChange` it stays disabled until hydration. */
export function SelectField({
  label,
  hint,
  error,
  children,
  ...select
}: FieldProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, "name" | "id">) {
  const id = useId();
  const isReady = useHydrated() || select.onChange === undefined;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select
        {...select}
        id={id}
        disabled={select.disabled === true || !isReady}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, hint, error)}
        className={control}
      >
        {children}
      </select>
    </FieldFrame>
  );
}

export const control = "control";

type FrameProps = {
  readonly id: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: ReactNode;
};

/** Label, hint, and error around any control, which refers to them with `describedBy`. */
export function FieldFrame({ id, label, hint, error, children }: FrameProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1.5">
      <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm wrap-anywhere text-muted-foreground">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-sm wrap-anywhere text-negative">
          <CodeText text={describeError(label, error)} />
        </p>
      )}
    </div>
  );
}

export function describedBy(
  id: string,
  hint: ReactNode,
  error: string | undefined,
): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** Most messages continue the field's name; some are or end with complete sentences. */
export function describeError(label: string, error: string): string {
  const isSentence = /^[A-Z]/u.test(error) && endSentence(error) === error;
  return isSentence ? error : endSentence(`${label} ${error}`);
}
