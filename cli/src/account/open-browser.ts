import { spawn } from "node:child_process";

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // Not `start`: a shell would read `&` of the URL.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Opens a page in the person's browser, if there is one. The page's URL is shown as well. */
export function openBrowser(url: string): void {
  const [program = "xdg-open", ...args] = openers[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
