import { CallFailure, toCallFailure } from "../call-failure.ts";
import { BrokerFailure } from "./broker-failure.ts";

type Known = readonly [
  name: string,
  code: "undelivered" | "unavailable" | "rejected",
  hint?: string,
];

/** https://kafka.apache.org/protocol.html#protocol_error_codes, as far as a producer gets them. */
const known: Readonly<Record<number, Known>> = {
  [-1]: ["UNKNOWN_SERVER_ERROR", "unavailable"],
  2: ["CORRUPT_MESSAGE", "unavailable"],
  3: ["UNKNOWN_TOPIC_OR_PARTITION", "undelivered", "there is no topic of this name"],
  5: ["LEADER_NOT_AVAILABLE", "unavailable", "no broker leads the partition now"],
  6: ["NOT_LEADER_OR_FOLLOWER", "unavailable", "another broker leads the partition now"],
  7: ["REQUEST_TIMED_OUT", "unavailable", "not all replicas had the message in time"],
  8: ["BROKER_NOT_AVAILABLE", "unavailable"],
  9: ["REPLICA_NOT_AVAILABLE", "unavailable"],
  10: ["MESSAGE_TOO_LARGE", "rejected", "the message is larger than the topic allows"],
  13: ["NETWORK_EXCEPTION", "unavailable"],
  17: ["INVALID_TOPIC_EXCEPTION", "rejected", "no topic may have this name"],
  18: ["RECORD_LIST_TOO_LARGE", "rejected", "the message is larger than the broker allows"],
  19: ["NOT_ENOUGH_REPLICAS", "unavailable", "too few replicas are in sync"],
  20: ["NOT_ENOUGH_REPLICAS_AFTER_APPEND", "unavailable", "too few replicas are in sync"],
  29: ["TOPIC_AUTHORIZATION_FAILED", "undelivered", "this login may not write to the topic"],
  31: ["CLUSTER_AUTHORIZATION_FAILED", "undelivered", "this login may not use the cluster"],
  32: ["INVALID_TIMESTAMP", "rejected", "the topic doesn't take messages of this time"],
  33: ["UNSUPPORTED_SASL_MECHANISM", "undelivered"],
  34: ["ILLEGAL_SASL_STATE", "undelivered", "the broker expects no login"],
  44: ["POLICY_VIOLATION", "rejected", "a policy of the cluster forbids it"],
  56: ["KAFKA_STORAGE_ERROR", "unavailable", "the disk of the broker failed"],
  58: ["SASL_AUTHENTICATION_FAILED", "undelivered", "the user name or the password is wrong"],
  87: ["INVALID_RECORD", "rejected", "the topic doesn't take such a message"],
  89: ["THROTTLING_QUOTA_EXCEEDED", "unavailable"],
};

const maxTextChars = 500;

/** The failure of a message that a broker of Kafka replied to with an error code. */
export function failByCode(code: number, says = ""): BrokerFailure {
  const [name, kind, ownHint = ""] = known[code] ?? ["an error", "undelivered"];
  const hint = says === "" ? ownHint : says.replace(/\.$/, "").slice(0, maxTextChars);
  const message = `Kafka replied ${code} ${name}${hint === "" ? "" : `: ${hint}`}`;
  return new BrokerFailure(kind, message, { code, text: hint === "" ? name : `${name}: ${hint}` });
}

/** True if the broker that leads a partition is to be asked for again. */
export function isStale(code: number): boolean {
  return code === 3 || code === 5 || code === 6;
}

/** Turns an error into a failure. Contains no address. */
export function toKafkaFailure(error: unknown): CallFailure {
  if (error instanceof RangeError) return unreadable();
  const failure = toCallFailure(error);
  if (failure.code !== "protocol") return failure;
  return new BrokerFailure("unavailable", "The connection to the broker failed");
}

/** What came isn't a response of Kafka. */
export function unreadable(): BrokerFailure {
  return new BrokerFailure(
    "unavailable",
    "The response isn't one of Kafka. Brokers with TLS need kafkas://, and others kafka://",
  );
}

export function tooOld(): BrokerFailure {
  return new BrokerFailure(
    "undelivered",
    "The broker doesn't know the requests of Kafka 1.0 or later",
  );
}

/** The cluster names a broker that may not be connected to. */
export function atAdvertised(failure: CallFailure): CallFailure {
  if (failure.code !== "blocked" && failure.code !== "self_call") return failure;
  const where =
    "The cluster names a broker whose address may not be called (advertised.listeners).";
  return new CallFailure(failure.code, `${where} ${failure.message}`);
}
