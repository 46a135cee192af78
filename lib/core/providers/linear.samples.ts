import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

const organizationId = "5f2c8a10-6d3b-4a52-9a1e-2f4d1c0b7e91";

const actor = {
  id: "b5ea5f1f-8adc-4f52-b4bd-ab4e84cf51ba",
  name: "Jenny Rosen",
  email: "jenny.rosen@example.com",
  url: "https://linear.app/example/profiles/jenny",
  type: "user",
};

const team = { id: "72b2a2dc-6f4f-4423-9d34-24b5bd10634a", key: "ENG", name: "Engineering" };

/** https://linear.app/developers/webhooks */
export const linearSamples: SampleEvents = [
  { type: "Issue", make: (fresh) => event(fresh, "Issue", issue(fresh)) },
  { type: "Comment", make: (fresh) => event(fresh, "Comment", comment(fresh)) },
];

function event(fresh: Fresh, type: string, data: { readonly url: string }): SampleContent {
  return {
    headers: {
      "linear-delivery": fresh.uuid(),
      "linear-event": type,
      "user-agent": "Linear-Webhook",
    },
    json: {
      action: "create",
      type,
      actor,
      createdAt: fresh.iso,
      data,
      url: data.url,
      organizationId,
      webhookId: "000042e3-d123-4980-b49f-8e140eef9329",
      webhookTimestamp: fresh.nowMs,
    },
  };
}

function issue(fresh: Fresh) {
  const number = fresh.digits(3);
  return {
    id: fresh.uuid(),
    identifier: `ENG-${number}`,
    number,
    title: "Prices are shown without a currency",
    description: "In the cart it says 42.00 and not 42.00 USD.",
    priority: 2,
    priorityLabel: "High",
    estimate: 3,
    createdAt: fresh.iso,
    updatedAt: fresh.iso,
    dueDate: null,
    teamId: team.id,
    team,
    stateId: "5f2b6b3e-0f64-4b9c-a5b2-6a5f7b1f9c2d",
    state: {
      id: "5f2b6b3e-0f64-4b9c-a5b2-6a5f7b1f9c2d",
      color: "#e2e2e2",
      name: "Todo",
      type: "unstarted",
    },
    creatorId: actor.id,
    assigneeId: actor.id,
    assignee: { id: actor.id, name: actor.name, email: actor.email },
    labelIds: ["1b1d4f0c-3a0d-4c37-8f65-5a2a0f6f2c7e"],
    labels: [{ id: "1b1d4f0c-3a0d-4c37-8f65-5a2a0f6f2c7e", color: "#eb5757", name: "Bug" }],
    url: `https://linear.app/example/issue/ENG-${number}/prices-are-shown-without-a-currency`,
  };
}

function comment(fresh: Fresh) {
  const issueId = fresh.uuid();
  return {
    id: fresh.uuid(),
    body: "It is the formatter: it drops the currency when the amount is whole.",
    createdAt: fresh.iso,
    updatedAt: fresh.iso,
    edited: false,
    issueId,
    issue: { id: issueId, identifier: "ENG-41", title: "Prices are shown without a currency" },
    userId: actor.id,
    user: { id: actor.id, name: actor.name, email: actor.email },
    url: `https://linear.app/example/issue/ENG-41#comment-${fresh.hex(8)}`,
  };
}
