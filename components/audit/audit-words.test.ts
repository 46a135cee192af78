import { globSync, readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import type { AuditChange } from "#lib/schema/account/audit.ts";
import { describeEntry, eventWords } from "./audit-words.ts";

const actorName = "ada@example.com";
const targets = [{ type: "action", id: "a", name: "CRM" }];
const row = (path: string, after: AuditChange["after"] = "x") => ({ path, before: null, after });

it.each<[string, readonly AuditChange[], string]>([
  ["action.updated", [row("filter.all.0.value")], "changed the filter of action CRM"],
  [
    "action.updated",
    [row("request.url"), row("request.headers.a"), row("request.headers.b")],
    "changed the URL and the headers of action CRM",
  ],
  ["action.updated", [row("a"), row("b"), row("c")], "changed 3 settings of action CRM"],
  ["action.updated", [row("enabled", false)], "turned off action CRM"],
  ["hook.updated", [row("name")], "renamed action CRM"],
  ["hook.updated", [row("toleranceSeconds")], "changed the tolerance of action CRM"],
  ["action.deleted", [], "deleted action CRM"],
  ["audit.exported", [], "exported the audit log"],
])("%s of %j", (event, changes, words) => {
  expect(describeEntry({ event, actorName, targets, changes })).toBe(`${actorName} ${words}`);
});

test("an event of another release keeps its name", () => {
  const entry = { event: "robot.fed", actorName, targets, changes: null };
  expect(describeEntry(entry)).toBe("ada@example.com: robot.fed");
});

test("every event that a service records has words", () => {
  const sources = globSync("lib/services/**/*.ts").filter((path) => !path.includes(".test."));
  const named = sources.flatMap((path) => {
    const text = readFileSync(path, "utf8");
    if (!/\b(?:audit|auditPerson|auditWithoutChange)\(/.test(text)) return [];
    return [...text.matchAll(/event: "([a-z_]+(?:\.[a-z_]+)+)"/g)].map(([, event = ""]) => event);
  });
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((event) => !Object.hasOwn(eventWords, event))).toEqual([]);
});
