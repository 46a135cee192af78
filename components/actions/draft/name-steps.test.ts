import { expect, test } from "vitest";
import { addStep, changeRequest, renameStep } from "./edit-steps.ts";
import { describeWork, nameSteps } from "./name-steps.ts";
import { newRequest } from "./request-draft.ts";
import { newStep, type StepDraft } from "./step-draft.ts";

const call = (method: string, url: string): StepDraft["work"] => ({
  ...newStep("call", { id: 0, key: "call" }).work,
  request: { ...newRequest, method: method as typeof newRequest.method, url },
});

test.for([
  ["POST", "https://api.example.com/crm/v3/objects/contacts?x=contact", "post_contacts"],
  ["GET", "https://api.example.com/v1/customers/{{ data.id }}", "get_customers"],
  ["PATCH", "https://{{ data.shop }}.example.com/orders/{{ id }}/line-items", "patch_line_items"],
  // A secret in a path isn't a name, and nothing after it is.
  ["POST", "https://hooks.slack.com/services/T0AB/B0AB/abcdef", "post_slack"],
  ["POST", "https://shop.example.co.uk", "post_example"],
  ["PUT", "http://127.0.0.1:4000/", "call"],
  ["POST", "", "call"],
] as const)("%s %s is %s", ([method, url, key]) => {
  expect(describeWork(call(method, url))).toBe(key);
});

test("an event is named by its type", () => {
  const { work } = newStep("publish", { id: 0, key: "publish" });
  expect(describeWork({ ...work, type: "order.{{ data.state }}" })).toBe("publish_order");
});

const keysOf = (steps: readonly StepDraft[]) => steps.map(({ key }) => key);
const to = (steps: readonly StepDraft[], id: number, url: string) =>
  nameSteps(steps, changeRequest(steps, id, { method: "POST", url }));

test("steps are named by what they do until they are saved or a person names them", () => {
  const single = to([newStep("call", { id: 0, key: "call" })], 0, "https://a.example/contacts");
  expect(keysOf(single)).toEqual(["call"]);
  const two = nameSteps(single, addStep(single, "call").steps);
  expect(keysOf(two)).toEqual(["post_contacts", "call_2"]);
  const named = to(two, 1, "https://a.example/contacts");
  expect(keysOf(named)).toEqual(["post_contacts", "post_contacts_2"]);
  expect(keysOf(to(named, 1, "https://a.example/deals"))).toEqual(["post_contacts", "post_deals"]);
  const own = renameStep(named, 1, "tell");
  expect(keysOf(to(own, 1, "https://a.example/deals"))).toEqual(["post_contacts", "tell"]);
  const saved = named.map((step) => ({ ...step, formerKey: step.key }));
  expect(keysOf(to(saved, 0, "https://a.example/deals"))).toEqual(keysOf(named));
});
