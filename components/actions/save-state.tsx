/** Shown beside the button, because the error at the top of the form may be out of sight. */
export function SaveState({ isDirty, rejection }: { isDirty: boolean; rejection: string | null }) {
  if (rejection !== null)
    return <span className="text-sm text-negative">Not saved. {rejection}</span>;
  return (
    <span aria-live="polite" className="text-sm text-muted-foreground">
      {isDirty && "Not saved yet"}
    </span>
  );
}
