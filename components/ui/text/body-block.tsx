"use client";

import { useMemo, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { formatBody } from "./format-body.ts";
import { TextBlock } from "./text-block.tsx";

type BodyBlockProps = {
  readonly label: string;
  readonly text: string;
  /** Scrolls sideways instead of wrapping, because columns matter. */
  readonly keepsLines?: boolean;
  /** A note that is shown below if the end is left out. */
  readonly cutNote?: string | null;
  /** Formatted at first, instead of as received. */
  readonly startsPretty?: boolean;
};

/** A body as received, with a copy button. JSON and XML can be formatted. */
export function BodyBlock(props: BodyBlockProps) {
  const { label, text, keepsLines = false, cutNote = null } = props;
  const [isPretty, setPretty] = useState(props.startsPretty === true);
  const formatted = useMemo(
    () => (cutNote === null && !keepsLines ? formatBody(text) : null),
    [text, cutNote, keepsLines],
  );
  const shown = isPretty && formatted !== null ? formatted : text;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <div className="flex flex-wrap justify-end gap-2">
        {formatted !== null && (
          <Button look="secondary" onClick={() => setPretty(!isPretty)}>
            {isPretty ? "Show as sent" : "Pretty-print"}
          </Button>
        )}
        <CopyButton text={shown} what={label.toLowerCase()} />
      </div>
      <TextBlock label={label} text={shown} keepsLines={keepsLines} cutNote={cutNote} />
    </div>
  );
}
