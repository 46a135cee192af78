import type { MacScheme } from "#lib/core/verify/scheme/scheme.ts";

/**
 * A request that verifies the catch URL instead of sending an event. Catchment responds and records
 * it, but runs no actions.
 */
export type Handshake = {
  /** The name for records and pages, as in "Responded to the provider's …". */
  readonly name: string;
  readonly methods: readonly HandshakeMethod[];
  /** All conditions must match. The cheapest come first. */
  readonly when: readonly Condition[];
  /**
   * The check before the response. `signature`: the hook's verification. `verifyToken`: the token
   * that the user gave the provider, in this field. `none`: the provider signs nothing here.
   */
  readonly proof: "none" | "signature" | { readonly verifyToken: FieldPlace };
  /**
   * Also gets a response, unverified, while the hook is awaiting its secret: some providers require
   * it before they show the secret. Only for echoes.
   */
  readonly respondsWhilePending?: true;
  readonly reply: Reply;
};

type HandshakeMethod = "GET" | "HEAD" | "POST" | "OPTIONS";

/** The place of a value. A JSON body may be an array: `0.eventType`. */
export type FieldPlace =
  | { readonly from: "query" | "header" | "form"; readonly name: string }
  | { readonly from: "body"; readonly path: string };

/**
 * Matches a field that is present, absent, equal to a value, or matches a pattern. Numbers count as
 * text.
 */
export type Condition = FieldPlace & {
  readonly equals?: string;
  readonly matches?: RegExp;
  /** The field is absent. Even an object or an empty value counts as present. */
  readonly isAbsent?: true;
  /** The form has no other field. */
  readonly isOnly?: true;
};

export type Reply =
  | {
      readonly kind: "respond";
      readonly status?: 200 | 204;
      /** The place of the challenge. Omitted: the response is constant. */
      readonly challenge?: FieldPlace;
      /** The format of the provider's challenges, if known. A stricter pattern is better. */
      readonly challengePattern?: RegExp;
      readonly headers?: Readonly<Record<string, readonly Piece[]>>;
      readonly body?: ReplyBody;
    }
  /** The provider sends its signing secret. Only a hook that is awaiting its secret accepts it. */
  | {
      readonly kind: "keepSecret";
      readonly secret: FieldPlace;
      /** The response header that echoes it. */
      readonly echoHeader?: string;
      /** The user has to copy it into the provider. */
      readonly isShownToOwner?: true;
    }
  /** The provider waits for a request to a URL of its own. */
  | { readonly kind: "confirmUrl"; readonly url: FieldPlace; readonly hosts: RegExp };

type ReplyBody =
  | { readonly type: "text"; readonly text: readonly Piece[] }
  | { readonly type: "json"; readonly fields: Readonly<Record<string, readonly Piece[] | number>> };

/** A constant, a value from the request or hook, or a hash of those. Pieces are joined as UTF-8. */
export type Piece =
  | string
  | { readonly value: "challenge" | "verifyToken" | "catchUrl" }
  /** One of the provider's settings. */
  | { readonly setting: string }
  | {
      readonly hmac: MacScheme["hash"];
      readonly encoding: "hex" | "base64";
      /** The key is the hook's newest secret, decoded. */
      readonly of: readonly Piece[];
    }
  | {
      readonly digest: MacScheme["hash"];
      readonly encoding: "hex" | "base64";
      readonly of: readonly Piece[];
    };
