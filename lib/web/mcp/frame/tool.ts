import type { InputRequiredResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ApiPermission, scopeOf } from "#lib/schema/account/permissions.ts";
import type { ProposedAction } from "#lib/services/actions/propose-action.ts";
import type { TokenActor } from "#lib/services/frame/actor.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import { type Result, resultBytes } from "./result.ts";

/** Writes an action as the editor stores drafts, with the keys of the calls that have credentials. */
export type WriteDraft = (action: ProposedAction, withAuth: ReadonlySet<string>) => string;

/** The services of a call, and who calls. */
export type ToolCall = {
  readonly context: ServiceContext;
  readonly actor: TokenActor;
  /** Aborted once no one waits for the result. */
  readonly signal: AbortSignal;
  readonly writeDraft: WriteDraft;
  /**
   * Asks the person behind the client. `unasked`: the client can't ask, so it has its own way to approve calls.
   * `ask`: return its result, and the client calls again with the reply.
   */
  readonly confirm: (question: string) => Confirmation;
};

export type Confirmation =
  | { readonly kind: "yes" | "no" | "unasked" }
  | { readonly kind: "ask"; readonly result: InputRequiredResult };

/** One tool: a use case of the services in the form that models use. Its name never changes. */
export type Tool<Schema extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What a token needs. It only reads if all of them do. */
  readonly permissions: readonly ApiPermission[];
  /** It makes calls to receivers, or sends to subscribers, which no one can take back. */
  readonly isDestructive: boolean;
  readonly input: Schema;
  readonly run: (call: ToolCall, input: z.output<Schema>) => Promise<Result | InputRequiredResult>;
};

type Definition<Schema extends z.ZodObject> = Omit<Tool<Schema>, "isDestructive"> & {
  readonly isDestructive?: boolean;
};

export function tool<Schema extends z.ZodObject>({
  isDestructive = false,
  description,
  ...rest
}: Definition<Schema>): Tool {
  const scopes = [...new Set(rest.permissions.map(scopeOf))];
  const needs = scopes.length === 0 ? "" : ` Needs ${scopes.join(" and ")}.`;
  const made = { ...rest, isDestructive, description: `${description}${needs}` };
  // A tool is called with what its own schema has read.
  return made as unknown as Tool;
}

export function isReadOnly({ permissions }: Pick<Tool, "permissions">): boolean {
  return permissions.every((permission) => scopeOf(permission).endsWith(":read"));
}

/** An id of the account's. */
export const id = z.string().min(1).max(64);

export const maxBytes = z
  .int()
  .min(resultBytes.least)
  .max(resultBytes.most)
  .default(resultBytes.usual)
  .describe("Largest result, in bytes");

export const offset = z
  .int()
  .min(0)
  .default(0)
  .describe("Where to continue, in characters: from next");

export const cursor = z.string().max(200).optional().describe("From next");
