"use client";

import type { ReactNode } from "react";
import { Notice } from "#components/ui/status/notice.tsx";
import {
  describeMissingRole,
  describeReadOnly,
  type Permission,
} from "#lib/schema/account/permissions.ts";
import { useAllowed, useReader } from "./role.tsx";

type RestrictedProps = {
  readonly to: Permission;
  /** Shown to people without the permission: the same values, to read. Omitted: there are none. */
  readonly instead?: ReactNode;
  readonly children: ReactNode;
};

/** Forms and buttons that need a permission. Users without it see the reason in their place. */
export function Restricted({ to, instead, children }: RestrictedProps) {
  const { role } = useReader();
  if (useAllowed(to)) return children;
  if (instead === undefined) return <Notice>{describeMissingRole(role, to)}</Notice>;
  return (
    <>
      <Notice>{describeReadOnly(role, to)}</Notice>
      {instead}
    </>
  );
}
