"use client";

import type { FormEvent, ReactNode } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Form, type Rejection } from "#components/ui/form/form.tsx";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { Card } from "#components/ui/layout/card.tsx";

type SectionProps = {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
};

/** One idea of the settings. Its title is an anchor: "De-duplication" is `#de-duplication`. */
export function Section({ title, lead, children }: SectionProps) {
  return (
    <Card className="p-5">
      <section
        id={toAnchor(title)}
        aria-label={title}
        className="grid scroll-mt-10 grid-cols-1 gap-4"
      >
        <div className="grid gap-1">
          <h2 className="font-semibold">{title}</h2>
          {lead !== undefined && <p className="text-sm text-muted-foreground">{lead}</p>}
        </div>
        {children}
      </section>
    </Card>
  );
}

type SectionFormProps = {
  /** From `useSection`. */
  readonly section: {
    readonly isChanged: boolean;
    readonly isPending: boolean;
    readonly rejection: Rejection | undefined;
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    readonly discard: () => void;
  };
  readonly children: ReactNode;
};

/** The fields of a section, and one button that saves them, shown once something has changed. */
export function SectionForm({ section, children }: SectionFormProps) {
  const { isChanged, isPending, rejection, onSubmit, discard } = section;
  return (
    <>
      <Form
        onSubmit={isChanged ? onSubmit : (event) => event.preventDefault()}
        rejection={rejection}
      >
        {children}
        {isChanged && (
          <div className="flex flex-wrap items-center gap-2">
            <Button type="submit" isBusy={isPending}>
              Save
            </Button>
            <Button look="quiet" onClick={discard}>
              Discard
            </Button>
            <span className="text-sm text-muted-foreground">Not saved yet</span>
          </div>
        )}
      </Form>
      <UnsavedGuard isDirty={isChanged} what="hook" />
    </>
  );
}

function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
