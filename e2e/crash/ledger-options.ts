import { parseArgs } from "node:util";

/** The options of the crash ledger. README.md has examples. */
export function readLedgerOptions() {
  const { values } = parseArgs({
    options: {
      kills: { type: "string", default: "5" },
      seed: { type: "string" },
      rate: { type: "string" },
      mutants: { type: "string" },
      quick: { type: "boolean", default: false },
      /** Runs only the ledger of published events. */
      publish: { type: "boolean", default: false },
      /** Runs only the ledger of commands on the machine: backup, rotate-key, restore. */
      machine: { type: "boolean", default: false },
      /** Runs only the ledger of PostgreSQL's failover, which isn't part of any other. */
      failover: { type: "boolean", default: false },
      switches: { type: "string", default: "4" },
      /** With HAProxy in front of PostgreSQL, instead of all hosts in DATABASE_URL. */
      proxy: { type: "boolean", default: false },
      /** Runs only the ledger of actions with steps. */
      steps: { type: "boolean", default: false },
      /** Checks only what must hold for steps if nothing fails. */
      "no-kills": { type: "boolean", default: false },
      rounds: { type: "string" },
      /** Runs only the ledger of deliveries that arrive while PostgreSQL is away. */
      spool: { type: "boolean", default: false },
      /** They wait in a broker instead of a folder. */
      broker: { type: "string" },
      /** For how many seconds it is away. */
      away: { type: "string" },
      /** The folder of another version, set up by its own `npm start`, instead of this one. */
      against: { type: "string" },
    },
  });
  if (values.broker !== undefined && values.broker !== "amqp")
    throw new Error("--broker can only be amqp.");
  return values;
}
