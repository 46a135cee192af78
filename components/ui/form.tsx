"use client";

import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { Notice } from "./notice.tsx";
import { useHydrated } from "./use-hydrated.ts";

type FormProps = {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** What is wrong as a whole; the first field that is wrong is focused with it. */
  readonly message?: string | undefined;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A form that takes nothing until React has taken the page over: what is typed or sent before that would be lost. */
export function Form({ onSubmit, message, className, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();

  useEffect(() => {
    // A browser can't focus a field that is disabled, which all are until now.
    if (isHydrated && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>("[autofocus]")?.focus();
  }, [isHydrated]);

  useEffect(() => {
    if (message !== undefined) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [message]);

  return (
    <form ref={form} method="post" noValidate onSubmit={onSubmit}>
      <fieldset disabled={!isHydrated} className={classNames("grid min-w-0 grid-cols-1 gap-4", className)}>
        {message !== undefined && <Notice tone="negative">{message}</Notice>}
        {children}
      </fieldset>
    </form>
  );
}
