import { type ReactNode, useId } from "react";
import { Card } from "#components/ui/layout/card.tsx";
import { safeBlock, safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";

/** A setting and its value. Null: it isn't set, and isn't shown. */
export type Fact = readonly [name: string, value: ReactNode | null];

type FactsProps = {
  readonly title: string;
  readonly facts: readonly Fact[];
};

/** Settings as a page shows them to people who can't change them. */
export function Facts({ title, facts }: FactsProps) {
  const id = useId();
  return (
    <Card className="min-w-0 overflow-hidden">
      <section aria-labelledby={id}>
        <h2 id={id} className="border-b bg-muted/60 px-4 py-2.5 text-sm font-semibold sm:px-5">
          {safeText(title)}
        </h2>
        <dl className="divide-y">
          {facts.map(
            ([name, value]) =>
              value !== null && (
                <div
                  key={name}
                  className={
                    "grid min-w-0 gap-x-6 gap-y-1 px-4 py-2.5 text-sm " +
                    "sm:grid-cols-[13rem_minmax(0,1fr)] sm:px-5"
                  }
                >
                  <dt className="text-muted-foreground">{name}</dt>
                  <dd className="min-w-0 break-words">{value}</dd>
                </div>
              ),
          )}
        </dl>
      </section>
    </Card>
  );
}

/** A name or an address, character by character. Null if it is empty. */
export function exactly(text: string): ReactNode | null {
  return text === "" ? null : (
    <code className="font-mono text-xs wrap-anywhere">{safeText(text)}</code>
  );
}

/** A text of several lines. Null if it is empty. */
export function blockOf(label: string, text: string): ReactNode | null {
  return text === "" ? null : <TextBlock label={label} text={text} keepsLines />;
}

/** Lines such as conditions or headers. Null if there are none. */
export function linesOf(lines: readonly string[]): ReactNode | null {
  if (lines.length === 0) return null;
  return (
    <ul className="grid gap-0.5">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and never move
        <li key={at} className="font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
          {safeBlock(line)}
        </li>
      ))}
    </ul>
  );
}

export function onOff(isOn: boolean): string {
  return isOn ? "On" : "Off";
}
