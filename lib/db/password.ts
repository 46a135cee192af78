import { hash, type Options, verify } from "@node-rs/argon2";

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, 1 lane. About 15 ms, off the event loop.
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** argon2id in PHC string form. The caller has bounded the length: see `passwordSchema`. */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, options);
}

/** Takes as long without a hash as with a wrong password: nobody learns from the time which users exist. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  if (passwordHash !== null) return await verify(passwordHash, password);
  await verify(await dummyHash, password);
  return false;
}

// Made when the module loads, so that not even the first unknown user takes longer.
const dummyHash = hashPassword("nobody has this password");
