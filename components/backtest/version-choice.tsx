"use client";

import { useEffect, useRef, useState } from "react";
import { SelectField } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type VersionName = {
  readonly number: number;
  readonly words: string;
  readonly isCurrent: boolean;
};

export type ListVersions = () => Promise<CommandResult<readonly VersionName[]>>;

type VersionChoiceProps = {
  readonly list: ListVersions;
  /** The version that is tried. Null: a draft. */
  readonly tried: number | null;
};

/** The versions that can be chosen. None, until they are read. */
export function useVersionNames(list: ListVersions): readonly VersionName[] {
  const [versions, setVersions] = useState<readonly VersionName[]>([]);
  const listing = useRef(list);

  useEffect(() => {
    let isOver = false;
    void listing
      .current()
      .catch(() => null)
      .then((result) => {
        if (!isOver && result?.ok === true) setVersions(result.value);
      });
    return () => {
      isOver = true;
    };
  }, []);

  return versions;
}

/** The version to compare with. Until the others are there, it is the one in force. */
export function VersionChoice({ list, tried }: VersionChoiceProps) {
  const versions = useVersionNames(list);
  const others = versions.filter(({ number, isCurrent }) => !isCurrent && number !== tried);
  const triesCurrent = versions.some(({ number, isCurrent }) => isCurrent && number === tried);
  return (
    <SelectField label="Compare with" name="against" defaultValue="">
      {(!triesCurrent || others.length === 0) && <option value="">The saved action</option>}
      {others.map(({ number, words }) => (
        <option key={number} value={number}>
          {safeText(`Version ${number}: ${words}`)}
        </option>
      ))}
    </SelectField>
  );
}
