import { formatBody } from "#components/ui/text/format-body.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { describeSpan } from "#components/ui/time/describe-span.ts";
import type { StepKind } from "../draft/step-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";

type StepValueProps = { readonly kind: StepKind; readonly preview: StepPreviewView };

/** The preview of a step without a call. The value of a transform is shown below its code. */
export function StepValue({ kind, preview: { value } }: StepValueProps) {
  if (value === null || kind === "call" || kind === "transform") return null;
  if (kind === "delay")
    return <p className="text-sm">Waits {describeSpan(Number(value))} from when it begins.</p>;
  return <TextBlock label="Event to publish" text={formatBody(value) ?? value} keepsLines />;
}
