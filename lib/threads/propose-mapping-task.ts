import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { ExampleRequest } from "#lib/core/mapping/mapping-example/example-request.ts";
import type { FieldProposal } from "#lib/core/mapping/mapping-example/proposal.ts";
import { proposeMapping } from "#lib/core/mapping/mapping-example/propose-mapping.ts";

type ProposeMappingInput = {
  readonly delivery: DeliveryView;
  readonly hook: HookView;
  /** An `ExampleRequest` as text, because copying would lose the digits of its numbers. */
  readonly exampleJson: string;
};

/** Compares every value of an example with every value of a delivery. Runs in a thread. */
export async function proposeMappingTask({
  delivery,
  hook,
  exampleJson,
}: ProposeMappingInput): Promise<readonly FieldProposal[]> {
  const context = await readDeliveryContext(delivery, hook);
  const parsed = parseExactJson(exampleJson, maxDepth);
  if (!parsed.ok) throw new Error(`The example can't be read in a thread: ${parsed.message}`);
  const example = parsed.value as unknown as ExampleRequest;
  return proposeMapping(example, context, delivery.receivedAtMs);
}

/** The depth of an example's body and of the JSON around it. */
const maxDepth = 80;
