import { capitalize } from "#lib/base/capitalize.ts";
import {
  type DeliveryView,
  readDeliveryContext,
} from "#lib/core/mapping/build-request/delivery-context.ts";
import type { HookView } from "#lib/core/mapping/build-request/hook-view.ts";
import { isCredentialHeader, isSensitiveName } from "#lib/core/people/redact/redact-request.ts";
import { redactionMark } from "#lib/core/people/redact/redact-text.ts";
import { buildPayloadTree, isCutSomewhere, type PayloadNode } from "./payload-tree.ts";
import { TextBudget } from "./text-budget.ts";

/**
 * The budgets in bytes of the page. The payload comes last, so that it always leaves room for the
 * names beside it.
 */
const budgets = { payload: 240_000, others: 60_000 };

export type MappingTree = {
  readonly tree: PayloadNode;
  readonly isTreeCut: boolean;
  /** The reason why the payload is missing. Null if it is there. */
  readonly treeProblem: string | null;
};

/**
 * Everything that templates can use from a delivery, based on the same context that renders them.
 * Credentials in headers and query are listed by name only: templates can forward them, but pages
 * don't show them.
 */
export async function buildMappingTree(
  delivery: DeliveryView,
  hook: HookView,
): Promise<MappingTree> {
  const { names, payloadProblem } = await readDeliveryContext(delivery, hook);
  const shown: Readonly<Record<string, unknown>> = {
    ...names,
    headers: hideValues(names.headers, isCredentialHeader),
    query: hideValues(names.query, isSensitiveName),
  };
  const others = new TextBudget(budgets.others);
  const payload =
    "payload" in names ? [toRoot("payload", names.payload, new TextBudget(budgets.payload))] : [];
  const children = [
    ...payload,
    ...otherRoots.flatMap((name) =>
      shown[name] === undefined ? [] : [toRoot(name, shown[name], others)],
    ),
  ];
  const tree: PayloadNode = { ...emptyRoot, size: children.length, children };
  const treeProblem =
    payloadProblem === null
      ? null
      : `${capitalize(payloadProblem)}. You can still use headers, query, and path.`;
  return { tree, isTreeCut: isCutSomewhere(tree), treeProblem };
}

const otherRoots = ["headers", "query", "path", "method", "delivery", "hook", "rawBody"] as const;

const emptyRoot = { key: null, path: null, kind: "object", text: "", isCut: false } as const;

function toRoot(name: string, value: unknown, budget: TextBudget): PayloadNode {
  return { ...buildPayloadTree(value, budget, name), key: name };
}

function hideValues(
  values: unknown,
  isHidden: (name: string) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [
      name,
      isHidden(name) ? redactionMark : value,
    ]),
  );
}
