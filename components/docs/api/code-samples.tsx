"use client";

import { useId } from "react";
import { ReadyButton } from "#components/ui/button/ready-button.tsx";
import { toTabKeys } from "#components/ui/layout/tab-keys.ts";
import { useCopy } from "#components/ui/use-copy.ts";
import type { ShownSample } from "#lib/schema/shown-call.ts";
import { chooseLanguage, useLanguage } from "./chosen-language.ts";
import { languages } from "./languages.ts";

type CodeSamplesProps = {
  /** The call that they make. */
  readonly label: string;
  readonly samples: readonly ShownSample[];
};

/** A call in several languages. The choice counts for all calls, and is remembered. */
export function CodeSamples({ label, samples }: CodeSamplesProps) {
  const chosen = useLanguage();
  const base = useId();
  const { outcome, copy } = useCopy();
  const code = samples.find(({ language }) => language === chosen)?.code ?? "";
  const ids = languages.map(({ id }) => id);
  const copied = { copied: "Copied", failed: "Not copied" };

  function choose(id: string) {
    const language = ids.find((each) => each === id);
    if (language === undefined) return;
    chooseLanguage(language);
    document.getElementById(`${base}-${id}`)?.focus();
  }

  return (
    <div className="overflow-hidden rounded-md border">
      <div className="flex items-center justify-between gap-2 border-b bg-card pr-2">
        <div
          role="tablist"
          aria-label={`Language: ${label}`}
          onKeyDown={toTabKeys(ids, chosen, choose)}
          className="flex min-w-0 overflow-x-auto px-1"
        >
          {languages.map(({ id, title }) => (
            <ReadyButton
              key={id}
              role="tab"
              id={`${base}-${id}`}
              aria-selected={id === chosen}
              aria-controls={`${base}-${id}-code`}
              tabIndex={id === chosen ? 0 : -1}
              onClick={() => chooseLanguage(id)}
              data-language-tab={id}
              className="sample-tab"
            >
              {title}
            </ReadyButton>
          ))}
        </div>
        <ReadyButton
          onClick={() => copy(code)}
          aria-label={outcome === undefined ? `Copy: ${label}` : `${copied[outcome]}: ${label}`}
          className="min-h-7 shrink-0 rounded-md border bg-card px-2 text-xs font-medium hover:bg-muted"
        >
          <span aria-live="polite">{outcome === undefined ? "Copy" : copied[outcome]}</span>
        </ReadyButton>
      </div>
      {samples.map((sample) => (
        <pre
          key={sample.language}
          role="tabpanel"
          id={`${base}-${sample.language}-code`}
          aria-labelledby={`${base}-${sample.language}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
          tabIndex={0}
          data-sample={sample.language}
          className="max-h-96 overflow-auto bg-muted p-3 font-mono text-xs leading-5"
        >
          {sample.code}
        </pre>
      ))}
    </div>
  );
}
