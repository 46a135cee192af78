"use client";

import { Eye, EyeOff } from "lucide-react";
import { type KeyboardEvent, useId, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { control, describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import {
  describeShape,
  findSecretHints,
  generateSecret,
  type SecretHint,
  type SecretShape,
} from "./secret-hints.ts";

type SecretFieldProps = {
  readonly label?: string;
  readonly name: string;
  /** The text to paste, from the provider's catalog entry. */
  readonly help: string | null;
  readonly shape: SecretShape | null;
  /** Default: depends on the shape. */
  readonly canGenerate?: boolean;
  readonly error?: string | undefined;
};

/**
 * Takes a secret exactly as pasted. It is a text area, because browsers remove line breaks from
 * text pasted into an input, and users must see oddities to decide about them.
 */
export function SecretField(props: SecretFieldProps) {
  const { label = "Signing secret", name, help, shape, error } = props;
  const { canGenerate = shape?.isChosen === true } = props;
  const id = useId();
  const [secret, setSecret] = useState("");
  const [isShown, setIsShown] = useState(false);
  const [generated, setGenerated] = useState("");
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const start = shape?.prefix ?? shape?.startsWith ?? null;
  const isKey = shape?.kind === "publicKey";
  const hints = findSecretHints(secret, shape).filter((hint) => !dismissed.has(hint.id));

  function change(next: string) {
    setSecret(next);
    setDismissed(new Set());
  }

  function generate() {
    const made = generateSecret(shape);
    change(made);
    setGenerated(made);
    setIsShown(true);
  }

  // Enter submits as in a single-line field. A PEM key has several lines.
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== "Enter" || isKey) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  const hint = [help, shape !== null && describeShape(shape, help !== null)]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="grid gap-2">
      <FieldFrame id={id} label={label} hint={hint === "" ? undefined : hint} error={error}>
        <div className="flex gap-2">
          <textarea
            id={id}
            name={name}
            rows={isKey ? 5 : 1}
            value={secret}
            onChange={(event) => change(event.target.value)}
            onKeyDown={onKeyDown}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={start === null ? undefined : `${start}…`}
            aria-invalid={error !== undefined}
            aria-describedby={describedBy(id, hint === "" ? undefined : hint, error)}
            className={classNames(
              control,
              "min-w-0 flex-1 resize-none py-2 font-mono text-xs leading-5",
              isKey ? "h-auto" : "overflow-x-auto whitespace-pre [scrollbar-width:none]",
              !isKey && !isShown && "[-webkit-text-security:disc]",
            )}
          />
          {!isKey && (
            <Button
              look="secondary"
              aria-label={isShown ? "Hide secret" : "Show secret"}
              onClick={() => setIsShown(!isShown)}
              className="w-9 px-0!"
            >
              {isShown ? <EyeOff aria-hidden size={16} /> : <Eye aria-hidden size={16} />}
            </Button>
          )}
        </div>
      </FieldFrame>
      {canGenerate && (
        <div className="flex flex-wrap items-center gap-2">
          <Button look="secondary" className="h-8" onClick={generate}>
            Generate secret
          </Button>
          {generated !== "" && generated === secret && (
            <>
              <CopyButton text={secret} what="secret" />
              <span role="status" className="text-sm text-muted-foreground">
                Copy it now, and paste it into the provider's settings too. It isn't shown again.
              </span>
            </>
          )}
        </div>
      )}
      <div aria-live="polite" className="grid gap-2 empty:hidden">
        {hints.map((found) => (
          <OddSecret
            key={found.id}
            hint={found}
            onFix={change}
            onKeep={() => setDismissed(new Set([...dismissed, found.id]))}
          />
        ))}
      </div>
    </div>
  );
}

type OddSecretProps = {
  readonly hint: SecretHint;
  readonly onFix: (secret: string) => void;
  readonly onKeep: () => void;
};

function OddSecret({ hint: { words, fix }, onFix, onKeep }: OddSecretProps) {
  return (
    <div className="grid gap-2 rounded-md bg-caution-ground px-3 py-2.5 text-sm text-caution">
      <p>{words}</p>
      {fix !== null && (
        <div className="flex flex-wrap gap-2">
          <Button look="secondary" className="h-8 text-foreground" onClick={() => onFix(fix.fixed)}>
            {fix.label}
          </Button>
          <Button look="quiet" className="h-8 text-caution hover:text-foreground" onClick={onKeep}>
            Ignore
          </Button>
        </div>
      )}
    </div>
  );
}
