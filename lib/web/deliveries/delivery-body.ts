import { capitalize } from "#lib/base/capitalize.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { describeJsonFault, findJsonFault } from "#lib/core/mapping/json/scan-json.ts";
import type { PayloadErrorCode } from "#lib/core/mapping/payload/read-payload.ts";
import {
  buildPayloadTree,
  isCutSomewhere,
  type PayloadNode,
} from "#lib/core/mapping/payload-tree/payload-tree.ts";
import type { CutText, TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { RawJson } from "#lib/web/route/api-json.ts";

/** The body of a delivery, cut to what a page can hold. */
type BodyView = {
  readonly tree: PayloadNode | null;
  /** True if some part of the tree is left out. */
  readonly isTreeCut: boolean;
  /** The reason why there is no tree; null if there is one. */
  readonly treeProblem: string | null;
  /**
   * The position where the JSON is invalid, with the surrounding text; null: it is valid, or was
   * never meant as JSON.
   */
  readonly fault: JsonFaultView | null;
  /** The reason why only its start, or nothing, can be shown. Null: the whole body is stored. */
  readonly notStored: string | null;
  readonly raw: (CutText & { readonly form: "text" | "hex" }) | null;
};

type JsonFaultView = {
  /** "Line 1, column 22: a comma or } is expected here." */
  readonly message: string;
  readonly before: string;
  readonly after: string;
};

type ShownBody = {
  readonly contentType: string | null;
  readonly body: string;
  readonly bodyEncoding: string;
  readonly payload: unknown;
  readonly payloadError?: string | undefined;
  readonly payloadErrorCode?: PayloadErrorCode | undefined;
};

/** Builds the view from the API's response, so that the dashboard and the API always agree. */
export function viewBody(
  shown: ShownBody,
  budget: { tree: TextBudget; raw: TextBudget },
): BodyView {
  const notStored = isNotStored(shown) ? (shown.payloadError ?? null) : null;
  return { ...viewTree(shown, budget.tree), notStored, raw: viewRaw(shown, budget.raw) };
}

function isNotStored({ payloadErrorCode }: ShownBody): boolean {
  return payloadErrorCode === "body_cut";
}

function viewTree(shown: ShownBody, budget: TextBudget) {
  const { payload, payloadError } = shown;
  if (payload instanceof RawJson) {
    const parsed = parseExactJson(payload.text);
    if (parsed.ok) return withTree(parsed.value, budget);
    const treeProblem = `${sentence(parsed.message)} Templates can't read it either. The raw body is complete.`;
    return { tree: null, isTreeCut: false, treeProblem, fault: null };
  }
  if (payload === null) {
    const treeProblem = payloadError ?? "There is no parsed view.";
    return {
      tree: null,
      isTreeCut: false,
      treeProblem,
      fault: findFault(shown),
    };
  }
  return withTree(payload, budget);
}

function withTree(payload: unknown, budget: TextBudget) {
  const tree = buildPayloadTree(payload, budget);
  return {
    tree,
    isTreeCut: isCutSomewhere(tree),
    treeProblem: null,
    fault: null,
  };
}

/** Characters around the position. */
const maxAround = 60;

function findFault({ body, bodyEncoding, payloadErrorCode }: ShownBody): JsonFaultView | null {
  if (bodyEncoding !== "utf8") return null;
  // Text that neither claims to be JSON nor starts like it has no JSON error.
  const isMeantAsJson =
    payloadErrorCode === "invalid_json" ||
    (payloadErrorCode === "not_json" && /^\s*[[{]/u.test(body));
  if (!isMeantAsJson) return null;
  const fault = findJsonFault(body);
  if (fault === null) return null;
  const { index } = fault;
  return {
    message: sentence(describeJsonFault(fault)),
    before: body.slice(Math.max(0, index - maxAround), index).toWellFormed(),
    after: body.slice(index, index + maxAround).toWellFormed(),
  };
}

function viewRaw({ body, bodyEncoding }: ShownBody, budget: TextBudget): BodyView["raw"] {
  if (body === "") return null;
  if (bodyEncoding === "utf8") return { form: "text", ...budget.take(body, maxRawChars) };
  const bytes = Buffer.from(body.slice(0, 4 * Math.ceil(maxHexBytes / 3)), "base64").subarray(
    0,
    maxHexBytes,
  );
  const isCut = (body.length * 3) / 4 - 2 > maxHexBytes;
  return { form: "hex", text: toHexLines(bytes), isCut };
}

const maxRawChars = 65_536;
const maxHexBytes = 2_048;

/** `00000010  89 50 4e 47 …  .PNG`, as hexdump writes it. */
function toHexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row
      .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join("\n");
}

function sentence(clause: string): string {
  return `${capitalize(clause)}.`;
}
