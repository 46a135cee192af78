import { controlKind, toFrame } from "./frames.ts";

/** An action that a worker has room for, or an account. Both are named by their ids. */
export type Room = {
  readonly key: string;
  /** Runs that may be handed over beyond those that have arrived. */
  readonly room: number;
  /** The hook of an action. Omitted: it is an account. */
  readonly hookId?: string;
};

/** A message of a worker to a catch process. */
export type Control =
  /** Runs may be stored for this worker, with this lease. Forgets all rooms. */
  | {
      readonly say: "hello";
      readonly workerId: number;
      readonly leaseId: string;
      readonly leaseMs: number;
    }
  /**
   * The rooms that have changed, after `arrived` more frames. `all` is the room for runs of all
   * accounts. Said at least once a second.
   */
  | {
      readonly say: "rooms";
      readonly arrived: number;
      readonly all: number;
      readonly rooms: readonly Room[];
    }
  /** The worker stops. Nothing more is stored for it, and the connection ends. */
  | { readonly say: "bye" };

export function toControlFrame(control: Control): Buffer {
  return toFrame(controlKind, [Buffer.from(JSON.stringify(control))]);
}

export function readControl(bytes: Buffer): Control {
  return JSON.parse(bytes.toString());
}
