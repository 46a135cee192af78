/** Signs the first owner in as a browser does. Returns the Cookie header of the session. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const cookies = new Map<string, string>();
  const keep = (response: Response): Response => {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return response;
  };
  const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const timeout = () => AbortSignal.timeout(120_000);

  const csrf = keep(await fetch(new URL("/api/auth/csrf", origin), { signal: timeout() }));
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const form = new URLSearchParams({ csrfToken, email, password, json: "true" });
  const signedIn = keep(
    await fetch(new URL("/api/auth/callback/credentials", origin), {
      method: "POST",
      headers: { cookie: header(), origin: new URL(origin).origin },
      body: form,
      redirect: "manual",
      signal: timeout(),
    }),
  );
  if (!header().includes("session"))
    throw new Error(`Signing in: ${signedIn.status} ${await signedIn.text()}`);
  return header();
}
