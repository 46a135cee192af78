"use client";

import { copyText } from "#components/payload/payload-rows.ts";
import { SelectField } from "#components/ui/form/field.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import type { StepPreviewView, StepResultView, StepRunView } from "../draft/step-views.ts";
import { viewOf } from "../kinds/kind-views.ts";
import { RequestPreview } from "../preview/request-preview.tsx";
import { RunStep } from "../preview/run-step.tsx";

type LastOutput = {
  readonly result: StepResultView;
  /** The path of the page of the run's delivery. */
  readonly deliveryPath: string;
};

type StepSideProps = {
  readonly step: StepDraft;
  /** The step is the action's only call. */
  readonly isOnly: boolean;
  readonly preview: StepPreviewView | null;
  /** The reason why there is no preview. Null: it is being made, or nothing can be previewed yet. */
  readonly problem: string | null;
  /** The keys of earlier steps without a result. Values that use them can't be shown. */
  readonly missing: readonly string[];
  readonly call: StepRunView | null;
  /** Null: no delivery to run it for. */
  readonly run: (() => Promise<CommandResult<unknown>>) | null;
  readonly last: LastOutput | null;
  readonly onItem: (index: number) => void;
};

/** The preview of the expanded step, its last result, and a button to run it. */
export function StepSide(props: StepSideProps) {
  const { step, isOnly, preview, missing, call, run, last } = props;
  const { work } = step;
  const { Preview } = viewOf(work.kind);
  const url = preview !== null && preview.code === null ? (preview.request?.url ?? null) : null;
  return (
    <>
      <h2 className="font-semibold break-words">
        {isOnly ? "Request preview" : `Preview of ${safeText(step.key)}`}
      </h2>
      {preview?.items != null && <ItemField items={preview.items} onItem={props.onItem} />}
      {run !== null && work.kind === "call" && (
        <RunStep
          label={isOnly ? "Send request" : "Run this step"}
          method={work.request.method}
          url={url}
          call={call}
          run={run}
        />
      )}
      {missing.length > 0 && preview?.code === "mapping_failed" && (
        <p className="text-sm text-caution">
          {missing.length === 1 ? "This step has" : "These steps have"} no output yet:{" "}
          {missing.map(safeText).join(", ")}. Open {missing.length === 1 ? "it" : "them"} and choose
          “Run this step”.
        </p>
      )}
      {preview === null ? (
        <p className="text-sm text-muted-foreground">{describeWaiting(props)}</p>
      ) : (
        <>
          <RequestPreview preview={preview} />
          {Preview !== undefined && preview.value !== null && <Preview value={preview.value} />}
        </>
      )}
      {last !== null && call === null && <LastRun last={last} />}
    </>
  );
}

function describeWaiting({ step: { work }, problem, run }: StepSideProps): string {
  if (run === null) return "The request appears here after the hook accepts a delivery.";
  if (work.kind === "call" && work.request.url.trim() === "")
    return "Enter a URL to preview the request.";
  return problem ?? "Loading preview…";
}

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

function LastRun({ last: { result, deliveryPath } }: { readonly last: LastOutput }) {
  const text = copyText(result.tree);
  return (
    <section aria-label="Last output" className="grid min-w-0 grid-cols-1 gap-2 border-t pt-4">
      <h3 className="text-sm font-medium">Last output</h3>
      <p className="text-sm text-muted-foreground">
        From the action's last run on this delivery.{" "}
        <NextLink href={deliveryPath}>View run</NextLink>
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
