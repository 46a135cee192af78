import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { previewMapping as preview } from "#lib/services/actions/steps/preview-mapping.ts";
import { fitText } from "../frame/result.ts";
import { id, maxBytes, offset, tool } from "../frame/tool.ts";
import { mappingFields, readChange } from "./mapping-input.ts";

export const previewMapping = tool({
  name: "preview_mapping",
  title: "Preview a mapping",
  description:
    "Shows the request that an action, or a change to it, would send for a stored delivery, or why it " +
    "would send none. Sends nothing.",
  permissions: ["deliveries:read", "hooks:read"],
  input: z.strictObject({
    ...mappingFields,
    deliveryId: id,
    step: z.string().max(64).optional().describe("The key of a step, if it has several"),
    offset,
    maxBytes,
  }),
  run: async ({ context }, { draft, offset: from, maxBytes: room, ...place }) => {
    if ((place.actionId === undefined) === (place.hookId === undefined))
      throw invalidField("actionId", "is required, or hookId for a new action: one of them");
    // A draft is checked here for credentials, and parsed again by the service.
    const change = readChange(draft);
    const shown = await preview(context, { ...place, draft: change as typeof draft & object });
    const { request, value, errors = [] } = shown;
    const problems = errors.map(({ path, message }) => `${path}: ${message}`);
    const made =
      request === undefined
        ? (value ?? "")
        : [
            `${request.method} ${request.url}`,
            ...request.rawHeaders.map(([name, text]) => `${name}: ${text}`),
            "",
            request.body ?? "",
          ].join("\n");
    const fit = fitText(made, from, room, JSON.stringify(problems).length * 2);
    const verdict = shown.ok
      ? "It would send this."
      : `It would send nothing: ${shown.code}.${request === undefined ? "" : " This is what it made:"}`;
    const args = { ...place, ...(draft && { draft }), maxBytes: room, offset: fit.end };
    return {
      lines: [verdict],
      data: {
        ok: shown.ok,
        code: shown.code ?? null,
        offset: from,
        end: fit.end,
        total: made.length,
      },
      outside: {
        lines: [...problems, fit.text],
        data: { problems: errors, [request === undefined ? "value" : "request"]: fit.text },
      },
      next: fit.end < made.length ? { tool: "preview_mapping", arguments: args } : undefined,
    };
  },
});
