"use client";

import type { ReactNode } from "react";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeNeededRole, type Permission } from "#lib/schema/account/permissions.ts";
import { useAllowed } from "./role.tsx";

/**
 * Fields and buttons that need a permission. Users without it see the reason above them, and can
 * read them but not use them.
 */
export function Restricted({ to, children }: { to: Permission; children: ReactNode }) {
  if (useAllowed(to)) return children;
  return (
    <>
      <Notice>{describeNeededRole(to)}</Notice>
      <fieldset disabled className="contents">
        {children}
      </fieldset>
    </>
  );
}
