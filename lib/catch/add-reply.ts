import type { ServerResponse } from "node:http";
import type { Caught } from "./catch-result.ts";
import type { ProviderReplies } from "./reply/provider-replies.ts";

type Waiting = {
  readonly replies: ProviderReplies;
  readonly response: ServerResponse;
  /** When the request arrived, by `performance.now`. */
  readonly startedAt: number;
};

/** Adds the action's reply, or the fact that there is none, to the result of a stored delivery. */
export async function addReply(
  caught: Caught,
  { replies, response, startedAt }: Waiting,
): Promise<Caught> {
  const { result } = caught;
  if ((result.outcome !== "accepted" && result.outcome !== "duplicate") || !result.replying)
    return caught;
  if (result.replying.reply !== undefined) return caught;
  const { deliveryId, replying } = result;
  const { accountId } = replying;
  const originalDeliveryId = result.outcome === "duplicate" ? result.originalDeliveryId : null;
  const request = { ...replying, deliveryId, originalDeliveryId };
  const { reply, sentAs } = await replies.find(request, response);
  replies.record({
    deliveryId,
    accountId,
    sentAs,
    status: sentAs === "closed" ? null : (reply?.status ?? result.response?.status ?? 202),
    afterMs: Math.round(performance.now() - startedAt),
  });
  return { ...caught, result: { ...result, replying: { ...replying, reply } } };
}
