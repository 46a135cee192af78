import type { ServerResponse } from "node:http";
import type { CatchResult, Caught, Replying } from "./catch-result.ts";
import type { ProviderReplies } from "./reply/provider-replies.ts";

type Waiting = {
  readonly replies: ProviderReplies;
  readonly response: ServerResponse;
  /** When the request arrived, by `performance.now`. */
  readonly startedAt: number;
};

/** Adds the reply, or the fact that there is none, to the result of a stored delivery. */
export async function addReply(
  caught: Caught,
  { replies, response, startedAt }: Waiting,
): Promise<Caught> {
  const { result } = caught;
  if (!isReplied(result) || result.replying.reply !== undefined) return caught;
  const { deliveryId, replying } = result;
  const { accountId } = replying;
  const originalDeliveryId = result.outcome === "duplicate" ? result.originalDeliveryId : null;
  const isHandshake = result.outcome === "handshake";
  const request = { ...replying, deliveryId, originalDeliveryId, isHandshake };
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

type Replied = Exclude<CatchResult, { outcome: "rejected" }> & {
  readonly deliveryId: string;
  readonly replying: Replying;
};

function isReplied(result: CatchResult): result is Replied {
  return (
    result.outcome !== "rejected" && result.deliveryId !== null && result.replying !== undefined
  );
}
