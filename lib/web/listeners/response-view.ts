import { z } from "zod";
import { showHeaders } from "#lib/core/api/http/show-headers.ts";
import { showResponseBody } from "#lib/core/api/http/show-response.ts";
import type { TextBudget } from "#lib/core/mapping/payload-tree/text-budget.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { listResponses, type ResponseRecord } from "#lib/services/listeners/read-listeners.ts";
import { view } from "#lib/web/route/view.ts";
import { viewMessage } from "#lib/web/runs/delivery-runs.ts";

const responseSchema = z
  .object({
    listenerId: z.string(),
    listener: z.string().nullable().describe("Its name then. Null: it had none"),
    owner: z.string().describe("The person it belonged to, or the token without one"),
    host: z.string().describe("The machine, as it called itself"),
    status: z.int(),
    headers: z.record(z.string(), z.string()).describe("By lowercase name, without credentials"),
    rawHeaders: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
    body: z.string().describe("Up to 16 KiB of it"),
    bodyBinary: z.boolean().describe("It isn't text, and `body` is its size"),
    bodyBytes: z.int().describe("The size of the whole body"),
    truncated: z.boolean().describe("Not all of the body was kept"),
    durationMs: z.int(),
    replies: z.boolean().describe("The provider got it, if it came in time"),
    respondedAt: z.date(),
  })
  .meta({ id: "ListenerResponse" });

export const responsesView = view(
  z.object({ data: z.array(responseSchema) }),
  (responses: readonly ResponseRecord[]) => ({ data: responses.map(showResponse) }),
);

function showResponse(response: ResponseRecord): z.output<typeof responseSchema> {
  const { listenerName, ownerName, responseJson, ...rest } = response;
  const { headers, body } = JSON.parse(responseJson) as {
    headers: [string, string][];
    body: string;
  };
  const kept = Buffer.from(body, "base64");
  const truncated = kept.byteLength < response.bodyBytes;
  const shown =
    body === maskText
      ? { text: maskText, isBinary: false }
      : showResponseBody({ headers, body: kept, truncated });
  return {
    ...rest,
    ...{ listener: listenerName, owner: ownerName, truncated },
    ...showHeaders(headers),
    ...{ body: shown.text, bodyBinary: shown.isBinary },
  };
}

/** What listeners responded to a delivery, cut to what its page can hold. */
export async function readResponses(
  context: ServiceContext,
  deliveryId: string,
  budget: TextBudget,
) {
  const found = await listResponses(context, { id: deliveryId });
  return found.map(showResponse).map((response) => ({
    ...{ listenerId: response.listenerId, name: response.listener, owner: response.owner },
    ...{ host: response.host, durationMs: response.durationMs, at: response.respondedAt },
    replies: response.replies,
    response: viewMessage(response, budget),
  }));
}
