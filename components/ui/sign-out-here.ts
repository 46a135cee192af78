import { signOut } from "next-auth/react";

/** Ends this session on the server too, so that a copied cookie becomes useless. */
export async function signOutHere(): Promise<void> {
  await signOut({ redirect: false });
  // A full page load, so that nothing of this user stays in the router's cache.
  window.location.assign("/sign-in");
}
