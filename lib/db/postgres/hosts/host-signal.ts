import { Signal } from "#lib/base/signals.ts";

/** The writable host of a database with several, which is another one after a failover. */
export const hostChosen = new Signal<{ readonly name: string }>("database.host_chosen");
