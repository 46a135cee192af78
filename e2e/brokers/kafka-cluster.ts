import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Spawned, start } from "#e2e/crash/cluster/spawned.ts";
import { waitUntil } from "#e2e/harness/wait-until.ts";
import { unpackDebianPackages } from "#scripts/image/debian-package.ts";
import { multiarch } from "#scripts/image/tools.ts";

/** A message, as kcat prints it. */
export type ConsumedMessage = {
  readonly partition: number;
  readonly key: string | null;
  readonly payload: string;
  /** Name, value, name, value. */
  readonly headers?: readonly string[];
};

const topic = "orders";

/**
 * A cluster of three brokers in librdkafka, which speaks Kafka's protocol and keeps messages in memory, and a consumer
 * in another process. Both are Debian's kcat, unpacked into a folder. Topics exist once someone asks for them.
 */
export class KafkaCluster {
  readonly topic = topic;
  readonly #folder: string;
  readonly #name: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #kcat: string;
  readonly #brokers: Spawned;
  #consumer: Spawned | undefined;
  #addresses = "";

  constructor(folder: string, name: string) {
    const root = unpackDebianPackages(["kcat"]);
    this.#folder = folder;
    this.#name = name;
    this.#kcat = join(root, "usr/bin/kcat");
    const libraries = [`usr/lib/${multiarch}`, `lib/${multiarch}`].map((path) => join(root, path));
    this.#env = { NODE_ENV: "production", LC_ALL: "C.UTF-8", LD_LIBRARY_PATH: libraries.join(":") };
    // The address is replaced by those of the brokers that it starts.
    const args = ["-C", "-b", "localhost:1", "-X", "test.mock.num.brokers=3", "-t", "none"];
    this.#brokers = this.#start("brokers", [...args, "-d", "mock"]);
  }

  /** `127.0.0.1:40001,127.0.0.1:40002,127.0.0.1:40003`. The consumer listens from now on. */
  async ready(): Promise<string> {
    this.#addresses = await waitUntil(
      "librdkafka's cluster",
      20_000,
      () => /bootstrap\.servers=(\S+)/.exec(this.#read("brokers"))?.[1],
    );
    const reading = ["-C", "-b", this.#addresses, "-t", topic, "-o", "beginning", "-J", "-u"];
    this.#consumer = this.#start("consumer", [...reading, "-X", "check.crcs=true"]);
    await waitUntil("the consumer", 20_000, () =>
      /Reached end of topic/.test(this.#read("consumer")) ? true : undefined,
    );
    return this.#addresses;
  }

  /** What the consumer has read so far. */
  messages(): readonly ConsumedMessage[] {
    const lines = this.#read("consumer").split("\n");
    return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  }

  /** Writes a message as Kafka's clients in Java choose its partition. */
  produce(key: string, payload: string): void {
    const args = ["-P", "-b", this.#addresses, "-t", topic, "-k", key];
    execFileSync(this.#kcat, [...args, "-X", "topic.partitioner=murmur2"], {
      ...{ env: this.#env, input: payload },
    });
  }

  async kill(): Promise<void> {
    await Promise.all([this.#consumer?.kill(), this.#brokers.kill()]);
  }

  #start(part: string, args: readonly string[]): Spawned {
    return start(this.#kcat, args, { env: this.#env, logFile: this.#file(part), user: undefined });
  }

  #file = (part: string): string => join(this.#folder, `${this.#name}-${part}.log`);

  #read(part: string): string {
    return existsSync(this.#file(part)) ? readFileSync(this.#file(part), "utf8") : "";
  }
}
