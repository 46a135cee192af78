import { expect, it } from "vitest";
import { readDraft } from "#components/ui/form/codec.ts";
import {
  portalSubscriptionSchema,
  subscriptionInputSchema,
} from "#lib/schema/send/subscription.ts";
import { describeChoiceError, findTypeError } from "../event-types/event-type-choice.tsx";
import {
  newSubscription,
  type StoredSubscription,
  subscriptionFields,
  toSubscriptionDraft,
} from "./subscription-draft.ts";

const stored: StoredSubscription = {
  receiverUrl: "https://example.com/webhooks",
  eventTypes: ["invoice.*"],
  recipient: "cust_42",
  description: "Billing",
  filter: { all: [{ path: "data.amount", op: "gt", value: 100 }] },
  headerNames: ["x-api-key", "x-team"],
  metadata: { team: "billing" },
  rateLimit: { count: 10, perSeconds: 60 },
  maxConcurrency: 4,
  ordered: true,
  keyPair: true,
  credentialId: "0199c000-0000-7000-8000-000000000001",
  credential: null,
  receiver: null,
  transform: "\nexport default ({ payload }) => payload",
  timeoutMs: 5_000,
  retry: { maxAttempts: 3, initialDelayMs: 1_000, maxDelayMs: 60_000 },
  version: "2026-02-01",
};

it("saving what was read changes nothing, and sends no stored header", () => {
  const draft = toSubscriptionDraft(stored);
  const { headerNames: _names, credential: _credential, ...same } = stored;
  expect(readDraft(subscriptionFields, draft)).toEqual({
    ok: true,
    input: { ...same, headers: {} },
  });
});

it("a new value replaces a stored header, and removing its row removes it", () => {
  const before = toSubscriptionDraft(stored);
  const [first] = before.headers.rows;
  const rows = [
    { key: 0, name: "x-api-key", value: "new", isStored: true },
    { key: 7, name: "x-more", value: "1" },
  ];
  expect(first?.name).toBe("x-api-key");
  const headers = { ...before.headers, rows };
  expect(readDraft(subscriptionFields, { ...before, headers })).toMatchObject({
    input: { headers: { "x-api-key": "new", "x-more": "1", "x-team": null } },
  });
});

it("a new subscription has the default schedule, and no event types until some are chosen", () => {
  const draft = { ...newSubscription, receiverUrl: " https://example.com/ " };
  expect(readDraft(subscriptionFields, draft)).toMatchObject({
    ok: true,
    input: {
      receiverUrl: "https://example.com/",
      eventTypes: [],
      recipient: null,
      retry: null,
      rateLimit: null,
      timeoutMs: 15_000,
    },
  });
});

it("all events stay all events", () => {
  const draft = toSubscriptionDraft({ ...stored, eventTypes: ["*"] });
  expect(readDraft(subscriptionFields, draft)).toMatchObject({ input: { eventTypes: ["*"] } });
});

it.each<[string, string[], RegExp | undefined]>([
  ["nothing", [], /^Choose event types, or all events\.$/],
  ["an empty name", [""], /event type/i],
  ["white space", [" "], /event type/i],
  ["an end without a name", ["order."], /event type/i],
  ["a star within a name", ["order*"], /event type/i],
  ["one twice", ["order.paid", "order.paid"], /twice/],
  ["101 of them", Array.from({ length: 101 }, (_, at) => `a.b${at}`), /at most 100/],
  ["one", ["order.paid"], undefined],
  ["a group", ["order.*"], undefined],
  ["all", ["*"], undefined],
])(
  "a form with %s as event types says what to choose, in the dashboard and the portal",
  (...row) => {
    const [, eventTypes, message] = row;
    for (const schema of [subscriptionInputSchema, portalSubscriptionSchema]) {
      const parsed = schema.safeParse({ receiverUrl: "https://example.com/", eventTypes });
      const fields = (parsed.error?.issues ?? []).map(
        (issue) => [issue.path.join("."), issue.message] as const,
      );
      const error = describeChoiceError(eventTypes, findTypeError(Object.fromEntries(fields)));
      if (message === undefined) expect(error).toBeUndefined();
      else expect(error).toMatch(message);
    }
  },
);
