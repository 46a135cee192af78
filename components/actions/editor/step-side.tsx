"use client";

import { Fragment } from "react";
import { copyText } from "#components/payload/payload-rows.ts";
import { SelectField } from "#components/ui/form/field.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { StepDraft } from "../draft/step-draft.ts";
import { viewOf } from "../kinds/kind-views.ts";
import { RequestPreview } from "../preview/request-preview.tsx";
import { RunStep } from "../preview/run-step.tsx";
import type { EditorState } from "./editor-state.ts";
import { findResult } from "./read-editor.ts";
import type { Editor, EditorPart } from "./use-editor.ts";

/** The preview of the expanded step, its last result, and a button to run it. */
export function StepSide({ editor }: EditorPart) {
  const { state, send, shown, preview, runStep } = editor;
  const { step, isSimple } = shown;
  if (step === null)
    return <p className="text-sm text-muted-foreground">Expand a step to see what it would do.</p>;
  const { work } = step;
  const { Preview } = viewOf(work.kind);
  const url = preview !== null && preview.code === null ? (preview.request?.url ?? null) : null;
  const call = state.calls.get(step.id) ?? null;
  const waiting = preview === null ? describeWaiting(editor, step) : null;
  return (
    <Fragment key={step.id}>
      <h2 className="font-semibold break-words">
        {isSimple ? "Request preview" : `Preview of ${safeText(step.key)}`}
      </h2>
      {preview?.items != null && (
        <ItemField items={preview.items} onItem={(index) => send({ kind: "item_chosen", index })} />
      )}
      {state.chosen !== null && work.kind === "call" && (
        <RunStep
          label={isSimple ? "Send request" : "Run this step"}
          method={work.request.method}
          url={url}
          call={call}
          run={runStep}
        />
      )}
      {preview?.code === "mapping_failed" && <MissingOutputs editor={editor} />}
      {preview === null ? (
        <p className="text-sm text-muted-foreground">{waiting}</p>
      ) : (
        <>
          <RequestPreview preview={preview} />
          {Preview !== undefined && preview.value !== null && <Preview value={preview.value} />}
        </>
      )}
      {/* With the preview, which would push it down. */}
      {work.kind === "call" && call === null && waiting !== loading && (
        <LastRun state={state} step={step} />
      )}
    </Fragment>
  );
}

/** The earlier steps without a result. Values that use them can't be shown. */
function MissingOutputs({ editor: { state, shown } }: EditorPart) {
  const missing = shown.earlier
    .filter((one) => one.work.kind === "call" && findResult(state, one) === null)
    .map(({ key }) => safeText(key));
  if (missing.length === 0) return null;
  return (
    <p className="text-sm text-caution">
      {missing.length === 1 ? "This step has" : "These steps have"} no output yet:{" "}
      {missing.join(", ")}. Open {missing.length === 1 ? "it" : "them"} and choose “Run this step”.
    </p>
  );
}

function describeWaiting({ state, previewProblem }: Editor, { work }: StepDraft): string {
  if (state.chosen === null) return "The request appears here after the hook accepts a delivery.";
  if (work.kind === "call" && work.request.url.trim() === "")
    return "Enter a URL to preview the request.";
  return previewProblem ?? loading;
}

const loading = "Loading preview…";

function ItemField({
  items: { count, index },
  onItem,
}: {
  readonly items: { readonly count: number; readonly index: number };
  readonly onItem: (index: number) => void;
}) {
  if (count === 0)
    return <p className="text-sm text-muted-foreground">The list is empty: nothing is done.</p>;
  return (
    <SelectField
      label="Item"
      name="item"
      value={String(index)}
      onChange={(event) => onItem(Number(event.target.value))}
    >
      {Array.from({ length: Math.min(count, maxItems) }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: it is the item's number
        <option key={at} value={at}>
          {at + 1} of {count}
        </option>
      ))}
    </SelectField>
  );
}

const maxItems = 100;

function LastRun({ state, step }: { readonly state: EditorState; readonly step: StepDraft }) {
  const result = findResult(state, step);
  if (state.chosen === null || state.chosen.payload.lastRun === null || result === null)
    return null;
  const text = copyText(result.tree);
  return (
    <section aria-label="Last output" className="grid min-w-0 grid-cols-1 gap-2 border-t pt-4">
      <h3 className="text-sm font-medium">Last output</h3>
      <p className="text-sm text-muted-foreground">
        From the action's last run on this delivery.{" "}
        <NextLink href={`/deliveries/${state.chosen.delivery.id}`}>View run</NextLink>
      </p>
      {text === null ? (
        <p className="text-sm text-muted-foreground">
          It is too long to show here. Its fields are under “Payload received”.
        </p>
      ) : (
        <TextBlock label="Output of the last run" text={text} />
      )}
    </section>
  );
}
