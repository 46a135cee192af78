import { expect, test } from "vitest";
import { reject } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, newDraft } from "../draft/action-draft.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import type { StepRunView } from "../draft/step-views.ts";
import type { Chosen } from "../source/mapping-source.tsx";
import { call, node, output, three } from "../testing/three-calls.ts";
import { type EditorEvent, type EditorState, startEditor } from "./editor-state.ts";
import { describeOutput, findResult, findShownStep, isDirty } from "./read-editor.ts";
import { reduceEditor } from "./reduce-editor.ts";

function delivery(id: string, eventType: string): Chosen {
  const at = new Date("2026-01-01");
  const lastRun = { runId: "r", at, results: [output("find", "404")] };
  return {
    delivery: { id, eventType, eventId: null, isSample: false, receivedAt: at },
    payload: { tree: node("", ""), isTreeCut: false, treeProblem: null, lastRun },
  };
}

const paid = delivery("d1", "order.paid");
const refund = delivery("d2", "order.refunded");
const run = (status: string) => ({ result: output("find", status) }) as unknown as StepRunView;

function start(draft: ActionDraft = three, version: number | null = 4): EditorState {
  const storedAuths = { find: { type: "bearer", hint: "last" } };
  const source = { deliveries: [paid.delivery], deliveryId: "d1", payload: paid.payload };
  const action = { draft, storedAuths };
  return startEditor({ action, saved: undefined, start: { draft, version }, source });
}

const after = (state: EditorState, ...events: readonly EditorEvent[]) =>
  events.reduce(reduceEditor, state);
const keys = ({ draft }: EditorState) =>
  draft.steps.map(({ key, branch }) => [key, ...branch.map((inner) => inner.key)].join("+")).join();
const readUrl = (step: StepDraft | undefined) =>
  step?.work.kind === "call" ? step.work.request.url : null;
const url = ({ draft }: EditorState, at = 0) => readUrl(draft.steps[at]);

const rejected = reject("Not saved.", [
  { path: "steps.1.onFailure.steps.0.request.url", code: "required", message: "is required" },
]);
const savedAs = (version: number, draft: ActionDraft): EditorEvent => ({
  kind: "save_ended",
  draft,
  result: { ok: true, value: { id: "a", version } },
});
const failed: EditorEvent = { kind: "save_ended", draft: three, result: rejected };
const named = (name: string): EditorEvent => ({ kind: "changed", change: { name } });
const choose = (chosen: Chosen, fits: boolean | null): EditorEvent => {
  return { kind: "delivery_chosen", chosen, fits };
};
const rename: EditorEvent = { kind: "step_renamed", id: 0, key: "lookup" };

type Case = readonly [
  what: string,
  state: EditorState,
  events: readonly EditorEvent[],
  read: (state: EditorState) => unknown,
  expected: unknown,
];

