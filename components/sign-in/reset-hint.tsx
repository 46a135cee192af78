import { Link } from "#components/ui/link.tsx";

/** Says how a password is reset on a server that sends no email. */
export function ResetHint() {
  return (
    <div className="text-sm text-muted-foreground">
      <p>
        Ask the person who runs this server for a new password. On the machine, in Catchment's
        folder:
      </p>
      <ResetCommand />
    </div>
  );
}

/** Says how someone gets in while the identity provider, the only way, is down. */
export function LockedOutHint({ hasForm }: { hasForm: boolean }) {
  return (
    <div className="text-sm text-muted-foreground">
      <p>
        If single sign-on doesn't work at all, the person who runs this server can make a password
        that works for an hour. On the machine, in Catchment's folder:
      </p>
      <ResetCommand />
      {!hasForm && (
        <Link
          href="/sign-in?with=password"
          className="mt-2 block w-fit rounded-sm underline hover:text-foreground"
        >
          Sign in with this password
        </Link>
      )}
    </div>
  );
}

function ResetCommand() {
  return (
    <code className="mt-2 block rounded-md bg-muted px-3 py-2 font-mono text-xs wrap-anywhere text-foreground">
      npm run server -- reset-password you@example.com
    </code>
  );
}
