"use client";

import { useId } from "react";
import { SelectField } from "#components/ui/form/field.tsx";
import { formatBody } from "#components/ui/text/format-body.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { TransformPreview } from "./transform-trial.ts";
import type { PreviewedEvent } from "./use-transform-trial.ts";

type PreviewedTransformProps = {
  readonly preview: TransformPreview;
  readonly event: PreviewedEvent;
  readonly choose: (event: PreviewedEvent) => void;
};

const example = "example";

/** An event, and what the transform makes of it. */
export function PreviewedTransform({ preview, event, choose }: PreviewedTransformProps) {
  const { choices, input, output, error } = preview;
  const chosen = event.isExample ? example : (event.eventId ?? preview.event.id ?? example);
  const isListed = choices.some(({ id }) => id === chosen);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <SelectField
        label="Preview"
        name="transformEvent"
        value={chosen}
        hint={choices.length === 0 ? "No event of these types is stored yet." : undefined}
        onChange={({ target: { value } }) =>
          choose({
            eventId: value === example ? null : value,
            isExample: value === example,
          })
        }
      >
        {choices.map(({ id, type }) => (
          <option key={id} value={id ?? ""}>
            {safeText(`${type} · ${id}`)}
          </option>
        ))}
        {!isListed && chosen !== example && (
          <option value={chosen}>{safeText(`${preview.event.type} · ${chosen}`)}</option>
        )}
        <option value={example}>
          {preview.event.id === null ? safeText(`Example of ${preview.event.type}`) : "Example"}
        </option>
      </SelectField>
      <div aria-live="polite" className="grid min-w-0 grid-cols-1 gap-4 lg:grid-cols-2">
        <Body title="The event" text={input} />
        {output !== null && <Body title="What is sent" text={output} />}
        {output === null && (
          <Outcome>
            {error === null
              ? "It returns null for this event, so nothing is sent. The send is shown as skipped."
              : "It fails for this event. The send would fail with the error above."}
          </Outcome>
        )}
      </div>
    </div>
  );
}

/** The server sends one character more than is shown. */
const maxChars = 20_000;

function Body({ title, text }: { title: string; text: string }) {
  const id = useId();
  const isCut = text.length > maxChars;
  const shown = isCut ? text.slice(0, maxChars) : (formatBody(text) ?? text);
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1.5">
      <span id={id} aria-hidden className="text-sm font-medium">
        {title}
      </span>
      <TextBlock
        label={title}
        text={shown}
        keepsLines={!isCut}
        cutNote={isCut ? "Only the beginning is shown." : null}
      />
    </div>
  );
}

function Outcome({ children }: { children: string }) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <span className="text-sm font-medium">What is sent</span>
      <p className="text-sm text-muted-foreground">{children}</p>
    </div>
  );
}
