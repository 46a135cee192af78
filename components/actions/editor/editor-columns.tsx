"use client";

import { type ReactNode, useRef } from "react";
import { Card } from "#components/ui/layout/card.tsx";
import { ColumnResizer } from "./column-resizer.tsx";

type EditorColumnsProps = {
  readonly payload: ReactNode;
  readonly form: ReactNode;
  readonly preview: ReactNode;
  /** The commands, which stay visible at the bottom. */
  readonly bar: ReactNode;
};

const sticky = "lg:sticky lg:top-4 lg:max-h-[calc(100dvh-6.5rem)]";

/**
 * The payload, the form, and the preview side by side. Below 1280 pixels the preview follows the
 * form, and on a phone each follows the other.
 */
export function EditorColumns({ payload, form, preview, bar }: EditorColumnsProps) {
  const columns = useRef<HTMLDivElement>(null);
  return (
    <div ref={columns} data-wide className="editor-columns">
      <div className={`relative grid min-w-0 lg:row-span-2 xl:row-span-1 ${sticky}`}>
        <Card className="max-h-96 min-w-0 overflow-y-auto p-4 lg:max-h-none">{payload}</Card>
        <ColumnResizer columns={columns} />
      </div>
      <Card className="min-w-0 p-4">{form}</Card>
      <Card
        className={
          "grid min-w-0 grid-cols-1 gap-4 p-4 xl:sticky xl:top-4 " +
          "xl:max-h-[calc(100dvh-6.5rem)] xl:overflow-y-auto"
        }
      >
        {preview}
      </Card>
      <div
        data-commands="action"
        data-sticky-bar
        className={
          "sticky bottom-0 z-10 flex min-w-0 flex-wrap items-center gap-3 rounded-t-lg border " +
          "border-b-0 bg-card px-4 py-3 lg:col-span-full"
        }
      >
        {bar}
      </div>
    </div>
  );
}
