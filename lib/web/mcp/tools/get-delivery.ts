import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { mapFew } from "#lib/base/map-few.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import { readValueAt } from "#lib/core/mapping/json/read-value.ts";
import { stringifyExactJson } from "#lib/core/mapping/json/stringify-exact-json.ts";
import { parsePath } from "#lib/schema/field/value-path.ts";
import { getDelivery as readDelivery } from "#lib/services/deliveries/read-deliveries.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { getRun } from "#lib/services/runs.ts";
import { showDelivery } from "#lib/web/deliveries/delivery-view.ts";
import { RawJson, toJsonText } from "#lib/web/route/api-json.ts";
import { showRunWithAttempts } from "#lib/web/runs/run-view.ts";
import { bytesOf, fitText } from "../frame/result.ts";
import { id, maxBytes, offset, tool } from "../frame/tool.ts";
import { outlineValue } from "./outline-value.ts";

const parts = ["summary", "payload", "headers", "body", "runs"] as const;

/** Attempts are large. These are the newest runs of most deliveries. */
const maxRuns = 10;

export const getDelivery = tool({
  name: "get_delivery",
  title: "Get a delivery",
  description:
    "Reads one delivery in parts. summary: its facts and an outline of its payload. payload: the value " +
    "at path, or all of it. " +
    "headers, body: as received. runs: what actions sent, and what receivers responded.",
  permissions: ["deliveries:read"],
  input: z.strictObject({
    id,
    part: z.enum(parts).default("summary"),
    path: z.string().max(500).optional().describe("A path in the payload: data.items[0].id"),
    offset,
    maxBytes,
  }),
  run: async ({ context }, { id: deliveryId, part, path, offset: from, maxBytes: room }) => {
    if (path !== undefined && part !== "payload")
      throw invalidField("path", "is only for part: payload");
    const found = await readDelivery(context, { id: deliveryId });
    const shown = showDelivery(found);
    const { headers: _, rawHeaders, body, bodyEncoding, payload, runs, ...facts } = shown;
    const args = { id: deliveryId, part, ...(path !== undefined && { path }), maxBytes: room };
    if (part === "summary") return summarize(facts, { payload, runs, room });
    const text = await readPart(context, part, { body, rawHeaders, payload, path, runs, facts });
    if (from > text.length)
      throw invalidField("offset", `is past the end, which is ${text.length}`);
    const fit = fitText(text, from, room);
    const encoding = part === "body" ? ` as ${bodyEncoding}` : "";
    const where = path === undefined ? part : `${part} at ${path}`;
    return {
      lines: [
        `Delivery ${facts.id}, ${where}${encoding}: characters ${from} to ${fit.end} of ${text.length}.`,
      ],
      data: { id: facts.id, part, offset: from, end: fit.end, total: text.length },
      outside: { lines: [fit.text], data: { text: fit.text } },
      next:
        fit.end < text.length
          ? { tool: "get_delivery", arguments: { ...args, offset: fit.end } }
          : undefined,
    };
  },
});

type Shown = ReturnType<typeof showDelivery>;
type Facts = Omit<Shown, "headers" | "rawHeaders" | "body" | "bodyEncoding" | "payload" | "runs">;

function summarize(
  facts: Facts,
  { payload, runs, room }: { payload: unknown; runs: Shown["runs"]; room: number },
) {
  const counted = runs.map(({ id: of, actionId, status, reason }) => ({
    ...{ id: of, actionId, status },
    reason: reason?.slice(0, 200) ?? null,
  }));
  const cutFacts = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, 400) : value,
    ]),
  );
  const data = { ...cutFacts, runs: counted.slice(0, maxRuns) };
  const factLines = [
    ...Object.entries(cutFacts).map(([name, value]) => `${name}: ${toJsonText(value)}`),
    ...data.runs.map((run) => `run: ${toJsonText(run)}`),
  ];
  const taken = bytesOf(factLines) + bytesOf(data);
  const tree = outlineValue(readValue(payload), Math.max(512, (room - taken - 1_400) / 2.2));
  const call = { tool: "get_delivery", arguments: { id: facts.id, part: "payload" } };
  return {
    lines: [`Delivery ${facts.id}: ${facts.status}, ${facts.bodySize} bytes.`],
    data: { id: facts.id, status: facts.status },
    outside: {
      lines: [...factLines, "outline of the payload:", ...tree.lines],
      data: { ...data, outline: tree.lines },
    },
    next: tree.isCut ? call : undefined,
  };
}

function readValue(payload: unknown): unknown {
  if (!(payload instanceof RawJson)) return payload;
  const parsed = parseExactJson(payload.text);
  return parsed.ok ? parsed.value : null;
}

type PartInput = {
  readonly body: string;
  readonly rawHeaders: Shown["rawHeaders"];
  readonly payload: unknown;
  readonly path: string | undefined;
  readonly runs: Shown["runs"];
  readonly facts: Facts;
};

async function readPart(
  context: ServiceContext,
  part: Exclude<(typeof parts)[number], "summary">,
  { body, rawHeaders, payload, path, runs, facts }: PartInput,
): Promise<string> {
  switch (part) {
    case "body":
      return body;
    case "headers":
      return rawHeaders.map(([name, value]) => `${name}: ${value}`).join("\n");
    case "payload":
      return readPayload(payload, path, facts.payloadError);
    case "runs": {
      const found = await mapFew(runs.slice(0, maxRuns), (run) => getRun(context, { id: run.id }));
      return found.map((run) => toJsonText(showRunWithAttempts(run))).join("\n");
    }
    default:
      return part satisfies never;
  }
}

function readPayload(payload: unknown, path: string | undefined, problem = ""): string {
  if (payload === null) throw invalidField("part", `can't be payload: ${problem} Read part: body.`);
  if (path === undefined) return payload instanceof RawJson ? payload.text : toJsonText(payload);
  const steps = parsePath(path);
  if (!steps.ok) throw invalidField("path", steps.message);
  const value = readValueAt(readValue(payload), steps.steps);
  if (value === undefined) throw invalidField("path", "the payload has nothing there", "not_found");
  const written = stringifyExactJson(value);
  if (!written.ok) throw invalidField("path", written.message);
  return written.text;
}
