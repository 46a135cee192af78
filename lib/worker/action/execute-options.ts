import type { CredentialCalls } from "#lib/net/credentials/credential-calls.ts";
import type { HttpClient } from "#lib/net/http-client.ts";
import type { PrepareTasks } from "#lib/threads/prepare-call-task.ts";
import type { Threads } from "#lib/threads/thread-pool.ts";
import type { TransformTasks } from "#lib/threads/transform/transform-task.ts";
import type { ActionConfigs } from "../config/action-config.ts";

/** The tasks of a worker's threads. */
export type WorkTasks = PrepareTasks & TransformTasks;

export type ExecuteOptions = {
  readonly client: HttpClient;
  readonly credentialCalls: CredentialCalls;
  readonly configs: ActionConfigs;
  /** Threads for requests that are too large or slow to build between other runs. */
  readonly threads: Threads<WorkTasks>;
  /** Catchment's version, for `User-Agent`. */
  readonly version: string;
  /** Cancels calls in flight when the worker has to stop. */
  readonly signal: AbortSignal;
  /** A number in [0, 1), uniformly distributed, which spreads retries. */
  readonly random: () => number;
};
