import { invalidField } from "#lib/base/errors.ts";
import { pick } from "#lib/base/pick.ts";
import { findKnown, listDifferences, nameItems } from "#lib/core/configuration/item-names.ts";
import { openCredential } from "#lib/core/sending/credential/seal-credential.ts";
import { listSealedCredentials } from "#lib/db/credentials/read-saved.ts";
import type { CredentialInput } from "#lib/schema/act/credential.ts";
import { createCredential, updateCredential } from "#lib/services/credentials.ts";
import { createDestination, updateDestination } from "#lib/services/destinations.ts";
import { type ImportRun, reportKept } from "./import-run.ts";

const secretFields = ["token", "password", "value", "clientSecret", "secret", "privateKey"];

export async function importCredentials(run: ImportRun): Promise<void> {
  const { context, file, before, secrets } = run;
  if (file.credentials === undefined) return;
  const given = nameItems(file.credentials, ({ name }) => name);
  const sealed = await listSealedCredentials(context.db, context.actor.accountId);
  for (const [index, { ref, was, name, origin, auth: inFile }] of given.entries()) {
    const what = `credential "${ref}"`;
    const isWhole = secretFields.some((field) => Object.hasOwn(inFile, field));
    const auth = isWhole ? inFile : secrets?.credentials[ref];
    const known = findKnown(before.credentials, { ref, was });
    const isDone = await run.item(`credentials.${index}`, async () => {
      if (known === undefined) {
        if (auth === undefined) throw missingSecret(name);
        const made = { name, origin, auth } as CredentialInput;
        run.setId("credential", ref, (await createCredential(context, made)).id);
        return run.added(what);
      }
      if (known.origin !== origin)
        throw invalidField(
          "origin",
          `is ${known.origin} in the account, and a credential never moves: rename it in the file`,
        );
      run.rename("credential", known, ref);
      const names = known.name === name ? [] : ["name"];
      if (names.length > 0) await updateCredential(context, { id: known.id, name });
      if (auth === undefined) {
        const { hint: _, ...settings } = known.settings as Record<string, unknown>;
        if (listDifferences(settings, inFile).length > 0)
          run.toDo(
            `${what} has other settings in the account, which stay: they change with its secret.`,
          );
        return run.changed(what, names);
      }
      const row = sealed.find(({ id }) => id === known.id);
      const owner = { id: known.id, accountId: context.actor.accountId };
      const stored =
        row === undefined
          ? {}
          : openCredential(context.sealer, { ...owner, ciphertext: row.ciphertext });
      const isSame =
        listDifferences(stored, auth).length === 0 && listDifferences(auth, stored).length === 0;
      if (!isSame)
        await updateCredential(context, { id: known.id, auth } as Parameters<
          typeof updateCredential
        >[1]);
      run.changed(what, isSame ? names : [...names, "secret"]);
    });
    if (!isDone) run.setId("credential", ref, null);
  }
  reportKept(run, "credential", before.credentials, given);
}

function missingSecret(name: string) {
  return invalidField(
    "auth",
    `has no secret, and the account has no credential "${name}" yet: create it there first, add its ` +
      "secret to the file, or export with --secrets-passphrase-file",
    "required",
  );
}

export async function importDestinations(run: ImportRun): Promise<void> {
  const { context, file, before } = run;
  if (file.destinations === undefined) return;
  const given = nameItems(file.destinations, ({ name }) => name);
  for (const [index, { ref, was, number: _, credential, ...fields }] of given.entries()) {
    const what = `destination "${ref}"`;
    const known = findKnown(before.destinations, { ref, was });
    const isDone = await run.item(`destinations.${index}`, async () => {
      const credentialId =
        credential === null ? null : run.idOf("credential", credential, "credential");
      const input = { ...fields, credentialId };
      if (known === undefined) {
        run.setId("destination", ref, (await createDestination(context, input)).id);
        return run.added(what);
      }
      run.rename("destination", known, ref);
      const names = listDifferences(known, input);
      if (names.length > 0)
        await updateDestination(context, {
          id: known.id,
          ...pick(input, ...(names as (keyof typeof input)[])),
        });
      run.changed(
        what,
        names.map((field) => (field === "credentialId" ? "credential" : field)),
      );
    });
    if (!isDone) run.setId("destination", ref, null);
  }
  reportKept(run, "destination", before.destinations, given);
}
