import { type Channel, channel } from "node:diagnostics_channel";
import { toError } from "./errors.ts";
import { logCounted } from "./log-counted.ts";

/**
 * A report about a unit of work, for metrics and traces. Unless one of them is on, it has no listener:
 * then it costs one comparison, if the sender asks `isHeard` before it makes the message. Based on
 * `node:diagnostics_channel`, which also connects the copies of a module in the dashboard's bundle.
 */
export class Signal<Message extends object> {
  readonly #channel: Channel;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    this.#channel = channel(`catchment:${name}`);
  }

  get isHeard(): boolean {
    return this.#channel.hasSubscribers;
  }

  send(message: Message): void {
    this.#channel.publish(message);
  }

  /** Calls `hear` with each message. Its errors are logged: they must never fail what it reports. */
  listen(hear: (message: Message) => void): void {
    this.#channel.subscribe((message) => {
      try {
        hear(message as Message);
      } catch (error) {
        logCounted("error", "signal.failed", { signal: this.#name, text: toError(error).message });
      }
    });
  }
}
