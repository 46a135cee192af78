import { type McpServer, ProtocolError } from "@modelcontextprotocol/server";
import { z } from "zod";
import { AppError } from "#lib/base/errors.ts";
import { InvalidInput } from "#lib/core/api/parse-input.ts";
import { listEventKinds, pollOccurrences } from "#lib/services/events/read-occurrences.ts";
import type { ServiceContext } from "#lib/services/frame/service.ts";
import {
  subscribeCallback,
  unsubscribeCallback,
} from "#lib/services/subscriptions/event-callbacks.ts";
import { describeError } from "./frame/describe-error.ts";
import { visible } from "./frame/visible-text.ts";

/** MCP Events (SEP-3415), whose early clients look for the capability without the extension's name. */
export const eventCapabilities = {
  events: {},
  extensions: { "io.modelcontextprotocol/events": {} },
};

/** The codes of the extension. */
const codes = {
  invalidParams: -32_602,
  internal: -32_603,
  notFound: -32_011,
  forbidden: -32_012,
  exhausted: -32_013,
  unsupported: -32_014,
  callback: -32_015,
} as const;

const anyParams = z.looseObject({});
type Params = z.output<typeof anyParams>;
type Work = (context: ServiceContext, params: Params) => Promise<Record<string, unknown>>;

/** Adds the methods of MCP Events, which the package doesn't know: services with the rights of the token. */
export function registerEvents({ server }: McpServer, context: ServiceContext): void {
  for (const [method, work] of Object.entries(methods))
    server.setRequestHandler(method, { params: anyParams }, async (params) => {
      try {
        return await work(context, withoutMeta(params));
      } catch (error) {
        throw toProtocolError(error, method);
      }
    });
}

const methods: Readonly<Record<string, Work>> = {
  "events/list": listEvents,
  "events/poll": pollEvents,
  "events/subscribe": subscribe,
  "events/unsubscribe": unsubscribe,
};

function withoutMeta({ _meta, ...params }: Params): Params {
  return params;
}

/** Events without a recipient are those of the account's own receivers. */
const inputSchema = {
  type: "object",
  properties: {
    recipient: {
      type: "string",
      description: "The customer that events are for. Omitted: events that are for no customer.",
    },
  },
  additionalProperties: false,
};

async function listEvents(context: ServiceContext, params: Params) {
  const { kinds, nextCursor } = await listEventKinds(context, params);
  return {
    events: kinds.map(({ name, description, schema }) => ({
      name,
      ...(description !== null && { description: visible(description) }),
      delivery: ["poll", "webhook"],
      inputSchema,
      payloadSchema: isObject(schema) ? schema : { type: "object" },
    })),
    ...(nextCursor !== null && { nextCursor }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const nextPollMs = 10_000;

async function pollEvents(context: ServiceContext, params: Params) {
  const input = params as Parameters<typeof pollOccurrences>[1];
  const { events, cursor, isMore, isReset } = await pollOccurrences(context, input);
  return {
    events: events.map((text) => JSON.parse(text) as unknown),
    ...{ cursor, truncated: isReset, hasMore: isMore, nextPollMs },
  };
}

async function subscribe(context: ServiceContext, params: Params) {
  const mode = isObject(params.delivery) ? params.delivery.mode : undefined;
  if (mode !== undefined && mode !== "webhook")
    throw new ProtocolError(codes.unsupported, "Only webhook delivery can be subscribed.", {
      ...{ feature: "deliveryMode", value: mode },
    });
  const made = await subscribeCallback(context, params as Parameters<typeof subscribeCallback>[1]);
  switch (made.kind) {
    case "subscribed":
      return {
        id: made.callbackId,
        refreshBefore: made.expiresAt.toISOString(),
        cursor: made.cursor,
        truncated: made.isTruncated,
      };
    case "unknown_event":
      throw new ProtocolError(codes.notFound, "This account has no events of this name.", {
        kind: "event",
      });
    case "disabled":
      throw new ProtocolError(codes.forbidden, "A person of the account disabled this callback.");
    case "full":
      throw new ProtocolError(codes.exhausted, "The account has no room for another callback.", {
        limit: "subscriptions",
      });
    case "busy":
      throw new ProtocolError(codes.exhausted, "Too many callbacks were asked. Wait a minute.", {
        limit: "verifications",
      });
    case "invalid_url":
      throw new ProtocolError(codes.invalidParams, `delivery.url: ${made.message}`);
    case "unverified":
      throw new ProtocolError(codes.callback, "The callback didn't echo the challenge.", {
        reason: made.reason,
      });
    default:
      return made satisfies never;
  }
}

async function unsubscribe(context: ServiceContext, params: Params) {
  const input = params as Parameters<typeof unsubscribeCallback>[1];
  if (await unsubscribeCallback(context, input)) return {};
  throw new ProtocolError(codes.notFound, "There is no such subscription of this token's person.", {
    kind: "subscription",
  });
}

function toProtocolError(error: unknown, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const text = describeError(error, method);
  if (error instanceof InvalidInput) return new ProtocolError(codes.invalidParams, text);
  if (!(error instanceof AppError)) return new ProtocolError(codes.internal, text);
  if (error.code === "forbidden") return new ProtocolError(codes.forbidden, text);
  if (error.code === "conflict") return new ProtocolError(codes.exhausted, text);
  return new ProtocolError(codes.invalidParams, text);
}
