import type { Registrar, Talk } from "#lib/core/providers/registrars/registrar.ts";
import type { Said, Stop } from "./converse.ts";

/** What a look needs besides the registration. */
export type LookTools = {
  readonly registrar: Registrar;
  /** The catch URL, and those before it that still work. */
  readonly url: string;
  readonly previousUrls: readonly string[];
  readonly nowMs: number;
  readonly ask: <Value>(talk: Talk<Value>) => Promise<Said<Value>>;
  /** Why our own URL doesn't respond. Null: it does. */
  readonly askOwnUrl: () => Promise<string | null>;
  /** The hook's newest secret, or a new one that the hook has from now on. A sentence: there is none. */
  readonly findSecret: () => Promise<OwnSecret | string>;
  /** True if the hook has this secret. */
  readonly hasSecret: (secret: string) => Promise<boolean>;
  /** True if the provider has asked to renew it since the last look. */
  readonly isRenewalAsked: () => Promise<boolean>;
  readonly newId: () => string;
};

type OwnSecret = { readonly id: string; readonly secret: string };

/** What a look found, and did. */
export type Looked =
  | {
      readonly kind: "kept";
      readonly providerId: string;
      readonly url: string;
      readonly appliedTypes: readonly string[];
      /** All that it has now. */
      readonly registeredTypes: readonly string[];
      readonly secretId: string | null;
      readonly isAdopted: boolean;
      readonly isRevived: boolean;
      /** The provider's secret, to be stored together with its id. Null: the hook has it. */
      readonly newSecret: string | null;
      /** It wasn't there before this look. */
      readonly isMade: boolean;
      /** Null: it doesn't end, or the next look says when. */
      readonly expiresAtMs: number | null;
    }
  | { readonly kind: "missing" | "failing"; readonly reason: string }
  | { readonly kind: "gone" }
  | Stop;
