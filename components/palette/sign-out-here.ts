import { signOut } from "next-auth/react";

/** Ends this session on the server too, so that a copy of the cookie is worth nothing. */
export async function signOutHere(): Promise<void> {
  await signOut({ redirect: false });
  // A full load: nothing that was made for this person stays in the router's memory.
  window.location.assign("/sign-in");
}
