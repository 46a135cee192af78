import type { Role } from "#lib/schema/account/role.ts";
import type { ApiScope } from "#lib/schema/account/scopes.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The authorization request of a program, as its link has it. */
export type AskedQuery = Readonly<Record<string, string | readonly string[]>>;

/** A request that can't be allowed, and where the program learns that. Null: nowhere. */
export type RejectedClient = {
  readonly ok: false;
  readonly message: string;
  readonly back: { readonly url: string; readonly host: string } | null;
};

/** The sign-in of a program, which waits for a person. */
export type ClientSignInView = {
  readonly ok: true;
  readonly clientName: string;
  /** Whose document names it. Null: anyone can use that name. */
  readonly documentHost: string | null;
  /** Null: a program on the person's own machine. */
  readonly redirectHost: string | null;
  readonly tokenExpiresAt: Date;
  /** The account that the browser shows. */
  readonly accountId: string;
  /** What the program can get a token of, and what the person's role there allows of what it asks for. */
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly scopes: readonly ApiScope[];
    readonly missing: readonly ApiScope[];
  }[];
};

/** The commands of the page. Both return the URL of the program's response. */
export type ClientCommands = {
  readonly allow: (decision: {
    readonly query: AskedQuery;
    readonly accountId: string;
    readonly scopes: readonly ApiScope[];
  }) => Promise<CommandResult<string>>;
  readonly deny: (query: AskedQuery) => Promise<CommandResult<string>>;
};
