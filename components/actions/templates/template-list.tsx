"use client";

import { useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Dialog } from "#components/ui/overlay/dialog.tsx";
import { Badge } from "#components/ui/status/badge.tsx";
import type { TemplateStart } from "./list-template-starts.ts";

type TemplateListProps = {
  readonly startsOpen: boolean;
  readonly templates: readonly TemplateStart[];
  readonly onTemplate: (template: TemplateStart) => void;
};

/** Complete actions for common jobs. Those of the hook's provider come first. */
export function TemplateList({ startsOpen, templates, onTemplate }: TemplateListProps) {
  const [isOpen, setIsOpen] = useState(startsOpen);
  if (templates.length === 0) return null;

  function start(template: TemplateStart) {
    onTemplate(template);
    setIsOpen(false);
    toast(`Filled in from the template. Still needed: ${template.fillIn.join(" · ")}.`);
  }

  return (
    <>
      <Button look="secondary" className="h-8" onClick={() => setIsOpen(true)}>
        Templates
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Start from a template" isWide>
        <ul className="grid max-h-[65dvh] divide-y overflow-y-auto rounded-md border">
          {templates.map((template) => (
            <li key={template.id} className="flex flex-wrap items-center gap-3 px-3 py-2.5 text-sm">
              <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {template.title}
                  {template.isOwn && <Badge tone="positive">Your provider</Badge>}
                </p>
                <p className="text-muted-foreground">{template.does}</p>
                <p className="text-xs text-muted-foreground">
                  You add: {template.fillIn.join(" · ")}
                </p>
              </div>
              <Button
                look="secondary"
                className="h-8"
                aria-label={`Use ${template.title}`}
                onClick={() => start(template)}
              >
                Use
              </Button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
