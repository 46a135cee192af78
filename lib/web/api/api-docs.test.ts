import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { auditQuerySchema, auditReceiverSchema } from "#lib/schema/account/audit.ts";
import { actionInputSchema, actionPatchSchema } from "#lib/schema/act/action.ts";
import { actionBacktestSchema, backtestResultQuerySchema } from "#lib/schema/act/backtest.ts";
import { credentialInputSchema, credentialPatchSchema } from "#lib/schema/act/credential.ts";
import { destinationInputSchema, destinationPatchSchema } from "#lib/schema/act/destination.ts";
import { bulkReplaySchema } from "#lib/schema/act/replay.ts";
import { bulkRetrySchema, runQuerySchema } from "#lib/schema/act/run.ts";
import { bulkStatuses, runStatuses } from "#lib/schema/act/run-states.ts";
import { deliveryQuerySchema, replaySchema } from "#lib/schema/receive/delivery.ts";
import {
  hookInputSchema,
  hookPatchSchema,
  secretRotationSchema,
} from "#lib/schema/receive/hook.ts";
import { verificationSchema } from "#lib/schema/receive/verification.ts";
import { publishedBatchSchema, publishedEventSchema } from "#lib/schema/send/event.ts";
import { eventQuerySchema, resendSchema } from "#lib/schema/send/event-query.ts";
import {
  eventTypeImportSchema,
  eventTypeQuerySchema,
  eventTypeSchema,
} from "#lib/schema/send/event-type.ts";
import {
  portalLinkSchema,
  recipientQuerySchema,
  recipientSchema,
} from "#lib/schema/send/recipient.ts";
import { senderSettingsPatchSchema } from "#lib/schema/send/settings.ts";
import {
  sinceSchema,
  subscriptionInputSchema,
  subscriptionPatchSchema,
  subscriptionQuerySchema,
  subscriptionSecretSchema,
  testEventSchema,
  transformCheckSchema,
} from "#lib/schema/send/subscription.ts";
import { routes as table } from "#lib/web/api/routes.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const pages = globSync("docs/api/*.md", { cwd: root });
const docs = [read("docs/api.md"), ...pages.map(read)].join("\n");

it("docs/api/ has a row for every route and method with its scope, and no other", () => {
  const rows = [...docs.matchAll(/^\| `(GET|POST|PUT|PATCH|DELETE) (\/\S*)` \| `([a-z:]+)` \|/gm)];
  const documented = rows.map(([, method, path, scope]) => `${method} ${path} ${scope}`);
  const inTable = table.map(({ method, path, scope }) => `${method} ${path} ${scope}`);
  expect(documented.toSorted()).toEqual(inTable.toSorted());
});

const inputs = [
  ["Hooks", [hookInputSchema, hookPatchSchema, secretRotationSchema]],
  ["Destinations", [destinationInputSchema, destinationPatchSchema]],
  ["Credentials", [credentialInputSchema, credentialPatchSchema]],
  ["Actions", [actionInputSchema, actionPatchSchema]],
  ["Backtests", [actionBacktestSchema, backtestResultQuerySchema]],
  ["Deliveries", [deliveryQuerySchema, replaySchema, bulkReplaySchema]],
  ["Runs", [runQuerySchema]],
  [
    "Subscriptions",
    [
      subscriptionInputSchema,
      subscriptionPatchSchema,
      subscriptionQuerySchema,
      subscriptionSecretSchema,
      testEventSchema,
      sinceSchema,
    ],
  ],
  ["Events", [publishedEventSchema, publishedBatchSchema, eventQuerySchema, resendSchema]],
  ["Event types", [eventTypeSchema, eventTypeQuerySchema, eventTypeImportSchema]],
  ["Audit log", [auditQuerySchema, auditReceiverSchema]],
  ["Sending", [senderSettingsPatchSchema]],
  ["Recipients", [recipientSchema, recipientQuerySchema, portalLinkSchema]],
] as const;

it.each(inputs)("docs/api/ names every request field about %s", (title, schemas) => {
  const section = read(`docs/api/${title.toLowerCase().replace(" ", "-")}.md`);
  const paging = docs.split(/^## /m).find((text) => text.startsWith("Paging\n")) ?? "";
  const code = [...`${section}${paging}`.matchAll(/`([^`\n]+)`/g)]
    .map(([, text = ""]) => text)
    .join(" ");
  const fields = schemas.flatMap(({ shape }) => Object.keys(shape));
  expect(fields.filter((field) => !new RegExp(`\\b${field}\\b`).test(code))).toEqual([]);
});

it("docs/api/ names every run status, and those for bulk retry and cancel", () => {
  const statuses = [...runStatuses, ...bulkStatuses.retry, ...bulkStatuses.cancel];
  expect(statuses.filter((status) => !docs.includes(`\`${status}\``))).toEqual([]);
});

/** The bodies of the examples of each page, in order. */
const examples = {
  hooks: [hookInputSchema, hookPatchSchema, verificationSchema],
  actions: [actionInputSchema],
  events: [publishedEventSchema],
  runs: [bulkRetrySchema],
  subscriptions: [subscriptionInputSchema, transformCheckSchema],
  sending: [senderSettingsPatchSchema],
  "audit-log": [auditReceiverSchema],
};

it.each(Object.entries(examples))(
  "every example body in docs/api/%s.md is valid",
  (name, schemas) => {
    const text = read(`docs/api/${name}.md`);
    const bodies = [
      ...text.matchAll(/-d '(\{.+?\})'\n/gs),
      ...text.matchAll(/```json\n(\{\s+"kind".+?)```/gs),
    ].map(([, body = ""]): unknown => JSON.parse(body));
    const errors = bodies.map((body, index) => schemas[index]?.safeParse(body).error);
    expect(errors).toEqual(schemas.map(() => undefined));
  },
);

it("no other page has an example body", () => {
  const others = pages.filter((path) => !Object.keys(examples).includes(path.slice(9, -3)));
  expect(others.filter((path) => /-d '\{/.test(read(path)))).toEqual([]);
});
