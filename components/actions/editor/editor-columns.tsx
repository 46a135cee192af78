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

/**
 * The payload, the form, and the preview side by side, each scrolling by itself. Below 1280 pixels
 * the preview is under the form, and on a phone each follows the other.
 */
export function EditorColumns({ payload, form, preview, bar }: EditorColumnsProps) {
  const columns = useRef<HTMLDivElement>(null);
  return (
    <div ref={columns} data-wide className="editor-columns">
      <div className="relative grid h-full min-h-0 min-w-0 lg:row-span-2 xl:row-span-1">
        <Card className="editor-column max-h-96 min-w-0 overflow-y-auto p-4 lg:max-h-none">
          {payload}
        </Card>
        <ColumnResizer columns={columns} />
      </div>
      <div data-scrolls className="editor-column min-w-0 rounded-lg border bg-card p-4">
        {form}
      </div>
      <Card className="editor-column min-w-0">
        <section
          aria-label="Preview"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
          tabIndex={0}
          className="grid min-w-0 grid-cols-1 gap-4 p-4 -outline-offset-2"
        >
          {preview}
        </section>
      </Card>
      <div
        data-commands="action"
        data-sticky-bar
        className={
          "sticky bottom-0 z-10 flex min-w-0 flex-wrap items-center gap-3 rounded-t-lg border " +
          "border-b-0 bg-card px-4 py-3 lg:static lg:col-span-full lg:rounded-lg lg:border-b lg:py-2"
        }
      >
        {bar}
      </div>
    </div>
  );
}
