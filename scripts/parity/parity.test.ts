import { expect, test } from "vitest";
import { nouns } from "#lib/web/api/routes.ts";
import { tools } from "#lib/web/mcp/tools/tools.ts";
import { commands } from "../../cli/src/commands.ts";
import {
  commandsOfCalls,
  dashboardServices,
  localCommands,
  localTools,
  notInCommandLine,
  notInDashboard,
  notInMcp,
  toolServices,
  toolsOfCalls,
} from "./exceptions.ts";
import { onlyInDashboard } from "./only-in-dashboard.ts";
import {
  readApi,
  readCommandLineCalls,
  readDashboard,
  readDashboardCommands,
  readTools,
} from "./read-interfaces.ts";

/**
 * Each capability is a service, and is on the API, in the dashboard, on the command line, and a tool for
 * assistants, or is listed as an exception with the reason. One that is added fails here until either is true.
 */
const api = readApi();
const dashboard = readDashboard();
const dashboardNames = new Set([...dashboard].map((service) => service.split(":")[1] ?? ""));
const operations = nouns.flatMap(({ routes }) => routes.map(({ operationId }) => operationId));

// CI runs it with all the others. What is being built on several interfaces lands in parts.
const variant = { tags: "variant" };

const isInDashboard = (operation: string) =>
  dashboard.has(api.get(operation) ?? ":") || operation in dashboardServices;

/** Each of these has one reason, and no reason is for anything else. */
function expectReasons(
  missing: readonly string[],
  reasons: readonly { readonly names: readonly string[] }[],
): void {
  expect(reasons.flatMap(({ names }) => names).toSorted()).toEqual(missing.toSorted());
}

test("every call of the API was found in the sources", variant, () => {
  expect([...api.keys()].toSorted()).toEqual(operations.toSorted());
});

test("what the dashboard does by another service exists, and is needed", variant, () => {
  for (const [operation, service] of Object.entries(dashboardServices)) {
    expect([...dashboardNames], operation).toContain(service);
    expect(dashboard.has(api.get(operation) ?? ":"), operation).toBe(false);
  }
});

test("each call that isn't in the dashboard has one reason", variant, () => {
  const missing = operations.filter((operation) => !isInDashboard(operation));
  expectReasons(missing, notInDashboard);
});

test("each call is a command of `catchment`, or has one reason", variant, () => {
  expect(Object.keys(commandsOfCalls).filter((call) => !operations.includes(call))).toEqual([]);
  const missing = operations.filter((operation) => !(operation in commandsOfCalls));
  expectReasons(missing, notInCommandLine);
});

test("the command line calls what it is said to call, and each command is listed", variant, () => {
  // A stream and YAML aren't JSON, so it makes these calls itself.
  const called = new Set([...readCommandLineCalls(), "streamDeliveries", "getConfiguration"]);
  expect([...called].toSorted()).toEqual(Object.keys(commandsOfCalls).toSorted());
  const listed = [...Object.values(commandsOfCalls).flat(), ...Object.keys(localCommands)];
  expect([...new Set(listed)].toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

test("each call is a tool for assistants, or has one reason", variant, () => {
  expect(Object.keys(toolsOfCalls).filter((call) => !operations.includes(call))).toEqual([]);
  expectReasons(
    operations.filter((operation) => !(operation in toolsOfCalls)),
    notInMcp,
  );
});

test(
  "tools use the services of the calls that they are said to be, and each tool is listed",
  variant,
  () => {
    const used = readTools();
    const usedNames = [...used].map((service) => service.split(":")[1] ?? "");
    for (const operation of Object.keys(toolsOfCalls)) {
      const other = toolServices[operation];
      if (other === undefined) expect([...used], operation).toContain(api.get(operation));
      else expect(usedNames, operation).toContain(other);
    }
    const said = new Set(Object.keys(toolsOfCalls).map((operation) => api.get(operation)));
    const onApi = new Set(api.values());
    expect([...used].filter((service) => onApi.has(service) && !said.has(service))).toEqual([]);
    const listed = [...Object.values(toolsOfCalls).flat(), ...Object.keys(localTools)];
    expect([...new Set(listed)].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
  },
);

test("each command of the dashboard is a call of the API, or has one reason", variant, () => {
  const onApi = new Set(api.values());
  const missing = [...readDashboardCommands()]
    .filter((service) => !onApi.has(service))
    .map((service) => service.split(":")[1] ?? "");
  expectReasons(missing, onlyInDashboard);
});

test("docs/decisions/platform/150-… has the table", variant, async () => {
  const page = new URL(
    "../../docs/decisions/platform/150-each-capability-is-everywhere-or-an-exception.md",
    import.meta.url,
  );
  await expect(writePage()).toMatchFileSnapshot(page.pathname);
});

function writePage(): string {
  const rows = nouns.flatMap(({ name, routes }) => [
    `| **${name}** | | | |`,
    ...routes.map(({ operationId: call, method, path }) => {
      const shown = isInDashboard(call) ? "✓" : letterOf(call, notInDashboard);
      const named = quoteAll(commandsOfCalls[call]) ?? letterOf(call, notInCommandLine);
      const offered = quoteAll(toolsOfCalls[call]) ?? letterOf(call, notInMcp);
      return `| \`${method} ${path}\` | ${shown} | ${named} | ${offered} |`;
    }),
  ]);
  const reasons = [...notInDashboard, ...notInCommandLine, ...notInMcp].map(
    ({ letter, text }) => `- **${letter}** ${text}`,
  );
  return `${head}

| API | dashboard | \`catchment\` | assistants |
|---|---|---|---|
${rows.join("\n")}

## Reasons

${reasons.join("\n")}

## Only on the command line

${describeAll(localCommands)} \`doctor\` also checks the machine that it runs on.

## Only for assistants

${describeAll(localTools)}

## Only in the dashboard

${onlyInDashboard.map(({ text }) => `- ${text}`).join("\n")}
`;
}

type ReasonOfCalls = (typeof notInMcp)[number];

const letterOf = (call: string, reasons: readonly ReasonOfCalls[]) =>
  `[${reasons.find(({ names }) => names.includes(call))?.letter}](#reasons)`;

const quoteAll = (words: readonly string[] | undefined) =>
  words?.map((word) => `\`${word}\``).join(", ");

const describeAll = (local: Readonly<Record<string, string>>) =>
  `${Object.entries(local)
    .map(([name, text]) => `\`${name}\` ${text}`)
    .join(", ")}.`;

const head = `# 150: Each capability is on every interface, or is an exception with a reason

A capability is a service with an actor, so a call of the API, a command of the dashboard, a command of
\`catchment\`, and a tool for assistants differ in form only. Without a check, an interface falls behind unnoticed:
people find out when they need it. \`scripts/parity\` derives the lists from the table of routes, the services of the
dashboard, and the tables of \`catchment\` and of the [tools](../../operations/mcp.md), and writes this page.
Something new fails it until it is on every interface or has a reason.

The command line isn't meant to have everything: it is for what a developer does beside an editor. A reason says where
the rest is done instead. Rejected: a command for each call, made from the table of routes. It would be a longer curl,
and help with 150 commands hides the dozen that people look for. Assistants get fewer tools still, each with one verb.`;
