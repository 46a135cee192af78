import type { z } from "zod";
import { parseInput } from "#lib/core/api/parse-input.ts";
import type { Permission } from "#lib/schema/account/permissions.ts";
import type { Actor } from "./actor.ts";
import { authorize, notIncluded } from "./authorize.ts";
import type { RequestOrigin } from "./request-origin.ts";
import type { ServiceParts } from "./service-parts.ts";

/** The dependencies of a service, and its actor. */
export type ServiceContext = ServiceParts & {
  readonly now: () => Date;
  readonly actor: Actor;
  /** Where the request came from, for the audit log. Omitted: not from a request. */
  readonly request?: RequestOrigin;
};

/**
 * One use case. It authorizes the actor, parses the input, and does the work. The REST API, the
 * dashboard, and the portal call the same service and add nothing but their form.
 */
export type Service<Schema extends z.ZodType, Value, Needs extends Permission = Permission> = {
  (context: ServiceContext, input: z.input<Schema>): Promise<Value>;
  readonly permission: Needs;
  /** Names in the path of a REST call are fields of the input, like those of the query and the body. */
  readonly input: Schema;
};

type Definition<Schema extends z.ZodType, Value, Needs extends Permission> = {
  readonly permission: Needs;
  readonly input: Schema;
  /**
   * The input that a portal may send; its recipient limits every query. Omitted: a portal may not
   * use the service at all.
   */
  readonly portalInput?: z.ZodType<z.output<Schema>>;
  readonly run: (context: ServiceContext, input: z.output<Schema>) => Promise<Value>;
};

export function service<Schema extends z.ZodType, Value, Needs extends Permission>({
  permission,
  input: schema,
  portalInput,
  run,
}: Definition<Schema, Value, Needs>): Service<Schema, Value, Needs> {
  const call = async (context: ServiceContext, input: unknown) => {
    authorize(context.actor, permission);
    const allowed = context.actor.type === "portal" ? portalInput : schema;
    if (allowed === undefined) throw notIncluded();
    return await run(context, parseInput(allowed, input));
  };
  return Object.assign(call, { permission, input: schema });
}
