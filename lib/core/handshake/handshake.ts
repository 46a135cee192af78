import type { MacScheme } from "#lib/core/verify/scheme.ts";

/**
 * A request that asks "are you there, and are you the one?" instead of telling of an event, as data on a provider. The
 * answer is all that becomes of it: nothing runs on it.
 */
export type Handshake = {
  /** For records and pages, as in "Answered the sender's …". */
  readonly name: string;
  readonly methods: readonly HandshakeMethod[];
  /** All of them have to hold; what is cheapest to look at comes first. */
  readonly when: readonly Condition[];
  /**
   * What a sender shows before it is answered. `signature`: the hook's own verification. `verifyToken`: the text that the
   * owner gave the sender for this, in that field. `none`: senders that sign nothing here.
   */
  readonly proof: "none" | "signature" | { readonly verifyToken: FieldPlace };
  /**
   * A signed one that is answered unsigned while the hook waits for its secret: some senders insist on the answer before
   * anybody can paste it. Only for what echoes.
   */
  readonly isAnsweredWhilePending?: true;
  readonly reply: Reply;
};

export type HandshakeMethod = "GET" | "HEAD" | "POST" | "OPTIONS";

/** Where a value of the request is. A JSON body may be an array: `0.eventType`. */
export type FieldPlace =
  | { readonly from: "query" | "header" | "form"; readonly name: string }
  | { readonly from: "body"; readonly path: string };

/** That a field is there, or isn't, or has exactly that value. Numbers count as their digits. */
export type Condition = FieldPlace & { readonly equals?: string; readonly isAbsent?: true };

export type Reply =
  | {
      readonly kind: "answer";
      readonly status?: 200 | 204;
      /** Without one there is nothing to echo and the answer is constant. */
      readonly challenge?: FieldPlace;
      /** What the sender's challenges look like, where that is known: the less can be asked for the better. */
      readonly challengePattern?: RegExp;
      readonly headers?: Readonly<Record<string, readonly Piece[]>>;
      readonly body?: ReplyBody;
    }
  /** The sender gives the secret that it will sign with. It is taken by a hook that waits for one, and by no other. */
  | {
      readonly kind: "keepSecret";
      readonly secret: FieldPlace;
      /** The response header that gives it back. */
      readonly echoHeader?: string;
      /** The owner has to read it, and type it in at the sender. */
      readonly isShownToOwner?: true;
    }
  /** The sender waits until this URL of its own has been called. */
  | { readonly kind: "confirmUrl"; readonly url: FieldPlace; readonly hosts: RegExp };

export type ReplyBody =
  | { readonly type: "text"; readonly text: readonly Piece[] }
  | { readonly type: "json"; readonly fields: Readonly<Record<string, readonly Piece[] | number>> };

/** A constant, something that request or hook know, or what is computed of those. Joined as UTF-8. */
export type Piece =
  | string
  | { readonly value: "challenge" | "verifyToken" | "catchUrl" }
  /** One of the values that the provider declares beside the secret. */
  | { readonly setting: string }
  | {
      readonly hmac: MacScheme["hash"];
      readonly encoding: "hex" | "base64";
      /** Keyed with the hook's newest secret, decoded as its scheme says. */
      readonly of: readonly Piece[];
    }
  | {
      readonly digest: MacScheme["hash"];
      readonly encoding: "hex" | "base64";
      readonly of: readonly Piece[];
    };