const cases: readonly Case[] = [
  ["nothing typed is nothing unsaved", start(), [], isDirty, false],
  ["what is typed is unsaved", start(), [named("x")], isDirty, true],
  ["what is typed and undone isn't", start(), [named("x"), named("Three calls")], isDirty, false],
  ["the first step is expanded", start(), [], (s) => findShownStep(s).step?.key, "find"],
  [
    "an expanded step has its path, and the steps before it",
    start(),
    [{ kind: "step_opened", id: 2 }],
    (s) => [
      findShownStep(s).path,
      findShownStep(s)
        .earlier.map(({ key }) => key)
        .join(),
    ],
    ["steps.1.onFailure.steps.0", "find,send"],
  ],
  [
    "a single call is shown without steps, whatever is expanded",
    start(newDraft),
    [{ kind: "step_opened", id: null }],
    (s) => [findShownStep(s).isSimple, findShownStep(s).step?.id, findShownStep(s).path],
    [true, 0, ""],
  ],
  [
    "until its options are asked for",
    start(newDraft),
    [{ kind: "steps_shown" }],
    (s) => [findShownStep(s).isOnly, findShownStep(s).isSimple],
    [true, false],
  ],
  [
    "two changes of a step at once both count",
    start(),
    [
      { kind: "step_changed", id: 2, change: (step) => ({ ...step, onFailure: "continue" }) },
      { kind: "request_changed", id: 2, change: { url: "https://a.example" } },
    ],
    ({ draft: { steps } }) => [steps[1]?.branch[0]?.onFailure, readUrl(steps[1]?.branch[0])],
    ["continue", "https://a.example"],
  ],
  ["a step is moved", start(), [{ kind: "step_moved", id: 3, to: 0 }], keys, "last,find,send+tell"],
  ["and renamed", start(), [rename], keys, "lookup,send+tell,last"],
  [
    "a new step is expanded, announced, and its key gets the cursor",
    start(),
    [{ kind: "step_added", work: "delay", place: { branchOf: 1 } }],
    (s) => [keys(s), s.openId, s.reaction?.focus, s.reaction?.announce],
    ["find,send+tell+wait,last", 4, '[data-step="4"] input[name=stepKey]', "Added step wait."],
  ],
  [
    "so is a copy",
    start(),
    [{ kind: "step_duplicated", id: 0 }],
    (s) => [keys(s), s.openId, s.reaction?.announce],
    ["find,find_2,send+tell,last", 4, "Added step find_2."],
  ],
  [
    "a removed step leaves the focus to the next one, and nothing expanded",
    start(),
    [{ kind: "step_removed", id: 0 }],
    (s) => [keys(s), s.openId, s.reaction?.focus, s.reaction?.announce],
    ["send+tell,last", null, '[data-step="1"] h4 button', "Removed step find."],
  ],
  [
    "the last step before it, and the step of its branch",
    start(),
    [
      { kind: "step_opened", id: 0 },
      { kind: "step_removed", id: 3 },
      { kind: "step_removed", id: 2 },
    ],
    (s) => [keys(s), s.openId, s.reaction?.focus],
    ["find,send", 0, '[data-step="1"] h4 button'],
  ],
  [
    "the only step can't be removed",
    start(newDraft),
    [{ kind: "step_removed", id: 0 }],
    (s) => [s.draft, s.reaction],
    [newDraft, { warn: "An action needs at least one step. Add another one first." }],
  ],
  [
    "another event doesn't repeat what the page did",
    start(),
    [{ kind: "step_added", work: "call", place: { branchOf: null } }, named("x")],
    (s) => s.reaction?.announce,
    "Added step call.",
  ],
  [
    "a start fills in the expanded call and the name",
    start(),
    [
      { kind: "step_opened", id: 3 },
      { kind: "started", start: { name: "Chat", request: { url: "https://b.example" } } },
    ],
    (s) => [s.draft.name, url(s, 2), s.openId],
    ["Chat", "https://b.example", 3],
  ],
  [
    "or a new call, if none is expanded",
    start(),
    [
      { kind: "step_opened", id: null },
      { kind: "started", start: { request: { url: "https://b.example" } } },
    ],
    (s) => [keys(s), url(s, 3), s.openId, s.draft.name],
    ["find,send+tell,last,post_b", "https://b.example", 4, "Three calls"],
  ],
  [
    "a template replaces the draft",
    start(newDraft),
    [{ kind: "steps_shown" }, { kind: "template_chosen", draft: three }],
    (s) => [s.draft, s.openId, s.showsSteps],
    [three, 0, false],
  ],
  [
    "a rejected save expands the step with the error",
    start(),
    [failed],
    (s) => [s.saved, s.openId, isDirty(s)],
    [rejected, 2, false],
  ],
  ["its errors end with the next change", start(), [failed, rename], (s) => s.saved, undefined],
  [
    "but not when a step is expanded or a delivery is chosen",
    start(),
    [failed, { kind: "step_opened", id: 3 }, choose(refund, true)],
    (s) => s.saved,
    rejected,
  ],
  [
    "a save ends what is unsaved, with version, keys, and credentials",
    start(),
    [rename, savedAs(5, after(start(), rename).draft)],
    (s) => [isDirty(s), s.base.version, s.storedAuths, s.draft.steps[0]?.formerKey, s.isLeaving],
    [false, 5, { lookup: { type: "bearer", hint: "last" } }, "lookup", false],
  ],
  [
    "what is typed while it is saved stays unsaved",
    start(),
    [named("sent"), named("typed"), savedAs(5, { ...three, name: "sent" })],
    (s) => [isDirty(s), s.draft.name, s.base.draft.name, s.base.version],
    [true, "typed", "sent", 5],
  ],
  [
    "a new action leaves the editor once it is saved, and has nothing left to store",
    start(newDraft, null),
    [named("New"), savedAs(1, { ...newDraft, name: "New" })],
    (s) => [s.isLeaving, isDirty(s), s.base.version],
    [true, false, 1],
  ],
  [
    "and stays if it isn't saved",
    start(newDraft, null),
    [failed],
    (s) => [s.isLeaving, s.base.version],
    [false, null],
  ],
  [
    "a draft that is kept is a change of the newer version, and as unsaved as before",
    start(),
    [named("mine"), { kind: "version_kept", version: 7 }],
    (s) => [s.base.version, isDirty(s), s.draft.name],
    [7, true, "mine"],
  ],
  [
    "the last run's output is shown, under the step's new key",
    start(),
    [rename],
    (s) => findResult(s, call(0, "lookup", { formerKey: "find" }))?.tree.children[0]?.path,
    "steps.lookup.status",
  ],
  [
    "a call from the editor wins over a computed value, and that over the last run",
    start(),
    [
      { kind: "call_made", id: 0, call: run("201") },
      { kind: "value_computed", id: 0, value: output("find", "500") },
    ],
    (s) => describeOutput(s, call(0, "find")),
    "HTTP 201",
  ],
  [
    "results end with another delivery, and the item begins again",
    start(),
    [
      { kind: "item_chosen", index: 3 },
      { kind: "call_made", id: 0, call: run("201") },
      choose(refund, false),
    ],
    (s) => [describeOutput(s, call(0, "find")), s.itemIndex, s.chosen?.delivery.id],
    ["HTTP 404", 0, "d2"],
  ],
  [
    "the event type that the mapping fitted is remembered, also if no preview was there yet",
    start(),
    [choose(refund, null), choose(paid, null), choose(refund, false)],
    (s) => s.fittingType,
    "order.paid",
  ],
  ["a type that doesn't fit isn't", start(), [choose(refund, false)], (s) => s.fittingType, null],
];

test.each(cases)("%s", (_what, state, events, read, expected) => {
  const before = structuredClone({ ...state });
  expect(read(after(state, ...events))).toEqual(expected);
  // Events make a new state, and leave the old one as it was.
  expect(state).toEqual(before);
});
