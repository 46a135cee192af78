import { z } from "zod";
import { encodeCursor } from "#lib/core/api/page.ts";
import { problemKind, problemStates } from "#lib/schema/watch/problem.ts";
import { listProblems as readProblems } from "#lib/services/problems.ts";
import { problemView } from "#lib/web/problems/problem-view.ts";
import { fitItems } from "../frame/result.ts";
import { cursor, id, maxBytes, tool } from "../frame/tool.ts";
import { quote } from "../frame/visible-text.ts";

export const listProblems = tool({
  name: "list_problems",
  title: "List problems",
  description:
    "What is wrong now or was: failing actions and subscriptions, rejected deliveries, silent hooks, " +
    "changed payloads. Newest first.",
  permissions: ["deliveries:read"],
  input: z.strictObject({
    state: z.enum([...problemStates, "unresolved"]).default("unresolved"),
    kind: problemKind.optional(),
    hookId: id.optional(),
    actionId: id.optional(),
    limit: z.int().min(1).max(50).default(20),
    cursor,
    maxBytes,
  }),
  run: async ({ context }, { limit, maxBytes: room, ...query }) => {
    const page = await readProblems(context, { ...query, limit: String(limit) });
    const { part, count } = fitItems(page.items, room, (problem) => {
      const {
        assigneeId: _,
        assignee: _name,
        acknowledgedBy: _by,
        ...shown
      } = problemView.show(problem, context);
      const { resolvedBy: _r, commentedBy: _c, comment: _t, commentedAt: _at, ...facts } = shown;
      const text = JSON.stringify(facts.details);
      const details = text.length > 1_500 ? { kind: facts.kind, cut: true } : facts.details;
      const names = [problem.hookName, problem.actionName].filter((name) => name !== null);
      const line =
        `${problem.id} ${problem.state} ${problem.kind} since ${problem.firstAt.toISOString()}, ` +
        `${problem.count} times, ` +
        `last ${problem.lastAt.toISOString()}, ${names.map((name) => quote(name, 60)).join(" ")} ${quote(text, 400)}`;
      return { line, data: { ...facts, details } };
    });
    const last = page.items[count - 1];
    const isCut = count < page.items.length && last !== undefined;
    const nextCursor = isCut ? encodeCursor(last.id) : page.nextCursor;
    return {
      lines: [count === 0 ? "No problem matches." : `${count} problems, newest first.`],
      outside: { lines: part.lines, data: { problems: part.data } },
      next:
        nextCursor === null
          ? undefined
          : {
              tool: "list_problems",
              arguments: { ...query, limit, maxBytes: room, cursor: nextCursor },
            },
    };
  },
});
