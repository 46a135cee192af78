import type { Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** An account that the tool can get a token of, and what the person's role there allows of what it asks for. */
type DeviceAccount = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly scopes: readonly ApiScope[];
  readonly missing: readonly ApiScope[];
};

/** The sign-in of a tool, which waits for a person. */
export type DeviceSignInView = {
  readonly code: string;
  /** The machine's name, as it says. */
  readonly host: string | null;
  readonly address: string | null;
  /** This browser has the same address. Null: it isn't known. */
  readonly isSameAddress: boolean | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly tokenExpiresAt: Date;
  readonly nowMs: number;
  /** The account that the browser shows. */
  readonly accountId: string;
  readonly accounts: readonly DeviceAccount[];
};

type DeviceDecision = {
  readonly code: string;
  readonly accountId: string;
  readonly scopes: readonly ApiScope[];
};

/** The commands of the page. */
export type DeviceCommands = {
  readonly read: (code: string) => Promise<CommandResult<DeviceSignInView>>;
  readonly allow: (decision: DeviceDecision) => Promise<CommandResult<null>>;
  readonly deny: (code: string) => Promise<CommandResult<null>>;
};
