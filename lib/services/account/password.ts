import { hash, type Options, verify } from "@node-rs/argon2";

// OWASP Password Storage Cheat Sheet, argon2id: 19 MiB, 2 passes, parallelism 1. About 15 ms, off
// the event loop.
const options: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * argon2id in PHC string format. The caller has limited the length. For a password that someone
 * chose, call `hashNewPassword`.
 */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password, options);
}

/** Takes the same time with and without a hash, so that timing doesn't reveal which users exist. */
export async function verifyPassword(
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  if (passwordHash !== null) return await verify(passwordHash, password);
  await verify(await dummyHash, password);
  return false;
}

// Created when the module loads, so that the first unknown user doesn't take longer either.
const dummyHash = hashPassword("no user has this password");
