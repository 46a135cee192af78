/**
 * A handshake that a user defines: the provider checks a catch URL with a challenge and gets it
 * back. The response is restricted, because anyone can trigger it and the catch URL has the
 * dashboard's origin.
 */
import { z } from "zod";
import {
  brokenRule,
  type FieldErrorCode,
  type FieldErrorDetails,
} from "#lib/schema/field/command-result.ts";
import { hasAtMost } from "#lib/schema/field/common.ts";
import { headerName, printable, requestSource, textHash } from "./value-source.ts";
import { splitTemplate } from "./verification-checks.ts";

/** Constant text and `{challenge}`, `{hmac}`, `{verify_token}`, `{url}`. */
const template = printable("a text", 500);

const handshake = z
  .strictObject({
    method: z.enum(["GET", "HEAD", "POST", "OPTIONS"], {
      error: 'must be "GET", "HEAD", "POST" or "OPTIONS"',
    }),
    /**
     * A request is this handshake if it has all of these values, with the given text if there is
     * one, and the challenge.
     */
    when: z
      .array(z.strictObject({ field: requestSource, equals: printable("a value", 256).optional() }))
      .max(5, "at most 5 conditions")
      .optional(),
    challenge: requestSource.optional(),
    /** The place where the provider sends the verify token that the hook's page shows. */
    verifyToken: requestSource.optional(),
    /** True if the handshake is signed like a delivery. Default: false. */
    signed: z.literal(true, { error: "must be true or omitted" }).optional(),
    /** The value of `{hmac}`: a MAC of the challenge with the hook's newest secret. */
    hmac: z
      .strictObject({
        hash: textHash,
        encoding: z.enum(["hex", "base64"], { error: 'must be "hex" or "base64"' }),
      })
      .optional(),
    reply: z.strictObject({
      status: z.union([z.literal(200), z.literal(204)], { error: "must be 200 or 204" }).optional(),
      headers: z
        .record(headerName, template)
        .refine(...hasAtMost(3, "at most 3 headers"))
        .optional(),
      /** Sent as text/plain. */
      text: template.optional(),
      /** Sent as application/json. */
      json: z
        .record(printable("the name of a field", 64), template)
        .refine(...hasAtMost(10, "at most 10 fields"))
        .optional(),
    }),
  })
  .superRefine((value, context) => {
    const reject = (
      code: FieldErrorCode,
      path: PropertyKey[],
      message: string,
      details: FieldErrorDetails = {},
    ) => context.addIssue({ code: "custom", path, ...brokenRule(code, message, details) });
    const { method, when = [], challenge, hmac, reply } = value;
    if (challenge === undefined && when.length === 0 && (method === "POST" || method === "OPTIONS"))
      reject(
        "required",
        ["challenge"],
        `must be present, or a condition in "when": otherwise every ${method} counts as a handshake`,
      );
    if (hmac !== undefined && challenge === undefined)
      reject("conflict", ["hmac"], "needs a challenge");
    if (reply.text !== undefined && reply.json !== undefined)
      reject("conflict", ["reply", "json"], "can't be combined with text");
    if (reply.status === 204 && (reply.text !== undefined || reply.json !== undefined))
      reject("conflict", ["reply", "status"], "must be 200, because a 204 response has no body");
    const known = [
      "verify_token",
      "url",
      ...(challenge ? ["challenge"] : []),
      ...(hmac ? ["hmac"] : []),
    ];
    for (const [path, text] of listTemplates(reply)) {
      const pieces = splitTemplate(text);
      const names = (pieces ?? []).flatMap((piece) =>
        typeof piece === "string" ? [] : [piece.variable],
      );
      const other = names.find((name) => !known.includes(name));
      if (pieces === null)
        reject("invalid_value", path, "has a brace that is not part of a name such as {challenge}");
      else if (other !== undefined)
        reject("unknown_value", path, `{${other}} is not known: use {${known.join("}, {")}}`, {
          name: other,
        });
    }
    for (const name of Object.keys(reply.headers ?? {})) {
      const isEcho =
        challenge?.from === "header" && challenge.name === name && !reserved.test(name);
      if (!isEcho && !/^(?:x|webhook)-/.test(name))
        reject(
          "not_allowed",
          ["reply", "headers", name],
          "can't be set: only the challenge's own header, and those that start with x- or webhook-",
          { name },
        );
    }
  });

/** Headers that a browser, a proxy, or the connection acts on. */
const reserved =
  /^(?:set-cookie|location|refresh|link|content-|cache-control|connection|keep-alive|transfer-encoding|upgrade|trailer|te$|date|server|clear-site-data|strict-transport|access-control|service-worker|cross-origin|alt-svc|report|nel$|www-auth|proxy-|vary|expires|age$|etag|last-modified|sourcemap|authorization|cookie|host$|permissions-policy|referrer-policy|retry-after|allow$)/;

export const customHandshakes = z.array(handshake).max(3, "at most 3 handshakes");
export type CustomHandshake = z.output<typeof handshake>;

/**
 * Rejects `{hmac}` for verifications whose key could sign more than the challenge: it would sign
 * any text for anyone.
 */
export function rejectComputed(
  handshakes: readonly CustomHandshake[] | undefined,
  context: z.RefinementCtx,
  path: readonly PropertyKey[] = ["handshakes"],
): void {
  for (const [index, { hmac }] of (handshakes ?? []).entries()) {
    if (hmac === undefined) continue;
    const message =
      "can't be used here: it needs a verification of kind mac whose template contains {body} as sent";
    context.addIssue({
      code: "custom",
      path: [...path, index, "hmac"],
      ...brokenRule("not_allowed", message),
    });
  }
}

function listTemplates({
  headers = {},
  text,
  json = {},
}: CustomHandshake["reply"]): readonly [PropertyKey[], string][] {
  return [
    ...Object.entries(headers).map(([name, value]): [PropertyKey[], string] => [
      ["reply", "headers", name],
      value,
    ]),
    ...Object.entries(json).map(([name, value]): [PropertyKey[], string] => [
      ["reply", "json", name],
      value,
    ]),
    ...(text === undefined ? [] : [[["reply", "text"], text] as [PropertyKey[], string]]),
  ];
}
