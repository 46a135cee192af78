"use client";

import { type ReactNode, useId, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Dialog, DialogButtons } from "#components/ui/overlay/dialog.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { type ActionStart, actionPresets } from "../draft/action-presets.ts";

type StartFromProps = {
  readonly onStart: (start: ActionStart) => void;
  /** More ways to start. */
  readonly children: ReactNode;
};

/** Starting points for a new action. They fill in the form, and everything can be changed. */
export function StartFrom({ onStart, children }: StartFromProps) {
  return (
    <section aria-label="Start from" className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-muted-foreground">Start from</span>
      {actionPresets.map(({ id, title, does, start }) => (
        <Button
          key={id}
          look="secondary"
          className="h-8"
          title={does}
          onClick={() => onStart(start)}
        >
          {title}
        </Button>
      ))}
      {children}
    </section>
  );
}

type PasteCurlProps = {
  readonly startsOpen: boolean;
  readonly onStart: (start: ActionStart) => void;
};

/** Fills in method, URL, headers, credentials, and body from a curl command. */
export function PasteCurl({ startsOpen, onStart }: PasteCurlProps) {
  const [isOpen, setIsOpen] = useState(startsOpen);
  const id = useId();
  const [command, setCommand] = useState("");
  const [problem, setProblem] = useState<string>();

  const close = () => setIsOpen(false);

  function open() {
    setCommand("");
    setProblem(undefined);
    setIsOpen(true);
  }

  async function fillIn() {
    // Loaded on first use, so that it doesn't slow down the editor.
    const { parseCurlCommand } = await import("../draft/parse-curl-command.ts");
    const parsed = parseCurlCommand(command);
    if (!parsed.ok) return setProblem(parsed.message);
    onStart({ request: parsed.request });
    close();
    if (parsed.notes.length > 0) toast(parsed.notes.join(" "));
  }

  return (
    <>
      <Button look="secondary" className="h-8" onClick={open}>
        Paste curl
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Paste a curl command" isWide>
        <div className="grid gap-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            Command
          </label>
          <textarea
            id={id}
            rows={9}
            value={command}
            onChange={(event) => setCommand(event.target.value)}
            spellCheck={false}
            autoComplete="off"
            placeholder={
              "curl https://api.example.com/people \\\n  -H 'Authorization: " +
              'Bearer …\' \\\n  --json \'{"email": "ada@example.com"}\''
            }
            aria-describedby={`${id}-hint`}
            className={
              "w-full rounded-md border border-input bg-card px-3 py-2 " +
              "font-mono text-xs placeholder:text-muted-foreground"
            }
          />
          <p id={`${id}-hint`} className="text-sm text-muted-foreground">
            As API docs and browsers write it. Nothing is run; credentials in it are stored
            encrypted when you save.
          </p>
        </div>
        {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
        <DialogButtons>
          <Button look="secondary" onClick={close}>
            Cancel
          </Button>
          <Button onClick={fillIn}>Fill in</Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
