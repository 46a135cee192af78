import { expect, test } from "vitest";
import { newDraft } from "../draft/action-draft.ts";
import { newRequest } from "../draft/request-draft.ts";
import { newStep } from "../draft/step-draft.ts";
import { stepKinds } from "../kinds/kind-views.ts";
import { readStoredDraft } from "./read-stored-draft.ts";

test("a stored draft with a step of every kind is read as it was", () => {
  const steps = stepKinds.map((kind, id) => newStep(kind, { id, key: kind }));
  const draft = { ...newDraft, steps };
  expect(readStoredDraft(JSON.stringify(draft))).toEqual(draft);
});

test("a draft of a release without multipart bodies is read", () => {
  const { parts: _parts, ...request } = newRequest;
  const [step] = newDraft.steps;
  const steps = [{ ...step, work: { ...step?.work, request } }];
  expect(readStoredDraft(JSON.stringify({ ...newDraft, steps }))).toEqual(newDraft);
});

test("a draft with a step of an unknown kind isn't read", () => {
  const [step] = newDraft.steps;
  const steps = [{ ...step, work: { kind: "poll", url: "" } }];
  expect(readStoredDraft(JSON.stringify({ ...newDraft, steps }))).toBeNull();
});
