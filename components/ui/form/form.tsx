"use client";

import { type FocusEventHandler, type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

/**
 * The reason why a submit was rejected. Each submit gets a new object, even with the same message.
 */
export type Rejection = { readonly message: string };

type FormProps = {
  readonly id?: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly onFocus?: FocusEventHandler;
  /**
   * The error of the whole form. After each rejected submit the first invalid field gets the focus.
   */
  readonly rejection?: Rejection | undefined;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A form that is disabled until hydration: anything typed or submitted before would be lost. */
export function Form({ id, onSubmit, onFocus, rejection, className, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isHydrated = useHydrated();

  useEffect(() => {
    // Browsers can't focus a disabled field, and all are disabled until now.
    if (!isHydrated || form.current === null) return;
    const linked = findLinked(form.current);
    if (linked !== undefined) {
      linked.tabIndex = -1;
      linked.focus();
    } else if (document.activeElement === document.body)
      form.current.querySelector<HTMLElement>("[autofocus]")?.focus();
  }, [isHydrated]);

  useEffect(() => {
    if (rejection !== undefined && form.current !== null) focusProblem(form.current);
  }, [rejection]);

  return (
    <form ref={form} id={id} method="post" noValidate onFocus={onFocus} onSubmit={onSubmit}>
      <fieldset
        disabled={!isHydrated}
        className={classNames("grid min-w-0 grid-cols-1 gap-4", className)}
      >
        {rejection !== undefined && (
          <div data-rejection tabIndex={-1}>
            <Notice tone="negative">{rejection.message}</Notice>
          </div>
        )}
        {children}
      </fieldset>
    </form>
  );
}

/** The part of the form that the page's URL names after its #. */
function findLinked(form: HTMLFormElement): HTMLElement | undefined {
  const places = [...form.querySelectorAll<HTMLElement>("[data-place]")];
  return places.find((one) => `#${encodeURIComponent(one.dataset.place ?? "")}` === location.hash);
}

/** The first visible invalid field, or else the form's error. */
function focusProblem(form: HTMLFormElement): void {
  // Fields outside of the form that name it come first.
  const before = [...form.elements].filter(
    (one): one is HTMLElement =>
      one instanceof HTMLElement && one.ariaInvalid === "true" && !form.contains(one),
  );
  const fields = [...before, ...form.querySelectorAll<HTMLElement>("[aria-invalid=true]")];
  const field = fields.find((one) => one.checkVisibility());
  (field ?? form.querySelector<HTMLElement>("[data-rejection]"))?.focus();
}
