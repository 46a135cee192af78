/** Says how a password is reset on a server that sends no email. */
export function ResetHint() {
  return (
    <div className="text-sm text-muted-foreground">
      <p>
        Ask the person who runs this server for a new password. On the machine, in Catchment’s
        folder:
      </p>
      <code className="mt-2 block rounded-md bg-muted px-3 py-2 font-mono text-xs break-all text-foreground">
        npm run catchment -- reset-password you@example.com
      </code>
    </div>
  );
}
