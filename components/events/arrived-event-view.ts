import type { RunStatus } from "#lib/schema/act/run-states.ts";

export type ArrivedEventView = {
  readonly internalId: string;
  readonly publicId: string;
  readonly type: string;
  /** The first of its sends. */
  readonly sends: readonly {
    readonly id: string;
    readonly subscriptionId: string | null;
    readonly receiverUrl: string | null;
    readonly description: string | null;
    readonly status: RunStatus;
    readonly httpStatus: number | null;
    readonly detail: string | null;
  }[];
  readonly moreSends: number;
  readonly isMoving: boolean;
};
