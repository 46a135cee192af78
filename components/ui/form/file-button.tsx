"use client";

import type { ComponentProps } from "react";
import { buttonClasses } from "#components/ui/button/button.tsx";

type FileButtonProps = Omit<ComponentProps<"input">, "type" | "onChange" | "className"> & {
  readonly onFile: (file: File) => void;
};

/**
 * Chooses a file. The browser's own control speaks the browser's language, and keeps the name of a
 * file that has been removed since.
 */
export function FileButton({ onFile, ...input }: FileButtonProps) {
  return (
    <label
      className={buttonClasses(
        "secondary",
        "relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 " +
          "has-focus-visible:outline-ring",
      )}
    >
      <input
        {...input}
        type="file"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file can be chosen again, after it has changed.
          target.value = "";
          if (file !== undefined) onFile(file);
        }}
        className="sr-only"
      />
      Choose file
    </label>
  );
}
