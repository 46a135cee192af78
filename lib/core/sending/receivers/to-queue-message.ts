import type { OutgoingRequest } from "#lib/core/api/http/http-types.ts";

type QueueMessage = {
  /** `https://sqs.eu-west-1.amazonaws.com/123456789012/orders`. */
  readonly queueUrl: string;
  /** An event, in UTF-8. */
  readonly body: Uint8Array;
  /** Headers that a receiver over HTTP gets, such as the signature. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  /** The same on every attempt, so that a FIFO queue takes it once. */
  readonly runId: string;
  /** What a FIFO queue keeps in order. */
  readonly group: string;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
};

/**
 * The request that puts an event into a queue of Amazon SQS, to be signed:
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html. The message has the
 * bytes of the event. Text of JSON is all that a queue takes.
 */
export function toQueueRequest(message: QueueMessage): OutgoingRequest {
  const { queueUrl, body, attributes, version } = message;
  const isFifo = new URL(queueUrl).pathname.endsWith(".fifo");
  const sent = {
    QueueUrl: queueUrl,
    MessageBody: Buffer.from(body).toString("utf8"),
    MessageAttributes: Object.fromEntries(
      attributes.map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
    ),
    ...(isFifo && {
      MessageGroupId: message.group,
      MessageDeduplicationId: message.runId,
    }),
  };
  return {
    method: "POST",
    url: `${new URL(queueUrl).origin}/`,
    headers: [
      ["content-type", "application/x-amz-json-1.0"],
      ["x-amz-target", "AmazonSQS.SendMessage"],
      ["user-agent", `Catchment/${version}`],
    ],
    body: Buffer.from(JSON.stringify(sent)),
  };
}
