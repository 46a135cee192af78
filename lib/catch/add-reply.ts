import type { ServerResponse } from "node:http";
import type { Caught } from "./catch-result.ts";
import type { ProviderAnswers } from "./reply/provider-replies.ts";

type Waiting = {
  readonly answers: ProviderAnswers;
  readonly response: ServerResponse;
  /** When the request arrived, by `performance.now`. */
  readonly startedAt: number;
};

/** A stored delivery of a hook whose action answers, with that answer or the lack of one. */
export async function answerProvider(
  caught: Caught,
  { answers, response, startedAt }: Waiting,
): Promise<Caught> {
  const { result } = caught;
  if ((result.outcome !== "accepted" && result.outcome !== "duplicate") || !result.answering)
    return caught;
  const { deliveryId, answering } = result;
  const { accountId } = answering;
  const originalDeliveryId = result.outcome === "duplicate" ? result.originalDeliveryId : null;
  const wish = { ...answering, deliveryId, originalDeliveryId };
  const { answer, sentAs } = await answers.find(wish, response);
  answers.note({
    deliveryId,
    accountId,
    sentAs,
    status: sentAs === "closed" ? null : (answer?.status ?? result.response?.status ?? 202),
    afterMs: Math.round(performance.now() - startedAt),
  });
  return { ...caught, result: { ...result, answering: { ...answering, answer } } };
}
