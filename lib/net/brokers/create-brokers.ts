import {
  type BrokerClient,
  type BrokerClientOptions,
  createBrokerClient,
} from "./broker-client.ts";
import type { KafkaClient } from "./kafka-client.ts";

/** What publishes to brokers of users, of each kind. */
export type Brokers = {
  readonly rabbitmq: BrokerClient;
  readonly kafka: Pick<KafkaClient, "publish">;
  close(): Promise<void>;
};

export function createBrokers(options: BrokerClientOptions): Brokers {
  const rabbitmq = createBrokerClient(options);
  let kafka: Promise<KafkaClient> | undefined;
  // Loaded with the first message: most servers have no such receiver.
  const load = () => {
    kafka ??= import("./kafka-client.ts").then((module) => module.createKafkaClient(options));
    return kafka;
  };
  return {
    rabbitmq,
    kafka: { publish: async (...given) => (await load()).publish(...given) },
    async close() {
      await Promise.all([rabbitmq.close(), kafka?.then((client) => client.close())]);
    },
  };
}
