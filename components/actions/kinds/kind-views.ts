import type { StepKind } from "../draft/step-draft.ts";
import { callView } from "./call.tsx";
import { delayView } from "./delay.tsx";
import type { KindView } from "./kind-view.ts";
import { publishView } from "./publish.tsx";
import { transformView } from "./transform.tsx";

/** In the order in which they are offered. */
const kindViews: { readonly [Kind in StepKind]: KindView<Kind> } = {
  call: callView,
  transform: transformView,
  delay: delayView,
  publish: publishView,
};

export const stepKinds = Object.keys(kindViews) as readonly StepKind[];

export function viewOf<Kind extends StepKind>(kind: Kind): KindView<Kind> {
  return kindViews[kind];
}
