/**
 * The role that the application connects as. It owns the database and its contents and is not a
 * superuser: an injected statement can't read the machine's files, run programs, or change commit
 * durability.
 */
export const applicationUser = "catchment_app";

/** @param password of base64url characters, since it is inserted into the statement verbatim */
export function createApplicationRole(password: string): string {
  return `CREATE ROLE ${applicationUser} ${attributes} PASSWORD '${requirePlain(password)}'`;
}

const attributes = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";

/**
 * Upgrades a cluster that has no such role yet, in one transaction: creates it and transfers
 * everything that the superuser owned. Can be repeated. Loads the driver, so only import this where
 * needed.
 */
export async function transferToApplication(adminUrl: string, password: string): Promise<void> {
  const { Client } = await import("pg");
  const client = new Client({ connectionString: adminUrl, application_name: "catchment start" });
  await client.connect();
  try {
    await client.query(`begin;
      do $$ begin
        if not exists (select 1 from pg_roles where rolname = '${applicationUser}') then
          create role ${applicationUser};
        end if;
      end $$;
      alter role ${applicationUser} ${attributes} password '${requirePlain(password)}';
      ${giveEverything}
      commit`);
  } finally {
    await client.end();
  }
}

/**
 * `REASSIGN OWNED` fails for objects of the role that created the cluster, so each object is
 * transferred separately. Indexes, column sequences, and table types follow their tables.
 */
const giveEverything = `do $$
declare
  statement text;
begin
  execute format('alter database %I owner to ${applicationUser}', current_database());
  for statement in
    select format('alter table %s owner to ${applicationUser}', oid::regclass) from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select format('alter sequence %s owner to ${applicationUser}', c.oid::regclass) from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
      and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
    union all
    select format('alter routine %s owner to ${applicationUser}', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace
    union all
    select format('alter type %s owner to ${applicationUser}', t.oid::regtype) from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd', 'r')
  loop
    execute statement;
  end loop;
end $$;`;

/** Our own passwords always pass. */
function requirePlain(password: string): string {
  if (/^[\w-]+$/.test(password)) return password;
  throw new Error(
    "The password of the application's role contains characters that Catchment doesn't generate.",
  );
}
