import { Client, type Dispatcher, Pool } from "undici";
import { Exchange } from "./exchange.ts";

/** A pool whose connections tell each exchange whether they have carried one before. */
export function createTrackedPool(origin: string | URL, options: object): Pool {
  return new Pool(origin, { ...options, factory: (to, own) => new TrackedClient(to, own) });
}

class TrackedClient extends Client {
  #carried = 0;

  constructor(origin: string | URL, options: object) {
    super(origin, options);
    this.on("connect", () => {
      this.#carried = 0;
    });
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    if (handler instanceof Exchange) handler.onStart = () => this.#carried++ > 0;
    return super.dispatch(options, handler);
  }
}
