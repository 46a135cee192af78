import { formatBody } from "#components/ui/text/format-body.ts";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import { describeSpan } from "#components/ui/time/describe-span.ts";
import type { StepKind } from "../draft/step-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";

type StepValueProps = { readonly kind: StepKind; readonly preview: StepPreviewView };

const labels: Readonly<Record<StepKind, string>> = {
  call: "",
  transform: "Value",
  delay: "",
  publish: "Event to publish",
};

/** What a step without a call would do. */
export function StepValue({ kind, preview: { value } }: StepValueProps) {
  if (value === null || kind === "call") return null;
  if (kind === "delay")
    return <p className="text-sm">Waits {describeSpan(Number(value))} from when it begins.</p>;
  return <TextBlock label={labels[kind]} text={formatBody(value) ?? value} keepsLines />;
}
