import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** How to keep webhooks registered at a provider by its own API. */
export type Registrar = {
  /** The id of the provider. */
  readonly provider: string;
  readonly name: string;
  /** The page that says so. */
  readonly source: string;
  /** The origin of its API, as people read it, such as `https://api.stripe.com`. */
  readonly origin: string;
  /** True for an origin of its API. */
  readonly isOrigin: (origin: string) => boolean;
  /** The credential that it needs, and the least that it has to allow, as a sentence. */
  readonly credentialHelp: string;
  /** What its webhooks belong to. Null: the account of the credential. */
  readonly resource: Resource | null;
  /**
   * Whose the signing secret is. `theirs`: only the response that creates a webhook has it. `ours`: we set it. `app`:
   * it belongs to the app that the credential is of, whatever its webhooks are.
   */
  readonly secret: "theirs" | "ours" | "app";
  /** Makes a secret of random text, if it isn't that text itself. */
  readonly makeSecret?: (random: string) => string;
  /**
   * What it does with a webhook that fails for long. `loses`: webhooks end by themselves, and those that are gone are
   * made again without asking. Null: it isn't known to do anything.
   */
  readonly whenFailing: "disables" | "deletes" | "loses" | null;
  /** Whether its API can enable a webhook that it has disabled. */
  readonly canEnable: boolean;
  /** How its event types are written, as a sentence. */
  readonly typesHelp: string;
  /** The form in which it lists a type. Null: it has none that is written so. */
  readonly toType: (eventType: string) => string | null;
  /** How long a webhook may live. Null: as long as no one ends it. */
  readonly lifeMs: ((at: Place) => number) | null;
  /** The type of a delivery that asks to renew it now. Null: there is none. */
  readonly renewType: string | null;
  /** The type of a delivery that says that the provider left out others. Left out: there is none. */
  readonly missedType?: string;
  readonly list: (at: Place) => Talk<readonly Found[]>;
  readonly create: (at: Place, wanted: Wanted) => Talk<Made>;
  /**
   * True if the API can't make a webhook what is wanted: another one is made, and then this one is removed. So is a
   * webhook that someone else made, since only the response that creates one has its secret. Left out: it always can.
   */
  readonly isFixed?: (found: Found, wanted: Wanted) => boolean;
  /** Makes a webhook what is wanted, and enables it. */
  readonly update: (at: Place, found: Found, wanted: Wanted) => Talk<void>;
  readonly remove: (at: Place, found: Found) => Talk<void>;
  /** The secret that is `theirs`, if it can be had after the creation. It may be a new one from then on. */
  readonly readSecret?: (at: Place, found: Found, newId: string) => Talk<string>;
};

type Resource = {
  /** Such as `Repository or organization`. */
  readonly label: string;
  readonly help: string;
  readonly isValid: (resource: string) => boolean;
};

export type Place = { readonly resource: string };

/** A webhook as the provider has it. */
export type Found = {
  readonly id: string;
  readonly url: string;
  /** As it lists them. */
  readonly eventTypes: readonly string[];
  readonly isEnabled: boolean;
  /** Why it isn't, in the provider's words or ours. Null: the provider doesn't tell. */
  readonly whyDisabled: string | null;
  /** What we wrote into it when it was created. Null: nothing, or it can't be told. */
  readonly mark: string | null;
  /** Null: it doesn't end. */
  readonly expiresAtMs: number | null;
};

/** What a webhook should be. */
export type Wanted = {
  readonly url: string;
  /** As the provider lists them. */
  readonly eventTypes: readonly string[];
  /** Empty unless the secret is `ours`. */
  readonly secret: string;
  /** The provider has another secret. */
  readonly isNewSecret: boolean;
  readonly mark: string;
  /** Null: it doesn't end. */
  readonly expiresAtMs: number | null;
  /** A UUID that was never used. */
  readonly newId: string;
};

export type Made = {
  readonly id: string;
  /** Null unless the secret is `theirs`. */
  readonly secret: string | null;
};

/**
 * Requests, one after the other, each of which may depend on the response to the one before. It is only continued
 * with successful responses, so that no provider's file decides what a failure means.
 */
export type Talk<Value> = Generator<Ask, Value | Rejection, Reply>;

export type Ask = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: readonly Pair[];
  readonly body?: { readonly form: readonly Pair[] } | { readonly json: JsonValue };
  /** Continues after a 404 too. */
  readonly mayBeGone?: boolean;
};

export type Pair = readonly [name: string, value: string];

export type Reply = {
  readonly status: number;
  /** Null: the body isn't JSON. */
  readonly json: JsonValue | null;
};

/** The provider said no in a successful response, or said something else than it documents. */
export type Rejection = {
  readonly rejection: string;
  /** True: asking again may help. */
  readonly isPassing: boolean;
};

export function rejectWith(rejection: string): Rejection {
  return { rejection, isPassing: false };
}

/** A response that isn't what the provider documents, such as the page of a proxy. */
export const unexpected: Rejection = {
  rejection: "responded with something else than its documentation says",
  isPassing: true,
};

export function isRejection(value: unknown): value is Rejection {
  return typeof value === "object" && value !== null && "rejection" in value;
}

/** More pages than any provider has webhooks. */
export const maxPages = 20;
