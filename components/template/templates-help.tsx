"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { ReadyButton } from "#components/ui/button/ready-button.tsx";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";

const examples: readonly (readonly [template: string, gives: string])[] = [
  ["{{ data.customer.email }}", "a field of the payload"],
  ["{{ data.items[0].sku }}", "the first item of a list"],
  ['{{ payload["user-id"] }}', "a name with other characters"],
  ['{{ data.phone | default: "none" }}', "a value if the field is missing"],
  ["{{ data.amount | divided_by: 100.0 }}", "4200 as 42.0"],
  ['{{ data.created | date: "%Y-%m-%d" }}', "a time as 2026-11-23"],
  ["{{ data.name | upcase }}", "text in capitals"],
  ["{{ headers.x-request-id }}", "a header, in lowercase"],
  ["{{ delivery.id }}, {{ hook.name }}", "the delivery and its hook"],
  ["{{ steps.find.body.id }}", "the response of an earlier step"],
  ["{% if data.paid %}yes{% else %}no{% endif %}", "a choice"],
];

/** The button that shows what templates can do. */
export function TemplatesHelp() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ReadyButton
        className="w-fit rounded-sm text-sm text-muted-foreground underline underline-offset-4 hover:text-foreground"
        onClick={() => setOpen(true)}
      >
        Templates help
      </ReadyButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Templates" isWide>
        <p className="text-sm text-muted-foreground">
          A template takes values from the delivery. Click a field of the payload to insert one. A
          value that is a single template keeps its type.
        </p>
        <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
          {examples.map(([template, gives]) => (
            <div key={template} className="grid gap-0.5 sm:contents">
              <dt>
                <code className="font-mono text-xs wrap-anywhere">{template}</code>
              </dt>
              <dd className="text-muted-foreground">{gives}</dd>
            </div>
          ))}
        </dl>
        <p className="text-sm">
          <a
            href="/docs/api/mapping"
            target="_blank"
            rel="noreferrer"
            className="rounded-sm underline underline-offset-4"
          >
            All names and filters
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
        <DialogButtons>
          <Button look="secondary" onClick={() => setOpen(false)}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
